// The papers: a table of the figures and tables of each.
import {element, make, tableRoles} from '../../common/dom';
import {stateBadge} from '../../common/page';
import {itemStates, type Item, type ItemState, type Paper, type Report} from './data';

function experimentLinks(names: string[], known: Set<string>): HTMLElement {
  const links =
      names.map((name) => (known.has(name) ? make('a', {href: `#${name}`}, name) : make('span', {className: 'muted'}, name)));
  return make('td', {className: 'links'}, ...(links.length > 0 ? links : [make('span', {className: 'muted'}, '–')]));
}

function itemRow(item: Item, known: Set<string>): HTMLElement {
  const shows = make('td', {}, item.shows);
  if (item.why) shows.append(make('div', {className: 'why'}, item.why));
  const row = make('tr', {}, make('th', {scope: 'row'}, item.label), shows, make('td', {}, stateBadge(item.state)),
                   experimentLinks(item.experiments, known));
  row.dataset.state = item.state;
  row.dataset.words = [item.label, item.shows, item.why, ...item.experiments].join(' ').toLowerCase();
  return row;
}

export const paperLine =
    ({authors, year, where}: Paper) => [authors, where, year === null ? '' : String(year)].filter(Boolean).join(', ');

// "4 passed, 1 failed, 7 not there yet, 3 without a measurement"
export function scoreText({items}: Paper): string {
  const counts = itemStates.map((state) => ({state, number: items.filter((item) => item.state === state).length}));
  const words = (state: ItemState) => (state === 'no measurement' ? 'without a measurement' : state);
  return counts.filter(({number}) => number > 0).map(({state, number}) => `${number} ${words(state)}`).join(', ');
}

function paperSection(paper: Paper, known: Set<string>): HTMLElement {
  const head = make('tr', {}, ...['Item', 'Shows', 'State', 'Experiments'].map((text) => make('th', {scope: 'col'}, text)));
  const rows = paper.items.map((item) => itemRow(item, known));
  const table = make('table', {className: 'data items'}, make('thead', {}, head), make('tbody', {}, ...rows));
  tableRoles(table);
  table.setAttribute('aria-label', `Figures and tables: ${paper.short}`);
  const words = make('header', {}, make('p', {className: 'brand'}, paper.short), make('h2', {}, paper.title),
                     make('p', {className: 'muted'}, paperLine(paper)), make('p', {className: 'score'}, scoreText(paper)));
  const section = make('section', {className: 'paper sheet', id: `paper-${paper.id}`}, words, table);
  section.dataset.paper = paper.id;
  return section;
}

export function showPapers({papers, experiments}: Report): void {
  const known = new Set(experiments.map(({name}) => name));
  element('papers').append(...papers.map((paper) => paperSection(paper, known)));
}
