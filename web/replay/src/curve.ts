// A rod as a smooth curve through its nodes: the same as in src/output/rod_curve.cpp, which draws the pictures and the meshes. The
// shader in shaders.ts has it once more, for the tubes; this one is for pointing at them.
import type {Run} from './data';
import {dot, plus, scaled, type Triple} from './fit';

export const kink = 0.9; // rad: a sharper bend between two segments is drawn as a corner

// Nodes before, at the start of, at the end of, and after every segment; an open end of a rod repeats itself.
export function chains(run: Run): Int32Array {
  const found: number[] = [];
  run.header.rods.forEach((rod, r) => {
    const first = run.first[r]!;
    const last = first + rod.nodes - 1;
    for (let i = first; i < last; ++i) {
      const before = i > first ? i - 1 : rod.closed ? last - 1 : i;
      const after = i + 1 < last ? i + 2 : rod.closed ? first + 1 : i + 1;
      found.push(before, i, i + 1, after);
    }
  });
  return new Int32Array(found);
}

const minus = (a: Triple, b: Triple) => plus(a, scaled(b, -1));

// Slope at an inner node, per segment (Catmull and Rom, 1974), of the segment with `chord`. The rest lengths, which weigh the two
// chords in rod_curve.cpp, are not in the page: lengths as they are differ from them by the change of strain over a segment.
function innerSlope(chord: Triple, other: Triple): Triple {
  const [length, otherLength] = [Math.hypot(...chord), Math.hypot(...other)];
  const corner = dot(chord, other) < Math.cos(kink) * length * otherLength;
  return corner || length === 0 ? chord : scaled(plus(chord, other), length / (length + otherLength));
}

// The segment of a chain, a cubic: at(0) and at(1) are its nodes.
export function segmentCurve(places: [Triple, Triple, Triple, Triple], openStart: boolean, openEnd: boolean) {
  const [before, start, end, after] = places;
  const chord = minus(end, start);
  const inner = [openStart ? chord : innerSlope(chord, minus(start, before)),
                 openEnd ? chord : innerSlope(chord, minus(after, end))] as const;
  // An open end gets no curvature beyond that of its segment.
  const slope = (open: boolean, own: Triple, other: Triple) =>
      (open ? plus(scaled(chord, 1.5), scaled(other, -0.5)) : own);
  const m0 = slope(openStart, inner[0], inner[1]);
  const m1 = slope(openEnd, inner[1], inner[0]);
  return (t: number): Triple => {
    const [t2, t3] = [t * t, t * t * t];
    return plus(plus(start, scaled(m0, t3 - 2 * t2 + t)), plus(scaled(chord, 3 * t2 - 2 * t3), scaled(m1, t3 - t2)));
  };
}

// m, the longest distance of neighbouring nodes of a frame.
export function longestSegment(run: Run, frame: number): number {
  const {step} = run.header.position;
  let longest = 0;
  run.header.rods.forEach((rod, r) => {
    let at = 4 * (frame * run.texels + run.first[r]!);
    for (const end = at + 4 * (rod.nodes - 1); at < end; at += 4) {
      let sum = 0;
      for (let c = 0; c < 3; ++c) sum += (step[c]! * (run.places[at + 4 + c]! - run.places[at + c]!)) ** 2;
      longest = Math.max(longest, sum);
    }
  });
  return Math.sqrt(longest);
}
