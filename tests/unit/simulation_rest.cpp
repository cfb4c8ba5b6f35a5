// How far a state at rest, and a motion by steps of bounded cost, may be off: told in metres, against what is known otherwise.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

Scene case_of(const std::string& name, const char* method) {
  Scene scene = load_scene(std::string(WRITHE_SOURCE_DIR) + "/tests/cases/" + name + ".yaml");
  scene.solver.method = method;
  return scene;
}

Vec3 end_of(const State& state) { return state.x.back(); }

double largest_distance(const State& a, const State& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) out = std::max(out, norm(a.x[i] - b.x[i]));
  return out;
}

// A clamped cord that is let go.
Scene falling(const char* method, int iterations = 10) {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -9.81};
  scene.dt = 5e-3;
  scene.solver.method = method;
  scene.solver.pd.iterations = iterations;
  clamp(scene, "rod.start");
  return scene;
}

}  // namespace

// ---- rest ----------------------------------------------------------------------------------------------------------------
// The initial state of a cantilever with a force at its end: F L^3/3EI away from rest.
TEST(RestError, IsTheDistanceToTheEquilibrium) {
  const Cord cord;
  Scene scene = cord.scene();
  clamp(scene, "rod.start");
  constexpr double force = 1e-7;  // N: a millimetre
  load(scene, ForceLoad{Place::parse("rod.end"), {0, 0, -force}});
  const RestError error = simulate(scene).error_at_rest();
  ASSERT_TRUE(error.metres) << error.cause;
  const double expected = force * std::pow(cord.length, 3) / (3 * cord.EI());
  EXPECT_NEAR(*error.metres, expected, 2e-3 * expected);  // of shear and of 20 segments
  EXPECT_EQ(error.node, cord.segments);
  EXPECT_EQ(error.unstable, 0);
}

// Nor do motions that cost nothing take it anywhere.
TEST(RestError, IsNoneWhereNothingActs) {
  for (const bool pinned : {false, true}) {
    Scene scene = Cord{}.scene();
    if (pinned) pin(scene, "rod.start");
    const RestError error = simulate(scene).error_at_rest();
    ASSERT_TRUE(error.metres) << error.cause;
    EXPECT_LT(*error.metres, 1e-9);
    EXPECT_EQ(error.unstable, 0);
  }
}

// A column, straight under twice the load that buckles it, in one of two planes; the next load is nine times the first.
TEST(RestError, CountsTheMotionsThatGrow) {
  const Cord cord;
  Scene scene = cord.scene();
  clamp(scene, "rod.start");
  load(scene, ForceLoad{Place::parse("rod.end"), {-2 * pi * pi * cord.EI() / (4 * cord.length * cord.length), 0, 0}});
  Simulation column = simulate(scene);
  ASSERT_TRUE(column.settle().accepted());
  const RestError error = column.error_at_rest();
  ASSERT_TRUE(error.metres) << error.cause;
  EXPECT_EQ(error.unstable, 2);
}

TEST(RestError, IsNotToldOfAnotherRod) {
  Scene scene = falling("pd");
  scene.solver.pd.weights = Weights::published;
  const RestError error = simulate(scene).error_at_rest();
  EXPECT_FALSE(error.metres);
  EXPECT_NE(error.cause.find("weights"), std::string::npos);
}

TEST(Rest, IsNotClaimedOffAlongASoftMode) {
  const Scene scene = case_of("pd_false_rest", "newton");
  Simulation exact = simulate(scene), pd = simulate(case_of("pd_false_rest", "pd"));
  ASSERT_TRUE(exact.settle().accepted());
  const StepReport report = pd.settle();
  ASSERT_TRUE(report.accepted()) << report.cause;
  EXPECT_TRUE(pd.at_rest());
  constexpr double length = 0.379, asked = 1e-5;  // m; SettleOptions::error
  EXPECT_LT(largest_distance(pd.state(), exact.state()), asked * length);
  const RestError error = pd.error_at_rest();
  ASSERT_TRUE(error.metres);
  EXPECT_LT(error.part, asked);
  EXPECT_LT(*error.metres, asked * length);
}

