#include "statics/path.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "contact/thinning.h"
#include "model/motion.h"

namespace writhe::statics {

using Eigen::VectorXd;

Path::Path(const Model& model, Equilibrium& equilibrium, State& state, StaticOptions options,
           std::function<void(const StaticPoint&)> seen)
    : m_model(model), m_equilibrium(equilibrium), m_state(state), m_options(std::move(options)), m_seen(std::move(seen)) {
  const assembly::Assembly& assembly = equilibrium.assembly();
  m_weights = VectorXd::Zero(assembly.size());
  double total = 0;
  for (const auto& node : assembly.nodes()) total += model.nodes().length[node.index];
  const double length = equilibrium.length();
  for (const auto& node : assembly.nodes()) {
    const double w = model.nodes().length[node.index] / (total * length * length);
    assembly::add_block(m_weights, node.block, {w, w, w});
  }
  for (const auto& turn : assembly.orientations()) {
    if (turn.index >= model.segment_count()) continue;
    const double w = model.segments().length[turn.index] / total;
    assembly::add_block(m_weights, turn.block, {w, w, w});
  }
  equilibrium.watch(m_options.iterating);
}

StaticReport Path::run() {
  // Before anything is looked for: drag and wind would else push by the speed with which a run arrived, or with which rods begin.
  std::fill(m_state.v.begin(), m_state.v.end(), Vec3{});
  std::fill(m_state.w.begin(), m_state.w.end(), Vec3{});
  const double end = m_options.until.value_or(contact::last_change(m_model));
  const double begin = m_options.near_state ? m_state.time : 0;
  if (m_options.near_state ? begin_near() : put_loads_on()) {
    m_in_time = true;
    if (end > begin) follow_time(begin, end);
  }
  m_report.iterations = m_equilibrium.iterations();
  hold(m_freedom);  // what the last attempt held may be something else
  return m_report;
}

// Step by step from the unloaded rods, so that a limit point is not jumped over. Where that is lost, or nothing is in equilibrium
// without loads, down the potential of the loaded rods at once.
bool Path::put_loads_on() {
  const Where unloaded{0, 0}, loaded{1, 0};
  const State built = m_state;
  m_equilibrium.place(m_state, loaded);
  const Freedom freedom = find_freedom(m_model, m_equilibrium, m_state, loaded);
  if (!freedom.driven.empty()) {
    const Attempt came = freedom.may_be_caught() ? put_loads_on_at_once(built) : Attempt::driven;
    return came == Attempt::found || came == Attempt::stopped ? m_report.converged() : fail_mechanism(freedom.driven.front(), "");
  }

  Found found;
  const Attempt came = fall(built, unloaded, found);
  if (came == Attempt::found) {
    const bool nothing = m_equilibrium.loads(found.state, loaded).isZero(0);
    if (!accept(nothing ? loaded : unloaded, std::move(found))) return false;
    if (m_options.perturb) perturb();
    if (!m_report.converged()) return false;
    if (nothing || follow({unloaded, loaded}) || m_report.status != StaticStatus::not_converged) return m_report.converged();
  } else if (came == Attempt::stopped) {
    return report(came, found, unloaded);
  } else {
    fail(found.solved.outcome == Outcome::not_finite ? StaticStatus::not_finite : StaticStatus::not_converged,
         found.solved.residual,
         fmt::format("no equilibrium without loads was found: {}; build the rods nearer to one", cause_of(found.solved)));
  }
  if (m_equilibrium.has_potential(loaded)) put_loads_on_at_once(built);
  return m_report.converged();
}

// Down the potential of the loaded rods from where they were built. What had been reported before counts if that is lost.
Path::Attempt Path::put_loads_on_at_once(const State& built) {
  constexpr int times_as_many = 5;  // iterations: a wire that hardly bends falls by its length
  const Where loaded{1, 0};
  Found found;
  const Attempt came = fall(built, loaded, found, times_as_many * m_options.max_iterations);
  if (came == Attempt::stopped) report(came, found, loaded);
  if (came != Attempt::found) return came;
  m_report.status = StaticStatus::converged;
  m_report.cause.clear();
  m_report.rod = m_report.node = -1;
  if (m_report.points > 0) ++m_report.jumps;
  if (accept(loaded, std::move(found)) && m_options.perturb) perturb();
  return came;
}

// At the equilibrium near a state that a run left, with the loads and supports of its time: by Newton's method on the equations,
// so that it is the nearest, stable or not. Where that leads nowhere the run was not near one, and what is next down the
// potential is taken.
bool Path::begin_near() {
  const Where there{1, m_state.time};
  const State left = m_state;
  Found found;
  found.state = left;
  m_equilibrium.place(found.state, there);
  found.freedom = find_freedom(m_model, m_equilibrium, found.state, there);
  Attempt came = Attempt::lost;
  if (found.freedom.driven.empty()) {
    hold(found.freedom);
    found.solved = m_equilibrium.correct(found.state, there, most_corrections);
    if (found.solved.outcome == Outcome::stopped) return report(Attempt::stopped, found, there);
    if (found.solved.converged()) came = hold_own_and_count(found, there);
  }
  if (came != Attempt::found && came != Attempt::stopped && m_equilibrium.has_potential(there)) {
    found = {};
    came = fall(left, there, found);
  }
  if (came == Attempt::stopped) return report(came, found, there);
  if (came == Attempt::driven) return fail_mechanism(found.freedom.driven.front(), "");
  if (came != Attempt::found)
    return fail(
        StaticStatus::not_converged, found.solved.residual,
        fmt::format("no equilibrium was found near the state at t = {:.6g} s: {}; run it longer, with damping, until it is "
                    "nearer to rest",
                    left.time, cause_of(found.solved)));
  if (!accept(there, std::move(found))) return false;
  if (m_options.perturb) perturb();
  return m_report.converged();
}

// From key to key: between them everything changes smoothly, and what happens there is not stepped over.
bool Path::follow_time(double begin, double end) {
  std::vector<double> times = key_times(m_model.scene());
  times.erase(std::lower_bound(times.begin(), times.end(), end), times.end());
  times.erase(times.begin(), std::upper_bound(times.begin(), times.end(), begin));
  times.push_back(end);
  double from = begin;
  for (const double to : times) {
    if (!follow({{1, from}, {1, to}, (to - from) / (end - begin)})) return false;
    from = to;
  }
  return true;
}

bool Path::follow(const Stage& stage) {
  if (m_options.arclength) return follow_arc(stage);
  const double first = std::min(1.0, m_options.first_step / stage.share);
  // while the loads are put on nothing but their end is of interest
  const double longest = m_in_time ? std::min(1.0, m_options.longest_step / stage.share) : 0.25;
  const int enough = m_report.points + m_options.max_points;
  double s = 0, step = first;
  while (s < 1) {
    if (m_report.points >= enough) return fail_too_many();
    const VectorXd along = tangent(stage, s, m_state);
    // a slack rod gives way at first, and steps that would move it by its length fail
    if (!m_in_time) step = std::min(step, std::max(0.5 / m_equilibrium.size_of(along), 2 * m_options.shortest_step));
    Found found;
    Attempt came = advance(stage, s, along, step, found);
    const bool snaps = came == Attempt::lost && m_options.perturb;
    const bool slack = came == Attempt::driven && found.freedom.may_be_caught();
    if (came == Attempt::released || snaps || slack) {
      if (!snaps) step = std::min(step, release_step);
      Found down;
      down.s = std::min(1.0, s + step);
      const Where where = stage.at(down.s);
      const Attempt fallen = fall(snaps ? pushed(where).value_or(m_state) : m_state, where, down);
      const bool counts = fallen == Attempt::found || fallen == Attempt::stopped;
      if (counts || !slack) found = std::move(down);
      if (counts || snaps || (!slack && fallen != Attempt::lost)) came = fallen;
      step = first / 4;
      if (came == Attempt::found) ++(snaps ? m_report.perturbed : m_report.jumps);
    }
    if (came == Attempt::lost) return fail_lost(stage, s);
    if (came != Attempt::found) return report(came, found, stage.at(found.s));
    s = found.s;
    const int iterations = found.solved.iterations;
    if (!accept(stage.at(s), std::move(found))) return false;
    const int left = m_report.perturbed;
    if (m_options.perturb) perturb();
    if (!m_report.converged()) return false;
    // a branch leaves the one that it crosses as the square root of the distance from there
    if (m_report.perturbed > left) step = std::max(std::min(step, std::abs(s - m_crossed)), 2 * m_options.shortest_step);
    if (iterations <= 5) step = std::min((iterations <= 3 ? 3 : 2) * step, longest);
    if (iterations > 8) step = std::max(step / 2, std::min(step, first / 8));
  }
  return true;
}

bool Path::fail_lost(const Stage& stage, double s) {
  if (const std::string crushed = m_equilibrium.crushed(m_state); !crushed.empty())
    return fail(StaticStatus::not_converged, {},
                fmt::format("no equilibrium was found beyond {}: {}; move one of them elsewhere", reached(), crushed));
  // Without any load there is no most of it: what seems so is a slack tether that gives way at once.
  const bool unloaded = !m_in_time && s == 0;
  if (!unloaded && turns_back(stage, s))
    return fail(
        StaticStatus::limit_point, {},
        fmt::format("a limit point: {} is the most on this path, beyond it there is no equilibrium nearby; use --arclength "
                    "to go on, or reduce the load or the motion",
                    reached()));
  hold(m_freedom);
  factorise(m_state, m_where);
  constexpr double too_far = 1e4;
  if (const double rate = m_equilibrium.size_of(tangent(stage, s, m_state)); rate > too_far)
    return fail(StaticStatus::not_converged, {},
                fmt::format("no equilibrium was found beyond {}: at this rate the path would move the rods by {:.1g} times their "
                            "length; look for a load or a size out of range",
                            reached(), rate));
  return fail(
      StaticStatus::not_converged, {},
      fmt::format("no equilibrium was found beyond {}, in steps as short as {:.1g} of the path; more segments may help, or "
                  "--perturb where the rod is about to snap",
                  reached(), m_options.shortest_step));
}

bool Path::fail_too_many() {
  return fail(StaticStatus::not_converged, {},
              fmt::format("{} points of the path do not lead beyond {}; let supports and loads change less between two keys",
                          m_options.max_points, reached()));
}

}  // namespace writhe::statics
