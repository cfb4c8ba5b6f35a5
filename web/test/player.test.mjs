import assert from 'node:assert/strict';
import test from 'node:test';
import {load} from './load.mjs';

const {Player} = await load('replay/src/player.ts');
const ready = (times) => Object.assign(new Player(times), {loaded: times.length});
const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} instead of ${expected}`);

test('frames need not be equally far apart', () => {
  const player = ready([0, 1, 4]);
  player.play();
  for (const [seconds, frame, part] of [[0.5, 0, 0.5], [0.5, 1, 0], [1.5, 1, 0.5], [1.5, 2, 0]]) {
    player.advance(seconds);
    assert.equal(player.frame, frame);
    near(player.part, part);
  }
});

test('it stops at the end or begins again after a moment', () => {
  const player = ready([0, 1, 2]);
  player.loop = false;
  player.play();
  player.advance(5);
  assert.deepEqual([player.playing, player.frame, player.time], [false, 2, 2]);
  player.play(); // at the end: from the start
  assert.equal(player.time, 0);
  player.loop = true;
  player.advance(2.1);
  assert.deepEqual([player.playing, player.frame, player.time], [true, 2, 2]); // the last frame stays for 0.4 s
  player.advance(1);
  near(player.time, 3.1 - 2.4);
});

test('it waits for frames that are not there', () => {
  const player = new Player([0, 1, 2, 3]);
  player.loaded = 2;
  player.play();
  player.advance(9);
  assert.deepEqual([player.playing, player.frame, player.part, player.time], [true, 1, 0, 1]);
  player.seek(3);
  assert.equal(player.frame, 1);
  player.loaded = 4;
  player.advance(0.5);
  near(player.part, 0.5);
});

test('seeking stays inside', () => {
  const player = ready([0, 1, 2]);
  for (const [frame, expected] of [[1, 1], [-Infinity, 0], [Infinity, 2], [NaN, 0], [1.6, 2]]) {
    player.seek(frame);
    assert.equal(player.frame, expected, String(frame));
  }
});

test('it plays in real time unless that is a moment or minutes', () => {
  assert.deepEqual(
      [[0, 2], [0, 60], [0, 0.1], [0, 0.01], [0, 3000], [5]].map((times) => ready(times).speed), [1, 1, 0.05, 0.05, 10, 1]);
  const player = ready([0, 2]);
  player.faster(-9);
  assert.equal(player.speed, 0.05);
  player.faster(1);
  assert.equal(player.speed, 0.1);
});

test('frames without rising times play one after the other', () => {
  const player = ready([0, 0, 0]);
  assert.equal(player.timed, false);
  player.play();
  player.advance(0.1 / 6 / player.speed); // half of 1/30 s
  near(player.part, 0.5);
});
