// The replay page in a browser: what it shows is where the run says, every control and key works, it needs no network.
//
//   node --test tests/web/replay.test.mjs
//   WEB: folder with node_modules (web/); PAGE: the built page (build/web/replay.html); WRITHE: the program, for runs of its own
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'node:test';
import {difference, launch, open, seriousFaults} from './browser.mjs';
import {browser, builtPage, folder, here, pageWith, picture, program, rest, visible, withoutProgram} from './replay_setup.mjs';
import './replay_contact.mjs';
import './replay_links.mjs';
import './replay_tubes.mjs';
import './replay_values.mjs';
import {allKinds, coarseRing, hair, swingingRod, twistedRods} from './runs.mjs';

const cord = swingingRod();

// ---- the picture --------------------------------------------------------------------------------------------------------------

// `nodes` are where the page says they are, those pixels are not background, and the sky above all nodes is.
async function checkPicture(page, replay, nodes) {
  const image = await picture(page);
  const background = await replay('r.background()');
  for (const node of nodes) {
    const {x, y} = await replay(`r.project(${node})`);
    assert.ok(difference(image.at(x, y), background) > 40, `node ${node} at ${x}, ${y} shows ${image.at(x, y)} on ${background}`);
  }
  const box = await page.locator('#view').boundingBox();
  const all = await replay('Array.from({length: r.stats().nodes}, (_, m) => r.project(m))');
  const top = Math.min(...all.map(({y}) => y));
  const left = Math.min(...all.map(({x}) => x));
  const sky = [(box.x + left) / 2, (box.y + top) / 2 + 30];
  assert.ok(difference(image.at(...sky), background) < 12, `beside the rod, at ${sky}, it shows ${image.at(...sky)}`);
}

test('the rod is where the run says, in every frame and theme', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const {page, faults, replay, close} = await open(browser, pageWith(cord), {colorScheme});
    assert.equal(await replay('r.theme'), colorScheme);
    assert.equal(await replay('r.frames'), 40);
    for (const frame of [0, 13, 39]) {
      await replay(`r.seek(${frame})`);
      assert.equal(await replay('r.frame'), frame);
      for (const node of [0, 11, 30]) {
        const shown = await replay(`r.position(${node})`);
        shown.forEach((value, c) => assert.ok(Math.abs(value - cord.nodes[frame][node].x[c]) < 1e-5)); // m; a step is 1.5e-5
      }
      await checkPicture(page, replay, [1, 8, 15, 22, 29]);
    }
    const {calls, triangles, nodes} = await replay('r.stats()');
    assert.equal(nodes, 31);
    assert.ok(calls <= 3 && triangles > 30 * 8, `${calls} ${triangles}`);
    assert.deepEqual(faults, []);
    await close();
  }
});

test('the view along y draws a motion in the xz plane to scale', async () => {
  const {page, replay, close} = await open(browser, pageWith(cord));
  await replay('r.seek(0)');
  await page.keyboard.press('y');
  const frame = cord.nodes[0];
  const shown = await replay('Array.from({length: 31}, (_, m) => r.project(m))');
  // A plane motion seen along its normal: one scale for both axes.
  const scale = (shown[30].x - shown[0].x) / (frame[30].x[0] - frame[0].x[0]);
  assert.ok(scale > 0);
  for (const node of [7, 15, 30]) {
    assert.ok(Math.abs(shown[node].x - shown[0].x - scale * (frame[node].x[0] - frame[0].x[0])) < 0.5);
    assert.ok(Math.abs(shown[node].y - shown[0].y + scale * (frame[node].x[2] - frame[0].x[2])) < 0.5);
  }
  await close();
});

test('rings, ribbons, tapers and wires are drawn', async () => {
  const {page, faults, replay, close} = await open(browser, pageWith(allKinds({frames: 3})));
  await checkPicture(page, replay, [0, 20, 45, 60, 61 + 5, 61 + 55, 122 + 30, 122 + 100]);
  assert.equal((await replay('r.stats()')).calls, 3); // segments, ends, floor
  assert.deepEqual(faults, []);
  await close();
});

