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

// Its mean over [from, to]; without any time between them the value there. Each linear piece counts with the value in its middle,
// which is exact. A stretch within one piece, or where all is constant, has that value to the bit.
inline double piecewise_linear_mean(const std::vector<std::pair<double, double>>& points, double from, double to) {
  auto next = std::upper_bound(points.begin(), points.end(), from, [](double x, const auto& point) { return x < point.first; });
  double begin = from, mean = 0, value = 0;
  bool constant = true;
  for (;; ++next) {
    const bool last = next == points.end() || next->first >= to;
    const double end = last ? to : next->first;
    const double own = piecewise_linear(points, begin + (end - begin) / 2);
    constant = constant && (begin == from || own == value);
    value = own;
    mean += value * ((end - begin) / (to - from));
    begin = end;
    if (last) return constant ? value : mean;
  }
}

}  // namespace writhe
