// Where the time of a step goes. What is waited for is a lower bound, which a busy machine does not break.
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "solvers/solver.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

constexpr double pause_s = 2e-3;
void take_time() { std::this_thread::sleep_for(std::chrono::duration<double>(pause_s)); }

// Takes its time for finding the end of a step, and fails in the first tries.
class Slow : public Solver {
 public:
  explicit Slow(int failures) : m_failures(failures) {}
  StepReport step(State&, const Loading&, double, Integrator) override {
    take_time();
    watch().lap(&StageTimes::solve);
    StepReport report;
    if (m_failures-- > 0) report.status = StepStatus::not_converged;
    return report;
  }

 private:
  int m_failures;
};

struct SlowSink : Sink {
  void begin(const Model&, const State&) override {}
  void write(const Model&, const State&, const StepReport&) override { take_time(); }
  void end(const Model&, const State&) override {}
};

Simulation slow(int failures, bool timings) {
  Scene scene = Cord{}.scene();
  scene.adaptive = true;
  return {Model(scene), [=](const Model&, const Threads&) { return std::make_unique<Slow>(failures); }, {.timings = timings}};
}

double sum(const StageTimes& stages) {
  double out = 0;
  StageTimes::visit([&](const char*, double s) { out += s; }, stages);
  return out;
}

}  // namespace

TEST(Stages, TimeIsThatOfTheStageThatTookItAndNoMoreThanThatOfTheStep) {
  Simulation simulation = slow(0, true);
  SlowSink sink;
  simulation.add_sink(sink);
  for (int k = 0; k < 3; ++k) {
    const auto begun = std::chrono::steady_clock::now();
    const StageTimes stages = simulation.step(1e-3).stages;
    const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    EXPECT_GE(stages.solve, pause_s);
    EXPECT_GE(stages.outputs, pause_s);
    EXPECT_EQ(stages.coupling, 0) << "this method has none";
    EXPECT_GT(stages.loads, 0);
    EXPECT_GT(stages.update, 0);
    EXPECT_GT(stages.checks, 0);
    EXPECT_LE(sum(stages), all);
  }
}

TEST(Stages, AStepHasTheTimeOfItsFailedTries) {
  Simulation simulation = slow(2, true);
  const StepReport report = simulation.run(1e-2, [](const StepReport&) { return false; });
  ASSERT_TRUE(report.accepted());
  EXPECT_GE(report.stages.solve, 3 * pause_s);
}

TEST(Stages, MethodsTellOfTheirs) {
  for (const SolverInfo& method : solver_table()) {
    for (const IntegratorInfo& integrator : method.integrators) {
      Scene scene = Cord{}.scene();
      scene.solver.method = method.name;
      scene.solver.integrator = integrator.kind;
      Simulation simulation(Model(scene), {.timings = true});
      const StageTimes stages = simulation.step(1e-3).stages;
      EXPECT_GT(stages.solve, 0) << method.name;
      EXPECT_GT(stages.update, 0) << method.name;
    }
  }
}

TEST(Stages, AreZeroUnlessAskedFor) { EXPECT_EQ(sum(slow(1, false).step(1e-3).stages), 0); }
