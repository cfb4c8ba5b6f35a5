#include "harness.h"

#include <algorithm>
#include <utility>

namespace writhe::bench {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double median_of(int repetitions, const std::function<double()>& measure) {
  std::vector<double> values(static_cast<std::size_t>(repetitions));
  for (double& value : values) value = measure();
  return median(std::move(values));
}

}  // namespace writhe::bench
