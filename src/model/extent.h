// How large a scene is.
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

}  // namespace writhe
