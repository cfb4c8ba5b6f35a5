// Measured against expected: the rule of the program (src/study/experiment.cpp), words for it, and the gauge of a table.
import type {Maybe} from '../../common/data';
import {resolved, significant} from '../../common/numbers';
import type {Experiment, Expectation} from './data';

const tolerance = ({value, abs, rel}: Expectation) => Math.max(abs ?? 0, (rel ?? 0) * Math.abs(value ?? 0));

export function holds(expectation: Expectation, measured: Maybe | undefined): boolean {
  if (measured === null || measured === undefined) return false;
  const {value, min, max} = expectation;
  if (value !== null && Math.abs(measured - value) > tolerance(expectation)) return false;
  if (min !== null && measured < min) return false;
  if (max !== null && measured > max) return false;
  return value !== null || min !== null || max !== null;
}

// The smallest difference worth seeing: a twentieth of the tolerance.
const place = (expectation: Expectation | undefined) =>
    expectation && expectation.value !== null && tolerance(expectation) > 0 ? tolerance(expectation) / 20 : null;

export function measuredText(measured: Maybe | undefined, expectation: Expectation | undefined): string {
  if (measured === undefined) return 'not measured';
  if (measured === null) return 'not finite';
  const finest = place(expectation);
  return finest === null ? significant(measured, expectation ? 3 : 4) : resolved(measured, finest);
}

export function expectedText(expectation: Expectation): string {
  const {value, abs, rel, min, max} = expectation;
  const parts: string[] = [];
  if (value !== null) {
    const finest = place(expectation);
    const text = finest === null ? significant(value, 6) : resolved(value, finest);
    const bound =
        rel !== null && rel * Math.abs(value) >= (abs ?? 0) ? `${significant(100 * rel, 3)} %` : significant(abs ?? 0, 2);
    parts.push(`${text} ± ${bound}`);
  }
  if (min !== null && max !== null) parts.push(`${significant(min, 4)} to ${significant(max, 4)}`);
  else if (min !== null) parts.push(`≥ ${significant(min, 4)}`);
  else if (max !== null) parts.push(`≤ ${significant(max, 4)}`);
  return parts.join(', ') || 'no bound';
}

export type RowState = 'met' | 'not met' | 'not run' | 'not judged';

export interface Row {
  key: string;
  measured: Maybe | undefined; // null: not finite; undefined: there is none
  expectation: Expectation | undefined;
  state: RowState;
}

// All keys, measured ones in their order and then those that were never reached.
export function rowsOf(experiment: Experiment): Row[] {
  const keys = new Set([...experiment.measured.keys(), ...experiment.expected.keys()]);
  return [...keys].map((key) => {
    const measured = experiment.measured.get(key);
    const expectation = experiment.expected.get(key);
    const judged = (): RowState => {
      if (!expectation) return measured === null ? 'not met' : 'not judged'; // a number that is not finite fails an experiment
      if (experiment.state === 'not run' && measured === undefined) return 'not run';
      return holds(expectation, measured) ? 'met' : 'not met';
    };
    return {key, measured, expectation, state: judged()};
  });
}

const most = 12; // rows that a table shows at once

// The rows of a long table that show at once, and the rest: what is not met in any case and first, then what is judged.
export function folded(rows: Row[]): {shown: Row[]; rest: Row[]} {
  if (rows.length <= most) return {shown: rows, rest: []};
  const bad = rows.filter(({state}) => state === 'not met');
  const good =
      rows.filter(({state}) => state === 'met' || state === 'not run').concat(rows.filter(({state}) => state === 'not judged'));
  const room = Math.max(most - bad.length, 0);
  return {shown: [...bad, ...good.slice(0, room)], rest: good.slice(room)};
}

// Why an experiment failed, a sentence each.
export function causes(experiment: Experiment): string[] {
  if (experiment.state !== 'failed') return [];
  const early = experiment.notes.filter((note) => note.startsWith('ended early'));
  const rows = rowsOf(experiment).filter(({state}) => state === 'not met').map(({key, measured, expectation}) =>
      `${key} is ${measuredText(measured, expectation)}${expectation ? `, expected is ${expectedText(expectation)}` : ''}`);
  const none = experiment.expected.size === 0 ? ['nothing was expected of it'] : [];
  return [...early, ...rows, ...none];
}

// Where a number lies in its band: fractions of the width of a gauge.
export interface Gauge {
  low: number; // the band; 0 or 1 where it is open
  high: number;
  middle: number | null; // the expected value
  mark: number; // what was measured; at the rim when it lies beyond
  beyond: -1 | 0 | 1; // it lies outside of the gauge on this side
  words: string;
}

export function gaugeOf(expectation: Expectation, measured: number): Gauge | null {
  const {value} = expectation;
  const bound = tolerance(expectation);
  const low = Math.max(value === null ? -Infinity : value - bound, expectation.min ?? -Infinity);
  const high = Math.min(value === null ? Infinity : value + bound, expectation.max ?? Infinity);
  if (low > high || (low === -Infinity && high === Infinity)) return null;
  const both = Number.isFinite(low) && Number.isFinite(high);
  const unit = both ? (high - low) / 0.6 : Math.abs(Number.isFinite(low) ? low : high) / 0.75 || Math.abs(measured) * 2 || 1;
  const at = (x: number) => both ? 0.2 + (unit > 0 ? (x - low) / unit : 0.3 + Math.sign(x - low))
                                 : Number.isFinite(high) ? 0.75 + (x - high) / unit : 0.25 + (x - low) / unit;
  const mark = at(measured);
  return {
    low: Number.isFinite(low) ? at(low) : 0,
    high: Number.isFinite(high) ? at(high) : 1,
    middle: value === null ? null : at(value),
    mark: Math.min(Math.max(mark, 0.03), 0.97),
    beyond: mark < 0 ? -1 : mark > 1 ? 1 : 0,
    words: placeWords(expectation, measured, low, high),
  };
}

function placeWords({value}: Expectation, measured: number, low: number, high: number): string {
  const inside = measured >= low && measured <= high;
  const part = (text: number) => `${significant(100 * text, 2)} %`;
  if (value !== null && high > low) {
    const bound = measured >= value ? high - value : value - low;
    if (bound > 0) return `off by ${part(Math.abs(measured - value) / bound)} of what is allowed`;
  }
  if (Number.isFinite(high) && high > 0 && measured >= 0 && !Number.isFinite(low))
    return `${part(measured / high)} of the most that is allowed`;
  return inside ? 'inside' : measured < low ? 'too low' : 'too high';
}
