#include "loads/drive.h"

#include <algorithm>
#include <type_traits>

#include <fmt/format.h>

#include "elastic/inertia.h"
#include "loads/load_stiffness.h"
#include "model/at_place.h"
#include "model/extent.h"
#include "model/motion.h"

namespace writhe {

namespace {

constexpr int worth_threads = 2000;  // segments

// Writes the coordinates that are prescribed.
void put_held(Vec3& to, const Vec3& held, unsigned fixed) {
  if (fixed & fixed_x) to.x = held.x;
  if (fixed & fixed_y) to.y = held.y;
  if (fixed & fixed_z) to.z = held.z;
}

}  // namespace

Drive::Drive(const Model& model, const Threads& threads, Followers followers)
    : m_threads(threads), m_followers(followers), m_rods_share_nodes(model.components().size() < model.rods().size()) {
  const std::size_t nodes = static_cast<std::size_t>(model.node_count());
  m_loading.force.resize(nodes);
  m_loading.drag.resize(nodes);
  m_loading.drag_force.resize(nodes);
  m_loading.moment.resize(static_cast<std::size_t>(model.orientation_count()));
  m_loading.x_support = model.nodes().x_initial;
  m_loading.q_support = model.frames().q_initial;
  m_loading.closing.resize(model.rods().size());
  for (std::size_t i = 0; i < model.supports().size(); ++i)
    if (model.supports()[i].support.motion) m_moving.push_back(static_cast<int>(i));
  m_held.resize(m_moving.size());
  for (std::size_t rod = 0; rod < model.rods().size(); ++rod)
    if (!model.scene().rods[rod].closing_motion.keys.empty()) m_driven_rings.push_back(static_cast<int>(rod));
  for (const ResolvedLoad& resolved : model.loads()) {
    m_has_moments = m_has_moments || std::holds_alternative<MomentLoad>(resolved.load.kind);
    m_has_drag = m_has_drag || std::holds_alternative<DragLoad>(resolved.load.kind) ||
                 std::holds_alternative<WindLoad>(resolved.load.kind);
  }
  const bool lag =
      m_followers == Followers::lag && std::any_of(model.loads().begin(), model.loads().end(),
                                                   [&](const auto& load) { return loads::is_directional_at_place(model, load); });
  m_reads_motion = m_has_drag || lag;
  m_loading.has_drag = m_has_drag;
  m_loading.has_moments = m_has_moments;
}

void Drive::add(const State& state, const ResolvedPlace& place, const ForceLoad& load, double factor) {
  const Vec3 force = factor * loads::force_at(state, place, load);
  m_loading.force[place.node0] += (1 - place.node_weight1) * force;
  m_loading.force[place.node1] += place.node_weight1 * force;
}

void Drive::add(const State& state, const ResolvedPlace& place, const MomentLoad& load, double factor) {
  const auto give = [&](int segment, double weight) {
    m_loading.moment[segment] += weight * factor * loads::body_moment(state, segment, load);
  };
  give(place.segment0, 1 - place.segment_weight1);
  give(place.segment1, place.segment_weight1);
}

void Drive::add_drag(const Model& model, int segment, const loads::HalfDrag& half) {
  for (const int node : {model.segments().node0[segment], model.segments().node1[segment]}) {
    m_loading.drag[node] += half.drag;
    m_loading.drag_force[node] += half.force();
  }
}

template <class Work>
void Drive::for_each_segment(const Model& model, const std::vector<int>& rods, const Work& work) const {
  const auto along = [&](int i) {
    const RodRange& range = model.rods()[rods[i]];
    for (int s = range.first_segment; s < range.first_segment + range.segment_count; ++s) work(s);
  };
  const int count = static_cast<int>(rods.size());
  if (m_rods_share_nodes || model.segment_count() < worth_threads)
    for (int i = 0; i < count; ++i) along(i);
  else
    m_threads.for_each(count, along);
}

Drive::Held Drive::held_at(const Model& model, const ResolvedSupport& support, double time) const {
  const Vec3& built = model.nodes().x_initial[support.node];
  const Displacement displacement(*support.support.motion, built, time);
  Held held;
  held.x = displacement.of_point(built);
  if (support.frame >= 0) held.q = displacement.of_frame(model.frames().q_initial[support.frame], support.arm);
  return held;
}

void Drive::move_supports(const Model& model, const State& state, double time, Integrator integrator) {
  const double way = integrator == Integrator::midpoint ? 0.5 : 1;  // through the step, up to where the implicit solve ends
  for (std::size_t k = 0; k < m_moving.size(); ++k) {
    const ResolvedSupport& moving = model.supports()[m_moving[k]];
    m_held[k] = held_at(model, moving, time);
    const Vec3& x = state.x[moving.node];
    m_loading.x_support[moving.node] = way < 1 ? x + way * (m_held[k].x - x) : m_held[k].x;
    if (moving.frame < 0) continue;
    const Quat& q = state.q[model.segment_count() + moving.frame];
    m_loading.q_support[moving.frame] = way < 1 ? normalized(q * fraction_of(conj(q) * m_held[k].q, way)) : m_held[k].q;
  }
  for (const int rod : m_driven_rings) {
    const double end = model.scene().rods[rod].closing_motion.at(time, Easing::linear);
    m_loading.closing[rod] = way < 1 ? state.closing[rod] + way * (end - state.closing[rod]) : end;
  }
}

StepReport Drive::check_turns(const Model& model, const State& state, double time) const {
  StepReport report;
  const auto refuse = [&](int rod, int node, const std::string& what, double turned) {
    report.status = StepStatus::not_converged;
    report.rod = rod;
    report.node = node;
    report.cause = fmt::format(
        "{} turns by {:.3g} turns in this step, and a quarter is the most; take a smaller time.dt, or "
        "let it turn more slowly",
        what, turned / (2 * pi));
  };
  for (const int i : m_moving) {
    const ResolvedSupport& moving = model.supports()[i];
    const double turned = turned_between(*moving.support.motion, state.time, time);
    if (turned > most_turn_a_step) refuse(moving.rod, number_along(model, moving.rod, moving.node), "the support", turned);
  }
  for (const int rod : m_driven_rings) {
    const double turned = std::abs(model.scene().rods[rod].closing_motion.at(time, Easing::linear) - state.closing[rod]);
    if (turned > most_turn_a_step) refuse(rod, 0, "the closing angle", turned);
  }
  for (const Obstacle& obstacle : model.scene().obstacles) {
    const double turned = obstacle.motion ? turned_between(*obstacle.motion, state.time, time) : 0;
    if (turned > most_turn_a_step) refuse(-1, -1, "the obstacle '" + obstacle.name + "'", turned);
  }
  return report;
}

void Drive::place(const Model& model, State& state, double time, double dt, Integrator integrator) const {
  const bool midpoint = integrator == Integrator::midpoint;
  for (std::size_t k = 0; k < m_moving.size(); ++k) {
    const ResolvedSupport& moving = model.supports()[m_moving[k]];
    const int frame = moving.frame < 0 ? -1 : model.segment_count() + moving.frame;
    if (frame >= 0) state.w[frame] = elastic::angular_rate(state.q[frame], m_held[k].q, 1 / dt);
    if (frame >= 0) state.q[frame] = m_held[k].q;
    if (!midpoint) continue;
    const Held before = held_at(model, moving, time - dt / 2), after = held_at(model, moving, time + dt / 2);
    const unsigned fixed = model.nodes().fixed[moving.node];
    put_held(state.x[moving.node], m_held[k].x, fixed);
    put_held(state.v[moving.node], (1 / dt) * (after.x - before.x), fixed);
    if (frame >= 0) state.w[frame] = (1 / dt) * log_rotation(conj(before.q) * after.q);
  }
  for (const int rod : m_driven_rings)
    state.closing[rod] = midpoint ? model.scene().rods[rod].closing_motion.at(time, Easing::linear) : m_loading.closing[rod];
}

const State& Drive::seen_by_loads(const Model& model, const State& state, double half, Integrator integrator) {
  if (integrator == Integrator::euler || !m_reads_motion) return state;
  m_predicted.q = state.q;
  m_predicted.v = state.v;
  for (int s = 0; s < model.segment_count(); ++s) m_predicted.q[s] = state.q[s] * exp_rotation(half * state.w[s]);
  return m_predicted;
}

const Loading& Drive::of_step(const Model& model, const State& state, double time, Integrator integrator) {
  move_supports(model, state, time, integrator);
  const double half = (time - state.time) / 2;
  m_loading.time = integrator == Integrator::midpoint ? state.time + half : time;
  add_loads(model, seen_by_loads(model, state, half, integrator), state.time, time, m_followers);
  return m_loading;
}

const Loading& Drive::at(const Model& model, const State& state, double time) {
  move_supports(model, state, time, Integrator::euler);
  m_loading.time = time;
  add_loads(model, state, time, time, Followers::lag);
  return m_loading;
}

// The loads on a rod that is in `state`, with the mean of their ramps between two times.
void Drive::add_loads(const Model& model, const State& state, double from, double to, Followers followers) {
  const Scene& scene = model.scene();
  const Vec3 gravity = scene.gravity_ramp.mean(from, to) * scene.gravity;
  m_threads.for_each_chunk(model.node_count(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) m_loading.force[i] = model.nodes().mass[i] * gravity;
  });
  if (m_has_moments) std::fill(m_loading.moment.begin(), m_loading.moment.end(), Vec3{});
  if (m_has_drag) {
    std::fill(m_loading.drag.begin(), m_loading.drag.end(), Sym3{});
    std::fill(m_loading.drag_force.begin(), m_loading.drag_force.end(), Vec3{});
  }

  const Segments& segments = model.segments();
  for (const ResolvedLoad& resolved : model.loads()) {
    if (std::holds_alternative<MomentLoad>(resolved.load.kind) && is_clamped(model, resolved.at)) continue;  // the clamp bears it
    if (followers == Followers::in_terms && loads::is_directional_at_place(model, resolved)) continue;
    const double factor = loads::factor_of_step(resolved.load, from, to);
    const auto visit = [&](const auto& load) {
      using Kind = std::decay_t<decltype(load)>;
      if constexpr (std::is_same_v<Kind, LineLoad>) {
        for_each_segment(model, resolved.rods, [&](int s) {
          const Vec3 half = loads::half_force(model, s, load, factor);
          m_loading.force[segments.node0[s]] += half;
          m_loading.force[segments.node1[s]] += half;
        });
      } else if constexpr (std::is_same_v<Kind, DragLoad> || std::is_same_v<Kind, WindLoad>) {
        for_each_segment(model, resolved.rods,
                         [&](int s) { add_drag(model, s, loads::half_drag(model, state, s, load, factor)); });
      } else {
        add(state, resolved.at, load, factor);
      }
    };
    std::visit(visit, resolved.load.kind);
  }
}

}  // namespace writhe
