// How all rods of a state wind and what they are tied in, within a bound of work: for summaries.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/topology.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::measure {

struct Winding {
  RodTopology turns;
  std::string knot;  // see knots.h
};
struct LinkedRings {
  int a, b;  // rods
  int link;  // not 0
};
struct Windings {
  std::vector<std::optional<Winding>> rods;  // none where the work would have been too much
  std::vector<LinkedRings> rings;
  int rods_left_out = 0, ring_pairs_left_out = 0;
};

// Of so many pairs of segments, of rods with themselves and of rings with each other, about a twentieth of a second is spent.
// What comes first in the scene is looked at first; what would go beyond is left out, and smaller ones after it are not.
inline constexpr double most_pairs = 1e6;
Windings windings_of(const Model& model, const State& state);

}  // namespace writhe::measure
