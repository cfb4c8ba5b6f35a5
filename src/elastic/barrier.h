// What keeps surfaces apart: an energy per length of their gap, zero from a small gap on and without bound where they meet.
// docs/theory/contact.md, "Barrier".
//
// With u = gap / activation: E = k a^2/4 (1 - u)^3/u, so that force and stiffness begin smoothly at u = 1. It is convex in the
// gap, and rational, so that vectors of it cost no logarithm.
#pragma once

#include <cmath>

namespace writhe::elastic {

struct BarrierMaterial {
  double activation = 0;  // m: gap below which it acts
  double stiffness = 0;   // N/m^2: force per length over the depth (activation - gap), at half the activation
};

template <class T>
struct TBarrierValue {
  T energy;     // J/m
  T pressure;   // N/m: force per length, positive: apart
  T stiffness;  // N/m^2: how it falls with the gap
};
using BarrierValue = TBarrierValue<double>;

// gap: m, positive and below the activation.
template <class T>
inline TBarrierValue<T> barrier(const T& gap, const T& activation, const T& stiffness) {
  const T u = gap / activation, v = T(1.0) - u, over = T(1.0) / u;
  const T k = T(0.25) * stiffness;
  return {k * activation * activation * v * v * v * over, k * activation * v * v * (T(1.0) + u + u) * over * over,
          (k + k) * v * (T(1.0) + u + u * u) * over * over * over};
}

// m: the gap at which it presses so (N/m, not negative). With w = activation/gap and P = 4 pressure/(k activation) the pressure
// above is w^3 - (3 + P) w + 2 = 0, of which w is the largest root.
inline double barrier_gap(double pressure, const BarrierMaterial& material) {
  const double third = 1 + 4 * pressure / (3 * material.stiffness * material.activation), root = std::sqrt(third);
  return material.activation / (2 * root * std::cos(std::acos(-1 / (third * root)) / 3));
}

}  // namespace writhe::elastic
