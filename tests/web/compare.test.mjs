// The comparison page in a browser: what is in the data stands on it and is drawn where they say, controls work, it needs no
// network.
//
//   node --test tests/web/compare.test.mjs
//   WEB: folder with node_modules (web/); PAGE: the built page (build/web/compare.html); WRITHE: the program, for runs of its own
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import test, {after, before} from 'node:test';
import {fileURLToPath} from 'node:url';
import {difference, launch, open, readPng, seriousFaults} from './browser.mjs';
import {comparison, Pages} from './documents.mjs';
import {PlotPicture} from './plots.mjs';

const built = resolve(process.env.PAGE ?? fileURLToPath(new URL('../../build/web/compare.html', import.meta.url)));
const pages = new Pages(built);
let browser;

before(async () => { browser = await launch(); });
after(async () => {
  await browser.close();
  pages.remove();
});

const text = async (page, selector) => (await page.locator(selector).first().innerText()).replace(/\s+/g, ' ');
const changed = (change) => {
  const data = comparison();
  change(data);
  return pages.with(data);
};

// ---- what stands on it
// ----------------------------------------------------------------------------------------------------------

test('the head says what was compared, on what, and the result in a sentence', async () => {
  const {page, faults, close} = await open(browser, pages.with(comparison()));
  const head = await text(page, '#head');
  for (const words
           of ['A rope',
               'newton, pd:iterations=3, xpbd compared',
               "pd:iterations=3 errs by 2.1×10⁻² of the rod's length and takes 0.3 times newton's time.",
               "newton errs by 1.0×10⁻³ of the rod's length and takes 2 s.",
               'xpbd failed: no such method.',
               'scenes/rope.yaml',
               'time.dt=0.01',
               'dt 0.01 s',
               '20 segments',
               'until 1 s',
               '2 threads',
               'longest rod 2 m',
               'Difference Engine No. 2',
               '31.4 ms',
               'Writhe 9.8.7',
  ])
    assert.ok(head.includes(words), `${words} is not in: ${head}`);
  assert.equal(await page.locator('#warning .warn').count(), 0);
  assert.equal(await page.title(), 'A rope · Writhe');
  assert.deepEqual(faults, []);
  await close();
});

test('the table has all numbers, and why a method failed', async () => {
  const {page, close} = await open(browser, pages.with(comparison()));
  const rows =
      await page.locator('.methods tr')
          .evaluateAll((all) => all.map((row) => row.innerText.split('\t').map((cell) => cell.replace(/\s+/g, ' ').trim())));
  assert.deepEqual(rows, [
    ['method', 'error', 'error (mm)', 'at the end', 'time', 'µs a step', '× real time', 'order in time', 'in space'],
    ['newton', '1.0×10⁻³', '2', '5.0×10⁻⁴', '2 s', '20000', '0.5', '2.0', '2.0'],
    ['pd:iterations=3 7 of 100 steps did not converge', '2.1×10⁻²', '42', '1.1×10⁻²', '0.6 s', '6000', '1.67', '0.97', '–'],
    ['xpbd', 'failed no such method'],
  ]);
  await close();
});

