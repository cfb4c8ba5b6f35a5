// Small fixed-size algebra: plain values and plain functions.
//
// Every type is a template over its scalar, so that one formula serves a double, a vector register of
// doubles (src/math/pack.h) and, later, a device thread. No expression templates: the compiler inlines all of it.
#pragma once

#include <cmath>

// Always inlined: a vector kernel compiled for one instruction set must not leave a copy that other code could be linked to.
#if defined(__CUDACC__)
#define WRITHE_FN __host__ __device__ __forceinline__
#else
#define WRITHE_FN __attribute__((always_inline)) inline
#endif

namespace writhe {

// A vector of three components. Units and frame are those of the quantity it holds.
template <class T>
struct TVec3 {
  T x, y, z;
};

// A quaternion, scalar part first. As an orientation it is a unit quaternion that turns body components into
// space components: v_space = q v_body q*. Then d1, d2, d3 = q e1 q*, q e2 q*, q e3 q*.
template <class T>
struct TQuat {
  T w, x, y, z;
};

// A symmetric 3x3 matrix, upper triangle.
template <class T>
struct TSym3 {
  T xx, xy, xz, yy, yz, zz;
};

// A general 3x3 matrix by rows.
template <class T>
struct TMat3 {
  TVec3<T> r0, r1, r2;
};

using Vec3 = TVec3<double>;
using Quat = TQuat<double>;
using Sym3 = TSym3<double>;
using Mat3 = TMat3<double>;

// ---- vectors ---------------------------------------------------------------------------------------------------
template <class T>
WRITHE_FN TVec3<T> operator+(const TVec3<T>& a, const TVec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
WRITHE_FN TVec3<T> operator-(const TVec3<T>& a, const TVec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
WRITHE_FN TVec3<T> operator-(const TVec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
WRITHE_FN TVec3<T> operator*(const T& s, const TVec3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
WRITHE_FN TVec3<T> operator*(const TVec3<T>& a, const T& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class T>
WRITHE_FN TVec3<T> operator/(const TVec3<T>& a, const T& s) {
  return {a.x / s, a.y / s, a.z / s};
}
template <class T>
WRITHE_FN TVec3<T>& operator+=(TVec3<T>& a, const TVec3<T>& b) {
  return a = a + b;
}
template <class T>
WRITHE_FN TVec3<T>& operator-=(TVec3<T>& a, const TVec3<T>& b) {
  return a = a - b;
}
template <class T>
WRITHE_FN bool operator==(const TVec3<T>& a, const TVec3<T>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
template <class T>
WRITHE_FN T dot(const TVec3<T>& a, const TVec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
WRITHE_FN TVec3<T> cross(const TVec3<T>& a, const TVec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// Component by component.
template <class T>
WRITHE_FN TVec3<T> scale(const TVec3<T>& a, const TVec3<T>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }
inline Vec3 normalized(const Vec3& a) { return a / norm(a); }
inline bool finite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

// ---- quaternions -----------------------------------------------------------------------------------------------
template <class T>
WRITHE_FN TQuat<T> operator*(const TQuat<T>& a, const TQuat<T>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class T>
WRITHE_FN TQuat<T> conj(const TQuat<T>& a) {
  return {a.w, -a.x, -a.y, -a.z};
}
template <class T>
WRITHE_FN TVec3<T> imag(const TQuat<T>& a) {
  return {a.x, a.y, a.z};
}
template <class T>
WRITHE_FN T dot(const TQuat<T>& a, const TQuat<T>& b) {
  return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
WRITHE_FN bool operator==(const Quat& a, const Quat& b) { return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z; }
inline Quat operator-(const Quat& a) { return {-a.w, -a.x, -a.y, -a.z}; }
inline Quat normalized(const Quat& a) {
  const double s = 1 / std::sqrt(dot(a, a));
  return {a.w * s, a.x * s, a.y * s, a.z * s};
}
inline bool finite(const Quat& a) { return std::isfinite(a.w) && std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

// The rotation matrix of a unit quaternion; its columns are d1, d2, d3 in space components.
template <class T>
WRITHE_FN TMat3<T> matrix(const TQuat<T>& q) {
  const T x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const T xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
  const T xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
  const T wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  const T one = T(1.0);
  return {{one - (yy + zz), xy - wz, xz + wy}, {xy + wz, one - (xx + zz), yz - wx}, {xz - wy, yz + wx, one - (xx + yy)}};
}

// ---- matrices --------------------------------------------------------------------------------------------------
template <class T>
WRITHE_FN bool operator==(const TMat3<T>& a, const TMat3<T>& b) {
  return a.r0 == b.r0 && a.r1 == b.r1 && a.r2 == b.r2;
}
template <class T>
WRITHE_FN TVec3<T> operator*(const TMat3<T>& m, const TVec3<T>& v) {
  return {dot(m.r0, v), dot(m.r1, v), dot(m.r2, v)};
}
template <class T>
WRITHE_FN TMat3<T> transpose(const TMat3<T>& m) {
  return {{m.r0.x, m.r1.x, m.r2.x}, {m.r0.y, m.r1.y, m.r2.y}, {m.r0.z, m.r1.z, m.r2.z}};
}
template <class T>
WRITHE_FN TMat3<T> operator*(const TMat3<T>& a, const TMat3<T>& b) {
  const TMat3<T> t = transpose(b);
  return {{dot(a.r0, t.r0), dot(a.r0, t.r1), dot(a.r0, t.r2)},
          {dot(a.r1, t.r0), dot(a.r1, t.r1), dot(a.r1, t.r2)},
          {dot(a.r2, t.r0), dot(a.r2, t.r1), dot(a.r2, t.r2)}};
}
template <class T>
WRITHE_FN TVec3<T> operator*(const TSym3<T>& m, const TVec3<T>& v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z, m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
template <class T>
WRITHE_FN TSym3<T> operator+(const TSym3<T>& a, const TSym3<T>& b) {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
template <class T>
WRITHE_FN TSym3<T>& operator+=(TSym3<T>& a, const TSym3<T>& b) {
  return a = a + b;
}

// Space components of a body vector, and body components of a space vector.
// By cross products, which is half the work of the matrix for a single vector.
template <class T>
WRITHE_FN TVec3<T> rotate(const TQuat<T>& q, const TVec3<T>& v) {
  const TVec3<T> u = cross(imag(q), v), u2 = u + u;
  return v + q.w * u2 + cross(imag(q), u2);
}
template <class T>
WRITHE_FN TVec3<T> rotate_back(const TQuat<T>& q, const TVec3<T>& v) {
  const TVec3<T> u = cross(v, imag(q)), u2 = u + u;
  return v + q.w * u2 + cross(u2, imag(q));
}

}  // namespace writhe
