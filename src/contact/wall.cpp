#include "contact/wall.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/advance.h"

namespace writhe::contact {

Wall wall_of(const Span& span, int obstacle, const elastic::BarrierMaterial& material) {
  Wall wall;
  wall.span = &span;
  wall.obstacle = obstacle;
  wall.material = material;
  for (int i = 0; i < span.node_count(); ++i) wall.dofs[i] = Dof::node(span.node[i]);
  return wall;
}

// Corners of the box go by straight ways there, as points of spans do in safe_part.
Box seen_from(const Pose& from, const Pose& to, const Box& box) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Box out{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  for (const Pose* pose : {&from, &to}) {
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 at{corner & 1 ? box.high.x : box.low.x, corner & 2 ? box.high.y : box.low.y,
                    corner & 4 ? box.high.z : box.low.z};
      const Vec3 x = pose->back(at);
      out.low = {std::min(out.low.x, x.x), std::min(out.low.y, x.y), std::min(out.low.z, x.z)};
      out.high = {std::max(out.high.x, x.x), std::max(out.high.y, x.y), std::max(out.high.z, x.z)};
    }
  }
  return out;
}

namespace {

// Of a mesh all features that are near, whatever their weights.
double least_gap(const ObstacleShape& shape, std::span<const int> features, const Vec3& p, double radius) {
  double least = std::numeric_limits<double>::infinity();
  for (const int feature : features) least = std::min(least, shape.touch(feature, p).distance - radius);
  return least;
}

}  // namespace

bool is_passed(const Wall& wall, std::span<const int> features, const Placed& obstacle, const Pose& obstacle_to,
               const Positions& from, const Positions& to, const Thinned& thinned) {
  constexpr double most = 0.98;  // of the radius, as of pairs
  const double width = obstacle.shape->half_width(), less = most * wall.span->smallest_radius + 0.5 * width;
  if (!std::isfinite(width)) return false;  // nothing is behind a plane
  return safe_part(wall, features, obstacle, obstacle_to, from, to, {less + thinned.from, less + thinned.to}) < 1;
}

double safe_part(const Wall& wall, std::span<const int> features, const Placed& obstacle, const Pose& obstacle_to,
                 const Positions& from, const Positions& to, const Thinned& thinned) {
  const Points x = points_of(*wall.span, from), x_to = points_of(*wall.span, to);
  const Triple<double> radii{wall.span->radius[0], wall.span->radius[1], wall.span->radius[2]};
  double part = 1;
  for (int k = 0; k < wall.span->sample_count(); ++k) {
    const double u = wall.span->sample(k).u;
    if (any_has(wall.roots, wall.span->arc(u))) continue;
    const Span::Weights weights = wall.span->weights(u);
    const Vec3 p = obstacle.pose.back(x.at(weights)), way = obstacle_to.back(x_to.at(weights)) - p;
    const double radius = radii.at(weights), speed = norm(way) + std::abs(thinned.to - thinned.from);
    part = std::min(part, advanced(speed, part, [&](double t) {
                      return least_gap(*obstacle.shape, features, p + t * way, radius) + thinned.at(t);
                    }));
  }
  return part;
}

}  // namespace writhe::contact
