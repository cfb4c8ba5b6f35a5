// (I + B)^-1 of a vector, where B is known by its products alone and is of low rank, or small: GMRES without restart (Saad and
// Schultz, SIAM J. Sci. Stat. Comput. 7, 1986). Of a B of rank r the result is exact after r + 1 products.
#pragma once

#include <cmath>
#include <limits>

#include <Eigen/Core>

namespace writhe::linalg {

class Gmres {
 public:
  static constexpr int most_products = 40;

  // All memory that it takes for vectors of this size.
  void reserve(int size) {
    m_basis.resize(size, most_products + 1);
    m_upper.setZero(most_products + 1, most_products);
    m_product.resize(size);
    m_work.resize(size);
  }

  // x: the right-hand side in, the solution out; apply(in, out): out = B in. False where the products do not suffice: x is then
  // the best that was found.
  template <class Apply>
  bool solve(const Apply& apply, Eigen::VectorXd& x, double tolerance = 1e-10) {
    const double size = x.norm();
    if (size == 0 || !std::isfinite(size)) return size == 0;
    m_basis.col(0) = x / size;
    m_right.setZero();
    m_right[0] = size;
    int k = 0;
    bool good = false;
    while (k < most_products && !good) {
      const double next = extend(apply, k);
      rotate(k);
      ++k;
      good = std::abs(m_right[k]) <= tolerance * size || next <= 100 * std::numeric_limits<double>::epsilon();
    }
    m_weights.head(k) = m_upper.topLeftCorner(k, k).template triangularView<Eigen::Upper>().solve(m_right.head(k));
    x.noalias() = m_basis.leftCols(k) * m_weights.head(k);
    return good;
  }

 private:
  // The next vector of the basis; what is left of it before it is made a unit vector.
  template <class Apply>
  double extend(const Apply& apply, int k) {
    m_work = m_basis.col(k);
    apply(m_work, m_product);
    m_product += m_work;
    const double before = m_product.norm();
    for (int i = 0; i <= k; ++i) {
      m_upper(i, k) = m_basis.col(i).dot(m_product);
      m_product -= m_upper(i, k) * m_basis.col(i);
    }
    const double left = m_product.norm();
    if (left > 0) m_basis.col(k + 1) = m_product / left;
    m_upper(k + 1, k) = left;
    return before > 0 ? left / before : 0;
  }

  // Givens rotations keep the projected matrix an upper triangle.
  void rotate(int k) {
    for (int i = 0; i < k; ++i) {
      const double a = m_upper(i, k), b = m_upper(i + 1, k);
      m_upper(i, k) = m_cosine[i] * a + m_sine[i] * b;
      m_upper(i + 1, k) = -m_sine[i] * a + m_cosine[i] * b;
    }
    const double a = m_upper(k, k), b = m_upper(k + 1, k), r = std::hypot(a, b);
    m_cosine[k] = r > 0 ? a / r : 1;
    m_sine[k] = r > 0 ? b / r : 0;
    m_upper(k, k) = r;
    m_upper(k + 1, k) = 0;
    m_right[k + 1] = -m_sine[k] * m_right[k];
    m_right[k] *= m_cosine[k];
  }

  Eigen::MatrixXd m_basis, m_upper;
  Eigen::VectorXd m_product, m_work;
  Eigen::Matrix<double, most_products + 1, 1> m_right;
  Eigen::Matrix<double, most_products, 1> m_cosine, m_sine, m_weights;
};

}  // namespace writhe::linalg
