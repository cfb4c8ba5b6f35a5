// Points of the path: looked for, judged, taken, left where they are unstable.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "contact/contacts.h"
#include "loads/acting.h"
#include "loads/load_stiffness.h"
#include "math/rotation.h"
#include "statics/modes.h"
#include "statics/path.h"

namespace writhe::statics {

using Eigen::VectorXd;

namespace {

constexpr double near = 0.02;           // rad, or part of the length: so far equilibria may differ from what was foreseen
constexpr double smooth_enough = 2e-3;  // likewise, on average
constexpr int most_releases = 3;

// The first motion that was neutral and is no longer.
std::string released_motion(const Freedom& before, const Freedom& after) {
  for (const NeutralMotion& motion : before.neutral) {
    const auto same = [&](const NeutralMotion& other) { return other.name == motion.name; };
    if (std::none_of(after.neutral.begin(), after.neutral.end(), same)) return motion.name;
  }
  return "a motion";
}

// Whether what flows is all that has no potential, and is there at once, with other loads that would put the rods in their place
// before it.
bool is_blown(const Model& model, const Where& where) {
  bool others = norm(model.scene().gravity) > 0;
  for (const ResolvedLoad& resolved : model.loads()) {
    if (loads::is_directional(model, resolved) && !loads::is_flow(resolved.load)) return false;
    others = others || !loads::is_flow(resolved.load);
  }
  return others && where.time == 0;
}

}  // namespace

const char* cause_of(const Solved& solved) {
  const assembly::Sums& sums = solved.residual.sums;
  if (const char* coarse = assembly::coarse_joint(sums.joint_cosine, sums.joint_fold)) return coarse;
  if (solved.outcome == Outcome::not_finite) return "a force is not finite; look for a load or a size out of range";
  if (solved.outcome == Outcome::blocked) return "a support would move through what is in its way";
  if (solved.outcome == Outcome::too_many) return "Newton's method used all its iterations";
  return "Newton's method came to a halt";
}

// ---- how it ends ---------------------------------------------------------------------------------------------------
std::string Path::reached() const {
  return m_in_time ? fmt::format("t = {:.6g} s", m_where.time) : fmt::format("{:.4g} of the load", m_where.load);
}

bool Path::fail(StaticStatus status, const Residual& at, std::string cause) {
  m_report.status = status;
  m_report.cause = std::move(cause);
  const assembly::Culprit culprit = assembly::culprit(m_model, m_equilibrium.assembly(), at.worst.block);
  m_report.rod = culprit.rod;
  m_report.node = culprit.node;
  if (m_report.points == 0) {
    m_report.residual = at.worst.force;
    m_report.residual_limit = at.worst.limit;
  }
  return false;
}

bool Path::fail_mechanism(const Mechanism& driven, const std::string& when) {
  m_report.status = StaticStatus::mechanism;
  m_report.rod = driven.rod;
  m_report.cause = fmt::format("{}nothing resists while {}, and the loads push it so with {:.3g} {}; {}", when, driven.name,
                               std::abs(driven.force), driven.spin ? "N m" : "N",
                               driven.spin ? "clamp an end, or balance the moments" : "add a support, or balance the loads");
  if (driven.slack)
    m_report.cause +=
        "; or build the rods where no tether is slack, or run the scene until it has settled: a slack one resists nothing";
  else if (contact::Contacts::any(m_model))
    m_report.cause +=
        "; what is to come to lie on something has to fall first: run the scene until it has settled, and solve from there";
  return false;
}

// Of an attempt that found nothing; a path that is lost has its own words.
bool Path::report(Attempt attempt, const Found& found, const Where& where) {
  const std::string beyond = fmt::format("beyond {} ", reached());
  if (attempt == Attempt::driven) return fail_mechanism(found.freedom.driven.front(), beyond);
  if (attempt == Attempt::stopped) {
    m_report.status = StaticStatus::interrupted;
    return false;
  }
  const Freedom now = find_freedom(m_model, m_equilibrium, m_state, where);
  const char* remedy = "the way down was not found: build it nearer to its equilibrium";
  if (!m_equilibrium.has_potential(where))
    remedy = is_blown(m_model, where)
                 ? "wind and drag have no potential to follow down: give them a ramp from 0, such as ramp: [[0, 0], [2, 1]], so "
                   "that they rise once the other loads are on"
                 : "loads that turn with the rod have no potential to follow down: build it nearer to its equilibrium, or "
                   "run the scene in time, with damping";
  return fail(
      StaticStatus::not_converged, found.solved.residual,
      fmt::format("{}the loads act on what cost nothing before ({}), and {}", beyond, released_motion(m_freedom, now), remedy));
}

// ---- looking -------------------------------------------------------------------------------------------------------
// One unknown is held for each neutral motion: the energy does not change along it, so nothing is lost, and the rest of the
// tangent is regular.
void Path::hold(const Freedom& freedom) {
  m_equilibrium.hold_neutral(freedom.pins(), [freedom](const State& s) { return freedom.directions(s); });
}

// Factors the tangent at a state even where it is singular, on the side of stability.
void Path::factorise(const State& state, const Where& where) {
  if (m_equilibrium.factorise(state, where)) return;
  constexpr double little = 1e-10;
  m_equilibrium.factorise_shifted(-little * m_equilibrium.softness());
}

int Path::count_negative(const Found& found, const Where& where) {
  factorise(found.state, where);
  if (m_equilibrium.symmetric()) {
    if (m_equilibrium.negative() == 0) return 0;
    const std::optional<Equilibrium::Signs> signs = m_equilibrium.signs(found.state);
    return signs ? signs->negative : m_negative;
  }
  const std::optional<Growing> growing = count_growing(m_equilibrium, found.state);
  return growing ? growing->count : m_negative;  // Stability::undetermined tells at the end
}

// Holds what is neutral at the state found, instead of what was neutral before: a force along that was not seen. Corrects what
// it shows.
Path::Attempt Path::hold_own(Found& found, const Where& where) {
  for (int k = 0; k < most_releases; ++k) {
    found.freedom = find_freedom(m_model, m_equilibrium, found.state, where);
    if (!found.freedom.driven.empty()) return Attempt::driven;
    hold(found.freedom);
    found.solved.residual = m_equilibrium.residual(found.state, where);
    if (found.solved.residual.nearly_met()) return Attempt::found;
    const int before = found.solved.iterations;
    found.solved = m_equilibrium.correct(found.state, where, most_corrections);
    found.solved.iterations += before;
    if (found.solved.outcome == Outcome::stopped) return Attempt::stopped;
    if (!found.solved.converged()) break;
  }
  return Attempt::released;
}

Path::Attempt Path::hold_own_and_count(Found& found, const Where& where) {
  const Attempt own = hold_own(found, where);
  if (own == Attempt::found) found.negative = count_negative(found, where);
  return own;
}

// The equilibrium at `target`, predicted from the last point (at s) and corrected.
Path::Attempt Path::attempt(const Stage& stage, double s, const VectorXd& along, double target, Found& found) {
  const Where where = stage.at(target);
  found.s = target;
  found.state = m_state;
  m_equilibrium.move(m_state, along, target - s, found.state);
  hold(m_freedom);
  found.solved = m_equilibrium.correct(found.state, where, most_corrections);
  if (found.solved.outcome == Outcome::stopped) return Attempt::stopped;
  if (!found.solved.converged()) return Attempt::lost;
  const State held = found.state;
  const Attempt own = hold_own(found, where);
  if (own != Attempt::found) return own;
  if (!is_smooth(stage, along, target - s, target, found.state))
    return m_equilibrium.distance(held, found.state) > near ? Attempt::released : Attempt::lost;
  if (!does_work(stage, s, target, found.state)) return Attempt::lost;
  found.negative = count_negative(found, where);
  return Attempt::found;
}

// The longest step, of those tried, that stays on the path; no farther than the first crossing where that is to be left.
Path::Attempt Path::advance(const Stage& stage, double s, const VectorXd& along, double& step, Found& found) {
  for (;; step /= 2) {
    Attempt came = attempt(stage, s, along, s + 1.001 * step > 1 ? 1 : s + step, found);
    if (came == Attempt::found && found.negative != m_negative) {
      const double whole = found.s - s;
      const auto probe = [&, whole](double p, Found& at) {
        return attempt(stage, s, along, s + p * whole, at) == Attempt::found;
      };
      if (!locate_crossings(stage, s, whole, probe, found)) came = Attempt::lost;
    }
    if (came != Attempt::lost || step / 2 < m_options.shortest_step) return came;
  }
}

// Down the potential from a state at which nothing resists, while terms that do nothing there may stop it: a tether that is
// slack. Nothing is held, since what is neutral changes on the way.
Path::Attempt Path::fall_until_caught(const Where& where, Found& found, int& iterations) {
  int at_once = 20;  // twice as many each time: every search has to find again how far it can go
  const Freedom before = found.freedom;
  while (!found.freedom.driven.empty()) {
    const bool goes_on = found.freedom.may_be_caught() && iterations < m_options.max_iterations;
    if (goes_on) {
      hold({});
      found.solved = m_equilibrium.minimise(found.state, where, at_once);
      at_once *= 2;
      iterations += std::max(1, found.solved.iterations);
      if (found.solved.outcome == Outcome::stopped) return Attempt::stopped;
    }
    if (!goes_on || (!found.solved.converged() && found.solved.outcome != Outcome::too_many)) {
      found.freedom = before;
      return Attempt::driven;
    }
    found.freedom = find_freedom(m_model, m_equilibrium, found.state, where);
  }
  return Attempt::found;
}

// Down the potential from a state, however far.
Path::Attempt Path::fall(const State& from, const Where& where, Found& found, int most) {
  if (!m_equilibrium.has_potential(where)) return Attempt::released;
  found.state = from;
  if (!m_equilibrium.place(found.state, where)) {
    found.solved.outcome = Outcome::blocked;
    return Attempt::lost;
  }
  found.freedom = find_freedom(m_model, m_equilibrium, found.state, where);
  int iterations = 0;
  if (!found.freedom.driven.empty()) {
    const Attempt caught = fall_until_caught(where, found, iterations);
    if (caught != Attempt::found) return caught;
  }
  for (int k = 0; k < most_releases; ++k) {
    if (!found.freedom.driven.empty()) return Attempt::driven;
    hold(found.freedom.firm());
    found.solved = m_equilibrium.minimise(found.state, where, most);
    found.solved.iterations = iterations += found.solved.iterations;
    if (found.solved.outcome == Outcome::stopped) return Attempt::stopped;
    if (!found.solved.converged()) return Attempt::lost;
    const Attempt own = hold_own_and_count(found, where);
    if (own != Attempt::released) return own;
  }
  return Attempt::released;
}

// Leaves the tangent at the new point factored.
bool Path::accept(const Where& where, Found&& found) {
  m_state = std::move(found.state);
  m_where = where;
  m_negative = found.negative;
  m_freedom = std::move(found.freedom);
  hold(m_freedom);
  factorise(m_state, m_where);
  const Residual& residual = found.solved.residual;
  ++m_report.points;
  m_report.load = where.load;
  m_report.time = where.time;
  m_report.residual = residual.worst.force;
  m_report.residual_limit = residual.limit();
  const StaticPoint point{where.load, where.time, found.solved.iterations, residual.worst.force, residual.limit(), m_negative};
  if (m_seen) m_seen(point);
  if (m_options.go_on && !m_options.go_on(point)) {
    m_report.status = StaticStatus::interrupted;
    return false;
  }
  return true;
}

// The last point, moved along its lowest mode to where the potential at `where` is lowest, on either side. Nothing when the mode
// was not found, or supports may not go where they belong.
std::optional<State> Path::pushed(const Where& where) {
  hold(m_freedom);
  m_equilibrium.factorise(m_state, m_where);
  const auto modes = lowest_modes(m_equilibrium, m_state, 1);
  if (!modes || modes->empty()) return std::nullopt;
  constexpr double far = 0.01;  // rad, or part of the length
  constexpr int shorter = 12;   // times as far, or half as far, or a quarter, ...
  const assembly::Assembly& assembly = m_equilibrium.assembly();
  const Mode& lowest = modes->front();
  VectorXd step = VectorXd::Zero(assembly.size());
  for (const auto& node : assembly.nodes()) assembly::add_block(step, node.block, lowest.x[node.index]);
  for (const auto& turn : assembly.orientations()) assembly::add_block(step, turn.block, lowest.turn[turn.index]);
  // Just beyond a crossing the minimum is near: the rod bends as far as its stretch allows, and a push beyond that only stretches
  // it.
  std::optional<State> best;
  double lowest_potential = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= shorter; ++k) {
    for (const double sign : {1.0, -1.0}) {
      State out = m_state;
      m_equilibrium.move(m_state, step, sign * std::ldexp(far, -k) / m_equilibrium.size_of(step), out);
      if (!m_equilibrium.place(out, where)) continue;
      const double potential = m_equilibrium.residual(out, where).potential;
      if (!(potential < lowest_potential)) continue;
      lowest_potential = potential;
      best = std::move(out);
    }
  }
  return best;
}

