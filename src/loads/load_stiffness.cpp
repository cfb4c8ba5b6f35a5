#include "loads/load_stiffness.h"

#include <utility>
#include <variant>

#include "loads/acting.h"
#include "loads/flow.h"
#include "math/rotation.h"
#include "model/at_place.h"

namespace writhe::loads {

bool is_directional(const Load& load) {
  if (const auto* force = std::get_if<ForceLoad>(&load.kind)) return force->follower;
  if (const auto* drag = std::get_if<DragLoad>(&load.kind)) return norm(drag->velocity) > 0;  // at rest it only resists motion
  return !std::holds_alternative<LineLoad>(load.kind);
}

bool is_directional(const Model& model, const ResolvedLoad& load) {
  return is_directional(load.load) && !is_clamped(model, load.at);
}

bool is_directional_at_place(const Model& model, const ResolvedLoad& load) {
  return is_directional(model, load) && !is_flow(load.load);
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

namespace {

Mat3 scaled(double s, const Mat3& m) { return {s * m.r0, s * m.r1, s * m.r2}; }

struct Share {
  double load, ramp;  // the force is `load` times that of the flow, which the ramp scales
};

void add_flow_stiffness(const Model& model, const State& state, const Load& load, int segment, const Share& share,
                        std::vector<TangentBlock>& blocks) {
  const FlowForce flow = flow_force(model, segment, {state.q[segment], {}}, load, share.ramp);
  const int nodes[] = {model.segments().node0[segment], model.segments().node1[segment]};
  for (int i = 0; i < 2; ++i)
    blocks.push_back({Dof::node(nodes[i]), Dof::orientation(segment), scaled(-share.load, flow.by_turn[i])});
}

template <class Work>
void for_each_segment(const Model& model, const std::vector<int>& rods, const Work& work) {
  for (const int rod : rods) {
    const RodRange& range = model.rods()[rod];
    for (int s = range.first_segment; s < range.first_segment + range.segment_count; ++s) work(s);
  }
}

}  // namespace

void add_load_stiffness(const Model& model, const State& state, double load, double time, std::vector<TangentBlock>& blocks) {
  TangentBlock memory[most_place_blocks];
  for (const ResolvedLoad& resolved : model.loads()) {
    const double factor = resolved.load.ramp.at(time);
    if (load * factor == 0 || !is_directional(model, resolved)) continue;
    const auto own = place_stiffness(resolved, state, load * factor, memory);
    blocks.insert(blocks.end(), own.begin(), own.end());
    for_each_segment(model, resolved.rods, [&](int s) {
      add_flow_stiffness(model, state, resolved.load, s, {load, factor}, blocks);
    });
  }
}

void add_flow_resistance(const Model& model, const State& state, double load, double time, std::vector<TangentBlock>& blocks) {
  for (const ResolvedLoad& resolved : model.loads()) {
    const double factor = resolved.load.ramp.at(time);
    if (load * factor == 0 || !is_flow(resolved.load)) continue;
    for_each_segment(model, resolved.rods, [&](int s) {
      const FlowForce flow = flow_force(model, s, {state.q[s], {}}, resolved.load, factor);
      const Dof nodes[] = {Dof::node(model.segments().node0[s]), Dof::node(model.segments().node1[s])};
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) blocks.push_back({nodes[i], nodes[j], scaled(-load, flow.by_velocity[i][j])});
    });
  }
}

}  // namespace writhe::loads
