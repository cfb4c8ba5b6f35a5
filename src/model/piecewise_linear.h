// A function given by points: linear between them, constant outside. Ramps over time and tapers along a rod are such functions.
#pragma once

#include <algorithm>
#include <cmath>
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

// A mean over [from, to], from that of each linear piece: of_piece(begin, end). A stretch within one piece, or where all pieces
// have the same, has that value to the bit; without any time between, from and to are the piece.
template <class OfPiece>
double mean_by_pieces(const std::vector<std::pair<double, double>>& points, double from, double to, const OfPiece& of_piece) {
  auto next = std::upper_bound(points.begin(), points.end(), from, [](double x, const auto& point) { return x < point.first; });
  double begin = from, mean = 0, value = 0;
  bool constant = true;
  for (;; ++next) {
    const bool last = next == points.end() || next->first >= to;
    const double end = last ? to : next->first;
    const double own = of_piece(begin, end);
    constant = constant && (begin == from || own == value);
    value = own;
    mean += value * ((end - begin) / (to - from));
    begin = end;
    if (last) return constant ? value : mean;
  }
}

// Its mean over [from, to]; without any time between them the value there. Each linear piece counts with the value in its middle,
// which is exact.
inline double piecewise_linear_mean(const std::vector<std::pair<double, double>>& points, double from, double to) {
  return mean_by_pieces(points, from, to,
                        [&](double begin, double end) { return piecewise_linear(points, begin + (end - begin) / 2); });
}

// The constant c whose c|c| is the mean of f|f| over [from, to]. From a to b this integrates to (|b|^3 - |a|^3)/(3 (b - a)),
// without the difference where both have one sign. The root of a rounded square is the number itself: what is constant stays so
// to the bit.
inline double piecewise_linear_mean_by_square(const std::vector<std::pair<double, double>>& points, double from, double to) {
  const double mean = mean_by_pieces(points, from, to, [&](double begin, double end) {
    const double a = piecewise_linear(points, begin), b = piecewise_linear(points, end);
    if (a == b) return a * std::abs(a);
    if (a * b >= 0) return (a + b > 0 ? 1 : -1) * (a * a + a * b + b * b) / 3;
    return (std::abs(b * b * b) - std::abs(a * a * a)) / (3 * (b - a));
  });
  return std::copysign(std::sqrt(std::abs(mean)), mean);
}

}  // namespace writhe
