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

constexpr int correction_iterations = 12;

std::string reached(const Where& where, bool in_time) {
  return in_time ? fmt::format("t = {:.6g} s", where.time) : fmt::format("{:.4g} of the load", where.load);
}

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
           fmt::format("at {} the equilibrium is unstable, and the way down from it was not found: {}",
                       reached(m_where, m_in_time), cause_of(solved)));
      return;
    }
    ++m_report.perturbed;
    accept(trial, m_where, solved);
  }
}

// ---- the loads -----------------------------------------------------------------------------------------------------
bool Path::put_loads_on() {
  const Where loaded{1, 0};
  hold_neutral(m_state, loaded);
  if (!m_equilibrium.directional() && !m_options.arclength) {
    State trial = m_state;
    const Solved solved = m_equilibrium.minimise(trial, loaded, m_options.max_iterations);
    if (solved.converged()) {
      if (!accept(trial, loaded, solved)) return false;
      if (m_options.perturb) perturb();
      return m_report.converged();
    }
  }
  State trial = m_state;
  const Where unloaded{0, 0};
  hold_neutral(m_state, unloaded);
  const Solved solved = m_equilibrium.minimise(trial, unloaded, m_options.max_iterations);
  if (!solved.converged())
    return fail(solved.outcome == Outcome::not_finite ? StaticStatus::not_finite : StaticStatus::not_converged, solved.residual,
                fmt::format("no equilibrium without loads was found: {}; build the rods nearer to one", cause_of(solved)));
  if (!accept(trial, unloaded, solved)) return false;
  return follow({unloaded, loaded});
}

// ---- following -----------------------------------------------------------------------------------------------------
// du/ds: how the equilibrium moves along the path, with the tangent that is factored.
VectorXd Path::tangent(const Stage& stage, double s) {
  const double ds = s < 0.5 ? 1e-6 : -1e-6;
  State moved = m_state;
  m_equilibrium.place(moved, stage.at(s + ds));
  const VectorXd change =
      m_equilibrium.residual(moved, stage.at(s + ds)).vector - m_equilibrium.residual(m_state, stage.at(s)).vector;
  return m_equilibrium.solve(change / -ds);
}

std::optional<Solved> Path::predict_and_correct(const Stage& stage, double s, const VectorXd& tangent, double target,
                                                State& trial) {
  trial = m_state;
  m_equilibrium.assembly().move(m_state, tangent, target - s, trial);
  const Solved solved = m_equilibrium.correct(trial, stage.at(target), correction_iterations);
  m_report.iterations += solved.converged() ? 0 : solved.iterations;
  if (!solved.converged()) return std::nullopt;
  return solved;
}

bool Path::follow(const Stage& stage) {
  if (m_options.arclength) return follow_arc(stage);
  double s = 0, step = m_options.first_step;
  while (s < 1) {
    if (m_report.points >= m_options.max_points)
      return fail(StaticStatus::not_converged, {}, fmt::format("{} points of the path do not reach its end", m_report.points));
    const VectorXd along = tangent(stage, s);
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
        return limit ? fail(StaticStatus::limit_point, {},
                            fmt::format("a limit point: {} is the most on this path, beyond it there is no equilibrium nearby",
                                        reached(m_where, m_in_time)))
                     : fail(StaticStatus::not_converged, {},
                            fmt::format("no equilibrium was found beyond {}, in steps as short as {:.1g} of the path; more "
                                        "segments may help, or --perturb where the rod is about to snap",
                                        reached(m_where, m_in_time), m_options.shortest_step));
      }
    }
    if (!accept(trial, stage.at(target), *solved)) return false;
    if (m_negative != negative) locate_crossing(stage, s, start, along, target, negative);
    if (m_options.perturb && m_negative > 0) perturb();
    if (!m_report.converged()) return false;
    s = target;
    if (solved->iterations <= 5) step = std::min(2 * step, m_options.longest_step);
    if (solved->iterations > 8) step /= 2;
  }
  return true;
}

// Where the number of negative eigenvalues changes, by halving.
void Path::locate_crossing(const Stage& stage, double s, const State& start, const VectorXd& along, double target, int before) {
  const State end = m_state;
  const Where where = m_where;
  const int after = m_negative;
  m_state = start;
  double low = s, high = target;
  while (high - low > m_options.crossing_width) {
    const double middle = 0.5 * (low + high);
    State trial;
    if (!predict_and_correct(stage, s, along, middle, trial)) break;
    m_equilibrium.factorise(trial, stage.at(middle));
    (m_equilibrium.negative() == before ? low : high) = middle;
  }
  const Where at = stage.at(0.5 * (low + high));
  m_report.crossings.push_back({at.load, at.time, before, after});
  m_state = end;
  m_where = where;
  m_equilibrium.factorise(m_state, m_where);
}

