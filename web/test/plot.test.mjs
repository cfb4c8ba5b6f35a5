import assert from 'node:assert/strict';
import test from 'node:test';
import {load} from './load.mjs';

const {axisTicks, coverings, equalized, left, nearest, rangeOf, ranges} = await load('common/plot_data.ts');
const near = (actual, expected) => actual.forEach(
    (value, k) => assert.ok(
        Math.abs(value - expected[k]) <= 1e-9 * Math.max(1, Math.abs(expected[k])), `${actual} instead of ${expected}`));

const plot = (points, more = {}) => ({
  title: '', x: {label: 'x', log: false}, y: {label: 'y', log: false}, note: '', equal: false,
  series: [{name: '', points, line: true, marks: false, dashed: false}], ...more,
});
const log = {label: 'log', log: true};

test('a range has all values and a little room, and is never empty', () => {
  near(rangeOf([0, 10], false), [-0.5, 10.5]);
  near(rangeOf([5, 5], false), [4.5, 5.5]);
  near(rangeOf([0, 0], false), [-1, 1]);
  near(rangeOf([1, 1 + 1e-15], false), [0.9, 1.1]); // rounding is no signal
  near(rangeOf([], false), [0, 1]);
  near(rangeOf([3], true), [1.5, 6]);
  const [low, high] = rangeOf([1e-6, 1], true);
  assert.ok(low < 1e-6 && low > 1e-7 && high > 1 && high < 10);
});

test('what has no place on a logarithmic axis does not count', () => {
  const data = plot([[1, 1], [10, 0], [100, -5], [null, 7], [1000, 1e-3]], {x: log, y: log});
  assert.equal(left(data), 2);
  const {x, y} = ranges(data);
  assert.ok(x[1] > 1000 && y[0] > 1e-4 && y[0] < 1e-3 && y[1] < 3);
});

test('a level has its place too', () => {
  const {y} = ranges({...plot([[0, 1], [1, 2]]), levels: [{y: 9, label: ''}]});
  assert.ok(y[1] > 9);
});

test('equal scales: the shorter range grows about its middle', () => {
  const {x, y} = equalized({x: [0, 4], y: [10, 11]}, 400, 200);
  near(x, [0, 4]);
  near(y, [9.5, 11.5]); // 100 pixels a unit
  const tall = equalized({x: [0, 1], y: [0, 10]}, 400, 200);
  near(tall.x, [-9.5, 10.5]); // 20 pixels a unit
  near(tall.y, [0, 10]);
});

test('ticks have names that fit together', () => {
  const names = (axis, range, most) => axisTicks(axis, range, most).filter(({label}) => label).map(({label}) => label);
  assert.deepEqual(names({log: false}, [-0.31, 0.72], 6), ['−0.2', '0.0', '0.2', '0.4', '0.6']);
  assert.deepEqual(names({log: false}, [0, 5e-5], 6), ['0', '10⁻⁵', '2×10⁻⁵', '3×10⁻⁵', '4×10⁻⁵', '5×10⁻⁵']);
  assert.deepEqual(names({log: true}, [0.5, 200], 8), ['1', '10', '100']);
  assert.deepEqual(names({log: true}, [1e-6, 1], 4), ['10⁻⁶', '10⁻⁴', '10⁻²', '10⁰']);
  assert.deepEqual(names({log: true}, [0.0004, 0.009], 8), ['5×10⁻⁴', '10⁻³', '2×10⁻³', '5×10⁻³']);
  assert.deepEqual(names({log: true}, [3.1, 3.9], 4), ['3.2', '3.4', '3.6', '3.8']);
});

test('series that lie on each other are counted', () => {
  const data = plot([[1, 1], [10, 0.1], [100, 1e-2]], {x: log, y: log});
  const series = (points) => ({...data.series[0], points});
  data.series.push(
      series([[1, 1.001], [10, 0.1], [100, 1e-2], [1000, 1e-3]]), series([[1, 1], [10, 0.2], [100, 1e-2]]), series([[10, 0.1]]),
      series([]));
  assert.deepEqual(coverings(data), [1, 0, 0, 0, 0]); // the fourth covers one point of the first only
  data.series.unshift(series([[10, 0.1001]]));
  assert.deepEqual(coverings(data), [3, 1, 0, 0, 0, 0]);
});

test('the nearest point is found among those that show', () => {
  const data = plot([[0, 0], [10, 10]]);
  data.series.push({...data.series[0], points: [[10, 12], [null, 10], [30, 30]]});
  const place = (x, y) => [x, y];
  assert.deepEqual(nearest(data, () => true, place, [10, 11.5]), {series: 1, point: 0});
  assert.deepEqual(nearest(data, (series) => series === 0, place, [10, 11.5]), {series: 0, point: 1});
  assert.equal(nearest(data, () => true, place, [10, 100]), null);
});
