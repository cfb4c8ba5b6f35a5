// Statics with terms that only tests have.
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "statics/equilibrium.h"
#include "statics/path.h"
#include "support/scenes.h"
#include "support/test_terms.h"
#include "terms/terms.h"

using namespace writhe;
using namespace writhe::test;

namespace {

template <class Own>
std::shared_ptr<Terms> only(std::unique_ptr<Own> term) {
  auto terms = std::make_shared<Terms>();
  terms->add(std::move(term));
  return terms;
}

// A spring of no length between two nodes, while the first is below z = 0.
class Catch final : public Term {
 public:
  Catch(int a, int b, double stiffness) : m_dofs{Dof::node(a), Dof::node(b)}, m_stiffness(stiffness) {}

  void begin(const State& start, std::span<const double>, const ImplicitSolve&) override {
    m_there = start.x[m_dofs[0].index].z < 0;
  }
  int element_count() const override { return m_there ? 1 : 0; }
  std::span<const Dof> dofs(int) const override { return m_dofs; }
  double stiffness(int) const override { return m_stiffness; }
  Value value(int, const State& at) const override {
    const Vec3 d = at.x[m_dofs[0].index] - at.x[m_dofs[1].index];
    Value out;
    out.energy = 0.5 * m_stiffness * dot(d, d);
    out.force = m_stiffness * norm(d);
    out.gradient[0] = m_stiffness * d;
    out.gradient[1] = -out.gradient[0];
    return out;
  }
  void hessian(int, const State&, Curvature, std::span<Mat3> pairs) const override {
    const double k = m_stiffness;
    pairs[0] = pairs[2] = {{k, 0, 0}, {0, k, 0}, {0, 0, k}};
    pairs[1] = {{-k, 0, 0}, {0, -k, 0}, {0, 0, -k}};
  }

 private:
  Dof m_dofs[2];
  double m_stiffness;
  bool m_there = false;
};

// Each node stands on a spring of its own, linear in z, and goes no farther than `farthest` (m) at once.
class ShortWays final : public Term {
 public:
  ShortWays(const Model& model, double stiffness, double farthest) : m_stiffness(stiffness), m_farthest(farthest) {
    for (int i = 0; i < model.node_count(); ++i) m_dofs.push_back(Dof::node(i));
  }

  void begin(const State&, std::span<const double>, const ImplicitSolve&) override {}
  int element_count() const override { return static_cast<int>(m_dofs.size()); }
  std::span<const Dof> dofs(int element) const override { return std::span(m_dofs).subspan(element, 1); }
  double stiffness(int) const override { return m_stiffness; }
  Value value(int element, const State& at) const override {
    const double z = at.x[m_dofs[element].index].z;
    Value out;
    out.energy = 0.5 * m_stiffness * z * z;
    out.gradient[0].z = m_stiffness * z;
    out.force = std::abs(out.gradient[0].z);
    return out;
  }
  void hessian(int, const State&, Curvature, std::span<Mat3> pairs) const override {
    pairs[0] = {};
    pairs[0].r2.z = m_stiffness;
  }
  double safe_part(int element, const State& from, const State& to) const override {
    const double way = norm(to.x[m_dofs[element].index] - from.x[m_dofs[element].index]);
    return way > m_farthest ? m_farthest / way : 1;
  }

 private:
  double m_stiffness, m_farthest;
  std::vector<Dof> m_dofs;
};

}  // namespace

// To look at a state where terms couple other rods takes the factors away; they are made again, and give what they gave.
TEST(StaticTerms, FactorsAreNotTakenForThoseOfAnotherCoupling) {
  const Cord cord{.length = 1, .radius = 0.01, .young = 1e8, .segments = 4};
  Scene scene = cord.scene();
  Rod other = scene.rods[0];
  other.name = "other";
  other.centreline = LineShape{{0, 0.1, 0}, {1, 0.1, 0}};
  scene.rods.push_back(other);
  clamp(scene, "rod.start");
  clamp(scene, "other.start");
  const Model model(scene);
  const int tip = model.node_of(0, 4);
  statics::Equilibrium equilibrium(model, 1e-9, only(std::make_unique<Catch>(tip, model.node_of(1, 4), 1.0)));
  const State apart = model.initial_state();
  State together = apart;
  together.x[tip].z = -0.01;

  const statics::Where where{1, 0};
  ASSERT_TRUE(equilibrium.factorise(apart, where));
  Eigen::VectorXd push = Eigen::VectorXd::Zero(equilibrium.assembly().size());
  push[3 * equilibrium.assembly().block_of_node(tip) + 2] = 1;
  const Eigen::VectorXd bends = equilibrium.solve(push);
  EXPECT_GT(bends.maxCoeff(), 0.5 / (3 * cord.EI()));  // m: 1 N at the end of a cantilever of 1 m, by a coarse mesh
  equilibrium.residual(together, where);
  ASSERT_TRUE(equilibrium.factorise(apart, where));
  EXPECT_EQ(equilibrium.solve(push), bends);
}

