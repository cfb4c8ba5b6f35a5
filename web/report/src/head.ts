// The head of the report: how many passed, how long it took, on what.
import {element, make} from '../../common/dom';
import {count, duration} from '../../common/numbers';
import {dateText, fact, machineFacts, stateBadge} from '../../common/page';
import type {Report} from './data';
import {scoreText} from './papers';

const states = ['passed', 'failed', 'not run'] as const;

export const totalSeconds = ({experiments}: Report) => experiments.reduce((sum, {seconds}) => sum + (seconds ?? 0), 0);

function proportions(numbers: Record<string, number>): HTMLElement {
  const strip = make('div', {className: 'strip'});
  strip.setAttribute('aria-hidden', 'true');
  for (const state of states) {
    const part = make('i', {className: state.replace(' ', '-')});
    part.style.flexGrow = String(numbers[state]);
    if (numbers[state]! > 0) strip.append(part);
  }
  return strip;
}

export function showHead(report: Report): void {
  const {experiments, papers} = report;
  const numbers = Object.fromEntries(states.map((state) => [state, experiments.filter((one) => one.state === state).length]));
  const run = experiments.length - numbers['not run']!;
  const total = totalSeconds(report);
  const big =
      make('p', {className: 'big'}, make('b', {}, `${numbers['passed']} of ${experiments.length}`), ' experiments passed');
  const counts = make('p', {className: 'counts'}, ...states.map((state) => {
    const badge = stateBadge(state);
    badge.append(` ${numbers[state]}`);
    return badge;
  }));
  const items = papers.flatMap((paper) => paper.items);
  const measurable = items.filter(({state}) => state !== 'no measurement');
  const good = items.filter(({state}) => state === 'passed').length;
  const part = items.filter(({state}) => state === 'passed in part').length;
  const words = [
    run > 0 ? `${count(run, 'experiment')} ran for ${duration(total)} in all.` : 'None was run.',
    measurable.length > 0 ?
        `${good} of ${count(measurable.length, 'figure or table', 'figures and tables')} that can be measured passed${part > 0 ? `, ${part} in part` : ''}.` :
        '',
    numbers['not run']! > 0 && !report.slow ? 'Slow ones were not asked for.' : '',
  ];
  const failed = experiments.filter(({state}) => state === 'failed')
                     .flatMap(({name}, k) => [k > 0 ? ', ' : '', make('a', {href: `#${name}`}, name)]);
  element('summary').append(
      big, proportions(numbers), counts, ...(failed.length > 0 ? [make('p', {}, 'Failed: ', ...failed)] : []),
      make('p', {className: 'muted'}, words.filter(Boolean).join(' ')));
  const links =
      papers.map((paper) => make('span', {}, make('a', {href: `#paper-${paper.id}`}, paper.short), `: ${scoreText(paper)}`));
  element('jump').append(...links, ...(experiments.length > 0 ? [make('a', {href: '#experiments'}, 'Experiments')] : []));
  const end = report.finished === null ? 'not finished' : `finished ${dateText(report.finished)}`;
  const libraries = report.libraries.map(({name, version}) => `${name} ${version}`.trim()).join(', ');
  element('facts').append(
      ...machineFacts(report.machine, report.program),
      ...fact('Date', dateText(report.started), make('div', {className: 'muted'}, end)), ...fact('Libraries', libraries));
  document.title = `${numbers['passed']} of ${experiments.length} passed · Writhe`;
}
