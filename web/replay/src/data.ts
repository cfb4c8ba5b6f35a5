// A run as `writhe run --html` packs it, format 1: a header (JSON) and blocks of frames (base64 of zlib streams).
// No browser and no three.js in here: the unit tests run it on Node.
import {DataError, isNumber} from '../../common/data';

export {DataError};

export interface RodHeader {
  name: string;
  nodes: number; // a ring repeats its first node as its last
  closed: boolean;
  color: string; // #rrggbb
  shape: 'ellipse' | 'rectangle';
  half1: number | number[]; // m, half width of the section along d1: of all nodes, or one a node
  half2: number | number[]; // m, along d2
}

// Of node `node` of a rod.
export const half = (value: number | number[], node: number) => (typeof value === 'number' ? value : value[node]!);

// Between two nodes, counted over all rods, `weight` of the way; or a fixed point (m).
export type LinkEnd = {nodes: [number, number]; weight: number} | {point: [number, number, number]};

export interface LinkHeader {
  name: string; // empty where it has none
  kind: 'spring' | 'tether';
  ends: [LinkEnd, LinkEnd];
  slack: number[]; // frames in which it goes slack or taut again, in turn; before the first it is taut
}

export interface ObstacleHeader {
  name: string;
  plane: boolean; // of which a part is drawn
  points: string; // base64 of Float32, x y z, m: as it stands in the scene
  corners: string; // base64 of Uint32: of triangles
  poses: number[]; // of all frames: w, x, y, z of its turn, and its shift (m); empty where it does not move
}

// What presses on the rods, by length. Frames have it at every node, if the header has this.
export interface ContactHeader {
  unit: string;
  high: number; // the most there is, and of the number 65535
  usual: number; // what nearly all that presses stays below
}

export interface Field {
  name: string;
  unit: string;
  low: number; // value of byte 0
  high: number; // value of byte 255
}

export type View = 'iso' | 'xy' | 'xz' | 'yz';

export interface Header {
  format: 1;
  title: string;
  method: string;
  program: string;
  times: number[]; // s, one a frame
  view: View;
  color?: string; // to begin with; none: that of the rods
  up: [number, number, number];
  rods: RodHeader[];
  links: LinkHeader[];
  obstacles: ObstacleHeader[];
  contact?: ContactHeader;
  position: {low: [number, number, number]; step: [number, number, number]}; // m: low + step * n
  fields: Field[];
  colormap: string[]; // #rrggbb, dark to bright
  blocks: {frames: number}[];
}

const damaged = (what: string) =>
    new DataError(`The run in this page is damaged: ${what}. Write the page again with \`writhe run --html\`.`);

const isTriple = (value: unknown) => Array.isArray(value) && value.length === 3 && value.every(isNumber);
const isCount = (value: unknown, least: number) => Number.isInteger(value) && (value as number) >= least;

function isRod(rod: RodHeader): boolean {
  const half = (value: unknown) =>
      isNumber(value) || (Array.isArray(value) && value.length === rod.nodes && value.every(isNumber));
  return isCount(rod.nodes, 2) && half(rod.half1) && half(rod.half2);
}

function isLink(link: LinkHeader, nodes: number): boolean {
  const isNode = (value: unknown) => isCount(value, 0) && (value as number) < nodes;
  const isEnd = (end: {point?: unknown; nodes?: unknown[]; weight?: unknown} | null) =>
      isTriple(end?.point) || (end?.nodes?.length === 2 && end.nodes.every(isNode) && isNumber(end.weight));
  return link.ends?.length === 2 && link.ends.every(isEnd) && Array.isArray(link.slack);
}

function isObstacle(one: ObstacleHeader, frames: number): boolean {
  const posed = Array.isArray(one?.poses) && (one.poses.length === 0 || one.poses.length === 7 * frames);
  return typeof one?.points === 'string' && typeof one.corners === 'string' && posed && one.poses.every(isNumber);
}

export function readHeader(text: string): Header {
  let header: Header;
  try {
    header = JSON.parse(text) as Header;
  } catch {
    throw damaged('its header is not JSON');
  }
  if (typeof header !== 'object' || header === null) throw damaged('its header is not an object');
  if (header.format !== 1) {
    throw new DataError(`This page plays runs of format 1, and the run in it has format ${String(header.format)}. ` +
                        'Write the page again with one version of the program.');
  }
  if (!Array.isArray(header.times) || header.times.length === 0 || !header.times.every(isNumber))
    throw damaged('it has no times');
  if (!Array.isArray(header.rods) || header.rods.length === 0) throw damaged('it has no rods');
  const bad = header.rods.find((rod) => !isRod(rod));
  if (bad) throw damaged(`rod "${String(bad.name)}" has no usable nodes or section`);
  const nodes = header.rods.reduce((sum, rod) => sum + rod.nodes, 0);
  if (!Array.isArray(header.links) || !header.links.every((link) => isLink(link, nodes)))
    throw damaged('a link has no usable ends');
  header.obstacles ??= [];
  if (!Array.isArray(header.obstacles) || !header.obstacles.every((one) => isObstacle(one, header.times.length)))
    throw damaged('an obstacle has no usable shape');
  if (header.contact && !(isNumber(header.contact.high) && header.contact.high > 0 && isNumber(header.contact.usual)))
    throw damaged('its forces of contact have no range');
  if (!isTriple(header.position?.low) || !isTriple(header.position?.step))
    throw damaged('it does not say where its positions start');
  if (!Array.isArray(header.fields) || !header.fields.every((field) => isNumber(field.low) && isNumber(field.high))) {
    throw damaged('a field has no range');
  }
  if (!Array.isArray(header.colormap) || header.colormap.length < 2) throw damaged('it has no colours');
  if (!Array.isArray(header.blocks) || !header.blocks.every((block) => isCount(block.frames, 1)))
    throw damaged('it has no blocks');
  const frames = header.blocks.reduce((sum, block) => sum + block.frames, 0);
  if (frames !== header.times.length) throw damaged(`it has ${header.times.length} times and ${frames} frames`);
  if (!isTriple(header.up) || Math.hypot(...header.up) === 0) header.up = [0, 0, 1];
  return header;
}

