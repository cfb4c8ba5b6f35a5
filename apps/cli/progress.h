// One line on the terminal that says how far a run is.
#pragma once

#include <chrono>
#include <optional>

#include "writhe/step_report.h"

namespace writhe::cli {

class Progress {
 public:
  // `start` and `until` in s of simulated time; `until` is absent when the end is not known. Draws only when `wanted` and stderr
  // is a terminal.
  Progress(double start, std::optional<double> until, bool wanted);
  ~Progress();  // wipes the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(const StepReport& report);

 private:
  using Clock = std::chrono::steady_clock;

  double m_from;
  std::optional<double> m_until;
  bool m_shown;
  long m_steps = 0;
  Clock::time_point m_start = Clock::now(), m_drawn = m_start;
};

}  // namespace writhe::cli
