// Whether what is held is met on its way by an obstacle, which no step could satisfy.
#pragma once

#include <vector>

#include "writhe/model.h"

namespace writhe::contact {

struct RunOver {
  double time = 0;  // s, about when it begins
  int support = 0, obstacle = 0;
};
// Held nodes and obstacles that come to be deeper in each other than at the start. None for a node that is free along an axis.
std::vector<RunOver> run_overs(const Model& model, double until);

}  // namespace writhe::contact
