// Following a path by its length, so that the load may fall: pseudo-arclength continuation (Keller 1977).
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "statics/path.h"

namespace writhe::statics {

using Eigen::VectorXd;

namespace {
// Cosine of the angle by which the path may turn in one step: farther, and it might not be seen which way it goes on.
constexpr double least_cosine = 0.8;
}  // namespace

// A point (u, s) of the path and its direction there, of unit size in u and s together; and the point after.
struct Path::Arc {
  double s = 0;
  VectorXd along;
  double along_s = 1;
  double step = 0;
  double next_s = 0;
  State next;
  Solved solved;
};

// One step of the given length, corrected across the direction.
bool Path::step_arc(const Stage& stage, Arc& arc, double length) {
  double& s = arc.next_s;
  s = arc.s + length * arc.along_s;
  arc.next = m_state;
  m_equilibrium.assembly().move(m_state, arc.along, length, arc.next);
  m_equilibrium.place(arc.next, stage.at(s));
  const State predicted = arc.next;
  for (int k = 0;; ++k) {
    Residual residual = m_equilibrium.residual(arc.next, stage.at(s));
    if (!residual.finite() || residual.sums.joint_cosine < assembly::joint_cosine_limit) return false;
    if (residual.force <= residual.limit) {
      arc.solved = {Outcome::converged, k, std::move(residual)};
      return is_near(predicted, arc.next, length * m_equilibrium.size_of(arc.along));
    }
    if (k == most_corrections || !m_equilibrium.factorise(arc.next, stage.at(s))) return false;
    // The unknowns and s together, by elimination of the former: du = -a - change * b.
    const VectorXd a = m_equilibrium.solve(residual.vector), b = -tangent(stage, s, arc.next);
    const double change = dot(arc.along, a) / (arc.along_s - dot(arc.along, b));
    const VectorXd du = -a - change * b;
    const double size = m_equilibrium.size_of(du);
    if (!std::isfinite(size) || size > 0.5) return false;
    const State base = arc.next;
    m_equilibrium.assembly().move(base, du, 1, arc.next);
    s += change;
    m_equilibrium.place(arc.next, stage.at(s));
  }
}

// The longest step at whose end the direction has turned little; leaves the new direction in the arc.
bool Path::advance_arc(const Stage& stage, Arc& arc) {
  for (; arc.step > m_options.shortest_step; arc.step /= 2) {
    if (!step_arc(stage, arc, arc.step)) continue;
    m_equilibrium.factorise(arc.next, stage.at(arc.next_s));
    const VectorXd u = tangent(stage, arc.next_s, arc.next);
    const double size = std::sqrt(1 + dot(u, u));
    const double cosine = (dot(u, arc.along) + arc.along_s) / size;
    if (std::abs(cosine) < least_cosine) continue;
    const double sign = cosine < 0 ? -1 : 1;
    arc.along = (sign / size) * u;
    arc.along_s = sign / size;
    return true;
  }
  return false;
}

// The last point, at the end of the stage itself. False when it was not found from here.
bool Path::end_arc(const Stage& stage, Arc& arc) {
  State trial = m_state;
  m_equilibrium.factorise(m_state, m_where);
  m_equilibrium.assembly().move(m_state, tangent(stage, arc.s, m_state), 1 - arc.s, trial);
  const State predicted = trial;
  arc.solved = m_equilibrium.correct(trial, stage.at(1), most_corrections);
  if (!arc.solved.converged() || !is_near(predicted, trial, 0)) return false;
  arc.next = trial;
  arc.next_s = 1;
  return true;
}

// Whether the path goes on with a falling load.
bool Path::turns_back(const Stage& stage, double s) {
  m_equilibrium.factorise(m_state, m_where);
  const VectorXd u = tangent(stage, s, m_state);
  const double size = std::sqrt(1 + dot(u, u));
  Arc arc;
  arc.s = s;
  arc.along = u / size;
  arc.along_s = 1 / size;
  for (const double step : {1e-2, 1e-3, 3e-2})
    if (step_arc(stage, arc, step)) return arc.next_s < s + 0.01 * step;
  return false;
}

bool Path::follow_arc(const Stage& stage) {
  Arc arc;
  const VectorXd u = tangent(stage, 0, m_state);
  const double size = std::sqrt(1 + dot(u, u));
  arc.along = u / size;
  arc.along_s = 1 / size;
  arc.step = m_options.first_step;
  while (m_report.points < m_options.max_points) {
    const Arc before = arc;
    if (!advance_arc(stage, arc))
      return fail(StaticStatus::not_converged, {}, fmt::format("the path was lost beyond {}; more segments may help", reached()));
    if (arc.next_s < 0) return fail(StaticStatus::limit_point, {}, "the path turned back and came to its beginning again");
    if (arc.next_s > 1 && !end_arc(stage, arc)) {
      const double shorter = arc.step / 2;
      arc = before;
      arc.step = shorter;
      continue;
    }
    const int negative = m_negative;
    if (!accept(arc.next, stage.at(arc.next_s), arc.solved)) return false;
    if (m_negative != negative) {
      const Where at = stage.at(0.5 * (arc.s + arc.next_s));
      m_report.crossings.push_back({at.load, at.time, negative, m_negative});
    }
    arc.s = arc.next_s;
    if (arc.s == 1) {
      if (m_options.perturb) perturb();
      return m_report.converged();
    }
    if (arc.solved.iterations <= 4) arc.step = std::min(1.5 * arc.step, 2 * m_options.longest_step);
  }
  return fail(StaticStatus::not_converged, {}, fmt::format("{} points of the path do not reach its end", m_report.points));
}

}  // namespace writhe::statics
