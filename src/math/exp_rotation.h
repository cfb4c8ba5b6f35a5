// The rotation of a rotation vector, for a number or a register of numbers.
#pragma once

#include <cmath>

#include "writhe/vec.h"

namespace writhe {

template <class T>
struct HalfTurn {
  T cosine, sine_over_angle;  // cos(a/2), sin(a/2)/a
};

// By the square of the angle a, rad^2; a vector register brings its own overload.
WRITHE_FN HalfTurn<double> half_turn(double angle2) {
  const double angle = std::sqrt(angle2);
  // sin(a/2)/a to 1e-16 near zero, where the quotient would lose digits
  return {std::cos(angle / 2), angle < 1e-4 ? 0.5 - angle * angle / 48 : std::sin(angle / 2) / angle};
}

// The unit quaternion of the rotation vector v (rad).
template <class T>
WRITHE_FN TQuat<T> exp_rotation(const TVec3<T>& v) {
  const HalfTurn<T> half = half_turn(dot(v, v));
  return {half.cosine, half.sine_over_angle * v.x, half.sine_over_angle * v.y, half.sine_over_angle * v.z};
}

}  // namespace writhe
