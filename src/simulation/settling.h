// How long the steps are on the way to rest, and when it is reached: see Simulation::settle.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "writhe/simulation.h"

namespace writhe {

// Long steps damp whatever moves. Two things call for shorter ones: a step that fails, and, in steps long enough for statics,
// motion that does not die down (loads that lag a step behind, those of methods that do not take them where it ends, can feed
// it).
//
// A step that uses up its iterations before it has converged, as those of `pd` may, can set the rod in motion instead: the rod is
// stopped after it, and the steps grow on. From standing a step lowers the potential, converged or not; what is left is a
// descent, which is slow only where a rod turns as a whole: there the steps begin anew with short ones, in which its inertia
// helps. In steps long enough for statics the rod is stopped, too, where it turns back; not where it goes on: it may be leaving
// an equilibrium that is not stable. Nor where steps have to stay short: there such a descent creeps, and what swings dies down
// by its own damping. What still swings after a thousand such steps (a long thin wire, whose steps fail where they are long) is
// stopped where it is fastest, which is near the middle.
class Settling {
 public:
  Settling() = default;
  // `dt`: of the scene; `quiet`: s, when the last load or support has come to rest: before that a rod may only be waiting;
  // `length`: m, of the longest rod.
  Settling(const SettleOptions& options, double dt, double quiet, double now, double length)
      : m_shortest(dt), m_quiet(quiet), m_dt(dt), m_length(length) {
    m_longest = options.dt_max;
    m_rest_time = 8 * options.dt_rest;
    respect_motion(now);
  }

  double dt() const { return m_dt; }
  int steps() const { return m_steps; }

  // After a step that failed; false when there is no shorter one.
  bool shorten(const SettleOptions& options) {
    ++m_steps;
    if (m_dt <= options.dt_min) return false;
    m_dt = std::max(m_dt / 4, options.dt_min);
    return true;
  }

  // Slow in two long steps, or for longer than it takes to get there in steps that may not grow: neither passing a turning point
  // nor about to start.
  bool at_rest() const {
    return m_slow_long >= m_patience || (m_slow >= m_patience && m_slow_time >= m_rest_time * (0.5 * m_patience));
  }
  // Nothing moves, and what is known of the forces does not contradict: see Simulation::settle.
  bool confirmed() const { return m_confirmed != 0; }
  bool doubted() const { return m_patience > 2; }
  void confirm() { m_confirmed = 1; }
  // Slow, but not at rest: looks for rest anew. It is believed later if that did not help.
  void doubt(bool helped) {
    m_slow = m_slow_long = 0;
    m_slow_time = 0;
    m_v.clear();
    if (!helped) m_patience *= 2;
  }
  bool still_driven(double now) const { return now < m_quiet; }

  // After an accepted step; may stop the rod: true where it did.
  bool accepted(const SettleOptions& options, const StepReport& report, State& state) {
    constexpr int patience = 4;
    constexpr double negligible = 1e-7;  // of the length
    constexpr int many_short = 1000;     // steps
    ++m_steps;
    const bool driven = still_driven(state.time);
    const bool slow = report.converged && report.max_speed < options.speed && !driven;
    const bool is_long = m_dt >= std::min(options.dt_rest, m_longest);
    m_slow = slow ? m_slow + 1 : 0;
    m_slow_long = slow && is_long ? m_slow_long + 1 : 0;
    m_slow_time = slow ? m_slow_time + m_dt : 0;
    if (at_rest()) return false;
    const double moved = report.max_speed * m_dt;  // m
    double along = 0;
    for (std::size_t i = 0; i < m_v.size(); ++i) along += dot(m_v[i], state.v[i]);
    const bool swings = moved > negligible * m_length && moved > 0.9 * m_moved;  // below that, what the tolerance leaves over
    m_strikes = is_long && along < 0 && swings ? m_strikes + 1 : 0;
    m_moved = moved;
    m_v = state.v;
    if (m_strikes == patience) {
      m_strikes = 0;
      m_longest = std::max(m_dt / 3, m_shortest);
    }
    const bool grows = options.growth > 1 && m_longest >= options.dt_rest;
    double speed2 = 0;
    for (const Vec3& v : state.v) speed2 += dot(v, v);
    const bool past_middle = !is_long && m_steps > many_short && m_speeds_up && speed2 < m_speed2;
    m_speeds_up = speed2 > m_speed2 ? 1 : 0;
    m_speed2 = speed2;
    const bool stops = !driven && (past_middle || (grows && (!report.converged || (is_long && along < 0))));
    if (stops) stop(state);
    choose_step(options, report.converged, driven);
    respect_motion(state.time);
    return stops;
  }

  template <class Bytes>
  void save(Bytes& out) const {
    visit(*this, [&](const auto& value) { out.put(value); });
  }
  template <class Bytes>
  void load(Bytes& in) {
    visit(*this, [&](auto& value) { in.get(value); });
  }
  // What a file may say.
  bool valid() const {
    return std::isfinite(m_dt) && m_dt > 0 && m_longest > 0 && m_slow_time >= 0 && m_steps >= 0 && m_patience > 0;
  }
  bool fits(const State& state) const { return m_v.empty() || m_v.size() == state.v.size(); }

 private:
  void choose_step(const SettleOptions& options, bool converged, bool driven) {
    constexpr int short_steps = 1000;  // in dt_rest
    if (!converged && driven)
      m_dt = std::max(m_dt / options.growth, std::min(m_dt, m_shortest));
    else if (!converged && m_dt >= m_longest && m_longest > options.dt_rest)
      m_dt = std::max(m_shortest, options.dt_rest / short_steps);
    else
      m_dt = std::min(m_dt * options.growth, m_longest);
  }
  static void stop(State& state) {
    std::fill(state.v.begin(), state.v.end(), Vec3{});
    std::fill(state.w.begin(), state.w.end(), Vec3{});
  }
  // A driven support is followed, not overtaken.
  void respect_motion(double now) {
    if (now < m_quiet) m_dt = std::min(m_dt, std::max(m_shortest, m_quiet / 100));
  }
  template <class Self, class Work>
  static void visit(Self& self, const Work& work) {
    work(self.m_shortest);
    work(self.m_quiet);
    work(self.m_dt);
    work(self.m_length);
    work(self.m_longest);
    work(self.m_moved);
    work(self.m_v);
    work(self.m_strikes);
    work(self.m_rest_time);
    work(self.m_slow_time);
    work(self.m_slow);
    work(self.m_slow_long);
    work(self.m_steps);
    work(self.m_patience);
    work(self.m_confirmed);
    work(self.m_speed2);
    work(self.m_speeds_up);
  }

  double m_shortest = 0, m_quiet = 0, m_dt = 0, m_longest = 0;  // s
  double m_length = 0;                                          // m
  double m_moved = std::numeric_limits<double>::infinity();     // m, in the step before
  std::vector<Vec3> m_v;                                        // m/s, after the step before
  double m_rest_time = 0, m_slow_time = 0;                      // s: how long it has to be slow, and has been
  int m_slow = 0, m_slow_long = 0;                              // steps
  int m_strikes = 0, m_steps = 0;
  double m_speed2 = 0;  // m^2/s^2: sum over the nodes, after the step before
  int m_speeds_up = 0;  // 1: it was more than before that
  int m_patience = 2;   // steps that have to be slow
  int m_confirmed = 0;  // 1: yes
};

}  // namespace writhe
