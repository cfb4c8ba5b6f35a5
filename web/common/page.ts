// What the pages that are read from top to bottom share: their states, their head, and their beginning.
import './theme.css';
import './page.css';
import {DataError, embedded, parse, type Kind, type Machine, type Maybe, type Program, type Reader} from './data';
import {element, make, makeSvg} from './dom';
import {count, significant} from './numbers';
import {plots, redrawPlots, type Plot} from './plot';
import {Themes} from './theme';

// Each state has a sign and a word; the colour comes on top.
const signs: Record<string, {className: string; path: string}> = {
  passed: {className: 'good', path: 'M5 12.5l4.5 4.5L19 7.5'},
  'passed in part': {className: 'good', path: 'M3 14.5l3.5 3.5L13 11.5M15 9.5l2-2'},
  done: {className: 'good', path: 'M5 12.5l4.5 4.5L19 7.5'},
  met: {className: 'good', path: 'M5 12.5l4.5 4.5L19 7.5'},
  failed: {className: 'bad', path: 'M6 6l12 12M18 6L6 18'},
  'not met': {className: 'bad', path: 'M6 6l12 12M18 6L6 18'},
  'not run': {className: 'open', path: 'M12 4a8 8 0 1 0 .01 0'},
  'not there yet': {className: 'open', path: 'M12 4a8 8 0 1 0 .01 0M12 8v4.5l3 2'},
};
const dash = {className: 'open', path: 'M6 12h12'};

export function stateSign(state: string): SVGElement {
  return makeSvg('svg', {viewBox: '0 0 24 24', 'aria-hidden': 'true'}, makeSvg('path', {d: (signs[state] ?? dash).path}));
}

export function stateBadge(state: string): HTMLElement {
  return make('span', {className: `state ${(signs[state] ?? dash).className}`}, stateSign(state), state);
}

// A term and what it is, for dl.facts; nothing where nothing is known.
export function fact(term: string, ...what: (Node | string)[]): HTMLElement[] {
  return what.every((part) => part === '') ? [] : [make('div', {}, make('dt', {}, term), make('dd', {}, ...what))];
}

const milliseconds = (value: Maybe) => (value === null ? '' : `${significant(value, 3)} ms`);

function yardstickFacts({yardstick, yardstickMatrix, yardstickReference}: Machine): HTMLElement[] {
  if (yardstick === null) return [];
  const words = [
    `2×10⁷ dependent multiply-adds${
        yardstickReference === null ? '' : `, ${milliseconds(yardstickReference)} on the core of reference`}`,
    yardstickMatrix === null ? '' : `200 products of 64×64 matrices: ${milliseconds(yardstickMatrix)}`,
  ];
  return fact('Yardstick', milliseconds(yardstick), make('div', {className: 'muted'}, words.filter(Boolean).join('; ')));
}

export function machineFacts(machine: Machine, program: Program): HTMLElement[] {
  const {cores, memory, system} = machine;
  const size =
      [cores === null ? '' : count(cores, 'core'), memory === null ? '' : `${significant(memory, 3)} GB of memory`, system];
  const small = (text: string) => make('div', {className: 'muted'}, text);
  return [
    ...fact('Machine', machine.processor || 'unknown', small(size.filter(Boolean).join(', '))), ...yardstickFacts(machine),
    ...fact('Program', `Writhe ${program.version}`, small(program.details)),
  ];
}

// 2026-11-16T09:00:00Z -> "16 November 2026, 09:00 UTC"
export function dateText(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const day = date.toLocaleDateString('en-GB', {day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC'});
  return `${day}, ${date.toISOString().slice(11, 16)} UTC`;
}

declare global {
  interface Window {
    writhePage?: {error: string | null; plots: Plot[]};
  }
}

export function notice(title: string, text: string): void {
  element('notice').replaceChildren(make('h1', {}, title), make('p', {}, text));
  element('notice').hidden = false;
  element('page').hidden = true;
}

// Shows the data of the page, or says why it does not.
export function start<T>(kind: Kind, read: (data: Reader) => T, show: (data: T) => void): void {
  const themes = new Themes(element<HTMLButtonElement>('theme'));
  themes.onChange = redrawPlots;
  document.addEventListener('keydown', ({key, ctrlKey, metaKey, altKey, target}) => {
    const typing = target instanceof HTMLInputElement && target.type !== 'range';
    if (key === 't' && !ctrlKey && !metaKey && !altKey && !typing && !(target instanceof HTMLSelectElement)) themes.toggle();
  });
  const refuse = (title: string, error: string) => {
    notice(title, error);
    window.writhePage = {error, plots};
  };
  const text = embedded();
  if (text === null)
    return refuse(
        `No ${kind.what} in here`, `This page shows a ${kind.what} of Writhe, but it holds none. Make one with: ${kind.command}`);
  try {
    show(read(parse(text, kind)));
    window.writhePage = {error: null, plots};
  } catch (error) {
    const words = error instanceof DataError ? error.message : `Something unforeseen went wrong: ${String(error)}`;
    refuse(`This ${kind.what} cannot be shown`, words);
  }
}
