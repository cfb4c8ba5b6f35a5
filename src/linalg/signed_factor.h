// L D L^T of a symmetric matrix that need not be positive definite, with the signs of D. Symbolic work is done once.
#pragma once

#include <Eigen/SparseCholesky>

#include "linalg/block_matrix.h"

namespace writhe::linalg {

// By Sylvester's law the number of negative pivots is the number of negative eigenvalues. Pivots are taken in an order that
// keeps the factor sparse, not one that keeps it accurate: a pivot that cancels to rounding level spoils the solution, not the
// reasoning, so whoever solves with it looks at the residual.
class SignedFactor {
 public:
  explicit SignedFactor(const BlockMatrix& pattern);

  // Of matrix + shift * metric on the unknowns that are free (1; held: 0): held rows and columns are those of the identity.
  // False when a pivot is zero or not finite.
  bool factorise(const BlockMatrix& matrix, const Eigen::VectorXd& free, double shift = 0, const Eigen::VectorXd& metric = {});
  int negative() const { return m_negative; }  // -1: there are no factors, the last attempt failed
  // Held unknowns of the result are zero.
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;

 private:
  Eigen::SimplicialLDLT<BlockMatrix::Sparse, Eigen::Lower> m_ldlt;
  BlockMatrix::Sparse m_matrix;
  Eigen::VectorXd m_free;
  int m_negative = -1;
};

}  // namespace writhe::linalg