// All frames of a run, as textures take them. The nodes of a frame fill whole rows of `width` texels, so that a frame is one
// subarray and goes to the GPU without a copy; `texels` - `nodes` at its end are unused.
const leastSpan = 0.05; // of the largest value, from the first to the last colour

export class Run {
  readonly frames: number;
  readonly nodes: number;
  readonly first: number[]; // global index of the first node of each rod
  readonly width: number;
  readonly height: number;
  readonly texels: number; // of a frame
  readonly places: Uint16Array; // 4 a node: x, y, z, and the octahedral d1 as u + 256 v
  readonly values: Uint8Array[]; // of each field, 1 a node
  readonly pressures: Uint16Array; // of contact, 1 a node; none where the header has none
  readonly ways: Uint8Array; // their directions, octahedral, 2 a node
  loaded = 0; // frames that are there
  private readonly bytes: Uint8Array; // of `places`: 6 and 7 of a node are u and v (every browser is little-endian)

  constructor(readonly header: Header, readonly maxWidth = 2048) {
    this.frames = header.times.length;
    this.first = [];
    let nodes = 0;
    for (const rod of header.rods) {
      this.first.push(nodes);
      nodes += rod.nodes;
    }
    this.nodes = nodes;
    this.width = Math.min(nodes, maxWidth);
    this.height = Math.ceil(nodes / this.width);
    this.texels = this.width * this.height;
    try {
      this.places = new Uint16Array(4 * this.texels * this.frames);
      this.values = header.fields.map(() => new Uint8Array(this.texels * this.frames));
      const pressed = header.contact ? this.texels * this.frames : 0;
      this.pressures = new Uint16Array(pressed);
      this.ways = new Uint8Array(2 * pressed);
    } catch {
      throw new DataError(`This run is too large for the memory of this browser (${this.frames} frames of ${nodes} nodes). ` +
                          'Write fewer frames: a longer `output.frame_interval`.');
    }
    this.bytes = new Uint8Array(this.places.buffer);
  }

  // Position of a node in m; `part` in [0, 1) of the way from `frame` to the next one.
  position(node: number, frame: number, part = 0): [number, number, number] {
    const {low, step} = this.header.position;
    const a = 4 * (frame * this.texels + node);
    const b = frame + 1 < this.frames ? a + 4 * this.texels : a;
    const at = (c: 0 | 1 | 2) => low[c] + step[c] * ((1 - part) * this.places[a + c]! + part * this.places[b + c]!);
    return [at(0), at(1), at(2)];
  }

  // Of an end of a link, as position().
  endPosition(end: LinkEnd, frame: number, part = 0): [number, number, number] {
    if ('point' in end) return end.point;
    const {nodes, weight} = end;
    const [a, b] = [this.position(nodes[0], frame, part), this.position(nodes[1], frame, part)];
    const at = (c: 0 | 1 | 2) => (1 - weight) * a[c] + weight * b[c];
    return [at(0), at(1), at(2)];
  }

  value(field: number, node: number, frame: number): number {
    const {low, high} = this.header.fields[field]!;
    return low + ((high - low) * this.values[field]![frame * this.texels + node]!) / 255;
  }

  // The bytes of a field that its colours span. A spike of one node for a moment would leave one colour for all the rest: where
  // 95% of all values lie within half of the range, the colours span those.
  span(field: number): [number, number] {
    const counts = new Float64Array(256);
    const values = this.values[field]!;
    for (let k = 0; k < this.loaded; ++k) {
      for (let at = k * this.texels, end = at + this.nodes; at < end; ++at) ++counts[values[at]!]!;
    }
    const beyond = 0.025 * this.loaded * this.nodes;
    let [low, high] = [0, 255];
    for (let sum = counts[0]!; low < 254 && sum <= beyond; sum += counts[++low]!);
    for (let sum = counts[255]!; high > low + 1 && sum <= beyond; sum += counts[--high]!);
    if (low < 26) low = 0; // a tenth of the range is not worth a cut
    return this.widened(field, high - low < 128 && high - low > 4 ? [low, high] : [0, 255]);
  }

