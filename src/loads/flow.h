// The force of a medium that flows past a segment, by where the segment is and how fast, with its derivatives.
//
// In body components a medium of velocity u meets node i with y_i = R^T (u - v_i) and pushes it with R A y_i, where A =
// diag(across, across, along). Wind has along = 0 and across = k g, k = density coefficient l/4; with r = R^T (u - (v_0 + v_1)/2)
// the speed across the rod times the width that meets it is g = 2 sqrt(a^2 r_y^2 + b^2 r_x^2), a and b the half widths along d1
// and d2: smooth but where nothing blows across. These are the forces of HalfDrag (acting.h) without what it holds fixed.
#pragma once

#include "loads/acting.h"

namespace writhe::loads {

// A segment in a flow.
struct InFlow {
  Quat q{1, 0, 0, 0};
  Vec3 v[2]{};  // m/s, of its nodes
};

struct FlowForce {
  Vec3 force[2];           // N, space: on its nodes
  Mat3 by_turn[2];         // N/rad: by the segment's turn, body components (q -> q exp(delta/2))
  Mat3 by_velocity[2][2];  // N s/m: of the force on node i by the velocity of node j
};

// load: drag or wind (is_flow). factor: its ramp.
FlowForce flow_force(const Model& model, int segment, const InFlow& at, const Load& load, double factor);

}  // namespace writhe::loads