test('corners of a ring are closed, also where it begins', async () => {
  const [radius, thickness] = [0.1, 0.03]; // m
  const {page, replay, close} = await open(browser, pageWith(coarseRing(6, radius, thickness)));
  await page.keyboard.press('z');
  const image = await picture(page);
  const background = await replay('r.background()');
  const corners = await replay('Array.from({length: 6}, (_, m) => r.project(m))');
  const middle = {x: corners.reduce((sum, {x}) => sum + x, 0) / 6, y: corners.reduce((sum, {y}) => sum + y, 0) / 6};
  // `part` of the half width further out, and 0.04 rad to one side: between tubes that end at the corner without meeting, that is
  // open.
  const outside = ({x, y}, part, side) => {
    const [dx, dy] = [x - middle.x, y - middle.y].map((value) => value * (1 + (part * thickness) / radius));
    return [middle.x + dx - 0.04 * side * dy, middle.y + dy + 0.04 * side * dx];
  };
  for (const [m, corner] of corners.entries()) {
    for (const side of [-1, 1])
      assert.ok(difference(image.at(...outside(corner, 0.8, side)), background) > 40, `corner ${m} is open`);
    assert.ok(difference(image.at(...outside(corner, 1.5, 0)), background) < 25, `there is something beyond corner ${m}`);
  }
  assert.equal((await replay('r.stats()')).calls, 2); // no ends
  await close();
});

test('hairs a tenth of a pixel thick are seen', async () => {
  const run = hair({rods: 3, segments: 20, frames: 2});
  const {page, faults, replay, close} = await open(browser, pageWith(run));
  const image = await picture(page);
  const background = await replay('r.background()');
  for (const node of [3, 10, 17, 24, 31, 38, 45, 52, 59]) {
    const {x, y} = await replay(`r.project(${node})`);
    const around = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => difference(image.at(x + dx, y + dy), background)));
    assert.ok(Math.max(...around) > 40, `node ${node}: ${around}`);
  }
  assert.deepEqual(faults, []);
  await close();
});

test('a field colours the rod by its scale, and the legend says how', async () => {
  const {page, faults, replay, close} = await open(browser, pageWith({...cord, colormap: ['#ff0000', '#0000ff']}));
  const [start, end] = [await replay('r.project(1)'), await replay('r.project(29)')];
  await page.selectOption('#color', 'tension');
  assert.equal(await replay('r.color'), 'tension');
  const image = await picture(page);
  const [high, low] = [image.at(start.x, start.y), image.at(end.x, end.y)]; // tension falls from 5 N to 0 along the cord
  assert.ok(high[2] > 2 * high[0], `start: ${high}`);
  assert.ok(low[0] > 2 * low[2], `end: ${low}`);
  assert.deepEqual(await page.locator('#ticks li').allTextContents(), ['0', '2', '4']); // 0 N to 5 N, five numbers at most
  assert.equal(await page.locator('#unit').textContent(), 'N');
  await replay('r.setColor("rod")');
  assert.equal(await page.locator('#color').inputValue(), 'rod');
  assert.equal(await visible(page, '#ticks'), false);
  assert.deepEqual(faults, []);
  await close();
});

test('a spike does not take the colours of the rest', async () => {
  const run = swingingRod({frames: 10});
  run.nodes[4][15].values[0] = 100; // N, where all else is 0 to 5
  const {page, close} = await open(browser, pageWith(run));
  await page.selectOption('#color', 'tension');
  assert.deepEqual(await page.locator('#ticks li').allTextContents(), ['0', '2', '4']);
  assert.equal(await page.locator('#beyond').textContent(), 'Rare values reach 100');
  await close();
});

// ---- the player ---------------------------------------------------------------------------------------------------------------

test('it plays, pauses, scrubs and loops', async () => {
  const {page, faults, replay, close} = await open(browser, pageWith(cord), {reducedMotion: 'no-preference'});
  assert.equal(await replay('r.playing'), true);
  const frame = await replay('r.frame');
  await page.waitForFunction((from) => window.writheReplay.frame !== from, frame);
  await page.click('#play');
  assert.equal(await replay('r.playing'), false);
  await page.locator('#scrub').fill('20');
  assert.equal(await replay('r.frame'), 20);
  assert.match(await page.locator('#scrub').getAttribute('aria-valuetext'), /^1\.03 s, frame 21 of 40$/); // 20 * 2 s / 39
  assert.match(await page.locator('#clock').textContent(), /^1\.03 \/ 2\.00 s$/);
  await page.click('#on');
  await page.click('#on');
  await page.click('#back');
  assert.equal(await replay('r.frame'), 21);
  await page.click('#loop'); // off: it stops at the end
  await page.selectOption('#speed', '10');
  await page.click('#play');
  await page.waitForFunction(() => !window.writheReplay.playing);
  assert.equal(await replay('r.frame'), 39);
  await page.click('#loop');
  await page.click('#play'); // from the end it starts again
  await page.waitForFunction(() => window.writheReplay.frame < 30);
  assert.equal(await replay('r.playing'), true);
  assert.deepEqual(faults, []);
  await close();
});

