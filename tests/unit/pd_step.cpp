// `pd` and `newton` driven to convergence take the same step: on chains, rings and nets, with either metric.
#include <string>

#include <gtest/gtest.h>

#include "support/random_scenes.h"
#include "support/stepper.h"

using namespace writhe;
using namespace writhe::test;

namespace {

constexpr int scenes = 24, steps = 4;

// Of the length, and rad. Both methods stop at forces of 1e-12 of those in the rod, or at rounding.
constexpr double limit = 1e-8;

Scene by(Scene scene, const std::string& method, Metric metric) {
  scene.solver.method = method;
  scene.solver.pd.metric = metric;
  scene.solver.tolerance = 1e-12;
  scene.solver.newton.max_iterations = 500;
  scene.solver.pd.iterations = 50000;
  return scene;
}

void expect_same_steps(const Scene& scene, RandomScenes& random, Metric metric) {
  Stepper newton(by(scene, "newton", metric)), pd(by(scene, "pd", metric));
  random.set_in_motion(newton.state);
  pd.state = newton.state;
  const State before = newton.state;
  double length = 0;
  for (const RodRange& rod : newton.model.rods()) length = std::max(length, rod.length);
  for (int k = 0; k < steps; ++k) {
    SCOPED_TRACE("step " + std::to_string(k));
    const StepReport exact = newton.step(scene.dt), found = pd.step(scene.dt);
    ASSERT_TRUE(exact.accepted()) << exact.cause;
    ASSERT_TRUE(found.accepted()) << found.cause;
    ASSERT_TRUE(found.converged) << found.residual << " N after " << found.iterations << " iterations, limit "
                                 << found.residual_limit;
    const Distance apart = distance(newton.state, pd.state);
    EXPECT_LT(apart.way, limit * length);
    EXPECT_LT(apart.turn, limit);
  }
  const Distance moved = distance(before, newton.state);
  EXPECT_GT(moved.way, 1e-3 * length) << "it has hardly moved";
  EXPECT_GT(moved.turn, 1e-3) << "it has hardly turned";
}

class PdStep : public testing::TestWithParam<Metric> {
 protected:
  template <class Make>
  void try_all(unsigned seed, const Make& make) {
    for (int k = 0; k < scenes; ++k) {
      SCOPED_TRACE("scene " + std::to_string(k));
      RandomScenes random(seed + k);
      const Scene scene = make(random);
      expect_same_steps(scene, random, GetParam());
    }
  }
};

TEST_P(PdStep, OfChainsIsThatOfNewton) {
  try_all(1000, [](RandomScenes& random) { return random.chain(); });
}
TEST_P(PdStep, OfRingsIsThatOfNewton) {
  try_all(2000, [](RandomScenes& random) { return random.ring(); });
}
TEST_P(PdStep, OfNetsIsThatOfNewton) {
  try_all(3000, [](RandomScenes& random) { return random.net(); });
}

INSTANTIATE_TEST_SUITE_P(Metrics, PdStep, testing::Values(Metric::constant, Metric::refreshed),
                         [](const auto& metric) { return metric.param == Metric::constant ? "Constant" : "Refreshed"; });

}  // namespace
