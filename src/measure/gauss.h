// Gauss' integral over pairs of straight edges, and what is summed from it: writhe and linking numbers of polygons.
// docs/theory/topology.md has the derivation.
#pragma once

#include <cmath>
#include <vector>

#include "writhe/vec.h"

namespace writhe::measure {

// The directions in which one edge sees the other, b - a for each end of a and of b: a0 to b0, a0 to b1, a1 to b1, a1 to b0. Of
// any lengths, so that an end may lie at infinity and be given by its direction alone.
template <class T>
struct Sight {
  TVec3<T> a0b0, a0b1, a1b1, a1b0;
};

// Tangent of half the solid angle, as the two sides of the angle.
template <class T>
struct HalfAngle {
  T sine, cosine;
};

// Of the triangle of directions a, b, c, positive when they are right-handed (Van Oosterom and Strackee, IEEE Trans. Biomed. Eng.
// 30 (1983), eq. 8): no division, and nothing lost where the triangle is small or flat.
template <class T>
WRITHE_FN HalfAngle<T> half_triangle(const TVec3<T>& a, const TVec3<T>& b, const TVec3<T>& c) {
  using std::sqrt;
  const T la = sqrt(dot(a, a)), lb = sqrt(dot(b, b)), lc = sqrt(dot(c, c));
  return {dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb};
}

// Half the area that the directions from points of edge a to points of edge b cover on the unit sphere, positive where the edges
// pass each other as a right-handed screw winds. The four directions span a parallelogram that does not hold the origin, so half
// its area is below pi, and its triangles may be added before the arc tangent is taken (Klenin and Langowski, Biopolymers 54
// (2000), method 1a, sum four arc sines in its place, which lose half the digits where edges are nearly parallel).
template <class T>
WRITHE_FN HalfAngle<T> half_seen(const Sight<T>& s) {
  const HalfAngle<T> one = half_triangle(s.a0b1, s.a0b0, s.a1b1), two = half_triangle(s.a1b1, s.a0b0, s.a1b0);
  return {one.sine * two.cosine + two.sine * one.cosine, one.cosine * two.cosine - one.sine * two.sine};
}

// (1 / 4 pi) times Gauss' integral over edge a and edge b: part of a linking number, half of what a pair adds to the writhe.
inline double turns_of(const Sight<double>& sight) {
  const HalfAngle<double> half = half_seen(sight);
  return std::atan2(half.sine, half.cosine) / (2 * 3.14159265358979323846);
}

// A polygon; closed: the last point is joined to the first, which is not repeated.
struct Curve {
  std::vector<Vec3> points;  // m
  bool closed = false;

  int edges() const {
    const int n = static_cast<int>(points.size());
    return closed ? n : n > 0 ? n - 1 : 0;
  }
  const Vec3& start(int edge) const { return points[edge]; }
  const Vec3& end(int edge) const { return points[edge + 1 == static_cast<int>(points.size()) ? 0 : edge + 1]; }
};

// Turns. Quadratic in the number of edges.
double writhe(const Curve& curve);

// The directions in which the ends of an open curve are extended straight to infinity: of travel, so that `start` points to the
// curve and `end` away from it. Unit.
struct EndTangents {
  Vec3 start, end;
};
// Turns, of an open curve with its straight extensions. Where they run the same way (start = -end to 1e-6) they see nothing of
// each other; near there the writhe jumps by a whole turn.
double writhe(const Curve& curve, const EndTangents& tangents);

struct Bounds {
  Vec3 low, high;
};
Bounds bounds_of(const std::vector<Vec3>& points);
bool apart(const Bounds& a, const Bounds& b);

// Of two closed curves that do not touch. The sum is whole up to rounding; this is that number.
int linking_number(const Curve& a, const Curve& b);

}  // namespace writhe::measure
