#include "contact/impact.h"

#include <algorithm>
#include <cmath>

namespace writhe::contact {

Impact::Impact(const Model& model) : m_obstacles(static_cast<int>(model.scene().obstacles.size())) {
  for (const RodRange& rod : model.rods()) m_rods.push_back({{}, 0, rod.mass / rod.length});
  m_at_obstacle.resize(m_rods.size() * m_obstacles);
}

void Impact::see(const Spans& spans, const State& start, double dt, std::span<const Way> obstacles) {
  m_dt = std::isfinite(dt) ? dt : 0;
  if (m_dt == 0) return;
  std::fill(m_at_obstacle.begin(), m_at_obstacle.end(), 0.0);
  for (int r = 0; r < static_cast<int>(m_rods.size()); ++r) {
    Rod& rod = m_rods[r];
    rod.mean = {};
    double length = 0;
    for (int i = spans.first_of(r); i < spans.first_of(r + 1); ++i) {
      const Span& span = spans[i];
      rod.mean += span.length() * start.v[span.node[span.kind == Span::Kind::start ? 0 : 1]];
      length += span.length();
    }
    rod.mean = rod.mean / length;
    rod.spread = 0;
    double* const at = m_at_obstacle.data() + static_cast<std::size_t>(r) * m_obstacles;
    for (int i = spans.first_of(r); i < spans.first_of(r + 1); ++i)
      for (const int node : spans[i].node) {
        rod.spread = std::max(rod.spread, norm(start.v[node] - rod.mean));
        for (int o = 0; o < m_obstacles; ++o) {
          const Vec3& x = start.x[node];
          const Vec3 led = obstacles[o].to.of_point(obstacles[o].from.back(x)) - x;
          at[o] = std::max(at[o], norm(start.v[node] - led / dt));
        }
      }
  }
}

void Impact::write(std::vector<double>& out) const {
  if (m_dt == 0) return;
  out.push_back(m_dt);
  for (const Rod& rod : m_rods) out.insert(out.end(), {rod.mean.x, rod.mean.y, rod.mean.z, rod.spread});
  out.insert(out.end(), m_at_obstacle.begin(), m_at_obstacle.end());
}

void Impact::read(std::span<const double> written) {
  m_dt = 0;
  if (written.size() != 1 + 4 * m_rods.size() + m_at_obstacle.size()) return;
  m_dt = written[0];
  const double* next = written.data() + 1;
  for (Rod& rod : m_rods) {
    rod.mean = {next[0], next[1], next[2]};
    rod.spread = next[3];
    next += 4;
  }
  std::copy_n(next, m_at_obstacle.size(), m_at_obstacle.begin());
}

double Impact::press(int rod, int other_rod, double activation) const {
  if (m_dt == 0) return 0;
  const Rod &a = m_rods[rod], &b = m_rods[other_rod];
  return stopping(std::min(a.line_density, b.line_density), norm(a.mean - b.mean) + a.spread + b.spread, activation);
}

double Impact::press_at(int rod, int obstacle, double activation) const {
  if (m_dt == 0) return 0;
  return stopping(m_rods[rod].line_density, m_at_obstacle[static_cast<std::size_t>(rod) * m_obstacles + obstacle], activation);
}

double Impact::stopping(double line_density, double speed, double activation) const {
  return line_density * speed * std::min(1 / m_dt, speed / activation);
}

}  // namespace writhe::contact
