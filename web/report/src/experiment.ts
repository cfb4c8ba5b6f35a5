// One experiment: what it shows, its pictures and plots, its numbers, and how to run it.
import {make} from '../../common/dom';
import {duration} from '../../common/numbers';
import {stateBadge} from '../../common/page';
import {Plot} from '../../common/plot';
import type {Experiment, Paper, Picture} from './data';
import {causes} from './expectation';
import {numbersTable, sourcesOf} from './table';

// As an image a picture keeps its names and styles to itself, and runs no script.
function pictureFigure({title, svg}: Picture): HTMLElement {
  const image = make('img', {alt: title, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`});
  const figure = make('figure', {className: 'picture'}, image, make('figcaption', {}, title));
  image.addEventListener('error', () => image.replaceWith(make('p', {className: 'muted'}, 'This picture cannot be shown.')));
  return figure;
}

function belongsTo(experiment: Experiment, papers: Paper[]): HTMLElement[] {
  const links = papers.flatMap((paper) => {
    const labels = paper.items.filter((item) => experiment.items.includes(item.id) || item.experiments.includes(experiment.name))
                       .map(({label}) => label);
    return labels.length > 0 ? [make('a', {href: `#paper-${paper.id}`}, `${paper.short}: ${labels.join(', ')}`)] : [];
  });
  return links;
}

function command(name: string): HTMLElement {
  const text = `writhe experiment run ${name} --json`;
  const copy = make('button', {type: 'button', className: 'copy'}, 'Copy');
  copy.setAttribute('aria-label', `Copy: ${text}`);
  copy.addEventListener('click', () => {
    const told = (word: string) => {
      copy.textContent = word;
      setTimeout(() => (copy.textContent = 'Copy'), 1500);
    };
    void navigator.clipboard?.writeText(text).then(() => told('Copied'), () => told('Select it'));
  });
  return make('div', {className: 'command'}, make('code', {}, text), copy);
}

function explained(title: string, texts: string[], ordered: boolean): HTMLElement[] {
  if (texts.length === 0) return [];
  const items = texts.map((text) => make('li', {}, text));
  return [make(
      'section', {className: 'words'}, make('h4', {}, title), ordered ? make('ol', {}, ...items) : make('ul', {}, ...items))];
}

function header(experiment: Experiment, papers: Paper[]): HTMLElement {
  const time = experiment.seconds === null ? [] : [make('span', {}, duration(experiment.seconds))];
  const slow = experiment.slow ? [make('span', {}, 'slow')] : [];
  const anchor = make('a', {href: `#${experiment.name}`, className: 'anchor'}, make('code', {}, experiment.name));
  return make(
      'header', {}, make('h3', {}, experiment.title),
      make('p', {className: 'meta'}, stateBadge(experiment.state), anchor, ...time, ...slow, ...belongsTo(experiment, papers)),
      make('p', {className: 'source muted'}, experiment.source));
}

export function experimentCard(experiment: Experiment, papers: Paper[]): HTMLElement {
  const {name, notes, pictures, plots} = experiment;
  const card = make('article', {className: 'experiment sheet', id: name}, header(experiment, papers));
  const wrong = causes(experiment);
  if (wrong.length > 0) {
    const shown = wrong.slice(0, 6);
    const more = wrong.length > shown.length ? [`and ${wrong.length - shown.length} more in the table`] : [];
    card.append(make(
        'div', {className: 'said bad'}, make('b', {}, 'Failed: '),
        make('ul', {}, ...[...shown, ...more].map((text) => make('li', {}, text)))));
  }
  if (pictures.length + plots.length > 0)
    card.append(
        make('div', {className: 'media'}, ...pictures.map(pictureFigure), ...plots.map((plot) => new Plot(plot).element)));
  card.append(
      ...numbersTable(experiment), ...explained('Sources of what is expected', sourcesOf(experiment), true),
      ...explained('Notes', notes, false), command(name));
  card.dataset.state = experiment.state;
  card.dataset.words = [
    name, experiment.title, experiment.source, ...notes, ...experiment.measured.keys(), ...experiment.expected.keys()
  ].join(' ').toLowerCase();
  return card;
}