// Both ways of Newton's method, and every point of a path, go no farther at once than terms allow, and arrive all the same: a rod
// on springs sinks by its weight over their stiffness. A step is seen by the states at which it begins.
TEST(StaticTerms, StepsGoNoFartherThanTermsAllow) {
  constexpr double farthest = 0.003, stiffness = 2;
  Scene scene = Cord{.length = 0.5, .segments = 4}.scene();
  scene.gravity = {0, 0, -9.81};
  for (const bool downhill : {true, false}) {
    SCOPED_TRACE(downhill);
    const Model model(scene);
    statics::Equilibrium equilibrium(model, 1e-9, only(std::make_unique<ShortWays>(model, stiffness, farthest)));
    State state = model.initial_state(), before = state;
    const double sag = 9.81 * model.rods()[0].mass / (stiffness * model.node_count());
    ASSERT_GT(sag, 3 * farthest);
    const statics::Where where{1, 0};
    const statics::Freedom freedom = statics::find_freedom(model, equilibrium, state, where);
    equilibrium.hold_neutral(freedom.pins(), [&](const State& s) { return freedom.directions(s); });
    double most = 0;
    equilibrium.watch([&](const StaticIteration&) {
      for (std::size_t i = 0; i < state.x.size(); ++i) most = std::max(most, norm(state.x[i] - before.x[i]));
      before = state;
      return true;
    });
    const statics::Solved solved = downhill ? equilibrium.minimise(state, where, 1000) : equilibrium.correct(state, where, 100);
    ASSERT_TRUE(solved.converged());
    double height = 0;
    for (const Vec3& x : state.x) height += x.z / static_cast<double>(state.x.size());
    EXPECT_NEAR(height, -sag, 1e-9);
    EXPECT_GT(most, 0.5 * farthest);
    EXPECT_LE(most, farthest);
  }

  const Model model(scene);
  statics::Equilibrium equilibrium(model, 1e-9, only(std::make_unique<ShortWays>(model, stiffness, farthest)));
  State state = model.initial_state();
  statics::Path path(model, equilibrium, state, {}, {});
  const StaticReport report = path.run();
  ASSERT_TRUE(report.converged()) << report.cause;
  double carried = 0;
  for (const Vec3& x : state.x) carried -= stiffness * x.z;
  EXPECT_NEAR(carried, 9.81 * model.rods()[0].mass, 1e-8);
}

// A support that jumps farther than terms allow: the point is not found, and nothing is looked at beyond.
TEST(StaticTerms, SupportsDoNotJumpThroughWhatIsInTheirWay) {
  Scene scene = Cord{.length = 0.5, .segments = 4}.scene();
  clamp(scene, "rod.start");
  scene.supports[0].motion.emplace().translate.keys = {{0, Vec3{}}, {1, Vec3{0, 0, 0.1}}};
  const Model model(scene);
  statics::Equilibrium equilibrium(model, 1e-9, only(std::make_unique<ShortWays>(model, 1.0, 0.01)));
  State state = model.initial_state();
  EXPECT_EQ(equilibrium.correct(state, {1, 1}, 100).outcome, statics::Outcome::blocked);
  state = model.initial_state();
  EXPECT_EQ(equilibrium.correct(state, {1, 0.05}, 100).outcome, statics::Outcome::converged);
}

// Neither search evaluates anything where a support would have passed the floor.
TEST(StaticTerms, ASearchThatIsBlockedEvaluatesNothingBeyond) {
  Scene scene = Cord{.length = 0.5, .segments = 8}.scene();
  scene.rods[0].centreline = LineShape{{0, 0, 0.03}, {0.5, 0, 0.03}};
  clamp(scene, "rod.start");
  pin(scene, "rod.end");
  scene.supports.back().motion.emplace().translate.keys = {{0, {0, 0, 0}}, {1, {0, 0, -0.1}}};
  const Model model(scene);
  auto own = std::make_unique<BarrierFloor>(model, 0.02, 10.0);
  const BarrierFloor& floor = *own;
  statics::Equilibrium equilibrium(model, 1e-8, only(std::move(own)));
  State corrected = model.initial_state(), minimised = corrected;
  EXPECT_EQ(equilibrium.correct(corrected, {1, 1}, 20).outcome, statics::Outcome::blocked);
  EXPECT_EQ(equilibrium.minimise(minimised, {1, 1}, 20).outcome, statics::Outcome::blocked);
  EXPECT_EQ(floor.passed(), 0);
}
