// Values at a place of a rod: by mouse, finger and keys they are those of the run. And a theme that is remembered.
import assert from 'node:assert/strict';
import test from 'node:test';
import {open} from './browser.mjs';
import {browser, pageWith, rest, visible} from './replay_setup.mjs';
import {allKinds, coarseRing, swingingRod} from './runs.mjs';

const cord = swingingRod();
const range = (run, field) => {
  const values = run.nodes.flat().map((node) => node.values[field]);
  return Math.max(...values) - Math.min(...values);
};

async function box(page) {
  const [name, place] = await page.locator('#values b, #values .muted').allTextContents();
  const names = await page.locator('#values dt').allTextContents();
  const texts = await page.locator('#values dd').allTextContents();
  return {name, percent: Number(/^at ([\d.]+)% of its length$/.exec(place)[1]), names, texts};
}

const number = (text) => Number(text.replace('−', '-').split(' ')[0]);

// `along`: in nodes. Values are linear between nodes; a byte is a 255th of the range, and a pixel of the mouse some of the way.
function checkValues({names, texts}, run, frame, along, slack) {
  assert.deepEqual(names, ['tension', 'curvature', 'twist', 'speed']);
  assert.deepEqual(texts.map((text) => text.split(' ').slice(1).join(' ')), ['N', '1/m', 'rad/m', 'm/s']);
  const [m, t] = [Math.floor(along), along % 1];
  const [a, b] = [run.nodes[frame][m], run.nodes[frame][t > 0 ? m + 1 : m]].map((node) => node.values);
  texts.forEach((text, f) => {
    const wanted = (1 - t) * a[f] + t * b[f];
    const near = Math.abs(number(text) - wanted) <= (0.5 / 255 + 1e-3 + slack) * range(run, f);
    assert.ok(near, `${names[f]}: ${text}, not ${wanted}`);
  });
}

test('pointing at a rod shows its values there, in this frame', async () => {
  const {page, faults, replay, close} = await open(browser, pageWith(cord));
  for (const [frame, node] of [[7, 9], [33, 21]]) {
    await replay(`r.seek(${frame})`);
    const {x, y} = await replay(`r.project(${node})`);
    await page.mouse.move(x, y);
    await page.waitForSelector('#values:visible');
    await page.waitForFunction((percent) => {
      const [, shown] = /at (.*)%/.exec(document.querySelector('#values .muted').textContent);
      return Math.abs(shown - percent) < 0.3;
    }, (100 * node) / 30);
    const shown = await box(page);
    assert.equal(shown.name, 'cord');
    checkValues(shown, cord, frame, node, 0.01);
  }
  const place = await replay('r.project(21)');
  await page.mouse.move(place.x, place.y - 150); // beside it
  await page.waitForSelector('#values', {state: 'hidden'});
  assert.equal((await replay('r.stats()')).calls, 3); // it is not drawn for
  assert.deepEqual(faults, []);
  await close();
});

test('the box is off while the camera turns, and a click keeps it on its place', async () => {
  const {page, faults, replay, close} = await open(browser, pageWith(cord));
  const {x, y} = await replay('r.project(15)');
  await page.mouse.move(x, y);
  await page.waitForSelector('#values:visible');
  await page.mouse.down();
  await page.mouse.move(x + 60, y, {steps: 3});
  await page.waitForSelector('#values', {state: 'hidden'});
  await page.mouse.up();
  await rest(page);
  const now = await replay('r.project(15)');
  await page.mouse.move(now.x, now.y);
  await page.waitForSelector('#values:visible');
  await page.mouse.down();
  await page.mouse.up();
  await page.mouse.move(5, 300);
  await replay('r.seek(30)');
  assert.equal(await visible(page, '#values'), true);
  const shown = await box(page);
  assert.ok(Math.abs(shown.percent - 50) < 0.5, `${shown.percent}`);
  checkValues(shown, cord, 30, 15, 0.01);
  const mark = await page.locator('#mark').boundingBox();
  const there = await replay('r.project(15)');
  assert.ok(Math.hypot(mark.x + mark.width / 2 - there.x, mark.y + mark.height / 2 - there.y) < 4, JSON.stringify([mark, there]));
  await page.mouse.click(5, 300); // on nothing
  await page.waitForSelector('#values', {state: 'hidden'});
  assert.deepEqual(faults, []);
  await close();
});

test('a tap does it, too, and a turn by a finger does not', async () => {
  const options = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true, deviceScaleFactor: 2};
  const {page, faults, replay, close} = await open(browser, pageWith(cord), options);
  const {x, y} = await replay('r.project(12)');
  await page.touchscreen.tap(x, y);
  await page.waitForSelector('#values:visible');
  const shown = await box(page);
  assert.ok(Math.abs(shown.percent - 40) < 0.5);
  checkValues(shown, cord, 0, 12, 0.01);
  const {x: left, y: top, width, height} = await page.locator('#values').boundingBox();
  assert.ok(left >= 0 && top >= 0 && left + width <= 390 && top + height <= 844);
  await page.touchscreen.tap(x, y - 130);
  await page.waitForSelector('#values', {state: 'hidden'});
  const fingers = await page.context().newCDPSession(page);
  const touch = (type, ...touchPoints) => fingers.send('Input.dispatchTouchEvent', {type, touchPoints});
  const before = await replay('r.project(12)');
  await touch('touchStart', {x, y});
  for (const step of [10, 20, 30]) await touch('touchMove', {x: x + step, y});
  await touch('touchEnd');
  assert.notDeepEqual(await replay('r.project(12)'), before);
  await replay('r.seek(1)'); // draws
  assert.equal(await visible(page, '#values'), false);
  assert.deepEqual(faults, []);
  await close();
});

