// What the tangent of a part has besides its Hessian (or, of pd, its metric), where terms without a potential act:
// docs/theory/coupling.md.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "linalg/gmres.h"
#include "writhe/vec.h"

namespace writhe {

// N in (H + N) d = -g, by 3x3 blocks of a vector whose three numbers of an unknown lie `stride` apart.
class Circulation {
 public:
  // Of vectors of this size. Memory is taken once.
  void reserve(int size, int stride) {
    if (size != m_size || stride != m_stride) m_gmres.reserve(size);
    m_size = size;
    m_stride = stride;
  }
  void clear() { m_entries.clear(); }
  // row, column: where the first of the three numbers is.
  void add(int row, int column, const Mat3& value) { m_entries.push_back({row, column, value}); }

  // out += N in
  void add_product(const Eigen::VectorXd& in, Eigen::VectorXd& out) const {
    const int s = m_stride;
    for (const auto& [row, column, value] : m_entries) {
      const Vec3 product = value * Vec3{in[column], in[column + s], in[column + 2 * s]};
      out[row] += product.x;
      out[row + s] += product.y;
      out[row + 2 * s] += product.z;
    }
  }

  // From the direction -H^-1 g to -(H + N)^-1 g: (I + H^-1 N) d = -H^-1 g. solve(v): v becomes H^-1 v. Few products do, where N
  // is of low rank (a load at a place) or small beside H. Why not factor H + N: the factor that is there knows symmetric matrices
  // only, twice as fast, and tells whether H is definite.
  // False where the products do not suffice.
  template <class Solve>
  bool turn(Eigen::VectorXd& direction, const Solve& solve) {
    return m_gmres.solve(
        [&](const Eigen::VectorXd& in, Eigen::VectorXd& out) {
          out.setZero();
          add_product(in, out);
          solve(out);
        },
        direction);
  }

  // Without a potential there is nothing to minimise, and the forces that are left have to fall, in the metric in which nothing
  // depends on units: g.H^-1 g with the Hessian where the direction starts (Deuflhard, "Newton methods for nonlinear problems",
  // 2004, section 3.3: natural monotonicity). Alone that would not do: a rod that bends a long way stretches on its way, and what
  // is left rises for a while. left: J, what it was and is after this part of the direction.
  static bool leads_nearer(double left_before, double left, double size) {
    constexpr double sufficient = 0.1;
    return left <= (1 - sufficient * size) * left_before;
  }

 private:
  struct Entry {
    int row, column;
    Mat3 value;
  };
  std::vector<Entry> m_entries;
  linalg::Gmres m_gmres;
  int m_size = -1, m_stride = 1;
};

}  // namespace writhe
