// A function given by points: linear between them, constant outside. Ramps over time and tapers along a rod are such functions.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace writhe {

// `points` are (argument, value) with increasing arguments; without any the function is 1.
inline double piecewise_linear(const std::vector<std::pair<double, double>>& points, double at) {
  if (points.empty()) return 1;
  const auto after =
      std::upper_bound(points.begin(), points.end(), at, [](double x, const auto& point) { return x < point.first; });
  if (after == points.begin()) return points.front().second;
  if (after == points.end()) return points.back().second;
  const auto& [x0, y0] = *(after - 1);
  const auto& [x1, y1] = *after;
  return y0 + (y1 - y0) * ((at - x0) / (x1 - x0));
}

}  // namespace writhe
