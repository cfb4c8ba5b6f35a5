// The factor of a chain or ring that is kept (chain_factor.h) against dense matrices: solutions, signs of pivots, and what a
// larger system makes of both.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "solvers/newton/chain_kernel.h"
#include "support/random_chain.h"

using namespace writhe;
using namespace writhe::newton;
using namespace writhe::test;

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
constexpr double eps = std::numeric_limits<double>::epsilon();

// The Hessian of a chain as a dense matrix: three rows a node, then three a segment.
class DenseChain {
 public:
  DenseChain(const ChainArrays& a, bool ring) : m_arrays(a), m_nodes(a.segments + !ring) {
    hessian.setZero(3 * (m_nodes + a.segments), 3 * (m_nodes + a.segments));
    for (int i = 0; i < m_nodes; ++i) add(x(i), x(i), sym([&](int c) { return a.row(row_node_matrix + c)[i]; }));
    for (int i = 0; i < a.segments; ++i) {
      const Eigen::Matrix3d xx = sym(block_xx, i), ux = mat(block_ux, i);
      add(x(i), x(i), xx);
      add(x(i + 1), x(i + 1), xx);
      add(x(i), x(i + 1), -xx);
      add(q(i), x(i), -ux);
      add(q(i), x(i + 1), ux);
      add(q(i), q(i), sym(block_uu, i));
      if (i + 1 == a.segments && !ring) continue;
      const int next = q((i + 1) % a.segments);
      add(next, next, sym(block_bb, i));
      add(next, q(i), mat(block_ba, i));
    }
    for (int i = 0; i < m_nodes; ++i)
      for (int c = 0; c < 3; ++c)
        if (a.row(row_free + c)[i] == 0) hold(x(i) + c);
  }

  Matrix hessian;         // rows and columns of prescribed coordinates are those of the identity
  std::vector<int> held;  // prescribed coordinates
  int x(int node) const { return 3 * (node % m_nodes); }
  int q(int segment) const { return 3 * (m_nodes + segment); }

  // From six rows of the chain.
  Vector gather(const double* rows) const {
    Vector out(hessian.rows());
    for (int k = 0; k < out.size(); ++k) out[k] = rows[place(k)];
    return out;
  }
  Vector gather_free(const double* rows) const {
    Vector out = gather(rows);
    for (const int k : held) out[k] = 0;
    return out;
  }
  // Where the unknown k lies in them.
  std::size_t place(int k) const {
    const int of_nodes = 3 * m_nodes, row = k < of_nodes ? k % 3 : 3 + (k - of_nodes) % 3;
    return static_cast<std::size_t>(row) * m_arrays.stride + (k < of_nodes ? k : k - of_nodes) / 3;
  }
  // Of the unknown k in the layout of solve_several.
  std::size_t place_side_by_side(int k, int right) const {
    const int of_nodes = 3 * m_nodes, row = k < of_nodes ? k % 3 : 3 + (k - of_nodes) % 3;
    return (static_cast<std::size_t>(k < of_nodes ? k : k - of_nodes) / 3 * 6 + row) * chain_several + right;
  }

 private:
  template <class Get>
  static Eigen::Matrix3d sym(const Get& get) {
    Eigen::Matrix3d out;
    out << get(0), get(1), get(2), get(1), get(3), get(4), get(2), get(4), get(5);
    return out;
  }
  Eigen::Matrix3d sym(int block, int i) const {
    return sym([&](int c) { return m_arrays.block(block + c, i); });
  }
  Eigen::Matrix3d mat(int block, int i) const {
    Eigen::Matrix3d out;
    for (int c = 0; c < 9; ++c) out(c / 3, c % 3) = m_arrays.block(block + c, i);
    return out;
  }
  void add(int i, int j, const Eigen::Matrix3d& h) {
    hessian.block<3, 3>(i, j) += h;
    if (i != j) hessian.block<3, 3>(j, i) += h.transpose();
  }
  void hold(int k) {
    held.push_back(k);
    hessian.row(k).setZero();
    hessian.col(k).setZero();
    hessian(k, k) = 1;
  }

  const ChainArrays& m_arrays;
  int m_nodes;
};

