// The pattern of what touches, where the elements of terms change from step to step.
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "assembly/assembly.h"
#include "assembly/coupling.h"
#include "contact/contact_term.h"
#include "support/scenes.h"
#include "terms/terms.h"

using namespace writhe;
using namespace writhe::test;

namespace {

constexpr double radius = 1e-3;                    // m
constexpr double pressed = 7e-6, beside = 100e-6;  // m: less than the activation of 15e-6, and within reach of a step

// The second rod crosses the first and presses it, the third crosses it farther along and only might.
class RodsThatMayTouch : public ::testing::Test {
 protected:
  static Scene scene() {
    Scene out = Cord{.length = 0.1, .radius = radius, .segments = 10}.scene();
    const Rod first = out.rods[0];
    const auto add = [&](const char* name, double x, double gap) {
      out.rods.push_back(first);
      out.rods.back().name = name;
      out.rods.back().centreline = LineShape{{x, -0.053, 2 * radius + gap}, {x, 0.047, 2 * radius + gap}};
    };
    add("second", 0.032, pressed);
    add("third", 0.071, beside);
    out.contact.between = Contact::Between::all;
    return out;
  }
  static std::shared_ptr<Terms> terms(const Model& model) {
    auto out = std::make_shared<Terms>();
    out->add(std::make_unique<contact::ContactTerm>(model));
    return out;
  }

  void SetUp() override {
    near = start;
    for (int k = 0; k <= 10; ++k) near.x[model.node_of(2, k)].z -= beside - pressed;
    begin();
  }
  void begin() {
    own->begin(start, {1e-2, 1e-2});
    elements.clear();
    for (int e = 0; e < (*own)[0].element_count(); ++e) elements.push_back({0, e});
  }

  // Of the Hessian of contact, with entries for all that may touch.
  Eigen::MatrixXd of_all(const State& at) {
    assembly::Assembly assembly(model);
    assembly::Coupling coupling(own);
    coupling.set(assembly, elements);
    linalg::BlockMatrix matrix(assembly.matrix());
    coupling.add_hessian(at, Curvature::exact, matrix);
    return matrix.lower().toDense();
  }
  Eigen::MatrixXd of_found() {
    linalg::BlockMatrix matrix(sparse_assembly.matrix());
    sparse.add_found(matrix);
    return matrix.lower().toDense();
  }
  bool couples(int rod) {
    for (const auto& [a, b] : sparse.pairs())
      for (const int block : {a, b})
        for (int k = 0; k <= 10; ++k)
          if (block == sparse_assembly.block_of_node(model.node_of(rod, k))) return true;
    return false;
  }

  Model model{scene()};
  State start = model.initial_state(), near;  // in the latter the third rod presses, too
  std::shared_ptr<Terms> own = terms(model);
  std::vector<TermElement> elements;
  assembly::Assembly sparse_assembly{model};
  assembly::Coupling sparse{own};
};

TEST_F(RodsThatMayTouch, HaveTheMatrixOfAllWithThePatternOfWhatDoes) {
  sparse.set_sparse(sparse_assembly, elements);
  ASSERT_TRUE(sparse.find_hessians(sparse_assembly, start, Curvature::exact));
  EXPECT_TRUE(couples(1));
  EXPECT_FALSE(couples(2));
  const Eigen::MatrixXd all = of_all(start);
  EXPECT_GT(all.norm(), 0);
  EXPECT_EQ(of_found(), all);
}

TEST_F(RodsThatMayTouch, GetEntriesWhenTheyTouchAndKeepThemForTheStep) {
  sparse.set_sparse(sparse_assembly, elements);
  sparse.find_hessians(sparse_assembly, start, Curvature::exact);
  EXPECT_TRUE(sparse.find_hessians(sparse_assembly, near, Curvature::exact));
  EXPECT_TRUE(couples(2));
  EXPECT_EQ(of_found(), of_all(near));
  EXPECT_FALSE(sparse.find_hessians(sparse_assembly, start, Curvature::exact));  // what has let go
  EXPECT_TRUE(couples(2));
  EXPECT_EQ(of_found(), of_all(start));
}

// A run that is resumed knows nothing of the steps before.
TEST_F(RodsThatMayTouch, HaveAPatternThatFollowsFromTheStepAlone) {
  sparse.set_sparse(sparse_assembly, elements);
  sparse.find_hessians(sparse_assembly, near, Curvature::exact);
  begin();
  sparse.set_sparse(sparse_assembly, elements);
  EXPECT_TRUE(sparse.find_hessians(sparse_assembly, start, Curvature::exact));
  assembly::Assembly assembly(model);
  assembly::Coupling fresh(own);
  fresh.set_sparse(assembly, elements);
  fresh.find_hessians(assembly, start, Curvature::exact);
  EXPECT_EQ(sparse.pairs(), fresh.pairs());
  EXPECT_FALSE(couples(2));
}

}  // namespace