// Away from an unstable equilibrium along its lowest mode, and down to the next minimum.
void Path::perturb() {
  constexpr int most = 5;
  if (m_negative > 0 && !m_equilibrium.has_potential(m_where)) {
    fail(StaticStatus::not_converged, {},
         fmt::format(
             "at {} the equilibrium is unstable, and loads that turn with the rod have no potential to follow down; run the "
             "scene in time, with damping, to see where it goes",
             reached()));
    return;
  }
  for (int k = 0; k < most && m_negative > 0 && m_report.converged(); ++k) {
    const std::optional<State> start = pushed(m_where);
    Found found;
    const Attempt came = start ? fall(*start, m_where, found) : Attempt::lost;
    if (came == Attempt::stopped) {
      m_report.status = StaticStatus::interrupted;
    } else if (came != Attempt::found) {
      fail(StaticStatus::not_converged, found.solved.residual,
           fmt::format(
               "at {} the equilibrium is unstable, and the way down from it was not found ({}); run the scene in time, with "
               "damping, to see where it goes",
               reached(), start ? cause_of(found.solved) : "nor was its mode of instability"));
    } else {
      ++m_report.perturbed;
      accept(m_where, std::move(found));
    }
  }
}

// ---- directions ----------------------------------------------------------------------------------------------------
double Path::dot(const VectorXd& a, const VectorXd& b) const { return a.cwiseProduct(m_weights).dot(b); }

