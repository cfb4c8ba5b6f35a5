// Tubes of the replay page: smooth between the nodes whatever the mesh, and never more than a GPU can draw.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'node:test';
import {load} from '../../web/test/load.mjs';
import {difference, open} from './browser.mjs';
import {browser, folder, here, pageWith, picture, program, withoutProgram} from './replay_setup.mjs';
import {coarseRing, twistedRods} from './runs.mjs';

const degree = Math.PI / 180;
const middleOf = (points) => ({
  x: points.reduce((sum, {x}) => sum + x, 0) / points.length, y: points.reduce((sum, {y}) => sum + y, 0) / points.length
});

// ---- smooth -------------------------------------------------------------------------------------------------------------------

// Pixel k lies between k and k + 1.
const colorAt = (image, middle, r, angle) =>
    image.at(middle.x + r * Math.cos(angle) - 0.5, middle.y - r * Math.sin(angle) - 0.5);

// Where a ray from the middle of the picture of a ring leaves it, in radii of the ring.
function edge(image, background, middle, radius, angle) {
  for (let r = 1.2 * radius; r > 0; r -= 0.25) {
    if (difference(colorAt(image, middle, r, angle), background) > 60) return r / radius;
  }
  return 0;
}

// The radius half way round the first segment of an open rod through n points of a circle. The cubic with the slope m0 = 1.5
// (B - A) - 0.5 m1 at that end has no curvature there: A + t m0 + t^3 (B - A - m0).
function radiusAtEnd(n) {
  const [a, b, c] = [0, 1, 2].map((m) => [Math.cos((2 * Math.PI * m) / n), Math.sin((2 * Math.PI * m) / n)]);
  const m0 = [0, 1].map((k) => 1.5 * (b[k] - a[k]) - 0.25 * (c[k] - a[k]));
  const at = (t) => [0, 1].map((k) => a[k] + t * m0[k] + t ** 3 * (b[k] - a[k] - m0[k]));
  let [low, high] = [0, 1];
  while (high - low > 1e-9) {
    const [x, y] = at((low + high) / 2);
    if (Math.atan2(y, x) < Math.PI / n) low = (low + high) / 2;
    else high = (low + high) / 2;
  }
  return Math.hypot(...at(low));
}

test('a coarse ring is round: between its nodes it lies on the cubic, not on the polygon', async () => {
  const [radius, thickness] = [0.1, 0.003]; // m
  for (const [n, closed] of [[8, true], [12, true], [8, false]]) {
    const path = pageWith(coarseRing(n, radius, thickness, closed));
    const {page, faults, replay, close} = await open(browser, path, {hash: '#still&view=xy', viewport: {width: 700, height: 700}});
    const image = await picture(page);
    const background = await replay('r.background()');
    const nodes = await replay(`Array.from({length: ${n}}, (_, m) => r.project(m))`);
    const middle = middleOf(nodes);
    const pixels = Math.hypot(nodes[0].x - middle.x, nodes[0].y - middle.y);
    // Half way of a Hermite cubic: (A + B) / 2 + (m0 - m1) / 8. With nodes on a circle the inner slopes are tangents of the
    // length of a chord times cos(pi / n). The polygon has the radius cos(pi / n).
    const flat = Math.cos(Math.PI / n);
    const [round, roundAtEnd] = [flat * (1 + Math.sin(Math.PI / n) ** 2 / 2), radiusAtEnd(n)];
    for (let m = 0; m < n; ++m) {
      const halfWay = closed || (m > 0 && m < n - 1) ? round : roundAtEnd;
      for (const [turn, expected] of [[0, 1], [0.5, halfWay]]) {
        if (!closed && m + turn === 0) continue; // two flat ends that stand askew
        const found = edge(image, background, middle, pixels, (2 * Math.PI * (m + turn)) / n);
        const wanted = expected + thickness / radius;
        assert.ok(Math.abs(found - wanted) < 1.5 / pixels, `${n} segments, ${m + turn}: ${found}, not ${wanted}`);
      }
    }
    assert.ok(round - flat > 8 / pixels && (closed || round - roundAtEnd > 3 / pixels), 'they are far enough apart to be told');
    if (closed) checkClosed(image, background, middle, pixels, thickness / radius);
    assert.deepEqual(faults, []);
    await close();
  }
});

// No gap all the way round: outside of the light line, with room for the cubic, which leaves the circle by 0.8%.
function checkClosed(image, background, middle, pixels, thickness) {
  for (let angle = 0; angle < 2 * Math.PI; angle += degree / 4) {
    const color = colorAt(image, middle, pixels * (1 - 0.004 + 0.65 * thickness), angle);
    assert.ok(difference(color, background) > 40, `a gap at ${angle / degree} degrees: ${color}`);
  }
}

