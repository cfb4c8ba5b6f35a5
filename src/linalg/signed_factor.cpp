#include "linalg/signed_factor.h"

#include <cmath>

namespace writhe::linalg {

SignedFactor::SignedFactor(const BlockMatrix& pattern) : m_matrix(pattern.lower()) { m_ldlt.analyzePattern(m_matrix); }

bool SignedFactor::factorise(const BlockMatrix& matrix, const Eigen::VectorXd& free, double shift,
                             const Eigen::VectorXd& metric) {
  m_free = free;
  const double* from = matrix.lower().valuePtr();
  double* to = m_matrix.valuePtr();
  const int *outer = m_matrix.outerIndexPtr(), *inner = m_matrix.innerIndexPtr();
  for (int column = 0; column < matrix.size(); ++column) {
    for (int k = outer[column]; k < outer[column + 1]; ++k) {
      const int row = inner[k];
      to[k] = from[k] * free[row] * free[column];
      if (row != column) continue;
      if (shift != 0) to[k] += shift * metric[row] * free[row];
      to[k] += 1 - free[row];
    }
  }
  m_negative = -1;
  m_ldlt.factorize(m_matrix);
  if (m_ldlt.info() != Eigen::Success) return false;
  const Eigen::VectorXd pivots = m_ldlt.vectorD();
  if (!pivots.allFinite()) return false;
  m_negative = static_cast<int>((pivots.array() < 0).count());
  return true;
}

Eigen::VectorXd SignedFactor::solve(const Eigen::VectorXd& right) const {
  return m_ldlt.solve(right.cwiseProduct(m_free)).cwiseProduct(m_free);
}

}  // namespace writhe::linalg
