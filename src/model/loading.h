// Loads and supports at the end of a step, per node and per orientation: what a solver is given besides the model.
#pragma once

#include <vector>

#include "writhe/vec.h"

namespace writhe {

struct Loading {
  std::vector<Vec3> force;       // per node: N, space; gravity included
  std::vector<Vec3> moment;      // per orientation: N m, body components
  std::vector<Sym3> drag;        // per node: N s/m; force -drag * v + drag_force. Zero where nothing drags
  std::vector<Vec3> drag_force;  // per node: N, drag * velocity of the medium
  std::vector<Vec3> x_support;   // per node: m; used for the coordinates that are fixed
  std::vector<Quat> q_support;   // per frame; used for prescribed frames
  std::vector<double> closing;   // per rod: rad, State::closing at the end of the step
};

}  // namespace writhe
