// Each decomposition by what defines it, the empty cases too: these are what a sanitizer has to see.
#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include "linalg/dense.h"

namespace writhe::linalg {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// 5 x 4 of rank 2, its larger columns last.
MatrixXd of_rank_two() {
  MatrixXd left(5, 2), right(2, 4);
  left << 1, 2, 0, 1, -1, 3, 2, 2, 1, 0;
  right << 0.1, 0.2, 3, 1, 0.3, -0.1, 1, -4;
  return left * right;
}

MatrixXd identity(Index n) { return MatrixXd::Identity(n, n); }

TEST(Dense, OrthonormalColumnsSpanTheSame) {
  const MatrixXd columns = of_rank_two().rightCols(2);
  const MatrixXd q = orthonormal(columns);
  ASSERT_EQ(q.cols(), 2);
  EXPECT_LT((q.transpose() * q - identity(2)).norm(), 1e-14);
  EXPECT_LT((columns - q * (q.transpose() * columns)).norm(), 1e-13);
}

TEST(Dense, AComplementIsAllThatIsOrthogonal) {
  const MatrixXd columns = of_rank_two().rightCols(2), rest = complement(columns);
  ASSERT_EQ(rest.cols(), 3);
  EXPECT_LT((rest.transpose() * rest - identity(3)).norm(), 1e-14);
  EXPECT_LT((rest.transpose() * columns).norm(), 1e-13);
}

TEST(Dense, SolvesWhatIsSquareTallOrSingular) {
  MatrixXd square(2, 2);
  square << 0, 2, 1, 1;  // needs a pivot
  const VectorXd x = VectorXd::LinSpaced(2, 1, 2);
  EXPECT_LT((solve(square, square * x) - x).norm(), 1e-15);
  const MatrixXd tall = of_rank_two().rightCols(2);
  const VectorXd right = VectorXd::LinSpaced(5, -1, 3);
  EXPECT_LT((tall.transpose() * (tall * least_squares(tall, right) - right)).norm(), 1e-12);
  const MatrixXd singular = MatrixXd::Ones(3, 3);
  EXPECT_LT((singular * solve_semidefinite(singular, VectorXd::Ones(3)) - VectorXd::Ones(3)).norm(), 1e-14);
}

TEST(Dense, AKernelIsWhatVanishes) {
  const MatrixXd matrix = of_rank_two(), square = matrix.transpose() * matrix;
  ASSERT_EQ(kernel(square, 1e-12).cols(), 2);
  EXPECT_LT((matrix * kernel(square, 1e-12)).norm(), 1e-12);
  EXPECT_EQ(kernel(identity(3), 1e-12).cols(), 0);
  EXPECT_EQ(kernel(identity(3), 1e-12).rows(), 3);
}

TEST(Dense, SingularAndEigenvaluesWithTheirVectors) {
  const MatrixXd matrix = of_rank_two();
  const RightSingular singular = right_singular(matrix);
  ASSERT_EQ(singular.vectors.cols(), 4);
  for (Index k = 0; k < 4; ++k) EXPECT_NEAR((matrix * singular.vectors.col(k)).norm(), singular.values[k], 1e-13);
  const MatrixXd symmetric = matrix.transpose() * matrix;
  const SymmetricEigen own = symmetric_eigen(symmetric);
  EXPECT_LT((symmetric * own.vectors - own.vectors * own.values.asDiagonal()).norm(), 1e-12);
  EXPECT_TRUE(std::is_sorted(own.values.begin(), own.values.end()));
  MatrixXd turning(2, 2);
  turning << 1, -2, 2, 1;  // 1 +- 2i
  const GeneralEigen general = general_eigen(turning);
  EXPECT_LT((turning * general.vectors - general.vectors * general.values.asDiagonal()).norm(), 1e-14);
  EXPECT_NEAR(std::abs(general.values[0].imag()), 2, 1e-14);
}

TEST(Dense, PivotedColumnsTellRankRangeAndKernel) {
  const MatrixXd matrix = of_rank_two();
  const PivotedQr qr(matrix);
  EXPECT_EQ(qr.order().front(), 3);  // the largest column
  EXPECT_NEAR(qr.largest(), matrix.col(3).norm(), 1e-13);
  ASSERT_EQ(qr.rank(1e-10), 2);
  const MatrixXd range = qr.range(2), y = MatrixXd::Random(2, 3);
  EXPECT_LT((matrix - range * (range.transpose() * matrix)).norm(), 1e-13);
  ASSERT_EQ(qr.kernel(2).cols(), 2);
  EXPECT_LT((matrix * qr.kernel(2)).norm(), 1e-13);
  EXPECT_LT((matrix * qr.preimage(y) - range * y).norm(), 1e-13);
}

TEST(Dense, PivotedColumnsOfNothingAndOfAll) {
  const PivotedQr nothing(MatrixXd::Zero(3, 2));
  ASSERT_EQ(nothing.rank(0), 0);
  EXPECT_EQ(nothing.kernel(0), identity(2));
  EXPECT_EQ(nothing.range(0).cols(), 0);
  EXPECT_EQ(nothing.preimage(MatrixXd(0, 2)), MatrixXd::Zero(2, 2));
  const PivotedQr all(identity(3));
  ASSERT_EQ(all.rank(1e-12), 3);
  EXPECT_EQ(all.kernel(3).cols(), 0);
  EXPECT_EQ(all.preimage(MatrixXd(3, 0)).cols(), 0);
  for (const auto& [rows, columns] : {std::pair<Index, Index>{2, 0}, {0, 2}, {0, 0}}) {
    const PivotedQr empty(MatrixXd(rows, columns));
    EXPECT_EQ(empty.largest(), 0);
    EXPECT_EQ(empty.rank(0), 0);
    EXPECT_EQ(empty.order().size(), static_cast<std::size_t>(columns));
    EXPECT_EQ(empty.range(0).rows(), rows);
    EXPECT_EQ(empty.kernel(0), identity(columns));
    EXPECT_EQ(empty.preimage(MatrixXd(0, 3)), MatrixXd::Zero(columns, 3));
  }
}

}  // namespace
}  // namespace writhe::linalg