test('of rods that cross in the picture it is the front one, of a coarse one its curve', async () => {
  const node = (x) => ({x, d1: [0, 0, 1], values: [0, 0, 0, 0]});
  const bar = (name) => ({name, nodes: 2, closed: false, color: '#2f6db3', shape: 'ellipse', half1: 0.01, half2: 0.01});
  const cross = {
    ...cord, times: [0], rods: [bar('behind'), bar('front'), bar('far')],
    nodes: [[[-0.1, 0.1, 0], [0.1, 0.1, 0], [0, 0, -0.1], [0, 0, 0.1], [-0.1, 0.2, 0], [0.1, 0.2, 0]].map(node)],
  };
  const crossing = await open(browser, pageWith(cross), {hash: '#view=xz'});
  const ends = await crossing.replay('[2, 3].map((m) => r.project(m))');
  await crossing.page.mouse.move((ends[0].x + ends[1].x) / 2, (ends[0].y + ends[1].y) / 2);
  await crossing.page.waitForSelector('#values:visible');
  assert.equal((await box(crossing.page)).name, 'front');
  await crossing.close();
  const {page, replay, close} = await open(browser, pageWith(coarseRing(8, 0.1, 0.001)), {hash: '#view=xy', viewport: {width: 864, height: 640}});
  const nodes = await replay('Array.from({length: 8}, (_, m) => r.project(m))');
  const at = (c) => nodes.reduce((sum, one) => sum + one[c], 0) / 8;
  // Half way round its third segment, on the circle: 15 pixels outside of the chord.
  const [x, y] = ['x', 'y'].map((c) => at(c) + (nodes[2][c] + nodes[3][c] - 2 * at(c)) / 2 / Math.cos(Math.PI / 8));
  const gap = Math.hypot(x - (nodes[2].x + nodes[3].x) / 2, y - (nodes[2].y + nodes[3].y) / 2);
  assert.ok(gap > 12, `${gap} pixels`);
  await page.mouse.move(x, y);
  await page.waitForSelector('#values:visible');
  assert.ok(Math.abs((await box(page)).percent - 100 * (2.5 / 8)) < 0.5);
  await close();
});

test('keys reach the same values, and they are spoken', async () => {
  const {page, faults, replay, close} = await open(browser, pageWith(allKinds({frames: 3})));
  const said = () => page.locator('#said').textContent();
  const press = (key) => page.keyboard.press(key);
  await press('v');
  await page.waitForSelector('#values:visible');
  const numbers = /tension [−\d.]+ N, curvature [\d.]+ 1\/m, twist [\d.]+ rad\/m, speed [\d.]+ m\/s$/;
  assert.match(await said(), /^ring, at 50\.0% of its length: tension/);
  assert.match(await said(), numbers);
  await press('n');
  await press('.');
  await press('.');
  await press(',');
  assert.match(await said(), /^ribbon, at 55\.0% of its length/);
  await page.waitForFunction(() => document.querySelector('#values .muted').textContent.includes('55.0%'));
  const shown = await box(page);
  assert.equal(shown.name, 'ribbon');
  checkValues(shown, allKinds({frames: 3}), 0, 61 + 33, 0); // 0.55 of 60 segments
  await press('b');
  await press('b');
  assert.match(await said(), /^wire, at 55\.0%/); // the last rod comes before the first
  await press('Escape');
  await page.waitForSelector('#values', {state: 'hidden'});
  await press('v');
  await page.waitForSelector('#values:visible');
  await press('v');
  await page.waitForSelector('#values', {state: 'hidden'});
  assert.equal(await replay('r.frame'), 0);
  assert.deepEqual(faults, []);
  await close();
});

test('a theme that was chosen is remembered, where that is allowed', async () => {
  const {page, faults, replay, close} = await open(browser, pageWith(cord));
  const reload = async (hash = '') => {
    await page.goto('about:blank');
    await page.goto(address + hash);
    await page.evaluate(() => window.writheReplay.ready);
  };
  const address = page.url();
  assert.equal(await replay('r.theme'), 'light');
  await page.click('#theme');
  await reload();
  assert.equal(await replay('r.theme'), 'dark');
  await page.emulateMedia({colorScheme: 'dark'});
  await page.emulateMedia({colorScheme: 'light'}); // what the system changes to does not matter any more
  assert.equal(await replay('r.theme'), 'dark');
  await reload('#theme=light'); // an address asks for one picture
  assert.equal(await replay('r.theme'), 'light');
  await reload();
  assert.equal(await replay('r.theme'), 'dark');
  await page.addInitScript(() => {
    const get = () => { throw new DOMException('no', 'SecurityError'); };
    Object.defineProperty(window, 'localStorage', {get});
  });
  await reload();
  assert.equal(await replay('r.theme'), 'light');
  await page.click('#theme');
  assert.equal(await replay('r.theme'), 'dark');
  assert.deepEqual(faults.filter((fault) => !fault.includes('about:blank')), []);
  await close();
});
