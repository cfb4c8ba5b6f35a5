// Strains of a model's elements in a state.
#pragma once

#include "elastic/joint.h"
#include "elastic/segment.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::strain {

// Shear along d1 and d2 and stretch along d3 (dimensionless, body components).
inline Vec3 of_segment(const Model& model, const State& state, int segment) {
  const Segments& segments = model.segments();
  const Vec3 edge = state.x[segments.node1[segment]] - state.x[segments.node0[segment]];
  return elastic::segment_strain(edge / segments.length[segment], state.q[segment]);
}

// Relative rotation of a joint from a to b, seen through its turns.
inline Quat rotation_of_joint(const Model& model, const State& state, int joint) {
  const Joints& joints = model.joints();
  return conj(state.q[joints.a[joint]] * joints.turn_a[joint]) * state.q[joints.b[joint]] * joints.turn_b[joint];
}

// Curvatures about d1 and d2 and twist about d3 (1/m), as they are, not relative to the rest shape.
inline Vec3 of_joint(const Model& model, const State& state, int joint) {
  return elastic::joint_angles(rotation_of_joint(model, state, joint)) / model.joints().length[joint];
}

}  // namespace writhe::strain
