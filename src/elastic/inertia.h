// Rotational inertia in one implicit step: the energy 1/2 w.J w - p.w with the body rate w = 2/h Im(conj(q_prev) q) and the
// angular momentum p that the segment would have without its neighbours. docs/theory/rod.md, "Time". J is diagonal in the body
// frame; w has the same components in the old and in the new body frame.
#pragma once

#include "writhe/vec.h"

namespace writhe::elastic {

template <class T>
WRITHE_FN TVec3<T> angular_rate(const TQuat<T>& q_prev, const TQuat<T>& q, const T& inv_h) {
  return T(2.0) * inv_h * imag(conj(q_prev) * q);
}

template <class T>
struct SpinValue {
  T energy;         // J
  TVec3<T> moment;  // N m, body: gradient by the rotation
  TVec3<T> excess;  // kg m^2/s, body: J w - p
};

// The same by the turn h w = 2 Im(conj(q_prev) q): stiffness J/h^2, moment p/h, and excess, too, over h; all N m.
template <class T>
WRITHE_FN SpinValue<T> spin_value(const TQuat<T>& q_prev, const TQuat<T>& q, const TVec3<T>& stiffness, const TVec3<T>& moment) {
  const TQuat<T> r = conj(q_prev) * q;
  const TVec3<T> v = imag(r), turn = v + v;
  const TVec3<T> L = scale(stiffness, turn) - moment;
  // the turn varies by r0 beta + v x beta, so the gradient is r0 L - v x L
  return {T(0.5) * dot(turn, L - moment), r.w * L - cross(v, L), L};
}

// J: kg m^2; p: kg m^2/s, body.
template <class T>
WRITHE_FN SpinValue<T> spin_value(const TQuat<T>& q_prev, const TQuat<T>& q, const T& inv_h, const TVec3<T>& J,
                                  const TVec3<T>& p) {
  const SpinValue<T> value = spin_value(q_prev, q, (inv_h * inv_h) * J, inv_h * p);
  return {value.energy, value.moment, (T(1.0) / inv_h) * value.excess};
}

// excess: J w - p. Passed, not derived, as the stresses of segment and joint; with 0 the Hessian is positive semidefinite.
template <class T>
WRITHE_FN TSym3<T> spin_hessian(const TQuat<T>& q_prev, const TQuat<T>& q, const T& inv_h, const TVec3<T>& J,
                                const TVec3<T>& excess) {
  const TQuat<T> r = conj(q_prev) * q;
  const TVec3<T> v = imag(r);
  // 1/h^2 G^T J G - 1/(2h) excess.v I with G = r0 I + [v]x
  const TVec3<T> c = (inv_h * inv_h) * J;
  const TVec3<T> g0 = {r.w, v.z, -v.y}, g1 = {-v.z, r.w, v.x}, g2 = {v.y, -v.x, r.w};  // columns of G
  const T second = T(0.5) * inv_h * dot(excess, v);
  const TVec3<T> c0 = scale(c, g0), c1 = scale(c, g1), c2 = scale(c, g2);
  return {dot(c0, g0) - second, dot(c0, g1), dot(c0, g2), dot(c1, g1) - second, dot(c1, g2), dot(c2, g2) - second};
}

}  // namespace writhe::elastic
