#include "contact/reach.h"

#include <algorithm>
#include <cmath>

namespace writhe::contact {

namespace {
// Of the smallest radius, at rest; of the way flown; and of the way to where a step ended that was not foreseen.
constexpr double rest_share = 0.25, flown_share = 0.25, tried_share = 0.5;

void include(Box& box, const Vec3& x) {
  box.low = {std::min(box.low.x, x.x), std::min(box.low.y, x.y), std::min(box.low.z, x.z)};
  box.high = {std::max(box.high.x, x.x), std::max(box.high.y, x.y), std::max(box.high.z, x.z)};
}

Box mean(const Box& a, const Box& b) { return {0.5 * (a.low + b.low), 0.5 * (a.high + b.high)}; }

Box around(const Box& a, const Box& b) {
  Box box = a;
  include(box, b.low);
  include(box, b.high);
  return box;
}
}  // namespace

Reach::Reach(const Model& model, const Rules& rules)
    : m_margin(static_cast<std::size_t>(model.node_count())), m_boxes(static_cast<std::size_t>(model.node_count())) {
  for (int i = 0; i < rules.spans().count(); ++i) {
    const Span& span = rules.spans()[i];
    for (const int node : span.node) m_margin[node] = std::max(m_margin[node], rest_share * span.smallest_radius);
  }
}

void Reach::begin(const State& start, const ImplicitSolve& solve) {
  // The midpoint rule's end is as far again as its middle.
  const double whole = solve.integrator == Integrator::midpoint ? 2 * solve.dt : solve.dt;
  const double dt = std::isfinite(whole) ? whole : 0;
  for (std::size_t i = 0; i < m_boxes.size(); ++i) {
    const Vec3 &x = start.x[i], flown = dt * start.v[i];
    double margin = m_margin[i] + flown_share * norm(flown);
    Box& box = m_boxes[i] = {x, x};
    include(box, x + flown);
    if (!solve.tried.empty()) {
      include(box, solve.tried[i]);
      margin += tried_share * norm(solve.tried[i] - x);
    }
    box = box.grown(margin);
  }
}

Box Reach::box_of(const Span& span) const {
  const Box &a = m_boxes[span.node[0]], &b = m_boxes[span.node[1]], &c = m_boxes[span.node[2]];
  if (span.kind == Span::Kind::start) return around(a, mean(a, b));
  if (span.kind == Span::Kind::end) return around(mean(a, b), b);
  return around(around(mean(a, b), b), mean(b, c));
}

bool Reach::holds(const std::vector<Vec3>& x) const {
  for (std::size_t i = 0; i < m_boxes.size(); ++i) {
    const Box& box = m_boxes[i];
    const bool inside = x[i].x >= box.low.x && x[i].x <= box.high.x && x[i].y >= box.low.y && x[i].y <= box.high.y &&
                        x[i].z >= box.low.z && x[i].z <= box.high.z;
    if (!inside) return false;
  }
  return true;
}

}  // namespace writhe::contact
