// The weights of Anderson's acceleration, against what defines them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "linalg/anderson.h"

using namespace writhe;
using linalg::anderson_columns;
using linalg::anderson_window;

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Residuals, newest first, and the weights they get. Of those that are not valid, and above the diagonal, no number is known.
struct Problem {
  std::vector<Vector> residuals = std::vector<Vector>(anderson_columns);
  double valid[anderson_columns]{}, weights[anderson_columns]{};

  void put(int column, const Vector& residual) {
    residuals[column] = residual;
    valid[column] = 1;
  }
  void solve(double unknown = not_a_number) {
    double products[anderson_columns][anderson_columns];
    for (int i = 0; i < anderson_columns; ++i)
      for (int j = 0; j < anderson_columns; ++j)
        products[i][j] = valid[i] == 1 && valid[j] == 1 && i >= j ? residuals[i].dot(residuals[j]) : unknown;
    linalg::anderson_weights(products, valid, weights);
  }
  Vector mixed(const std::vector<Vector>& of) const {
    Vector out = Vector::Zero(of[0].size());
    for (int j = 0; j < anderson_columns; ++j)
      if (valid[j] == 1) out += weights[j] * of[j];
    return out;
  }
  double sum() const {
    double out = 0;
    for (const double weight : weights) out += weight;
    return out;
  }
};

Vector random_vector(std::mt19937& engine, int size) {
  std::normal_distribution<double> normal;
  Vector out(size);
  for (double& entry : out) entry = normal(engine);
  return out;
}

Matrix random_orthogonal(std::mt19937& engine, int size) {
  Matrix out(size, size);
  for (int i = 0; i < size; ++i) out.col(i) = random_vector(engine, size);
  return Eigen::HouseholderQR<Matrix>(out).householderQ();
}

// y -> M y + b from y = 0 on, accelerated; the distance to the fixed point after each evaluation.
std::vector<double> distances(const Matrix& M, const Vector& b, int evaluations) {
  const int size = static_cast<int>(b.size());
  const Vector solution = (Matrix::Identity(size, size) - M).partialPivLu().solve(b);
  Problem problem;
  std::vector<Vector> results(anderson_columns);
  Vector y = Vector::Zero(size);
  std::vector<double> out;
  for (int k = 0; k < evaluations; ++k) {
    std::rotate(results.rbegin(), results.rbegin() + 1, results.rend());
    std::rotate(problem.residuals.rbegin(), problem.residuals.rbegin() + 1, problem.residuals.rend());
    results[0] = M * y + b;
    problem.residuals[0] = results[0] - y;
    problem.valid[std::min(k, anderson_window)] = 1;
    problem.solve();
    y = problem.mixed(results);
    out.push_back((y - solution).norm() / solution.norm());
  }
  return out;
}

}  // namespace

// As many differences as there are dimensions cancel the residual: the iterate made of them is the answer. The matrix turns and
// shrinks by a tenth, so that without acceleration, or with a difference too few, most of the error would be left.
TEST(Anderson, ALinearProblemIsSolvedInItsDimensionAndOneMore) {
  std::mt19937 engine(7);
  for (int size = 1; size <= anderson_window; ++size) {
    for (int trial = 0; trial < 20; ++trial) {
      SCOPED_TRACE(std::to_string(size) + " dimensions, trial " + std::to_string(trial));
      const Matrix M = 0.9 * random_orthogonal(engine, size);
      const auto left = distances(M, random_vector(engine, size), size + 1);
      EXPECT_LT(left[size], 1e-9);  // rounding, times the square of how nearly parallel the differences are
      EXPECT_GT(left[size - 1], 1e-6) << "too easy to show anything";
    }
  }
}

