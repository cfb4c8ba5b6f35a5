// What a method refuses, and how it fails.
#include <algorithm>

#include "contract/contract.h"
#include "contract/contract_scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

// ---- refusal -------------------------------------------------------------------------------------------------------
using Refusal = Keeps<Property::refusal>;

bool names_a_part(const Error& error, const Scene& scene) {
  const auto named = [&](const auto& part) { return std::string(error.what()).find(part.name) != std::string::npos; };
  return std::any_of(scene.rods.begin(), scene.rods.end(), named) ||
         std::any_of(scene.obstacles.begin(), scene.obstacles.end(), named);
}

Scene far_above_a_floor() {
  Scene scene = ribbon();
  scene.obstacles = {{"floor", PlaneObstacle{{0, 0, -10}, {0, 0, 1}}, {}}};
  return scene;
}

TEST_P(Refusal, WhatItSupportsRunsAndTheRestIsRefusedByName) {
  const std::vector<NamedScene> parts = {{"chain", ribbon(), Feature::chains},
                                         {"ring", ring(), Feature::rings},
                                         {"net", net(), Feature::nets},
                                         {"links", linked(), Feature::links},
                                         {"contact", far_above_a_floor(), Feature::contact},
                                         {"corners", bracket(), Feature::corners}};
  for (const NamedScene& part : parts) {
    SCOPED_TRACE(part.name);
    Scene scene = part.scene;
    if (part.needs == Feature::rings) scene.rods[0].name = "hoop";  // no word of any message
    scene.gravity = {0, 0, -9.81};
    if (supports(part.needs)) {
      Simulation simulation = start(scene);
      take_steps(simulation, 10, 1e-3);
      EXPECT_LT(simulation.state().x.back().z - simulation.model().initial_state().x.back().z, -1e-4) << "m: it does not fall";
      continue;
    }
    try {
      start(scene);
      ADD_FAILURE() << "accepted, though the table of methods says no";
    } catch (const Error& error) {
      EXPECT_TRUE(names_a_part(error, scene)) << error.what();
    }
  }
}

// One rod among others that the method cannot take.
TEST_P(Refusal, ARingAmongChainsIsNamed) {
  if (supports(Feature::rings)) GTEST_SKIP() << "it takes rings";
  Scene scene = ribbon();
  Rod hoop = ring().rods[0];
  hoop.name = "hoop";
  scene.rods.push_back(hoop);
  try {
    start(scene);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("hoop"), std::string::npos) << error.what();
  }
}

// ---- failure -------------------------------------------------------------------------------------------------------
using Failure = Keeps<Property::failure>;

constexpr double dt = 1e-3;                   // s
constexpr double onset = 0.0205, end = 0.03;  // s: of the load that nothing can carry; within a step

// Two rods; what happens, happens to the second.
Scene two_rods() {
  Scene scene = ribbon();
  scene.gravity = {0, 0, -9.81};
  scene.rods.push_back(scene.rods[0]);
  scene.rods[0].name = "safe";
  scene.rods[1].name = "torn";
  scene.rods[1].centreline = LineShape{{0, 1, 0}, {1, 1, 0}};
  clamp(scene, "safe.start");
  clamp(scene, "torn.start");
  return scene;
}

Scene overloaded(double newton) {
  Scene scene = two_rods();
  load(scene, ForceLoad{Place::parse("torn.end"), {0, 0, newton}, false},
       {{{onset, 0}, {onset + dt / 2, 1}, {end, 1}, {end + dt / 2, 0}}});
  return scene;
}

// Steps until one fails; every accepted one has to be finite. The last report, and the state before that step.
StepReport step_until_failure(Simulation& simulation, double step, State& before) {
  StepReport report;
  for (int k = 0; k < 200; ++k) {
    before = simulation.state();
    report = simulation.step(step);
    EXPECT_TRUE(all_finite(simulation.state())) << "step " << k;
    if (!report.accepted()) break;
  }
  return report;
}

TEST_P(Failure, AStepThatFailsLeavesTheStateAndSaysWhereAndWhy) {
  Simulation simulation = start(overloaded(1e300));
  State before;
  const StepReport report = step_until_failure(simulation, dt, before);
  ASSERT_FALSE(report.accepted()) << "carried 1e300 N";
  EXPECT_GT(before.time, onset / 2) << "failed before the load came";
  EXPECT_TRUE(bits(before) == bits(simulation.state())) << "the state has changed";
  EXPECT_EQ(report.time, before.time);
  EXPECT_EQ(report.rod, 1);
  EXPECT_GE(report.node, 0);
  EXPECT_LE(report.node, simulation.model().rods()[1].segment_count);
  EXPECT_GE(report.cause.size(), 10U) << report.cause;
}

// A step that fails leaves no trace in the solver either: the next one is that of a run in which it was not tried.
TEST_P(Failure, AStepThatFailsHasNoConsequences) {
  Simulation tried = start(overloaded(1e300)), spared = start(overloaded(1e300));
  State before;
  ASSERT_FALSE(step_until_failure(tried, dt, before).accepted());
  take_steps(spared, static_cast<int>(std::lround(before.time / dt)), dt);
  ASSERT_TRUE(bits(spared.state()) == bits(tried.state()));
  const double shorter = 0.9 * (onset - before.time);  // loads act with their mean over a step: this one ends before they set in
  ASSERT_GT(shorter, 0);
  take_steps(tried, 1, shorter);
  take_steps(spared, 1, shorter);
  EXPECT_TRUE(bits(spared.state()) == bits(tried.state()));
}

// Loads and steps out of all proportion: solved or refused, but never a number that is none, and never half a step.
TEST_P(Failure, NothingAbsurdLeavesANumberThatIsNone) {
  for (const double newton : {1e3, 1e6, 1e12, 1e100, 1e200}) {
    for (const double step : {1e-12, 1e-3, 1e3, 1e9}) {
      SCOPED_TRACE(std::to_string(newton) + " N, " + std::to_string(step) + " s");
      Scene scene = two_rods();
      scene.solver.newton.max_iterations = 20;
      load(scene, ForceLoad{Place::parse("torn.end"), {newton, 0.1 * newton, 0}, false});
      Simulation simulation = start(scene);
      State before;
      for (int k = 0; k < 3; ++k) {
        before = simulation.state();
        const StepReport report = simulation.step(step);
        ASSERT_TRUE(all_finite(simulation.state()));
        if (report.accepted()) continue;
        EXPECT_TRUE(bits(before) == bits(simulation.state()));
        EXPECT_FALSE(report.cause.empty());
        EXPECT_TRUE(report.rod == 0 || report.rod == 1);
      }
    }
  }
}

WRITHE_EVERY_SOLVER(Refusal);
WRITHE_EVERY_SOLVER(Failure);

}  // namespace