// Hanging straight down but for the joint at the clamp, which turns by a right angle: its moment EI/(l/2) holds what hangs at x
// beside the clamp, w (L - l/2) x; of the stretch w L^2/2EA the tilt of the first segment takes x^2/2l off.
TEST(Rest, OfAThinWireIsStraightDown) {
  constexpr double young = 210e9, r = 1e-5, length = 10, l = length / 200;
  constexpr double area = pi * r * r, EI = young * pi * r * r * r * r / 4, w = 7850 * 9.81 * area;
  const double x = 2 * EI / (l * w * (length - l / 2));
  const double z = -(length + w * length * length / (2 * young * area) - x * x / (2 * l));
  // margin: m, beside what the estimates above leave out
  const auto expect_down = [&](const State& state, double margin) {
    EXPECT_NEAR(end_of(state).x, x, 0.01 * x + margin);
    EXPECT_NEAR(end_of(state).y, 0, 1e-6 + margin);
    EXPECT_NEAR(end_of(state).z, z, 1e-8 + margin);
  };
  for (const char* method : {"newton", "pd"}) {
    SCOPED_TRACE(method);
    Simulation wire = simulate(case_of("thin1e6", method));
    const StepReport report = wire.settle();
    ASSERT_TRUE(report.accepted()) << report.cause;
    expect_down(wire.state(), SettleOptions{}.error * length);
  }
  Statics statics(Model(case_of("thin1e6", "newton")));
  const StaticReport report = statics.solve();
  ASSERT_TRUE(report.converged()) << report.cause;
  expect_down(statics.state(), 0);
  EXPECT_EQ(statics.stability().balance, Balance::stable);
}

// ---- steps ---------------------------------------------------------------------------------------------------------------
TEST(LeftOver, OfAStepIsItsDistanceFromTheEndOfNewtons) {
  for (const int iterations : {1, 3, 10}) {
    Simulation pd = simulate(falling("pd", iterations)), exact = simulate(falling("newton"));
    const StepReport report = pd.run(5e-3);
    ASSERT_TRUE(exact.run(5e-3).accepted());
    const double truth = largest_distance(pd.state(), exact.state());
    ASSERT_TRUE(report.left_over);
    EXPECT_NEAR(*report.left_over, truth, 0.1 * truth + 1e-12) << iterations;
  }
}

TEST(LeftOver, AddsUpToAboutWhatAMotionIsOff) {
  for (const int iterations : {1, 2, 3}) {
    Simulation pd = simulate(falling("pd", iterations)), exact = simulate(falling("newton"));
    double truth = 0, told = 0;
    for (int k = 1; k <= 100; ++k) {
      const StepReport report = pd.run(k * 5e-3);
      ASSERT_TRUE(exact.run(k * 5e-3).accepted());
      truth = std::max(truth, largest_distance(pd.state(), exact.state()));
      told = std::max(told, report.drift.value_or(0));
    }
    EXPECT_GT(told, truth / 10) << iterations;
    EXPECT_LT(told, truth * 10) << iterations;
  }
}

TEST(LeftOver, IsToldInRunsOfMethodsOfBoundedCostOnly) {
  Simulation pd = simulate(falling("pd"));
  EXPECT_FALSE(pd.step(5e-3).left_over);
  EXPECT_TRUE(pd.run(0.02).left_over);
  EXPECT_FALSE(simulate(falling("newton")).run(0.02).left_over);
}

TEST(LeftOver, IsTheSameInARunThatGoesOn) {
  std::vector<double> whole, parts;
  const auto note = [](std::vector<double>& out) {
    return [&out](const StepReport& report) {
      out.push_back(report.left_over.value_or(-1));
      out.push_back(report.drift.value_or(-1));
      return out.size() != 2 * 33;
    };
  };
  Simulation at_once = simulate(falling("pd", 2)), first = simulate(falling("pd", 2)), second = simulate(falling("pd", 2));
  at_once.run(0.5, note(whole));
  at_once.run(0.5, note(whole));
  first.run(0.5, note(parts));
  second.restore(first.checkpoint(), "file");
  second.run(0.5, note(parts));
  EXPECT_EQ(whole.size(), 2U * 100);
  EXPECT_EQ(whole, parts);
}

// ---- residuals -----------------------------------------------------------------------------------------------------------
// A kilometre from the origin positions have too few digits for such a tolerance. A rod that a support has stretched has forces
// against which what is left counts, with or without loads; one that nothing has stressed has none.
TEST(Residual, AtRoundingCountsWhereTheRodIsStressed) {
  for (const char* method : {"newton", "pd"})
    for (const bool stretched : {false, true}) {
      SCOPED_TRACE(method);
      Scene scene = Cord{}.scene();
      scene.rods[0].centreline = LineShape{{1000, 0, 0}, {1001, 0, 0}};
      scene.solver.method = method;
      scene.solver.tolerance = 1e-15;
      scene.solver.pd.iterations = 100;
      clamp(scene, "rod.start");
      pin(scene, "rod.end");
      if (stretched) scene.supports[1].motion.emplace().translate.keys = {{0, {0, 0, 0}}, {0.1, {0.01, 0, 0}}};
      Simulation simulation = simulate(scene);
      const StepReport report = simulation.run(0.2);
      ASSERT_TRUE(report.accepted()) << report.cause;
      if (stretched)
        EXPECT_GT(report.residual, report.residual_limit);
      else
        EXPECT_EQ(report.residual, 0);
    }
}
