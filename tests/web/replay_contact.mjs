// Obstacles and forces of contact on the replay page: where the run says, in every theme, and out of the way when they are not wanted.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'node:test';
import {difference, open, seriousFaults} from './browser.mjs';
import {browser, folder, here, pageWith, picture, program, withoutProgram} from './replay_setup.mjs';
import {pressedRod} from './runs.mjs';

const near = (a, b, most) => difference(a, b) < most;

// The colour of the picture at a place (m).
async function colorAt({page, replay}, ...places) {
  const seen = await replay(`${JSON.stringify(places)}.map((place) => r.project(place))`);
  const image = await picture(page);
  return seen.map(({x, y}) => image.at(x - 0.5, y - 0.5));
}

test('an obstacle is where its pose says, in every frame and theme', async () => {
  const run = {...pressedRod(), obstacles: [pressedRod().obstacles[1]]};
  for (const colorScheme of ['light', 'dark']) {
    const opened = await open(browser, pageWith(run), {colorScheme, hash: '#still&view=xz&contacts=off'});
    const background = await opened.replay('r.background()');
    for (const frame of [0, 1, 2]) {
      await opened.replay(`r.seek(${frame})`);
      const {corner, beside} = run.brick[frame];
      const [inside, outside] = await colorAt(opened, corner, beside);
      assert.ok(!near(inside, background, 25), `${colorScheme}, frame ${frame}: ${inside} is not the brick`);
      assert.ok(near(outside, background, 25), `${colorScheme}, frame ${frame}: ${outside} is not the background`);
    }
    assert.deepEqual(opened.faults, []);
    await opened.close();
  }
});

test('solid obstacles hide rods, glass does not, and hidden ones are gone', async () => {
  const run = pressedRod();
  const opened = await open(browser, pageWith(run), {hash: '#view=xz&contacts=off&frame=0'});
  const {page, replay, faults, close} = opened;
  const colors = async () => (await colorAt(opened, run.behind, run.brick[0].corner));
  const background = await replay('r.background()');
  const [solid] = await colors();
  const isRod = ([red, , blue]) => blue > red + 60; // the rod is blue, the brick grey
  assert.ok(!isRod(solid), `the brick is in front: ${solid}`);
  assert.equal(await page.locator('#obstacles').textContent(), '2 obstacles: solid');
  await page.keyboard.press('o');
  const [glass, brick] = await colors();
  assert.ok(isRod(glass), `the rod is seen through it: ${glass}`);
  assert.ok(!near(brick, background, 8), `and so is the brick: ${brick}`);
  await page.locator('#obstacles').click();
  assert.equal(await page.locator('#obstacles').textContent(), '2 obstacles: hidden');
  const [bare, nothing] = await colors();
  assert.ok(isRod(bare) && near(nothing, background, 8), `${bare} ${nothing}`);
  await page.keyboard.press('o');
  assert.ok(!isRod((await colors())[0]));
  assert.deepEqual(faults, []);
  await close();
});

test('forces of contact are arrows from the surface of the rod, as long as the force', async () => {
  const run = pressedRod();
  const opened = await open(browser, pageWith(run), {hash: '#view=xz'});
  const {page, replay, faults, close} = opened;
  await page.keyboard.press('o');
  await page.keyboard.press('o'); // without obstacles
  for (const [frame, arrows] of [[0, 0], [1, 5], [2, 5]]) {
    await replay(`r.seek(${frame})`);
    assert.equal((await replay('r.stats()')).arrows, arrows, `frame ${frame}`);
  }
  const isInk = ([red, green, blue]) => red > green + 60 && red > blue + 60;
  // At node 5 twice the usual force, which is cut off at one and a half times its length; at node 4 half of it.
  const reach = (node) => Array.from({length: 200}, (_, k) => {
    const [x, y, z] = run.nodes[2][node].x;
    return [x, y, z + run.radius + 0.002 * k * run.length];
  });
  const lengths = [];
  for (const node of [4, 5]) lengths.push((await colorAt(opened, ...reach(node))).filter(isInk).length);
  assert.ok(lengths[0] > 5, String(lengths));
  assert.ok(Math.abs(lengths[1] / lengths[0] - 3) < 0.4, String(lengths));
  assert.equal(await page.locator('#forces').textContent(), 'Contact, longest ≥ 15 N/m');
  await page.keyboard.press('p');
  assert.equal((await replay('r.stats()')).arrows, 0);
  assert.equal((await colorAt(opened, ...reach(5))).filter(isInk).length, 0);
  assert.equal(await page.locator('#forces').getAttribute('aria-pressed'), 'false');
  await page.locator('#forces').click();
  assert.equal((await replay('r.stats()')).arrows, 5);
  await replay('r.seek(2)');
  await page.keyboard.press('v'); // values at the middle of the rod, node 5
  await page.waitForSelector('#values:not([hidden])');
  assert.match(await page.locator('#values').textContent(), /contact20(\.0+)? N\/m/);
  assert.deepEqual(await seriousFaults(page), []);
  assert.deepEqual(faults, []);
  await close();
});

test('the page tells of obstacles and contact where there are any', async () => {
  const {obstacles, contact, ...free} = pressedRod();
  for (const [run, shown] of [[pressedRod(), true], [free, false]]) {
    const {page, close} = await open(browser, pageWith(run));
    assert.equal(/2 obstacles/.test(await page.locator('#numbers').textContent()), shown);
    assert.equal(/among 2 obstacles/.test(await page.locator('#view').getAttribute('aria-label')), shown);
    assert.equal(await page.locator('#forces').isVisible(), shown);
    assert.equal(await page.locator('#obstacles').isVisible(), shown);
    await page.keyboard.press('?');
    assert.equal(await page.locator('#about-contacts').isVisible(), shown);
    assert.equal(/Forces of contact/.test(await page.locator('#keys').textContent()), shown);
    await close();
  }
});

// Its clamped end is at the origin; the table stands below the other one, which falls on it.
test('a cord of the program falls on a table and is pressed there', {skip: withoutProgram}, async () => {
  const [out, html] = [join(folder, 'standing'), join(folder, 'standing.html')];
  const set = ['--set', 'obstacles=[{name: table, box: {size: [0.2, 0.4, 0.02], centre: [0.3, 0, -0.04]}}]'];
  execFileSync(program, ['run', here('scene.yaml'), '--out', out, '--html', html, ...set], {stdio: 'pipe'});
  const {contacts} = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'));
  assert.equal(contacts.meetings, 1, 'it lies there at the end');
  const opened = await open(browser, html, {hash: '#frame=-1&view=xz'});
  assert.ok((await opened.replay('r.stats()')).arrows > 0);
  const [table] = await colorAt(opened, [0.3, -0.2, -0.04]);
  assert.ok(!near(table, await opened.replay('r.background()'), 25), String(table));
  await opened.replay('r.seek(0)');
  assert.equal((await opened.replay('r.stats()')).arrows, 0);
  assert.deepEqual(opened.faults, []);
  await opened.close();
});
