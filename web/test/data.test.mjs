// The decoder against tests/web/encode.mjs, which was written from the description of the format alone.
import assert from 'node:assert/strict';
import test from 'node:test';
import {deflateSync} from 'node:zlib';
import {differences, encode, octahedralBytes} from '../../tests/web/encode.mjs';
import {linkedRods, pressedRod, swingingRod} from '../../tests/web/runs.mjs';
import {load} from './load.mjs';

const {DataError, Run, decode, octahedral, readHeader} = await load('replay/src/data.ts');

async function unpack({header, blocks}, width) {
  const run = new Run(readHeader(JSON.stringify(header)), width);
  const loaded = [];
  await decode(run, blocks, () => loaded.push(run.loaded), async () => {});
  return {run, loaded};
}

// A block by hand: one rod of two nodes, two frames, no field.
// x: 1, 3; then 65535, 3 (wraps around): differences 1, 2; -2 (mod 65536), 0 -> zigzag 2, 4, 3, 0.
// y: 300, always (two bytes): 300, 0; 0, 0 -> 600 = 2 * 256 + 88. z: 0. u: 255, always: -1, 0; 0, 0 -> 1. v: 0.
const byHand = {
  header: {
    format: 1, title: 'by hand', method: 'newton', program: '', times: [0, 0.1], view: 'iso', up: [0, 0, 1],
    rods: [{name: 'a', nodes: 2, closed: false, color: '#000000', shape: 'ellipse', half1: 1, half2: 1}], links: [],
    position: {low: [-1, 0, 0], step: [0.5, 1, 1]}, fields: [], colormap: ['#000000', '#ffffff'], layers: [{kind: 'unknown'}],
    blocks: [{frames: 2}],
  },
  bytes: [[2, 4, 3, 0], [0, 0, 0, 0], [88, 0, 0, 0], [2, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]].flat(),
};
const byHandBlocks = deflateSync(Uint8Array.from(byHand.bytes)).toString('base64');

test('a block written by hand', async () => {
  const {run} = await unpack({header: byHand.header, blocks: byHandBlocks});
  assert.deepEqual([...run.places], [1, 300, 0, 255, 3, 300, 0, 255, 65535, 300, 0, 255, 3, 300, 0, 255]);
  assert.deepEqual(run.position(1, 0), [-1 + 0.5 * 3, 300, 0]);
  assert.deepEqual(run.position(0, 0, 0.5), [-1 + 0.5 * (1 + 65535) / 2, 300, 0]);
});

test('the encoder codes differences as the description says', () => {
  assert.deepEqual(differences([[1, 3], [65535, 3]], 16), [2, 4, 3, 0]);
  assert.deepEqual(differences([[0], [10], [25], [255]], 8), [0, 20, 10, 2 * (255 - 40 - 256) * -1 - 1]);
});

test('a run comes back to half a step', async () => {
  for (const perBlock of [1, 2, 7, 40]) {
    const source = swingingRod({frames: 23, segments: 17});
    const {run, loaded} = await unpack(encode(source, perBlock));
    assert.equal(run.loaded, 23);
    assert.equal(loaded.length, Math.ceil(23 / perBlock));
    assert.equal(loaded[0], Math.min(perBlock, 23));
    const {step} = run.header.position;
    source.nodes.forEach((frame, k) => frame.forEach((node, m) => {
      run.position(m, k).forEach((value, c) => assert.ok(Math.abs(value - node.x[c]) <= 0.5001 * step[c] + 1e-12));
      run.header.fields.forEach((field, f) => {
        assert.ok(Math.abs(run.value(f, m, k) - node.values[f]) <= (0.5001 * (field.high - field.low)) / 255 + 1e-12);
      });
      // Rounding moves a and b by 1/255 at most, hence a point of a face (z = 1 - a - b) by sqrt(6)/255; faces are 1/sqrt(3)
      // away.
      const cosine = run.director(m, k).reduce((sum, value, c) => sum + value * node.d1[c], 0);
      assert.ok(Math.acos(Math.min(cosine, 1)) < Math.sqrt(18) / 255);
    }));
  }
});

test('ends of links are between their nodes, or fixed', async () => {
  const {run} = await unpack(encode(linkedRods({point: [1, 2, 3]})));
  const near = (actual, expected) => actual.forEach((value, c) => assert.ok(Math.abs(value - expected[c]) < 1e-5)); // m, a step
  const [, between, , held] = run.header.links;
  near(run.endPosition(between.ends[0], 0), [0.15, 0, 0.2]);
  near(run.endPosition(between.ends[1], 1), [0.06 + 0.125, 0, -0.05]);
  near(run.endPosition(between.ends[1], 0, 0.5), [0.03 + 0.125, 0, -0.025]);
  near(run.endPosition(held.ends[1], 2), [0.35, 0, -0.1]);
  assert.deepEqual(run.endPosition(held.ends[0], 2), [1, 2, 3]);
});

