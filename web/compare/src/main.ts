import {element, make} from '../../common/dom';
import {significant} from '../../common/numbers';
import {fact, machineFacts, start} from '../../common/page';
import {Plot} from '../../common/plot';
import {costPlot, refinementPlot} from './costs';
import {readComparison, type Comparison} from './data';
import {referenceSection} from './reference';
import {sentences, settingWords, warnings} from './sentence';
import {ShapeView} from './shapes';
import {methodsTable} from './table';
import './compare.css'; // after page.css, which it refines

declare global {
  interface Window {
    writheShapes?: ShapeView;
  }
}

function head(comparison: Comparison): void {
  const {scene, methods, length} = comparison;
  const title = scene.title || scene.path || 'Methods compared';
  element('title').textContent = title;
  document.title = `${title} · Writhe`;
  element('compared').textContent = `${methods.map(({name}) => name).join(', ')} compared with a refined reference`;
  const [first, ...others] = sentences(comparison);
  element('result').append(make('p', {className: 'first'}, first!), ...others.map((text) => make('p', {}, text)));
  for (const caution of warnings(comparison))
    element('warning').append(make('div', {className: 'said warn', role: 'note'}, make('b', {}, 'Caution. '), caution));
  const small = (text: string) => make('div', {className: 'muted'}, text);
  element('facts').append(
      ...fact('Scene', scene.path || title, small(scene.overrides.join(', '))),
      ...fact('As it is', settingWords(comparison), small(length === null ? '' : `longest rod ${significant(length, 4)} m`)),
      ...machineFacts(comparison.machine, comparison.program));
}

function show(comparison: Comparison): void {
  head(comparison);
  element('methods').append(methodsTable(comparison));
  element('cost').append(new Plot(costPlot(comparison)).element);
  const refinements = (['time', 'mesh'] as const).map((kind) => refinementPlot(comparison, kind)).filter((plot) => plot !== null);
  element('refinement').append(...refinements.map((plot) => new Plot(plot).element));
  element('refinement-section').hidden = refinements.length === 0;
  element('reference').append(...referenceSection(comparison));
  element('shapes-section').hidden = !comparison.shapes || comparison.shapes.times.length === 0;
  if (comparison.shapes && comparison.shapes.times.length > 0) window.writheShapes = new ShapeView(comparison.shapes, comparison);
}

start({what: 'comparison', command: 'writhe compare SCENE'}, readComparison, show);
