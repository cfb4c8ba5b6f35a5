// Rods cut into short straight pieces that can be painted one after the other.
#pragma once

#include <vector>

#include "measure/measure.h"
#include "output/rod_curve.h"
#include "output/svg_view.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::output {

struct Piece {
  Station a, b;
  int rod = 0;
  int segment = 0;                            // whose value colours it
  bool rod_starts = false, rod_ends = false;  // at a, at b: an end of the rod, whose face may be seen
};

// A smooth curve goes through every node exactly. A segment is cut finer where it bends, twists or runs in depth, as far as
// `budget` pieces for the whole state allow; beyond that, neighbouring segments are drawn as one.
std::vector<Piece> cut_into_pieces(const Model& model, const State& state, const measure::SegmentJoints& joints,
                                   const Camera& camera, int budget);

}  // namespace writhe::output
