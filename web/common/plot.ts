/*! uPlot 1.6.32, copyright (c) 2025 Leon Sorokin, MIT licensed, https://github.com/leeoniya/uPlot */
// A plot with its words, by uPlot. uPlot's series share one rising x; in its mode 2 each has its own points, and as the lines are
// drawn here, in the order of the points, a path may turn back in x.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './plot.css';
import {make, makeSvg} from './dom';
import {count, significant} from './numbers';
import {axisTicks, coverings, equalized, isDrawn, left, nearest, ranges} from './plot_data';
import type {Axis, PlotData, Range, Tick} from './plot_data';
import {colorOf, colorVariable, drawLine, drawMarks, isMarked, markOutline, type Pen} from './plot_draw';

const xAxisHeight = 26; // CSS pixels
const rightRoom = 10;
const topRoom = 8;
const font = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif';

const style = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function widest(labels: string[]): number {
  const context = document.createElement('canvas').getContext('2d')!;
  context.font = font;
  return Math.max(0, ...labels.map((label) => context.measureText(label).width));
}

interface Frame {
  height: number;
  yAxisWidth: number;
  x: {range: Range; ticks: Tick[]};
  y: {range: Range; ticks: Tick[]};
}

// What lies where in a picture of this width (CSS pixels).
function frameOf(plot: PlotData, width: number): Frame {
  let {x, y} = ranges(plot);
  let area = Math.min(Math.max(0.56 * width, 210), 320);
  const named = (ticks: Tick[]) => ticks.map(({label}) => label);
  const yTicks = () => axisTicks(plot.y, y, Math.max(Math.floor(area / 38), 2));
  const yAxisWidth = () => Math.ceil(widest(named(yTicks()))) + 16;
  if (plot.equal && !plot.x.log && !plot.y.log) {
    const across = width - yAxisWidth() - rightRoom;
    area = Math.min(Math.max((across * (y[1] - y[0])) / (x[1] - x[0]), 110), 420);
    ({x, y} = equalized({x, y}, across, area));
  }
  const across = width - yAxisWidth() - rightRoom;
  let xTicks = axisTicks(plot.x, x, 8);
  for (let most = 8; most > 2 && widest(named(xTicks)) + 14 > across / named(xTicks).filter(Boolean).length; --most)
    xTicks = axisTicks(plot.x, x, most - 1);
  return {
    height: area + xAxisHeight + topRoom,
    yAxisWidth: yAxisWidth(),
    x: {range: x, ticks: xTicks},
    y: {range: y, ticks: yTicks()}
  };
}

export class Plot {
  readonly element: HTMLElement;
  private readonly box = make('div', {className: 'box'});
  private readonly point = make('div', {className: 'point', hidden: true});
  private readonly value = make('div', {className: 'value', hidden: true});
  private readonly hidden = new Set<number>();
  private readonly hasPoints: boolean;
  private readonly coverings: number[];
  private chart: uPlot | null = null;
  private width = 0; // for which it is drawn

  constructor(readonly data: PlotData) {
    this.hasPoints = data.series.some(({points}) => points.some((point) => isDrawn(data, point)));
    this.coverings = coverings(data);
    this.element = make('figure', {className: 'plot'}, make('figcaption', {}, data.title));
    if (!this.hasPoints) {
      this.element.append(make('div', {className: 'empty'}, 'No points to draw'));
    } else {
      this.box.setAttribute('role', 'img');
      this.box.setAttribute('aria-label', this.words());
      this.element.append(
          make('div', {className: 'y-label'}, data.y.label), this.box, make('div', {className: 'x-label'}, data.x.label));
      this.element.append(this.legend());
      waiting.add(this);
      seen.observe(this.box);
      sized.observe(this.box);
    }
    const without = left(data);
    const notes = [
      data.note,
      without > 0 ? `${count(without, 'point')} at or below 0 ${without === 1 ? 'has' : 'have'} no place on a logarithmic axis.` :
                    ''
    ];
    for (const note of notes.filter(Boolean)) this.element.append(make('p', {className: 'note'}, note));
    if (this.hasPoints) this.element.append(this.numbers());
    plots.push(this);
    byBox.set(this.box, this);
  }

  get title(): string { return this.data.title; }
  get drawn(): boolean { return this.chart !== null; }

  // Where a point lies in the window (CSS pixels).
  place(series: number, point: number): {x: number; y: number} {
    const [x, y] = this.data.series[series]!.points[point]!;
    return this.placeOf(x!, y!);
  }

  placeOf(x: number, y: number): {x: number; y: number} {
    this.draw();
    const over = this.chart!.over.getBoundingClientRect();
    return {x: over.left + this.chart!.valToPos(x, 'x'), y: over.top + this.chart!.valToPos(y, 'y')};
  }

