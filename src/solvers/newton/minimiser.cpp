#include "solvers/newton/minimiser.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "assembly/scales.h"

namespace writhe::newton {

namespace {
// Armijo's constant, and the shortest step tried before the search gives up.
constexpr double sufficient_decrease = 1e-4;
constexpr double shortest_step = 1e-7;
constexpr int few = 10;          // iterations
constexpr double little = 0.05;  // of a direction
constexpr int most_stuck = 10;
constexpr double more_inertia = 4, most_inertia = 0x1p40;

// The part of a step at which a cubic has its minimum that has these slopes (by the part, J) at 0 and 1 and rises by this
// between; not finite where it has none.
double cubic_minimum(double slope0, double slope1, double rise) {
  const double a = slope0 + slope1 - 3 * rise, b = std::sqrt(a * a - slope0 * slope1);
  return 1 - (slope1 + b - a) / (slope1 - slope0 + 2 * b);
}
}  // namespace

// The search starts where the rod would fly without forces, or where it is if that costs less; where what is prescribed has to be
// led, a place from which that has been done is of no use.
ChainSums Minimiser::predict(const State& state, double dt) {
  if (const Configuration* near = std::exchange(m_near, nullptr); near && has_led()) {
    place(*near);
    return evaluate();
  }
  set_base();
  load_flight(state, dt);
  const double here = evaluate_energy();
  move(longest_step());
  const ChainSums there = evaluate();
  if (there.energy <= here) return there;
  move(0);
  return evaluate();
}

// Where the exact Hessian is not positive definite (a rod about to buckle) the geometric part is left out, which makes it so: the
// direction is then one of steepest descent in the elastic metric. A rod that turns far is stretched by it, and sometimes no more
// than a hundredth of it can be gone (a twisted coil that springs open). In a step in which that has happened, or in which a
// direction has led nowhere, the Hessian keeps its geometric part, and inertia counts as much more as makes it positive definite:
// the direction of a shorter step.
bool Minimiser::find_direction() {
  m_inertia = 1;
  m_exact = m_least_inertia == 1 && solve(1.0, 1.0, m_slope);
  if (m_exact || (!m_cautious && solve(0.0, 1.0, m_slope))) return true;
  for (m_inertia = std::max(m_last_inertia / 4, m_least_inertia); m_inertia <= most_inertia; m_inertia *= 16)
    if (solve(1.0, m_inertia, m_slope)) {
      m_last_inertia = m_inertia;
      return true;
    }
  m_inertia = 1;
  return m_cautious && solve(0.0, 1.0, m_slope);
}

// Goes along the direction until the potential falls enough. Near the minimum its differences drown in rounding; there the slope
// along the direction, which is known to full accuracy, decides. Loads without a potential do their work as if they stayed what
// they are, and where that does not fall the part may know better (leads_nearer).
//
// A step that goes too far is shortened by the secant of the slopes, as if the potential were a parabola. A rod that bends a long
// way without stretching goes along a curved valley: straight ahead the stretch rises by the fourth power, and the secant, far
// too short, creeps; with many iterations behind it the search takes the minimum of a cubic (of 1 cm of thin wire that is let go
// in an arc of two segments, 130 iterations become 70).
bool Minimiser::search(ChainSums& sums, bool creeps) {
  set_base();
  const ChainSums start = sums;
  const double noise = 100 * epsilon * (std::abs(start.energy) + start.internal * m_size);
  double size = longest_step();
  if (size < 1) foresee(size, m_slope);
  if (size <= shortest_step) move(0);  // to ask how far it may go it went all the way
  while (size > shortest_step) {
    move(size);
    sums = evaluate();
    const double rise = sums.energy - start.energy - work_along(size);
    const bool falls = rise <= sufficient_decrease * size * m_slope && m_slope < 0;
    // ... and where the rod is about to buckle, that it is ever steeper
    const bool levels =
        rise <= noise && (std::abs(sums.slope) <= 0.9 * std::abs(m_slope) || (m_slope < 0 && sums.slope < m_slope));
    if (sums.joint_cosine > assembly::joint_cosine_limit && (falls || levels || leads_nearer(size))) {
      if (m_inertia > 1 && size == 1 && may_go_beyond()) go_beyond(sums, start);
      if (!m_exact && size < little) m_cautious = true;
      m_least_inertia = 1;
      return true;
    }
    const double part = creeps ? cubic_minimum(size * m_slope, size * sums.slope, rise) : m_slope / (m_slope - sums.slope);
    size *= std::isfinite(part) ? std::clamp(part, 0.1, 0.5) : 0.1;
  }
  return false;
}

// Where nothing but added inertia holds a direction back it may go farther, as long as the potential falls about as steeply.
void Minimiser::go_beyond(ChainSums& sums, const ChainSums& start) {
  constexpr double farthest = 0x1p20;
  const auto rise = [&](double size) { return sums.energy - start.energy - work_along(size); };
  double size = 1, lowest = rise(size);
  while (size < farthest && sums.slope < 0.5 * m_slope) {
    move(4 * size);
    sums = evaluate();
    const bool lower =
        rise(4 * size) < lowest && sums.joint_cosine > assembly::joint_cosine_limit;  // false for what is not a number
    if (!lower) {
      move(size);
      sums = evaluate();
      return;
    }
    size *= 4;
    lowest = rise(size);
  }
}

// Moments count by the force that makes them over the length of the rod; they matter only where there are hardly any forces.
double Minimiser::residual_limit(const ChainSums& sums) const {
  return m_model->scene().solver.tolerance * (m_load + std::max(sums.internal, sums.moment / m_length));
}

// Nor stressed by supports: then the limit above is itself a part of rounding errors.
bool Minimiser::is_unloaded(const ChainSums& sums) const {
  return m_load == 0 && std::max(sums.internal, sums.moment / m_length) <= m_rounding;
}

StepReport Minimiser::minimise(const State& state, const Loading& loading, double dt) {
  load_step(state, loading, dt);
  m_last_inertia = more_inertia;
  m_least_inertia = 1;
  m_cautious = false;
  StepReport report;
  ChainSums sums = predict(state, dt);
  double before = 0;  // N: residual of the previous iteration
  int stuck = 0;      // iterations in which what is prescribed came no further
  const bool led = !has_led();
  const auto stop = [&](StepStatus status, const char* cause) {
    report.status = status;
    report.residual = is_unloaded(sums) && only_rounding(sums) ? 0 : sums.force;
    report.residual_limit = residual_limit(sums);
    if (status == StepStatus::accepted) return report;
    // A rod that is too coarse for how it bends or twists comes first; in a long step it may be so only on the way.
    const char* coarse = assembly::coarse_joint(sums.joint_cosine, sums.joint_fold);
    report.cause = crushed();
    if (report.cause.empty()) report.cause = coarse ? std::string(coarse) + ", or take a smaller time.dt" : cause + remedy();
    report.shorter_helps = is_guarded();
    blame(report);
    return report;
  };
  const auto accept = [&] {
    stop(StepStatus::accepted, "");
    if ((report.cause = refused(led)).empty()) return report;
    report.status = StepStatus::not_converged;
    blame(report);
    return report;
  };
  for (;; ++report.iterations) {
    if (is_stopped()) return given_up();
    if (!std::isfinite(sums.energy) || !std::isfinite(sums.force))
      return stop(StepStatus::not_finite,
                  "a force is not finite; look for a load or a size out of range, or take a smaller time.dt");
    if (!has_led()) {
      stuck = lead() ? 0 : stuck + 1;
      sums = evaluate();
      if (stuck > most_stuck || report.iterations == m_model->scene().solver.newton.max_iterations) {
        report_blocked(report);
        return report;
      }
    }
    // The limit is a part of the largest force in the rod, and a strung wire's tension dwarfs the weight of a node: so the
    // prediction, which knows nothing of the loads, is never taken for the answer unless nothing is left but rounding.
    const bool rounding = only_rounding(sums);
    if (has_led() && sums.force <= residual_limit(sums) && (report.iterations > 0 ? was_short() : rounding)) return accept();
    const bool stalled = report.iterations > 0 && sums.force > 0.5 * before;
    if (has_led() && stalled && rounding) return accept();
    before = sums.force;
    if (report.iterations == m_model->scene().solver.newton.max_iterations)
      return stop(StepStatus::not_converged,
                  "Newton's method used all its iterations; take a larger solver.newton.max_iterations, or a smaller time.dt");
    if (!find_direction())
      return stop(StepStatus::not_converged, "the stiffness matrix is not positive definite; take a smaller time.dt");
    if (search(sums, report.iterations >= few) || only_rounding(sums)) continue;
    if (m_least_inertia >= most_inertia)
      return stop(StepStatus::not_converged, "no step lowers the energy; take a smaller time.dt");
    m_cautious = true;
    m_least_inertia = 16 * std::max(m_inertia, more_inertia / 4);
    move(0);
    sums = evaluate();
  }
}

}  // namespace writhe::newton
