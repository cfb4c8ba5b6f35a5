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
constexpr double near_begin = 1e-3;  // of the stage
}  // namespace

// A point (u, s) of the path and its direction there, of unit size in u and s together.
struct Path::Arc {
  double s = 0;
  VectorXd along;
  double along_s = 1;
};

// The direction at a point whose tangent is factored; towards growing s, or on as before.
Path::Arc Path::arc_at(const Stage& stage, double s, const State& state, const Arc* before) {
  const VectorXd u = tangent(stage, s, state);
  const double size = std::sqrt(1 + dot(u, u));
  const bool back = before && dot(u, before->along) + before->along_s < 0;
  const double sign = back ? -1 : 1;
  return {s, (sign / size) * u, sign / size};
}

// One step of the given length from the last point, corrected across the direction.
Path::Attempt Path::step_arc(const Stage& stage, const Arc& arc, double length, Found& found) {
  double& s = found.s;
  s = arc.s + length * arc.along_s;
  found.state = m_state;
  if (m_equilibrium.move(m_state, arc.along, length, found.state) < 1) return Attempt::lost;
  if (!m_equilibrium.place(found.state, stage.at(s))) return Attempt::lost;
  hold(m_freedom);
  const State predicted = found.state;
  bool accurate = false;
  for (int k = 0;; ++k) {
    Residual residual = m_equilibrium.residual(found.state, stage.at(s));
    if (!residual.finite() || residual.sums.joint_cosine < assembly::joint_cosine_limit) return Attempt::lost;
    if (residual.worst.force == 0 || (k > 0 && residual.worst.rounding) || (accurate && residual.nearly_met())) {
      found.solved = {Outcome::converged, k, std::move(residual)};
      break;
    }
    if (k == most_corrections || !m_equilibrium.factorise(found.state, stage.at(s))) return Attempt::lost;
    if (!m_equilibrium.goes_on(stage.at(s), {Outcome::stopped, k, residual})) return Attempt::stopped;
    // The unknowns and s together, by elimination of the former: du = -a - change * b.
    const VectorXd a = m_equilibrium.solve(residual.vector), b = -tangent(stage, s, found.state);
    const double change = dot(arc.along, a) / (arc.along_s - dot(arc.along, b));
    const VectorXd du = -a - change * b;
    const double size = m_equilibrium.size_of(du);
    if (!std::isfinite(size) || size > 0.5) return Attempt::lost;
    accurate = m_equilibrium.is_accurate(du);
    const State base = found.state;
    if (m_equilibrium.move(base, du, 1, found.state) < 1) return Attempt::lost;
    s += change;
    if (!m_equilibrium.place(found.state, stage.at(s))) return Attempt::lost;
  }
  if (!is_near(predicted, found.state, length * m_equilibrium.size_of(arc.along))) return Attempt::lost;
  return hold_own_and_count(found, stage.at(s));
}

// The longest step, of those tried, at whose end the direction has turned little.
Path::Attempt Path::advance_arc(const Stage& stage, const Arc& arc, double& step, Found& found) {
  for (; step > m_options.shortest_step; step /= 2) {
    const Attempt came = step_arc(stage, arc, step, found);
    if (came == Attempt::lost) continue;
    if (came != Attempt::found) return came;
    const Arc next = arc_at(stage, found.s, found.state, &arc);
    if (dot(next.along, arc.along) + next.along_s * arc.along_s >= least_cosine) return came;
  }
  return Attempt::lost;
}

// The last point, at the end of the stage itself.
Path::Attempt Path::end_arc(const Stage& stage, const Arc& arc, Found& found) {
  found.state = m_state;
  hold(m_freedom);
  factorise(m_state, m_where);
  m_equilibrium.move(m_state, tangent(stage, arc.s, m_state), 1 - arc.s, found.state);
  const State predicted = found.state;
  found.s = 1;
  found.solved = m_equilibrium.correct(found.state, stage.at(1), most_corrections);
  if (found.solved.outcome == Outcome::stopped) return Attempt::stopped;
  if (!found.solved.converged() || !is_near(predicted, found.state, 0)) return Attempt::lost;
  return hold_own_and_count(found, stage.at(1));
}