test('rows of a texture are filled up', async () => {
  const {run} = await unpack(encode(swingingRod({frames: 5, segments: 17})), 7);
  assert.deepEqual([run.width, run.height, run.texels, run.nodes], [7, 3, 21, 18]);
  const {run: wide} = await unpack(encode(swingingRod({frames: 5, segments: 17})));
  for (const [node, frame] of [[0, 0], [17, 0], [0, 4], [17, 4]])
    assert.deepEqual(run.position(node, frame), wide.position(node, frame));
});

test('colours span what is common, not one spike', async () => {
  const source = swingingRod({frames: 30, segments: 19});
  const evenly = await unpack(encode(source));
  assert.deepEqual(evenly.run.span(0), [0, 255]); // tension: 0 to 5 N, evenly along the rod
  source.nodes[3][7].values[0] = 50;
  const spiked = await unpack(encode(source));
  assert.deepEqual(spiked.run.span(0), [0, Math.round((5 / 50) * 255)]);
  const still = swingingRod({frames: 1});
  still.nodes[0].forEach((node) => (node.values[0] = 2));
  assert.deepEqual((await unpack(encode(still))).run.span(0), [0, 255]);
  // 100 to 101 N: the scale is 5.05 N wide, with that in its middle
  const alike = encode(swingingRod({frames: 30, segments: 19}));
  Object.assign(alike.header.fields[0], {low: 100, high: 101});
  const [first, last] = (await unpack(alike)).run.span(0).map((byte) => 100 + byte / 255);
  assert.ok(Math.abs(last - first - 5.05) < 1e-9 && Math.abs(last + first - 201) < 1e-9, `${first} to ${last}`);
});

test('octahedral directions', () => {
  const near = (actual, expected) =>
      actual.forEach((value, c) => assert.ok(Math.abs(value - expected[c]) < 0.02, `${actual} ${expected}`));
  for (const d of [[1, 0, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [0.6, 0, -0.8], [-0.48, 0.6, -0.64], [0.36, -0.48, 0.8]]) {
    near(octahedral(...octahedralBytes(d)), d);
    assert.ok(Math.abs(Math.hypot(...octahedral(...octahedralBytes(d))) - 1) < 1e-12);
  }
});

test('what is damaged is said in a sentence', async () => {
  const {header} = byHand;
  const says = (change, words) => assert.throws(() => readHeader(JSON.stringify({...header, ...change})), (error) => {
    assert.ok(error instanceof DataError);
    assert.match(error.message, words);
    return true;
  });
  assert.throws(() => readHeader('{"format": 1'), /not JSON/);
  assert.throws(() => readHeader('null'), /not an object/);
  says({format: 2}, /format 2/);
  says({times: [0]}, /1 times and 2 frames/);
  says({rods: []}, /no rods/);
  says({rods: [{...header.rods[0], half1: [1, 2, 3]}]}, /rod "a"/);
  const ends = [{nodes: [0, 1], weight: 0.5}, {point: [0, 0, 0]}];
  const link = {name: '', kind: 'tether', ends, slack: []};
  readHeader(JSON.stringify({...header, links: [link]}));
  says({links: undefined}, /link/);
  for (const end of [{nodes: [1, 2], weight: 0}, {nodes: [0, 1]}, {nodes: [0], weight: 0}, {point: [0, 0]}, {}, null])
    says({links: [{...link, ends: [ends[0], end]}]}, /link/);
  says({links: [{...link, ends: [ends[0]]}]}, /link/);
  says({position: {low: [0, 0], step: [1, 1, 1]}}, /positions/);
  await assert.rejects(unpack({header, blocks: ''}), /block 1 of 1 is missing/);
  const two = {...header, times: [0, 0.1, 0.2, 0.3], blocks: [{frames: 2}, {frames: 2}]};
  await assert.rejects(unpack({header: two, blocks: byHandBlocks}), /block 2 of 2 is missing/);
  await assert.rejects(unpack({header, blocks: byHandBlocks.slice(0, 8)}), /block 1 of 1 cannot be unpacked/);
  await assert.rejects(unpack({header, blocks: '?' + byHandBlocks.slice(1)}), /block 1 of 1 cannot be unpacked/);
  const short = deflateSync(Uint8Array.from(byHand.bytes.slice(1))).toString('base64');
  await assert.rejects(unpack({header, blocks: short}), /31 bytes instead of 32/);
});

test('forces of contact and obstacles come back', async () => {
  const source = pressedRod();
  const {run} = await unpack(encode(source, 2));
  const {high} = run.header.contact;
  assert.equal(high, 20);
  source.nodes.forEach((frame, k) => frame.forEach(({press}, m) => {
    const found = run.contact(m, k);
    press.forEach((value, c) => assert.ok(Math.abs(found[c] - value) <= 0.01 * Math.hypot(...press) + high / 65535, `${found}`));
  }));
  assert.ok(Math.abs(run.contact(5, 0, 0.5)[2] - 5) < 0.1, 'between two frames: their mean');
  assert.equal(run.header.obstacles[1].poses.length, 21);
  const broken = encode(source);
  broken.header.obstacles[1].poses.pop();
  assert.throws(() => readHeader(JSON.stringify(broken.header)), DataError);
  const {run: free} = await unpack(encode(swingingRod({frames: 2})));
  assert.deepEqual(free.contact(0, 0), [0, 0, 0]);
});
