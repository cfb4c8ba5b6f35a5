// How fast this core is, so that times from different machines can be compared.
#pragma once

namespace writhe {

// CPU time of this process so far, s: what other programs take does not count.
double cpu_seconds();

// Times of two fixed loops on one core, CPU time, smallest of 15; takes half a second.
struct Yardstick {
  double scalar_ms = 0;  // 2e7 dependent multiply-adds
  double matrix_ms = 0;  // 200 products of 64x64 matrices
  double slowness() const;
};
Yardstick measure_yardstick();
// Bars on times are stated for a core on which the scalar yardstick takes this long.
inline constexpr double reference_scalar_ms = 25.1;
// By what times are longer here than there.
inline double Yardstick::slowness() const { return scalar_ms / reference_scalar_ms; }

}  // namespace writhe