test('the curve is that of the meshes which the program writes', {skip: withoutProgram}, async () => {
  const {segmentCurve} = await load('replay/src/curve.ts');
  const [out, mesh, segments, sides] = [join(folder, 'curve'), join(folder, 'curve.obj'), 5, 8];
  const changes = [`rods.cord.segments=${segments}`, 'output.formats=[obj]', 'output.frame_interval=0.2'];
  const set = changes.flatMap((change) => ['--set', change]);
  execFileSync(program, ['run', here('scene.yaml'), '--out', out, ...set], {stdio: 'pipe'});
  execFileSync(program, ['render', out, mesh, '--sides', String(sides)], {stdio: 'pipe'});
  const points = (path) => readFileSync(path, 'utf8').split('\n').filter((line) => line.startsWith('v '))
                               .map((line) => line.split(' ').slice(1, 4).map(Number));
  const nodes = points(join(out, 'obj', 'rods_000001.obj')); // the last of two frames
  assert.equal(nodes.length, segments + 1);
  const corners = points(mesh); // outline after outline
  const centres = Array.from({length: Math.floor(corners.length / sides)}, (_, k) =>
      [0, 1, 2].map((c) => corners.slice(k * sides, (k + 1) * sides).reduce((sum, corner) => sum + corner[c], 0) / sides));
  const distance = (a, b) => Math.hypot(...a.map((value, c) => value - b[c]));
  const at = nodes.map((node) => centres.findIndex((centre) => distance(centre, node) < 1e-6)); // m
  let [straight, apart] = [0, 0]; // m, how far the curve leaves the chords, and the curve of the mesh
  for (let i = 0; i < segments; ++i) {
    const pieces = at[i + 1] - at[i];
    assert.ok(at[i] >= 0 && pieces >= 1, `nodes are at ${at}`);
    const chain = [i - 1, i, i + 1, i + 2].map((m) => nodes[Math.min(Math.max(m, 0), segments)]);
    const curve = segmentCurve(chain, i === 0, i + 1 === segments);
    for (let k = 0; k <= pieces; ++k) {
      const [x, t] = [curve(k / pieces), k / pieces];
      apart = Math.max(apart, distance(x, centres[at[i] + k]));
      straight = Math.max(straight, distance(x, nodes[i].map((value, c) => (1 - t) * value + t * nodes[i + 1][c])));
    }
  }
  // Slopes are weighed by lengths as they are, in the mesh by rest lengths (curve.ts); this cord is stretched by some percent.
  assert.ok(straight > 1e-3 && apart < 0.02 * straight, `${apart} of ${straight}`);
});

// A picture of rods along x, seen along y, and pixel(rod, segment + t, height in half widths).
async function pictureOfTwist(angles, options) {
  const run = twistedRods(angles, options);
  const {page, faults, replay, close} = await open(browser, pageWith(run), {hash: '#still&view=xz'});
  const image = await picture(page);
  const background = await replay('r.background()');
  const nodes = await replay(`Array.from({length: ${run.nodes[0].length}}, (_, m) => r.project(m))`);
  const each = run.rods[0].nodes;
  const scale = (nodes[each - 1].x - nodes[0].x) / (run.nodes[0][each - 1].x[0] - run.nodes[0][0].x[0]); // pixels a metre
  const pixel = (rod, along, height) => {
    const [start, end] = [nodes[rod * each], nodes[rod * each + each - 1]];
    return image.at(start.x + ((end.x - start.x) * along) / (each - 1), start.y - height * run.rods[rod].half1 * scale);
  };
  await close();
  return {pixel, background, faults};
}

test('a twist of up to half a turn a segment neither pinches a tube nor changes its light', async () => {
  const angles = [90, 120, 170, -120].map((angle) => angle * degree);
  const {pixel, background, faults} = await pictureOfTwist(angles);
  const plain = await pictureOfTwist(angles.map(() => 0));
  for (let rod = 0; rod < angles.length; ++rod) {
    for (const along of [0.25, 0.5, 0.75, 1, 1.5, 2.5, 3.5]) {
      const name = `${angles[rod] / degree} degrees, at ${along}`;
      const far = (height) => Math.cos(angles[rod] * along - Math.acos(height)) < 0.85; // from the line along d1
      for (const height of [-0.9, -0.5, 0, 0.5, 0.9].filter(far)) {
        const [color, expected] = [pixel(rod, along, height), plain.pixel(rod, along, height)];
        assert.ok(difference(color, background) > 40, `${name}, ${height}: ${color}`);
        assert.ok(difference(color, expected) < 6, `${name}, ${height}: ${color} instead of ${expected}`);
      }
    }
  }
  assert.deepEqual(faults, []);
});

test('the line winds as the rod is twisted, the right way round', async () => {
  const angles = [90, 120, 170, -120].map((angle) => angle * degree);
  const {pixel} = await pictureOfTwist(angles);
  const isLine = (color) => Math.min(...color) > 140;
  const lineAt = (rod, along, height) => [-0.1, 0, 0.1].some((more) => isLine(pixel(rod, along, height + more)));
  for (let rod = 0; rod < angles.length; ++rod) {
    for (const along of [0.25, 0.4, 0.5, 0.6, 0.75, 1.25, 1.5, 1.75, 2.25, 2.5, 2.75, 3.25, 3.5]) {
      const turned = angles[rod] * along; // d1 = (0, -sin, cos), and the eye is at -y
      const facing = Math.sin(turned);
      if (Math.abs(facing) < 0.5) continue; // near the edge
      const name = `${angles[rod] / degree} degrees, at ${along}`;
      assert.equal(lineAt(rod, along, Math.cos(turned)), facing > 0, name);
    }
  }
});

