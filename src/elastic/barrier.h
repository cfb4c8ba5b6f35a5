// What keeps surfaces apart: an energy per length of their gap, zero from a small gap on and without bound where they meet.
// docs/theory/contact.md, "Barrier".
//
// With u = gap / activation: E = k a^2/4 (1 - u)^3/u, so that force and stiffness begin smoothly at u = 1. It is convex in the
// gap, and rational, so that vectors of it cost no logarithm.
#pragma once

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

}  // namespace writhe::elastic
