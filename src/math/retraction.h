// A turn without sine and cosine, for iterations.
#pragma once

#include <cmath>

#include "writhe/vec.h"

namespace writhe {

// 1/sqrt(square), for what is of about unit size; a vector register brings its own overload.
WRITHE_FN double inverse_root(double square) { return 1 / std::sqrt(square); }

template <class T>
WRITHE_FN TQuat<T> at_unit_length(const TQuat<T>& q) {
  const T s = inverse_root(dot(q, q));
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}

// q turned by the rotation vector `step` (rad, body), as q (1, step/2): at unit length it agrees with the exponential to second
// order, which is all that an iteration asks of it.
template <class T>
WRITHE_FN TQuat<T> turned_not_unit(const TQuat<T>& q, const TVec3<T>& step) {
  const TVec3<T> half = T(0.5) * step;
  return q * TQuat<T>{T(1.0), half.x, half.y, half.z};
}
template <class T>
WRITHE_FN TQuat<T> nearly_turned(const TQuat<T>& q, const TVec3<T>& step) {
  return at_unit_length(turned_not_unit(q, step));
}

}  // namespace writhe
