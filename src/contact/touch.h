// How far a point is from a part of an obstacle, with both derivatives. docs/theory/contact.md, "Obstacles".
#pragma once

#include "elastic/link.h"
#include "math/rotation.h"
#include "writhe/vec.h"

namespace writhe::contact {

// In the coordinates in which the obstacle stands in the scene.
struct Touch {
  double distance = 0;   // m, of the point; below zero: inside a convex solid
  Vec3 normal{0, 0, 1};  // unit, towards the point: the gradient of the distance
  Sym3 curvature{};      // 1/m: its Hessian, positive semidefinite
};

// A point that is on the part itself has no direction away from it: then some normal, and no curvature.

// From the nearest point, which is a corner or a centre: `way` leads from there.
inline Touch touch_of_point(const Vec3& way) {
  const double distance = norm(way);
  if (!(distance > 0)) return {};
  const Vec3 n = way / distance;
  return {distance, n, elastic::link_hessian(n, 0, 1 / distance)};  // (I - n n^T) / distance
}

// From a line along the unit vector e: `way` from any point of it. (I - n n^T - e e^T) / distance
inline Touch touch_of_line(const Vec3& way, const Vec3& e) {
  const Vec3 across = way - dot(way, e) * e;
  const double distance = norm(across);
  if (!(distance > 0)) return {0, any_orthogonal(e), {}};
  const Vec3 n = across / distance, t = cross(e, n);
  const double c = 1 / distance;
  return {distance, n, {c * t.x * t.x, c * t.x * t.y, c * t.x * t.z, c * t.y * t.y, c * t.y * t.z, c * t.z * t.z}};
}

// From the segment from a to b, which may be a point.
inline Touch touch_of_segment(const Vec3& point, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a, way = point - a;
  const double s = dot(way, along), whole = dot(along, along);
  if (!(s > 0)) return touch_of_point(way);
  if (s >= whole) return touch_of_point(point - b);
  return touch_of_line(way, normalized(along));
}

}  // namespace writhe::contact
