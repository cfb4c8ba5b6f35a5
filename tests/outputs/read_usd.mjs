// Two USD readers take rods.usda of scene.yaml: TinyUSDZ, a USD library in C++ (compiled to WebAssembly), checks grammar and schema
// and writes the stage out again; the parser of three.js reads values from both texts.
//
//   node read_usd.mjs FOLDER_OF_THE_RUN FOLDER_WITH_NODE_MODULES
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import test from 'node:test';
import {pathToFileURL} from 'node:url';

const [folder, modules] = process.argv.slice(2).map((path) => resolve(path));
const require = createRequire(join(modules, 'package.json'));
const known = JSON.parse(readFileSync(new URL('known.json', import.meta.url), 'utf8'));

// ---- the readers -----------------------------------------------------------------------------------------------------------
// The package is made for browsers: it wants a window, fetches its WebAssembly, and its module does not say that it is one.
async function startTinyUsdz() {
  const code = readFileSync(require.resolve('tinyusdz/tinyusdz.js'));
  const wasm = readFileSync(require.resolve('tinyusdz/tinyusdz.wasm'));
  process.type = 'renderer';
  globalThis.window = globalThis;
  globalThis.fetch = async () => new Response(wasm, {headers: {'content-type': 'application/wasm'}});
  const {default: start} = await import('data:text/javascript;base64,' + code.toString('base64'));
  const native = await start({locateFile: (name) => 'https://local/' + name});
  return {
    // Whether the stage is one by grammar and schema.
    accepts(text) {
      const loader = new native.TinyUSDZLoaderNative();
      const accepted = loader.loadFromBinary(Buffer.from(text), 'rods.usda');
      return {accepted, error: loader.error()};
    },
    rewritten(text) {
      const loader = new native.TinyUSDZLoaderNative();
      assert.ok(loader.loadAsLayerFromBinary(Buffer.from(text), 'rods.usda'), loader.error());
      return loader.layerToString();
    },
  };
}

async function startThree() {
  const path = join(modules, 'node_modules/three/examples/jsm/loaders/usd/USDAParser.js');
  const {USDAParser} = await import(pathToFileURL(path));
  return (text) => {
    const specs = new USDAParser().parseData(text).specsByPath;
    return {
      fields: (path) => specs[path]?.fields,
      value: (prim, name) => specs[`${prim}.${name}`]?.fields.default,
      samples: (prim, name) => specs[`${prim}.${name}`]?.fields.timeSamples,
    };
  };
}

// ---- what is compared ---------------------------------------------------------------------------------------------------------
// Rows of probes.csv: {'seventh.x': value, ...}, without units.
function readProbes() {
  const [header, ...rows] = readFileSync(join(folder, 'probes.csv'), 'utf8').trim().split('\n').map((line) => line.split(','));
  const names = header.map((name) => name.split(' [')[0]);
  return rows.map((row) => Object.fromEntries(row.map((cell, i) => [names[i], Number(cell)])));
}

function near(found, expected, tolerance, what) {
  assert.equal(found.length, expected.length, what);
  found.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) <= tolerance, `${what}[${i}]: ${value}, not ${expected[i]}`));
}

const three = (values, k) => values.slice(3 * k, 3 * k + 3);
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const minus = (a, b) => a.map((value, i) => value - b[i]);

const tiny = await startTinyUsdz();
const parse = await startThree();
const text = readFileSync(join(folder, 'rods.usda'), 'utf8');
const rewritten = tiny.rewritten(text);
const probes = readProbes();
const falling = '/Rods/falling', rope = '/Rods/_2nd_rope';
const per_second = 50;

test('TinyUSDZ accepts the stage, and would not accept any', () => {
  const {accepted, error} = tiny.accepts(text);
  assert.ok(accepted, error);
  assert.equal(tiny.accepts(text.slice(0, text.length / 2)).accepted, false);
  assert.equal(tiny.accepts(text.replace('point3f[] points', 'point3z[] points')).accepted, false);
  assert.equal(tiny.accepts(text.replace('int[] curveVertexCounts', 'float[] curveVertexCounts')).accepted, false);
});

test('the stage says its units, its times and the names of the rods', () => {
  for (const line of ['upAxis = "Z"', 'metersPerUnit = 1', 'startTimeCode = 0', 'endTimeCode = 5.5', 'defaultPrim = "Rods"',
                      `timeCodesPerSecond = ${per_second}`, 'string name = "2nd-rope"', 'displayName = "2nd-rope"']) {
    assert.ok(rewritten.split('\n').some((found) => found.trim() === line), line);
  }
});

