// Where the time of a step goes.
#pragma once

#include <chrono>

#include "writhe/step_report.h"

namespace writhe {

// Adds the time since the last lap to a stage. Off, as it is at first, it does not look at the clock: a short step has no time
// for it.
class StageWatch {
 public:
  void turn_on() { m_on = true; }
  void start() {
    if (m_on) m_last = Clock::now();
  }
  void lap(double StageTimes::*stage) {
    if (!m_on) return;
    const Clock::time_point now = Clock::now();
    m_times.*stage += std::chrono::duration<double>(now - m_last).count();
    m_last = now;
  }
  const StageTimes& times() const { return m_times; }
  void clear() { m_times = {}; }

 private:
  using Clock = std::chrono::steady_clock;
  bool m_on = false;
  Clock::time_point m_last;
  StageTimes m_times;
};

}  // namespace writhe
