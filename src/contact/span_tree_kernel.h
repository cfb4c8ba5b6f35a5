// Spans in a tree of boxes, eight to a block, as the vector kernel of the search sees them.
#pragma once

namespace writhe::contact {

// Blocks hold eight of whatever they hold, number by number: eight low x, eight low y, ... The m-th node of a level is the box
// around the m-th block of the level below; level 0 has the spans. What fills up a block meets nothing.
struct SpanBlocks {
  static constexpr int width = 8, most_levels = 12;
  static constexpr int box_numbers = 6;   // low x, y, z, high x, y, z: m
  static constexpr int tube_numbers = 8;  // from x, y, z, way x, y, z, radius: m; which span
  int levels = 0;                         // the last has one block
  const double* boxes[most_levels] = {};
  const double* tubes = nullptr;  // of level 0
  const int* span = nullptr;      // of level 0: which one
};

struct SpanKernel {
  // Pairs of a span of a block with one behind it in the tree whose boxes meet and whose tubes, straight lines with a radius
  // around them, meet. Writes the lower span of each and then the higher, in no order and no more than `most` pairs; returns how
  // many there are.
  int (*find)(const SpanBlocks& blocks, int block, int* found, int most);
};
const SpanKernel& span_kernel();

}  // namespace writhe::contact
