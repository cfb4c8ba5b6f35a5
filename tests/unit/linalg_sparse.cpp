// The sparse matrix of blocks and its signed factorisation against dense algebra.
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

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

// A matrix given as a dense one, on the blocks that are coupled.
BlockMatrix sparse_of(const Eigen::MatrixXd& dense, const std::vector<std::pair<int, int>>& coupled) {
  BlockMatrix out(static_cast<int>(dense.rows()) / 3, coupled);
  for (int column = 0; column < out.size() / 3; ++column)
    for (int entry = out.column_start()[column]; entry < out.column_start()[column + 1]; ++entry) {
      const Eigen::Matrix3d m = dense.block<3, 3>(3 * out.rows()[entry], 3 * column);
      out.add(out.slot_at(entry, column, false),
              Mat3{{m(0, 0), m(0, 1), m(0, 2)}, {m(1, 0), m(1, 1), m(1, 2)}, {m(2, 0), m(2, 1), m(2, 2)}});
    }
  return out;
}

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// The least relative change of matrix and right-hand side that makes x exact (Rigal and Gaches, 1967). The residual in long
// double: its own rounding would count.
double backward_error(const Eigen::MatrixXd& a, const Eigen::VectorXd& x, const Eigen::VectorXd& right) {
  using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Long rest = a.cast<long double>() * x.cast<long double>() - right.cast<long double>();
  return static_cast<double>(rest.norm()) / (a.norm() * x.norm() + right.norm());
}

// Elimination changes a matrix by about n epsilon |L||D||L^T|, of a definite one at most n times its norm; roundings do not
// conspire, and what is measured is 1.2 epsilon.
constexpr double backward_limit = 10 * epsilon;

// Spring k between two places along an oblique direction, its ends at 0.6 and 1 of two blocks with own stiffnesses.
Eigen::MatrixXd two_with_a_spring(double k, double first, double second) {
  const Eigen::Vector3d n = Eigen::Vector3d(0.3, 0.5, 0.81).normalized();
  Eigen::VectorXd v(6);
  v << 0.6 * n, -n;
  Eigen::MatrixXd out = k * v * v.transpose();
  out.diagonal().head<3>().array() += first;
  out.diagonal().tail<3>().array() += second;
  return out;
}

// A ring of blocks with chords.
std::vector<std::pair<int, int>> ring_with_chords(int size) {
  std::vector<std::pair<int, int>> out;
  for (int i = 0; i < size; ++i) {
    out.emplace_back(i, (i + 1) % size);
    if (i % 3 == 0) out.emplace_back(i, (i + size / 2) % size);
  }
  return out;
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
  const BlockMatrix one(1, {});
  EXPECT_FALSE(
      SignedFactor(one).factorise(one, Eigen::VectorXd::Ones(3), 1e-310, Eigen::VectorXd::Ones(3)));  // 1e310 is no double
  Filled m(3);
  m.sparse.add(m.sparse.slot(2, 2), Sym3{std::nan(""), 0, 0, 0, 0, 0});
  SignedFactor other(m.sparse);
  EXPECT_FALSE(other.factorise(m.sparse, Eigen::VectorXd::Ones(3 * blocks)));
  EXPECT_EQ(other.negative(), -1);
}

// Inertia: a spring is of rank one and positive, so that it takes away one negative eigenvalue at most; which it does where
// 1 + k v^T (own stiffness)^-1 v is negative.
TEST(SignedFactor, IsAsAccurateWithAStiffSpringAsWithASoftOne) {
  const Eigen::VectorXd free = Eigen::VectorXd::Ones(6), right = Eigen::VectorXd::LinSpaced(6, 1, 5);
  for (const auto& [first, second] : {std::pair(200.0, 200.0), {-200.0, -200.0}, {200.0, -200.0}, {-200.0, 200.0}})
    for (int power = 0; power <= 14; ++power) {
      SCOPED_TRACE(testing::Message() << first << " " << second << " 1e" << power);
      const double k = std::pow(10.0, power);
      const bool turns_one = 1 + k * (0.36 / first + 1 / second) < 0;
      const int negative = (first < 0 ? 3 : 0) + (second < 0 ? 3 : 0) - (turns_one ? 1 : 0);
      const Eigen::MatrixXd dense = two_with_a_spring(k, first, second);
      const BlockMatrix sparse = sparse_of(dense, {{1, 0}});
      SignedFactor factor(sparse);
      ASSERT_TRUE(factor.factorise(sparse, free));
      EXPECT_EQ(factor.negative(), negative);
      EXPECT_LT(backward_error(dense, factor.solve(right), right), backward_limit);
    }
}

