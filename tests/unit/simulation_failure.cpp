// Steps that fail: the last good state stays, `adaptive` tries shorter ones, and nothing that is not finite gets out.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "measure/measure.h"
#include "simulation/checkpoint.h"
#include "solvers/solver.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

// One Newton iteration is enough for short steps only.
Scene too_fast() {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -9.81};
  scene.dt = 0.016;
  scene.solver.newton.max_iterations = 4;
  clamp(scene, "rod.start");
  return scene;
}

// Moves every node by what it has counted, and spoils a value in its fourth step.
class Counter : public Solver {
 public:
  explicit Counter(double* spoilt = nullptr) : m_spoilt(spoilt) {}
  StepReport step(State& state, const Loading&, double, Integrator) override {
    ++m_steps;
    for (Vec3& x : state.x) x.x += m_steps;
    if (m_spoilt && m_steps == 4) state.v[2].z = *m_spoilt;
    return {};
  }
  std::string save() const override { return std::to_string(m_steps); }
  void restore(const std::string& bytes) override { m_steps = std::stoi(bytes); }

 private:
  double* m_spoilt;
  int m_steps = 0;
};

Simulation counting(double* spoilt = nullptr) {
  Scene scene = Cord{}.scene();
  scene.dt = 0.01;
  return {Model(scene), [spoilt](const Model&, const Threads&) { return std::make_unique<Counter>(spoilt); }};
}

// Every state it is given is finite.
struct Watch : Sink {
  int written = 0;
  void begin(const Model&, const State&) override {}
  void write(const Model&, const State& state, const StepReport&) override {
    ++written;
    for (const Vec3& v : state.v) EXPECT_TRUE(finite(v));
  }
  void end(const Model&, const State&) override {}
};

}  // namespace

// Whatever a method does: what is not finite is neither kept nor written.
TEST(Failure, NoMethodGetsAValueThatIsNotFiniteThrough) {
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    Simulation simulation = counting(&bad);
    Watch watch;
    simulation.add_sink(watch);
    const StepReport report = simulation.run(1);
    EXPECT_EQ(report.status, StepStatus::not_finite);
    EXPECT_EQ(report.rod, 0);
    EXPECT_EQ(report.node, 2);
    EXPECT_EQ(report.cause,
              "the method gave a value that is not finite; take a smaller time.dt, or look for a load or a size out of range");
    EXPECT_EQ(watch.written, 3);
    EXPECT_EQ(simulation.state().time, 0.03);
    EXPECT_EQ(simulation.state().x[0].x, 1 + 2 + 3);
    EXPECT_EQ(simulation.state().v[2].z, 0);
  }
}

TEST(Resume, WhatAMethodCarriesGoesOn) {
  Simulation first = counting();
  first.run(0.03);
  Simulation second = counting();
  second.restore(first.checkpoint(), "file");
  second.run(0.05);
  EXPECT_EQ(second.state().x[0].x, 1 + 2 + 3 + 4 + 5);
}

TEST(Failure, KeepsTheLastGoodState) {
  const Scene scene = too_fast();
  Simulation simulation = simulate(scene);
  std::uint64_t last = state_hash(simulation.state());
  const StepReport report = simulation.run(1, [&](const StepReport&) {
    last = state_hash(simulation.state());
    return true;
  });
  ASSERT_EQ(report.status, StepStatus::not_converged);
  EXPECT_EQ(state_hash(simulation.state()), last);
  EXPECT_EQ(report.time, simulation.state().time);
  EXPECT_EQ(report.rod, 0);
  EXPECT_GE(report.node, 0);
  EXPECT_NE(report.cause.find("time.dt"), std::string::npos) << report.cause;
}

TEST(Failure, AdaptiveHalvesTheStepAndGoesOn) {
  Scene scene = too_fast();
  scene.adaptive = true;
  Simulation simulation = simulate(scene);
  double shortest = 1, longest_late = 0;
  const StepReport report = simulation.run(0.8, [&](const StepReport& step) {
    shortest = std::min(shortest, step.dt);
    if (step.time > 0.4) longest_late = std::max(longest_late, step.dt);
    return true;
  });
  ASSERT_TRUE(report.accepted()) << report.cause;
  EXPECT_EQ(simulation.state().time, 0.8);
  EXPECT_LT(shortest, 0.9 * scene.dt);
  EXPECT_GE(longest_late, 0.49 * scene.dt) << "long steps are tried again";

  // What it computes is the motion: close to that in short steps throughout.
  Scene fine = too_fast();
  fine.dt = 0.001;
  fine.solver.newton.max_iterations = 100;
  Simulation exact = simulate(fine);
  ASSERT_TRUE(exact.run(0.8).accepted());
  EXPECT_LT(norm(simulation.state().x.back() - exact.state().x.back()), 0.15);
}

TEST(Failure, AdaptiveIsResumedWithTheSameBits) {
  Scene scene = too_fast();
  scene.adaptive = true;
  Simulation whole = simulate(scene);
  ASSERT_TRUE(whole.run(0.5).accepted());
  std::string bytes = simulate(scene).checkpoint();
  for (int k = 0; k < 200; ++k) {
    Simulation part = simulate(scene);
    part.restore(bytes, "file");
    ASSERT_TRUE(part.run(0.5, [](const StepReport&) { return false; }).accepted());
    bytes = part.checkpoint();
  }
  EXPECT_EQ(state_hash(decode_checkpoint(bytes, "file").state), state_hash(whole.state()));
}

