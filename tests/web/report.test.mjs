// The report page in a browser: what is in the data stands on it and is drawn where they say, filters filter, it needs no
// network.
//
//   node --test tests/web/report.test.mjs
//   WEB: folder with node_modules (web/); PAGE: the built page (build/web/report.html)
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import test, {after, before} from 'node:test';
import {fileURLToPath} from 'node:url';
import {difference, launch, open, readPng, seriousFaults} from './browser.mjs';
import {Pages, report} from './documents.mjs';
import {PlotPicture} from './plots.mjs';

const built = resolve(process.env.PAGE ?? fileURLToPath(new URL('../../build/web/report.html', import.meta.url)));
const pages = new Pages(built);
let browser;

before(async () => { browser = await launch(); });
after(async () => {
  await browser.close();
  pages.remove();
});

const text = async (page, selector) => (await page.locator(selector).first().innerText()).replace(/\s+/g, ' ');
const shown = (page) => page.locator('article:visible').evaluateAll((cards) => cards.map(({id}) => id));
const drawAll = (page) => page.evaluate(() => window.writhePage.plots.forEach((plot) => plot.draw()));

// ---- what stands on it
// ----------------------------------------------------------------------------------------------------------

test('the head says what passed, where and when', async () => {
  const {page, faults, close} = await open(browser, pages.with(report()));
  const head = await text(page, '#head');
  for (const words
           of ['2 of 4 experiments passed',
               'passed 2',
               'failed 1',
               'not run 1',
               '3 experiments ran for 1 min 18 s', // 1.5 + 75 + 1.5 s
               '1 of 4 figures and tables that can be measured passed',
               'PD: 1 passed, 1 failed, 1 not there yet',
               'DER: 1 not run',
               'Slow ones were not asked for',
               'Failed: pd-bend',
               'Difference Engine No. 2',
               '3 cores',
               '1.5 GB',
               'brass',
               '31.4 ms',
               '15.9 ms',
               'Writhe 9.8.7',
               'abcdef0123',
               '16 November 2026, 09:00 UTC',
               '09:01 UTC',
               'Eigen 3.4.0',
  ])
    assert.ok(head.includes(words), `${words} is not in: ${head}`);
  assert.equal(await page.title(), '2 of 4 passed · Writhe');
  assert.deepEqual(faults, []);
  await close();
});

test('each paper has a table of its items, with states in words and links that lead somewhere', async () => {
  const {page, faults, close} = await open(browser, pages.with(report()));
  const rows =
      await page.locator('#paper-pd tbody tr').evaluateAll((all) => all.map((row) => row.innerText.replace(/\s+/g, ' ').trim()));
  assert.deepEqual(rows, [
    'Fig. 1 a knot needs contact not there yet –', 'Fig. 2 a twisted rod failed pd-twist pd-bend',
    'Table 1 energies passed pd-twist'
  ]);
  assert.match(
      await text(page, '#paper-pd'), /Cosserat Rods Soler and others, a journal, 2018 1 passed, 1 failed, 1 not there yet/);
  for (const link of await page.locator('.items a, #jump a, #contents a, .meta a').all()) {
    const target = await link.getAttribute('href');
    assert.equal(await page.locator(`[id="${target.slice(1)}"]`).count(), 1, target);
  }
  assert.deepEqual(faults, []);
  await close();
});

test('experiments come in the order of the papers, each once, exact answers last', async () => {
  const {page, close} = await open(browser, pages.with(report()));
  assert.deepEqual(await shown(page), ['pd-twist', 'pd-bend', 'helix', 'euler']); // as Fig. 2 has them
  const groups = await page.locator('.group').evaluateAll(
      (all) => all.map((group) => [group.querySelector('h2').textContent, group.querySelectorAll('article').length]));
  assert.deepEqual(groups, [['Experiments: PD', 2], ['Experiments: DER', 1], ['Exact answers', 1]]);
  assert.match(await text(page, '#pd-twist .meta'), /^passed pd-twist 1.5 s PD: Fig. 2, Table 1$/);
  assert.match(await text(page, '#helix .meta'), /^not run helix slow DER: Fig. 7$/);
  assert.match(await text(page, '#pd-bend .meta'), /1 min 15 s/);
  await close();
});

