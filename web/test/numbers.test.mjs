import assert from 'node:assert/strict';
import test from 'node:test';
import {load} from './load.mjs';

const {count, exponentOf, lengthWithUnit, plain, roundStep, ticks, withExponent} = await load('common/numbers.ts');
const near = (actual, expected) => {
  assert.equal(actual.length, expected.length, `${actual}`);
  actual.forEach(
      (value, i) => assert.ok(Math.abs(value - expected[i]) <= 1e-9 * Math.max(1, Math.abs(expected[i])), `${actual}`));
};

test('steps are 1, 2 or 5 times a power of ten', () => {
  near([0.99, 1, 1.99, 2.1, 4.9, 5, 9.9, 0.03, 700].map(roundStep), [0.5, 1, 1, 2, 2, 5, 5, 0.02, 500]);
});

test('ticks are round and inside', () => {
  near(ticks(0, 10, 6), [0, 2, 4, 6, 8, 10]);
  near(ticks(-0.31, 0.72, 6), [-0.2, 0, 0.2, 0.4, 0.6]);
  near(ticks(0, 0.0005, 6), [0, 1e-4, 2e-4, 3e-4, 4e-4, 5e-4]);
  near(ticks(3, 3, 5), [3]);
  for (const [low, high] of [[0, 1], [-7.3, 12.9], [1e-9, 3e-9], [1e5, 1.02e5], [0.1, 0.35]]) {
    const found = ticks(low, high, 5);
    assert.ok(found.length >= 2 && found.length <= 5, `${low} ${high}: ${found}`);
    assert.ok(found.every((value) => value >= low - 1e-9 * high && value <= high * (1 + 1e-9)));
  }
});

test('numbers are written as people write them', () => {
  assert.equal(plain(-0.5, 0.1), '−0.5');
  assert.equal(plain(-1e-12, 0.1), '0.0');
  assert.equal(plain(20, 10), '20');
  assert.deepEqual([0, 12, 9999, 1e4, 0.01, 0.0099, 3e-7].map(exponentOf), [0, 0, 0, 3, 0, -3, -9]);
  assert.equal(withExponent('N', -3), '10⁻³ N');
  assert.equal(withExponent('1/m', 0), '1/m');
  assert.deepEqual(
      [0.05, 2, 1000, 0.002, 5e-5, 0.1, 2e-9].map(lengthWithUnit), ['5 cm', '2 m', '1 km', '2 mm', '50 µm', '10 cm', '2 nm']);
  assert.deepEqual([count(1, 'rod'), count(10200, 'segment')], ['1 rod', '10,200 segments']);
});
