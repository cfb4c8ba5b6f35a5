// The times at which steps end: a grid of whole steps, counted and not added up, so that times do not drift and a resumed run
// goes on with the same bits. A step that fails can be taken in halves; they end on the same grid.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace writhe {

class StepClock {
 public:
  static constexpr int most_halvings = 10;

  // Prepares for a step at `now` on the way to `until`. Goes on with its grid when it stands at `now`; a new one starts when
  // not, when dt is another, when less than a step is left, and after that shorter step.
  void aim(double now, double dt, double until) {
    const bool last_was_shorter = m_dt != m_wanted && m_count > 0;
    if (now != this->now() || dt != m_wanted || last_was_shorter) restart(now, dt, dt);
    if (next() - until > negligible(dt, until)) restart(now, dt, until - now);
  }
  // s: less than this is left only by rounding, of the step or of a late time.
  static double negligible(double dt, double time) {
    return std::max(1e-9 * dt, 4 * std::numeric_limits<double>::epsilon() * std::abs(time));
  }

  double now() const { return time_of(m_part); }
  double next() const { return time_of(m_part + size()); }
  // s: the step to next(), the same number for steps of the same length; next() - now() is so only up to rounding.
  double step() const { return m_dt * (size() / double{whole}); }

  // The step to next() was taken. Longer ones are tried again after a few that went well, once `may_lengthen`.
  void done(bool may_lengthen = true) {
    m_part += size();
    if (m_part == whole) {
      m_part = 0;
      ++m_count;
    }
    if (m_halvings == 0) return;
    if (m_shorter < std::numeric_limits<std::int32_t>::max()) ++m_shorter;
    ++m_streak;
    if (may_lengthen && m_streak >= patience && m_part % (2 * size()) == 0) {
      --m_halvings;
      m_streak = 0;
    }
  }
  // The step to next() failed: take half of it. False when it is the shortest already.
  bool halve() {
    if (m_halvings == most_halvings) return false;
    ++m_halvings;
    m_streak = 0;
    return true;
  }
  // Whether halved steps have made the way much longer than was asked for, by more than a violent start or a knock now and then:
  // a whole step in its shortest parts is a start.
  bool is_laborious() const { return m_shorter > most_for_one * (static_cast<double>(m_count) + begins_with); }
  // Halved steps taken for a whole one.
  double shorter_for_one() const {
    return m_shorter / std::max(static_cast<double>(m_count) + m_part / double{whole}, 1 / double{whole});
  }
  // What a file may say.
  bool valid() const {
    return std::isfinite(m_start) && std::isfinite(m_dt) && std::isfinite(m_wanted) && m_halvings >= 0 &&
           m_halvings <= most_halvings && m_count >= 0 && m_part >= 0 && m_part < whole && m_part % size() == 0 &&
           m_streak >= 0 && m_shorter >= 0;
  }

 private:
  static constexpr int whole = 1 << most_halvings;
  static constexpr int patience = 4;
  static constexpr double most_for_one = 64, begins_with = 16;

  void restart(double now, double wanted, double dt) {
    *this = StepClock();
    m_start = now;
    m_wanted = wanted;
    m_dt = dt;
  }
  int size() const { return whole >> m_halvings; }
  double time_of(int part) const {
    // a whole step has no fraction that could round
    const auto count = static_cast<double>(part == whole ? m_count + 1 : m_count);
    return part == 0 || part == whole ? m_start + count * m_dt : m_start + (count + part / double{whole}) * m_dt;
  }

  double m_start = 0;           // s
  double m_dt = 0;              // s, of a whole step
  double m_wanted = 0;          // s, what the scene asks for; m_dt is less where the end comes before
  std::int64_t m_count = 0;     // whole steps since m_start
  std::int32_t m_part = 0;      // parts of the present step that are done, of `whole`
  std::int32_t m_halvings = 0;  // of the present step
  std::int32_t m_streak = 0;    // steps accepted since the last halving or lengthening
  std::int32_t m_shorter = 0;  // steps taken that were halved, since m_start. (No byte may be undefined: it is written as it is.)
};

}  // namespace writhe
