// Links of the replay page: where the run says, told apart by how they are drawn, and in sight.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'node:test';
import {difference, open} from './browser.mjs';
import {browser, folder, here, pageWith, picture, program, withoutProgram} from './replay_setup.mjs';
import {linkedRods} from './runs.mjs';

const mix = (a, b, t) => a.map((value, c) => (1 - t) * value + t * b[c]);
const positionOf = (run, end, frame) =>
    end.point ?? mix(...end.nodes.map((node) => run.nodes[frame][node].x), end.weight);

// Whether there is ink at a place of the picture, which is more than a line of the floor. Pixel k lies between k and k + 1.
const inkIn = (image, background) => ({x, y}) => difference(image.at(x - 0.5, y - 0.5), background) > 80;

// The link between two places (m), as it is seen now: ink(t, off), t of the way and `off` pixels beside it; `filled`, the part of
// it that has ink, without its ends, which are inside rods.
async function line(page, replay, from, to) {
  const parts = Array.from({length: 201}, (_, k) => mix(from, to, k / 200));
  const seen = await replay(`${JSON.stringify(parts)}.map((place) => r.project(place))`);
  const isInk = inkIn(await picture(page), await replay('r.background()'));
  const [dx, dy] = [seen[200].x - seen[0].x, seen[200].y - seen[0].y];
  const length = Math.hypot(dx, dy);
  const ink = (t, off = 0) => {
    const {x, y} = seen[Math.round(200 * t)];
    return isInk({x: x + (off * dy) / length, y: y - (off * dx) / length});
  };
  const along = Array.from({length: 161}, (_, k) => 0.1 + k / 200);
  return {ink, along, filled: along.filter((t) => ink(t)).length / along.length};
}

function checkLook({kind, slack}, frame, {ink, along, filled}, name) {
  if (kind === 'spring') {
    for (let k = 1; k < 11; ++k) { // 12 waves, whose peaks lie to the left and to the right in turn
      const sides = [-1, 1].map((side) => [2.5, 3, 3.5, 4].some((off) => ink((k + 0.5) / 12, side * off)));
      assert.deepEqual(sides, k % 2 === 0 ? [false, true] : [true, false], `${name}, wave ${k}`);
    }
    return;
  }
  if (slack.length > 0 && frame === 1) assert.ok(filled > 0.4 && filled < 0.8, `${name} is dashed: ${filled}`); // 4 px of 7
  else assert.equal(filled, 1, name);
  for (const off of [-4, 4]) assert.ok(!along.some((t) => ink(t, off)), `${name} is thin`);
}

test('links are where the run says, in every frame and theme, each kind in its own way', async () => {
  const run = linkedRods();
  for (const colorScheme of ['light', 'dark']) {
    const {page, faults, replay, close} = await open(browser, pageWith(run), {colorScheme, hash: '#still&view=xz'});
    for (const frame of [0, 1, 2]) {
      await replay(`r.seek(${frame})`);
      for (const [k, link] of run.links.entries()) {
        const shown = await line(page, replay, ...link.ends.map((end) => positionOf(run, end, frame)));
        checkLook(link, frame, shown, `${colorScheme}, frame ${frame}, link ${k}`);
      }
    }
    const {calls, triangles, sides, pieces} = await replay('r.stats()');
    assert.equal(calls, 4); // segments, ends, links, floor
    assert.equal(triangles, sides * (2 * 8 * pieces + 4) + 2 * (4 + 1 + 1)); // 8 segments, 4 ends; 4 links, a dot, the floor
    assert.deepEqual(faults, []);
    await close();
  }
});

test('a fixed point away from the rods is in sight, and has a dot', async () => {
  const away = [2.5, -1, -1.5];
  const towards = [0.2, -3, 0.1]; // the eye, and next to it
  for (const [view, point] of [['iso', away], ['xy', away], ['xz', away], ['yz', away], ['xz', towards]]) {
    const {page, replay, close} = await open(browser, pageWith(linkedRods({point})), {hash: `#still&view=${view}`});
    const at = await replay(`r.project(${JSON.stringify(point)})`);
    const {width, height} = page.viewportSize();
    assert.ok(at.x > 0 && at.x < width && at.y > 0 && at.y < height, `${view}: ${at.x}, ${at.y}`);
    const isInk = inkIn(await picture(page), await replay('r.background()'));
    const around = (r) => [0, 1, 2, 3, 4, 5, 6, 7].filter((k) => {
      const angle = (k * Math.PI) / 4;
      return isInk({x: at.x + r * Math.cos(angle), y: at.y + r * Math.sin(angle)});
    });
    assert.equal(around(1.5).length, 8, `${view}: the dot`);
    assert.ok(around(4).length <= 2, `${view}: beside the dot`); // there is the link, in one direction or between two
    await close();
  }
});

test('a link is drawn from where it comes out behind the eye', async () => {
  const run = linkedRods({point: [0.2, -2, 0.1]});
  const {page, faults, replay, close} = await open(browser, pageWith(run), {hash: '#still&view=xz'});
  const end = positionOf(run, run.links[3].ends[1], 0);
  const far = mix(run.links[3].ends[0].point, end, 0.6);
  const apart = () => replay(`Math.abs(r.project(${JSON.stringify(far)}).x - r.project(${JSON.stringify(end)}).x)`);
  const before = await apart();
  for (let k = 0; k < 14; ++k) await page.keyboard.press('e');
  assert.ok((await apart()) > 1.2 * before, 'it is nearer');
  const {ink, along, filled} = await line(page, replay, far, end);
  assert.equal(filled, 1);
  for (const off of [-1.8, 1.8]) assert.ok(!along.some((t) => ink(t, off)), 'it is no thicker');
  assert.deepEqual(faults, []);
  await close();
});

test('the page tells of links where there are any', async () => {
  const [with4, without] = [linkedRods(), {...linkedRods(), links: []}];
  for (const [run, words, shown] of [[with4, '2 rods · 8 segments · 4 links · 3 frames', true],
                                     [without, '2 rods · 8 segments · 3 frames', false]]) {
    const {page, close} = await open(browser, pageWith(run));
    assert.equal(await page.locator('#numbers').textContent(), `newton · ${words}`);
    assert.equal(/\(upper, lower\) and 4 links in/.test(await page.locator('#view').getAttribute('aria-label')), shown);
    await page.keyboard.press('?');
    assert.equal(await page.locator('#about-links').isVisible(), shown);
    await close();
  }
});

test('a link of the program goes from its point to where a probe is', {skip: withoutProgram}, async () => {
  const [out, html] = [join(folder, 'linked'), join(folder, 'linked.html')];
  const point = [0.2, 0.1, -0.3];
  const changes = [`links=[{tether: [cord@0.53, [${point}]], stiffness: 1, rest_length: 0.01}]`, // between nodes 5 and 6 of 10
                   'output.probes=[{name: held, at: cord@0.53, fields: [position]}]'];
  const set = changes.flatMap((change) => ['--set', change]);
  execFileSync(program, ['run', here('scene.yaml'), '--out', out, '--html', html, ...set], {stdio: 'pipe'});
  const [head, ...rows] = readFileSync(join(out, 'probes.csv'), 'utf8').trim().split('\n').map((row) => row.split(','));
  const held = ['x', 'y', 'z'].map((axis) => Number(rows.at(-1)[head.findIndex((cell) => cell.startsWith(`held.${axis} `))]));
  const {page, faults, replay, close} = await open(browser, html, {hash: '#still&frame=-1'});
  assert.equal((await line(page, replay, point, held)).filled, 1);
  assert.deepEqual(faults, []);
  await close();
});
