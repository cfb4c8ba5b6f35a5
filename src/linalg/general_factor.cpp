#include "linalg/general_factor.h"

#include <Eigen/SparseLU>

namespace writhe::linalg {

struct GeneralFactor::Own {
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
};

GeneralFactor::GeneralFactor() : m_own(std::make_unique<Own>()) {}
GeneralFactor::~GeneralFactor() = default;

bool GeneralFactor::factorise(const Eigen::SparseMatrix<double>& matrix) {
  m_own->lu.compute(matrix);
  return m_own->lu.info() == Eigen::Success;
}

Eigen::VectorXd GeneralFactor::solve(const Eigen::VectorXd& right) const { return m_own->lu.solve(right); }

}  // namespace writhe::linalg
