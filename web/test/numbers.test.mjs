import assert from 'node:assert/strict';
import test from 'node:test';
import {load} from './load.mjs';

const {
  count,
  duration,
  exponentOf,
  lengthWithUnit,
  logTicks,
  plain,
  powers,
  resolved,
  roundStep,
  significant,
  ticks,
  withExponent
} = await load('common/numbers.ts');
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

test('significant digits', () => {
  assert.deepEqual([0.029774, 12.5, 99999, 100000, 0.001, 0.00099, 0, -2].map((value) => significant(value, 3)),
                   ['0.0298', '12.5', '10⁵', '10⁵', '0.001', '9.9×10⁻⁴', '0', '−2']);
  assert.equal(significant(2, 3, true), '2.00');
  assert.equal(significant(-1e-6, 2), '−10⁻⁶');
  assert.equal(significant(123456, 8), '1.23456×10⁵');
  assert.equal(significant(1234, 2), '1200');
  assert.deepEqual([NaN, Infinity, -Infinity].map((value) => significant(value)), ['not a number', '∞', '−∞']);
  assert.deepEqual([2.1e-3, 0.05, 0.5, 12, 0].map((value) => powers(value)), ['2.1×10⁻³', '5.0×10⁻²', '0.50', '12', '0']);
});

test('digits as a tolerance asks for them', () => {
  assert.equal(resolved(-0.29773886, 2.5e-5), '−0.29774');
  assert.equal(resolved(21.7469, 0.01), '21.75');
  assert.equal(resolved(1e-9, 1), '1.0×10⁻⁹');
  assert.equal(resolved(0, 1e-3), '0');
});

test('times of a clock', () => {
  assert.deepEqual([4.3e-4, 0.0815, 0.77, 12.34, 59.96, 125, 3599.6, 4320].map(duration),
                   ['430 µs', '81.5 ms', '0.77 s', '12.3 s', '1 min 0 s', '2 min 5 s', '1 h 0 min', '1 h 12 min']);
});

test('ticks of a logarithmic axis', () => {
  const named = (low, high, most) => logTicks(low, high, most).filter((tick) => tick.named).map(({value}) => value);
  near(named(0.5, 2000, 8), [1, 10, 100, 1000]);
  near(named(1e-12, 1, 5), [1e-12, 1e-9, 1e-6, 1e-3, 1]);
  near(named(8, 90, 8), [10, 20, 50]);
  near(named(1.3e-5, 8e-4, 8), [2e-5, 5e-5, 1e-4, 2e-4, 5e-4]);
  near(named(5e-4, 0.2, 4), [1e-3, 1e-2, 0.1]);
  near(named(2e-4, 0.05, 4), [1e-3, 1e-2]); // 2 and 5 as well would be too many
  near(named(3.1, 3.9, 4), [3.2, 3.4, 3.6, 3.8]);
  assert.equal(logTicks(1, 10, 8).length, 10);
});
