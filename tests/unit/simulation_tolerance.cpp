// Steps as long as a tolerance of their error allows.
#include <cmath>

#include <gtest/gtest.h>

#include "simulation/checkpoint.h"
#include "solvers/solver.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

constexpr double g = 9.81;  // m/s^2
const Integrator both[] = {Integrator::euler, Integrator::midpoint};

// Rests in a clamp and is struck at 0.5 s: nothing happens before, much after, and little in the end.
Scene struck(Integrator integrator, double tolerance) {
  Scene scene = Cord{.length = 0.5, .radius = 0.01, .segments = 10}.scene();
  scene.damping = {2, 0.02};
  scene.dt = 0.02;
  scene.solver.integrator = integrator;
  scene.step_tolerance = tolerance;
  clamp(scene, "rod.start");
  load(scene, ForceLoad{Place::parse("rod.end"), {0, 0, 2}, false}, {{{0.5, 0}, {0.52, 1}, {0.54, 1}, {0.56, 0}}});
  return scene;
}

TEST(StepError, OfEulerIsThatOfFreeFall) {
  Scene scene = Cord{.length = 2}.scene();
  scene.gravity = {0, 0, -g};
  scene.step_tolerance = 1;
  Simulation simulation = simulate(scene);
  const double h = 0.01;
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(simulation.step(h).error, h * h * g / 2 / 2, 1e-12);
}

// Gravity that grows evenly has a constant third derivative, and of that the estimate is the whole error.
TEST(StepError, OfMidpointIsThatOfAFallThatGrowsHeavier) {
  Scene scene = Cord{.length = 2}.scene();
  scene.gravity = {0, 0, -g};
  scene.gravity_ramp.points = {{0, 0}, {1, 1}};
  scene.solver.integrator = Integrator::midpoint;
  scene.step_tolerance = 1;
  Simulation simulation = simulate(scene);
  double time = 0;  // s
  for (const double h : {0.01, 0.01, 0.02, 0.005}) {
    const double z = simulation.state().x[0].z, v = simulation.state().v[0].z;
    const StepReport report = simulation.step(h);
    const double exact = z + v * h - g * (time * h * h / 2 + h * h * h / 6);
    const double error = std::abs(simulation.state().x[0].z - exact) / 2;
    if (time > 0) {
      EXPECT_NEAR(report.error, error, 1e-3 * error) << h;
    }
    time += h;
  }
}

TEST(StepError, IsNotLookedAtWithoutATolerance) {
  Scene scene = struck(Integrator::euler, 1);
  scene.step_tolerance.reset();
  Simulation simulation = simulate(scene);
  EXPECT_EQ(simulation.run(0.7).error, 0);
}

TEST(StepTolerance, ShortensStepsWhereItIsNeededAndOnlyThere) {
  for (const Integrator integrator : both) {
    const double tolerance = 1e-4;
    const Scene scene = struck(integrator, tolerance);
    Simulation simulation = simulate(scene);
    double early = 1, amid = 1, late = 0;  // s: shortest, shortest, longest
    const StepReport report = simulation.run(6, [&](const StepReport& step) {
      EXPECT_LE(step.error, tolerance);
      if (step.time < 0.5) early = std::min(early, step.dt);
      if (step.time > 0.5 && step.time < 0.7) amid = std::min(amid, step.dt);
      if (step.time > 4) late = std::max(late, step.dt);
      return true;
    });
    ASSERT_TRUE(report.accepted()) << report.cause;
    EXPECT_EQ(simulation.state().time, 6);
    EXPECT_NEAR(early, scene.dt, 1e-12) << "nothing moves yet";
    EXPECT_LE(amid, scene.dt / 4);
    EXPECT_NEAR(late, scene.dt, 1e-12) << "it has come to rest";
  }
}

