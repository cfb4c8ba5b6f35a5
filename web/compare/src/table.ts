// The methods in numbers.
import type {Maybe} from '../../common/data';
import {make, makeSvg} from '../../common/dom';
import {duration, powers, significant} from '../../common/numbers';
import {stateBadge} from '../../common/page';
import {colorVariable, markOutline} from '../../common/plot_draw';
import type {Comparison, Method} from './data';

export function swatch(index: number): SVGElement {
  return makeSvg('svg', {viewBox: '-2 -2 4 4', class: 'swatch', 'aria-hidden': 'true'},
                 makeSvg('path', {d: markOutline(index), fill: colorVariable(index)}));
}

const number = (value: Maybe, digits: number, zeros = false) => (value === null ? '–' : significant(value, digits, zeros));
const error = (value: Maybe) => (value === null ? '–' : powers(value));

const columns: {label: string; title: string; text: (method: Method) => string}[] = [
  {
    label: 'error',
    title: "Largest distance from the reference over all nodes and times, over the rod's length",
    text: (method) => error(method.error)
  },
  {
    label: 'error (mm)',
    title: 'The same as a length',
    text: ({errorMetres}) => number(errorMetres === null ? null : 1e3 * errorMetres, 2)
  },
  {label: 'at the end', title: "Largest distance at the last time, over the rod's length", text: ({errorEnd}) => error(errorEnd)},
  {
    label: 'time',
    title: 'Seconds of a clock for the scene as it is',
    text: ({seconds}) => (seconds === null ? '–' : duration(seconds))
  },
  {label: 'µs a step', title: 'Microseconds for one time step', text: ({stepMicroseconds}) => number(stepMicroseconds, 3)},
  {label: '× real time', title: 'Simulated seconds a second', text: ({speed}) => number(speed, 3)},
  {
    label: 'order in time',
    title: 'Order at which its own changes fall when the time step is halved',
    text: ({orderTime}) => number(orderTime, 2, true)
  },
  {
    label: 'in space',
    title: 'Order at which its own changes fall when segments are halved',
    text: ({orderMesh}) => number(orderMesh, 2, true)
  },
];

function methodRow(method: Method, index: number): HTMLElement {
  const name = make('th', {scope: 'row'}, make('span', {className: 'method'}, swatch(index), make('span', {}, method.name)));
  if (method.state === 'failed') {
    const cause = make('td', {colSpan: columns.length}, stateBadge('failed'), ' ', method.cause || 'without a cause');
    return make('tr', {className: 'failed'}, name, cause);
  }
  if (method.unconverged !== null && method.unconverged > 0)
    name.append(make('div', {className: 'why'}, `${method.unconverged} of ${method.steps ?? '?'} steps did not converge`));
  return make('tr', {}, name, ...columns.map(({text}) => make('td', {className: 'number'}, text(method))));
}

export function methodsTable({methods}: Comparison): HTMLElement {
  const head = make('tr', {}, make('th', {scope: 'col'}, 'method'),
                    ...columns.map(({label, title}) => make('th', {scope: 'col', className: 'number', title}, label)));
  const table = make('table', {className: 'data methods'}, make('thead', {}, head), make('tbody', {}, ...methods.map(methodRow)));
  const scroll = make('div', {className: 'wide', tabIndex: 0}, table);
  scroll.setAttribute('role', 'region');
  scroll.setAttribute('aria-label', 'Methods');
  return scroll;
}
