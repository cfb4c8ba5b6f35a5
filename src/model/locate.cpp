#include "model/locate.h"

#include <cmath>
#include <numeric>

namespace writhe {

namespace {

Spot at_node(int node, std::span<const double> length) {
  const int last = static_cast<int>(length.size()) - 1;
  const double s = std::accumulate(length.begin(), length.begin() + node, 0.0);
  return node <= last ? Spot{node, 0, s} : Spot{last, 1, s};
}

Spot at_fraction(double fraction, std::span<const double> length) {
  const double total = std::accumulate(length.begin(), length.end(), 0.0);
  const double s = fraction * total, near = 1e-9 * total;
  double start = 0;
  for (int i = 0; i < static_cast<int>(length.size()); ++i) {
    if (std::abs(s - start) <= near) return at_node(i, length);
    if (s < start + length[i] - near) return {i, (s - start) / length[i], s};
    start += length[i];
  }
  return at_node(static_cast<int>(length.size()), length);
}

}  // namespace

std::optional<int> Spot::node() const {
  if (fraction == 0) return segment;
  if (fraction == 1) return segment + 1;
  return std::nullopt;
}

Spot locate(const Place& place, std::span<const double> length) {
  switch (place.kind) {
    case Place::Kind::start:
      return at_node(0, length);
    case Place::Kind::end:
      return at_node(static_cast<int>(length.size()), length);
    case Place::Kind::node:
      return at_node(place.node, length);
    case Place::Kind::fraction:
      return at_fraction(place.fraction, length);
  }
  return {};
}

}  // namespace writhe
