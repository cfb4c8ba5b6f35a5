// What of coupled chains is eliminated before the blocks that are coupled.
#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "assembly/assembly.h"
#include "linalg/signed_factor.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

Model chains(int rods, int segments) {
  Scene scene = Cord{.length = 0.5, .segments = segments}.scene();
  const Rod first = scene.rods[0];
  scene.rods.clear();
  for (int i = 0; i < rods; ++i) {
    scene.rods.push_back(first);
    scene.rods.back().name = "rod" + std::to_string(i);
    scene.rods.back().centreline = LineShape{{0, 0.05 * i, 0}, {0.5, 0.05 * i, 0}};
  }
  return Model(scene);
}

// The k-th of so many places along the second rod with the k-th from the end of another.
std::vector<std::pair<int, int>> couplings(const Model& model, const assembly::Assembly& assembly, int count) {
  std::vector<std::pair<int, int>> pairs;
  for (int k = 0; k < count; ++k) {
    const int along = 1 + 2 * k, other = k % 2 == 0 ? 0 : 2;
    const int a = assembly.block_of_node(model.node_of(1, along));
    const int b = assembly.block_of_node(model.node_of(other, model.rods()[other].segment_count - 3 * k));
    pairs.emplace_back(std::max(a, b), std::min(a, b));
  }
  return pairs;
}

// With how many others, eliminated later, a block has entries when its turn comes; the most of those in runs.
int most_below(const linalg::BlockMatrix& pattern, const linalg::Runs& runs) {
  std::vector<std::set<int>> beside(runs.run_of.size());
  for (int column = 0; column < pattern.size() / 3; ++column)
    for (int e = pattern.column_start()[column]; e < pattern.column_start()[column + 1]; ++e)
      if (const int row = pattern.rows()[e]; row != column) {
        beside[row].insert(column);
        beside[column].insert(row);
      }
  std::size_t most = 0;
  for (const int block : runs.blocks) {
    most = std::max(most, beside[block].size());
    for (const int a : beside[block]) {
      beside[a].erase(block);
      for (const int b : beside[block])
        if (a != b) beside[a].insert(b);
    }
  }
  return static_cast<int>(most);
}

}  // namespace

TEST(Runs, AreApartFromEachOtherAndFromWhatIsCoupledAndFillInLittle) {
  const Model model = chains(3, 30);
  for (int count = 1; count <= 10; ++count) {
    SCOPED_TRACE(count);
    assembly::Assembly assembly(model);
    ASSERT_TRUE(assembly.is_chains());
    const auto pairs = couplings(model, assembly, count);
    assembly.couple(pairs);
    linalg::Runs runs;
    assembly.find_runs(pairs, runs);
    for (const auto& [a, b] : pairs) {
      EXPECT_EQ(runs.run_of[a], -1);
      EXPECT_EQ(runs.run_of[b], -1);
    }
    std::vector<int> taken(runs.run_of.size(), 0);
    for (const int block : runs.blocks) ++taken[block];
    for (std::size_t b = 0; b < taken.size(); ++b) EXPECT_EQ(taken[b], runs.run_of[b] >= 0 ? 1 : 0) << b;
    const linalg::BlockMatrix& pattern = assembly.matrix();
    for (int column = 0; column < pattern.size() / 3; ++column)
      for (int e = pattern.column_start()[column]; e < pattern.column_start()[column + 1]; ++e) {
        const int a = runs.run_of[column], b = runs.run_of[pattern.rows()[e]];
        EXPECT_TRUE(a < 0 || b < 0 || a == b) << column << ' ' << pattern.rows()[e];
      }
    EXPECT_LE(most_below(pattern, runs), 4);
  }
}

TEST(Runs, GiveTheSolutionAndTheSignsOfTheMatrix) {
  const Model model = chains(3, 30);
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const int count : {1, 2, 5, 9}) {
    SCOPED_TRACE(count);
    assembly::Assembly assembly(model);
    const auto pairs = couplings(model, assembly, count);
    assembly.couple(pairs);
    linalg::Runs runs;
    assembly.find_runs(pairs, runs);
    linalg::BlockMatrix matrix = assembly.matrix();
    const int n = matrix.size();
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n);
    for (int column = 0; column < n / 3; ++column)
      for (int e = matrix.column_start()[column]; e < matrix.column_start()[column + 1]; ++e) {
        const int row = matrix.rows()[e];
        Eigen::Matrix3d own;
        for (int i = 0; i < 9; ++i) own(i / 3, i % 3) = number(generator);
        // strongly diagonal, every fifth the other way: as many negative eigenvalues as there are such
        if (row == column) own = (0.5 * (own + own.transpose()) + (row % 5 == 0 ? -40 : 40) * Eigen::Matrix3d::Identity()).eval();
        matrix.add(matrix.slot(row, column),
                   Mat3{{own(0, 0), own(0, 1), own(0, 2)}, {own(1, 0), own(1, 1), own(1, 2)}, {own(2, 0), own(2, 1), own(2, 2)}});
        dense.block<3, 3>(3 * row, 3 * column) = own;
        dense.block<3, 3>(3 * column, 3 * row) = own.transpose();
      }
    linalg::SignedFactor factor(matrix);
    factor.renew(matrix, &runs);
    ASSERT_TRUE(factor.factorise(matrix, Eigen::VectorXd::Ones(n)));
    EXPECT_EQ(factor.negative(), 3 * ((n / 3 + 4) / 5));
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(n, -1, 2);
    EXPECT_LT((dense * factor.solve(right) - right).norm(), 1e-12 * right.norm());
  }
}

TEST(Runs, AreForOpenChainsAlone) {
  Scene scene = Cord{.length = 0.5, .segments = 5}.scene();
  Rod other = scene.rods[0];
  other.name = "other";
  other.centreline = LineShape{{0.5, 0, 0}, {0.5, 0.5, 0}};
  scene.rods.push_back(other);
  EXPECT_TRUE(assembly::Assembly(Model(scene)).is_chains());
  scene.joints.push_back({"", {Place::parse("rod.end"), Place::parse("other.start")}});
  EXPECT_FALSE(assembly::Assembly(Model(scene)).is_chains());
}
