// A scene at rest stays at rest.
#include "contract/contract.h"
#include "contract/contract_scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

using Rest = Keeps<Property::rest>;

constexpr int steps = 1000;
constexpr double dt = 1e-2;  // s

// Largest way of a node, over the length of the first rod.
double drift(const Simulation& simulation, const State& before) {
  double largest = 0;
  for (std::size_t i = 0; i < before.x.size(); ++i) largest = std::max(largest, norm(simulation.state().x[i] - before.x[i]));
  return largest / simulation.model().rods()[0].length;
}

// Largest turn of a segment, rad.
double turn(const Simulation& simulation, const State& before) {
  double largest = 0;
  for (std::size_t i = 0; i < before.q.size(); ++i)
    largest = std::max(largest, norm(log_rotation(conj(before.q[i]) * simulation.state().q[i])));
  return largest;
}

TEST_P(Rest, AnUnstressedSceneDoesNotMove) {
  for (const NamedScene& named : scenes_at_rest()) {
    if (!supports(named.needs)) continue;
    SCOPED_TRACE(named.name);
    Simulation simulation = start(named.scene);
    const State before = simulation.state();
    take_steps(simulation, steps, dt);
    EXPECT_LT(drift(simulation, before), tolerance::rest_drift);
    EXPECT_LT(turn(simulation, before), tolerance::rest_drift);
  }
}

TEST_P(Rest, ALoadedRodThatHasSettledStaysThere) {
  Scene scene = ribbon();
  scene.gravity = {0, 0, -9.81};
  scene.rods[0].initial_twist = 1;
  clamp(scene, "rod.start");
  Simulation simulation = start(scene);
  const StepReport report = simulation.settle();
  ASSERT_TRUE(report.accepted()) << report.cause;
  const State before = simulation.state();
  ASSERT_LT(before.x.back().z, -0.5) << "it has not fallen";
  take_steps(simulation, steps, dt);
  EXPECT_LT(drift(simulation, before), tolerance::settled_drift);
}

WRITHE_EVERY_SOLVER(Rest);

}  // namespace
