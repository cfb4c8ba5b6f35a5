// The bend-twist element between two orientations a and b. Derivation: docs/theory/rod.md, "Joint".
//
// The energy is l/2 (Omega - rest).K(Omega - rest) with Omega = joint_angles(q)/l and q = conj(qa) qb.
// Rotations vary as qa -> qa exp(alpha/2), qb -> qb exp(beta/2), body components; "Hessian" is the second derivative at 0.
#pragma once

#include <cmath>

#include "writhe/vec.h"

namespace writhe::elastic {

// Angle of the complex number c + i s, rad; a vector register brings its own overload.
WRITHE_FN double angle_of(double s, double c) { return std::atan2(s, c); }

// The bend-twist strain times the joint's length, of the relative unit rotation q:
//   (2 q1, 2 q2, 2 atan2(q3, q0)).
// Why this and not 2 Im q: the twist is exact for any angle and the moment of a twisted joint keeps growing past 90 degrees.
// Why not the rotation vector: it stiffens bending under twist. Needs signs that are continuous along the rod.
template <class T>
WRITHE_FN TVec3<T> joint_angles(const TQuat<T>& q) {
  const T half_twist = angle_of(q.z, q.w);
  return {q.x + q.x, q.y + q.y, half_twist + half_twist};
}

template <class T>
struct JointValue {
  T energy;           // J
  TVec3<T> moment_a;  // N m, body a: gradient by alpha
  TVec3<T> moment_b;  // N m, body b: gradient by beta
  TVec3<T> stress;    // N m: bending about d1, d2, torsion
};

// Blocks by (alpha, alpha), (beta, beta), and (beta, alpha): rows beta.
template <class T>
struct JointHessian {
  TSym3<T> aa;
  TSym3<T> bb;
  TMat3<T> ba;
};

// First derivatives of the angles, rows = angles, and what the second ones need.
template <class T>
struct JointKinematics {
  TQuat<T> q;
  T inv_rho2;  // 1/(q0^2 + q3^2); infinite only for a joint folded by 180 degrees
  TMat3<T> by_a, by_b;
};

template <class T>
WRITHE_FN JointKinematics<T> joint_kinematics(const TQuat<T>& q) {
  JointKinematics<T> k;
  k.q = q;
  k.inv_rho2 = T(1.0) / (q.w * q.w + q.z * q.z);
  const T q13 = q.x * q.z, q02 = q.w * q.y, q23 = q.y * q.z, q01 = q.w * q.x;
  k.by_b = {{q.w, -q.z, q.y}, {q.z, q.w, -q.x}, {(q13 - q02) * k.inv_rho2, (q23 + q01) * k.inv_rho2, T(1.0)}};
  k.by_a = {{-q.w, -q.z, q.y}, {q.z, -q.w, -q.x}, {-(q13 + q02) * k.inv_rho2, (q01 - q23) * k.inv_rho2, T(-1.0)}};
  return k;
}

// J^T m
template <class T>
WRITHE_FN TVec3<T> transposed_times(const TMat3<T>& J, const TVec3<T>& m) {
  return m.x * J.r0 + m.y * J.r1 + m.z * J.r2;
}

// By the relative rotation q. bend: stiffness over length, N m. rest: angles at which the energy is zero, rad.
template <class T>
WRITHE_FN JointValue<T> joint_value(const TQuat<T>& q, const TVec3<T>& bend, const TVec3<T>& rest) {
  const TVec3<T> angles = joint_angles(q) - rest;
  const TVec3<T> m = scale(bend, angles);
  // J^T m of both sides (joint_kinematics): they have the one part in common and the other with opposite signs.
  const T f = m.z * (T(1.0) / (q.w * q.w + q.z * q.z));
  const TVec3<T> common = cross(TVec3<T>{m.x, m.y, f * q.w}, imag(q));
  const TVec3<T> opposite = {q.w * m.x + f * q.z * q.x, q.w * m.y + f * q.z * q.y, m.z};
  return {T(0.5) * dot(m, angles), common - opposite, common + opposite, m};
}

template <class T>
WRITHE_FN JointValue<T> joint_value(const TQuat<T>& qa, const TQuat<T>& qb, const TVec3<T>& bend, const TVec3<T>& rest) {
  return joint_value(conj(qa) * qb, bend, rest);
}

// K: EI1, EI2, GJ (N m^2). rest: strain at which the energy is zero (1/m).
template <class T>
WRITHE_FN JointValue<T> joint_value(const TQuat<T>& qa, const TQuat<T>& qb, const T& l, const TVec3<T>& K, const TVec3<T>& rest) {
  return joint_value(qa, qb, (T(1.0) / l) * K, l * rest);
}

// The same with the plain measure 2 Im q of the papers (PD Eq. 4, CORDE Eq. 9): its moment about d3 falls again past 90 degrees.
template <class T>
WRITHE_FN JointValue<T> plain_joint_value(const TQuat<T>& q, const TVec3<T>& bend, const TVec3<T>& rest) {
  const TMat3<T> by_b = {{q.w, -q.z, q.y}, {q.z, q.w, -q.x}, {-q.y, q.x, q.w}};
  const TMat3<T> by_a = {{-q.w, -q.z, q.y}, {q.z, -q.w, -q.x}, {-q.y, q.x, -q.w}};
  const TVec3<T> angles = T(2.0) * imag(q) - rest;
  const TVec3<T> m = scale(bend, angles);
  return {T(0.5) * dot(m, angles), transposed_times(by_a, m), transposed_times(by_b, m), m};
}

// m: the stress K (Omega - rest), N m. Passed, not derived, as for a segment; with m = 0 the Hessian is positive semidefinite.
template <class T>
WRITHE_FN JointHessian<T> joint_hessian(const TQuat<T>& qa, const TQuat<T>& qb, const T& l, const TVec3<T>& K,
                                        const TVec3<T>& m) {
  const TQuat<T> q = conj(qa) * qb;
  const JointKinematics<T> k = joint_kinematics(q);
  const T inv_l = T(1.0) / l;
  const TVec3<T> c = inv_l * K;
  const TMat3<T>&A = k.by_a, &B = k.by_b;

  // Twist angle: 2 arg(q0 + i q3) has the second differential -2 (r s + s r) with s = d arg = row 3 / 2 and r = d ln|q0 + i q3|,
  // so m3 times it is -m3 (r j3^T + j3 r^T). The third component of r vanishes.
  const T f = T(0.5) * k.inv_rho2 * m.z;
  const T q01 = q.w * q.x, q32 = q.z * q.y, q02 = q.w * q.y, q31 = q.z * q.x;
  const T rbx = -f * (q01 + q32), rby = f * (q31 - q02);  // m3 r by beta
  const T rax = f * (q01 - q32), ray = f * (q02 + q31);   // m3 r by alpha

  // Bend angles: the second variation of q alone, -|alpha|^2/8 q and -|beta|^2/8 q.
  const T bend = T(0.5) * (m.x * q.x + m.y * q.y);

  JointHessian<T> h;
  const T two = T(2.0);
  h.aa.xx = c.x * A.r0.x * A.r0.x + c.y * A.r1.x * A.r1.x + c.z * A.r2.x * A.r2.x - two * rax * A.r2.x - bend;
  h.aa.yy = c.x * A.r0.y * A.r0.y + c.y * A.r1.y * A.r1.y + c.z * A.r2.y * A.r2.y - two * ray * A.r2.y - bend;
  h.aa.zz = c.x * A.r0.z * A.r0.z + c.y * A.r1.z * A.r1.z + c.z - bend;
  h.aa.xy = c.x * A.r0.x * A.r0.y + c.y * A.r1.x * A.r1.y + c.z * A.r2.x * A.r2.y - rax * A.r2.y - ray * A.r2.x;
  h.aa.xz = c.x * A.r0.x * A.r0.z + c.y * A.r1.x * A.r1.z - c.z * A.r2.x + rax;
  h.aa.yz = c.x * A.r0.y * A.r0.z + c.y * A.r1.y * A.r1.z - c.z * A.r2.y + ray;

  h.bb.xx = c.x * B.r0.x * B.r0.x + c.y * B.r1.x * B.r1.x + c.z * B.r2.x * B.r2.x - two * rbx * B.r2.x - bend;
  h.bb.yy = c.x * B.r0.y * B.r0.y + c.y * B.r1.y * B.r1.y + c.z * B.r2.y * B.r2.y - two * rby * B.r2.y - bend;
  h.bb.zz = c.x * B.r0.z * B.r0.z + c.y * B.r1.z * B.r1.z + c.z - bend;
  h.bb.xy = c.x * B.r0.x * B.r0.y + c.y * B.r1.x * B.r1.y + c.z * B.r2.x * B.r2.y - rbx * B.r2.y - rby * B.r2.x;
  h.bb.xz = c.x * B.r0.x * B.r0.z + c.y * B.r1.x * B.r1.z + c.z * B.r2.x - rbx;
  h.bb.yz = c.x * B.r0.y * B.r0.z + c.y * B.r1.y * B.r1.z + c.z * B.r2.y - rby;

  // Mixed: B^T c A - (m3 r_b j3a^T + j3b m3 r_a^T), and the mixed second variation -1/4 alpha q beta of q. With p the gradient
  // of the energy by q, (alpha, beta) of it is 1/4 (p0 G + pv qv^T + [pv]x G), G = q0 I + [qv]x.
  const TVec3<T> cb0 = c.x * B.r0, cb1 = c.y * B.r1, cb2 = c.z * B.r2;
  const auto row = [&](const T& b0, const T& b1, const T& b2) { return b0 * A.r0 + b1 * A.r1 + b2 * A.r2; };
  h.ba = {row(cb0.x, cb1.x, cb2.x), row(cb0.y, cb1.y, cb2.y), row(cb0.z, cb1.z, cb2.z)};
  h.ba.r0 = h.ba.r0 - rbx * A.r2;
  h.ba.r1 = h.ba.r1 - rby * A.r2;
  const TVec3<T> ra = {rax, ray, T(0.0)};
  h.ba.r0 = h.ba.r0 - B.r2.x * ra;
  h.ba.r1 = h.ba.r1 - B.r2.y * ra;
  h.ba.r2 = h.ba.r2 - ra;

  const T quarter = T(0.25);
  const T p3 = two * m.z * k.inv_rho2;
  const T p0 = -quarter * p3 * q.z;
  const TVec3<T> p = {quarter * two * m.x, quarter * two * m.y, quarter * p3 * q.w};
  const TMat3<T> G = {{q.w, -q.z, q.y}, {q.z, q.w, -q.x}, {-q.y, q.x, q.w}};
  // (alpha, beta) matrix M = p0 G + p qv^T + [p]x G; added transposed to (beta, alpha)
  const TVec3<T> v = imag(q);
  const TVec3<T> m0 = p0 * G.r0 + p.x * v + (p.y * G.r2 - p.z * G.r1);
  const TVec3<T> m1 = p0 * G.r1 + p.y * v + (p.z * G.r0 - p.x * G.r2);
  const TVec3<T> m2 = p0 * G.r2 + p.z * v + (p.x * G.r1 - p.y * G.r0);
  h.ba.r0 += TVec3<T>{m0.x, m1.x, m2.x};
  h.ba.r1 += TVec3<T>{m0.y, m1.y, m2.y};
  h.ba.r2 += TVec3<T>{m0.z, m1.z, m2.z};
  return h;
}

}  // namespace writhe::elastic