test('a ribbon that turns by 90 degrees a segment is as wide half way as at its ends', async () => {
  const {pixel, background} = await pictureOfTwist([90 * degree], {shape: 'rectangle', flat: 0.002});
  // At 45 degrees half of the width is seen as 0.71 of it; straight lines between the corners would leave 0.5.
  for (const along of [0.5, 1.5, 2.5]) {
    for (const height of [-0.64, 0.64]) assert.ok(difference(pixel(0, along, height), background) > 40, `${along}`);
    for (const height of [-0.9, 0.9]) assert.ok(difference(pixel(0, along, height), background) < 25, `${along}`);
  }
});

// ---- not too much -------------------------------------------------------------------------------------------------------------

test('triangles are bounded, whatever the run and however near the camera', async () => {
  const {detail, mostTriangles} = await load('replay/src/detail.ts');
  for (const segments of [1, 10, 300, 10000, 60000, 1e6]) {
    for (const ends of [0, 2, segments]) {
      for (const width of [0.1, 4, 6, 30, 1e4]) {
        for (const length of [0.1, 6, 60, 1e4]) {
          const {sides, pieces} = detail(segments, ends, width, length);
          const triangles = sides * (2 * segments * pieces + ends);
          assert.ok(triangles <= Math.max(mostTriangles, 16 * segments + 8 * ends), `${segments} ${ends} ${width} ${length}`);
          assert.ok(pieces >= 1 && pieces <= 8);
        }
      }
    }
  }
  assert.deepEqual(detail(8, 0, 10, 190), {sides: 16, pieces: 8});
  assert.deepEqual(detail(10000, 400, 1.2, 4), {sides: 8, pieces: 1});
});

// 200 hairs that fall and swing without damping: nothing rests, every frame is new.
function tress(rods, segments, frames) {
  const hair = (r) => {
    const [angle, root] = [r * 2.39996, 0.05 * Math.sqrt((r + 0.5) / rods)];
    const at = (out, up) => [(root + out) * Math.cos(angle), (root + out) * Math.sin(angle), up].map((value) => value.toFixed(6));
    const line = `{line: {from: [${at(0, 0)}], to: [${at(0.15, 0.2)}]}}`;
    return `  hair${r}: {section: strand, material: keratin, centreline: ${line}, segments: ${segments}}`;
  };
  const all = Array.from({length: rods}, (_, r) => r);
  return `writhe: 1
title: A tress
materials:
  keratin: {young: 4e9, poisson: 0.4, density: 1320}
sections:
  strand: {circle: {radius: 40e-6}}
rods:
${all.map(hair).join('\n')}
supports:
${all.map((r) => `  - {clamp: hair${r}.start}`).join('\n')}
solver: {method: pd, pd: {iterations: 1}}
time: {dt: 0.01, until: ${(frames - 1) / 100}}
output: {interval: 1, frame_interval: 0.01}
`;
}

test('200 rods, 50 segments: below 84 kB a frame, few calls, no more triangles', {skip: withoutProgram}, async (t) => {
  const [scene, out, html] = ['tress.yaml', 'tress', 'tress.html'].map((name) => join(folder, name));
  const frames = 60; // 300 of them then are below 25 MB
  writeFileSync(scene, tress(200, 50, frames));
  execFileSync(program, ['run', scene, '--out', out, '--html', html, '--quiet'], {stdio: 'pipe'});
  const {size} = statSync(html);
  const {page, faults, replay, close} = await open(browser, html);
  const shown = [await replay('r.stats()')];
  assert.deepEqual([await replay('r.frames'), shown[0].nodes], [frames, 200 * 51]);
  await page.evaluate(() => { for (let k = 0; k < 16; ++k) document.dispatchEvent(new KeyboardEvent('keydown', {key: 'e'})); });
  await replay('r.seek(30)');
  shown.push(await replay('r.stats()'));
  t.diagnostic(`${(size / 1e6).toFixed(1)} MB; ${shown.map((one) => JSON.stringify(one)).join(', near: ')}`);
  assert.ok(size < 84e3 * frames, `${size} bytes`);
  for (const {calls, triangles} of shown) {
    assert.ok(calls <= 3, `${calls} calls`); // segments, ends, floor
    assert.ok(triangles > 160000 && triangles <= 1e6 + 2, `${triangles} triangles`); // the floor has two
  }
  assert.ok(shown[1].pieces > shown[0].pieces, 'near, segments are drawn in more pieces');
  assert.deepEqual(faults, []);
  await close();
});