test('the reference is described, and a poor one warned of', async () => {
  const {page, close} = await open(browser, pages.with(comparison()));
  const words = await text(page, '#reference');
  for (const part
           of ['newton, midpoint',
               '5 runs in 12 s',
               'dt 6.25×10⁻⁴ s',
               '160 segments',
               '2.0×10⁻⁵ of the length',
               'in time 1.0×10⁻⁵, in space 1.5×10⁻⁵',
               '1.0×10⁻⁴ of the length',
               'reached',
               'Halved until it stood still.',
               '0.00125 80 3 s – –',
               '6.25×10⁻⁴ 160 9 s 3.0×10⁻⁵ 4.5×10⁻⁵',
  ])
    assert.ok(words.includes(part), `${part} is not in: ${words}`);
  await close();
  const poor = await open(browser, changed(({reference}) => Object.assign(reference, {sufficient: false, error: 3e-3})));
  assert.match(
      await text(poor.page, '#warning'),
      /Caution\. The reference is not fine enough: its own error is 3\.0×10⁻³.*1\.0×10⁻⁴ was wanted/);
  assert.match(await text(poor.page, '#reference'), /not reached/);
  assert.match(
      await text(poor.page, '#result'), /newton errs by 1\.0×10⁻³ of the rod's length \(not more than the reference itself\) and takes 2 s/);
  await poor.close();
  const unknown = await open(browser, changed(({reference}) => Object.assign(reference, {sufficient: false, error: null})));
  assert.match(await text(unknown.page, '#warning'), /its own error is not known/);
  assert.deepEqual(unknown.faults, []);
  await unknown.close();
});

// ---- plots
// ----------------------------------------------------------------------------------------------------------------------------

test('error against cost is drawn where the data say', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const {page, faults, close} = await open(browser, pages.with(comparison()), {colorScheme});
    const plot = await PlotPicture.of(page, 'Error against cost');
    assert.deepEqual(await page.evaluate(() => window.writhePage.plots[0].data.series.map(({name, dashed}) => [name, dashed])),
                     [['newton, other steps', false], ['newton, other meshes', true], ['pd:iterations=3, other steps', false]]);
    await plot.check(0, 1, 4e-3); // dt 0.02
    await plot.check(0, 2 ** 0.5, 2e-3); // half way to the scene
    await plot.check(1, 4, 4e-4); // 40 segments
    await plot.check(2, 1.2, 1e-2);
    const scene = await plot.place(2, 1e-3);
    const wide = [-6, 0, 6].every((dx) => plot.isColor(0, scene.x + dx, scene.y));
    assert.ok(wide, 'the scene itself is not larger');
    const finer = await plot.place(4, 4e-4);
    assert.equal(plot.isColor(1, finer.x + 6, finer.y), false);
    // the dashed line of the reference: as many other pixels as ground along it
    const level = await plot.place(2, 2e-5);
    const ground = plot.image.at(plot.box.right - 3, level.y + 6);
    const line = Array.from({length: 200}, (_, k) => difference(plot.image.at(plot.box.right - 210 + k, level.y), ground) > 40)
                     .filter(Boolean)
                     .length;
    assert.ok(line > 50 && line < 150, `${line} of 200 pixels`);
    assert.match(await text(page, '#cost'), /pd:iterations=3 with dt 0.02 s and 20 segments failed: it blew up/);
    assert.deepEqual(faults, []);
    await close();
  }
});

test('methods that err alike are all seen', async () => {
  const path = changed(({methods}) => methods[1].runs = structuredClone(methods[0].runs));
  const {page, close} = await open(browser, path);
  const plot = await PlotPicture.of(page, 'Error over the time step');
  for (const series of [0, 1]) await plot.check(series, 0.01, 1e-3, 12);
  await plot.check(0, 0.01 * Math.SQRT2, 2e-3, 4);
  await plot.check(1, 0.01 * Math.SQRT2, 2e-3, 1);
  await close();
});

test('errors under refinement have their orders', async () => {
  const {page, close} = await open(browser, pages.with(comparison()));
  const time = await PlotPicture.of(page, 'Error over the time step');
  await time.check(0, 0.02, 4e-3);
  await time.check(0, 0.01, 1e-3);
  await time.check(1, 0.005, 1e-2);
  const mesh = await PlotPicture.of(page, 'Error over the mesh');
  await mesh.check(0, 40, 4e-4);
  const keys = await page.locator('#refinement .keys').allInnerTexts();
  assert.deepEqual(
      keys.map((words) => words.replace(/\s+/g, ' ').trim()),
      ['newton: order 2.0 pd:iterations=3: order 0.97', 'newton: order 2.0']);
  await close();
  const alone = await open(browser, changed(({methods}) => methods.forEach((method) => (method.runs = method.runs.slice(0, 1)))));
  assert.equal(await alone.page.locator('#refinement-section').isVisible(), false);
  await (await PlotPicture.of(alone.page, 'Error against cost')).check(1, 0.6, 2.1e-2);
  await alone.close();
});

// ---- shapes
// -----------------------------------------------------------------------------------------------------------------------------

// Distances in pixels between the middle of the rod (node 2) and its start, by the reference and by pd.
async function depths(page) {
  return page.evaluate(() => {
    const view = window.writheShapes;
    const depth = (name) => view.place(name, 0, 2).y - view.place(name, 0, 0).y;
    const width = view.place(null, 0, 4).x - view.place(null, 0, 0).x;
    return {reference: depth(null), pd: depth('pd:iterations=3'), width};
  });
}