test('between frames it is between them', async () => {
  const run = {...cord, times: [0, 100], nodes: [cord.nodes[0], cord.nodes[20]]};
  const {page, replay, close} = await open(browser, pageWith(run));
  await page.selectOption('#speed', '10');
  await replay('r.play()');
  await page.waitForFunction(() => window.writheReplay.time > 5);
  await replay('r.pause()');
  const [time, shown] = await replay('[r.time, r.position(30)]');
  assert.ok(time > 5 && time < 100);
  const [a, b] = run.nodes.map((frame) => frame[30].x);
  shown.forEach((value, c) => assert.ok(Math.abs(value - (a[c] + (time / 100) * (b[c] - a[c]))) < 3e-5));
  await close();
});

test('who wants less motion starts it', async () => {
  const {page, replay, close} = await open(browser, pageWith(cord));
  assert.equal(await replay('r.playing'), false);
  assert.equal(await replay('r.frame'), 0);
  await page.click('#play');
  assert.equal(await replay('r.playing'), true);
  await close();
});

test('every key does what the list says', async () => {
  const {page, faults, replay, close} = await open(browser, pageWith(cord));
  const press = (key) => page.keyboard.press(key);
  const frames = [
    ['ArrowRight', 1], ['ArrowRight', 2], ['ArrowLeft', 1], ['Shift+ArrowRight', 11], ['Shift+ArrowLeft', 1], ['End', 39],
    ['Home', 0]
  ];
  for (const [key, frame] of frames) {
    await press(key);
    assert.equal(await replay('r.frame'), frame, key);
  }
  for (const [key, speed] of [['ArrowUp', 2], ['+', 5], ['ArrowDown', 2], ['-', 1]]) {
    await press(key);
    assert.equal(await replay('r.speed'), speed, key);
  }
  for (const playing of [true, false]) {
    await press(' ');
    assert.equal(await replay('r.playing'), playing);
  }
  for (const color of ['tension', 'curvature', 'twist', 'speed', 'rod']) {
    await press('c');
    assert.equal(await replay('r.color'), color);
  }
  await press('l');
  assert.equal(await replay('r.loop'), false);
  await press('t');
  assert.equal(await replay('r.theme'), 'dark');
  await press('Home');
  const seen = new Set();
  for (const key of ['i', 'x', 'y', 'z', 'a', 'w', 'e']) { // each moves the camera
    await press(key);
    seen.add(JSON.stringify(await replay('[r.project(0), r.project(30)]')));
  }
  assert.equal(seen.size, 7);
  for (let k = 0; k < 12; ++k) await press('e'); // so near that an end is outside
  const box = await page.locator('#view').boundingBox();
  const inside = ({x, y}) => x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
  assert.ok(!(await replay('[r.project(0), r.project(30)]')).every(inside));
  await press('f');
  assert.ok((await replay('Array.from({length: 31}, (_, m) => r.project(m))')).every(inside));
  await press('?');
  assert.equal(await visible(page, '#keys'), true);
  assert.ok(await page.evaluate(() => document.getElementById('keys').contains(document.activeElement)));
  const color = await replay('r.color');
  await press('c'); // keys rest while the list is open
  assert.equal(await replay('r.color'), color);
  await press('Escape');
  assert.equal(await visible(page, '#keys'), false);
  assert.deepEqual(faults, []);
  await close();
});

test('keys belong to what has the focus', async () => {
  const {page, replay, close} = await open(browser, pageWith(cord));
  await page.focus('#help');
  await page.keyboard.press('Enter');
  assert.equal(await visible(page, '#keys'), true);
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'help');
  await page.focus('#loop');
  await page.keyboard.press(' '); // presses the button, does not play
  assert.deepEqual(await replay('[r.loop, r.playing]'), [false, false]);
  await page.focus('#scrub');
  await page.keyboard.press('ArrowRight'); // one frame, not two
  assert.equal(await replay('r.frame'), 1);
  await page.focus('#color');
  await page.keyboard.press('ArrowRight');
  assert.equal(await replay('r.frame'), 1);
  await close();
});

