// The second-order step, element by element: its middle is found by the implicit step of half the length, its end is the start
// seen in the mirror of the middle. docs/theory/rod.md, "Midpoint".
#pragma once

#include "elastic/increment.h"
#include "elastic/inertia.h"
#include "math/rotation.h"
#include "writhe/vec.h"

namespace writhe::elastic {

inline Vec3 mirrored(const Vec3& prev, const Vec3& middle) { return 2.0 * middle - prev; }
inline Quat mirrored(const Quat& prev, const Quat& middle) { return normalized(middle * conj(prev) * middle); }

// rad/s, body: of the even turn that leads from prev to middle in `half`, and in as much again to the end.
inline Vec3 mean_rate(const Quat& prev, const Quat& middle, double half) {
  return (1 / half) * log_rotation(conj(prev) * middle);
}

// What has to be added to a strain in the middle to get the mean of those at both ends.
inline Vec3 mean_strain_offset(const Vec3& prev, const Vec3& middle, const Vec3& next) { return 0.5 * (prev + next) - middle; }

// The moment (N m) that makes the half step's spin (spin_quadratic, spin_value) balance as it should over the whole step, by the
// mean rate w_mean and in the axes of the middle, R the turn of half the step:
//   (R J (2 w_mean - w) - R^T J w)/(2 half) + damping J w_mean = moment + elastic moments
// The left side is the change of the angular momentum in space. Why not leave the spin of the half step as it is: the step would
// not be the same forwards and backwards, and a tumbling segment gains energy until it breaks.
// moment: N m, applied, body components in the middle.
inline Vec3 midpoint_moment(const Vec3& inertia, const Quat& q_prev, const Vec3& w_prev, const Quat& q_middle, const Vec3& moment,
                            double damping, double half) {
  const Quat turn = conj(q_prev) * q_middle;
  const Vec3 rate = mean_rate(q_prev, q_middle, half);
  const Vec3 gained = 0.5 * (rotate(turn, scale(inertia, 2.0 * rate - w_prev)) - rotate_back(turn, scale(inertia, w_prev)));
  const Vec3 balance = (1 / half) * gained + damping * scale(inertia, rate) - moment;
  // The gradient of the half step's spin is (r0 I - [rv]x) excess/half: undone here on the balance.
  const Vec3 v = imag(turn);
  const Vec3 undone = turn.w * balance + cross(v, balance) + (dot(v, balance) / turn.w) * v;
  const SpinQuadratic spin = spin_quadratic(inertia, w_prev, Vec3{}, damping, half);
  const Vec3 excess = scale(spin.inertia, angular_rate(q_prev, q_middle, 1 / half)) - spin.momentum;
  return (1 / half) * excess - undone;
}

}  // namespace writhe::elastic
