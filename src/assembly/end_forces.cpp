#include "assembly/end_forces.h"

#include <algorithm>
#include <limits>
#include <variant>

#include "assembly/terms_of.h"
#include "elastic/joint.h"
#include "elastic/segment.h"
#include "loads/acting.h"
#include "math/rotation.h"
#include "model/at_place.h"
#include "model/motion.h"
#include "model/strain.h"

namespace writhe::assembly {

namespace {

bool anything_moves(const State& state) {
  const auto moves = [](const Vec3& rate) { return rate.x != 0 || rate.y != 0 || rate.z != 0; };
  return std::any_of(state.v.begin(), state.v.end(), moves) || std::any_of(state.w.begin(), state.w.end(), moves);
}

// Coordinates that are held from one, the others from the other.
Vec3 held_of(unsigned fixed, const Vec3& held, const Vec3& free) {
  return {fixed & fixed_x ? held.x : free.x, fixed & fixed_y ? held.y : free.y, fixed & fixed_z ? held.z : free.z};
}

}  // namespace

EndForces::EndForces(const Model& model)
    : m_model(&model),
      m_terms(terms_of(model)),
      m_along(model.rods().size()),
      m_index(static_cast<std::size_t>(model.node_count()), -1),
      m_reactions(model.supports().size()) {
  m_ends.of.resize(model.rods().size());
  for (std::size_t i = 0; i < model.loads().size(); ++i)
    for (const int rod : model.loads()[i].rods) m_along[rod].push_back(static_cast<int>(i));
  find_nodes();
}

void EndForces::find_nodes() {
  const Model& model = *m_model;
  const auto want = [&](int node, int support) {
    if (m_index[node] < 0) {
      m_index[node] = static_cast<int>(m_nodes.size());
      m_nodes.push_back({node, -1, {}});
    }
    if (support >= 0) m_nodes[m_index[node]].support = support;
  };
  for (std::size_t i = 0; i < model.supports().size(); ++i) want(model.supports()[i].node, static_cast<int>(i));
  for (int rod = 0; rod < static_cast<int>(model.rods().size()); ++rod) {
    if (model.rods()[rod].closed) continue;
    for (const int k : {0, model.rods()[rod].segment_count}) want(model.node_of(rod, k), -1);
  }

  const measure::SegmentJoints joints = measure::segment_joints(model);
  const auto to_frame = [&](int joint) {
    if (joint < 0) return -1;
    return std::max(model.joints().a[joint], model.joints().b[joint]) < model.segment_count() ? -1 : joint;
  };
  for (int s = 0; s < model.segment_count(); ++s) {
    const int rod = model.segments().rod[s];
    const RodRange& range = model.rods()[rod];
    const auto add = [&](int node, bool at_end, int joint, int end_segment) {
      if (m_index[node] < 0) return;
      const bool is_end = !range.closed && s == end_segment;
      m_nodes[m_index[node]].halves.push_back({s, at_end, to_frame(joint), is_end ? rod : -1});
    };
    add(model.segments().node0[s], false, joints.start[s], range.first_segment);
    add(model.segments().node1[s], true, joints.end[s], range.first_segment + range.segment_count - 1);
  }
}

void EndForces::update(const State& state, double load) {
  m_moves = anything_moves(state);
  for (Node& at : m_nodes) at.applied = at.turning = Vec3{};
  apply_loads(state, load);
  apply_terms(state);
  for (Node& at : m_nodes) balance(state, load, at);
}

// ---- what acts at the nodes themselves -----------------------------------------------------------------------------
void EndForces::add_applied(int node, const Vec3& force) {
  if (m_index[node] >= 0) m_nodes[m_index[node]].applied += force;
}

void EndForces::apply_loads(const State& state, double load) {
  for (const ResolvedLoad& resolved : m_model->loads()) {
    const ResolvedPlace& at = resolved.at;
    const double factor = load * resolved.load.ramp.at(state.time);
    if (const auto* moment = std::get_if<MomentLoad>(&resolved.load.kind); moment && is_clamped(*m_model, at)) {
      const Vec3 own = moment->follower ? rotate(at.turn, moment->moment) : rotate_back(state.q[at.segment0], moment->moment);
      m_nodes[m_index[m_model->frames().node[at.segment0 - m_model->segment_count()]]].turning -= factor * own;
    }
    const auto* given = std::get_if<ForceLoad>(&resolved.load.kind);
    if (!given) continue;
    const Vec3 force = factor * loads::force_at(state, at, *given);
    add_applied(at.node0, (1 - at.node_weight1) * force);
    add_applied(at.node1, at.node_weight1 * force);
  }
}

// Rates enter a term as the way from where a step started: from so little earlier that they are those of the state.
void EndForces::apply_terms(const State& state) {
  if (m_terms->empty()) return;
  constexpr double part = 1e-3;  // of time.dt
  const double earlier = m_moves ? part * m_model->scene().dt : std::numeric_limits<double>::infinity();
  m_before = state;
  if (m_moves)
    for (std::size_t i = 0; i < state.x.size(); ++i) m_before.x[i] = state.x[i] - earlier * state.v[i];
  m_terms->begin(m_before, {state.time, earlier});
  for (std::size_t t = 0; t < m_terms->size(); ++t) {
    const Term& term = (*m_terms)[t];
    for (int e = 0; e < term.element_count(); ++e) {
      const std::span<const Dof> dofs = term.dofs(e);
      const Term::Value value = term.value(e, state);
      for (std::size_t i = 0; i < dofs.size(); ++i) {
        const int frame = dofs[i].index - m_model->segment_count();
        if (dofs[i].kind == Dof::Kind::node)
          add_applied(dofs[i].index, -value.gradient[i]);
        else if (frame >= 0 && m_index[m_model->frames().node[frame]] >= 0)
          m_nodes[m_index[m_model->frames().node[frame]]].turning += value.gradient[i];
      }
    }
  }
}

// ---- what acts on a half of a segment ------------------------------------------------------------------------------
// On the node, N, space. Damping is a rest strain that lags: n = C (strain + tau rate).
Vec3 EndForces::segment_force(const State& state, const Half& half) const {
  const Segments& segments = m_model->segments();
  const int s = half.segment, node0 = segments.node0[s], node1 = segments.node1[s];
  const double l = segments.length[s];
  const Vec3 edge = (state.x[node1] - state.x[node0]) / l;
  // t = R^T edge changes by t x delta when the segment turns by delta (docs/theory/rod.md)
  const Vec3 rate =
      rotate_back(state.q[s], (state.v[node1] - state.v[node0]) / l) + cross(rotate_back(state.q[s], edge), state.w[s]);
  const Vec3 lag = (m_moves ? -m_model->scene().damping.internal : 0.0) * rate;
  const Vec3 force = elastic::segment_value(edge, state.q[s], l, segments.stiffness[s], lag).force;
  return half.at_end ? -force : force;
}

// N, space.
Vec3 EndForces::distributed(const State& state, const Half& half, double load) const {
  const Scene& scene = m_model->scene();
  const int s = half.segment, node = (half.at_end ? m_model->segments().node1 : m_model->segments().node0)[s];
  const double mass = m_model->segments().mass[s] / 2;
  Vec3 sum = (mass * scene.gravity_ramp.at(state.time)) * scene.gravity;
  for (const int i : m_along[m_model->segments().rod[s]]) {
    const Load& given = m_model->loads()[i].load;
    const double factor = given.ramp.at(state.time);
    if (const auto* line = std::get_if<LineLoad>(&given.kind)) sum += loads::half_force(*m_model, s, *line, factor);
    if (!loads::is_flow(given)) continue;
    const loads::HalfDrag drag = loads::half_drag(*m_model, state, s, given, factor);
    sum += drag.force() - drag.drag * state.v[node];
  }
  return load * sum - (scene.damping.mass * mass) * state.v[node];
}

// Damping as in a segment. Free frames have no rate of their own, so that joints to them count without.
EndForces::FrameMoment EndForces::frame_moment(const State& state, const Half& half) const {
  const Joints& joints = m_model->joints();
  const int j = half.joint, a = joints.a[j], b = joints.b[j];
  const Quat turn_a = joints.turn_a[j], turn_b = strain::turn_b(*m_model, state, j);
  const Quat relative = strain::rotation_of_joint(*m_model, state, j);
  Vec3 rest = joints.length[j] * joints.strain_rest[j];  // rad
  const bool damped = m_moves && m_model->frames().is_prescribed((half.at_end ? b : a) - m_model->segment_count());
  if (damped) {
    const auto kinematics = elastic::joint_kinematics(relative);
    const Vec3 rate = kinematics.by_a * rotate_back(turn_a, state.w[a]) + kinematics.by_b * rotate_back(turn_b, state.w[b]);
    rest -= m_model->scene().damping.internal * rate;
  }
  const auto value = elastic::joint_value(relative, (1 / joints.length[j]) * joints.stiffness[j], rest);
  // By the frame, seen through its turn; and the other way round through that of the segment, whose axes go on at the end.
  if (half.at_end) return {rotate(turn_a, value.moment_b), rotate(turn_b, value.moment_b)};
  return {-rotate(turn_b, value.moment_a), rotate(turn_a, value.moment_a)};
}

// N m, in the axes of the segment.
Vec3 EndForces::applied_moment(const State& state, const Half& half, double load) const {
  const int node = (half.at_end ? m_model->segments().node1 : m_model->segments().node0)[half.segment];
  Vec3 sum{};
  for (const ResolvedLoad& resolved : m_model->loads()) {
    const auto* given = std::get_if<MomentLoad>(&resolved.load.kind);
    if (!given || resolved.at.rod != half.rod || !is_at(resolved.at, node)) continue;
    sum += (load * resolved.load.ramp.at(state.time)) * loads::body_moment(state, half.segment, *given);
  }
  return half.at_end ? sum : -sum;
}

// ---- balance -------------------------------------------------------------------------------------------------------
// m/s^2, space; `unheld` along coordinates that are not held.
Vec3 EndForces::acceleration(const State& state, const Node& at, const Vec3& unheld) const {
  if (at.support < 0) return unheld;
  const Support& support = m_model->supports()[at.support].support;
  Vec3 held{};
  if (support.motion && m_moves) {
    const double dt = m_model->scene().dt;
    const double middle = m_model->scene().solver.integrator == Integrator::euler ? state.time - dt : state.time;
    const Vec3& built = m_model->nodes().x_initial[at.node];
    const auto place = [&](double time) { return Displacement(*support.motion, built, time).of_point(built); };
    held = (place(middle + dt) - 2.0 * place(middle) + place(middle - dt)) / (dt * dt);
  }
  return held_of(m_model->nodes().fixed[at.node], held, unheld);
}

void EndForces::balance(const State& state, double load, Node& at) {
  Vec3 sum = at.applied;
  for (Half& half : at.halves) {
    half.others = segment_force(state, half) + distributed(state, half, load);
    sum += half.others;
  }
  const Vec3 a = acceleration(state, at, sum / m_model->nodes().mass[at.node]);
  Vec3 force = -at.applied, moment = at.turning;
  for (Half& half : at.halves) {
    half.force = (m_model->segments().mass[half.segment] / 2) * a - half.others;
    force += half.force;
    if (half.joint >= 0) moment += frame_moment(state, half).on_frame;
    if (half.rod >= 0) tell_end(state, load, half);
  }
  if (at.support < 0) return;
  const int frame = m_model->supports()[at.support].frame;
  m_reactions[at.support] = {at.support, held_of(m_model->nodes().fixed[at.node], force, Vec3{}),
                             frame < 0 ? Vec3{} : rotate(state.q[m_model->segment_count() + frame], moment)};
}

void EndForces::tell_end(const State& state, double load, const Half& half) {
  const measure::End end = half.at_end ? measure::End::end : measure::End::start;
  const Quat axes = measure::end_frame(*m_model, state, half.segment, end, half.joint);
  measure::RodEnds::One& out = m_ends.of[half.rod][half.at_end ? 1 : 0];
  out.force = rotate_back(axes, half.at_end ? half.force : -half.force);
  out.moment = half.joint >= 0 ? frame_moment(state, half).along_rod : applied_moment(state, half, load);
}

}  // namespace writhe::assembly