// Eigenvalues of the free unknowns, ascending.
Vector eigenvalues(const DenseChain& dense) {
  const auto size = dense.hessian.rows();
  std::vector<int> free;
  for (int k = 0; k < size; ++k)
    if (std::find(dense.held.begin(), dense.held.end(), k) == dense.held.end()) free.push_back(k);
  return Eigen::SelfAdjointEigenSolver<Matrix>(Matrix(dense.hessian(free, free)), Eigen::EigenvaluesOnly).eigenvalues();
}

// How far a solution x by elimination without exchange of pivots may be off: c eps |H^-1| |L||D||L^T| |x| (Higham, Accuracy and
// Stability of Numerical Algorithms, 11.1), where L and D are those of blocks of three unknowns in the order in which they are
// eliminated. Their inverses are formed, which costs each block its condition. For a definite matrix this is about eps times the
// condition of the whole; for an indefinite one it also says how near to singular the pivot blocks came.
double rounding(const DenseChain& dense, const ChainArrays& a, bool ring) {
  std::vector<int> order;
  const int n = a.segments;
  const auto segment = [&](int i) { order.insert(order.end(), {dense.x(i), dense.q(i)}); };
  for (int k = ring; k < (n - 1) / 2; ++k) {
    segment(k);
    order.insert(order.end(), {dense.x(n - k), dense.q(n - 1 - k)});
  }
  for (int i = (n - 1) / 2; i <= n / 2; ++i) segment(i);
  order.push_back(dense.x(n / 2 + 1));
  if (ring) order.insert(order.end(), {dense.x(0), dense.q(0), dense.q(n - 1)});

  std::vector<int> unknowns;
  for (const int first : order) unknowns.insert(unknowns.end(), {first, first + 1, first + 2});
  EXPECT_EQ(static_cast<Eigen::Index>(unknowns.size()), dense.hessian.rows());
  Matrix rest = dense.hessian(unknowns, unknowns), sizes = Matrix::Zero(rest.rows(), rest.cols());
  for (Eigen::Index k = 0; k < rest.rows(); k += 3) {
    const Eigen::Matrix3d pivot = rest.block<3, 3>(k, k);
    const Eigen::Matrix3d inverse = pivot.inverse();
    const Matrix L = rest.rightCols(rest.cols() - k).middleRows(k, 3).transpose() * inverse;
    const Eigen::Index left = L.rows();
    sizes.bottomRightCorner(left, left) +=
        pivot.norm() * inverse.norm() * L.cwiseAbs() * pivot.cwiseAbs() * L.cwiseAbs().transpose();
    rest.bottomRightCorner(left, left) -= Matrix(L * pivot * L.transpose());
  }
  return eps * dense.hessian.inverse().norm() * sizes.norm();
}

int negative(const Vector& values) { return static_cast<int>((values.array() < 0).count()); }

// A random chain with its Hessian, and room for its factor.
class FactoredChain {
 public:
  FactoredChain(int segments, bool ring, unsigned seed) : chain(segments, ring, seed) {
    chain.gradient_at_base();
    kept.segments = segments;
    kept.stride = chain.arrays().stride;
    kept.ring = ring;
    m_memory.assign(static_cast<std::size_t>(kept.numbers()) + guard, sentinel);
    kept.lay_out(m_memory.data());
    right = random(6UL * chain.arrays().stride);
    solution.assign(right.size(), sentinel);
    chain_kernel().hessian(chain.arrays(), 1);
  }
  FactoredChain(FactoredChain&&) = default;  // a copy would write into the memory of the first

  void shift(double by) const {
    for (int i = 0; i < chain.nodes(); ++i)
      for (const int c : {0, 3, 5}) chain.arrays().row(row_node_matrix + c)[i] += by;
    for (int i = 0; i < kept.segments; ++i)
      for (const int c : {0, 3, 5}) chain.arrays().block(block_uu + c, i) += by;
  }
  void hold(int node, const char* axes) const {
    for (const char axis : std::string(axes)) chain.arrays().row(row_free + (axis - 'x'))[node] = 0;
  }
  void release() const {
    for (int r = 0; r < 3; ++r) std::fill_n(chain.arrays().row(row_free + r), chain.nodes(), 1.0);
  }

