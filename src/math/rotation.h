// Rotations as unit quaternions: exponential, logarithm, shortest turns, parallel transport.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/exp_rotation.h"
#include "writhe/vec.h"

namespace writhe {

inline constexpr double pi = 3.14159265358979323846;

// The rotation vector of a unit quaternion, of length at most pi (q and -q give the same).
inline Vec3 log_rotation(const Quat& q) {
  const double sign = q.w < 0 ? -1 : 1;
  const Vec3 v = imag(q);
  const double s = norm(v);
  const double factor = s < 1e-8 ? 2 : 2 * std::atan2(s, sign * q.w) / s;
  return sign * factor * v;
}

// [v]x: its product with w is v x w.
inline Mat3 cross_matrix(const Vec3& v) { return {{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}; }

inline Quat about_axis(const Vec3& unit_axis, double angle) { return exp_rotation(angle * unit_axis); }

// Any unit vector orthogonal to the unit vector t; stable under small changes of t except near one pole.
inline Vec3 any_orthogonal(const Vec3& t) {
  const Vec3 helper = std::abs(t.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
  return normalized(cross(helper, t));
}

// The shortest rotation that turns the unit vector a into the unit vector b. Where they are opposite to within a thousandth of a
// radian the axis of the shortest one is lost in rounding; then half a turn about some orthogonal axis, and the small rest.
inline Quat shortest_turn(const Vec3& a, const Vec3& b) {
  const double c = dot(a, b);
  if (c < -1 + 1e-6) {
    const Vec3 axis = any_orthogonal(a);
    return shortest_turn(-a, b) * Quat{0, axis.x, axis.y, axis.z};
  }
  const Vec3 v = cross(a, b);
  return normalized(Quat{1 + c, v.x, v.y, v.z});
}

// The frame with d3 = tangent and d1 as near to `d1` as can be. Both need not be unit; they must not be parallel.
inline Quat frame_from(const Vec3& tangent, const Vec3& d1) {
  const Vec3 t = normalized(tangent);
  const Vec3 a = normalized(d1 - dot(d1, t) * t);
  const Quat q = shortest_turn(Vec3{0, 0, 1}, t);
  const Vec3 now = rotate(q, Vec3{1, 0, 0});
  return about_axis(t, std::atan2(dot(cross(now, a), t), dot(now, a))) * q;
}

// The frame q carried without twist to the direction `tangent`: Bishop's frame along a polyline.
inline Quat parallel_transport(const Quat& q, const Vec3& tangent) {
  return normalized(shortest_turn(rotate(q, Vec3{0, 0, 1}), normalized(tangent)) * q);
}

// Of q and -q, the one on the same side as the neighbour.
inline Quat same_side(const Quat& q, const Quat& neighbour) { return dot(q, neighbour) < 0 ? -q : q; }

// The rotation that is the fraction t of the unit rotation q (signed as given, no shortest way).
inline Quat fraction_of(const Quat& q, double t) {
  const Vec3 v = imag(q);
  const double s = norm(v);
  if (s < 1e-300) return {1, 0, 0, 0};
  const double half = std::atan2(s, q.w) * t;
  const double f = std::sin(half) / s;
  return {std::cos(half), f * v.x, f * v.y, f * v.z};
}

}  // namespace writhe
