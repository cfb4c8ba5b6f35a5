// The stretch-shear element of one segment: two nodes and one orientation. Derivation: docs/theory/rod.md, "Segment".
//
// With d = (x1 - x0)/l and the body components t = R^T d, the strain is Gamma = t - e3 and the energy l/2 (Gamma - rest).C(Gamma
// - rest). Rotations vary as q -> q exp(delta/2), delta in body components; "Hessian" is the second derivative of the energy in
// delta at 0.
#pragma once

#include "writhe/vec.h"

namespace writhe::elastic {

// Body components of shear (d1, d2) and stretch (d3); dx_over_l = (x1 - x0)/rest length.
template <class T>
WRITHE_FN TVec3<T> segment_strain(const TVec3<T>& dx_over_l, const TQuat<T>& q) {
  TVec3<T> g = rotate_back(q, dx_over_l);
  g.z = g.z - T(1.0);
  return g;
}

template <class T>
struct SegmentValue {
  T energy;         // J
  TVec3<T> force;   // N, space: gradient by x1; by x0 it is the negative
  TVec3<T> moment;  // N m, body: gradient by the rotation
  TVec3<T> stress;  // N, body: shear, shear, tension
};

// Blocks of the Hessian. By (x0, x0) and (x1, x1) it is xx, by (x0, x1) it is -xx; by (q, x1) it is ux, by (q, x0) it is -ux.
template <class T>
struct SegmentHessian {
  TSym3<T> xx;
  TMat3<T> ux;
  TSym3<T> uu;
};

// dx = x1 - x0, m. stiffness: C/l, N/m. rest: the body components of dx at which the energy is zero, l (e3 + rest strain), m.
template <class T>
WRITHE_FN SegmentValue<T> segment_value(const TVec3<T>& dx, const TQuat<T>& q, const TVec3<T>& stiffness, const TVec3<T>& rest) {
  const TVec3<T> t = rotate_back(q, dx);
  const TVec3<T> stretch = t - rest;
  const TVec3<T> n = scale(stiffness, stretch);
  // dE = n.(t x delta) = delta.(n x t)
  return {T(0.5) * dot(n, stretch), rotate(q, n), cross(n, t), n};
}

template <class T>
WRITHE_FN TVec3<T> segment_rest(const T& l, const TVec3<T>& rest_strain) {
  return {l * rest_strain.x, l * rest_strain.y, l * (T(1.0) + rest_strain.z)};
}

// C: GA, GA, EA (N). rest: strain at which the energy is zero.
template <class T>
WRITHE_FN SegmentValue<T> segment_value(const TVec3<T>& dx_over_l, const TQuat<T>& q, const T& l, const TVec3<T>& C,
                                        const TVec3<T>& rest) {
  return segment_value(l * dx_over_l, q, (T(1.0) / l) * C, segment_rest(l, rest));
}

// R C R^T for a diagonal C.
template <class T>
WRITHE_FN TSym3<T> rotated_diagonal(const TMat3<T>& R, const TVec3<T>& C) {
  const TVec3<T> a = scale(C, R.r0), b = scale(C, R.r1), c = scale(C, R.r2);
  return {dot(a, R.r0), dot(a, R.r1), dot(a, R.r2), dot(b, R.r1), dot(b, R.r2), dot(c, R.r2)};
}

// n: the stress C (Gamma - rest), N, body. Passed, not derived, so that a solver may take the geometric part (all that n
// multiplies) at another stress; with n = 0 the Hessian is positive semidefinite.
template <class T>
WRITHE_FN SegmentHessian<T> segment_hessian(const TVec3<T>& dx_over_l, const TQuat<T>& q, const T& l, const TVec3<T>& C,
                                            const TVec3<T>& n) {
  const TMat3<T> R = matrix(q);
  const TVec3<T> t = transpose(R) * dx_over_l;

  SegmentHessian<T> h;
  const T inv_l = T(1.0) / l;
  h.xx = rotated_diagonal(R, inv_l * C);

  // ux = ([n]x - [t]x C) R^T: the columns of [n]x - [t]x C applied to the rows of R^T
  const TMat3<T> S = {{T(0.0), C.y * t.z - n.z, n.y - C.z * t.y},
                      {n.z - C.x * t.z, T(0.0), C.z * t.x - n.x},
                      {C.x * t.y - n.y, n.x - C.y * t.x, T(0.0)}};
  h.ux = {R * S.r0, R * S.r1, R * S.r2};

  // uu = l ( [t]x^T C [t]x + (n t^T + t n^T)/2 - n.t I )
  const T nt = dot(n, t);
  const T half = T(0.5);
  h.uu.xx = l * (C.y * t.z * t.z + C.z * t.y * t.y + n.x * t.x - nt);
  h.uu.yy = l * (C.x * t.z * t.z + C.z * t.x * t.x + n.y * t.y - nt);
  h.uu.zz = l * (C.x * t.y * t.y + C.y * t.x * t.x + n.z * t.z - nt);
  h.uu.xy = l * (half * (n.x * t.y + n.y * t.x) - C.z * t.x * t.y);
  h.uu.xz = l * (half * (n.x * t.z + n.z * t.x) - C.y * t.x * t.z);
  h.uu.yz = l * (half * (n.y * t.z + n.z * t.y) - C.x * t.y * t.z);
  return h;
}

}  // namespace writhe::elastic