test('the mouse turns and the wheel zooms', async () => {
  const {page, faults, replay, close} = await open(browser, pageWith(cord));
  const where = () => replay('[r.project(0), r.project(30)]');
  const size = ([a, b]) => Math.hypot(a.x - b.x, a.y - b.y);
  const still = await where();
  const {x, y} = await replay('r.project(15)');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 120, y, {steps: 4});
  await page.mouse.up();
  const turned = await where();
  assert.notDeepEqual(turned, still);
  await rest(page);
  const before = size(await where());
  await page.mouse.wheel(0, -400);
  await page.waitForFunction((smallest) => {
    const [a, b] = [0, 30].map((node) => window.writheReplay.project(node));
    return Math.hypot(a.x - b.x, a.y - b.y) > smallest;
  }, 1.05 * before);
  assert.deepEqual(faults, []);
  await close();
});

// ---- for everyone -------------------------------------------------------------------------------------------------------------

test('axe finds nothing serious, in light and dark, with and without the list of keys', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const {page, replay, close} = await open(browser, pageWith(cord), {colorScheme});
    await replay('r.setColor("tension")');
    assert.deepEqual(await seriousFaults(page), []);
    await page.keyboard.press('?');
    assert.deepEqual(await seriousFaults(page), []);
    await close();
  }
});

test('a phone shows all of it, with room for fingers', async () => {
  for (const viewport of [{width: 390, height: 844}, {width: 844, height: 390}, {width: 320, height: 568}]) {
    const run = {...cord, title: 'A swinging cord with a title that is longer than a phone is wide, and then some'};
    const {page, faults, replay, close} =
        await open(browser, pageWith(run), {viewport, hasTouch: true, isMobile: true, deviceScaleFactor: 2});
    await replay('r.setColor("curvature")');
    const wide = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.deepEqual(wide, [viewport.width, viewport.width]);
    for (const control of await page.locator('button:visible, select:visible, input:visible').all()) {
      const box = await control.boundingBox();
      const name = await control.getAttribute('id');
      assert.ok(box.width >= 40 && box.height >= 40, `${name}: ${box.width} x ${box.height}`);
      assert.ok(
          box.x >= 0 && box.x + box.width <= viewport.width && box.y >= 0 && box.y + box.height <= viewport.height,
          `${name} is outside`);
    }
    const {x, y} = await replay('r.project(15)');
    assert.equal(
        await page.evaluate(([x, y]) => document.elementFromPoint(x, y).id, [x, y]), 'view', 'the rod lies under a control');
    assert.deepEqual(faults, []);
    await close();
  }
});

test('the picture has words', async () => {
  const {page, close} = await open(browser, pageWith(allKinds({frames: 3})));
  assert.match(
      await page.locator('#view').getAttribute('aria-label'),
      /^Every kind of rod: 4 rods \(ring, ribbon, spring, wire\).*3 frames.*newton$/);
  assert.equal(await page.title(), 'Every kind of rod · Writhe');
  assert.equal(await page.locator('#numbers').textContent(), 'newton · 4 rods · 241 segments · 3 frames'); // 60 + 60 + 120 + 1
  await close();
});

// ---- odd runs -----------------------------------------------------------------------------------------------------------------

test('a run of one frame has no player', async () => {
  const {page, faults, replay, close} = await open(browser, pageWith(swingingRod({frames: 1})), {reducedMotion: 'no-preference'});
  assert.equal(await visible(page, '#play'), false);
  assert.equal(await visible(page, '#scrub'), false);
  assert.equal(await visible(page, '#fit'), true);
  await page.keyboard.press(' ');
  assert.equal(await replay('r.playing'), false);
  await checkPicture(page, replay, [1, 15, 29]);
  assert.deepEqual(faults, []);
  await close();
});

test('a run of 10,000 frames', async () => {
  const {page, faults, replay, close} = await open(browser, pageWith(swingingRod({frames: 10000, segments: 3, duration: 100})));
  await page.keyboard.press('End');
  assert.equal(await replay('r.frame'), 9999);
  await checkPicture(page, replay, [1, 2]);
  assert.deepEqual(faults, []);
  await close();
});