TEST(SignedFactor, NetsOfSpringsOfVeryDifferentStiffnessAreSolvedToRounding) {
  constexpr int size = 20;
  const auto coupled = ring_with_chords(size);
  for (unsigned seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    RandomBlocks random(seed);
    Eigen::MatrixXd dense = Eigen::MatrixXd::Identity(3 * size, 3 * size);
    for (const auto& [a, b] : coupled) {
      const double k = std::pow(10.0, 6 + 6 * random.number());  // 1 to 1e12
      const Vec3 n = normalized(random.vec());
      Eigen::VectorXd v = Eigen::VectorXd::Zero(3 * size);
      v.segment<3>(3 * a) = Eigen::Vector3d(n.x, n.y, n.z);
      v.segment<3>(3 * b) = random.number() * v.segment<3>(3 * a);
      dense += k * v * v.transpose();
    }
    const BlockMatrix sparse = sparse_of(dense, coupled);
    SignedFactor factor(sparse);
    Eigen::VectorXd free = Eigen::VectorXd::Ones(3 * size), right(3 * size);
    for (const int held : {0, 10, 11, 33, 34, 35}) free[held] = 0;
    for (double& r : right) r = random.number();
    std::vector<int> kept;
    for (int i = 0; i < 3 * size; ++i)
      if (free[i] > 0) kept.push_back(i);
    ASSERT_TRUE(factor.factorise(sparse, free));
    EXPECT_EQ(factor.negative(), 0);
    const Eigen::VectorXd x = factor.solve(right);
    EXPECT_LT(backward_error(dense(kept, kept), x(kept), right(kept)), backward_limit);
  }
}

// Made as a product L D L^T of whole numbers that is exact in a double, so that its inertia is that of D: leaves, then two hubs
// that all of them are coupled with. Not a long chain, in which L^-1 grows until the least eigenvalues are below rounding.
TEST(SignedFactor, CountsTheSignsThatAMatrixWasMadeWith) {
  constexpr std::array<int, 10> order{0, 1, 2, 4, 5, 6, 8, 9, 3, 7};
  constexpr int size = order.size(), leaves = size - 2, n = 3 * size;
  std::vector<std::pair<int, int>> coupled{{3, 7}};
  for (int k = 0; k < leaves; ++k)
    for (const int hub : {3, 7}) coupled.emplace_back(order[k], hub);
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    RandomBlocks random(seed);
    const auto few = [&] { return std::round(2.5 * random.number()); };
    Eigen::MatrixXd lower = Eigen::MatrixXd::Identity(n, n);
    Eigen::VectorXd d(n);
    int negative = 0;
    for (int k = 0; k < n; ++k) {
      const int block = k / 3, i = 3 * order[block] + k % 3;
      for (int j = 3 * order[block]; j < i; ++j) lower(i, j) = few();
      for (int other = 0; block >= leaves && other < block; ++other)
        for (int j = 0; j < 3; ++j) lower(i, 3 * order[other] + j) = few();
      d[i] = std::round(std::pow(2.0, 18 + 18 * random.number())) * (random.number() < 0 ? -1 : 1);
      negative += d[i] < 0 ? 1 : 0;
    }
    const Eigen::MatrixXd dense = lower * d.asDiagonal() * lower.transpose();
    const BlockMatrix sparse = sparse_of(dense, coupled);
    SignedFactor factor(sparse);
    ASSERT_TRUE(factor.factorise(sparse, Eigen::VectorXd::Ones(n)));
    EXPECT_EQ(factor.negative(), negative);
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(n, -2, 3);
    EXPECT_LT(backward_error(dense, factor.solve(right), right), backward_limit);
  }
}