// du/ds: how the equilibrium moves along the path. Leaves the tangent there factored.
VectorXd Path::tangent(const Stage& stage, double s, const State& state) {
  const double ds = s < 0.5 ? 1e-6 : -1e-6;  // into the stage: before and beyond a key it is another
  State moved = state;
  m_equilibrium.place(moved, stage.at(s + ds));
  const VectorXd change =
      m_equilibrium.residual(moved, stage.at(s + ds)).vector - m_equilibrium.residual(state, stage.at(s)).vector;
  factorise(state, stage.at(s));  // after that: where terms couple something else the factors are gone
  return m_equilibrium.solve(change / -ds);
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

// On one path the elastic energy changes by the work of loads and supports. With the potential P(u, s), the energy less the work
// of loads, and dP/ds at rest, the change of P from one point to the next is the mean of both dP/ds times the step, to third
// order; what is missing is energy that nothing has put in. Not asked of loads without a potential.
bool Path::does_work(const Stage& stage, double s, double target, const State& found) {
  if (!m_equilibrium.has_potential(stage.at(target))) return true;
  constexpr double ds = 1e-6, allowed = 0.2;
  // second order, into the stage: before and beyond a key it is another
  const auto slope = [&](const State& state, double at, double here) {
    const double d = at < 0.5 ? ds : -ds;
    const auto moved = [&](double by) {
      State placed = state;
      m_equilibrium.place(placed, stage.at(at + by));
      return m_equilibrium.residual(placed, stage.at(at + by)).potential;
    };
    return (4 * moved(d) - moved(2 * d) - 3 * here) / (2 * d);
  };
  const Residual from = m_equilibrium.residual(m_state, stage.at(s)), to = m_equilibrium.residual(found, stage.at(target));
  const double step = target - s;
  const double missing =
      to.potential - from.potential - 0.5 * step * (slope(m_state, s, from.potential) + slope(found, target, to.potential));
  const double stored = to.sums.energy - from.sums.energy, work = stored - missing;
  const double length = m_equilibrium.length();
  const double known = std::abs(from.potential) + std::abs(to.potential) + (from.sums.internal + to.sums.internal) * length;
  const double noise =
      100 * std::numeric_limits<double>::epsilon() * known * (1 + step / ds) + (from.worst.limit + to.worst.limit) * length;
  return std::abs(missing) <= allowed * (std::abs(stored) + std::abs(work)) + noise;
}

// An equilibrium far from where the path was going to belongs to another path.
bool Path::is_near(const State& predicted, const State& found, double foreseen) const {
  return m_equilibrium.distance(predicted, found) <= foreseen + near;
}

}  // namespace writhe::statics