  ChainPivots factor() const { return chain_kernel().factor(chain.arrays(), kept); }
  void solve() { chain_kernel().solve_factored(kept, right.data(), solution.data()); }
  DenseChain dense() const { return {chain.arrays(), kept.ring}; }
  bool guard_is_whole() const {
    return std::all_of(m_memory.end() - guard, m_memory.end(), [](double v) { return v == sentinel; });
  }
  std::vector<double> random(std::size_t size) {
    std::vector<double> out(size);
    for (double& v : out) v = chain.uniform(-1, 1);
    return out;
  }

  static constexpr double sentinel = 12345;
  static constexpr int guard = 64;
  RandomChain chain;
  ChainFactor kept;
  std::vector<double> right, solution;

 private:
  std::vector<double> m_memory;
};

// Factors and solves, and compares with the dense matrix.
void expect_solution(FactoredChain& chain) {
  ASSERT_TRUE(chain.factor().good());
  chain.solve();
  const DenseChain dense = chain.dense();
  const Vector found = dense.gather(chain.solution.data());
  const Vector expected = dense.hessian.partialPivLu().solve(dense.gather_free(chain.right.data()));
  EXPECT_LE((found - expected).norm(), rounding(dense, chain.chain.arrays(), chain.kept.ring) * expected.norm());
  for (const int k : dense.held) EXPECT_EQ(found[k], 0) << "held";
}

struct Held {
  const char* name;
  void (*put)(const FactoredChain&);
};
const Held supports[] = {{"free", [](const FactoredChain& c) { c.release(); }},
                         {"pinned",
                          [](const FactoredChain& c) {
                            c.release();
                            c.hold(0, "xyz");
                          }},
                         {"pinned_at_its_other_end",
                          [](const FactoredChain& c) {
                            c.release();
                            c.hold(c.chain.nodes() - 1, "xyz");
                          }},
                         // the node is held, and the segment by a joint to a frame: a block more on its diagonal
                         {"clamped",
                          [](const FactoredChain& c) {
                            c.release();
                            c.hold(0, "xyz");
                            for (const int k : {0, 3, 5}) c.chain.arrays().block(block_uu + k, 0) += 5;
                          }},
                         {"led_along_some_axes", [](const FactoredChain&) {}},  // as the random chain comes
                         {"all_nodes_held", [](const FactoredChain& c) {
                            for (int i = 0; i < c.chain.nodes(); ++i) c.hold(i, "xyz");
                          }}};

// Lengths around those where the ends meet at once; even and odd numbers meet differently.
struct Kind {
  int segments;
  bool ring;
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.segments << (kind.ring ? " closed" : " open"); }
std::vector<Kind> kinds() {
  std::vector<Kind> out;
  for (const int segments : {1, 2, 3, 4, 5, 6, 7, 8, 16, 25}) {
    out.push_back({segments, false});
    if (segments >= 3) out.push_back({segments, true});
  }
  return out;
}
std::string name(const Kind& kind) { return (kind.ring ? "ring_" : "open_") + std::to_string(kind.segments); }

class ChainFactorTest : public testing::TestWithParam<Kind> {
 protected:
  // Calls check(chain) with a random chain held in each of the ways.
  template <class Check>
  static void for_each_support(unsigned seed, const Check& check) {
    for (const Held& held : supports) {
      SCOPED_TRACE(held.name);
      check(held_chain(held, seed));
    }
  }
  static FactoredChain held_chain(const Held& held, unsigned seed) {
    FactoredChain chain(GetParam().segments, GetParam().ring, seed);
    held.put(chain);
    return chain;
  }
};
INSTANTIATE_TEST_SUITE_P(Chains, ChainFactorTest, testing::ValuesIn(kinds()), [](const auto& kind) { return name(kind.param); });

}  // namespace

// Right-hand sides on all coordinates, the held ones too.
TEST_P(ChainFactorTest, SolutionIsThatOfADenseSolve) {
  for (const unsigned seed : {1, 2, 3})
    for_each_support(seed, [](FactoredChain chain) {
      EXPECT_GT(eigenvalues(chain.dense())[0], 0) << "meant to be definite";
      EXPECT_EQ(chain.factor().negative, 0);
      expect_solution(chain);
      EXPECT_TRUE(chain.guard_is_whole());
    });
}