test('numbers have the digits that their tolerance asks for, and a gauge', async () => {
  const {page, close} = await open(browser, pages.with(report()));
  const rows = await page.locator('#pd-twist .numbers-table tbody tr')
                   .evaluateAll((all) => all.map((row) => row.innerText.split('\t').map((cell) => cell.trim())));
  assert.deepEqual(rows, [
    ['energy', '−0.29774', '−0.29772 ± 5×10⁻⁴', '', 'met', '[1]'], ['free', '4.25×10⁻⁷', '–', '', 'not judged', ''],
    ['small', '2×10⁻⁹', '≤ 10⁻⁶', '', 'met', '[2]'],
  ]);
  const gauges =
      await page.locator('#pd-twist .gauge').evaluateAll((all) => all.map((gauge) => gauge.getAttribute('aria-label')));
  assert.deepEqual(
      gauges, ['off by 3.4 % of what is allowed', '0.2 % of the most that is allowed']); // 1.69e-5 of 5e-4; 2e-9 of 1e-6
  assert.match(await text(page, '#pd-twist'), /1\. an integral 2\. nothing pushes|an integral nothing pushes/);
  assert.match(await text(page, '#pd-twist'), /energy: in J/);
  assert.match(await text(page, '#pd-twist .command'), /^writhe experiment run pd-twist --json/);
  assert.match(await text(page, '#helix .numbers-table'), /size not measured ≥ 0.5 not run/);
  await close();
});

test('why an experiment failed comes first, and what is not met is never folded away', async () => {
  const {page, close} = await open(browser, pages.with(report()));
  const said = await text(page, '#pd-bend .said.bad');
  for (const words
           of ['ended early: the rod broke', 'key_12 is 2.00, expected is 1.00 ± 0.5', 'lost is not finite',
               'never is not measured, expected is ≤ 3'])
    assert.ok(said.includes(words), `${words} is not in: ${said}`);
  const keys = () => page.locator('#pd-bend .numbers-table tbody th').allInnerTexts();
  assert.deepEqual((await keys()).slice(0, 4), ['key_12', 'key_13', 'lost', 'never']);
  assert.equal((await keys()).length, 12);
  await page.getByRole('button', {name: 'Show 4 more rows'}).click(); // 14 + 2 in all
  assert.equal((await keys()).length, 16);
  await close();
});

// ---- plots and pictures
// -----------------------------------------------------------------------------------------------------------

test('plots are drawn where the data say, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const {page, faults, close} = await open(browser, pages.with(report()), {colorScheme});
    const path = await PlotPicture.of(page, 'A path that turns back');
    for (const [x, y] of [[0.5, 0.5], [0.75, 1.5], [0.5, 3], [1.25, 4]]) await path.check(0, x, y);
    for (const [x, y] of [[0.75, 2.5], [1.5, 2], [0.25, 2]])
      assert.equal(await path.has(0, x, y, 4), false, `${x}, ${y}`); // lines if x were sorted
    const orders = await PlotPicture.of(page, 'Error over the mesh');
    for (const [x, y] of [[10, 1e-2], [100, 1e-4], [10 ** 1.5, 1e-3]]) await orders.check(0, x, y);
    for (const [x, y] of [[100, 3e-4], [200, 7.5e-5], [800, 3e-2 / 6400]]) await orders.check(1, x, y, 7); // a dash is near
    const ring = await PlotPicture.of(page, 'A shape');
    const {left, right, top, bottom} = ring.extent(0);
    assert.ok(right - left > 80 && Math.abs(right - left - (bottom - top)) <= 2, `${right - left} by ${bottom - top} pixels`);
    assert.deepEqual(faults, []);
    await close();
  }
});

