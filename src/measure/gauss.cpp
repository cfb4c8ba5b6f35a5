#include "measure/gauss.h"

#include <algorithm>
#include <limits>

namespace writhe::measure {

namespace {

Sight<double> sight(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  return {b0 - a0, b1 - a0, b1 - a1, b0 - a1};
}

// Of the extension before the curve with the one behind it.
double between_extensions(const Vec3& from_start_to_end, const EndTangents& tangents) {
  const Vec3 apart = tangents.start + tangents.end;
  if (norm(apart) < 1e-6) return 0;
  return turns_of({tangents.start, apart, tangents.end, from_start_to_end});
}

}  // namespace

double writhe(const Curve& curve) {
  const int n = curve.edges();
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    // Neighbours lie in a plane and see nothing of each other.
    const int last = curve.closed && i == 0 ? n - 1 : n;
    for (int j = i + 2; j < last; ++j) sum += turns_of(sight(curve.start(i), curve.end(i), curve.start(j), curve.end(j)));
  }
  return 2 * sum;
}

double writhe(const Curve& curve, const EndTangents& tangents) {
  const int n = curve.edges();
  if (n == 0) return 0;
  const Vec3 &first = curve.points.front(), &last = curve.points.back();
  double sum = between_extensions(last - first, tangents);
  for (int i = 0; i < n; ++i) {
    const Vec3 &p0 = curve.start(i), &p1 = curve.end(i);
    if (i > 0) sum += turns_of({tangents.start, tangents.start, p1 - first, p0 - first});
    if (i < n - 1) sum += turns_of({last - p0, tangents.end, tangents.end, last - p1});
  }
  return writhe(curve) + 2 * sum;
}

Bounds bounds_of(const std::vector<Vec3>& points) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Bounds out{{inf, inf, inf}, {-inf, -inf, -inf}};
  for (const Vec3& p : points) {
    out.low = {std::min(out.low.x, p.x), std::min(out.low.y, p.y), std::min(out.low.z, p.z)};
    out.high = {std::max(out.high.x, p.x), std::max(out.high.y, p.y), std::max(out.high.z, p.z)};
  }
  return out;
}

bool apart(const Bounds& a, const Bounds& b) {
  return a.high.x < b.low.x || b.high.x < a.low.x || a.high.y < b.low.y || b.high.y < a.low.y || a.high.z < b.low.z ||
         b.high.z < a.low.z;
}

int linking_number(const Curve& a, const Curve& b) {
  if (apart(bounds_of(a.points), bounds_of(b.points))) return 0;
  double sum = 0;
  for (int i = 0; i < a.edges(); ++i)
    for (int j = 0; j < b.edges(); ++j) sum += turns_of(sight(a.start(i), a.end(i), b.start(j), b.end(j)));
  return static_cast<int>(std::lround(sum));
}

}  // namespace writhe::measure