test('shapes are drawn to scale, at the chosen time, with differences enlarged', async () => {
  const {page, faults, close} = await open(browser, pages.with(comparison()));
  const near = (actual, expected) =>
      assert.ok(Math.abs(actual - expected) < 1e-6 * Math.abs(expected) + 1e-6, `${actual} instead of ${expected}`);
  let found = await depths(page); // at the last time the rod sags by 1 m over 2 m, pd by 0.04 m more
  near(found.reference, found.width / 2);
  near(found.pd, 1.04 * found.reference);
  assert.match(await text(page, '#shapes .keys'), /reference newton 1 mm away pd:iterations=3 4 cm away/);
  await page.getByRole('slider', {name: 'Time'}).fill('0');
  found = await depths(page);
  near(found.reference, found.width / 4);
  assert.match(await text(page, '#shapes'), /t = 0 s/);
  assert.match(await text(page, '#shapes .keys'), /pd:iterations=3 2 cm away/);
  await page.getByRole('button', {name: '×10', exact: true}).click();
  found = await depths(page);
  near(found.pd, 1.4 * found.reference);
  await page.getByRole('button', {name: '×100', exact: true}).click();
  found = await depths(page);
  near(found.pd, 5 * found.reference);
  await page.getByRole('button', {name: 'xy', exact: true}).click();
  found = await depths(page);
  near(found.reference, 0); // seen from above it is straight
  await page.getByRole('button', {name: 'Iso', exact: true}).click();
  found = await depths(page);
  near(
      found.reference,
      found.width / Math.sqrt(3)); // right (1, 1, 0)/sqrt 2, up (-1, 1, 2)/sqrt 6: 2/sqrt 6 m below, 2/sqrt 2 m wide
  assert.deepEqual(faults, []);
  await close();
});

test('shapes have their colours in the picture', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const {page, close} = await open(browser, pages.with(comparison()), {colorScheme});
    await page.getByRole('button', {name: '×10', exact: true}).click();
    await page.locator('.shapes').scrollIntoViewIfNeeded();
    const image = readPng(await page.screenshot());
    for (const [name, variable] of [['pd:iterations=3', '--series-1'], [null, '--ink']]) {
      const {x, y} = await page.evaluate((name) => window.writheShapes.place(name, 0, 2), name);
      const wanted =
          await page.evaluate((variable) => getComputedStyle(document.documentElement).getPropertyValue(variable), variable);
      const color = [1, 3, 5].map((at) => parseInt(wanted.slice(at, at + 2), 16));
      const nearest = Math.min(...[-1, 0, 1].map((dy) => difference(image.at(x, y + dy), color)));
      assert.ok(nearest < 90, `${name}: ${nearest} away from ${wanted}`);
    }
    await page.locator('#shapes').getByRole('button', {name: 'pd:iterations=3'}).click();
    assert.equal(await page.locator('.shapes path.method').count(), 1);
    await close();
  }
});

test('it plays, and stops at the end', async () => {
  const {page, close} = await open(browser, pages.with(comparison()));
  const pressed = await page.getByRole('button', {name: 'Play'}).evaluate((button) => { // in one go: the next moment it goes on
    button.click();
    return [window.writheShapes.time, button.textContent];
  });
  assert.deepEqual(pressed, [0, 'Stop']);
  await page.getByRole('button', {name: 'Play'}).waitFor();
  assert.equal(await page.evaluate(() => window.writheShapes.time), 1);
  await close();
});

test('a method that ended early, or on another mesh, is shown as far as it is there', async () => {
  const path = changed(({shapes}) => {
    shapes.methods.newton = [[[[0, 0, 0], [1, 0, -0.5], [2, 0, 0]]]]; // three nodes, one time
    shapes.methods['pd:iterations=3'][1][0][1] = [null, null, null];
  });
  const {page, faults, close} = await open(browser, path);
  assert.match(await text(page, '#shapes .keys'), /newton not there pd:iterations=3 4 cm away/);
  await page.getByRole('slider', {name: 'Time'}).fill('0');
  assert.match(await text(page, '#shapes .keys'), /newton less than 1 nm away/);
  assert.deepEqual(faults, []);
  await close();
});

// ---- for everyone
// -----------------------------------------------------------------------------------------------------------------------

test('axe finds nothing serious, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const {page, close} = await open(browser, changed(({reference}) => (reference.sufficient = false)), {colorScheme});
    await page.evaluate(() => window.writhePage.plots.forEach((plot) => plot.draw()));
    assert.deepEqual(await seriousFaults(page), []);
    await close();
  }
});

