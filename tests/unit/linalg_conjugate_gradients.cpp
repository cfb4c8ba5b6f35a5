// Conjugate gradients against dense algebra.
#include <limits>
#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "linalg/conjugate_gradients.h"

using namespace writhe;

namespace {

constexpr int size = 30;

Eigen::MatrixXd random_matrix(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  return Eigen::MatrixXd::NullaryExpr(size, size, [&] { return number(random); });
}

struct Solved {
  bool good, positive;
  int products;
  Eigen::VectorXd x;
};

Solved solve(const Eigen::MatrixXd& a, const Eigen::VectorXd& b, const Eigen::VectorXd& guess, double tolerance, int most) {
  linalg::ConjugateGradients gradients;
  Solved out{false, false, 0, guess};
  out.good =
      gradients.solve([&](const Eigen::VectorXd& in, Eigen::VectorXd& to) { to = a * in; },
                      [&](const Eigen::VectorXd& in, Eigen::VectorXd& to) { to = in.cwiseQuotient(a.diagonal().cwiseAbs()); }, b,
                      out.x, tolerance, most);
  out.products = gradients.products();
  out.positive = gradients.is_positive();
  return out;
}

}  // namespace

TEST(ConjugateGradients, SolveWhatIsPositiveDefinite) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Eigen::MatrixXd m = random_matrix(seed), a = m * m.transpose() + Eigen::MatrixXd::Identity(size, size);
    const Eigen::VectorXd x = random_matrix(100 + seed).col(0);
    const Solved solved = solve(a, a * x, Eigen::VectorXd::Zero(size), 1e-12, 200);
    ASSERT_TRUE(solved.good);
    EXPECT_LT((solved.x - x).norm(), 1e-9 * x.norm()) << seed;
    EXPECT_LE(solve(a, a * x, x, 1e-6, 200).products, 1);  // from a guess that is right
  }
}

TEST(ConjugateGradients, SayWhereProductsDoNotSuffice) {
  const Eigen::MatrixXd m = random_matrix(1), a = m * m.transpose() + Eigen::MatrixXd::Identity(size, size);
  const Solved solved = solve(a, m.col(0), Eigen::VectorXd::Zero(size), 1e-12, 3);
  EXPECT_FALSE(solved.good);
  EXPECT_EQ(solved.products, 3);
  EXPECT_TRUE(solved.positive);
}

TEST(ConjugateGradients, SayWhereAMatrixIsNotPositive) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(size, size);
  a(size - 1, size - 1) = -0.5;
  const Solved solved = solve(a, Eigen::VectorXd::Ones(size), Eigen::VectorXd::Zero(size), 1e-12, 200);
  EXPECT_FALSE(solved.good);
  EXPECT_FALSE(solved.positive);
}

TEST(ConjugateGradients, RefuseWhatIsNotANumber) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(size, size);
  a(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(solve(a, Eigen::VectorXd::Ones(size), Eigen::VectorXd::Zero(size), 1e-12, 200).good);
}
