// How finely tubes are drawn. An integrated GPU draws a few hundred million triangles a second; 60 pictures of a million take a
// part of that.
export const mostTriangles = 1e6;

const mostPieces = 8; // of a segment: a bend of 0.9 rad, the sharpest without a corner, is 6 degrees a piece
const piece = 5; // CSS pixels along

export interface Detail {
  sides: number; // of a section: a multiple of 4 (tubes.ts)
  pieces: number; // of a segment
}

// `width`, `length`: of the thickest rod and the longest segment in CSS pixels, where it is nearest. Rods that are thin on the
// screen get fewer corners, short segments fewer pieces. A thick tube gets pieces even where its segments are short: they may be
// twisted by half a turn each, and a straight piece between turned sections is thinner in its middle. All triangles, ends
// included, stay within `mostTriangles` where the least, 16 a segment and 8 an end, do.
export function detail(segments: number, ends: number, width: number, length: number): Detail {
  let sides = width < 5 ? 8 : width < 24 ? 16 : 40;
  let pieces = Math.min(Math.max(Math.ceil(Math.max(width, length) / piece), 1), mostPieces);
  const triangles = () => sides * (2 * segments * pieces + ends);
  if (sides === 40 && triangles() > mostTriangles) sides = 16;
  while (pieces > 1 && triangles() > mostTriangles) --pieces;
  if (triangles() > mostTriangles) sides = 8;
  return {sides, pieces};
}
