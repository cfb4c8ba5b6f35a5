// The result in words.
import {count, duration, powers, significant} from '../../common/numbers';
import type {Comparison, Method} from './data';

const rodLength = ({shapes}: Comparison) => (shapes && shapes.rods.length > 1 ? "a rod's length" : "the rod's length");

// What the others are compared with: newton, else the first one that ran to its end.
export function baseline({methods}: Comparison): Method | undefined {
  const done = methods.filter(({state}) => state === 'done');
  return done.find(({method, settings}) => method === 'newton' && settings.length === 0) ??
      done.find(({method}) => method === 'newton') ?? done[0];
}

function errs({error}: Method, comparison: Comparison): string {
  if (error === null) return 'has no error that could be measured';
  const own = comparison.reference.error;
  const within = own !== null && error <= own ? ' (not more than the reference itself)' : '';
  return `errs by ${powers(error)} of ${rodLength(comparison)}${within}`;
}

function takes({seconds}: Method, base: Method | undefined): string {
  if (seconds === null) return '';
  if (!base || base.seconds === null || base.seconds === 0) return ` and takes ${duration(seconds)}`;
  return ` and takes ${significant(seconds / base.seconds, 2)} times ${base.name}'s time`;
}

export function sentences(comparison: Comparison): string[] {
  const base = baseline(comparison);
  const {methods} = comparison;
  if (methods.length === 0) return ['No method was compared.'];
  const failed = methods.filter(({state}) => state === 'failed')
                     .map(({name, cause}) => `${name} failed${cause ? `: ${cause.replace(/\.$/, '')}` : ''}.`);
  const others = methods.filter((method) => method.state === 'done' && method !== base)
      .map((method) => `${method.name} ${errs(method, comparison)}${takes(method, base)}.`);
  const own = base ? [`${base.name} ${errs(base, comparison)}${takes(base, undefined)}.`] : [];
  return [...others, ...own, ...failed];
}

export const untilText = ({until}: Comparison) => (until === null ? 'at rest' : `until ${significant(until, 4)} s`);

// Why the numbers cannot be trusted to the last, or are not all there.
export function warnings({interrupted, reference}: Comparison): string[] {
  const {error, wanted, sufficient} = reference;
  const found = interrupted ? ['The comparison was stopped before its end, while the reference was refined.'] : [];
  if (sufficient) return found;
  const unknown =
      'The reference could not be checked: its own error is not known. What is shown as an error may be that of the reference.';
  if (error === null) return [...found, unknown];
  const enough = wanted === null ? '' : `, and ${powers(wanted)} was wanted, a tenth of the smallest difference shown`;
  return [...found, `The reference is not fine enough: its own error is ${powers(error)} of the length${enough}. ` +
                        'Differences that are not well above it mean nothing.'];
}

export const settingWords = (comparison: Comparison) => [
  `dt ${significant(comparison.dt, 4)} s`, count(comparison.segments, 'segment'), untilText(comparison),
  comparison.threads === null ? '' : comparison.threads === 0 ? 'all cores' : count(comparison.threads, 'thread'),
].filter(Boolean).join(', ');
