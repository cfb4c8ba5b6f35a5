// The chain kernel on random chains and rings: its gradient against differences of its energy, its solution against mixed second
// differences.
#include <cmath>
#include <ostream>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "solvers/newton/chain_kernel.h"
#include "support/random_chain.h"

using namespace writhe;
using namespace writhe::newton;
using namespace writhe::test;

namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

// Open chains and rings; lengths around the number of lanes, where padding could go wrong, and longer.
struct Kind {
  int segments;
  bool closed;
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.segments << (kind.closed ? " closed" : " open"); }

class ChainKernelTest : public testing::TestWithParam<Kind> {
 protected:
  RandomChain random_chain(unsigned seed) const { return {GetParam().segments, GetParam().closed, seed}; }
};
std::vector<Kind> kinds() {
  std::vector<Kind> out;
  for (const int segments : {1, 2, 3, 4, 6, 7, 8, 9, 15, 16, 17, 40}) {
    out.push_back({segments, false});
    if (segments >= 3) out.push_back({segments, true});
  }
  return out;
}
INSTANTIATE_TEST_SUITE_P(Lengths, ChainKernelTest, testing::ValuesIn(kinds()));

TEST_P(ChainKernelTest, GradientMatchesEnergy) {
  RandomChain chain = random_chain(1);
  for (int trial = 0; trial < 5; ++trial) {
    const auto d = chain.direction();
    const double h = 1e-3;
    const auto at = [&](double s) { return chain.energy_at(d, s, d, 0); };
    const double expected = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    chain.gradient_at_base();
    EXPECT_NEAR(dot(chain.gradient(), d), expected, 1e-8 * (1 + std::abs(expected)));
  }
}

// With H s = -g, every direction t must see t.H s = -g.t; t.H s is the mixed second difference of the energy.
TEST_P(ChainKernelTest, SolutionMatchesSecondDifferences) {
  RandomChain chain = random_chain(2);
  chain.gradient_at_base();
  const auto g = chain.gradient();
  chain_kernel().hessian(chain.arrays(), 1);
  double slope = 0;
  ASSERT_EQ(chain.solve(slope), 0);
  const auto s = chain.step();
  EXPECT_NEAR(slope, dot(g, s), 1e-10 * std::abs(slope));
  for (int r = 0; r < 3; ++r)
    for (int i = 0; i < chain.nodes(); ++i) {
      const double free = chain.arrays().row(row_free + r)[i];
      EXPECT_EQ((1 - free) * s[static_cast<std::size_t>(r) * chain.arrays().stride + i], 0);
    }
  for (int trial = 0; trial < 5; ++trial) {
    const auto t = chain.direction();
    const double h = 1e-3;
    double mixed = 0;
    const double offset[4] = {-2, -1, 1, 2}, weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) mixed += weight[a] * weight[b] * chain.energy_at(s, offset[a] * h, t, offset[b] * h) / (h * h);
    EXPECT_NEAR(mixed, -dot(g, t), 1e-5 * (1 + std::abs(mixed)));
  }
}

// The factor is kept in registers' worth of two doubles, whatever the width of the kernels: of the narrowest, too, which only an
// old machine would choose.
TEST(ChainKernel, FactorIsAlignedForEveryWidth) {
  for (const int lanes : {1, 2, 4, 8})
    for (int segments = 1; segments <= 20; ++segments) {
      ChainArrays a;
      a.segments = segments;
      a.lanes = lanes;
      a.padded = (segments + lanes) / lanes * lanes;
      a.stride = a.padded + 8;
      std::vector<double> memory(static_cast<std::size_t>(a.numbers(true)));
      a.lay_out(memory.data());
      EXPECT_EQ((a.blocks - a.rows) % 2, 0) << lanes << " lanes, " << segments << " segments";
      EXPECT_EQ((a.panels - a.rows) % 2, 0) << lanes << " lanes, " << segments << " segments";
    }
}

// Rotations made unstable, one after the other: at the ends, where a ring is closed, and between.
TEST(ChainKernel, CountsPivotsThatAreNotPositive) {
  for (const bool closed : {false, true})
    for (const int segments : {5, 6}) {
      RandomChain chain(segments, closed, 3);
      chain.gradient_at_base();
      const int unstable[] = {1, 3, 0, segments - 1};
      for (int count = 0; count <= 4; ++count) {
        chain_kernel().hessian(chain.arrays(), 1);
        for (const int segment : std::span(unstable).first(count))
          chain.arrays().block(block_uu + (segment % 2 ? 0 : 5), segment) -= 100;
        double slope = 0;
        EXPECT_EQ(chain.solve(slope), count) << segments << (closed ? " closed" : " open");
      }
    }
}