// H - s I has as many negative eigenvalues as H has below s: with s in every gap of the spectrum all numbers there can be. Gaps
// too narrow for rounding to tell are left out.
TEST_P(ChainFactorTest, CountsTheEigenvaluesBelowAShift) {
  for_each_support(4, [](FactoredChain chain) {
    const Vector values = eigenvalues(chain.dense());
    const auto size = values.size();
    double shifted = 0;
    Eigen::Index tried = 0;
    for (Eigen::Index below = 0; below <= size; ++below) {
      const double low = below > 0 ? values[below - 1] : values[0] - 1,
                   high = below < size ? values[below] : values[size - 1] + 1;
      if (high - low < 1e-3) continue;
      const double to = (low + high) / 2;
      chain.shift(shifted - to);
      shifted = to;
      const ChainPivots pivots = chain.factor();
      ASSERT_TRUE(pivots.good());
      EXPECT_EQ(pivots.negative, below);
      expect_solution(chain);
      ++tried;
    }
    EXPECT_GT(tried, size / 2);
  });
}

TEST_P(ChainFactorTest, RepeatedSolvesGiveTheSameBits) {
  for_each_support(5, [](FactoredChain chain) {
    ASSERT_TRUE(chain.factor().good());
    chain.solve();
    const std::vector<double> first = chain.solution, right = chain.right;
    chain.right = chain.random(right.size());
    chain.solve();
    EXPECT_NE(chain.solution, first);
    chain.right = right;
    chain.solve();
    EXPECT_EQ(chain.solution, first);

    // in place; what has no unknown keeps what it had
    std::vector<double> both = right;
    chain_kernel().solve_factored(chain.kept, both.data(), both.data());
    const DenseChain dense = chain.dense();
    EXPECT_EQ(dense.gather(both.data()), dense.gather(first.data()));
    EXPECT_EQ(std::count(first.begin(), first.end(), FactoredChain::sentinel),
              static_cast<long>(first.size()) - dense.hessian.rows());
  });
}

TEST_P(ChainFactorTest, SeveralAtOnceAreSolvedAsOne) {
  for_each_support(6, [](FactoredChain chain) {
    ASSERT_TRUE(chain.factor().good());
    const DenseChain dense = chain.dense();
    const std::vector<double> right = chain.random(6UL * chain_several * (chain.kept.segments + 1));
    std::vector<double> found(right.size(), FactoredChain::sentinel), in_place = right;
    chain_kernel().solve_several(chain.kept, right.data(), found.data());
    chain_kernel().solve_several(chain.kept, in_place.data(), in_place.data());
    const double tolerance = rounding(dense, chain.chain.arrays(), chain.kept.ring);
    for (int r = 0; r < chain_several; ++r) {
      const auto column = [&](const std::vector<double>& from) {
        Vector out(dense.hessian.rows());
        for (int k = 0; k < out.size(); ++k) out[k] = from[dense.place_side_by_side(k, r)];
        return out;
      };
      for (int k = 0; k < dense.hessian.rows(); ++k) chain.right[dense.place(k)] = right[dense.place_side_by_side(k, r)];
      chain.solve();
      const Vector expected = dense.gather(chain.solution.data());
      EXPECT_LE((column(found) - expected).norm(), tolerance * expected.norm()) << r;
      EXPECT_EQ(column(in_place), column(found)) << r;
      for (const int k : dense.held) EXPECT_EQ(column(found)[k], 0);
    }
    EXPECT_EQ(std::count(found.begin(), found.end(), FactoredChain::sentinel),
              static_cast<long>(found.size()) - chain_several * dense.hessian.rows());
  });
}

// The step of a Newton iteration is -H^-1 gradient. The fused solve gives the same bits whether or not a factor was made before.
TEST_P(ChainFactorTest, AgreesWithTheFusedSolveAndLeavesItAlone) {
  for (const Held& held : supports) {
    SCOPED_TRACE(held.name);
    FactoredChain chain = held_chain(held, 7), other = held_chain(held, 7);
    const DenseChain dense = chain.dense();
    const auto fused = [&](FactoredChain& of) {
      double slope = 0;
      EXPECT_EQ(of.chain.solve(slope), 0);
      return dense.gather(of.chain.arrays().row(row_step_x));
    };
    const double* gradient = chain.chain.arrays().row(row_gradient_x);
    for (std::size_t k = 0; k < chain.right.size(); ++k) chain.right[k] = -gradient[k];
    const double tolerance = rounding(dense, chain.chain.arrays(), chain.kept.ring);
    ASSERT_TRUE(chain.factor().good());
    chain.solve();
    const Vector kept = dense.gather(chain.solution.data()), step = fused(chain);
    EXPECT_GT(step.norm(), 0);
    EXPECT_LE((kept - step).norm(), tolerance * step.norm());
    EXPECT_EQ(step, fused(other));
  }
}