// Each iterate after that is made of the last columns only.
TEST(Anderson, MoreDimensionsThanColumnsStillConverge) {
  std::mt19937 engine(8);
  const int size = 8, evaluations = 60;
  const Matrix Q = random_orthogonal(engine, size);
  const Matrix M = Q * Vector::LinSpaced(size, -0.5, 0.9).asDiagonal() * Q.transpose();
  const auto left = distances(M, random_vector(engine, size), evaluations);
  EXPECT_GT(left[anderson_columns], 1e-6);
  EXPECT_LT(left[evaluations - 1], 1e-8) << "0.9^60, without acceleration, is 2e-3";
}

TEST(Anderson, TheWeightsMakeTheResidualShortest) {
  std::mt19937 engine(9);
  for (int trial = 0; trial < 50; ++trial) {
    const int size = 12;
    Problem problem;
    for (int j = 0; j < anderson_columns; ++j) problem.put(j, random_vector(engine, size));
    problem.solve();
    EXPECT_NEAR(problem.sum(), 1, 1e-13);
    // the shortest one is orthogonal to every difference
    const Vector mixed = problem.mixed(problem.residuals);
    for (int j = 0; j < anderson_columns; ++j)
      EXPECT_LT(std::abs(mixed.dot(problem.residuals[j] - problem.residuals[0])), 1e-12 * size);
    EXPECT_LT(mixed.norm(), problem.residuals[0].norm());
  }
}

TEST(Anderson, TheNewestAloneIsTakenAsItIs) {
  std::mt19937 engine(10);
  Problem problem;
  problem.put(0, random_vector(engine, 4));
  problem.solve();
  for (int j = 0; j < anderson_columns; ++j) EXPECT_EQ(problem.weights[j], j == 0 ? 1 : 0);
}

// Of two differences that agree to seven digits the older one is left out: its weight would be made of rounding errors.
TEST(Anderson, NearlyDependentColumnsAreLeftOut) {
  std::mt19937 engine(11);
  for (int trial = 0; trial < 20; ++trial) {
    const int old = 1 + trial % (anderson_window - 1), older = old + 1;
    Problem problem;
    const Vector a = random_vector(engine, 8), b = random_vector(engine, 8);
    problem.put(0, a);
    problem.put(old, b);
    problem.put(older, b + 1e-7 * random_vector(engine, 8));
    problem.solve();
    EXPECT_EQ(problem.weights[older], 0);
    const double alone = -a.dot(b - a) / (b - a).squaredNorm();
    EXPECT_NEAR(problem.weights[old], alone, 1e-13);
    EXPECT_NEAR(problem.sum(), 1, 1e-14);
    // the same again, but different enough
    problem.put(older, b + 1e-2 * random_vector(engine, 8));
    problem.solve();
    EXPECT_NE(problem.weights[older], 0);
  }
}

TEST(Anderson, EqualColumnsGiveWeightsThatAreNumbers) {
  std::mt19937 engine(12);
  Problem problem;
  const Vector same = random_vector(engine, 5);
  for (int j = 0; j < anderson_columns; ++j) problem.put(j, same);
  problem.solve();
  for (int j = 0; j < anderson_columns; ++j) EXPECT_EQ(problem.weights[j], j == 0 ? 1 : 0);
}

TEST(Anderson, InvalidColumnsAreIgnoredWhateverTheyHold) {
  std::mt19937 engine(13);
  for (int left_out = 1; left_out < anderson_columns; ++left_out) {
    Problem clean;
    for (int j = 0; j < anderson_columns; ++j)
      if (j != left_out) clean.put(j, random_vector(engine, 9));
    clean.solve(0);
    for (const double unknown : {not_a_number, std::numeric_limits<double>::infinity(), 1e300}) {
      Problem spoilt = clean;
      spoilt.solve(unknown);
      for (int j = 0; j < anderson_columns; ++j) EXPECT_EQ(clean.weights[j], spoilt.weights[j]);
      EXPECT_EQ(spoilt.weights[left_out], 0);
    }
    EXPECT_NEAR(clean.sum(), 1, 1e-13);
  }
}
