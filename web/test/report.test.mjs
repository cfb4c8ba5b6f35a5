import assert from 'node:assert/strict';
import test from 'node:test';
import {report} from '../../tests/web/documents.mjs';
import {load} from './load.mjs';

const {causes, expectedText, folded, gaugeOf, holds, measuredText, rowsOf} = await load('report/src/expectation.ts');
const {grouped, readReport} = await load('report/src/data.ts');
const {parse, DataError} = await load('common/data.ts');

const expectation = (more) => ({value: null, abs: null, rel: null, min: null, max: null, source: '', ...more});
const read = (data) => readReport(parse(JSON.stringify(data), {what: 'report', command: 'writhe'}));

test('an expectation holds as in the program: the wider of abs and rel, then min and max', () => {
  const both = expectation({value: -10, abs: 0.5, rel: 0.1});
  assert.deepEqual(
      [-11, -9, -11.01, -8.99, null, undefined].map((x) => holds(both, x)), [true, true, false, false, false, false]);
  assert.deepEqual([1.9, 2.1, 1.89].map((x) => holds(expectation({min: 1.9}), x)), [true, true, false]);
  assert.deepEqual([0, 1e-6, 2e-6].map((x) => holds(expectation({max: 1e-6}), x)), [true, true, false]);
  assert.equal(holds(expectation({value: 1}), 1 + 1e-15), false); // no tolerance is none
  assert.equal(holds(expectation({}), 1), false);
});

test('expectations in words', () => {
  assert.equal(expectedText(expectation({value: 21.765592370810612, rel: 0.01})), '21.77 ± 1 %');
  assert.equal(expectedText(expectation({value: 2, abs: 0.2})), '2.00 ± 0.2');
  assert.equal(expectedText(expectation({min: 1.9, max: 2.1})), '1.9 to 2.1');
  assert.equal(expectedText(expectation({value: 3, abs: 1, max: 3.5})), '3.00 ± 1, ≤ 3.5');
  assert.equal(expectedText(expectation({})), 'no bound');
  assert.equal(measuredText(21.746948421077086, expectation({value: 21.765592370810612, rel: 0.01})), '21.75');
  assert.equal(measuredText(null, undefined), 'not finite');
});

test('a gauge shows where in its band a number lies', () => {
  const band = expectation({value: 10, abs: 2});
  const close = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} instead of ${expected}`);
  const middle = gaugeOf(band, 11);
  close(middle.low, 0.2);
  close(middle.high, 0.8);
  close(middle.middle, 0.5);
  close(middle.mark, 0.65);
  assert.equal(middle.words, 'off by 50 % of what is allowed');
  assert.deepEqual([gaugeOf(band, 100).beyond, gaugeOf(band, 12.1).beyond, gaugeOf(band, -100).beyond], [1, 0, -1]);
  const top = gaugeOf(expectation({max: 4}), 2);
  assert.deepEqual([top.low, top.high, top.mark], [0, 0.75, 0.375]);
  const bottom = gaugeOf(expectation({min: 4}), 4);
  assert.deepEqual([bottom.low, bottom.high, bottom.mark], [0.25, 1, 0.25]);
  assert.equal(gaugeOf(expectation({max: 0}), 1).beyond, 1);
  assert.equal(gaugeOf(expectation({}), 1), null);
  for (const odd of [expectation({value: 1}), expectation({min: 0}), expectation({value: 0, rel: 0.1})])
    for (const measured of [-1, 0, 1]) assert.ok(Number.isFinite(gaugeOf(odd, measured).mark), JSON.stringify(odd));
});

test('rows: what was never measured or is not finite is not met, and folding hides none of those', () => {
  const failed = read(report()).experiments.find(({name}) => name === 'pd-bend');
  const rows = rowsOf(failed);
  assert.deepEqual(rows.filter(({state}) => state === 'not met').map(({key}) => key), ['key_12', 'key_13', 'lost', 'never']);
  assert.equal(causes(failed).length, 5); // and it ended early
  const wrong = rows.map((row) => ({...row, state: 'not met'}));
  assert.equal(folded(wrong).shown.length, 16);
  const mixed = [...Array.from({length: 14}, () => ({state: 'not judged'})), {state: 'met'}];
  assert.equal(folded(mixed).shown[0].state, 'met');
  assert.deepEqual([folded(mixed).shown.length, folded(mixed).rest.length], [12, 3]);
  assert.deepEqual(folded(mixed.slice(3)).rest, []);
});

test('an experiment that fails without a wrong number says why', () => {
  const data = report();
  Object.assign(data.experiments[0], {state: 'failed', measured: {}, expected: {}});
  assert.deepEqual(causes(read(data).experiments[0]), ['nothing was expected of it']);
});

test('groups: each experiment once, in the order of the items; what no item names is an exact answer', () => {
  const data = report();
  data.papers[1].items[0].experiments = []; // then the experiment's own list counts
  data.experiments.push({...data.experiments[0], name: 'stray', items: ['none:fig1']});
  const groups = grouped(read(data)).map(({paper, experiments}) => [paper?.id ?? null, experiments.map(({name}) => name)]);
  assert.deepEqual(groups, [['pd', ['pd-twist', 'pd-bend']], ['der', ['helix']], [null, ['euler', 'stray']]]);
});

test('damage is named', () => {
  assert.throws(
      () => read({...report(), papers: 3}), (error) => error instanceof DataError && /papers is not a list/.test(error.message));
});
