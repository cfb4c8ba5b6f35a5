// Shapes of rods on a flat picture: no browser needed.
import {isNumber} from '../../common/data';
import type {Motion, Node3, Shapes, View} from './data';

type Triple = [number, number, number];
const unit = (v: Triple): Triple => v.map((value) => value / Math.hypot(...v)) as Triple;

// Directions to the right and upwards, as in the pictures of the program (src/output/svg_view.cpp).
const cameras: Record<View, {right: Triple; up: Triple}> = {
  xy: {right: [1, 0, 0], up: [0, 1, 0]},
  xz: {right: [1, 0, 0], up: [0, 0, 1]},
  yz: {right: [0, 1, 0], up: [0, 0, 1]},
  iso: {right: unit([1, 1, 0]), up: unit([-1, 1, 2])},
};

const whole = (node: Node3 | undefined): node is Triple => node !== undefined && node.every(isNumber);
const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export type Flat = [number, number] | null; // m, right and up; null where a position is not known

export function project(node: Node3 | undefined, view: View): Flat {
  if (!whole(node)) return null;
  const {right, up} = cameras[view];
  return [dot(node, right), dot(node, up)];
}

// The node of a rod of `nodes` nodes that lies at the same part of it as node k of a rod of `of` nodes.
const twin = (k: number, of: number, nodes: number) => (of === nodes ? k : Math.round((k * (nodes - 1)) / Math.max(of - 1, 1)));

// A rod of a method, its distance from the reference enlarged.
export function magnified(rod: Node3[], reference: Node3[], factor: number): Node3[] {
  if (factor === 1) return rod;
  return rod.map((node, k) => {
    const other = reference[twin(k, rod.length, reference.length)];
    if (!whole(node) || !whole(other)) return [null, null, null];
    return node.map((value, c) => other[c]! + factor * (value - other[c]!));
  });
}

// The largest distance of a node from the reference at a time, m; null where there is none.
export function deviation(motion: Motion, reference: Motion, time: number): number | null {
  let most: number | null = null;
  motion[time]?.forEach((rod, r) => rod.forEach((node, k) => {
    const other = reference[time]?.[r]?.[twin(k, rod.length, reference[time]![r]!.length)];
    if (whole(node) && whole(other)) most = Math.max(most ?? 0, Math.hypot(...node.map((value, c) => value - other[c]!)));
  }));
  return most;
}

export interface Box {
  low: [number, number];
  high: [number, number];
}

// What all shapes at all times take up.
export function boxOf({reference, methods}: Shapes, shown: string[], view: View, factor: number): Box {
  const box: Box = {low: [Infinity, Infinity], high: [-Infinity, -Infinity]};
  const include = (rod: Node3[]) => {
    for (const node of rod) {
      const at = project(node, view);
      if (!at) continue;
      for (const c of [0, 1] as const) [box.low[c], box.high[c]] = [Math.min(box.low[c], at[c]), Math.max(box.high[c], at[c])];
    }
  };
  reference.forEach((rods, time) => {
    rods.forEach(include);
    for (const name of shown) methods.get(name)?.[time]?.forEach((rod, r) => include(magnified(rod, rods[r] ?? [], factor)));
  });
  return box.low[0] <= box.high[0] ? box : {low: [0, 0], high: [1, 1]};
}

export interface Fit {
  height: number; // pixels
  scale: number; // pixels a metre
  at: (point: [number, number]) => [number, number]; // m -> pixels, y downwards
}

export function fit({low, high}: Box, width: number, room = 28, least = 180, most = 520): Fit {
  const size = [Math.max(high[0] - low[0], 1e-12), Math.max(high[1] - low[1], 1e-12)] as const;
  const height = Math.min(Math.max(((width - 2 * room) * size[1]) / size[0] + 2 * room, least), most);
  const scale = Math.min((width - 2 * room) / size[0], (height - 2 * room) / size[1]);
  const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2] as const;
  return {height, scale, at: ([x, y]) => [width / 2 + scale * (x - middle[0]), height / 2 - scale * (y - middle[1])]};
}
