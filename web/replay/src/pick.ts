// What lies under a point of the picture, found among the nodes: nothing is drawn for it.
import {segmentCurve} from './curve';
import {half, type Run} from './data';
import type {Triple} from './fit';

// Where a place is seen: CSS pixels, and how many a metre is there (the larger, the nearer); 0 behind the camera.
export interface Seen {
  x: number;
  y: number;
  perMetre: number;
}

export interface Spot {
  rod: number;
  segment: number; // of the rod, from 0
  t: number; // of the segment, 0 to 1
}

export interface Instant {
  frame: number;
  part: number; // of the way to the next one
}

const pieces = 8; // straight ones a segment

// The curve of a segment at an instant, in m.
export function curveOf(run: Run, chain: Int32Array, row: number, {frame, part}: Instant): (t: number) => Triple {
  const [before, start, end, after] = chain.subarray(4 * row, 4 * row + 4) as unknown as [number, number, number, number];
  const place = (node: number) => run.position(node, frame, part);
  return segmentCurve([place(before), place(start), place(end), place(after)], before === start, end === after);
}

// The rod nearest to the eye of those the point is on, or else the nearest to the point within `reach` pixels. `chain`:
// chains(run).
export function pick(run: Run, chain: Int32Array, instant: Instant, project: (place: Triple) => Seen,
                     point: {x: number; y: number}, reach: number): Spot | null {
  let best: Spot | null = null;
  let [bestGap, bestScale] = [reach, 0];
  let row = 0;
  run.header.rods.forEach((rod, r) => {
    const seen = Array.from({length: rod.nodes}, (_, m) =>
        project(run.position(run.first[r]! + m, instant.frame, instant.part)));
    for (let i = 0; i + 1 < rod.nodes; ++i, ++row) {
      const [a, b] = [seen[i]!, seen[i + 1]!];
      if (a.perMetre === 0 || b.perMetre === 0) continue;
      const scale = Math.max(a.perMetre, b.perMetre);
      const [wide1, wide2] = [half(rod.half1, i), half(rod.half2, i)];
      const room = reach + scale * Math.max(wide1, wide2) + 0.3 * Math.hypot(b.x - a.x, b.y - a.y); // a cubic leaves its chord
      if (Math.min(a.x, b.x) > point.x + room || Math.max(a.x, b.x) < point.x - room) continue;
      if (Math.min(a.y, b.y) > point.y + room || Math.max(a.y, b.y) < point.y - room) continue;
      const {t, distance} = nearestOn(curveOf(run, chain, row, instant), project, point);
      const gap = Math.max(distance - scale * Math.min(wide1, wide2), 0);
      if (gap < bestGap || (gap === 0 && bestGap === 0 && scale > bestScale)) {
        best = {rod: r, segment: i, t};
        [bestGap, bestScale] = [gap, scale];
      }
    }
  });
  return best;
}

function nearestOn(curve: (t: number) => Triple, project: (place: Triple) => Seen, point: {x: number; y: number}) {
  let best = {t: 0, distance: Infinity};
  let a = project(curve(0));
  for (let k = 0; k < pieces; ++k) {
    const b = project(curve((k + 1) / pieces));
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const square = dx * dx + dy * dy;
    const along = square > 0 ? Math.min(Math.max(((point.x - a.x) * dx + (point.y - a.y) * dy) / square, 0), 1) : 0;
    const distance = Math.hypot(a.x + along * dx - point.x, a.y + along * dy - point.y);
    if (distance < best.distance) best = {t: (k + along) / pieces, distance};
    a = b;
  }
  return best;
}

// Part of the rod's length, 0 to 1. Segments share it evenly (docs/scene.md).
export const fractionOf = (run: Run, {rod, segment, t}: Spot) => (segment + t) / (run.header.rods[rod]!.nodes - 1);

export function spotAt(run: Run, rod: number, fraction: number): Spot {
  const segments = run.header.rods[rod]!.nodes - 1;
  const segment = Math.min(Math.max(Math.floor(fraction * segments), 0), segments - 1);
  return {rod, segment, t: fraction * segments - segment};
}

// N/m, at a spot: between the nodes, and between the frames.
export function contactAt(run: Run, {rod, segment, t}: Spot, {frame, part}: Instant): number {
  const node = run.first[rod]! + segment;
  const [a, b] = [run.contact(node, frame, part), run.contact(node + 1, frame, part)];
  return Math.hypot(...a.map((value, c) => (1 - t) * value + t * b[c]!));
}

// Of a field at a spot: between the nodes, and between the frames.
export function valueAt(run: Run, field: number, {rod, segment, t}: Spot, {frame, part}: Instant): number {
  const node = run.first[rod]! + segment;
  const at = (frame: number) => (1 - t) * run.value(field, node, frame) + t * run.value(field, node + 1, frame);
  return part > 0 ? (1 - part) * at(frame) + part * at(frame + 1) : at(frame);
}