  // Values that are the same but for a few percent are to look the same: what is left of them is no variation to be shown.
  private widened(field: number, [first, last]: [number, number]): [number, number] {
    const {low, high} = this.header.fields[field]!;
    const step = (high - low) / 255;
    const ends = [low + step * first, low + step * last].map(Math.abs);
    const missing = leastSpan * Math.max(...ends) - step * (last - first);
    return missing > 0 && step > 0 ? [first - missing / (2 * step), last + missing / (2 * step)] : [first, last];
  }

  // N/m: what presses on a rod at a node, as a vector.
  contact(node: number, frame: number, part = 0): [number, number, number] {
    const at = (k: number): [number, number, number] => {
      const i = k * this.texels + node;
      const size = ((this.header.contact?.high ?? 0) * (this.pressures[i] ?? 0)) / 65535;
      if (!(size > 0)) return [0, 0, 0];
      return octahedral(this.ways[2 * i]!, this.ways[2 * i + 1]!).map((c) => size * c) as [number, number, number];
    };
    const a = at(frame);
    if (part === 0 || frame + 1 >= this.frames) return a;
    const b = at(frame + 1);
    return [0, 1, 2].map((c) => (1 - part) * a[c]! + part * b[c]!) as [number, number, number];
  }

  director(node: number, frame: number): [number, number, number] {
    const at = 8 * (frame * this.texels + node) + 6;
    return octahedral(this.bytes[at]!, this.bytes[at + 1]!);
  }

  // Puts the `count` frames of an inflated block behind those that are there.
  append(raw: Uint8Array, count: number): void {
    const {nodes, texels} = this;
    const values = count * nodes;
    const expected = values * (3 * 2 + 2 + this.values.length + (this.header.contact ? 4 : 0));
    if (raw.length !== expected) throw damaged(`a block holds ${raw.length} bytes instead of ${expected}`);
    let from = 0;
    const words = (target: Uint16Array, stride: number, offset: number) => {
      undoDifferences(target, stride, offset, this.loaded * texels, texels, nodes, count, 0xffff,
                      (i) => raw[from + i]! | (raw[from + values + i]! << 8));
      from += 2 * values;
    };
    const bytes = (target: Uint8Array, stride: number, offset: number) => {
      undoDifferences(target, stride, offset, this.loaded * texels, texels, nodes, count, 0xff, (i) => raw[from + i]!);
      from += values;
    };
    for (let c = 0; c < 3; ++c) words(this.places, 4, c);
    bytes(this.bytes, 8, 6);
    bytes(this.bytes, 8, 7);
    for (const field of this.values) bytes(field, 1, 0);
    if (this.header.contact) {
      words(this.pressures, 1, 0);
      bytes(this.ways, 2, 0);
      bytes(this.ways, 2, 1);
    }
    this.loaded += count;
  }
}

// Values are stored as zigzag-coded differences (mod mask + 1) from a prediction: in the first frame of a block the node before,
// in the second the frame before, from then on the straight line through the two frames before.
function undoDifferences(target: Uint16Array | Uint8Array, stride: number, offset: number, start: number, texels: number,
                         nodes: number, count: number, mask: number, code: (i: number) => number): void {
  const frame = stride * texels;
  for (let k = 0, i = 0; k < count; ++k) {
    let at = stride * (start + k * texels) + offset;
    let before = 0;
    for (let m = 0; m < nodes; ++m, ++i, at += stride) {
      const zigzag = code(i);
      const difference = (zigzag >>> 1) ^ -(zigzag & 1);
      const predicted = k === 0 ? before : k === 1 ? target[at - frame]! : 2 * target[at - frame]! - target[at - 2 * frame]!;
      before = (predicted + difference) & mask;
      target[at] = before;
    }
  }
}

// Unit vector of a pair of bytes (the shader in shaders.ts has the same).
export function octahedral(u: number, v: number): [number, number, number] {
  let a = (u / 255) * 2 - 1;
  let b = (v / 255) * 2 - 1;
  const z = 1 - Math.abs(a) - Math.abs(b);
  if (z < 0) [a, b] = [(1 - Math.abs(b)) * (a < 0 ? -1 : 1), (1 - Math.abs(a)) * (b < 0 ? -1 : 1)];
  const length = Math.hypot(a, b, z);
  return [a / length, b / length, z / length];
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Decodes block after block and says after each that there is more; `pause` lets the page draw in between.
export async function decode(run: Run, text: string, progress: () => void, pause: () => Promise<void>): Promise<void> {
  let start = 0;
  for (const [index, block] of run.header.blocks.entries()) {
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    const name = `block ${index + 1} of ${run.header.blocks.length}`;
    if (end <= start) throw damaged(`${name} is missing`);
    let raw: Uint8Array;
    try {
      raw = await inflate(fromBase64(text.slice(start, end)));
    } catch {
      throw damaged(`${name} cannot be unpacked`);
    }
    run.append(raw, block.frames);
    start = end + 1;
    progress();
    await pause();
  }
}
