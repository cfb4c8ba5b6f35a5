import assert from 'node:assert/strict';
import test from 'node:test';
import {comparison} from '../../tests/web/documents.mjs';
import {load} from './load.mjs';

const {readComparison} = await load('compare/src/data.ts');
const {parse} = await load('common/data.ts');
const {sentences, warnings} = await load('compare/src/sentence.ts');
const {costPlot, refined, refinementPlot} = await load('compare/src/costs.ts');
const {boxOf, deviation, fit, magnified, project} = await load('compare/src/projection.ts');

const read = (change = () => {}) => {
  const data = comparison();
  change(data);
  return readComparison(parse(JSON.stringify(data), {what: 'comparison', command: 'writhe'}));
};

test('sentences compare with newton, or with the first that came through', () => {
  const only = read(({methods}) => methods.splice(0, 1));
  assert.deepEqual(
      sentences(only), ["pd:iterations=3 errs by 2.1×10⁻² of the rod's length and takes 0.6 s.", 'xpbd failed: no such method.']);
  const without = read(({methods}) => Object.assign(methods[0], {state: 'failed', cause: 'it broke.'}));
  assert.equal(sentences(without).at(-2), 'newton failed: it broke.');
  assert.ok(!sentences(without)[0].includes("newton's time"));
  const set = read(({methods}) => Object.assign(methods[0], {name: 'newton:tolerance=1e-3', settings: ['tolerance=1e-3']}));
  assert.match(sentences(set)[0], /0.3 times newton:tolerance=1e-3's time/);
  const rods = read(({shapes}) => shapes.rods.push({name: 'b', closed: false}));
  assert.match(sentences(rods)[0], /of a rod's length/);
  const blind = read(({methods}) => (methods[1].error = null));
  assert.match(sentences(blind)[0], /no error that could be measured/);
});

test('a poor reference is warned of', () => {
  assert.deepEqual(warnings(read()), []);
  assert.match(warnings(read((data) => (data.interrupted = true)))[0], /stopped before its end/);
  assert.match(
      warnings(read(({reference}) => (reference.sufficient = false)))[0],
      /its own error is 2.0×10⁻⁵.*1.0×10⁻⁴ was wanted/);
});

test('series go from coarse to fine, with the scene among them', () => {
  const {methods} = read();
  assert.deepEqual(refined(methods[0], 'time').map(({dt}) => dt), [0.02, 0.01]);
  assert.deepEqual(refined(methods[0], 'mesh').map(({segments}) => segments), [20, 40]);
  assert.deepEqual(refined(methods[1], 'time').map(({dt}) => dt), [0.01, 0.005]); // 0.02 failed
  const plot = costPlot(read());
  assert.deepEqual(
      plot.series.map(({points, strong}) => [points, strong]),
      [[[[1, 4e-3], [2, 1e-3]], [1]], [[[2, 1e-3], [4, 4e-4]], [0]], [[[0.6, 2.1e-2], [1.2, 1e-2]], [0]]]);
  assert.deepEqual(plot.levels.map(({y}) => y), [2e-5]);
  assert.equal(refinementPlot(read(({methods}) => (methods[0].runs.length = 2)), 'mesh'), null);
});

test('projections, and distances enlarged from the reference', () => {
  assert.deepEqual(['xy', 'xz', 'yz'].map((view) => project([1, 2, 3], view)), [[1, 2], [1, 3], [2, 3]]);
  const iso = (node) => project(node, 'iso');
  for (const axis of [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert.ok(Math.abs(Math.hypot(...iso(axis)) - Math.sqrt(2 / 3)) < 1e-12); // alike
  const [third, sixth] = [1 / Math.sqrt(3), 1 / Math.sqrt(6)];
  const [[xr, xu], [yr, yu], [zr, zu]] = [iso([1, 0, 0]), iso([0, 1, 0]), iso([0, 0, 1])];
  for (const [actual, wanted] of [
           [xr, Math.SQRT1_2], [xu, -sixth], [yr, Math.SQRT1_2], [yu, sixth], [zr, 0], [zu, third * Math.SQRT2]])
    assert.ok(
        Math.abs(actual - wanted) < 1e-12, `${actual} instead of ${wanted}`); // x down to the right, y up to the right, z up
  assert.equal(project([1, null, 3], 'xy'), null);
  assert.deepEqual(magnified([[1, 1, 1]], [[0, 1, 0]], 10), [[10, 1, 10]]);
  const coarse = [[0, 0, 0], [2, 0, 1]];
  const fine = [[0, 0, 0], [1, 0, 0], [2, 0, 0]];
  assert.deepEqual(magnified(coarse, fine, 10), [[0, 0, 0], [2, 0, 10]]); // ends belong to ends
  assert.equal(deviation([[coarse]], [[fine]], 0), 1);
  assert.equal(deviation([], [[fine]], 0), null);
});

test('a picture has room for all shapes at all times', () => {
  const {shapes} = read();
  assert.deepEqual(boxOf(shapes, [], 'xz', 1), {low: [0, -1], high: [2, 0]});
  assert.ok(Math.abs(boxOf(shapes, ['pd:iterations=3'], 'xz', 10).low[1] + 1.4) < 1e-12);
  const {height, scale, at} = fit({low: [0, -1], high: [2, 0]}, 456); // 400 pixels for 2 m
  assert.deepEqual([height, scale], [256, 200]);
  assert.deepEqual([at([0, 0]), at([2, -1])], [[28, 28], [428, 228]]);
  const flat = fit({low: [0, 0], high: [2, 0]}, 456);
  assert.deepEqual([flat.height, flat.scale], [180, 200]);
  const tall = fit({low: [0, 0], high: [1, 100]}, 456);
  assert.ok(tall.height === 520 && Math.abs(tall.scale - 4.64) < 1e-12);
});
