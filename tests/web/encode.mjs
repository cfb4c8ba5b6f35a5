// Packs a run as `writhe run --html` does, format 1, written from the description of the format and not from either program: the
// check of the reader in web/replay/src/data.ts, and a source of replays for tests that need no simulation.
import {deflateSync} from 'node:zlib';

const sign = (value) => (value < 0 ? -1 : 1);
const clamp = (value, high) => Math.min(Math.max(Math.round(value), 0), high);

// Unit vector -> two bytes: projected onto the octahedron |x| + |y| + |z| = 1, its lower half folded outwards.
export function octahedralBytes([x, y, z]) {
  const norm = Math.abs(x) + Math.abs(y) + Math.abs(z);
  let [a, b] = [x / norm, y / norm];
  if (z < 0) [a, b] = [(1 - Math.abs(b)) * sign(a), (1 - Math.abs(a)) * sign(b)];
  return [clamp(((a + 1) / 2) * 255, 255), clamp(((b + 1) / 2) * 255, 255)];
}

// frames: channels of one block as frames[k][m], integers below 2^bits -> zigzag-coded differences, frame after frame.
export function differences(frames, bits) {
  const size = 2 ** bits;
  const wrap = (value) => ((((value + size / 2) % size) + size) % size) - size / 2; // to [-size/2, size/2)
  const zigzag = (r) => (r >= 0 ? 2 * r : -2 * r - 1);
  return frames.flatMap((frame, k) => frame.map((value, m) => {
    const linear = k >= 2 ? 2 * frames[k - 1][m] - frames[k - 2][m] : 0;
    const predicted = k === 0 ? (m === 0 ? 0 : frame[m - 1]) : k === 1 ? frames[0][m] : linear;
    return zigzag(wrap(value - predicted));
  }));
}

function packBlock(frames, fields, touches) {
  const channel = (pick) => frames.map((frame) => frame.map(pick));
  const bytes = [];
  const words = (pick) => {
    const codes = differences(channel(pick), 16);
    bytes.push(codes.map((code) => code % 256), codes.map((code) => Math.floor(code / 256)));
  };
  for (let c = 0; c < 3; ++c) words((node) => node.place[c]);
  for (let c = 0; c < 2; ++c) bytes.push(differences(channel((node) => node.director[c]), 8));
  for (let c = 0; c < fields; ++c) bytes.push(differences(channel((node) => node.values[c]), 8));
  if (touches) {
    words((node) => node.pressure);
    for (let c = 0; c < 2; ++c) bytes.push(differences(channel((node) => node.way[c]), 8));
  }
  return deflateSync(Uint8Array.from(bytes.flat())).toString('base64');
}

const range = (values) =>
    values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);

const base64 = (numbers) => Buffer.from(numbers.buffer).toString('base64');
const packedObstacle = ({name, plane = false, points, corners, poses = []}) => ({
  name, plane, points: base64(Float32Array.from(points.flat())), corners: base64(Uint32Array.from(corners.flat())),
  poses: poses.flat(),
});

function pressOf(press, high) {
  const size = Math.hypot(...press);
  return {pressure: clamp((65535 * size) / high, 65535), way: size > 0 ? octahedralBytes(press) : [0, 0]};
}

// run: {title, method, times, rods, links, view, up, fields: [{name, unit}], colormap, nodes}, where nodes[frame][node] is
// {x: [three, m], d1, values: [one a field]}, and with `contact` ({unit, usual}) press: [three, N/m]. Obstacles as the header has
// them, but points (m) and corners as lists.
export function encode(run, framesPerBlock = 16) {
  const boxes = [0, 1, 2].map((c) => range(run.nodes.flatMap((frame) => frame.map((node) => node.x[c]))));
  const low = boxes.map(([least]) => least);
  const step = boxes.map(([least, most]) => (most - least) / 65535);
  const fields = run.fields.map((field, f) => {
    const [least, most] = range(run.nodes.flatMap((frame) => frame.map((node) => node.values[f])));
    return {...field, low: least, high: most};
  });
  const sizes = run.contact ? run.nodes.flatMap((frame) => frame.map(({press}) => Math.hypot(...press))) : [];
  const high = sizes.reduce((most, size) => Math.max(most, size), 0);
  const packed = run.nodes.map((frame) => frame.map((node) => ({
    place: node.x.map((value, c) => (step[c] > 0 ? clamp((value - low[c]) / step[c], 65535) : 0)),
    director: octahedralBytes(node.d1),
    ...(run.contact ? pressOf(node.press, high) : {}),
    values: fields.map(({low, high}, f) => (high > low ? clamp((255 * (node.values[f] - low)) / (high - low), 255) : 0)),
  })));
  const blocks = [];
  for (let k = 0; k < packed.length; k += framesPerBlock) blocks.push(packed.slice(k, k + framesPerBlock));
  const header = {
    format: 1, title: run.title, method: run.method ?? 'newton', program: '0.0.0 (encode.mjs)', times: run.times,
    view: run.view ?? 'iso', up: run.up ?? [0, 0, 1], rods: run.rods, links: run.links ?? [], position: {low, step}, fields,
    colormap: run.colormap ?? grey, obstacles: (run.obstacles ?? []).map(packedObstacle),
    ...(run.contact ? {contact: {...run.contact, high}} : {}),
    blocks: blocks.map((block) => ({frames: block.length})),
  };
  return {header, blocks: blocks.map((block) => packBlock(block, fields.length, run.contact !== undefined)).join('\n')};
}

const grey = Array.from({length: 32}, (_, i) => '#' + Math.round((255 * i) / 31).toString(16).padStart(2, '0').repeat(3));

// The page with the run in it.
export function fill(page, {header, blocks}) {
  const text = (typeof header === 'string' ? header : JSON.stringify(header)).replaceAll('<', '\\u003c');
  const script = (id, type, inside) => `<script id="${id}" type="${type}">${inside}</script>`;
  return page.replace('<!--WRITHE-RUN-->',
                      () => script('writhe-run', 'application/json', text) + script('writhe-data', 'text/plain', blocks));
}
