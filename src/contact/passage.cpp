#include "contact/passage.h"

#include <algorithm>
#include <cmath>

namespace writhe::contact {

namespace {

// The nearest place of the curve as the span has it, which goes on beyond its ends: the place may have slid over a knot.
double nearest_from(const Tube& tube, const Vec3& p, double u) {
  constexpr int most = 8;
  constexpr double near_enough = 1e-12, farthest = 1;  // spans
  for (int i = 0; i < most; ++i) {
    const GapSlope at = gap_slope(tube, p, u);
    if (!(at.bend > 0)) break;
    const double next = std::clamp(u - at.slope / at.bend, -farthest, 1 + farthest), moved = std::abs(next - u);
    u = next;
    if (moved <= near_enough) break;
  }
  return u;
}

}  // namespace

Passage passage(const Pair& pair, const Touching& touch, const std::vector<Vec3>& from, const Positions& to) {
  const Span &own = touch.of_first ? *pair.a : *pair.b, &other = touch.of_first ? *pair.b : *pair.a;
  const Tube tube = tube_of(other, {&from});
  const Span::Weights weights = own.weights(touch.u), across = other.weights(touch.other_u);
  const Vec3 p = points_of(own, {&from}).at(weights);
  const double u = touch.bend > 0 ? nearest_from(tube, p, touch.other_u) : touch.other_u;
  const Vec3 way = p - tube.at(u);
  const double distance = norm(way);
  Passage out;
  out.gap = distance - touch.radius - tube.radius_at(u);
  out.normal = distance > 0 ? way / distance : touch.normal;
  out.moved = points_of(own, to).at(weights) - p - (points_of(other, to).at(across) - tube.x.at(across));
  return out;
}

Passage passage(const Wall& wall, const Touching& touch, const Placed& from, const Pose& to, const std::vector<Vec3>& x_from,
                const Positions& x_to) {
  const Span::Weights weights = wall.span->weights(touch.u);
  const Vec3 p = from.pose.back(points_of(*wall.span, {&x_from}).at(weights));
  const Touch at = from.shape->touch(touch.feature, p);
  return {at.distance - touch.radius, to.of_direction(at.normal),
          to.of_direction(to.back(points_of(*wall.span, x_to).at(weights)) - p)};
}

// Both normals together are the gradient of the gap in its mean but for the third order of what has moved; the rest lies along
// that (Gonzalez 1996). Where they are against each other, the point went round: then it is the last.
Vec3 mean_normal(const Passage& passage, const Vec3& normal, double gap) {
  const Vec3 sum = passage.normal + normal;
  const double size = norm(sum), moved2 = dot(passage.moved, passage.moved);
  const Vec3 mean = size > 0.1 ? sum / size : normal;
  if (!(moved2 > 0)) return mean;
  return mean + ((gap - passage.gap - dot(mean, passage.moved)) / moved2) * passage.moved;
}

}  // namespace writhe::contact
