// A span that may touch an obstacle, as an element of the contact term.
#pragma once

#include <array>
#include <vector>

#include "contact/gap.h"
#include "contact/obstacle_shape.h"
#include "contact/roots.h"
#include "contact/thinning.h"
#include "contact/touching.h"
#include "model/obstacle_pose.h"

namespace writhe::contact {

struct Wall {
  const Span* span = nullptr;
  int obstacle = 0;
  int first = 0, feature_count = 0;  // of the features that may be touched, in a list of all walls
  elastic::BarrierMaterial material;
  std::span<const Root> roots;  // where the rod does not count
  std::array<Dof, 3> dofs{};
};

Wall wall_of(const Span& span, int obstacle, const elastic::BarrierMaterial& material);

// An obstacle where it is.
struct Placed {
  const ObstacleShape* shape = nullptr;
  Pose pose;
};

// Every sample of the span against every feature. work(touching).
template <class Work>
void visit_touches(const Wall& wall, std::span<const int> features, const Placed& obstacle, const Positions& x, double within,
                   const Work& work) {
  const Tube tube{wall.span, points_of(*wall.span, x), {wall.span->radius[0], wall.span->radius[1], wall.span->radius[2]}};
  for (int k = 0; k < tube.span->sample_count(); ++k) {
    const Span::Sample sample = tube.span->sample(k);
    if (any_has(wall.roots, tube.span->arc(sample.u))) continue;
    const Span::Weights weights = tube.span->weights(sample.u);
    const Vec3 p = obstacle.pose.back(tube.x.at(weights));
    const double radius = tube.radius.at(weights);
    for (const int feature : features) {
      const Touch at = obstacle.shape->touch(feature, p);
      if (at.distance - radius >= within) continue;
      Touching touch;
      touch.gap = at.distance - radius;
      touch.centre = tube.x.at(weights);
      touch.radius = radius;
      touch.u = sample.u;
      touch.feature = feature;
      touch.weight = sample.weight * obstacle.shape->weight(feature);
      touch.normal = obstacle.pose.of_direction(at.normal);
      touch.curvature = obstacle.pose.of_curvature(at.curvature);
      for (int i = 0; i < tube.span->node_count(); ++i) touch.coefficient[i] = weights[i];
      work(touch);
    }
  }
}

// A box that holds, in the coordinates of an obstacle, what lies in a box in space while it goes from one pose to another.
Box seen_from(const Pose& from, const Pose& to, const Box& box);

// Whether the curve of the span goes through the obstacle on its straight way: through its surface, or deeper into a solid than
// half of it, which what slides round does not.
bool is_passed(const Wall& wall, std::span<const int> features, const Placed& obstacle, const Pose& obstacle_to,
               const Positions& from, const Positions& to, const Thinned& thinned);

// See the same of a pair. The obstacle goes from one pose to another; what is passed is judged by how things move against it.
double safe_part(const Wall& wall, std::span<const int> features, const Placed& obstacle, const Pose& obstacle_to,
                 const Positions& from, const Positions& to, const Thinned& thinned = {});

}  // namespace writhe::contact
