// The bend-twist element of a rod that is sharply bent without stress. Derivation: docs/theory/rod.md, "Corners".
//
// Between the orientations a and b of two segments lie two half segments, each straight and along its own leg, with a free frame
// where they meet. Condensed, that frame leaves an ordinary joint (joint.h) between turned sides: without stress its relative
// rotation conj(qa turn_a) qb turn_b is the identity.
#pragma once

#include <cmath>

#include "elastic/segment.h"
#include "math/rotation.h"
#include "writhe/vec.h"

namespace writhe::elastic {

struct CornerJoint {
  Quat turn_a, turn_b;  // from the segments to the axes in which the stiffness is diagonal
  Vec3 bend;            // N m: moment by angle
};

// The turn from axes to those in which a symmetric matrix is diagonal, by Jacobi's rotations, and the diagonal there. No rotation
// exceeds 45 degrees and none is done for what is rounding: axes go no further than they have to, and stay in their order.
struct PrincipalAxes {
  Quat turn;
  Vec3 diagonal;
};
inline PrincipalAxes principal_axes(const Sym3& m) {
  double a[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
  const double negligible = 1e-15 * (std::abs(m.xx) + std::abs(m.yy) + std::abs(m.zz));
  Quat turn{1, 0, 0, 0};
  for (int sweep = 0; sweep < 30; ++sweep) {
    bool done = true;
    for (int axis = 0; axis < 3; ++axis) {
      const int p = (axis + 1) % 3, r = (axis + 2) % 3;
      if (std::abs(a[p][r]) <= negligible) continue;
      done = false;
      // tan of the angle from p towards r: the smaller root of t^2 + 2 s t - 1 = 0
      const double s = (a[p][p] - a[r][r]) / (2 * a[p][r]);
      const double t = (s < 0 ? -1 : 1) / (std::abs(s) + std::sqrt(s * s + 1));
      const double app = a[p][p] + t * a[p][r], arr = a[r][r] - t * a[p][r];
      const double c = 1 / std::sqrt(t * t + 1);
      const double along = c * (a[p][axis] + t * a[r][axis]), across = c * (a[r][axis] - t * a[p][axis]);
      a[p][p] = app, a[r][r] = arr, a[p][r] = a[r][p] = 0;
      a[p][axis] = a[axis][p] = along, a[r][axis] = a[axis][r] = across;
      const Vec3 unit = {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
      turn = turn * about_axis(unit, std::atan(t));
    }
    if (done) break;
  }
  return {normalized(turn), {a[0][0], a[1][1], a[2][2]}};
}

// rest: the relative rotation conj(qa) qb without stress. flexible_a, flexible_b: rad/(N m), length over stiffness of the half
// segments about their own axes.
//
// Seen from the middle of the turn, half of it away from both, the small turns of both halves under one moment add up:
// C = H C_a H^T + H^T C_b H, H^T = the matrix of half the turn. Its own axes and their stiffnesses are the joint's.
inline CornerJoint corner_joint(const Quat& rest, const Vec3& flexible_a, const Vec3& flexible_b) {
  const Quat half = fraction_of(rest, 0.5);
  const PrincipalAxes axes =
      principal_axes(rotated_diagonal(matrix(conj(half)), flexible_a) + rotated_diagonal(matrix(half), flexible_b));
  const Vec3& c = axes.diagonal;
  return {half * axes.turn, conj(half) * axes.turn, {1 / c.x, 1 / c.y, 1 / c.z}};
}

}  // namespace writhe::elastic
