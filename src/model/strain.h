// Strains of a model's elements in a state.
#pragma once

#include <algorithm>
#include <cmath>

#include "elastic/joint.h"
#include "elastic/segment.h"
#include "math/rotation.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::strain {

// Shear along d1 and d2 and stretch along d3 (dimensionless, body components).
inline Vec3 of_segment(const Model& model, const State& state, int segment) {
  const Segments& segments = model.segments();
  const Vec3 edge = state.x[segments.node1[segment]] - state.x[segments.node0[segment]];
  return elastic::segment_strain(edge / segments.length[segment], state.q[segment]);
}

// How a joint sees its b: Joints::turn_b, and for the one that closes a ring how far its angle has been driven, `closing` per
// rod.
inline Quat turn_b(const Model& model, const std::vector<double>& closing, int joint) {
  const Quat& turn = model.joints().turn_b[joint];
  const int ring = model.joints().closes[joint];
  return ring < 0 || closing[ring] == 0 ? turn : turn * about_axis(model.rods()[ring].closing_axis, closing[ring]);
}
inline Quat turn_b(const Model& model, const State& state, int joint) { return turn_b(model, state.closing, joint); }

// The relative rotation with these angles: the inverse of elastic::joint_angles. A bend beyond half a turn counts as that.
inline Quat joint_rotation(const Vec3& angles) {
  const Vec3 half = 0.5 * angles;
  const double rho = std::sqrt(std::max(0.0, 1 - half.x * half.x - half.y * half.y));
  return normalized(Quat{rho * std::cos(half.z), half.x, half.y, rho * std::sin(half.z)});
}

// Of a joint without stress.
inline Quat rest_rotation_of_joint(const Model& model, int joint) {
  return joint_rotation(model.joints().length[joint] * model.joints().strain_rest[joint]);
}

// Relative rotation of a joint from a to b, seen through its turns.
inline Quat rotation_of_joint(const Model& model, const State& state, int joint) {
  const Joints& joints = model.joints();
  return conj(state.q[joints.a[joint]] * joints.turn_a[joint]) * state.q[joints.b[joint]] * turn_b(model, state, joint);
}

// Curvatures about d1 and d2 and twist about d3 (1/m), as they are, not relative to the rest shape.
inline Vec3 of_joint(const Model& model, const State& state, int joint) {
  return elastic::joint_angles(rotation_of_joint(model, state, joint)) / model.joints().length[joint];
}

}  // namespace writhe::strain