test('a plot has words, a legend that hides, values under the pointer, and its numbers', async () => {
  const {page, faults, close} = await open(browser, pages.with(report()));
  await PlotPicture.of(page, 'Error over the mesh');
  const figure = page.locator('figure.plot', {hasText: 'Error over the mesh'});
  assert.equal(
      await figure.locator('.box').getAttribute('aria-label'),
      'Error over the mesh: error over segments; measured, second order');
  assert.match(await figure.innerText(), /1 point at or below 0 has no place on a logarithmic axis/);
  assert.match(await text(page, '#pd-twist'), /It snaps through\./);
  const at = await page.evaluate(() => window.writhePage.plots[1].place(0, 1));
  await page.mouse.move(at.x + 3, at.y - 4);
  assert.equal((await figure.locator('.value').innerText()).replace(/\s+/g, ' '), 'measured segments: 100 error: 10⁻⁴');
  await page.mouse.move(2, 2);
  assert.equal(await figure.locator('.value').isVisible(), false);
  const button = figure.getByRole('button', {name: 'measured'});
  await button.click();
  assert.equal(await button.getAttribute('aria-pressed'), 'false');
  const hidden = await PlotPicture.of(page, 'Error over the mesh');
  assert.equal(await hidden.has(0, 100, 1e-4), false);
  await hidden.check(1, 100, 3e-4, 7);
  await figure.getByText('Numbers').click();
  assert.match(
      (await figure.locator('.numbers').innerText()).replace(/\s+/g, ' '),
      /measured 100 10⁻⁴ measured 1000 0 second order 10 0.03/);
  assert.deepEqual(faults, []);
  await close();
});

test('a picture of a run is shown as an image', async () => {
  const {page, faults, close} = await open(browser, pages.with(report()));
  const image = page.getByRole('img', {name: 'A red square'});
  await image.scrollIntoViewIfNeeded();
  const box = await image.boundingBox();
  assert.ok(difference(readPng(await page.screenshot()).at(box.x + box.width / 2, box.y + box.height / 2), [255, 0, 0]) < 30);
  assert.deepEqual(faults, []);
  await close();
});

// ---- finding one's way
// --------------------------------------------------------------------------------------------------------------

test('filters: by state, by paper, by words, and an anchor that leads through them', async () => {
  const {page, faults, close} = await open(browser, pages.with(report()));
  const press = (name) => page.locator('#states').getByRole('button', {name}).click();
  await press('Failed 1');
  assert.deepEqual(await shown(page), ['pd-bend']);
  assert.equal(await page.locator('.items tbody tr:visible').count(), 1);
  await press('Not run 1');
  assert.deepEqual(await shown(page), ['helix']);
  assert.equal(await page.locator('.items tbody tr:visible').count(), 2); // not run, not there yet
  await press('Passed 2');
  assert.deepEqual(await shown(page), ['pd-twist', 'euler']);
  await press('All 4');
  await page.selectOption('#paper', 'der');
  assert.deepEqual(await shown(page), ['helix']);
  await page.selectOption('#paper', 'exact');
  assert.deepEqual(await shown(page), ['euler']);
  await page.selectOption('#paper', '');
  await page.fill('#words', 'KEY_3 broke');
  assert.deepEqual(await shown(page), ['pd-bend']);
  assert.equal(await page.locator('#shown').textContent(), '1 of 4 experiments');
  await page.fill('#words', 'no such thing');
  assert.deepEqual(await shown(page), []);
  assert.equal(await page.locator('#none').isVisible(), true);
  await page.evaluate(() => (location.hash = '#euler'));
  await page.waitForFunction(() => !document.getElementById('euler').hidden);
  assert.deepEqual(await shown(page), ['pd-twist', 'pd-bend', 'helix', 'euler']);
  assert.deepEqual(faults, []);
  await close();
});

test('an address with an anchor opens at the experiment', async () => {
  const {page, close} = await open(browser, pages.with(report()), {hash: '#pd-twist'});
  const {y} = await page.locator('#pd-twist').boundingBox();
  assert.ok(y >= 0 && y < 200, `at ${y}`);
  await close();
});

// ---- for everyone
// ---------------------------------------------------------------------------------------------------------------------

test('axe finds nothing serious, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const {page, close} = await open(browser, pages.with(report()), {colorScheme});
    await drawAll(page);
    await page.locator('summary').first().click();
    assert.deepEqual(await seriousFaults(page), []);
    await close();
  }
});

test('the theme changes all of it', async () => {
  const {page, close} = await open(browser, pages.with(report()), {colorScheme: 'light'});
  await PlotPicture.of(page, 'A path that turns back');
  await page.keyboard.press('t');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  const plot = await PlotPicture.of(page, 'A path that turns back');
  await plot.check(0, 0.75, 1.5);
  await page.locator('#words').focus();
  await page.keyboard.press('t'); // a letter like any other there
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await close();
});

