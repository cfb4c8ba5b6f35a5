// What a plot shows, and the room it takes: no browser needed.
import {isNumber, type Maybe, type Reader} from './data';
import {logTicks, plain, raised, significant, ticks} from './numbers';

export interface Axis {
  label: string; // with its unit
  log: boolean;
}

export interface Series {
  name: string;
  points: [Maybe, Maybe][]; // in the order of the line, x need not rise; a point with null interrupts it
  line: boolean;
  marks: boolean;
  dashed: boolean;
  color?: number; // place in the palette; else the place among the series
  strong?: number[]; // points that are drawn larger
}

export interface PlotData {
  title: string;
  x: Axis;
  y: Axis;
  series: Series[];
  note: string;
  equal: boolean; // a shape: one metre is as long upwards as sideways
  levels?: {y: number; label: string}[]; // dashed lines right across
}

function readPoint(reader: Reader): [Maybe, Maybe] {
  const pair = reader.list((item) => item.maybe());
  if (pair.length !== 2) throw reader.wrong('is not a pair of numbers');
  return [pair[0]!, pair[1]!];
}

export function readPlot(reader: Reader): PlotData {
  const axis = (of: Reader): Axis => ({label: of.at('label').text(), log: of.at('log').yes()});
  return {
    title: reader.at('title').text(), x: axis(reader.at('x')), y: axis(reader.at('y')),
    series: reader.at('series').list((item) => ({
      name: item.at('name').text(''), points: item.at('points').list(readPoint), line: item.at('line').yes(),
      marks: item.at('marks').yes(), dashed: item.at('dashed').yes(),
    })),
    note: reader.at('note').text(''), equal: reader.at('equal').yes(),
  };
}

const hasPlace = (value: Maybe, axis: Axis) => isNumber(value) && (!axis.log || value > 0);

// A point that can be drawn; null breaks a line.
export const isDrawn = (plot: PlotData, [x, y]: [Maybe, Maybe]) => hasPlace(x, plot.x) && hasPlace(y, plot.y);

// Points with numbers that have no place on a logarithmic axis.
export const left = (plot: PlotData) => plot.series.reduce((sum, {points}) =>
    sum + points.filter((point) => point.every(isNumber) && !isDrawn(plot, point)).length, 0);

export type Range = [number, number];

// All values with a little room around them.
export function rangeOf(values: number[], log: boolean): Range {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low > high) return log ? [0.1, 10] : [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (log) {
    const room = high / low > 1.001 ? Math.max((high / low) ** 0.06, 1.1) : 2;
    return [low / room, high * room];
  }
  const room = high - low > 1e-9 * size ? 0.05 * (high - low) : 0.1 * size || 1; // a constant stays in the middle
  return [low - room, high + room];
}

export function ranges(plot: PlotData): {x: Range; y: Range} {
  const points = plot.series.flatMap((series) => series.points.filter((point) => isDrawn(plot, point))) as [number, number][];
  const levels = (plot.levels ?? []).map(({y}) => y).filter((y) => hasPlace(y, plot.y));
  return {x: rangeOf(points.map(([x]) => x), plot.x.log), y: rangeOf([...points.map(([, y]) => y), ...levels], plot.y.log)};
}

// The shorter range grows, about its middle, until both axes have the same scale in an area of this shape.
export function equalized({x, y}: {x: Range; y: Range}, width: number, height: number): {x: Range; y: Range} {
  const scale = Math.min(width / (x[1] - x[0]), height / (y[1] - y[0])); // pixels a unit
  const grown = ([low, high]: Range, length: number): Range => {
    const half = length / scale / 2;
    return [(low + high) / 2 - half, (low + high) / 2 + half];
  };
  return {x: grown(x, width), y: grown(y, height)};
}

export interface Tick {
  value: number;
  label: string; // empty: a mark without a name
}

export function axisTicks(axis: Axis, [low, high]: Range, most: number): Tick[] {
  if (axis.log) {
    const found = logTicks(low, high, most);
    const power = found.some(({value, named}) => named && (value < 0.9e-3 || value > 2e4));
    return found.map(({value, named}) => ({value, label: named ? (power ? powerOfTen(value) : significant(value, 3)) : ''}));
  }
  const values = ticks(low, high, most);
  const step = values.length > 1 ? values[1]! - values[0]! : 0;
  const size = Math.max(...values.map(Math.abs));
  const powers = size >= 1e5 || (step > 0 && step < 0.9e-3);
  return values.map(
      (value) => ({value, label: powers ? significant(Math.abs(value) < 1e-9 * size ? 0 : value, 4) : plain(value, step)}));
}

// 1000 -> "10³", 2000 -> "2×10³"
function powerOfTen(value: number): string {
  const power = Math.floor(Math.log10(value) + 1e-9);
  const digit = Number((value / 10 ** power).toPrecision(2));
  return digit === 1 ? `10${raised(power)}` : `${digit}×10${raised(power)}`;
}

// How many later series cover each one, point by point: those below are drawn wider, so that all of them are seen.
export function coverings(plot: PlotData): number[] {
  const {x, y} = ranges(plot);
  const part = (value: number, [low, high]: Range, log: boolean) =>
      log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  const places = plot.series.map(({points}) => points.filter((point) => isDrawn(plot, point))
      .map(([px, py]) => [part(px!, x, plot.x.log), part(py!, y, plot.y.log)] as const));
  const near = 0.008; // of the width or height: two or three pixels
  const covers = (upper: (typeof places)[0], lower: (typeof places)[0]) => lower.length > 0 &&
      upper.length * lower.length < 1e5 &&
      lower.every(([ax, ay]) => upper.some(([bx, by]) => Math.abs(ax - bx) < near && Math.abs(ay - by) < near));
  return places.map((lower, s) => places.slice(s + 1).filter((upper) => covers(upper, lower)).length);
}

// The drawn point nearest to a place of the picture, within `reach` pixels.
export function nearest(plot: PlotData, shown: (series: number) => boolean, place: (x: number, y: number) => [number, number],
                        [left, top]: [number, number], reach = 48): {series: number; point: number} | null {
  let best: {series: number; point: number} | null = null;
  let least = reach * reach;
  plot.series.forEach((series, s) => {
    if (!shown(s)) return;
    series.points.forEach((pair, k) => {
      if (!isDrawn(plot, pair)) return;
      const [px, py] = place(pair[0]!, pair[1]!);
      const distance = (px - left) ** 2 + (py - top) ** 2;
      if (distance < least) [least, best] = [distance, {series: s, point: k}];
    });
  });
  return best;
}
