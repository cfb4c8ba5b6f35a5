// Chromium without a window and without a network, and what its pictures show.
import {createRequire} from 'node:module';
import {existsSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {inflateSync} from 'node:zlib';

const web = resolve(process.env.WEB ?? new URL('../../web', import.meta.url).pathname); // the folder with node_modules
const require = createRequire(join(web, 'package.json'));
const {chromium} = require('playwright-core');
const axeScript = require.resolve('axe-core/axe.min.js');

// ms, against hangs: a browser that draws in software on a busy machine takes its time.
const {hang_s: hangSeconds} = JSON.parse(readFileSync(new URL('../support/limits.json', import.meta.url), 'utf8'));
const timeout = 1000 * hangSeconds;

function findBrowser() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const found =
      names.flatMap((name) => process.env.PATH.split(':').map((folder) => join(folder, name))).find((path) => existsSync(path));
  const path = process.env.CHROMIUM ?? found;
  if (!path) throw new Error('no Chromium on the PATH; install the package chromium, or set CHROMIUM to the program');
  return path;
}

// WebGL in software: the tests run on machines without a GPU.
export const launch = (args = ['--enable-unsafe-swiftshader', '--use-gl=angle', '--use-angle=swiftshader']) =>
    chromium.launch({executablePath: findBrowser(), args: ['--no-sandbox', ...args], timeout});

// Little more than a page needs to be laid out as on a desk: every pixel is drawn in software.
const desk = {width: 864, height: 500};

// A page that counts everything it must not do: requests, messages on the console, errors.
export async function open(browser, path, {hash = '', ...options} = {}) {
  const context = await browser.newContext({viewport: desk, reducedMotion: 'reduce', ...options});
  context.setDefaultTimeout(timeout);
  const page = await context.newPage();
  const faults = [];
  const allowed = 'file://' + path;
  await context.route('**/*', (route) => {
    if (route.request().url().split('#')[0] === allowed) return route.continue();
    faults.push(`request for ${route.request().url().slice(0, 80)}`);
    return route.abort();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith('data:') && url.split('#')[0] !== allowed) faults.push(`request for ${url.slice(0, 80)}`);
  });
  // A browser that draws in software says so where it reads pixels back; that is its matter.
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !message.text().includes('GPU stall due to ReadPixels')) {
      faults.push(`console: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  await page.goto(allowed + hash);
  await page.evaluate(() => window.writheReplay?.ready); // the other pages are there at once
  return {
    page,
    faults,
    close: () => context.close(),
    replay: (code) => page.evaluate(`(() => { const r = window.writheReplay; return ${code}; })()`)
  };
}

// What axe finds that keeps people out.
export async function seriousFaults(page) {
  await page.addScriptTag({content: readFileSync(axeScript, 'utf8')});
  const {violations} = await page.evaluate(() => window.axe.run());
  return violations.filter(({impact}) => ['serious', 'critical'].includes(impact))
      .map(({id, nodes}) => `${id}: ${nodes.map(({html}) => html)}`);
}

// A PNG as browsers write them (8 bits, RGB or RGBA, not interlaced): at(x, y) -> [r, g, b].
export function readPng(file) {
  const parts = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const kind = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      channels = {2: 3, 6: 4}[body[9]];
      if (body[8] !== 8 || !channels || body[12] !== 0) throw new Error('a PNG of another kind');
    }
    if (kind === 'IDAT') parts.push(body);
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const row = width * channels;
  const pixels = new Uint8Array(height * row);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (row + 1)];
    for (let i = 0; i < row; ++i) {
      const left = i >= channels ? pixels[y * row + i - channels] : 0;
      const above = y > 0 ? pixels[(y - 1) * row + i] : 0;
      const corner = i >= channels && y > 0 ? pixels[(y - 1) * row + i - channels] : 0;
      pixels[y * row + i] =
          raw[y * (row + 1) + 1 + i] + [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
    }
  }
  return {width, height, at: (x, y) => [...pixels.subarray(Math.round(y) * row + Math.round(x) * channels).subarray(0, 3)]};
}

function paeth(left, above, corner) {
  const guess = left + above - corner;
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(guess - value));
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

export const difference = (a, b) => Math.max(...a.map((value, c) => Math.abs(value - b[c])));
