// A small report and a small comparison, written by hand after the description of their formats, and the page with one in it.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const program = {version: '9.8.7', details: 'abcdef0123, g++ 1.2.3, Release'};
const machine = {
  processor: 'Difference Engine No. 2', cores: 3, memory_gb: 1.5, system: 'brass', yardstick_ms: 31.4, yardstick_matrix_ms: 15.9,
};

const series = (name, points, more = {}) => ({name, points, line: true, marks: false, dashed: false, ...more});
const square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" fill="#ff0000"/></svg>';

const folding = {
  title: 'A path that turns back', x: {label: 'shortening d (m)', log: false}, y: {label: 'load P (N)', log: false},
  series: [series('path', [[0, 0], [1, 1], [0.5, 2], [0.5, 4], [2, 4]])], note: 'It snaps through.',
};
const orders = {
  title: 'Error over the mesh',
  x: {label: 'segments', log: true},
  y: {label: 'error', log: true},
  series: [
    series('measured', [[10, 1e-2], [100, 1e-4], [1000, 0]], {marks: true}),
    series('second order', [[10, 3e-2], [1000, 3e-6]], {dashed: true})
  ],
};
const ring = {
  title: 'A shape',
  equal: true,
  x: {label: 'x (m)', log: false},
  y: {label: 'z (m)', log: false},
  series:
      [series('ring', Array.from({length: 25}, (_, k) => [3 * Math.cos((k * Math.PI) / 12), 3 * Math.sin((k * Math.PI) / 12)]))],
};

const experiment = (name, more) => ({
  name,
  title: `About ${name}`,
  source: `source of ${name}`,
  slow: false,
  items: [],
  state: 'passed',
  seconds: 1.5,
  measured: {},
  expected: {},
  notes: [],
  plots: [],
  pictures: [],
  ...more,
});

// 14 numbers, of which the last two are wrong.
const many = Object.fromEntries(Array.from({length: 14}, (_, k) => [`key_${k}`, k < 12 ? 1 : 2]));

export const report = () => structuredClone({
  format: 1,
  program,
  machine,
  libraries: [{name: 'Eigen', version: '3.4.0'}],
  started: '2026-11-16T09:00:00Z',
  finished: '2026-11-16T09:01:40Z',
  slow: false,
  papers: [
    {
      id: 'pd',
      short: 'PD',
      authors: 'Soler and others',
      title: 'Cosserat Rods',
      year: 2018,
      where: 'a journal',
      items: [
        {
          id: 'pd:fig1',
          label: 'Fig. 1',
          kind: 'figure',
          shows: 'a knot',
          experiments: [],
          state: 'not there yet',
          why: 'needs contact'
        },
        {
          id: 'pd:fig2',
          label: 'Fig. 2',
          kind: 'figure',
          shows: 'a twisted rod',
          experiments: ['pd-twist', 'pd-bend'],
          state: 'failed'
        },
        {id: 'pd:tab1', label: 'Table 1', kind: 'table', shows: 'energies', experiments: ['pd-twist'], state: 'passed'},
      ]
    },
    {
      id: 'der',
      short: 'DER',
      authors: 'Bergou and others',
      title: 'Discrete Elastic Rods',
      year: 2008,
      where: 'another journal',
      items: [
        {
          id: 'der:fig7',
          label: 'Fig. 7',
          kind: 'figure',
          shows: 'a helix',
          experiments: ['helix'],
          state: 'not run',
          why: 'slow'
        },
      ]
    },
  ],
  experiments: [
    experiment('euler', {measured: {load: 9.8696}, expected: {load: {value: 9.8696044, rel: 0.01, source: 'Euler 1744'}}}),
    experiment(
        'helix',
        {items: ['der:fig7'], state: 'not run', slow: true, seconds: null, expected: {size: {min: 0.5, source: 'theory'}}}),
    experiment('pd-bend', {
      items: ['pd:fig2'],
      state: 'failed',
      seconds: 75,
      measured: {...many, lost: null},
      expected: {
        ...Object.fromEntries(Object.keys(many).map((key) => [key, {value: 1, abs: 0.5, source: 'one'}])),
        never: {max: 3, source: 'two'}
      },
      notes: ['ended early: the rod broke'],
    }),
    experiment('pd-twist', {
      items: ['pd:fig2', 'pd:tab1'],
      measured: {energy: -0.29773886361716323, free: 4.25e-7, small: 2e-9},
      expected: {energy: {value: -0.297721968, abs: 0.0005, source: 'an integral'}, small: {max: 1e-6, source: 'nothing pushes'}},
      notes: ['energy: in J'],
      plots: [folding, orders, ring],
      pictures: [{title: 'A red square', svg: square}],
    }),
  ],
});

