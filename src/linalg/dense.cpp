#include "linalg/dense.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <Eigen/Dense>

namespace writhe::linalg {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd orthonormal(const MatrixXd& columns) {
  return Eigen::HouseholderQR<MatrixXd>(columns).householderQ() * MatrixXd::Identity(columns.rows(), columns.cols());
}

MatrixXd complement(const MatrixXd& columns) {
  const MatrixXd all = Eigen::HouseholderQR<MatrixXd>(columns).householderQ();
  return all.rightCols(columns.rows() - columns.cols());
}

MatrixXd solve(const MatrixXd& square, const MatrixXd& right) { return square.partialPivLu().solve(right); }
VectorXd least_squares(const MatrixXd& tall, const VectorXd& right) { return tall.householderQr().solve(right); }
VectorXd solve_semidefinite(const MatrixXd& symmetric, const VectorXd& right) { return symmetric.ldlt().solve(right); }

MatrixXd kernel(const MatrixXd& square, double threshold) {
  Eigen::FullPivLU<MatrixXd> lu(square);
  lu.setThreshold(threshold);
  return lu.dimensionOfKernel() > 0 ? MatrixXd(lu.kernel()) : MatrixXd(square.cols(), 0);
}

RightSingular right_singular(const MatrixXd& matrix) {
  const Eigen::JacobiSVD<MatrixXd> svd(matrix, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}

SymmetricEigen symmetric_eigen(const MatrixXd& symmetric) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

GeneralEigen general_eigen(const MatrixXd& square) {
  const Eigen::EigenSolver<MatrixXd> solver(square);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

// Eigen takes no matrix without rows or columns, and solves no triangle of none.
struct PivotedQr::Own {
  Index rows, columns;
  Eigen::ColPivHouseholderQR<MatrixXd> qr;  // of what is not empty

  template <class Columns>
  void solve_leading(Index rank, Columns&& x) const {
    if (x.size() > 0) qr.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solveInPlace(x);
  }
};

PivotedQr::PivotedQr(const MatrixXd& matrix) {
  auto own = std::make_unique<Own>(Own{matrix.rows(), matrix.cols(), {}});
  if (matrix.size() > 0) own->qr.compute(matrix);
  m_own = std::move(own);
}
PivotedQr::~PivotedQr() = default;

double PivotedQr::largest() const { return std::min(m_own->rows, m_own->columns) > 0 ? std::abs(m_own->qr.matrixR()(0, 0)) : 0; }

Index PivotedQr::rank(double negligible) const {
  const Index most = std::min(m_own->rows, m_own->columns);
  Index rank = 0;
  while (rank < most && std::abs(m_own->qr.matrixR()(rank, rank)) > negligible) ++rank;
  return rank;
}

std::vector<Index> PivotedQr::order() const {
  std::vector<Index> out(static_cast<std::size_t>(m_own->columns));
  std::iota(out.begin(), out.end(), 0);
  if (m_own->rows > 0 && m_own->columns > 0) std::copy_n(m_own->qr.colsPermutation().indices().begin(), out.size(), out.begin());
  return out;
}

MatrixXd PivotedQr::range(Index rank) const {
  if (rank == 0) return MatrixXd(m_own->rows, 0);
  return m_own->qr.householderQ() * MatrixXd::Identity(m_own->rows, rank);
}

// Of the columns of A in the order of the pivots, those after the rank are free.
MatrixXd PivotedQr::kernel(Index rank) const {
  const Index columns = m_own->columns;
  if (rank == 0) return MatrixXd::Identity(columns, columns);
  MatrixXd out(columns, columns - rank);
  out.topRows(rank) = -m_own->qr.matrixR().topRightCorner(rank, columns - rank);
  m_own->solve_leading(rank, out.topRows(rank));
  out.bottomRows(columns - rank).setIdentity();
  return m_own->qr.colsPermutation() * out;
}

MatrixXd PivotedQr::preimage(const MatrixXd& y) const {
  MatrixXd out = MatrixXd::Zero(m_own->columns, y.cols());
  if (y.rows() == 0) return out;
  out.topRows(y.rows()) = y;
  m_own->solve_leading(y.rows(), out.topRows(y.rows()));
  return m_own->qr.colsPermutation() * out;
}

}  // namespace writhe::linalg
