// Decompositions of full matrices. Eigen's, compiled once: its templates cost every source that has them about ten seconds.
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>

namespace writhe::linalg {

// As many columns, which span the same.
Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& columns);
// Columns that make a basis of the whole space of `columns`, which are not dependent.
Eigen::MatrixXd complement(const Eigen::MatrixXd& columns);

// x with A x = y, or next to it where there are more rows than columns. Of a square matrix, of one of full rank, and of a
// symmetric one that may be singular but is not indefinite.
Eigen::MatrixXd solve(const Eigen::MatrixXd& square, const Eigen::MatrixXd& right);
Eigen::VectorXd least_squares(const Eigen::MatrixXd& tall, const Eigen::VectorXd& right);
Eigen::VectorXd solve_semidefinite(const Eigen::MatrixXd& symmetric, const Eigen::VectorXd& right);

// Columns x with A x = 0 for a square matrix; pivots below `threshold` times the largest count as none.
Eigen::MatrixXd kernel(const Eigen::MatrixXd& square, double threshold);

struct RightSingular {
  Eigen::VectorXd values;   // descending
  Eigen::MatrixXd vectors;  // square; those beyond the values belong to zero
};
RightSingular right_singular(const Eigen::MatrixXd& matrix);

struct SymmetricEigen {
  Eigen::VectorXd values;  // ascending
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& symmetric);

struct GeneralEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
GeneralEigen general_eigen(const Eigen::MatrixXd& square);

// A P = Q R with columns in the order in which they add most.
class PivotedQr {
 public:
  explicit PivotedQr(const Eigen::MatrixXd& matrix);
  ~PivotedQr();

  double largest() const;  // of the pivots
  Eigen::Index rank(double negligible) const;
  std::vector<Eigen::Index> order() const;
  // With the first `rank` pivots for all there are: columns that span what A reaches, orthonormal; columns x with A x = 0; and
  // columns x with A x = range(rank) y.
  Eigen::MatrixXd range(Eigen::Index rank) const;
  Eigen::MatrixXd kernel(Eigen::Index rank) const;
  Eigen::MatrixXd preimage(const Eigen::MatrixXd& y) const;

 private:
  struct Own;
  std::unique_ptr<const Own> m_own;
};

}  // namespace writhe::linalg
