// A x = b for a positive definite A that is known by its products, by preconditioned conjugate gradients (Hestenes and Stiefel,
// J. Res. Natl. Bur. Stand. 49, 1952).
#pragma once

#include <cmath>

#include <Eigen/Core>

namespace writhe::linalg {

class ConjugateGradients {
 public:
  // multiply(in, out): out = A in; precondition(in, out): out = M^-1 in, M positive definite. x: where to begin in, the solution
  // out, once what is left of b is below a part `tolerance` of it, both as (r M^-1 r)^1/2. False where products do not suffice,
  // or A shows a direction along which it is not positive.
  template <class Multiply, class Precondition>
  bool solve(const Multiply& multiply, const Precondition& precondition, const Eigen::VectorXd& b, Eigen::VectorXd& x,
             double tolerance, int most_products) {
    m_is_positive = true;
    precondition(b, m_solved);
    const double limit = tolerance * tolerance * b.dot(m_solved);
    m_products = 1;
    multiply(x, m_product);
    m_left = b - m_product;
    precondition(m_left, m_solved);
    m_direction = m_solved;
    double left = m_left.dot(m_solved);
    if (!std::isfinite(limit) || !std::isfinite(left)) return false;
    while (left > limit) {
      if (m_products == most_products) return false;
      ++m_products;
      multiply(m_direction, m_product);
      const double bend = m_direction.dot(m_product);
      if (!(bend > 0)) {
        m_is_positive = false;
        return false;
      }
      const double part = left / bend;
      x += part * m_direction;
      m_left -= part * m_product;
      precondition(m_left, m_solved);
      const double next = m_left.dot(m_solved);
      m_direction = m_solved + (next / left) * m_direction;
      left = next;
    }
    return left >= 0;  // false for what is not a number
  }
  // Of the last solve.
  int products() const { return m_products; }
  bool is_positive() const { return m_is_positive; }  // as far as was seen

 private:
  Eigen::VectorXd m_left, m_solved, m_direction, m_product;
  int m_products = 0;
  bool m_is_positive = true;
};

}  // namespace writhe::linalg
