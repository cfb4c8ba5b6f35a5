// The bend-twist element between two orientations. Derivation: docs/theory/rod.md, "Joint".
#pragma once

#include <cmath>

#include "writhe/vec.h"

namespace writhe::elastic {

// Angle of the complex number (c, s), rad; a vector register brings its own overload.
WRITHE_FN double angle_of(double s, double c) { return std::atan2(s, c); }

// The bend-twist strain times the joint's length, of the relative unit rotation q = conj(qa) qb:
//   (2 q1, 2 q2, 2 atan2(q3, q0)).
// Why this and not 2 Im q: the twist is exact for any angle and the moment of a turned joint keeps growing past 90 degrees.
// Why not the rotation vector: it stiffens bending under twist. Needs signs that are continuous along the rod.
template <class T>
WRITHE_FN TVec3<T> joint_angles(const TQuat<T>& q) {
  return {q.x + q.x, q.y + q.y, T(2.0) * angle_of(q.z, q.w)};
}

}  // namespace writhe::elastic
