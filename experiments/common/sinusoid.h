// The frequency of a vibration from its values over time.
#pragma once

#include <vector>

namespace writhe::experiments {

struct Samples {
  std::vector<double> time;  // s
  std::vector<double> value;
};

// The frequency (Hz) between `low` and `high` for which a sinusoid about a constant comes nearest to the samples, by least
// squares. The samples should hold some periods, and the bounds lie within a fifth of the answer: further off there are other
// minima.
double fitted_frequency(const Samples& samples, double low, double high);

}  // namespace writhe::experiments
