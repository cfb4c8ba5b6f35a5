#include "statics/load_stiffness.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "math/rotation.h"
#include "simulation/measure.h"

namespace writhe::statics {

using assembly::Assembly;
using assembly::block;
using Eigen::VectorXd;

namespace {

Mat3 cross_matrix(const Vec3& v) { return {{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}; }

void add_entries(Entries& entries, int row, int column, const Mat3& m) {
  const Vec3 rows[3] = {m.r0, m.r1, m.r2};
  for (int i = 0; i < 3; ++i) {
    entries.emplace_back(3 * row + i, 3 * column, rows[i].x);
    entries.emplace_back(3 * row + i, 3 * column + 1, rows[i].y);
    entries.emplace_back(3 * row + i, 3 * column + 2, rows[i].z);
  }
}

}  // namespace

bool is_directional(const Load& load) {
  if (const auto* force = std::get_if<ForceLoad>(&load.kind)) return force->follower;
  if (const auto* drag = std::get_if<DragLoad>(&load.kind)) return norm(drag->velocity) > 0;  // at rest it only resists motion
  return !std::holds_alternative<LineLoad>(load.kind);
}

// The body components of a moment M in space change
// by m x delta; and the derivative of a body gradient g along a turn is the Hessian plus [g]x/2, which matters only where loads
// balance g (elsewhere it vanishes with the residual).
void add_load_stiffness(const Model& model, const Assembly& assembly, const State& state, double load, double time,
                        const VectorXd& elastic, Entries& entries) {
  std::vector<int> turned_back;  // orientations with a moment
  for (const ResolvedLoad& resolved : model.loads()) {
    const ResolvedPlace& at = resolved.at;
    const double factor = load * resolved.load.ramp.at(time);
    if (factor == 0) continue;
    const std::pair<int, double> shares[] = {{at.segment0, 1 - at.segment_weight1}, {at.segment1, at.segment_weight1}};
    if (const auto* moment = std::get_if<MomentLoad>(&resolved.load.kind)) {
      for (const auto& [segment, weight] : shares) {
        if (weight == 0) continue;
        const int b = assembly.block_of_orientation(segment);
        if (!moment->follower)
          add_entries(entries, b, b, cross_matrix((-weight * factor) * rotate_back(state.q[segment], moment->moment)));
        turned_back.push_back(b);
      }
    } else if (const auto* follower = std::get_if<ForceLoad>(&resolved.load.kind); follower && follower->follower) {
      const Mat3 R = matrix(measure::frame_at(state, at));
      const Mat3 turned = R * cross_matrix(factor * follower->force);
      const std::pair<int, double> ends[] = {{at.node0, 1 - at.node_weight1}, {at.node1, at.node_weight1}};
      for (const auto& [node, node_weight] : ends) {
        for (const auto& [segment, weight] : shares) {
          const double w = node_weight * weight;
          add_entries(entries, assembly.block_of_node(node), assembly.block_of_orientation(segment),
                      {w * turned.r0, w * turned.r1, w * turned.r2});
        }
      }
    }
  }
  std::sort(turned_back.begin(), turned_back.end());
  turned_back.erase(std::unique(turned_back.begin(), turned_back.end()), turned_back.end());
  for (const int b : turned_back) add_entries(entries, b, b, cross_matrix(0.5 * block(elastic, b)));
}

// Segments of one colour share no node and are turned at once.
static std::vector<int> colours(const Model& model) {
  const Segments& segments = model.segments();
  std::vector<std::vector<int>> taken(static_cast<std::size_t>(model.node_count()));
  std::vector<int> out(static_cast<std::size_t>(model.segment_count()));
  for (int s = 0; s < model.segment_count(); ++s) {
    std::vector<int>&one = taken[segments.node0[s]], &other = taken[segments.node1[s]];
    const auto used = [&](int colour) {
      return std::count(one.begin(), one.end(), colour) + std::count(other.begin(), other.end(), colour) > 0;
    };
    while (used(out[s])) ++out[s];
    one.push_back(out[s]);
    other.push_back(out[s]);
  }
  return out;
}

void add_wind_stiffness(const Model& model, const Assembly& assembly, const State& state,
                        const std::function<VectorXd(const State&)>& loads, Entries& entries) {
  constexpr double turn = 1e-6;  // rad
  constexpr Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Segments& segments = model.segments();
  const VectorXd before = loads(state);
  const std::vector<int> colour = colours(model);
  const int count = 1 + *std::max_element(colour.begin(), colour.end());
  for (int c = 0; c < count; ++c) {
    for (int k = 0; k < 3; ++k) {
      State turned = state;
      for (int s = 0; s < model.segment_count(); ++s)
        if (colour[s] == c) turned.q[s] = assembly::turned(state.q[s], turn * axes[k]);
      const VectorXd change = (before - loads(turned)) / turn;
      for (int s = 0; s < model.segment_count(); ++s) {
        if (colour[s] != c) continue;
        const int column = 3 * assembly.block_of_orientation(s) + k;
        for (const int node : {segments.node0[s], segments.node1[s]}) {
          const int row = assembly.block_of_node(node);
          for (int i = 0; i < 3; ++i) entries.emplace_back(3 * row + i, column, change[3 * row + i]);
        }
      }
    }
  }
}

}  // namespace writhe::statics
