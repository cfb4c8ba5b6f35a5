#include "statics/path.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "model/motion.h"
#include "statics/modes.h"

namespace writhe::statics {

using Eigen::VectorXd;

namespace {

constexpr double near = 0.02;           // rad, or part of the length: so far equilibria may differ from what was foreseen
constexpr double smooth_enough = 2e-3;  // likewise, on average

const char* cause_of(const Solved& solved) {
  const assembly::Sums& sums = solved.residual.sums;
  if (const char* coarse = assembly::coarse_joint(sums.joint_cosine, sums.joint_fold)) return coarse;
  if (solved.outcome == Outcome::not_finite) return "a force is not finite; look for a load or a size out of range";
  if (solved.outcome == Outcome::too_many) return "Newton's method used all its iterations";
  return "Newton's method came to a halt";
}

}  // namespace

Path::Path(const Model& model, Equilibrium& equilibrium, State& state, const StaticOptions& options,
           std::function<void(const StaticPoint&, bool)> seen)
    : m_model(model), m_equilibrium(equilibrium), m_state(state), m_options(options), m_seen(std::move(seen)) {
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
}

std::string Path::reached() const {
  return m_in_time ? fmt::format("t = {:.6g} s", m_where.time) : fmt::format("{:.4g} of the load", m_where.load);
}

double Path::dot(const VectorXd& a, const VectorXd& b) const { return a.cwiseProduct(m_weights).dot(b); }

bool Path::fail(StaticStatus status, const Residual& at, std::string cause) {
  m_report.status = status;
  m_report.cause = std::move(cause);
  const assembly::Culprit culprit = assembly::culprit(m_model, m_equilibrium.assembly(), at.block);
  m_report.rod = culprit.rod;
  m_report.node = culprit.node;
  return false;
}

StaticReport Path::run() {
  const double end = m_options.until.value_or(last_change(m_model.scene()));
  if (find_mechanism() || !put_loads_on()) return m_report;
  m_in_time = true;
  if (end > 0) follow({{1, 0}, {1, end}});
  return m_report;
}

bool Path::find_mechanism() {
  const double end = m_options.until.value_or(last_change(m_model.scene()));
  for (const double time : {0.0, end}) {
    State state = m_state;
    m_equilibrium.place(state, {1, time});
    const Freedom freedom = find_freedom(m_model, m_equilibrium, state, {1, time});
    if (freedom.driven.empty()) continue;
    const Mechanism& driven = freedom.driven.front();
    m_report.status = StaticStatus::mechanism;
    m_report.rod = driven.rod;
    m_report.cause = fmt::format("nothing resists while {}, and the loads push it so with {:.3g} {}; {}", driven.name,
                                 std::abs(driven.force), driven.spin ? "N m" : "N",
                                 driven.spin ? "clamp an end, or balance the moments" : "add a support, or balance the loads");
    return true;
  }
  return false;
}

// ---- points of the path --------------------------------------------------------------------------------------------
// One unknown is held for each neutral motion: the energy does not change along it, so nothing is lost, and the rest of the
// tangent is regular.
void Path::hold_neutral(const State& state, const Where& where) {
  m_freedom = find_freedom(m_model, m_equilibrium, state, where);
  m_equilibrium.hold_neutral(m_freedom.pins(), [freedom = m_freedom](const State& s) { return freedom.directions(s); });
}

// Leaves the tangent at the new point factored.
bool Path::accept(const State& state, const Where& where, const Solved& solved) {
  m_state = state;
  m_where = where;
  std::fill(m_state.v.begin(), m_state.v.end(), Vec3{});
  std::fill(m_state.w.begin(), m_state.w.end(), Vec3{});
  hold_neutral(m_state, m_where);
  m_equilibrium.factorise(m_state, m_where);
  m_negative = m_equilibrium.negative();
  ++m_report.points;
  m_report.iterations += solved.iterations;
  m_report.load = where.load;
  m_report.time = where.time;
  m_report.residual = solved.residual.force;
  m_report.residual_limit = solved.residual.limit;
  const StaticPoint point{where.load, where.time, solved.iterations, solved.residual.force, solved.residual.limit, m_negative};
  if (m_seen) m_seen(point, m_in_time);
  if (m_options.go_on && !m_options.go_on(point)) {
    m_report.status = StaticStatus::interrupted;
    return false;
  }
  return true;
}

// Away from an unstable equilibrium along its lowest mode, and down to the next minimum.
void Path::perturb() {
  constexpr int most = 5;
  if (m_negative > 0 && m_equilibrium.directional()) {
    fail(StaticStatus::not_converged, {},
         fmt::format(
             "at {} the equilibrium is not known to be stable, and loads that turn with the rod have no potential to follow "
             "down; run the scene in time, with damping, to see where it goes",
             reached()));
    return;
  }
  for (int k = 0; k < most && m_negative > 0 && m_report.status == StaticStatus::converged; ++k) {
    const std::vector<Mode> modes = lowest_modes(m_equilibrium, m_state, m_where, m_freedom, 1);
    if (modes.empty()) return;
    const assembly::Assembly& assembly = m_equilibrium.assembly();
    VectorXd step = VectorXd::Zero(assembly.size());
    for (const auto& node : assembly.nodes()) assembly::add_block(step, node.block, modes[0].x[node.index]);
    for (const auto& turn : assembly.orientations()) assembly::add_block(step, turn.block, modes[0].turn[turn.index]);
    State trial = m_state;
    assembly.move(m_state, step, 0.01 / m_equilibrium.size_of(step), trial);
    hold_neutral(trial, m_where);
    const Solved solved = m_equilibrium.minimise(trial, m_where, m_options.max_iterations);
    if (!solved.converged()) {
      fail(StaticStatus::not_converged, solved.residual,
           fmt::format("at {} the equilibrium is unstable, and the way down from it was not found: {}", reached(),
                       cause_of(solved)));
      return;
    }
    ++m_report.perturbed;
    accept(trial, m_where, solved);
  }
}

// ---- the loads -----------------------------------------------------------------------------------------------------
// Step by step from the unloaded rods, so that a limit point is not jumped over. Where that is lost, or nothing is in equilibrium
// without loads, down the potential of the loaded rods at once.
bool Path::put_loads_on() {
  const Where unloaded{0, 0}, loaded{1, 0};
  const State built = m_state;
  const StaticReport before = m_report;
  State trial = m_state;
  hold_neutral(m_state, unloaded);
  Solved solved = m_equilibrium.minimise(trial, unloaded, m_options.max_iterations);
  if (solved.converged()) {
    const bool nothing = m_equilibrium.loads(trial, loaded).isZero(0);
    if (!settle_at(trial, nothing ? loaded : unloaded, solved)) return false;
    if (nothing || follow({unloaded, loaded}) || m_report.status != StaticStatus::not_converged || m_options.arclength)
      return m_report.converged();
  }
  if (!m_equilibrium.directional()) {
    trial = built;
    hold_neutral(trial, loaded);
    const Solved at_once = m_equilibrium.minimise(trial, loaded, m_options.max_iterations);
    if (at_once.converged()) {
      m_report = before;
      return settle_at(trial, loaded, at_once);
    }
  }
  if (m_report.status == StaticStatus::not_converged) return false;
  return fail(solved.outcome == Outcome::not_finite ? StaticStatus::not_finite : StaticStatus::not_converged, solved.residual,
              fmt::format("no equilibrium without loads was found: {}; build the rods nearer to one", cause_of(solved)));
}

bool Path::settle_at(const State& state, const Where& where, const Solved& solved) {
  if (!accept(state, where, solved)) return false;
  if (m_options.perturb) perturb();
  return m_report.converged();
}

// ---- following -----------------------------------------------------------------------------------------------------
// du/ds: how the equilibrium moves along the path, with the tangent that is factored.
VectorXd Path::tangent(const Stage& stage, double s, const State& state) {
  const double ds = s < 0.5 ? 1e-6 : -1e-6;
  State moved = state;
  m_equilibrium.place(moved, stage.at(s + ds));
  const VectorXd change =
      m_equilibrium.residual(moved, stage.at(s + ds)).vector - m_equilibrium.residual(state, stage.at(s)).vector;
  return m_equilibrium.solve(change / -ds);
}

std::optional<Solved> Path::predict_and_correct(const Stage& stage, double s, const VectorXd& tangent, double target,
                                                State& trial) {
  trial = m_state;
  m_equilibrium.assembly().move(m_state, tangent, target - s, trial);
  const Solved solved = m_equilibrium.correct(trial, stage.at(target), most_corrections);
  if (solved.converged() && is_smooth(stage, tangent, target - s, target, trial)) return solved;
  m_report.iterations += solved.iterations;
  return std::nullopt;
}

// On a smooth path the way between two points is about as long as the directions there foresee. An equilibrium much farther away
// belongs to another path. (Near a bifurcation the directions are uncertain and long: nothing is refused there.)
bool Path::is_smooth(const Stage& stage, const VectorXd& from, double step, double target, const State& found) {
  if (!m_equilibrium.factorise(found, stage.at(target))) return false;
  const VectorXd to = tangent(stage, target, found);
  const VectorXd way = m_equilibrium.way(m_state, found).cwiseProduct(m_equilibrium.free());
  const double foreseen = step * std::sqrt(std::max(dot(from, from), dot(to, to)));
  return std::sqrt(dot(way, way)) <= 1.1 * foreseen + smooth_enough;
}

// An equilibrium far from where the path was going to belongs to another path.
bool Path::is_near(const State& predicted, const State& found, double foreseen) const {
  return m_equilibrium.distance(predicted, found) <= foreseen + near;
}

bool Path::follow(const Stage& stage) {
  if (m_options.arclength) return follow_arc(stage);
  double s = 0, step = m_options.first_step;
  while (s < 1) {
    if (m_report.points >= m_options.max_points)
      return fail(StaticStatus::not_converged, {}, fmt::format("{} points of the path do not reach its end", m_report.points));
    const VectorXd along = tangent(stage, s, m_state);
    // a slack rod gives way at first, and steps that would move it by its length fail
    if (!m_in_time) step = std::min(step, std::max(0.5 / m_equilibrium.size_of(along), 2 * m_options.shortest_step));
    const int negative = m_negative;
    const State start = m_state;
    State trial;
    std::optional<Solved> solved;
    double target = 1;
    for (;; step /= 2) {
      target = s + 1.001 * step > 1 ? 1 : s + step;
      solved = predict_and_correct(stage, s, along, target, trial);
      if (solved) break;
      if (step / 2 < m_options.shortest_step) break;
    }
    if (!solved) {
      if (m_options.perturb && !m_equilibrium.directional()) {
        // beyond the end of the path: down to where it is stable
        trial = m_state;
        const Solved fallen = m_equilibrium.minimise(trial, stage.at(target), m_options.max_iterations);
        if (fallen.converged()) {
          ++m_report.perturbed;
          solved = fallen;
          step = m_options.first_step / 4;
        }
      }
      if (!solved) {
        const bool limit = turns_back(stage, s);
        return limit
                   ? fail(StaticStatus::limit_point, {},
                          fmt::format("a limit point: {} is the most on this path, beyond it there is no equilibrium nearby; use "
                                      "--arclength to go on, or reduce the load",
                                      reached()))
                   : fail(StaticStatus::not_converged, {},
                          fmt::format("no equilibrium was found beyond {}, in steps as short as {:.1g} of the path; more "
                                      "segments may help, or --perturb where the rod is about to snap",
                                      reached(), m_options.shortest_step));
      }
    }
    if (!accept(trial, stage.at(target), *solved)) return false;
    if (m_negative != negative) locate_crossings(stage, s, start, along, target, negative);
    if (m_options.perturb && m_negative > 0) perturb();
    if (!m_report.converged()) return false;
    s = target;
    // while the loads are put on nothing but their end is of interest
    const double growth = solved->iterations <= 3 ? 3 : 2;
    if (solved->iterations <= 5) step = std::min(growth * step, m_in_time ? m_options.longest_step : 0.25);
    if (solved->iterations > 8) step = std::max(step / 2, std::min(step, m_options.first_step / 8));
  }
  return true;
}

// Where the number of negative eigenvalues changes, by halving; as often as it does.
void Path::locate_crossings(const Stage& stage, double s, const State& start, const VectorXd& along, double target, int before) {
  constexpr int most = 20;
  const State end = m_state;
  const Where where = m_where;
  const int last = m_negative;
  m_state = start;
  double low = s;
  for (int k = 0; before != last && k < most; ++k) {
    double high = target;
    int after = last;
    while (high - low > m_options.crossing_width) {
      const double middle = 0.5 * (low + high);
      State trial;
      if (!predict_and_correct(stage, s, along, middle, trial)) break;
      m_equilibrium.factorise(trial, stage.at(middle));
      const bool changed = m_equilibrium.negative() != before;
      if (changed) after = m_equilibrium.negative();
      (changed ? high : low) = middle;
    }
    const Where at = stage.at(0.5 * (low + high));
    m_report.crossings.push_back({at.load, at.time, before, after});
    low = high;
    before = after;
  }
  m_state = end;
  m_where = where;
  m_equilibrium.factorise(m_state, m_where);
}

}  // namespace writhe::statics