test('a phone shows all of it without scrolling sideways', async () => {
  const data = report();
  data.experiments[3].title = 'Averyveryveryveryveryveryveryveryverylongwordwithoutanyspaceinit and more';
  data.experiments[3].measured['a_key_that_is_quite_a_bit_longer_than_a_phone_is_wide_in_portrait'] = 1;
  for (const viewport of [{width: 390, height: 844}, {width: 320, height: 568}, {width: 844, height: 390}]) {
    const {page, faults, close} =
        await open(browser, pages.with(data), {viewport, hasTouch: true, isMobile: true, deviceScaleFactor: 2});
    await drawAll(page);
    assert.deepEqual(
        await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]), [viewport.width, viewport.width]);
    for (const canvas of await page.locator('.plot canvas').all()) {
      const box = await canvas.boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= viewport.width, `a plot from ${box.x} to ${box.x + box.width}`);
    }
    assert.deepEqual(faults, []);
    await close();
  }
});

// ---- odd data
// -------------------------------------------------------------------------------------------------------------------------

test('titles, notes and names are text, whatever is in them', async () => {
  const data = report();
  const nasty = '</script><script>window.broken = 1</script>$& <b>';
  Object.assign(
      data.experiments[3],
      {title: nasty, notes: [nasty], source: nasty, pictures: [{title: nasty, svg: `<svg onload="window.broken = 1">${nasty}`}]});
  data.experiments[3].plots[0].title = nasty;
  const {page, close} = await open(browser, pages.with(data));
  assert.equal(await page.locator('#pd-twist h3').textContent(), nasty);
  await page.locator('#pd-twist .picture').scrollIntoViewIfNeeded();
  assert.match(await text(page, '#pd-twist .picture'), /cannot be shown/);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  await close();
});

test('a report that is empty, or not finished', async () => {
  const {page, faults, close} =
      await open(browser, pages.with({...report(), papers: [], experiments: [], finished: null, libraries: []}));
  assert.match(await text(page, '#head'), /0 of 0 experiments passed.*None was run.*not finished/);
  assert.match(await text(page, '#experiments'), /no experiments/);
  assert.deepEqual(await seriousFaults(page), []);
  assert.deepEqual(faults, []);
  await close();
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
  const damaged = (change) => {
    const data = report();
    change(data);
    return pages.with(data);
  };
  await says(built, /holds none/);
  await says(pages.with('{"format": 1'), /not JSON/);
  await says(pages.with('[]'), /not an object/);
  await says(pages.with({...report(), format: 2}), /format 2/);
  await says(damaged((data) => delete data.experiments), /experiments is not a list/);
  await says(damaged((data) => delete data.experiments[2].name), /experiments\[2\]\.name is not a text/);
  await says(
      damaged((data) => (data.experiments[1].state = 'perhaps')),
      /experiments\[1\]\.state is not one of passed, failed, not run/);
  await says(
      damaged((data) => (data.experiments[3].plots[0].series[0].points[1] = [1])),
      /plots\[0\]\.series\[0\]\.points\[1\] is not a pair/);
});

// ---- what the program writes ----------------------------------------------------------------------------------------------------

test('a report of the program shows its plots and pictures', {skip: process.env.WRITHE ? false : 'WRITHE is not set'}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'writhe-report-'));
  const run = spawnSync(resolve(process.env.WRITHE), ['report', 'cantilever-gravity', '--out', folder], {encoding: 'utf8'});
  assert.equal(run.status, 0, run.stderr);
  const {page, faults, close} = await open(browser, join(folder, 'report.html'));
  const card = page.locator('#cantilever-gravity');
  await drawAll(page);
  assert.match(await card.innerText(), /passed/);
  assert.ok(await card.locator('canvas').count() >= 2);
  const pictures = await card.locator('img').evaluateAll((all) => all.map((one) => one.decode().then(() => one.naturalWidth)));
  assert.ok(pictures.length > 0);
  await page.evaluate(() => (location.hash = '#hanging-rod'));
  await page.waitForFunction(() => Math.abs(document.getElementById('hanging-rod').getBoundingClientRect().y) < 200); // pixels
  assert.deepEqual(faults, []);
  await close();
  rmSync(folder, {recursive: true});
});
