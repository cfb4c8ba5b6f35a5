// Where a camera has to stand to see a motion: pure geometry.
import type {Header, Run} from './data';

export type Triple = [number, number, number];

export const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Triple, b: Triple): Triple =>
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const scaled = (a: Triple, factor: number): Triple => [a[0] * factor, a[1] * factor, a[2] * factor];
export const plus = (a: Triple, b: Triple): Triple => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const unit = (a: Triple): Triple => scaled(a, 1 / (Math.hypot(...a) || 1));

// m, where links are held.
export const fixedPoints = ({links}: Header): Triple[] =>
    links.flatMap(({ends}) => ends.flatMap((end) => ('point' in end ? [end.point] : [])));

// m, two corners of the box around the whole motion and all fixed points.
export function box(header: Header): [Triple, Triple] {
  const {low, step} = header.position;
  const high = low.map((value, c) => value + 65535 * step[c]!) as Triple;
  const furthest = (pick: (a: number, b: number) => number, corner: Triple) =>
      fixedPoints(header).reduce((found, point) => found.map((value, c) => pick(value, point[c]!)) as Triple, corner);
  return [furthest(Math.min, low), furthest(Math.max, high)];
}

// At most about `most` positions (m) of the loaded frames, spread over nodes and frames; the first and the last frame and all
// ends of rods are in it. And all fixed points.
export function samples(run: Run, most = 6000): Triple[] {
  const perFrame = Math.min(run.nodes, 600);
  const frames = Math.max(Math.min(run.loaded, Math.floor(most / perFrame)), 1);
  const nodes = new Set<number>();
  const stride = Math.max(Math.ceil(run.nodes / perFrame), 1);
  for (let m = 0; m < run.nodes; m += stride) nodes.add(m);
  run.header.rods.forEach((rod, r) => nodes.add(run.first[r]!).add(run.first[r]! + rod.nodes - 1));
  const found = fixedPoints(run.header);
  for (let k = 0; k < frames; ++k) {
    const frame = frames > 1 ? Math.round((k * (run.loaded - 1)) / (frames - 1)) : 0;
    for (const node of nodes) found.push(run.position(node, frame));
  }
  return found;
}

// The part of the picture that is left free by what lies over it: fractions of its half width and half height, from the middle.
export interface Opening {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

// The nearest camera that looks along -`back` with `up` upright and has all points, balls of radius `size`, in the opening of a
// picture whose half height is `tangent` times the distance. In camera axes a point p is right of the left edge when p.x - c.x >=
// -left * tangent * aspect * (c.z - p.z), and so on: linear in the camera c, so the extremes of four sums give it.
export function standpoint(
    points: Triple[], size: number, back: Triple, up: Triple, tangent: number, aspect: number, opening: Opening) {
  const z = unit(back);
  const x = unit(cross(up, z));
  const y = cross(z, x);
  const slopes = {left: opening.left * tangent * aspect, right: opening.right * tangent * aspect, top: opening.top * tangent,
                  bottom: opening.bottom * tangent};
  const most = {left: -Infinity, right: -Infinity, top: -Infinity, bottom: -Infinity};
  let [near, far] = [-Infinity, Infinity];
  for (const point of points) {
    const [px, py, pz] = [dot(point, x), dot(point, y), dot(point, z)];
    most.left = Math.max(most.left, -px + pz * slopes.left + size * Math.hypot(1, slopes.left));
    most.right = Math.max(most.right, px + pz * slopes.right + size * Math.hypot(1, slopes.right));
    most.bottom = Math.max(most.bottom, -py + pz * slopes.bottom + size * Math.hypot(1, slopes.bottom));
    most.top = Math.max(most.top, py + pz * slopes.top + size * Math.hypot(1, slopes.top));
    near = Math.max(near, pz);
    far = Math.min(far, pz);
  }
  const cz = Math.max(
      (most.left + most.right) / (slopes.left + slopes.right), (most.bottom + most.top) / (slopes.bottom + slopes.top),
      near + size);
  const cx = (most.right - cz * slopes.right - most.left + cz * slopes.left) / 2;
  const cy = (most.top - cz * slopes.top - most.bottom + cz * slopes.bottom) / 2;
  const at = (depth: number) => plus(plus(scaled(x, cx), scaled(y, cy)), scaled(z, depth));
  return {camera: at(cz), target: at((near + far) / 2), distance: cz - (near + far) / 2};
}
