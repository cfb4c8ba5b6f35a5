// Loads and supports where the implicit solve of a step ends (its end, or its middle for Integrator::midpoint), per node and per
// orientation: what a solver is given besides the model.
#pragma once

#include <vector>

#include "writhe/vec.h"

namespace writhe {

// Moments and follower forces in a step: forces that are known when it starts, or left to a term (followers.h), which takes them
// where the step ends.
enum class Followers { lag, in_terms };

struct Loading {
  double time = 0;                           // s
  bool has_drag = true, has_moments = true;  // false: drag and drag_force, or moment, are zero everywhere
  std::vector<Vec3> force;                   // per node: N, space; gravity included
  std::vector<Vec3> moment;                  // per orientation: N m, body components
  std::vector<Sym3> drag;                    // per node: N s/m; force -drag * v + drag_force. Zero where nothing drags
  std::vector<Vec3> drag_force;              // per node: N, drag * velocity of the medium
  std::vector<Vec3> x_support;               // per node: m; used for the coordinates that are fixed
  std::vector<Quat> q_support;               // per frame; used for prescribed frames
  std::vector<double> closing;               // per rod: rad, State::closing there
  // Added to the strain of a segment (dimensionless) or a joint (1/m) before its stress is taken. Empty: nothing is.
  std::vector<Vec3> segment_strain, joint_strain;
};

}  // namespace writhe
