// Where the path turns stable into unstable or back.
#include <algorithm>
#include <cmath>
#include <utility>

#include "statics/path.h"

namespace writhe::statics {

namespace {

constexpr double continuous = 1e-4;  // rad, or part of the length: both sides of a crossing are no farther apart
constexpr double least_width = 1e-13;

}  // namespace

// Narrows (low, high), of a step of the given size, until the number of negative eigenvalues changes between two equilibria that
// are the same but for what the narrow gap changes. False when they are not: the path does not lead from one to the other, or
// what lies between was not found.
bool Path::bracket(double size, const Probe& probe, double& low, Found& before, double& high, Found& beyond) {
  const auto narrow = [&] {
    const double width = (high - low) * size;
    return width <= std::max(m_options.crossing_width * std::abs(beyond.s), least_width);
  };
  while (!narrow()) {
    const double middle = 0.5 * (low + high);
    Found trial;
    if (!probe(middle, trial)) return false;
    if (trial.negative == before.negative) {
      low = middle;
      before = std::move(trial);
    } else {
      high = middle;
      beyond = std::move(trial);
    }
  }
  return m_equilibrium.distance(before.state, beyond.state) <= continuous;
}

// All changes of the number of negative eigenvalues on the way from the last point (at s) to `end`, a step of the given size.
// False, with nothing noted, when one of them is none: `end` is then on another path. To be perturbed the path goes no farther
// than a little beyond the first.
bool Path::locate_crossings(const Stage& stage, double s, double size, const Probe& probe, Found& end) {
  constexpr int most = 20;
  constexpr double beyond_it = 0.01;  // of the step, and of where it is
  const Found last = end;
  double low = 0;
  Found before;
  before.s = s;
  before.state = m_state;
  before.negative = m_negative;
  std::vector<Crossing> found;
  for (int k = 0; before.negative != last.negative && k < most; ++k) {
    double high = 1;
    Found beyond = last;
    if (!bracket(size, probe, low, before, high, beyond)) return false;
    const Where at = stage.at(0.5 * (before.s + beyond.s));
    found.push_back({at.load, at.time, stage.width(std::abs(beyond.s - before.s)), before.negative, beyond.negative});
    m_crossed = beyond.s;
    if (m_options.perturb && beyond.negative > 0) {
      const double farther_by = beyond_it * std::min(1.0, std::abs(beyond.s) / size);
      end = beyond;
      if (Found farther; high + farther_by < 1 && probe(high + farther_by, farther) && farther.negative == beyond.negative)
        end = std::move(farther);
      break;
    }
    low = high;
    before = std::move(beyond);
  }
  m_report.crossings.insert(m_report.crossings.end(), found.begin(), found.end());
  return true;
}

}  // namespace writhe::statics
