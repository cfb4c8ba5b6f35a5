#include "balance.h"

#include <algorithm>

#include "elastic/joint.h"
#include "model/strain.h"
#include "simulation/drive.h"
#include "simulation/measure.h"

namespace writhe::experiments {

namespace {

// Space components.
struct Actions {
  std::vector<Vec3> force;   // N, on nodes
  std::vector<Vec3> moment;  // N m, on orientations
};

Actions of_loads(const Model& model, const State& state) {
  Drive drive(model);
  const Loading& loading = drive.at(model, state, state.time);
  Actions out{loading.force, loading.moment};
  for (int i = 0; i < model.orientation_count(); ++i) out.moment[i] = rotate(state.q[i], loading.moment[i]);
  return out;
}

// A segment pulls its nodes together with its force; the nodes pull at its ends in turn, which is a couple where the force is not
// along the segment.
void add_segment(const Model& model, const State& state, int s, Actions& out) {
  const Vec3 force = rotate(state.q[s], measure::segment_force(model, state, s));
  const int node0 = model.segments().node0[s], node1 = model.segments().node1[s];
  out.force[node0] += force;
  out.force[node1] -= force;
  out.moment[s] += cross(state.x[node1] - state.x[node0], force);
}

// A joint's moments about its measures of strain, as one vector: its virtual work on a turn of b. What turns b back turns a on.
void add_joint(const Model& model, const State& state, int j, Actions& out) {
  const int a = model.joints().a[j], b = model.joints().b[j];
  const Vec3 stress = measure::joint_moment(model, state, j);
  const auto kinematics = elastic::joint_kinematics(measure::joint_rotation(model, state, j));
  const Vec3 body = elastic::transposed_times(kinematics.by_b, stress);
  const Vec3 moment = rotate(state.q[b] * strain::turn_b(model, state, j), body);
  out.moment[a] += moment;
  out.moment[b] -= moment;
}

}  // namespace

Unbalanced unbalanced_parts(const Model& model, const State& state) {
  Actions sum = of_loads(model, state);
  for (int s = 0; s < model.segment_count(); ++s) add_segment(model, state, s, sum);
  for (int j = 0; j < model.joint_count(); ++j) add_joint(model, state, j, sum);
  for (int f = 0; f < model.frame_count(); ++f)
    if (model.frames().prescribed[f]) sum.moment[model.segment_count() + f] = Vec3{};

  Unbalanced out;
  for (int i = 0; i < model.node_count(); ++i) {
    const int fixed = model.nodes().fixed[i];
    const Vec3 free{fixed & fixed_x ? 0.0 : 1.0, fixed & fixed_y ? 0.0 : 1.0, fixed & fixed_z ? 0.0 : 1.0};
    out.force = std::max(out.force, norm(scale(free, sum.force[i])));
  }
  for (const Vec3& moment : sum.moment) out.moment = std::max(out.moment, norm(moment));
  return out;
}

Unbalanced unbalanced_whole(const Model& model, const State& state, const std::vector<Reaction>& reactions) {
  const Actions loads = of_loads(model, state);
  Vec3 force{}, moment{};
  for (int i = 0; i < model.node_count(); ++i) {
    force += loads.force[i];
    moment += cross(state.x[i], loads.force[i]);
  }
  for (const Vec3& applied : loads.moment) moment += applied;
  for (const Reaction& reaction : reactions) {
    force += reaction.force;
    moment += reaction.moment + cross(state.x[model.supports()[reaction.support].node], reaction.force);
  }
  return {norm(force), norm(moment)};
}

}  // namespace writhe::experiments