// ---- comparison ---------------------------------------------------------------------------------------------------------------

const run = (name, dt, segments, error, seconds, more = {}) =>
    ({series: name, dt, segments, state: 'done', error, error_m: 2 * error, seconds, steps: Math.round(1 / dt), ...more});

const method = (name, more) => ({
  name,
  method: name.split(':')[0],
  settings: name.split(':').slice(1),
  state: 'done',
  error_rms: 1e-4,
  steps: 100,
  unconverged: 0,
  runs: [],
  ...more,
});

// Rod along x with 5 nodes, 2 m long; `off` m too low in its middle.
const shape = (sag) => [[0, 0, 0], [0.5, 0, -0.75 * sag], [1, 0, -sag], [1.5, 0, -0.75 * sag], [2, 0, 0]];
const motion = (off) => [0.5, 1].map((sag) => [shape(sag + off * sag)]);

export const comparison = () => structuredClone({
  format: 1,
  program,
  machine,
  scene: {path: 'scenes/rope.yaml', title: 'A rope', overrides: ['time.dt=0.01']},
  until: 1,
  dt: 0.01,
  segments: 20,
  length: 2,
  threads: 2,
  reference: {
    method: 'newton',
    integrator: 'midpoint',
    dt: 0.000625,
    segments: 160,
    error: 2e-5,
    error_time: 1e-5,
    error_mesh: 1.5e-5,
    wanted: 1e-4,
    sufficient: true,
    seconds: 12,
    runs: 5,
    note: 'Halved until it stood still.',
    levels: [
      {dt: 0.00125, segments: 80, seconds: 3, change_time: null, change_mesh: null},
      {dt: 0.000625, segments: 160, seconds: 9, change_time: 3e-5, change_mesh: 4.5e-5}
    ],
  },
  methods: [
    method('newton', {
      error: 1e-3,
      error_m: 2e-3,
      error_end: 5e-4,
      seconds: 2,
      step_us: 20000,
      speed: 0.5,
      order_time: 2,
      order_mesh: 1.98,
      runs: [run('scene', 0.01, 20, 1e-3, 2), run('time', 0.02, 20, 4e-3, 1), run('mesh', 0.01, 40, 4e-4, 4)],
    }),
    method('pd:iterations=3', {
      error: 2.1e-2,
      error_m: 4.2e-2,
      error_end: 1.1e-2,
      seconds: 0.6,
      step_us: 6000,
      speed: 1.67,
      order_time: 0.97,
      order_mesh: null,
      unconverged: 7,
      runs: [
        run('scene', 0.01, 20, 2.1e-2, 0.6), run('time', 0.02, 20, null, null, {state: 'failed', cause: 'it blew up'}),
        run('time', 0.005, 20, 1e-2, 1.2)
      ],
    }),
    method('xpbd', {
      state: 'failed',
      cause: 'no such method',
      error: null,
      error_m: null,
      error_end: null,
      seconds: null,
      steps: 0,
      step_us: null,
      speed: null,
      order_time: null,
      order_mesh: null
    }),
  ],
  shapes: {
    view: 'xz',
    times: [0, 1],
    rods: [{name: 'rope', closed: false, radius: 0.01}],
    reference: motion(0),
    methods: {newton: motion(0.001), 'pd:iterations=3': motion(0.04)},
  },
});

// ---- pages --------------------------------------------------------------------------------------------------------------------

export class Pages {
  constructor(built) {
    this.built = built;
    this.folder = mkdtempSync(join(tmpdir(), 'writhe-pages-'));
    this.number = 0;
  }

  // The page with the data: an object, or text as it is.
  with(data) {
    const path = join(this.folder, `${++this.number}.html`);
    const text = (typeof data === 'string' ? data : JSON.stringify(data)).replaceAll('<', '\\u003c');
    const page = readFileSync(this.built, 'utf8');
    if (page.split('<!--WRITHE-DATA-->').length !== 2) throw new Error('the page has not one place for the data');
    writeFileSync(
        path, page.replace('<!--WRITHE-DATA-->', () => `<script type="application/json" id="writhe-data">${text}</script>`));
    return path;
  }

  remove() {
    rmSync(this.folder, {recursive: true});
  }
}
