// A report as the program writes it, format 1. No browser in here: the unit tests run it on Node.
import {readMachine, readProgram, type Machine, type Maybe, type Program, type Reader} from '../../common/data';
import {readPlot, type PlotData} from '../../common/plot_data';

export const itemStates = ['passed', 'passed in part', 'failed', 'not run', 'not there yet', 'no measurement'] as const;
export type ItemState = (typeof itemStates)[number];
export type State = 'passed' | 'failed' | 'not run';

// A figure or a table of a paper.
export interface Item {
  id: string; // "pd:fig4"
  label: string; // "Fig. 4"
  shows: string;
  experiments: string[]; // names
  state: ItemState;
  why: string;
}

export interface Paper {
  id: string;
  short: string;
  authors: string;
  title: string;
  year: Maybe;
  where: string;
  items: Item[];
}

// A measured number is within `abs` or within `rel` times |value| of `value`, whichever is more, and between `min` and `max`.
export interface Expectation {
  value: Maybe;
  abs: Maybe;
  rel: Maybe;
  min: Maybe;
  max: Maybe;
  source: string;
}

export interface Picture {
  title: string;
  svg: string;
}

export interface Experiment {
  name: string;
  title: string;
  source: string;
  slow: boolean;
  items: string[];
  state: State;
  seconds: Maybe;
  measured: Map<string, Maybe>;
  expected: Map<string, Expectation>;
  notes: string[];
  plots: PlotData[];
  pictures: Picture[];
}

export interface Report {
  program: Program;
  machine: Machine;
  libraries: {name: string; version: string}[];
  started: string;
  finished: string | null;
  slow: boolean;
  papers: Paper[];
  experiments: Experiment[];
}

function readItem(reader: Reader): Item {
  return {
    id: reader.at('id').text(), label: reader.at('label').text(), shows: reader.at('shows').text(''),
    experiments: reader.at('experiments').list((name) => name.text(), []), state: reader.at('state').oneOf(...itemStates),
    why: reader.at('why').text(''),
  };
}

function readPaper(reader: Reader): Paper {
  return {
    id: reader.at('id').text(), short: reader.at('short').text(), authors: reader.at('authors').text(''),
    title: reader.at('title').text(), year: reader.at('year').maybe(), where: reader.at('where').text(''),
    items: reader.at('items').list(readItem),
  };
}

function readExpectation(reader: Reader): Expectation {
  const [value, abs, rel, min, max] = ['value', 'abs', 'rel', 'min', 'max'].map((key) => reader.at(key).maybe()) as
      [Maybe, Maybe, Maybe, Maybe, Maybe];
  return {value, abs, rel, min, max, source: reader.at('source').text('')};
}

function readExperiment(reader: Reader): Experiment {
  return {
    name: reader.at('name').text(), title: reader.at('title').text(), source: reader.at('source').text(''),
    slow: reader.at('slow').yes(), items: reader.at('items').list((id) => id.text(), []),
    state: reader.at('state').oneOf('passed', 'failed', 'not run'), seconds: reader.at('seconds').maybe(),
    measured: reader.at('measured').map((number) => number.maybe()), expected: reader.at('expected').map(readExpectation),
    notes: reader.at('notes').list((note) => note.text(), []), plots: reader.at('plots').list(readPlot, []),
    pictures: reader.at('pictures').list((picture) => ({title: picture.at('title').text(''), svg: picture.at('svg').text()}), []),
  };
}

export function readReport(reader: Reader): Report {
  return {
    program: readProgram(reader.at('program')), machine: readMachine(reader.at('machine')),
    libraries: reader.at('libraries').list((one) => ({name: one.at('name').text(), version: one.at('version').text('')}), []),
    started: reader.at('started').text(''), finished: reader.at('finished').there ? reader.at('finished').text() : null,
    slow: reader.at('slow').yes(), papers: reader.at('papers').list(readPaper),
    experiments: reader.at('experiments').list(readExperiment),
  };
}

export interface Group {
  paper: Paper | null; // null: exact answers, of no paper
  experiments: Experiment[];
}

// Each experiment once, with the first item of a paper that names it, in the order of the papers and their items. What no paper
// names comes last; so does what says that it belongs to an item that is not there.
export function grouped({papers, experiments}: Report): Group[] {
  const left = new Map(experiments.map((experiment) => [experiment.name, experiment]));
  const groups = papers.map(
      (paper): Group => ({
        paper,
        experiments: paper.items.flatMap((item) => {
          const names =
              new Set([...item.experiments, ...experiments.filter(({items}) => items.includes(item.id)).map(({name}) => name)]);
          const found = [...names].flatMap((name) => left.get(name) ?? []);
          found.forEach(({name}) => left.delete(name));
          return found;
        })
      }));
  return [...groups, {paper: null, experiments: [...left.values()]}].filter((group) => group.experiments.length > 0);
}