  color(series: number): string {
    return style(`--series-${colorOf(this.data.series[series]!, series)}`);
  }

  draw(again = false): void {
    const width = Math.floor(this.box.clientWidth);
    if (!this.hasPoints || width === 0 || (this.chart && !again && width === this.width)) return;
    waiting.delete(this);
    this.chart?.destroy();
    this.width = width;
    const frame = frameOf(this.data, width);
    this.box.style.minHeight = `${frame.height}px`;
    const data = [null, ...this.data.series.map(({points}) => [points.map(([x]) => x), points.map(([, y]) => y)])];
    this.chart = new uPlot(this.options(frame, width), data as unknown as uPlot.AlignedData, this.box);
    this.chart.over.append(this.point, this.value);
    this.point.hidden = this.value.hidden = true;
  }

  private options(frame: Frame, width: number): uPlot.Options {
    const axis = (which: 'x' | 'y', size: number): uPlot.Axis => ({
      scale: which,
      size,
      font,
      stroke: style('--muted'),
      gap: 4,
      splits: () => frame[which].ticks.map(({value}) => value),
      filter: (_chart, splits) => splits,
      values: () => frame[which].ticks.map(({label}) => label),
      grid: {
        stroke: style('--line'),
        width: 1,
        filter: (_chart, splits) => splits.map((value, k) => (frame[which].ticks[k]!.label ? value : null))
      },
      ticks: {stroke: style('--edge'), width: 1, size: 4, filter: (_chart, splits) => splits},
      border: {show: true, stroke: style('--edge'), width: 1},
    });
    const scale = (of: Axis, range: Range): uPlot.Scale => ({time: false, distr: of.log ? 3 : 1, range: () => range});
    const facets = [{scale: 'x', auto: false}, {scale: 'y', auto: false}];
    const series = this.data.series.map((_series, index): uPlot.Series => ({
      facets, stroke: this.color(index), show: !this.hidden.has(index), points: {show: false},
      paths: (chart) => { this.drawSeries(chart, index); return null; },
    }));
    return {
      mode: 2,
      width,
      height: frame.height,
      padding: [topRoom, rightRoom, 0, 0],
      legend: {show: false},
      cursor: {
        x: false,
        y: false,
        points: {show: false},
        drag: {x: false, y: false, setScale: false},
        dataIdx: () => null as unknown as number
      },
      scales: {x: scale(this.data.x, frame.x.range), y: scale(this.data.y, frame.y.range)},
      axes: [axis('x', xAxisHeight), axis('y', frame.yAxisWidth)],
      series: [{} as uPlot.Series, ...series],
      hooks: {
        setCursor: [(chart) => this.hover(chart)],
        drawAxes: [(chart) => this.drawLevels(chart)],
        draw: [(chart) => this.nameLevels(chart)]
      },
    };
  }

  private drawSeries(chart: uPlot, index: number): void {
    const series = this.data.series[index]!;
    const pen: Pen = {
      context: chart.ctx,
      scale: uPlot.pxRatio,
      color: this.color(index),
      ground: style('--solid'),
      wider: 3 * this.coverings[index]!,
      place: (x, y) => [chart.valToPos(x, 'x', true), chart.valToPos(y, 'y', true)],
    };
    chart.ctx.save();
    if (series.line) drawLine(pen, this.data, series);
    drawMarks(pen, this.data, series, colorOf(series, index));
    chart.ctx.restore();
  }

  private drawLevels(chart: uPlot): void {
    const {ctx, bbox} = chart;
    for (const {y} of this.data.levels ?? []) {
      if (this.data.y.log && y <= 0) continue;
      const at = chart.valToPos(y, 'y', true);
      ctx.save();
      ctx.strokeStyle = style('--muted');
      ctx.lineWidth = 1.5 * uPlot.pxRatio;
      ctx.setLineDash([3 * uPlot.pxRatio, 4 * uPlot.pxRatio]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, at);
      ctx.lineTo(bbox.left + bbox.width, at);
      ctx.stroke();
      ctx.restore();
    }
  }

  // On top of everything, with a rim that keeps it readable there.
  private nameLevels(chart: uPlot): void {
    const {ctx, bbox} = chart;
    const size = uPlot.pxRatio;
    for (const {y, label} of this.data.levels ?? []) {
      if (this.data.y.log && y <= 0) continue;
      const at = chart.valToPos(y, 'y', true);
      const below = at < bbox.top + 20 * size;
      const place = [bbox.left + 8 * size, at + (below ? 4 : -4) * size] as const;
      ctx.save();
      ctx.font = font.replace('12px', `${12 * size}px`);
      ctx.textAlign = 'left';
      ctx.textBaseline = below ? 'top' : 'bottom';
      ctx.lineJoin = 'round';
      ctx.lineWidth = 4 * size;
      ctx.strokeStyle = style('--solid');
      ctx.fillStyle = style('--muted');
      ctx.strokeText(label, ...place);
      ctx.fillText(label, ...place);
      ctx.restore();
    }
  }

