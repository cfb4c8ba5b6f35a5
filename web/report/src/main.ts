import {element, make} from '../../common/dom';
import {start, stateSign} from '../../common/page';
import {grouped, readReport, type Group, type Report} from './data';
import {experimentCard} from './experiment';
import {Filter} from './filter';
import {showHead} from './head';
import {paperLine, showPapers} from './papers';
import './report.css'; // after page.css, which it refines

function groupSection({paper, experiments}: Group, report: Report): HTMLElement {
  const title = paper ? make('h2', {}, `Experiments: ${paper.short}`) : make('h2', {id: 'exact'}, 'Exact answers');
  const words = paper ? `${paper.title}. ${paperLine(paper)}` :
                        'Results that are known exactly, or follow from a theory, and belong to no figure of these papers.';
  const section = make('section', {className: 'group'}, title, make('p', {className: 'muted'}, words),
                       ...experiments.map((experiment) => experimentCard(experiment, report.papers)));
  section.dataset.paper = paper?.id ?? 'exact';
  return section;
}

function contents(groups: Group[]): void {
  for (const {paper, experiments} of groups) {
    const links = experiments.map(({name, state}) => {
      const link =
          make('a', {href: `#${name}`}, make('span', {className: `state ${state.replace(' ', '-')}`}, stateSign(state)), name);
      link.append(make('span', {className: 'hidden-text'}, ` ${state}`));
      return make('li', {}, link);
    });
    element('contents').append(make('p', {}, paper?.short ?? 'Exact answers'), make('ul', {}, ...links));
  }
}

start({what: 'report', command: 'writhe report'}, readReport, (report) => {
  const groups = grouped(report);
  showHead(report);
  showPapers(report);
  contents(groups);
  element('experiments')
      .append(
          ...groups.map((group) => groupSection(group, report)),
          make(
              'p', {id: 'none', className: 'sheet', hidden: true},
              report.experiments.length > 0 ? 'No experiment is like that.' : 'This report has no experiments.'));
  new Filter(report);
});
