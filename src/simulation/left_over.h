// What steps of a method of bounded cost leave over, in metres (StepReport::left_over, drift): looked at in some steps by a
// Correction, which costs as much as five to ten of them, and told in the others from the forces that are left.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "writhe/step_report.h"

namespace writhe {

// A function of the steps so far and nothing else; written to checkpoints as it is.
class LeftOver {
 public:
  // Whether to look at this step: seldom, at the last, and where far more is left than where it was looked at before.
  bool wants(const StepReport& report, bool last) const {
    constexpr double far_more = 4;
    constexpr std::int64_t most_between = 256;
    const std::int64_t step = m_steps + 1;
    const bool turn = step <= most_between ? (step & (step - 1)) == 0 : step % most_between == 0;  // 1, 2, 4, ... at first
    return last || turn || report.residual > far_more * m_most;
  }
  // here, drift: m, as a Correction finds them.
  void look(double here, double drift, const StepReport& report) {
    m_most = std::max(m_most, report.residual);
    m_here = report.residual > 0 ? here / report.residual : 0;
    m_drift = report.residual > 0 ? drift / report.residual : 0;
  }
  // A force that sets in at once moves what is not damped twice as far as one that grows.
  void tell(StepReport& report) {
    constexpr double at_once = 2;
    ++m_steps;
    report.left_over = m_here * report.residual;
    report.drift = std::max(*report.left_over, at_once * m_drift * report.residual);
  }
  bool valid() const { return m_steps >= 0 && std::isfinite(m_most + m_here + m_drift); }

 private:
  std::int64_t m_steps = 0;
  double m_most = 0;               // N: residual, of the steps looked at
  double m_here = 0, m_drift = 0;  // m/N, of the one looked at last
};

}  // namespace writhe