  private hover(chart: uPlot): void {
    const {left = -1, top = -1} = chart.cursor;
    const place = (x: number, y: number): [number, number] => [chart.valToPos(x, 'x'), chart.valToPos(y, 'y')];
    const found = left < 0 ? null : nearest(this.data, (series) => !this.hidden.has(series), place, [left, top]);
    this.point.hidden = this.value.hidden = !found;
    if (!found) return;
    const series = this.data.series[found.series]!;
    const [x, y] = series.points[found.point]! as [number, number];
    const [px, py] = place(x, y);
    this.point.style.left = `${px}px`;
    this.point.style.top = `${py}px`;
    const name = this.data.series.length > 1 ? [make('b', {}, series.name)] : [];
    this.value.replaceChildren(...name, make('div', {}, `${this.data.x.label}: ${significant(x, 5)}`),
                               make('div', {}, `${this.data.y.label}: ${significant(y, 5)}`));
    const {offsetWidth: wide, offsetHeight: high} = this.value;
    const [areaWidth, areaHeight] = [chart.over.clientWidth, chart.over.clientHeight];
    const x0 = px + 14 + wide <= areaWidth ? px + 14 : px - 14 - wide;
    this.value.style.left = `${Math.max(Math.min(x0, areaWidth - wide), 0)}px`;
    this.value.style.top = `${Math.max(Math.min(py - high / 2, areaHeight - high), 0)}px`;
  }

  private words(): string {
    const {title, x, y, series} = this.data;
    const named = series.map(({name}) => name).filter(Boolean).join(', ');
    return `${title}: ${y.label} over ${x.label}${named ? `; ${named}` : ''}`;
  }

  private legend(): HTMLElement {
    const {series} = this.data;
    const list = make('ul', {className: 'keys', hidden: series.length < 2 && !series[0]?.name});
    series.forEach((one, index) => {
      const button = make(
          'button', {type: 'button', title: 'Show or hide'}, this.key(index),
          make('span', {}, one.name || `series ${index + 1}`));
      button.setAttribute('aria-pressed', 'true');
      button.addEventListener('click', () => {
        const shown = this.hidden.delete(index) || !this.hidden.add(index);
        button.setAttribute('aria-pressed', String(shown));
        this.draw(true);
      });
      list.append(make('li', {}, button));
    });
    return list;
  }

  // A piece of the line with its mark, as the plot draws them.
  private key(index: number): SVGElement {
    const series = this.data.series[index]!;
    const color = colorVariable(colorOf(series, index));
    const drawing = makeSvg('svg', {viewBox: '0 0 28 14', 'aria-hidden': 'true'});
    if (series.line)
      drawing.append(makeSvg('path', {d: 'M1 7h26', stroke: color, 'stroke-dasharray': series.dashed ? '5 4' : 'none'}));
    if (series.points.some((_point, k) => isMarked(this.data, series, k)))
      drawing.append(makeSvg(
          'path', {d: markOutline(colorOf(series, index)), transform: 'translate(14 7) scale(4)', fill: color, stroke: 'none'}));
    return drawing;
  }

  private numbers(): HTMLElement {
    const details = make('details', {}, make('summary', {}, 'Numbers'));
    details.addEventListener('toggle', () => {
      if (details.childElementCount > 1) return;
      const {x, y, series} = this.data;
      const rows = series.flatMap(({name, points}) => points.map(([px, py]) => make('tr', {}, make('td', {}, name),
          ...[px, py].map((number) => make('td', {}, number === null ? '–' : significant(number, 6))))));
      const head = make('tr', {}, ...['series', x.label, y.label].map((text) => make('th', {scope: 'col'}, text)));
      const scroll = make(
          'div', {className: 'numbers', tabIndex: 0}, make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows)));
      scroll.setAttribute('role', 'region');
      scroll.setAttribute('aria-label', `Numbers of ${this.title}`);
      details.append(scroll);
    });
    return details;
  }
}

// All plots of the page, in their order.
export const plots: Plot[] = [];
export const redrawPlots = () => plots.filter(({drawn}) => drawn).forEach((plot) => plot.draw(true));

// Plots are drawn when they come near the window: a report has dozens of them.
const waiting = new Set<Plot>();
const byBox = new WeakMap<Element, Plot>();
const seen = new IntersectionObserver((entries) => {
  for (const {isIntersecting, target} of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    byBox.get(target)?.draw();
  }
}, {rootMargin: '600px'});
const sized = new ResizeObserver((entries) => {
  for (const {target} of entries) if (byBox.get(target)?.drawn) byBox.get(target)!.draw();
});
addEventListener('beforeprint', () => waiting.forEach((plot) => plot.draw()));