namespace {

// Chains of which nothing is left but the diagonal, which is one.
FactoredChain diagonal_chain(int segments, bool ring) {
  FactoredChain chain(segments, ring, 1);
  const ChainArrays& a = chain.chain.arrays();
  chain.release();
  for (int i = 0; i < segments; ++i)
    for (int r = 0; r < chain_blocks; ++r) a.block(r, i) = 0;
  for (int r = 0; r < 6; ++r) std::fill_n(a.row(row_node_matrix + r), chain.chain.nodes(), 0.0);
  chain.shift(1);
  return chain;
}

void put_node(const FactoredChain& chain, int node, const double (&entries)[6]) {
  for (int r = 0; r < 6; ++r) chain.chain.arrays().row(row_node_matrix + r)[node] = entries[r];
}

}  // namespace

// Blocks of which the first minor is zero, or the second, or both, but not the determinant: xx xy xz yy yz zz.
TEST(ChainFactor, CountsRightWhereAMinorIsZero) {
  struct Case {
    double entries[6];
    int negative;
  };
  const Case cases[] = {{{0, 1, 0, 0, 0, 1}, 1}, {{0, 1, 0, 0, 0, -1}, 2}, {{1, 1, 0, 1, 1, 0}, 1},  {{-1, 1, 0, -1, 1, 0}, 2},
                        {{0, 0, 1, 1, 0, 0}, 1}, {{0, 0, 1, -1, 0, 0}, 2}, {{0, 0, -1, 2, 3, 5}, 1}, {{0, 0, 1, -2, 3, -5}, 2}};
  for (const bool ring : {false, true})
    for (const int segments : {3, 8})
      for (int node = 0; node < segments; ++node)
        for (const Case& c : cases) {
          FactoredChain chain = diagonal_chain(segments, ring);
          put_node(chain, node, c.entries);
          EXPECT_EQ(c.negative, negative(eigenvalues(chain.dense()))) << "the case itself";
          const ChainPivots pivots = chain.factor();
          EXPECT_TRUE(pivots.good());
          EXPECT_EQ(pivots.negative, c.negative) << node << " of " << segments << (ring ? " closed" : " open");
          expect_solution(chain);
        }
}

// A pivot block that is singular, overflows or is no number is reported with a segment it belongs to; one that is held is not
// looked at.
TEST(ChainFactor, ReportsAPivotThatBreaks) {
  const double huge = 1e200, nan = std::numeric_limits<double>::quiet_NaN();
  const double breaking[][6] = {{1, 0, 0, 1, 0, 0}, {1, 1, 0, 1, 0, 1}, {huge, 0, 0, huge, 0, 1}, {1, nan, 0, 1, 0, 1}};
  for (const bool ring : {false, true})
    for (const int segments : {3, 4, 8, 9})
      for (int node = 0; node < segments + !ring; ++node)
        for (const auto& entries : breaking) {
          SCOPED_TRACE(name({segments, ring}) + ", node " + std::to_string(node));
          FactoredChain chain = diagonal_chain(segments, ring);
          EXPECT_TRUE(chain.factor().good());
          put_node(chain, node, entries);
          const ChainPivots pivots = chain.factor();
          EXPECT_FALSE(pivots.good());
          if (ring && node == 0)
            EXPECT_TRUE(pivots.broken == 0 || pivots.broken == segments - 1) << pivots.broken;
          else
            EXPECT_TRUE(pivots.broken == node || pivots.broken == node - 1) << pivots.broken;
          if (std::isnan(entries[1])) continue;  // nothing takes part that is no number
          chain.hold(node, "xyz");
          EXPECT_TRUE(chain.factor().good());
        }
  FactoredChain chain = diagonal_chain(6, false);
  chain.chain.arrays().block(block_uu, 4) = 0;  // of an orientation
  EXPECT_EQ(chain.factor().broken, 4);
}