// What is promised for a step holds, as it should, for the whole: less is allowed, less is wrong.
TEST(StepTolerance, ASmallerOneGivesASmallerError) {
  for (const Integrator integrator : both) {
    const auto tip = [&](double tolerance) {
      Simulation simulation = simulate(struck(integrator, tolerance));
      const StepReport report = simulation.run(0.8);
      EXPECT_TRUE(report.accepted()) << report.cause;
      return simulation.state().x.back();
    };
    Scene fine = struck(Integrator::midpoint, 1);
    fine.dt = 1e-4;
    Simulation exact = simulate(fine);
    ASSERT_TRUE(exact.run(0.8).accepted());
    const double loose = norm(tip(1e-3) - exact.state().x.back()), tight = norm(tip(1e-5) - exact.state().x.back());
    EXPECT_LT(tight, loose / 4);
    EXPECT_LT(tight, 0.01) << "m";
  }
}

TEST(StepTolerance, IsRefusedByTheShortestStepWithARemedy) {
  Simulation simulation = simulate(struck(Integrator::euler, 1e-12));
  const StepReport report = simulation.run(1);
  EXPECT_EQ(report.status, StepStatus::not_converged);
  EXPECT_GE(report.time, 0.49);
  EXPECT_EQ(report.time, simulation.state().time);
  EXPECT_LE(report.dt, 0.02 / 1024 * (1 + 1e-9));
  EXPECT_EQ(report.rod, 0);
  EXPECT_GT(report.node, 0);
  EXPECT_GT(report.error, 1e-12);
  EXPECT_NE(report.cause.find("time.tolerance"), std::string::npos) << report.cause;
}

TEST(StepTolerance, IsResumedWithTheSameBits) {
  for (const Integrator integrator : both) {
    const Scene scene = struck(integrator, 1e-4);
    Simulation whole = simulate(scene);
    int steps = 0;
    ASSERT_TRUE(whole.run(0.7, [&steps](const StepReport&) { return ++steps > 0; }).accepted());
    ASSERT_GT(steps, 50);
    std::string bytes = simulate(scene).checkpoint();
    for (int k = 0; k < steps; ++k) {
      Simulation part = simulate(scene);
      part.restore(bytes, "file");
      ASSERT_TRUE(part.run(0.7, [](const StepReport&) { return false; }).accepted());
      bytes = part.checkpoint();
    }
    const Checkpoint end = decode_checkpoint(bytes, "file");
    EXPECT_EQ(state_hash(end.state), state_hash(whole.state()));
  }
}

// A step that is refused has been taken by the solver: what it remembers is taken back.
class Runner : public Solver {
 public:
  StepReport step(State& state, const Loading&, double dt, Integrator) override {
    ++m_steps;
    for (Vec3& x : state.x) x.x += 1e3 * dt * dt;  // far too much but for short steps
    return {};
  }
  std::string save() const override { return std::to_string(m_steps); }
  void restore(const std::string& bytes) override { m_steps = std::stoi(bytes); }

 private:
  int m_steps = 0;
};

TEST(StepTolerance, ARefusedStepLeavesNoTraceInTheSolver) {
  Scene scene = Cord{}.scene();
  scene.step_tolerance = 1e-4;
  const Runner* runner = nullptr;
  Simulation simulation(Model(scene), [&runner](const Model&, const Threads&) {
    auto own = std::make_unique<Runner>();
    runner = own.get();
    return own;
  });
  int kept = 0;
  ASSERT_TRUE(simulation.run(0.01, [&kept](const StepReport&) { return ++kept > 0; }).accepted());
  ASSERT_GT(kept, 1) << "no step was refused";
  EXPECT_EQ(runner->save(), std::to_string(kept));
}

TEST(Checkpoint, OfAStepErrorOfAnotherSizeIsRefused) {
  const auto checkpoint = [](int segments) {
    Scene scene = Cord{.segments = segments}.scene();
    scene.step_tolerance = 1;
    Simulation simulation = simulate(scene);
    simulation.step(0.01);
    return decode_checkpoint(simulation.checkpoint(), "file");
  };
  Checkpoint mixed = checkpoint(2);
  mixed.error = checkpoint(3).error;
  Simulation simulation = simulate(Cord{.segments = 2}.scene());
  EXPECT_THROW(simulation.restore(encode(mixed), "file"), Error);
}

}  // namespace
