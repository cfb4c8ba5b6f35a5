// A comparison of methods as the program writes it, format 1. Errors are distances over the rod's length unless they end in
// "Metres". No browser in here: the unit tests run it on Node.
import {readMachine, readProgram, type Machine, type Maybe, type Program, type Reader} from '../../common/data';

export interface Run {
  series: 'scene' | 'time' | 'mesh'; // the scene as it is; other steps on its mesh; other meshes with its step
  dt: number; // s
  segments: number;
  state: 'done' | 'failed';
  cause: string;
  error: Maybe;
  seconds: Maybe;
}

export interface Method {
  name: string; // as the user wrote it: "pd:iterations=3"
  method: string;
  settings: string[];
  state: 'done' | 'failed';
  cause: string;
  error: Maybe; // the largest over all nodes and times
  errorMetres: Maybe;
  errorEnd: Maybe;
  errorRms: Maybe;
  seconds: Maybe;
  steps: Maybe;
  stepMicroseconds: Maybe;
  speed: Maybe; // simulated seconds a second
  unconverged: Maybe; // steps
  orderTime: Maybe;
  orderMesh: Maybe;
  runs: Run[];
}

export interface Level {
  dt: Maybe;
  segments: Maybe;
  seconds: Maybe;
  changeTime: Maybe;
  changeMesh: Maybe;
}

export interface Reference {
  method: string;
  integrator: string;
  dt: Maybe; // s
  segments: Maybe;
  error: Maybe; // its own, estimated
  errorTime: Maybe;
  errorMesh: Maybe;
  wanted: Maybe; // a tenth of the smallest difference shown
  sufficient: boolean;
  seconds: Maybe;
  runs: Maybe;
  note: string;
  levels: Level[];
}

export const views = ['xz', 'xy', 'yz', 'iso'] as const;
export type View = (typeof views)[number];

export type Node3 = Maybe[]; // x, y, z in m
export type Motion = Node3[][][]; // [time][rod][node]

export interface Shapes {
  view: View;
  times: number[]; // s
  rods: {name: string; closed: boolean}[];
  reference: Motion;
  methods: Map<string, Motion>;
}

export interface Comparison {
  program: Program;
  machine: Machine;
  scene: {path: string; title: string; overrides: string[]};
  until: Maybe; // s; null: at rest
  dt: number; // s
  segments: number;
  length: Maybe; // m, of the longest rod
  threads: Maybe; // 0: one a core
  interrupted: boolean; // while the reference was refined
  reference: Reference;
  methods: Method[];
  shapes: Shapes | null;
}

function readRun(reader: Reader): Run {
  return {
    series: reader.at('series').oneOf('scene', 'time', 'mesh'),
    dt: reader.at('dt').number(),
    segments: reader.at('segments').number(),
    state: reader.at('state').oneOf('done', 'failed'),
    cause: reader.at('cause').text(''),
    error: reader.at('error').maybe(),
    seconds: reader.at('seconds').maybe(),
  };
}

function readMethod(reader: Reader): Method {
  const number = (key: string) => reader.at(key).maybe();
  return {
    name: reader.at('name').text(),
    method: reader.at('method').text(''),
    settings: reader.at('settings').list((one) => one.text(), []),
    state: reader.at('state').oneOf('done', 'failed'),
    cause: reader.at('cause').text(''),
    error: number('error'),
    errorMetres: number('error_m'),
    errorEnd: number('error_end'),
    errorRms: number('error_rms'),
    seconds: number('seconds'),
    steps: number('steps'),
    stepMicroseconds: number('step_us'),
    speed: number('speed'),
    unconverged: number('unconverged'),
    orderTime: number('order_time'),
    orderMesh: number('order_mesh'),
    runs: reader.at('runs').list(readRun, []),
  };
}

function readReference(reader: Reader): Reference {
  const number = (key: string) => reader.at(key).maybe();
  return {
    method: reader.at('method').text(),
    integrator: reader.at('integrator').text(''),
    dt: number('dt'),
    segments: number('segments'),
    error: number('error'),
    errorTime: number('error_time'),
    errorMesh: number('error_mesh'),
    wanted: number('wanted'),
    sufficient: reader.at('sufficient').yes(),
    seconds: number('seconds'),
    runs: number('runs'),
    note: reader.at('note').text(''),
    levels: reader.at('levels').list(
        (level) => ({
          dt: level.at('dt').maybe(),
          segments: level.at('segments').maybe(),
          seconds: level.at('seconds').maybe(),
          changeTime: level.at('change_time').maybe(),
          changeMesh: level.at('change_mesh').maybe(),
        }),
        []),
  };
}

function readNode(reader: Reader): Node3 {
  const node = reader.list((value) => value.maybe());
  if (node.length !== 3) throw reader.wrong('is not a position');
  return node;
}

const readMotion = (reader: Reader): Motion => reader.list((time) => time.list((rod) => rod.list(readNode)));

function readShapes(reader: Reader): Shapes {
  const shapes = {
    view: reader.at('view').oneOf(...views), times: reader.at('times').list((time) => time.number()),
    rods: reader.at('rods').list((rod) => ({name: rod.at('name').text(''), closed: rod.at('closed').yes()})),
    reference: readMotion(reader.at('reference')), methods: reader.at('methods').map(readMotion),
  };
  if (shapes.times.length === 0) shapes.times = [Infinity]; // at rest
  if (shapes.reference.length !== shapes.times.length)
    throw reader.at('reference').wrong(`has ${shapes.reference.length} times instead of ${shapes.times.length}`);
  return shapes;
}

export function readComparison(reader: Reader): Comparison {
  const scene = reader.at('scene');
  return {
    program: readProgram(reader.at('program')),
    machine: readMachine(reader.at('machine')),
    scene: {
      path: scene.at('path').text(''),
      title: scene.at('title').text(''),
      overrides: scene.at('overrides').list((one) => one.text(), [])
    },
    until: reader.at('until').maybe(),
    dt: reader.at('dt').number(),
    segments: reader.at('segments').number(),
    length: reader.at('length').maybe(),
    threads: reader.at('threads').maybe(), interrupted: reader.at('interrupted').yes(),
    reference: readReference(reader.at('reference')),
    methods: reader.at('methods').list(readMethod),
    shapes: reader.at('shapes').there ? readShapes(reader.at('shapes')) : null,
  };
}
