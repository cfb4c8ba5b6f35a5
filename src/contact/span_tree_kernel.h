// Spans in a tree of boxes, eight to a block, as the vector kernel of the search sees them.
#pragma once

namespace writhe::contact {

// All places to which a span may come in a step, with its radius and half of what it acts within: two spans that may touch have
// boxes that meet, and tubes, straight lines with a radius around them, that meet. m
struct Sweep {
  double box[6];   // low x, y, z, high x, y, z
  double tube[9];  // from x, y, z, way x, y, z, radius; which span; one over the way squared, or a large number
};

// Blocks hold eight of whatever they hold, number by number: eight low x, eight low y, ... The m-th node of a level is the box
// around the m-th block of the level below; level 0 has the spans. What fills up a block meets nothing.
struct SpanBlocks {
  static constexpr int width = 8, most_levels = 12;
  static constexpr int box_numbers = 6, tube_numbers = 9;  // as Sweep has them
  int levels = 0;                                          // the last has one block
  const double* boxes[most_levels] = {};
  const double* tubes = nullptr;  // of level 0
  const int* span = nullptr;      // of level 0: which one
};

struct SpanKernel {
  // Pairs of a span of a block with one behind it in the tree that meet, boxes and tubes. Writes the lower span of each and then
  // the higher, in no order and no more than `most` pairs; returns how many there are.
  int (*find)(const SpanBlocks& blocks, int block, int* found, int most);
  // Which of several spans meet one: writes their places in `others`, ascending, and returns how many there are.
  int (*choose)(const Sweep* sweeps, int one, const int* others, int count, int* chosen);
};
const SpanKernel& span_kernel();

}  // namespace writhe::contact
