// A sparse matrix that need not be symmetric, factored. Eigen's SparseLU, compiled once.
#pragma once

#include <memory>

#include <Eigen/SparseCore>

namespace writhe::linalg {

class GeneralFactor {
 public:
  GeneralFactor();
  ~GeneralFactor();

  // False where the matrix is singular.
  bool factorise(const Eigen::SparseMatrix<double>& matrix);
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;

 private:
  struct Own;
  std::unique_ptr<Own> m_own;
};

}  // namespace writhe::linalg