for (const [reader, stage] of [['three.js', parse(text)], ['three.js after TinyUSDZ', parse(rewritten)]]) {
  const samples_of = (prim, name) => {
    const samples = stage.samples(prim, name);
    assert.ok(samples, `${prim}.${name} has no time samples`);
    near(samples.times, known.times.map((time) => time * per_second), 1e-6, `times of ${prim}.${name}`);
    return samples.values;
  };

  test(`${reader}: the stage has the rods`, () => {
    assert.equal(stage.fields('/').upAxis, 'Z');
    assert.equal(stage.fields('/').timeCodesPerSecond, per_second);
    assert.deepEqual(stage.fields('/Rods').primChildren, ['falling', '_2nd_rope', 'Obstacles']);
    for (const prim of [falling, rope]) {
      assert.equal(stage.fields(prim).typeName, 'BasisCurves');
      assert.equal(stage.value(prim, 'type'), 'linear');
      assert.equal(stage.value(prim, 'wrap'), 'nonperiodic');
    }
    assert.deepEqual([...stage.value(falling, 'curveVertexCounts')], [known.falling.nodes]);
    assert.deepEqual([...stage.value(rope, 'curveVertexCounts')], [known.rope.nodes]);
  });

  test(`${reader}: obstacles, and how they move`, () => {
    assert.deepEqual(stage.fields('/Rods/Obstacles').primChildren, ['far_brick', 'ball']);
    const [brick, ball] = ['/Rods/Obstacles/far_brick', '/Rods/Obstacles/ball'];
    assert.equal(stage.fields(brick).typeName, 'Mesh');
    assert.deepEqual([...stage.value(brick, 'faceVertexCounts')], Array(12).fill(3));
    assert.deepEqual(stage.fields(brick).xformOpOrder, ['xformOp:translate', 'xformOp:orient']);
    const {size, centre, move, turn, time} = known.brick;
    const points = stage.value(brick, 'points');
    assert.equal(points.length, 24);
    points.forEach((value, i) => near([Math.abs(value - centre[i % 3])], [size[i % 3] / 2], 1e-6, 'a corner'));
    const shifts = samples_of(brick, 'xformOp:translate'), turns = samples_of(brick, 'xformOp:orient');
    known.times.forEach((now, frame) => {
      const part = Math.min(now / time, 1);
      const [c, s] = [Math.cos(part * turn), Math.sin(part * turn)];
      const [x, y] = centre; // stays but for the move: x -> R x + shift
      near(shifts[frame].slice(0, 3), [x - (c * x - s * y) + part * move[0], y - (s * x + c * y), 0], 1e-6, 'shift');
      const half = (part * turn) / 2;
      near(turns[frame], [0, 0, Math.sin(half), Math.cos(half)], 1e-6, 'turn'); // as three.js has it: x, y, z, w
    });
    const {radius, centre: middle} = known.ball;
    const places = stage.value(ball, 'points');
    for (let k = 0; k < places.length / 3; ++k) near([Math.hypot(...minus(three(places, k), middle))], [radius], 1e-6, 'the ball');
    assert.equal(stage.samples(ball, 'xformOp:translate'), undefined);
  });

  test(`${reader}: a rod that falls`, () => {
    const {nodes, length, height, radius, twist} = known.falling;
    near(stage.value(falling, 'widths'), Array(nodes).fill(2 * radius), 1e-8, 'widths');
    const points = samples_of(falling, 'points'), velocities = samples_of(falling, 'velocities');
    const twists = samples_of(falling, 'primvars:twist'), tensions = samples_of(falling, 'primvars:tension');
    known.steps.forEach((step, frame) => {
      // implicit Euler: v = -g n dt, z = -g dt^2 n (n + 1) / 2
      const drop = known.gravity * known.dt ** 2 * step * (step + 1) / 2;
      for (let k = 0; k < nodes; ++k) {
        near(three(points[frame], k), [length * k / (nodes - 1), 0, height - drop], 1e-6, 'point');
        near(three(velocities[frame], k), [0, 0, -known.gravity * step * known.dt], 1e-6, 'velocity');
      }
      near(twists[frame], Array(nodes).fill(twist), 0.01 * twist, 'twist');
      near(tensions[frame], Array(nodes).fill(0), 1e-5, 'tension');
    });
  });

  test(`${reader}: values are those of the probes`, () => {
    const points = samples_of(rope, 'points'), velocities = samples_of(rope, 'velocities');
    const tensions = samples_of(rope, 'primvars:tension'), moments = samples_of(rope, 'primvars:moment');
    const shears = samples_of(rope, 'primvars:shear');
    probes.forEach((row, frame) => {
      for (const [probe, node] of Object.entries(known.rope.probes)) {
        const expected = (names) => names.map((name) => row[`${probe}.${name}`]);
        near(three(points[frame], node), expected(['x', 'y', 'z']), 1e-6, `${probe}: position`);
        near(three(velocities[frame], node), expected(['vx', 'vy', 'vz']), 1e-6, `${probe}: velocity`);
        near([tensions[frame][node]], expected(['tension']), 1e-5, `${probe}: tension`);
        near(shears[frame].slice(2 * node, 2 * node + 2), expected(['shear1', 'shear2']), 1e-5, `${probe}: shear`);
        near(three(moments[frame], node), expected(['moment1', 'moment2', 'moment3']), 1e-7, `${probe}: moment`);
      }
    });
    assert.ok(Math.max(...moments.flat().map(Math.abs)) > 1e-3, 'the rope bends');
  });

  test(`${reader}: normals stand across the rod, the box holds it`, () => {
    const points = samples_of(rope, 'points'), normals = samples_of(rope, 'normals'), extents = samples_of(rope, 'extent');
    const widths = stage.value(rope, 'widths');
    points.forEach((positions, frame) => {
      for (let k = 0; k < known.rope.nodes; ++k) {
        const normal = three(normals[frame], k), point = three(positions, k);
        assert.ok(Math.abs(dot(normal, normal) - 1) < 1e-5, 'unit');
        const next = Math.min(k + 1, known.rope.nodes - 1), before = Math.max(k - 1, 0);
        const along = minus(three(positions, next), three(positions, before));
        assert.ok(Math.abs(dot(normal, along)) < 0.05 * Math.hypot(...along), 'across');
        point.forEach((x, i) => {
          assert.ok(extents[frame][i] <= x - widths[k] / 2 + 1e-6 && x + widths[k] / 2 - 1e-6 <= extents[frame][i + 3], 'box');
        });
      }
    });
  });
}
