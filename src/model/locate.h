// Where along a rod a place is.
#pragma once

#include <optional>
#include <span>

#include "writhe/scene.h"

namespace writhe {

// A point of a rod: the fraction of a segment's rest length from its first node. At a node (to 1e-9 of the rod's length)
// the fraction is exactly 0, or 1 in the last segment.
struct Spot {
  int segment = 0;
  double fraction = 0;
  double arclength = 0;  // m, rest, from the start of the rod
  // Number of the node along the rod (0 ... segments), when the spot is one.
  std::optional<int> node() const;
};

// `length`: rest lengths of the rod's segments. The place must have passed check_place.
Spot locate(const Place& place, std::span<const double> length);

}  // namespace writhe
