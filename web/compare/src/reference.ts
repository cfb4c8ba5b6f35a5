// How the reference was refined, and how good it is.
import type {Maybe} from '../../common/data';
import {make} from '../../common/dom';
import {count, duration, powers, significant} from '../../common/numbers';
import {fact} from '../../common/page';
import type {Comparison, Level} from './data';

const text = (value: Maybe, digits: number) => (value === null ? '–' : significant(value, digits));
const error = (value: Maybe) => (value === null ? '–' : powers(value));

function levelRow(level: Level): HTMLElement {
  const cells = [
    text(level.dt, 4), text(level.segments, 6), level.seconds === null ? '–' : duration(level.seconds), error(level.changeTime),
    error(level.changeMesh)
  ];
  return make('tr', {}, ...cells.map((cell) => make('td', {className: 'number'}, cell)));
}

export function referenceSection({reference}: Comparison): HTMLElement[] {
  const small = (words: string) => make('div', {className: 'muted'}, words);
  const parts = [
    reference.errorTime === null ? '' : `in time ${powers(reference.errorTime)}`,
    reference.errorMesh === null ? '' : `in space ${powers(reference.errorMesh)}`
  ];
  const facts = make(
      'dl', {className: 'facts'},
      ...fact(
          'Computed with', `${reference.method}, ${reference.integrator}`,
          small(
              reference.runs === null ? '' :
                                        `${count(reference.runs, 'run')} in ${
                                            reference.seconds === null ? 'unknown time' : duration(reference.seconds)}`)),
      ...fact(
          'Finest', `dt ${text(reference.dt, 4)} s`,
          small(reference.segments === null ? '' : count(reference.segments, 'segment'))),
      ...fact(
          'Its own error', `${reference.error === null ? 'not known' : `${powers(reference.error)} of the length`}`,
          small(parts.filter(Boolean).join(', '))),
      ...fact('Wanted', `${error(reference.wanted)} of the length`, small(reference.sufficient ? 'reached' : 'not reached')));
  const sections: HTMLElement[] = [facts];
  if (reference.note) sections.push(make('p', {className: 'muted'}, reference.note));
  if (reference.levels.length > 0) {
    const heads = ['dt (s)', 'segments', 'time', 'change by dt', 'change by mesh'];
    const head = make('tr', {}, ...heads.map((label) => make('th', {scope: 'col', className: 'number'}, label)));
    const scroll = make(
        'div', {className: 'wide', tabIndex: 0},
        make('table', {className: 'data levels'}, make('thead', {}, head), make('tbody', {}, ...reference.levels.map(levelRow))));
    scroll.setAttribute('role', 'region');
    scroll.setAttribute('aria-label', 'Refinement of the reference');
    const words = 'Change: how far the last halving of dt, and of the segments, moved a node at most, over the length of its rod.';
    sections.push(scroll, make('p', {className: 'muted'}, words));
  }
  return sections;
}