TEST(Failure, AdaptiveGivesUpWhereNoStepIsShortEnough) {
  Scene scene = too_fast();
  scene.adaptive = true;
  scene.solver.newton.max_iterations = 1;
  scene.loads.push_back({ForceLoad{Place::parse("rod.end"), {0, 0, 1e9}}, {}});
  Simulation simulation = simulate(scene);
  const StepReport report = simulation.run(1);
  EXPECT_FALSE(report.accepted());
  EXPECT_LE(report.dt, scene.dt / 1024 * (1 + 1e-9));
  EXPECT_EQ(simulation.state().time, report.time);
}

TEST(Failure, WhatIsNotFiniteIsFoundAndPlaced) {
  Scene scene = Cord{}.scene();
  Rod second = scene.rods[0];
  second.name = "other";
  second.centreline = LineShape{{0, 1, 0}, {1, 1, 0}};
  scene.rods.push_back(second);
  const Model model(scene);
  State state = model.initial_state();
  EXPECT_FALSE(measure::first_not_finite(model, state));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    State spoilt = state;
    spoilt.v[static_cast<std::size_t>(model.node_of(1, 7))].y = bad;
    auto found = measure::first_not_finite(model, spoilt);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->rod, 1);
    EXPECT_EQ(found->node, 7);
    spoilt = state;
    spoilt.q[3].w = bad;
    found = measure::first_not_finite(model, spoilt);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->rod, 0);
    EXPECT_EQ(found->node, 3);
    spoilt = state;
    spoilt.closing[1] = bad;
    EXPECT_TRUE(measure::first_not_finite(model, spoilt));
    spoilt = state;
    spoilt.memory = {{}, {0, bad}};
    EXPECT_TRUE(measure::first_not_finite(model, spoilt));
  }
}

namespace {

Scene of_method(const std::string& method, Integrator integrator) {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -9.81};
  scene.dt = 0.02;
  scene.solver.method = method;
  scene.solver.integrator = integrator;
  clamp(scene, "rod.start");
  return scene;
}

}  // namespace

// Asked for the nth time it is given up there, in the first step or a later one; nothing of that step is left, and those that
// follow are what they would have been.
TEST(StoppedInAStep, LeavesNoTrace) {
  for (const auto& [method, integrator] :
       {std::pair{"newton", Integrator::euler}, std::pair{"newton", Integrator::midpoint}, std::pair{"pd", Integrator::euler}})
    for (const int last : {1, 2, 3, 11}) {
      SCOPED_TRACE(fmt::format("{} {} {}", method, static_cast<int>(integrator), last));
      const Scene scene = of_method(method, integrator);
      Simulation whole = simulate(scene), stopped = simulate(scene);
      ASSERT_TRUE(whole.run(0.2).accepted());
      int asked = 0;
      stopped.stop_when([&] { return ++asked >= last; });
      std::uint64_t before = state_hash(stopped.state());
      const StepReport report = stopped.run(0.2, [&](const StepReport&) {
        before = state_hash(stopped.state());
        return true;
      });
      EXPECT_EQ(report.status, StepStatus::stopped);
      EXPECT_EQ(asked, last) << "given up at once";
      EXPECT_EQ(state_hash(stopped.state()), before);
      EXPECT_EQ(stopped.state().time, report.time);
      stopped.stop_when({});
      ASSERT_TRUE(stopped.run(0.2).accepted());
      EXPECT_EQ(state_hash(stopped.state()), state_hash(whole.state()));
    }
}

TEST(StoppedInAStep, SettlesAsBefore) {
  const Scene scene = of_method("newton", Integrator::euler);
  Simulation whole = simulate(scene), stopped = simulate(scene);
  ASSERT_TRUE(whole.settle().accepted());
  int asked = 0;
  stopped.stop_when([&] { return ++asked == 50; });
  EXPECT_EQ(stopped.settle().status, StepStatus::stopped);
  EXPECT_FALSE(stopped.at_rest());
  ASSERT_TRUE(stopped.settle().accepted());
  EXPECT_EQ(state_hash(stopped.state()), state_hash(whole.state()));
}

// Between rubber cords a link as stiff as a girder: EA/l of a segment is 3142 N/m. What the message names helps.
TEST(Failure, ALinkTooStiffToFollowIsNamed) {
  Scene scene = Cord{.length = 0.5}.scene();
  scene.solver.tolerance = 1e-6;
  scene.gravity = {0, 0, -9.81};
  Rod other = scene.rods[0];
  other.name = "other";
  other.centreline = LineShape{{0, 0.1, 0}, {0.5, 0.1, 0}};
  scene.rods.push_back(other);
  clamp(scene, "rod.start");
  Link link;
  link.from = Place::parse("rod.end");
  link.to = Place::parse("other.end");
  link.stiffness = 1e11;
  scene.links = {link};
  scene.dt = 0.01;
  const StepReport report = simulate(scene).run(0.5);
  ASSERT_EQ(report.status, StepStatus::not_converged);
  EXPECT_NE(report.cause.find("links[0] is 3e+07 times as stiff"), std::string::npos) << report.cause;
  EXPECT_NE(report.cause.find("a stiffness of 3e+06 N/m"), std::string::npos) << report.cause;
  scene.links[0].stiffness = 3e6;
  const StepReport helped = simulate(scene).run(0.5);
  EXPECT_TRUE(helped.accepted()) << helped.cause;
}
