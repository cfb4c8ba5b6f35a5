// The plots: error against cost, error under refinement.
import {significant} from '../../common/numbers';
import type {PlotData, Series} from '../../common/plot_data';
import type {Comparison, Method, Run} from './data';

const errorLabel = "error over the rod's length";

// A series of a method with the scene as one of its members, from coarse to fine.
export function refined({runs}: Method, kind: 'time' | 'mesh'): Run[] {
  const chosen = runs.filter(({series, state}) => (series === kind || series === 'scene') && state === 'done');
  return chosen.sort((a, b) => (kind === 'time' ? b.dt - a.dt : a.segments - b.segments));
}

const has = (method: Method, kind: 'time' | 'mesh') => method.runs.some(({series, state}) => series === kind && state === 'done');

function series(method: Method, index: number, kind: 'time' | 'mesh', name: string, x: (run: Run) => number | null): Series {
  const runs = refined(method, kind);
  return {
    name, points: runs.map((run) => [x(run), run.error]), line: true, marks: true, dashed: kind === 'mesh', color: index,
    strong: runs.flatMap((run, k) => (run.series === 'scene' ? [k] : [])),
  };
}

// Runs that failed are missing in the plots: they are named.
function missing(methods: Method[], wanted: Run['series'][]): string {
  return methods
      .flatMap(
          ({name, runs}) => runs.filter((run) => run.state === 'failed' && wanted.includes(run.series))
                                .map(
                                    ({dt, segments, cause}) => `${name} with dt ${significant(dt, 3)} s and ${
                                        segments} segments failed${cause ? `: ${cause.replace(/\.$/, '')}` : ''}.`))
      .join(' ');
}

const levels = ({reference}: Comparison) =>
    reference.error !== null && reference.error > 0 ? [{y: reference.error, label: "the reference's own error"}] : [];

export function costPlot(comparison: Comparison): PlotData {
  const {methods} = comparison;
  const all = methods.flatMap((method, index) => {
    const kinds = (['time', 'mesh'] as const).filter((kind) => has(method, kind));
    const word = {time: 'other steps', mesh: 'other meshes'};
    if (kinds.length === 0) return [series(method, index, 'time', method.name, ({seconds}) => seconds)];
    return kinds.map((kind) => series(method, index, kind, `${method.name}, ${word[kind]}`, ({seconds}) => seconds));
  });
  const note =
      `The large marks are the scene as it is. Lower and further left is better. ${missing(methods, ['scene', 'time', 'mesh'])}`;
  return {
    title: 'Error against cost', x: {label: 'time to compute (s)', log: true}, y: {label: errorLabel, log: true},
    series: all.filter(({points}) => points.length > 0), note: note.trim(), equal: false, levels: levels(comparison),
  };
}

export function refinementPlot(comparison: Comparison, kind: 'time' | 'mesh'): PlotData | null {
  const chosen = comparison.methods.map((method, index) => ({method, index})).filter(({method}) => has(method, kind));
  if (chosen.length === 0) return null;
  const all = chosen.map(({method, index}) => {
    const order = kind === 'time' ? method.orderTime : method.orderMesh;
    const words = order === null ? 'no order' : `order ${significant(order, 2, true)}`;
    return {
      ...series(method, index, kind, `${method.name}: ${words}`, ({dt, segments}) => (kind === 'time' ? dt : segments)),
      dashed: kind === 'mesh'
    };
  });
  const label = kind === 'time' ? 'time step dt (s)' : 'segments';
  return {
    title: kind === 'time' ? 'Error over the time step' : 'Error over the mesh',
    x: {label, log: true},
    y: {label: errorLabel, log: true},
    series: all,
    note: missing(chosen.map(({method}) => method), [kind]),
    equal: false,
    levels: levels(comparison),
  };
}
