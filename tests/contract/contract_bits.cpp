// The same scene gives the same bits: on any number of threads, and interrupted or not.
#include <string>
#include <vector>

#include "contract/contract.h"
#include "contract/contract_scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

using Threads = Keeps<Property::threads>;

TEST_P(Threads, TheirNumberDoesNotChangeABit) {
  const auto run = [this](const Scene& scene, int threads) {
    Simulation simulation = start(scene, threads);
    take_steps(simulation, 60, 2e-3);
    return simulation.state();
  };
  for (const Scene& scene : {flock(), comb()}) {
    const State one = run(scene, 1);
    for (const int threads : {2, 4})
      EXPECT_TRUE(bits(one) == bits(run(scene, threads))) << scene.rods.size() << " rods on " << threads << " threads";
  }
}

using Resume = Keeps<Property::resume>;

constexpr int steps = 60;

// Steps of changing length: what a solver carries from one to the next shows.
double dt_of(int step) { return step % 7 == 0 ? 1e-3 : 2e-3; }

void take(Simulation& simulation, int from, int to) {
  for (int k = from; k < to; ++k) take_steps(simulation, 1, dt_of(k));
}

std::vector<NamedScene> scenes_to_interrupt() {
  Scene hoop = ring(), cross = net(), pair = linked();
  hoop.gravity = cross.gravity = pair.gravity = {0, 0, -9.81};
  clamp(pair, "rod.start");
  Scene frame = bracket(true);
  frame.gravity = hoop.gravity;
  frame.rods[0].closing_motion.keys = {{0, 0}, {0.1, 1}};
  pin(hoop, "rod.start");
  pin(frame, "rod.start");
  clamp(cross, "arm0.end");
  return {{"swinging", swinging()},
          {"a flock", flock()},
          {"a comb", comb()},
          {"a ring", hoop, Feature::rings},
          {"a net", cross, Feature::nets},
          {"linked", pair, Feature::links},
          {"a frame with corners", frame, Feature::corners}};
}

TEST_P(Resume, AnInterruptedRunEndsWithTheSameBits) {
  for (const NamedScene& named : scenes_to_interrupt()) {
    if (!supports(named.needs)) continue;
    SCOPED_TRACE(named.name);
    Simulation straight = start(named.scene);
    take(straight, 0, steps);
    for (const int interruption : {0, 1, 29, steps}) {
      SCOPED_TRACE(interruption);
      Simulation first = start(named.scene), second = start(named.scene, 2);
      take(first, 0, interruption);
      second.restore(first.checkpoint(), "a checkpoint");
      EXPECT_TRUE(bits(first.state()) == bits(second.state())) << "what was restored is not what was saved";
      take(second, interruption, steps);
      EXPECT_TRUE(bits(straight.state()) == bits(second.state())) << "resumed";
      take(first, interruption, steps);
      EXPECT_TRUE(bits(straight.state()) == bits(first.state())) << "the checkpoint has disturbed the run it was taken of";
    }
  }
}

// The same for run(), which chooses its steps itself; the interruption falls between two of them.
TEST_P(Resume, ARunGoesOnWithItsOwnSteps) {
  const Scene scene = swinging();
  const double until = 0.1003;  // s: no whole number of steps
  Simulation straight = start(scene), first = start(scene), second = start(scene);
  ASSERT_TRUE(straight.run(until).accepted());
  int left = 23;
  ASSERT_TRUE(first.run(until, [&left](const StepReport&) { return --left > 0; }).accepted());
  ASSERT_LT(first.state().time, until / 2);
  second.restore(first.checkpoint(), "a checkpoint");
  ASSERT_TRUE(second.run(until).accepted());
  EXPECT_TRUE(bits(straight.state()) == bits(second.state()));
}

WRITHE_EVERY_SOLVER(Threads);
WRITHE_EVERY_SOLVER(Resume);

}  // namespace
