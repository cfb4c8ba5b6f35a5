// What a step changes. Nothing else does change while a simulation runs.
#pragma once

#include <vector>

#include "writhe/vec.h"

namespace writhe {

struct State {
  double time = 0;      // s
  std::vector<Vec3> x;  // per node: position, m, space
  std::vector<Vec3> v;  // per node: velocity, m/s, space
  // Per orientation, segments first, then frames (Model::orientation_count()). Signs are kept continuous along a
  // rod and over time: q and -q are one orientation, but two different twists of a joint.
  std::vector<Quat> q;  // unit quaternion, body to space
  std::vector<Vec3> w;  // angular velocity, rad/s, body components
  // Per rod: how far a ring's closing angle has been driven, rad, not reduced; 0 for open rods.
  std::vector<double> closing;
};

}  // namespace writhe
