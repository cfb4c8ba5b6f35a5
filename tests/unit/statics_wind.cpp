// Equilibria in the wind, which pushes by how fast a rod moves in it and has no potential.
#include <vector>

#include <gtest/gtest.h>

#include "support/scenes.h"
#include "support/statics.h"

using namespace writhe;
using namespace writhe::test;

namespace {

// A cord of 1 m along x, clamped at its beginning, in a wind along z.
Scene cantilever_in_wind() {
  Cord cord;
  cord.radius = 0.01;
  cord.segments = 20;
  Scene scene = cord.scene();
  scene.dt = 1e-3;
  clamp(scene, "rod.start");
  load(scene, WindLoad{"", {0, 0, 1}, 1.2, 1.1});
  return scene;
}

}  // namespace

// Near a state that a run left in motion the wind is that of a rod at rest: wherever the run was stopped, the same equilibrium.
TEST(Wind, FromAStateInMotionLeadsToTheRodAtRest) {
  Scene scene = cantilever_in_wind();
  const Statics built = solved(scene);
  ASSERT_GT(built.state().x.back().z, 0.01);
  scene.rods[0].velocity = {0, 0, 3};
  for (const int steps : {2, 10, 60}) {
    SCOPED_TRACE(steps);
    Simulation simulation = simulate(scene);
    ASSERT_TRUE(simulation.run(steps * scene.dt).accepted());
    Statics statics{Model(scene)};
    statics.restore(simulation.checkpoint(), "file");
    StaticOptions options;
    options.near_state = true;
    const StaticReport report = statics.solve(options);
    ASSERT_TRUE(report.converged()) << report.cause;
    EXPECT_LT(norm(statics.state().x.back() - built.state().x.back()), 1e-7);
    EXPECT_EQ(norm(statics.state().v.back()), 0);
  }
}
