// A chain's matrix factored and kept, to be solved with again, beside newton's own solve, which does both at once and keeps
// nothing: the rod of cantilever.cpp, straight, at the start of a step. Microseconds: smallest of many turns, of which each
// repeats the call.
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "harness.h"
#include "math/rotation.h"
#include "solvers/newton/chain_kernel.h"

namespace writhe::bench {

namespace {

using namespace writhe::newton;

// Clamped at its start, along z, so that all orientations are the identity.
class StraightRod {
 public:
  explicit StraightRod(int segments) {
    ChainArrays& a = m_arrays;
    a.segments = segments;
    a.lanes = chain_kernel().lanes;
    a.padded = (segments + a.lanes) / a.lanes * a.lanes;
    a.stride = a.padded + 8;
    a.inv_h = 1000;
    m_memory.assign(static_cast<std::size_t>(a.numbers(false)) + 8, 0.0);
    a.lay_out(aligned(m_memory));
    fill();
    chain_kernel().evaluate(a);

    kept.segments = segments;
    kept.stride = a.stride;
    m_factor_memory.assign(static_cast<std::size_t>(kept.numbers()) + 8, 0.0);
    kept.lay_out(aligned(m_factor_memory));
    right.assign(6UL * chain_several * (segments + 1), 1.0);
    solution = right;
  }
  const ChainArrays& arrays() const { return m_arrays; }

  ChainFactor kept;
  std::vector<double> right, solution;  // of several

 private:
  static double* aligned(std::vector<double>& memory) {
    void* p = memory.data();
    std::size_t space = memory.size() * sizeof(double);
    return static_cast<double*>(std::align(64, 64, p, space));
  }
  void put(int row, int i, const std::array<double, 3>& v) {
    for (int c = 0; c < 3; ++c) m_arrays.row(row + c)[i] = v[c];
  }
  void fill() {
    const int n = m_arrays.segments;
    const double young = 1e6, shear = young / 3, radius = 0.005, length = 1.0 / n;   // Pa, Pa, m, m
    const double area = pi * radius * radius, inertia = area * radius * radius / 4;  // m^2, m^4
    const double mass = 1300 * area * length;                                        // kg
    for (int i = 0; i < m_arrays.stride; ++i) {
      for (const int row : {row_q, row_q_base, row_q_prev}) m_arrays.row(row)[i] = 1;
      m_arrays.row(row_length)[i] = length;
    }
    for (int i = 0; i <= n; ++i) {
      for (const int row : {row_x, row_x_base, row_x_prev}) put(row, i, {0, 0, i * length});
      const double free = i > 0;
      put(row_free, i, {free, free, free});
      for (const int c : {0, 3, 5}) m_arrays.row(row_node_matrix + c)[i] = mass * m_arrays.inv_h * m_arrays.inv_h;
      put(row_gradient_x, i, {0, free * mass, 0});  // a load, to have one
    }
    for (int i = 0; i < n; ++i) {
      put(row_stretch, i, {shear * area, shear * area, young * area});
      const double spin = 1300 * inertia * length;
      put(row_spin_inertia, i, {spin, spin, 2 * spin});
      if (i + 1 == n) break;
      m_arrays.row(row_joint_length)[i] = length;
      put(row_bend, i, {young * inertia, young * inertia, 2 * shear * inertia});
    }
  }

  std::vector<double> m_memory, m_factor_memory;
  ChainArrays m_arrays;
};

// Smallest time of each call, us; they take turns.
template <std::size_t count>
std::array<double, count> time_calls(int repetitions, const std::array<std::function<void()>, count>& calls) {
  std::array<double, count> best;
  best.fill(std::numeric_limits<double>::infinity());
  for (int turn = 0; turn < 200; ++turn)
    for (std::size_t k = 0; k < count; ++k) {
      const double start = cpu_seconds();
      for (int r = 0; r < repetitions; ++r) calls[k]();
      best[k] = std::min(best[k], 1e6 * (cpu_seconds() - start) / repetitions);
    }
  return best;
}

}  // namespace

std::vector<Row> chain_factor(const Yardstick&) {
  std::vector<Row> rows;
  for (const int segments : {50, 200, 1000}) {
    StraightRod rod(segments);
    const ChainKernel& kernel = chain_kernel();
    const ChainArrays& a = rod.arrays();
    double slope = 0;
    bool good = true;
    // newton's solve writes over the Hessian. So that all find it in the same cache, each is given a new one, of which the time
    // is taken off.
    const auto hessian = [&] { kernel.hessian(a, 1); };
    const auto [only_hessian, fused, factor, one, several] =
        time_calls<5>(10000 / segments, {hessian,
                                         [&] {
                                           hessian();
                                           good = kernel.solve(a, slope) == 0 && good;
                                         },
                                         [&] {
                                           hessian();
                                           const ChainPivots pivots = kernel.factor(a, rod.kept);
                                           good = pivots.good() && pivots.negative == 0 && good;
                                         },
                                         [&] { kernel.solve_factored(rod.kept, a.row(row_gradient_x), a.row(row_step_x)); },
                                         [&] { kernel.solve_several(rod.kept, rod.right.data(), rod.solution.data()); }});
    if (!good) throw std::runtime_error("chain_factor: a rod at rest is definite");
    const auto add = [&](const char* what, double measured, const char* unit, double bar = 0, const char* source = "") {
      rows.push_back({fmt::format("chain_n{}_{}", segments, what), measured, unit, bar, source});
    };
    add("solve", fused - only_hessian, "us");
    add("factor", factor - only_hessian, "us");
    add("factored_solve", one, "us");
    add("factored_solve_of_8", several, "us");
    add("factor_and_six_over_solve", (factor - only_hessian + several) / (fused - only_hessian), "", 2.5,
        "measured 1.4 with registers of eight numbers, 2.0 of four");
    add("six_at_once_over_one_by_one", several / (6 * one), "", 1, "several at once: not slower than one after the other");
  }
  return rows;
}

}  // namespace writhe::bench
