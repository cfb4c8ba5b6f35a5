// How long forces of contact are drawn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace writhe::output {

// N/m, of all that press: the largest, and what nearly all stay below. The blow of a fall may be a thousand times what a rod
// presses with at rest, which would then not be seen. Both 0 where nothing presses.
struct ContactScale {
  double most = 0, usual = 0;
};

// `pressing`: N/m, above 0; its order is changed.
inline ContactScale contact_scale(std::vector<double>& pressing) {
  constexpr double nearly_all = 0.95;
  if (pressing.empty()) return {};
  const auto usual = pressing.begin() + static_cast<std::ptrdiff_t>(nearly_all * static_cast<double>(pressing.size() - 1));
  std::nth_element(pressing.begin(), usual, pressing.end());
  return {*std::max_element(pressing.begin(), pressing.end()), *usual};
}

}  // namespace writhe::output
