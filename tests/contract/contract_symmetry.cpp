// Space has no preferred place, direction or hand: the scene carried along gives the result carried along.
#include "contract/contract.h"
#include "contract/contract_scenes.h"
#include "support/isometry.h"

using namespace writhe;
using namespace writhe::test;

namespace {

constexpr int steps = 200;

// q and -q are one orientation.
double distance(const Quat& a, const Quat& b) { return norm(log_rotation(conj(a) * b)); }

void expect_same(const State& expected, const State& found, double length, double limit) {
  double way = 0, turn = 0;
  for (std::size_t i = 0; i < expected.x.size(); ++i) way = std::max(way, norm(found.x[i] - expected.x[i]));
  for (std::size_t i = 0; i < expected.q.size(); ++i) turn = std::max(turn, distance(expected.q[i], found.q[i]));
  EXPECT_LT(way / length, limit) << "positions";
  EXPECT_LT(turn, limit) << "orientations, rad";
}

// Runs the scene here and there; the scene has to move far enough for the comparison to mean something.
template <class Start>
void compare(const Start& start, const Scene& scene, const Isometry& to, double limit) {
  Simulation here = start(scene), there = start(moved(scene, to));
  const State initial = here.state();
  const double length = here.model().rods()[0].length;
  expect_same(moved(initial, to), there.state(), length, tolerance::rounding);
  take_steps(here, steps, scene.dt);
  take_steps(there, steps, scene.dt);
  EXPECT_GT(norm(here.state().x.back() - initial.x.back()), 0.2 * length) << "it has hardly moved";
  const int last = here.model().segment_count() - 1;
  EXPECT_GT(distance(here.state().q[last], initial.q[last]), 0.5) << "it has hardly turned";
  expect_same(moved(here.state(), to), there.state(), length, limit);
}

std::vector<NamedScene> scenes_in_motion() {
  Scene falling_ring = ring(), falling_net = net(), falling_pair = linked();
  Scene swinging_bracket = bracket(), falling_frame = bracket(true);
  clamp(falling_pair, "rod.start");
  clamp(swinging_bracket, "rod.start");
  pin(falling_frame, "rod.node[10]");
  for (Scene* scene : {&falling_ring, &falling_net, &falling_pair, &swinging_bracket, &falling_frame}) {
    scene->gravity = {0.5, 0.3, -9.81};
    scene->dt = 2e-3;
  }
  falling_ring.rods[0].initial_twist = falling_ring.rods[0].closing_angle = 1;
  // so that it does not fold flat at the pin
  falling_ring.rods[0].segments = 48;
  falling_ring.materials[0].young = falling_frame.materials[0].young = 1e7;
  pin(falling_ring, "rod.node[10]");
  clamp(falling_net, "arm1.end");
  return {{"swinging", swinging()},
          {"a falling ring", falling_ring, Feature::rings},
          {"a falling net", falling_net, Feature::nets},
          {"a falling pair, linked", falling_pair, Feature::links},
          {"swinging with corners", swinging_bracket, Feature::corners},
          {"a falling frame", falling_frame, Feature::corners}};
}

// Moved by about a length: rounding errors of the positions grow with their size.
const Isometry motion{exp_rotation(Vec3{0.7, -1.9, 0.4}), {0.3, -0.8, 0.5}, false};

using Symmetry = Keeps<Property::symmetry>;

TEST_P(Symmetry, AMovedAndTurnedSceneGivesTheMovedAndTurnedResult) {
  for (const NamedScene& named : scenes_in_motion()) {
    if (!supports(named.needs)) continue;
    SCOPED_TRACE(named.name);
    compare([this](const Scene& scene) { return start(scene); }, named.scene, motion, GetParam().symmetry_tolerance);
  }
}

using Mirror = Keeps<Property::mirror>;

TEST_P(Mirror, AMirroredSceneGivesTheMirroredResult) {
  for (const NamedScene& named : scenes_in_motion()) {
    if (!supports(named.needs)) continue;
    SCOPED_TRACE(named.name);
    compare([this](const Scene& scene) { return start(scene); }, named.scene, {.mirrors = true}, GetParam().symmetry_tolerance);
  }
}

WRITHE_EVERY_SOLVER(Symmetry);
WRITHE_EVERY_SOLVER(Mirror);

}  // namespace
