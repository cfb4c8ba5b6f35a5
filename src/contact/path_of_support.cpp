#include "contact/path_of_support.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "contact/obstacle_shape.h"
#include "model/motion.h"
#include "model/obstacle_pose.h"

namespace writhe::contact {

namespace {

// Of the radius. The curve of a bent rod passes beside its nodes, so that a node does not tell to less.
constexpr double tolerated = 0.1;

// m, per node: of the segments that meet there, the thinnest.
std::vector<double> radii(const Model& model) {
  std::vector<double> out(static_cast<std::size_t>(model.node_count()), std::numeric_limits<double>::infinity());
  for (int s = 0; s < model.segment_count(); ++s)
    for (const int node : {model.segments().node0[s], model.segments().node1[s]})
      out[node] = std::min(out[node], model.segments().half_extent[s].z);
  return out;
}

class Way {
 public:
  Way(const Model& model, const ResolvedSupport& support, const Obstacle& obstacle, const ObstacleShape& shape, double radius)
      : m_support(support.support),
        m_obstacle(obstacle),
        m_shape(shape),
        m_built(model.nodes().x_initial[support.node]),
        m_radius(radius) {}

  // When the node is first deeper in the obstacle than at time 0, up to `until`.
  std::optional<double> first_deep(double until) {
    m_least = std::min(m_shape.distance(at(0)), m_radius) - tolerated * m_radius;
    const std::vector<double> times = times_until(until);
    for (std::size_t i = 1; i < times.size(); ++i)
      if (const std::optional<double> met = within({times[i - 1], at(times[i - 1])}, {times[i], at(times[i])}, 0)) return met;
    return std::nullopt;
  }

 private:
  struct Moment {
    double time;
    Vec3 place;  // seen from the obstacle
  };

  Vec3 at(double time) const {
    const Vec3 x = m_support.motion ? Displacement(*m_support.motion, m_built, time).of_point(m_built) : m_built;
    return pose_of(m_obstacle, time).back(x);
  }

  // Keys, and between them so many that no turn is missed.
  std::vector<double> times_until(double until) const {
    std::vector<double> keys{0, until};
    double turned = 0;  // rad, whichever
    for (const std::optional<Motion>* motion : {&m_support.motion, &m_obstacle.motion}) {
      if (!*motion) continue;
      const auto see = [&](double time) {
        if (time > 0 && time < until) keys.push_back(time);
      };
      for (const auto& key : (*motion)->translate.keys) see(key.first);
      for (const auto& key : (*motion)->angle.keys) see(key.first);
      for (std::size_t k = 1; k < (*motion)->angle.keys.size(); ++k)
        turned += std::abs((*motion)->angle.keys[k].second - (*motion)->angle.keys[k - 1].second);
    }
    std::sort(keys.begin(), keys.end());
    const int parts = static_cast<int>(std::min(16 + turned / (pi / 8), 4096.0));
    std::vector<double> out{0};
    for (std::size_t i = 1; i < keys.size(); ++i)
      for (int k = 1; k <= parts && keys[i] > keys[i - 1]; ++k) out.push_back(keys[i - 1] + (keys[i] - keys[i - 1]) * k / parts);
    return out;
  }

  // A distance changes by no more than the way.
  std::optional<double> within(const Moment& from, const Moment& to, int depth) const {
    constexpr int deepest = 24;
    constexpr double slack = 1.2;  // of a way that is not straight, over its chord
    if (m_shape.distance(from.place) < m_least) return from.time;
    const double way = slack * norm(to.place - from.place), ahead = m_shape.distance(to.place);
    if (0.5 * (m_shape.distance(from.place) + ahead - way) >= m_least) return std::nullopt;
    if (depth == deepest || way < 0.01 * m_radius) return ahead < m_least ? std::optional(to.time) : std::nullopt;
    const double time = 0.5 * (from.time + to.time);
    const Moment middle{time, at(time)};
    if (const std::optional<double> met = within(from, middle, depth + 1)) return met;
    return within(middle, to, depth + 1);
  }

  const Support& m_support;
  const Obstacle& m_obstacle;
  const ObstacleShape& m_shape;
  Vec3 m_built;
  double m_radius, m_least = 0;
};

}  // namespace

std::vector<RunOver> run_overs(const Model& model, double until) {
  std::vector<RunOver> out;
  const std::vector<Obstacle>& obstacles = model.scene().obstacles;
  if (obstacles.empty()) return out;
  const std::vector<double> radius = radii(model);
  for (int o = 0; o < static_cast<int>(obstacles.size()); ++o) {
    const ObstacleShape shape(obstacles[o]);
    for (int i = 0; i < static_cast<int>(model.supports().size()); ++i) {
      const ResolvedSupport& held = model.supports()[i];
      if (model.nodes().fixed[held.node] != fixed_all || (!held.support.motion && !obstacles[o].motion)) continue;
      if (const std::optional<double> met = Way(model, held, obstacles[o], shape, radius[held.node]).first_deep(until))
        out.push_back({*met, i, o});
    }
  }
  return out;
}

}  // namespace writhe::contact
