// One browser for all tests of the replay page, and runs as pages of it.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {after, before} from 'node:test';
import {fileURLToPath} from 'node:url';
import {launch, readPng} from './browser.mjs';
import {encode, fill} from './encode.mjs';

export const here = (path) => fileURLToPath(new URL(path, import.meta.url));
export const builtPage = resolve(process.env.PAGE ?? here('../../build/web/replay.html'));
export const folder = mkdtempSync(join(tmpdir(), 'writhe-replay-'));
export const program = process.env.WRITHE ? resolve(process.env.WRITHE) : null;
export const withoutProgram = program ? false : 'WRITHE is not set';
export let browser;

before(async () => { browser = await launch(); });
after(async () => {
  await browser.close();
  rmSync(folder, {recursive: true});
});

let files = 0;
export function pageWith(run, change = (packed) => packed) {
  const path = join(folder, `${++files}.html`);
  writeFileSync(path, fill(readFileSync(builtPage, 'utf8'), change(encode(run))));
  return path;
}

export const picture = async (page) => readPng(await page.screenshot());
// The camera comes to rest: four pictures alike, however long they take.
export const rest = (page) => page.evaluate(() => { window.alike = 0; }).then(() => page.waitForFunction(() => {
  const replay = window.writheReplay;
  const seen = JSON.stringify([0, replay.stats().nodes - 1].map((node) => replay.project(node)));
  window.alike = seen === window.lastSeen ? window.alike + 1 : 0;
  window.lastSeen = seen;
  return window.alike > 3;
}, undefined, {polling: 'raf'}));
export const visible = (page, selector) => page.locator(selector).isVisible();
