// Measured, expected and met: the table of an experiment. A long one folds; those that are not met always show.
import {make, makeSvg, tableRoles} from '../../common/dom';
import {count} from '../../common/numbers';
import {stateBadge} from '../../common/page';
import type {Experiment} from './data';
import {expectedText, folded, gaugeOf, measuredText, rowsOf, type Row} from './expectation';

const [wide, high] = [112, 16]; // of a gauge, CSS pixels

function gauge({expectation, measured, state}: Row): Node {
  if (!expectation || measured === null || measured === undefined) return document.createTextNode('');
  const found = gaugeOf(expectation, measured);
  if (!found) return document.createTextNode('');
  const x = (part: number) => (part * wide).toFixed(1);
  const drawing = makeSvg(
      'svg', {viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, class: 'gauge', role: 'img', 'aria-label': found.words},
      makeSvg('title', {}, found.words), makeSvg('path', {class: 'axis', d: `M0 8H${wide}`}),
      makeSvg(
          'rect', {class: 'band', x: x(found.low), y: 3, width: x(Math.max(found.high - found.low, 0.01)), height: 10, rx: 2}));
  for (const edge of [found.low, found.high])
    if (edge > 0 && edge < 1) drawing.append(makeSvg('path', {class: 'edge', d: `M${x(edge)} 2V14`}));
  if (found.middle !== null) drawing.append(makeSvg('path', {class: 'middle', d: `M${x(found.middle)} 4V12`}));
  const at = Number(x(found.mark));
  const side = 4 * found.beyond;
  const shape = found.beyond !== 0 ? `M${at - side} 3.5L${at + side} 8L${at - side} 12.5z`
              : state === 'met' ? `M${at - 4} 8a4 4 0 1 0 8 0a4 4 0 1 0 -8 0` : `M${at - 4} 4l8 8M${at + 4} 4l-8 8`;
  drawing.append(makeSvg(
      'path',
      {class: `mark ${state === 'met' ? 'good' : 'bad'}${found.beyond === 0 && state !== 'met' ? ' open' : ''}`, d: shape}));
  return drawing;
}

function cell(label: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const made = make('td', {className}, ...children);
  made.dataset.label = label;
  return made;
}

function tableRow(row: Row, sources: string[]): HTMLElement {
  const {key, measured, expectation, state} = row;
  const number = expectation?.source ? sources.indexOf(expectation.source) + 1 : 0;
  const name = make('th', {scope: 'row'}, make('code', {}, key));
  const value = cell('measured', 'number', measuredText(measured, expectation));
  if (typeof measured === 'number') value.title = String(measured);
  return make(
      'tr', {}, name, value, cell('expected', 'number', expectation ? expectedText(expectation) : '–'),
      cell('', 'gauge-cell', gauge(row)),
      cell('state', '', state === 'not judged' ? make('span', {className: 'muted'}, 'not judged') : stateBadge(state)),
      cell('source', 'number', number > 0 ? `[${number}]` : ''));
}

export const sourcesOf =
    ({expected}: Experiment) => [...new Set([...expected.values()].map(({source}) => source).filter(Boolean))];

export function numbersTable(experiment: Experiment): HTMLElement[] {
  const rows = rowsOf(experiment);
  if (rows.length === 0) return [];
  const sources = sourcesOf(experiment);
  const {shown, rest} = folded(rows);
  const labels: [string, string][] =
      [['Quantity', ''], ['Measured', 'number'], ['Expected', 'number'], ['', ''], ['State', ''], ['Source', 'number']];
  const unseen = make('span', {className: 'hidden-text'}, 'Place in the band');
  const head = make('tr', {}, ...labels.map(([text, className]) => make('th', {className, scope: 'col'}, text || unseen)));
  const body = make('tbody', {}, ...shown.map((row) => tableRow(row, sources)));
  const table = make('table', {className: 'data numbers-table'}, make('thead', {}, head), body);
  tableRoles(table);
  table.setAttribute('aria-label', `Measured and expected: ${experiment.name}`);
  if (rest.length === 0) return [table];
  const more = make('button', {type: 'button', className: 'more'}, `Show ${count(rest.length, 'more row')}`);
  more.addEventListener('click', () => {
    body.append(...rest.map((row) => tableRow(row, sources)));
    tableRoles(table);
    more.remove();
  });
  return [table, more];
}
