#include "loads/load_stiffness.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "loads/acting.h"
#include "math/rotation.h"
#include "model/at_place.h"

namespace writhe::loads {

namespace {

Mat3 cross_matrix(const Vec3& v) { return {{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}; }

// Segments of one colour share no node and are turned at once.
std::vector<int> colours(const Model& model) {
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

}  // namespace

bool is_directional(const Load& load) {
  if (const auto* force = std::get_if<ForceLoad>(&load.kind)) return force->follower;
  if (const auto* drag = std::get_if<DragLoad>(&load.kind)) return norm(drag->velocity) > 0;  // at rest it only resists motion
  return !std::holds_alternative<LineLoad>(load.kind);
}

bool is_directional_at_place(const Load& load) {
  const auto* force = std::get_if<ForceLoad>(&load.kind);
  return std::holds_alternative<MomentLoad>(load.kind) || (force && force->follower);
}

std::span<TangentBlock> place_stiffness(const ResolvedLoad& load, const State& state, double factor,
                                        std::span<TangentBlock, most_place_blocks> memory) {
  const ResolvedPlace& at = load.at;
  std::size_t count = 0;
  const std::pair<int, double> shares[] = {{at.segment0, 1 - at.segment_weight1}, {at.segment1, at.segment_weight1}};
  if (const auto* moment = std::get_if<MomentLoad>(&load.load.kind)) {
    for (const auto& [segment, weight] : shares) {
      if (weight == 0) continue;
      const Vec3 own = (weight * factor) * body_moment(state, segment, *moment);
      const Dof turn = Dof::orientation(segment);
      memory[count++] = {turn, turn, cross_matrix((moment->follower ? 0.5 : -0.5) * own)};
    }
  } else if (const auto* force = std::get_if<ForceLoad>(&load.load.kind); force && force->follower) {
    const Mat3 turned = matrix(frame_at(state, at)) * cross_matrix(factor * force->force);
    const std::pair<int, double> ends[] = {{at.node0, 1 - at.node_weight1}, {at.node1, at.node_weight1}};
    for (const auto& [node, node_weight] : ends) {
      for (const auto& [segment, weight] : shares) {
        const double w = node_weight * weight;
        if (w != 0) memory[count++] = {Dof::node(node), Dof::orientation(segment), {w * turned.r0, w * turned.r1, w * turned.r2}};
      }
    }
  }
  return memory.first(count);
}

void add_load_stiffness(const Model& model, const State& state, double load, double time, std::vector<TangentBlock>& blocks) {
  TangentBlock memory[most_place_blocks];
  for (const ResolvedLoad& resolved : model.loads()) {
    const double factor = load * resolved.load.ramp.at(time);
    if (factor == 0) continue;
    const auto own = place_stiffness(resolved, state, factor, memory);
    blocks.insert(blocks.end(), own.begin(), own.end());
  }
}

void add_wind_stiffness(const Model& model, Drive& drive, const State& state, double load, double time,
                        std::vector<TangentBlock>& blocks) {
  constexpr double turn = 1e-6;  // rad
  constexpr Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Segments& segments = model.segments();
  const auto forces = [&](const State& at) {
    const Loading& loading = drive.at(model, at, time);
    std::vector<Vec3> out(loading.force.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = load * (loading.force[i] + loading.drag_force[i]);
    return out;
  };
  const std::vector<Vec3> before = forces(state);
  const std::vector<int> colour = colours(model);
  const int count = 1 + *std::max_element(colour.begin(), colour.end());
  for (int c = 0; c < count; ++c) {
    std::vector<Vec3> after[3];
    for (int k = 0; k < 3; ++k) {
      State turned = state;
      for (int s = 0; s < model.segment_count(); ++s)
        if (colour[s] == c) turned.q[s] = normalized(state.q[s] * exp_rotation(turn * axes[k]));
      after[k] = forces(turned);
    }
    for (int s = 0; s < model.segment_count(); ++s) {
      if (colour[s] != c) continue;
      for (const int node : {segments.node0[s], segments.node1[s]}) {
        const auto change = [&](int k) { return (before[node] - after[k][node]) / turn; };
        const Mat3 columns{change(0), change(1), change(2)};
        blocks.push_back({Dof::node(node), Dof::orientation(s), transpose(columns)});
      }
    }
  }
}

}  // namespace writhe::loads