// Whether the path goes on with a falling load: by its length from the last point, a little way. That point stays the last.
bool Path::turns_back(const Stage& stage, double s) {
  constexpr int most = 12;
  const State last = m_state;
  const Freedom freedom = m_freedom;
  hold(m_freedom);
  factorise(m_state, m_where);
  Arc arc = arc_at(stage, s, m_state, nullptr);
  double step = 0.03;
  for (int k = 0; k < most && arc.along_s > 0; ++k) {
    Found found;
    if (advance_arc(stage, arc, step, found) != Attempt::found) break;
    m_state = std::move(found.state);
    m_freedom = std::move(found.freedom);
    hold(m_freedom);
    factorise(m_state, stage.at(found.s));
    arc = arc_at(stage, found.s, m_state, &arc);
    step *= 1.5;
  }
  m_state = last;
  m_freedom = freedom;
  return arc.along_s < 0;
}

// Where a motion stops being neutral right away, the path begins with a fall.
bool Path::begin_arc(const Stage& stage, double& s) {
  if (m_freedom.neutral.empty()) return true;
  Found found;
  const Attempt came = attempt(stage, 0, tangent(stage, 0, m_state), release_step, found);
  hold(m_freedom);
  factorise(m_state, m_where);
  if (came != Attempt::released) return true;
  const Attempt fallen = fall(m_state, stage.at(release_step), found);
  if (fallen != Attempt::found) return report(fallen == Attempt::lost ? came : fallen, found, stage.at(release_step));
  s = release_step;
  ++m_report.jumps;
  return accept(stage.at(s), std::move(found));
}

// Why a path that has turned back goes no farther; null if it does. A load may change its sign, time may not.
const char* Path::turned_back(const Arc& arc, Attempt came, const Found& found, const State& begin) const {
  if (arc.along_s >= 0) return nullptr;
  if (m_in_time) {
    // before the first key nothing moves, and the direction is another
    const bool out = came == Attempt::found ? found.s < 0 : came == Attempt::lost && arc.s < near_begin;
    return out ? "the path turned back and came to the time of the key where this part of it began; a load without a ramp may "
                 "change its sign, time may not"
               : nullptr;
  }
  if (came != Attempt::found || found.s >= 0) return nullptr;
  if (found.s < -1) return "the load would have to be reversed, and larger than it is";
  return is_near(begin, found.state, 0)
             ? "the path turned back and came to its beginning again; --perturb leaves it where it turns"
             : nullptr;
}

bool Path::follow_arc(const Stage& stage) {
  const State begin = m_state;
  double start = 0;
  if (!begin_arc(stage, start)) return false;
  Arc arc = arc_at(stage, start, m_state, nullptr);
  double step = std::min(1.0, m_options.first_step / stage.share);
  const double longest = std::min(1.0, 2 * m_options.longest_step / stage.share);
  const int enough = m_report.points + m_options.max_points;
  while (m_report.points < enough) {
    Found found;
    Attempt came = advance_arc(stage, arc, step, found);
    if (const char* end = turned_back(arc, came, found, begin)) return fail(StaticStatus::limit_point, {}, end);
    if (came == Attempt::lost)
      return fail(StaticStatus::not_converged, {}, fmt::format("the path was lost beyond {}; more segments may help", reached()));
    const bool last = came == Attempt::found && found.s > 1;
    if (last) came = end_arc(stage, arc, found);
    if (last && came == Attempt::lost) {
      step /= 2;
      hold(m_freedom);
      factorise(m_state, m_where);
      continue;
    }
    if (came != Attempt::found) return report(came, found, stage.at(found.s));
    bool crossed = true;
    if (found.negative != m_negative && !last) {
      const auto probe = [&](double p, Found& at) { return step_arc(stage, arc, p * step, at) == Attempt::found; };
      crossed = locate_crossings(stage, arc.s, step, probe, found);
    } else if (found.negative != m_negative) {
      const auto probe = [&](double p, Found& at) {
        return attempt(stage, arc.s, tangent(stage, arc.s, m_state), arc.s + p * (1 - arc.s), at) == Attempt::found;
      };
      crossed = locate_crossings(stage, arc.s, 1 - arc.s, probe, found);
    }
    if (!crossed && step > 2 * m_options.shortest_step) {
      step /= 2;
      hold(m_freedom);
      factorise(m_state, m_where);
      continue;
    }
    const Arc before = arc;
    const int iterations = found.solved.iterations;
    const double s = found.s;
    if (!accept(stage.at(s), std::move(found))) return false;
    arc = arc_at(stage, s, m_state, &before);
    if (m_options.perturb && m_negative > 0) {
      perturb();
      if (!m_report.converged()) return false;
      arc = arc_at(stage, s, m_state, nullptr);
    }
    if (s == 1) return true;
    if (iterations <= 4) step = std::min(1.5 * step, longest);
  }
  return fail_too_many();
}

}  // namespace writhe::statics