// ---- arc length ----------------------------------------------------------------------------------------------------
struct Path::Arc {
  double s = 0;
  VectorXd along;  // of unit size together with along_s
  double along_s = 1;
  double step = 0;
  State trial;
  Solved solved;
};

// One step of given length along the path in (u, s), corrected across it: the load may fall.
std::optional<double> Path::arc_step(const Stage& stage, Arc& arc) {
  double s = arc.s + arc.step * arc.along_s;
  arc.trial = m_state;
  m_equilibrium.assembly().move(m_state, arc.along, arc.step, arc.trial);
  m_equilibrium.place(arc.trial, stage.at(s));
  for (int k = 0; k <= correction_iterations; ++k) {
    Residual residual = m_equilibrium.residual(arc.trial, stage.at(s));
    if (!residual.finite() || residual.sums.joint_cosine < assembly::joint_cosine_limit) return std::nullopt;
    if (residual.force <= residual.limit) {
      arc.solved = {Outcome::converged, k, std::move(residual)};
      return s;
    }
    if (k == correction_iterations || !m_equilibrium.factorise(arc.trial, stage.at(s))) return std::nullopt;
    State moved = arc.trial;
    constexpr double ds = 1e-6;
    m_equilibrium.place(moved, stage.at(s + ds));
    const VectorXd by_s = (m_equilibrium.residual(moved, stage.at(s + ds)).vector - residual.vector) / ds;
    const VectorXd a = m_equilibrium.solve(residual.vector), b = m_equilibrium.solve(by_s);
    const double change = dot(arc.along, a) / (arc.along_s - dot(arc.along, b));
    const VectorXd du = -a - change * b;
    const double size = m_equilibrium.size_of(du);
    if (!std::isfinite(size) || size > 0.5) return std::nullopt;
    const State base = arc.trial;
    m_equilibrium.assembly().move(base, du, 1, arc.trial);
    s += change;
    m_equilibrium.place(arc.trial, stage.at(s));
  }
  return std::nullopt;
}

// Whether the path goes on with a falling load.
bool Path::turns_back(const Stage& stage, double s) {
  m_equilibrium.factorise(m_state, m_where);
  const VectorXd u = tangent(stage, s);
  const double size = std::sqrt(1 + dot(u, u));
  for (const double step : {1e-2, 1e-3, 3e-2}) {
    Arc arc{s, u / size, 1 / size, step, {}, {}};
    if (const auto next = arc_step(stage, arc)) return *next < s + 0.01 * step;
  }
  return false;
}

bool Path::follow_arc(const Stage& stage) {
  Arc arc;
  VectorXd before;
  double before_s = 1;
  double step = m_options.first_step;
  while (m_report.points < m_options.max_points) {
    const VectorXd u = tangent(stage, arc.s);
    const double size = std::sqrt(1 + dot(u, u));
    arc.along = u / size;
    arc.along_s = 1 / size;
    if (before.size() > 0 && dot(arc.along, before) + arc.along_s * before_s < 0) {
      arc.along = -arc.along;
      arc.along_s = -arc.along_s;
    }
    const int negative = m_negative;
    const State start = m_state;
    std::optional<double> next;
    for (arc.step = step; arc.step > m_options.shortest_step; arc.step /= 2)
      if ((next = arc_step(stage, arc))) break;
    if (!next)
      return fail(StaticStatus::not_converged, {},
                  fmt::format("the path was lost beyond {}; more segments may help", reached(m_where, m_in_time)));
    if (*next >= 1) {
      // the last point at the end itself
      State trial = m_state;
      m_equilibrium.assembly().move(m_state, u, 1 - arc.s, trial);
      const Solved solved = m_equilibrium.correct(trial, stage.at(1), correction_iterations);
      if (solved.converged()) {
        if (!accept(trial, stage.at(1), solved)) return false;
        if (m_negative != negative) m_report.crossings.push_back({m_where.load, m_where.time, negative, m_negative});
        if (m_options.perturb && m_negative > 0) perturb();
        return m_report.converged();
      }
      step = arc.step / 2;
      continue;
    }
    if (*next < 0) return fail(StaticStatus::limit_point, {}, "the path turned back and came to its beginning again");
    const double middle = 0.5 * (arc.s + *next);
    if (!accept(arc.trial, stage.at(*next), arc.solved)) return false;
    if (m_negative != negative) {
      const Where at = stage.at(middle);
      m_report.crossings.push_back({at.load, at.time, negative, m_negative});
    }
    before = arc.along;
    before_s = arc.along_s;
    arc.s = *next;
    step = arc.solved.iterations <= 4 ? std::min(1.5 * arc.step, 2 * m_options.longest_step) : arc.step;
  }
  return fail(StaticStatus::not_converged, {}, fmt::format("{} points of the path do not reach its end", m_report.points));
}

}  // namespace writhe::statics
