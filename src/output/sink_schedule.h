// When a sink takes a sample: on the first step at or after each multiple of an interval.
#pragma once

#include <cmath>

namespace writhe::output {

class Schedule {
 public:
  Schedule() = default;
  // interval in s; 0: every step. The sample at `start` itself is the caller's; dt is the length of a usual step.
  Schedule(double interval, double start, double dt) : m_interval(interval) {
    if (m_interval > 0) m_next = reached(start, dt) + 1;
  }

  // Whether the step of length dt that ended at `time` is due. Multiples are counted, not added up, so nothing drifts; a step
  // that falls short of one by rounding only counts as there; a step over several gives one sample.
  bool due(double time, double dt) {
    if (!is_due(time, dt)) return false;
    if (m_interval > 0) m_next = reached(time, dt) + 1;
    return true;
  }
  // The same, without counting it.
  bool is_due(double time, double dt) const { return m_interval <= 0 || reached(time, dt) >= m_next; }

 private:
  // Index of the last multiple not after `time`, give or take a millionth of a step: far above what adding up times loses.
  double reached(double time, double dt) const { return std::floor((time + 1e-6 * dt) / m_interval); }

  double m_interval = 0;
  double m_next = 0;  // index of the next multiple
};

}  // namespace writhe::output