// How it is meant to be used: two chains, one of them unstable alone, and springs between nodes of both, U K U^T. With the
// chains' factors only: the solution by Woodbury's formula, and the number of negative eigenvalues, that of the chains less that
// of S = K^-1 + U^T H^-1 U.
TEST(ChainFactor, SpringsBetweenChainsAreALowRankCorrection) {
  for (const double stiffness : {0.01, 30.0}) {
    FactoredChain unstable(9, false, 1), ring(12, true, 2);
    for (const FactoredChain* chain : {&unstable, &ring}) chain->release();
    // a push on node 4 along x, a fifth more than it bears
    const DenseChain stable = unstable.dense();
    const double bears = 1 / stable.hessian.inverse()(stable.x(4), stable.x(4));
    unstable.chain.arrays().row(row_node_matrix)[4] -= 1.2 * bears;
    const DenseChain dense[2] = {unstable.dense(), ring.dense()};
    const ChainPivots pivots[2] = {unstable.factor(), ring.factor()};
    const Eigen::Index first = dense[0].hessian.rows(), size = first + dense[1].hessian.rows();
    EXPECT_EQ(pivots[0].negative + pivots[1].negative, 1);

    // Each spring pulls a node of one chain to a node of the other: along x, y and z, at two pairs of nodes.
    constexpr int springs = 6;
    Matrix U = Matrix::Zero(size, springs);
    for (int s = 0; s < springs; ++s) {
      U(dense[0].x(s < 3 ? 4 : 7) + s % 3, s) = 1;
      U(first + dense[1].x(s < 3 ? 0 : 5) + s % 3, s) = -1;
    }
    Matrix whole = Matrix::Zero(size, size);
    whole.topLeftCorner(first, first) = dense[0].hessian;
    whole.bottomRightCorner(size - first, size - first) = dense[1].hessian;
    whole += stiffness * U * U.transpose();

    Matrix solved = Matrix::Zero(size, springs + 1);  // H^-1 of U, and of the right-hand side
    Vector right(size);
    for (int k = 0; k < size; ++k) right[k] = ring.chain.uniform(-1, 1);
    for (const int c : {0, 1}) {
      const FactoredChain& chain = c == 0 ? unstable : ring;
      const int offset = c == 0 ? 0 : static_cast<int>(first);
      std::vector<double> columns(6UL * chain_several * (chain.kept.segments + 1), 0.0);
      for (int k = 0; k < dense[c].hessian.rows(); ++k)
        for (int s = 0; s <= springs; ++s)
          columns[dense[c].place_side_by_side(k, s)] = s < springs ? U(offset + k, s) : right[offset + k];
      chain_kernel().solve_several(chain.kept, columns.data(), columns.data());
      for (int k = 0; k < dense[c].hessian.rows(); ++k)
        for (int s = 0; s <= springs; ++s) solved(offset + k, s) = columns[dense[c].place_side_by_side(k, s)];
    }
    const Matrix HU = solved.leftCols(springs), S = Matrix::Identity(springs, springs) / stiffness + U.transpose() * HU;
    const Vector plain = solved.col(springs), found = plain - HU * S.partialPivLu().solve(U.transpose() * plain);

    const auto values = [](const Matrix& m) { return Eigen::SelfAdjointEigenSolver<Matrix>(m).eigenvalues(); };
    const int expected = negative(values(whole));
    EXPECT_EQ(expected, stiffness < 1 ? 1 : 0) << "weak springs leave it unstable, stiff ones hold it";
    EXPECT_EQ(pivots[0].negative + pivots[1].negative - negative(values((S + S.transpose()) / 2)), expected);
    // Woodbury's formula subtracts what may be larger than the difference, by the condition of S at most
    const double tolerance = S.norm() * S.inverse().norm() *
                             (rounding(dense[0], unstable.chain.arrays(), false) + rounding(dense[1], ring.chain.arrays(), true));
    const Vector exact = whole.partialPivLu().solve(right);
    EXPECT_LE((found - exact).norm(), tolerance * exact.norm());
  }
}
