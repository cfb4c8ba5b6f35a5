#include "balance.h"

#include <algorithm>

#include "elastic/joint.h"
#include "loads/drive.h"
#include "math/rotation.h"
#include "measure/measure.h"
#include "model/strain.h"

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

Actions of_loads_and_elements(const Model& model, const State& state) {
  Actions sum = of_loads(model, state);
  for (int s = 0; s < model.segment_count(); ++s) add_segment(model, state, s, sum);
  for (int j = 0; j < model.joint_count(); ++j) add_joint(model, state, j, sum);
  return sum;
}

}  // namespace

Unbalanced unbalanced_parts(const Model& model, const State& state) {
  Actions sum = of_loads_and_elements(model, state);
  for (int f = 0; f < model.frame_count(); ++f)
    if (model.frames().is_prescribed(f)) sum.moment[model.segment_count() + f] = Vec3{};

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

Reaction reaction_of_step(const Model& model, const State& before, const State& after, int support) {
  const ResolvedSupport& held = model.supports()[support];
  const Actions sum = of_loads_and_elements(model, after);
  const Vec3 gained = model.nodes().mass[held.node] * (after.v[held.node] - before.v[held.node]);
  const Vec3 force = gained / (after.time - before.time) - sum.force[held.node];
  const unsigned fixed = model.nodes().fixed[held.node];
  const Vec3 along{fixed & fixed_x ? 1.0 : 0.0, fixed & fixed_y ? 1.0 : 0.0, fixed & fixed_z ? 1.0 : 0.0};
  return {support, scale(along, force), held.frame < 0 ? Vec3{} : -sum.moment[model.segment_count() + held.frame]};
}

double work_of_support(const Model& model, const State& before, const State& after, int support) {
  const ResolvedSupport& held = model.supports()[support];
  const Reaction reaction = reaction_of_step(model, before, after, support);
  const double work = dot(reaction.force, after.x[held.node] - before.x[held.node]);
  if (held.frame < 0) return work;
  const int frame = model.segment_count() + held.frame;
  return work + dot(reaction.moment, log_rotation(after.q[frame] * conj(before.q[frame])));
}

}  // namespace writhe::experiments
