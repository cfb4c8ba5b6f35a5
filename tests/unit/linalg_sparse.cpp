// The sparse matrix of blocks and its signed factorisation against dense algebra.
#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "linalg/signed_factor.h"

using namespace writhe;
using linalg::BlockMatrix;
using linalg::SignedFactor;

namespace {

class RandomBlocks {
 public:
  explicit RandomBlocks(unsigned seed) : m_random(seed) {}
  double number() { return m_uniform(m_random); }
  Vec3 vec() { return {number(), number(), number()}; }
  Mat3 mat() { return {vec(), vec(), vec()}; }
  Sym3 sym() { return {number(), number(), number(), number(), number(), number()}; }

 private:
  std::mt19937 m_random;
  std::uniform_real_distribution<double> m_uniform{-1, 1};
};

Eigen::Matrix3d eigen(const Mat3& m) {
  Eigen::Matrix3d out;
  out << m.r0.x, m.r0.y, m.r0.z, m.r1.x, m.r1.y, m.r1.z, m.r2.x, m.r2.y, m.r2.z;
  return out;
}

// A ladder with a chord, given in all orders and twice: neither changes what is stored.
const std::vector<std::pair<int, int>> couplings{{1, 0}, {1, 2}, {3, 2}, {0, 3}, {4, 1}, {4, 5}, {5, 2}, {0, 1}, {5, 0}};
constexpr int blocks = 6;

struct Filled {
  BlockMatrix sparse{blocks, couplings};
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(3 * blocks, 3 * blocks);

  explicit Filled(unsigned seed) {
    RandomBlocks random(seed);
    for (int i = 0; i < blocks; ++i) {
      const Sym3 s = random.sym();
      sparse.add(sparse.slot(i, i), s);
      dense.block<3, 3>(3 * i, 3 * i) += eigen(Mat3{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}});
    }
    for (const auto& [row, column] : couplings) {
      const Mat3 m = random.mat();
      sparse.add(sparse.slot(row, column), m);
      dense.block<3, 3>(3 * row, 3 * column) += eigen(m);
      dense.block<3, 3>(3 * column, 3 * row) += eigen(m).transpose();
    }
  }
};

int negative_eigenvalues(const Eigen::MatrixXd& m) {
  return static_cast<int>((Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m).eigenvalues().array() < 0).count());
}

}  // namespace

TEST(BlockMatrix, HoldsWhatWasAddedOnEitherSideOfTheDiagonal) {
  const Filled m(1);
  const Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(3 * blocks, -1, 2);
  EXPECT_LT((m.sparse.times(v) - m.dense * v).norm(), 1e-13);
}

TEST(SignedFactor, SolvesAndCountsNegativeEigenvalues) {
  for (unsigned seed = 2; seed < 30; ++seed) {
    Filled m(seed);
    SignedFactor factor(m.sparse);
    const Eigen::VectorXd free = Eigen::VectorXd::Ones(3 * blocks);
    ASSERT_TRUE(factor.factorise(m.sparse, free));
    EXPECT_EQ(factor.negative(), negative_eigenvalues(m.dense)) << seed;
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(3 * blocks, 1, 5);
    EXPECT_LT((m.dense * factor.solve(right) - right).norm(), 1e-8 * m.dense.norm() * factor.solve(right).norm()) << seed;
  }
}

TEST(SignedFactor, HeldUnknownsTakeNoPartAndAShiftCounts) {
  const Filled m(7);
  SignedFactor factor(m.sparse);
  Eigen::VectorXd free = Eigen::VectorXd::Ones(3 * blocks);
  std::vector<int> kept;
  for (const int held : {0, 4, 11}) free[held] = 0;
  for (int i = 0; i < 3 * blocks; ++i)
    if (free[i] > 0) kept.push_back(i);
  Eigen::VectorXd metric = Eigen::VectorXd::LinSpaced(3 * blocks, 0.5, 2);
  for (const double shift : {0.0, 0.7, -0.4, 5.0}) {
    ASSERT_TRUE(factor.factorise(m.sparse, free, shift, metric));
    Eigen::MatrixXd shifted = m.dense;
    shifted.diagonal() += shift * metric;
    const Eigen::MatrixXd rest = shifted(kept, kept);
    EXPECT_EQ(factor.negative(), negative_eigenvalues(rest)) << shift;
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(3 * blocks, -3, 1), x = factor.solve(right);
    EXPECT_LT((rest * x(kept) - right(kept)).norm(), 1e-9) << shift;
    for (const int held : {0, 4, 11}) EXPECT_EQ(x[held], 0);
  }
}

TEST(SignedFactor, SaysSoWhenThereIsNoFactor) {
  const BlockMatrix zero(2, {{1, 0}});
  SignedFactor factor(zero);
  ASSERT_TRUE(factor.factorise(zero, Eigen::VectorXd::Ones(6), 1, Eigen::VectorXd::Ones(6)));
  EXPECT_EQ(factor.negative(), 0);
  EXPECT_FALSE(factor.factorise(zero, Eigen::VectorXd::Ones(6)));
  EXPECT_EQ(factor.negative(), -1);  // not the count of before
  Filled m(3);
  m.sparse.add(m.sparse.slot(2, 2), Sym3{std::nan(""), 0, 0, 0, 0, 0});
  SignedFactor other(m.sparse);
  EXPECT_FALSE(other.factorise(m.sparse, Eigen::VectorXd::Ones(3 * blocks)));
  EXPECT_EQ(other.negative(), -1);
}