test('a phone shows all of it without scrolling sideways', async () => {
  for (const viewport of [{width: 390, height: 844}, {width: 320, height: 568}, {width: 844, height: 390}]) {
    const path = changed((data) => (data.scene.path = 'a/very/long/path/of/a/scene/that/is/not/broken/anywhere/scene.yaml'));
    const {page, faults, close} = await open(browser, path, {viewport, hasTouch: true, isMobile: true, deviceScaleFactor: 2});
    await page.evaluate(() => window.writhePage.plots.forEach((plot) => plot.draw()));
    assert.deepEqual(
        await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]), [viewport.width, viewport.width]);
    const {x} = await page.evaluate(() => window.writheShapes.place(null, 0, 4));
    assert.ok(x > viewport.width / 2 && x < viewport.width, `the end of the rod is at ${x}`);
    assert.deepEqual(faults, []);
    await close();
  }
});

test('what cannot be shown is said', async () => {
  const says = async (path, words) => {
    const {page, faults, close} = await open(browser, path);
    assert.match(await page.locator('#notice').innerText(), words);
    assert.equal(await page.locator('#page').isVisible(), false);
    if (path === built) assert.deepEqual(await seriousFaults(page), []); // it is the same box, with other words
    assert.deepEqual(faults, []);
    await close();
  };
  await says(built, /holds none/);
  await says(pages.with('{'), /not JSON/);
  await says(pages.with({...comparison(), format: 7}), /format 7/);
  await says(changed((data) => delete data.reference), /reference is not an object/);
  await says(changed((data) => (data.methods[1].runs[0].dt = 'fast')), /methods\[1\]\.runs\[0\]\.dt is not a number/);
  await says(changed((data) => data.shapes.reference.pop()), /shapes\.reference has 1 times instead of 2/);
  await says(changed((data) => (data.shapes.reference[0][0][1] = [1, 2])), /shapes\.reference\[0\]\[0\]\[1\] is not a position/);
});

test('without shapes, and with no method at all, the page still stands', async () => {
  const {page, faults, close} =
      await open(browser, changed((data) => Object.assign(data, {shapes: null, methods: [], until: null})));
  assert.match(await text(page, '#result'), /No method was compared/);
  assert.match(await text(page, '#head'), /at rest/);
  assert.equal(await page.locator('#shapes-section').isVisible(), false);
  assert.match(await text(page, '#cost'), /No points to draw/);
  assert.deepEqual(faults, []);
  await close();
});

// ---- what the program writes ----------------------------------------------------------------------------------------------------

const withoutProgram = process.env.WRITHE ? false : 'WRITHE is not set';

test('comparisons of the program: a motion, at rest, a ring, one that fails', {skip: withoutProgram}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'writhe-compare-'));
  const scene = (name) => fileURLToPath(new URL(`../../scenes/${name}.yaml`, import.meta.url));
  const quick = ['--refinements', '0', '--budget', '1'];
  const cases = {
    motion: [scene('hanging'), '--until', '0.1', ...quick],
    rest: [scene('cantilever'), '--until', 'settled'],
    ring: [scene('ring'), '--until', '0.1', ...quick],
    fails: [scene('hanging'), '--until', '0.1', '--solvers', 'newton:max_iterations=1,pd', ...quick],
  };
  for (const [name, wishes] of Object.entries(cases)) {
    const out = join(folder, name);
    const run = spawnSync(resolve(process.env.WRITHE), ['compare', ...wishes, '--out', out], {encoding: 'utf8'});
    assert.equal(run.status, name === 'fails' ? 1 : 0, run.stderr);
    const {page, faults, close} = await open(browser, join(out, 'compare.html'));
    const numbers = JSON.parse(readFileSync(join(out, 'compare.json'), 'utf8'));
    assert.equal(await page.locator('#page').isVisible(), true, `${name}: ${await page.locator('#notice').innerText()}`);
    for (const method of numbers.methods) assert.match(await text(page, '#head'), new RegExp(method.name));
    assert.equal(await page.locator('#shapes-section').isVisible(), true, name);
    assert.match(await text(page, '#shapes'), name === 'rest' ? /At rest/ : /t = 0\.1/);
    assert.deepEqual(faults, []);
    await close();
  }
  rmSync(folder, {recursive: true});
});