test('the address says what to show first', async () => {
  const hash = '#frame=-2&color=tension&view=xz&theme=dark&still';
  const {page, faults, replay, close} = await open(browser, pageWith(cord), {hash, reducedMotion: 'no-preference'});
  assert.deepEqual(await replay('[r.frame, r.color, r.theme, r.playing]'), [38, 'tension', 'dark', false]);
  for (const part of ['#bar', '#title', '#corner', '#measure']) assert.equal(await visible(page, part), false, part);
  assert.equal(await visible(page, '#gradient'), true);
  await checkPicture(page, replay, [1, 15, 29]);
  await close();
  const plain = await open(browser, pageWith(cord), {hash: '#frame=x&view=up&theme=blue&color=none&still'});
  assert.deepEqual(await plain.replay('[r.frame, r.color, r.theme]'), [0, 'rod', 'light']);
  assert.equal(await visible(plain.page, '#legend'), false);
  assert.deepEqual([...faults, ...plain.faults], []);
  await plain.close();
});

test('a picture alone, without a legend, has the rod in its middle', async () => {
  const {page, replay, close} = await open(browser, pageWith(twistedRods([0])), {hash: '#still&view=xz'}); // a wide motion
  const [start, end] = await replay('[0, 4].map((m) => r.project(m))');
  const {width} = page.viewportSize();
  const inside = start.x > 0 && end.x < width && Math.abs(start.x + end.x - width) < 0.1 * width;
  assert.ok(inside, `${start.x} to ${end.x} of ${width}`);
  await close();
});

test('a title is text, whatever is in it', async () => {
  const title = '</script><script>window.broken = 1</script>$& <b>';
  const {page, faults, close} = await open(browser, pageWith({...cord, title}));
  assert.equal(await page.locator('h1').textContent(), title);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.deepEqual(faults, []);
  await close();
});

test('what cannot be shown is said', async () => {
  const says = async (path, words, options) => {
    const {page, faults, close} = await open(options?.browser ?? browser, path);
    assert.match(await page.locator('#notice').textContent(), words);
    assert.equal(await visible(page, '#notice'), true);
    if (path === builtPage) assert.deepEqual(await seriousFaults(page), []); // it is the same box, with other words
    assert.deepEqual(faults, []);
    await close();
  };
  await says(builtPage, /holds none/);
  await says(pageWith(cord, ({header}) => ({header, blocks: 'AAAA'})), /block 1 of 3 cannot be unpacked/);
  await says(
      pageWith(cord, ({header, blocks}) => ({header, blocks: blocks.split('\n')[0]})),
      /Only 16 frames of 40.*block 2 of 3 is missing/);
  await says(pageWith(cord, ({blocks}) => ({header: '{', blocks})), /not JSON/);
  await says(pageWith(cord, ({header, blocks}) => ({header: {...header, format: 9}, blocks})), /format 9/);
  const flat = await launch(['--disable-gpu', '--disable-3d-apis']);
  await says(pageWith(cord), /WebGL 2/, {browser: flat});
  await flat.close();
});

// ---- runs of the program ------------------------------------------------------------------------------------------------------

test('a run of the program is shown where its probes say', {skip: withoutProgram}, async () => {
  const [scene, out, html] = [here('scene.yaml'), join(folder, 'run'), join(folder, 'run.html')];
  execFileSync(program, ['run', scene, '--out', out, '--html', html], {stdio: 'pipe'});
  const [head, ...rows] = readFileSync(join(out, 'probes.csv'), 'utf8').trim().split('\n').map((line) => line.split(','));
  const columns = ['tip.x', 'tip.y', 'tip.z'].map((name) => head.findIndex((cell) => cell.split(' [')[0] === name));
  const {page, faults, replay, close} = await open(browser, html);
  const times = await replay('JSON.parse(document.getElementById("writhe-run").textContent).times');
  const step = await replay('Math.max(...JSON.parse(document.getElementById("writhe-run").textContent).position.step)');
  let compared = 0;
  for (const row of rows) {
    const frame = times.findIndex((time) => Math.abs(time - Number(row[0])) < 1e-9);
    if (frame < 0) continue;
    await replay(`r.seek(${frame})`);
    const shown = await replay('r.position(r.stats().nodes - 1)');
    columns.forEach((column, c) => assert.ok(Math.abs(shown[c] - Number(row[column])) <= 0.51 * step + 1e-6, `${row}: ${shown}`));
    ++compared;
  }
  assert.ok(compared >= 2, `${compared} rows have a frame`);
  await checkPicture(page, replay, [1, 5, 9]);
  assert.deepEqual(faults, []);
  await close();
});
