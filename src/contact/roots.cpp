#include "contact/roots.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/rules.h"
#include "contact/thinning.h"
#include "math/rotation.h"
#include "model/obstacle_pose.h"

namespace writhe::contact {

bool Root::has(double at) const {
  const double way = at - arc;
  return std::abs(around > 0 ? way - around * std::round(way / around) : way) < reach;
}

Roots::Roots(const Model& model, const Spans& spans, std::span<const ObstacleShape> shapes) {
  const auto is_held = [&](int node) { return model.nodes().fixed[node] == fixed_all; };
  for (int i = 0; i < spans.count(); ++i) {
    const Span& span = spans[i];
    const bool first = span.kind == Span::Kind::start;  // it has the end of the rod, all others their middle one
    const int node = span.node[first ? 0 : 1];
    if (!is_held(node)) continue;
    const double u = first ? 0 : span.kind == Span::Kind::end ? 1 : 0.5;
    const double radius = span.largest_radius, activation = Rules::activation_at_obstacle(span);
    for (int o = 0; o < static_cast<int>(shapes.size()); ++o) {
      const Pose pose = pose_of(model.scene().obstacles[o], 0);
      const double distance = shapes[o].distance(pose.back(model.initial_state().x[node]));
      if (!Thinning::begins_too_near(distance - radius, activation)) continue;
      const RodRange& rod = model.rods()[span.rod];
      m_all.push_back({span.rod, o, span.arc(u), pi * radius, rod.closed ? rod.length : 0});
    }
  }
  std::stable_sort(m_all.begin(), m_all.end(),
                   [](const Root& a, const Root& b) { return std::pair(a.rod, a.obstacle) < std::pair(b.rod, b.obstacle); });
}

std::span<const Root> Roots::of(int rod, int obstacle) const {
  const auto before = [](const Root& a, const std::pair<int, int>& b) { return std::pair(a.rod, a.obstacle) < b; };
  const auto first = std::lower_bound(m_all.begin(), m_all.end(), std::pair(rod, obstacle), before);
  const auto last = std::lower_bound(first, m_all.end(), std::pair(rod, obstacle + 1), before);
  return {first, last};
}

}  // namespace writhe::contact
