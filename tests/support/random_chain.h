// A chain or ring of random shape, material and supports, in the arrays of newton's kernels.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "math/rotation.h"
#include "solvers/newton/chain_kernel.h"

namespace writhe::test {

using namespace writhe::newton;  // the rows and the kernel

class RandomChain {
 public:
  RandomChain(int segments, bool closed, unsigned seed) : m_closed(closed), m_engine(seed) {
    m_arrays.segments = segments;
    m_arrays.lanes = chain_kernel().lanes;
    m_arrays.padded = (segments + m_arrays.lanes) / m_arrays.lanes * m_arrays.lanes;
    m_arrays.stride = m_arrays.padded + 8;
    m_arrays.inv_h = closed ? 2 : 0.7;  // a short ring bends sharply, and is stable in short steps only
    m_memory.assign(static_cast<std::size_t>(m_arrays.numbers(closed)), 0.0);
    m_arrays.lay_out(m_memory.data());
    fill();
  }

  const ChainArrays& arrays() const { return m_arrays; }
  int nodes() const { return m_arrays.segments + !m_closed; }
  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(m_engine); }

  // Random directions on the unknowns that exist: free coordinates, rotations of segments.
  std::vector<double> direction() {
    std::vector<double> d(static_cast<std::size_t>(6) * m_arrays.stride, 0.0);
    for (int r = 0; r < 6; ++r)
      for (int i = 0; i < (r < 3 ? nodes() : m_arrays.segments); ++i)
        d[static_cast<std::size_t>(r) * m_arrays.stride + i] = uniform(-1, 1) * (r < 3 ? m_arrays.row(row_free + r)[i] : 1);
    return d;
  }
  std::vector<double> step() const { return rows(row_step_x); }
  std::vector<double> gradient() const { return rows(row_gradient_x); }

  double energy_at(const std::vector<double>& a, double s, const std::vector<double>& b, double t) {
    for (std::size_t k = 0; k < a.size(); ++k) m_arrays.row(row_step_x)[k] = s * a[k] + t * b[k];
    chain_kernel().move(m_arrays, 1);
    return evaluate();
  }

  ChainSums gradient_at_base() {
    chain_kernel().move(m_arrays, 0);
    ChainSums sums;
    sums.energy = evaluate();
    chain_kernel().collect(m_arrays, sums);
    return sums;
  }

  int solve(double& slope) { return (m_closed ? chain_kernel().solve_ring : chain_kernel().solve)(m_arrays, slope); }

 private:
  // Of a ring the last index is a copy of the first, of which the frame has turned once round; see chain_kernel.h.
  double evaluate() {
    if (!m_closed) return chain_kernel().evaluate(m_arrays);
    const int n = m_arrays.segments;
    for (int r = 0; r < 3; ++r) m_arrays.row(row_x + r)[n] = m_arrays.row(row_x + r)[0];
    for (int r = 0; r < 4; ++r) m_arrays.row(row_q + r)[n] = -m_arrays.row(row_q + r)[0];
    const double energy = chain_kernel().evaluate(m_arrays);
    for (int r = 0; r < 3; ++r) {
      m_arrays.row(row_force + r)[0] = m_arrays.row(row_force + r)[n];
      m_arrays.row(row_moment + r)[0] = std::exchange(m_arrays.row(row_moment + r)[n], 0.0);
    }
    return energy;
  }

  std::vector<double> rows(int first) const {
    const double* p = m_arrays.row(first);
    return {p, p + static_cast<std::size_t>(6) * m_arrays.stride};
  }
  void put(int row, int i, const Quat& q) {
    const double c[4] = {q.w, q.x, q.y, q.z};
    for (int r = 0; r < 4; ++r) m_arrays.row(row + r)[i] = c[r];
  }
  void put_random(int row, int count, int i, double lo, double hi) {
    for (int r = 0; r < count; ++r) m_arrays.row(row + r)[i] = uniform(lo, hi);
  }
  Quat near(const Quat& q, double angle) {
    return q * exp_rotation(Vec3{uniform(-angle, angle), uniform(-angle, angle), uniform(-angle, angle)});
  }

  void fill() {
    for (int i = 0; i < m_arrays.stride; ++i) {
      for (const int row : {row_q, row_q_base, row_q_prev}) put(row, i, {1, 0, 0, 0});
      m_arrays.row(row_length)[i] = 1;
    }
    Quat q{1, 0, 0, 0};
    Vec3 x{};
    for (int i = 0; i < nodes(); ++i) {
      const double c[3] = {x.x, x.y, x.z};
      for (int r = 0; r < 3; ++r) {
        m_arrays.row(row_x_base + r)[i] = c[r] + uniform(-0.1, 0.1);
        m_arrays.row(row_x_prev + r)[i] = c[r];
        m_arrays.row(row_free + r)[i] = uniform(0, 1) < 0.2 ? 0 : 1;  // some coordinates prescribed
        m_arrays.row(row_node_force + r)[i] = uniform(-1, 1);
      }
      for (int r = 0; r < 6; ++r)
        m_arrays.row(row_node_matrix + r)[i] = r == 0 || r == 3 || r == 5 ? uniform(2, 4) : uniform(-0.5, 0.5);
      if (i == m_arrays.segments) break;
      put(row_q_base, i, near(q, 0.2));
      put(row_q_prev, i, near(q, 0.2));
      m_arrays.row(row_length)[i] = m_closed ? 1 : uniform(0.5, 1);
      put_random(row_stretch, 3, i, 1, 3);
      put_random(row_stretch_rest, 3, i, -0.05, 0.05);
      put_random(row_spin_inertia, 3, i, 0.5, 1);
      put_random(row_spin_momentum, 3, i, -0.3, 0.3);
      if (i + 1 < nodes() + m_closed) {
        m_arrays.row(row_joint_length)[i] = uniform(0.5, 1);
        put_random(row_bend, 3, i, 1, 3);
        put_random(row_bend_rest, 3, i, -0.3, 0.3);
        if (m_closed)
          m_arrays.row(row_bend_rest + 1)[i] += 2 * std::sin(pi / m_arrays.segments) / m_arrays.row(row_joint_length)[i];
      }
      x = x + m_arrays.row(row_length)[i] * rotate(q, Vec3{0, 0, 1});
      q = m_closed ? q * exp_rotation(Vec3{0, 2 * pi / m_arrays.segments, 0}) : near(q, 0.3);
    }
  }

  bool m_closed;
  std::mt19937 m_engine;
  std::vector<double> m_memory;
  ChainArrays m_arrays;
};

}  // namespace writhe::test
