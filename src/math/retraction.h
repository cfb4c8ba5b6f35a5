// A turn without sine and cosine, for iterations.
#pragma once

#include <cmath>

#include "writhe/vec.h"

namespace writhe {

// q turned by the rotation vector `step` (rad, body), as q (1, step/2)/|(1, step/2)|: agrees with the exponential to second
// order, which is all that an iteration asks of it.
template <class T>
WRITHE_FN TQuat<T> nearly_turned(const TQuat<T>& q, const TVec3<T>& step) {
  using std::sqrt;
  const TVec3<T> half = T(0.5) * step;
  const T f = T(1.0) / sqrt(T(1.0) + dot(half, half));
  const TQuat<T> r = q * TQuat<T>{f, f * half.x, f * half.y, f * half.z};
  // one Newton step towards unit length, so that rounding does not add up
  const T s = T(1.5) - T(0.5) * dot(r, r);
  return {s * r.w, s * r.x, s * r.y, s * r.z};
}

}  // namespace writhe
