// How large a scene is, and where along its rods things are.
#pragma once

#include <algorithm>

#include "writhe/model.h"

namespace writhe {

// m, rest length.
inline double longest_rod(const Model& model) {
  double length = 0;
  for (const RodRange& rod : model.rods()) length = std::max(length, rod.length);
  return length;
}

// The number of a node along a rod, 0 ... segment_count; -1 where it is not one of the rod's. Nodes that rods share are numbered
// with the first of them.
inline int number_along(const Model& model, int rod, int node) {
  for (int k = 0; k <= model.rods()[rod].segment_count; ++k)
    if (model.node_of(rod, k) == node) return k;
  return -1;
}

// The first rod that a node of the model is on, and the number of the node along it; -1 where there is none.
struct AlongRod {
  int rod = -1, number = -1;
};
inline AlongRod along_rod(const Model& model, int node) {
  for (int rod = 0; rod < static_cast<int>(model.rods().size()); ++rod)
    if (const int k = number_along(model, rod, node); k >= 0) return {rod, k};
  return {};
}

}  // namespace writhe
