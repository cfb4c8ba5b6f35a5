// A support is met exactly, wherever it has moved to. What is prescribed is computed here from the formulas of Motion
// (include/writhe/scene.h) with vectors alone.
#include <cmath>

#include "contract/contract.h"
#include "contract/contract_scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

using Supports = Keeps<Property::supports>;

constexpr double until = 0.2, dt = 2e-3;  // s
const Vec3 axis = normalized(Vec3{1, 2, -0.5});
const Vec3 centre{0.1, -0.2, 0.3};          // m, of the turn
const Vec3 way{0.05, 0.08, -0.02};          // m
constexpr double turn = 1.2, twist = -2.5;  // rad

Vec3 turned(const Vec3& v, const Vec3& about, double angle) {  // Rodrigues' formula
  return std::cos(angle) * v + std::sin(angle) * cross(about, v) + ((1 - std::cos(angle)) * dot(about, v)) * about;
}

// Half of the time everything moves, then it stays.
double progress(double time, Easing easing) {
  const double s = std::min(time / (until / 2), 1.0);
  return easing == Easing::linear ? s : easing == Easing::smooth ? s * s * (3 - 2 * s) : s * s * s * (10 - 15 * s + 6 * s * s);
}

Motion all_at_once(Easing easing) {
  Motion motion;
  motion.translate.keys = {{0, {0, 0, 0}}, {until / 2, way}};
  motion.axis = 3.0 * axis;
  motion.about = centre;
  motion.angle.keys = {{0, 0}, {until / 2, turn}};
  motion.twist.keys = {{0, 0}, {until / 2, twist}};
  motion.easing = easing;
  return motion;
}

void expect_met(const Vec3& found, const Vec3& prescribed, const char* what) {
  EXPECT_LT(norm(found - prescribed), tolerance::rounding) << what;
}

TEST_P(Supports, AMovingClampIsWhereItShouldBe) {
  for (const Easing easing : {Easing::linear, Easing::smooth, Easing::smoother}) {
    Scene scene = ribbon();
    scene.gravity = {0, 0, -9.81};
    // without any damping the free end cracks like a whip, too sharply for these segments
    if (GetParam().integrator_info.kind == Integrator::midpoint) scene.damping.internal = 1e-3;
    clamp(scene, "rod.start");
    scene.supports[0].tangent = Vec3{1, 0.2, 0};  // not as built: the clamp itself bends the rod
    scene.supports[0].motion = all_at_once(easing);
    Simulation simulation = start(scene);
    const Quat q = simulation.model().frames().q_initial[0];
    const Vec3 x = simulation.state().x[0], d1 = rotate(q, Vec3{1, 0, 0}), d3 = rotate(q, Vec3{0, 0, 1});
    expect_met(d3, normalized(Vec3{1, 0.2, 0}), "tangent as built");
    while (simulation.state().time < until - dt / 2) {
      take_steps(simulation, 1, dt);
      const State& state = simulation.state();
      const double s = progress(state.time, easing);
      expect_met(state.x[0], centre + turned(x - centre, axis, s * turn) + s * way, "position, m");
      const Quat frame = state.q[simulation.model().segment_count()];
      expect_met(rotate(frame, Vec3{0, 0, 1}), turned(d3, axis, s * turn), "d3");
      expect_met(rotate(frame, Vec3{1, 0, 0}), turned(turned(d1, d3, s * twist), axis, s * turn), "d1");
    }
  }
}

// Two of three coordinates of an inner node are led; the third is free and does move.
TEST_P(Supports, AMovingPinHoldsItsAxesAndNoOther) {
  Scene scene = ribbon();
  scene.gravity = {0, 9.81, 0};
  pin(scene, "rod@0.5", "xz");
  Motion motion;
  const Vec3 along{way.x, 0, way.z};
  motion.translate.keys = {{0, {0, 0, 0}}, {until / 2, along}};
  scene.supports[0].motion = motion;
  Simulation simulation = start(scene);
  const Vec3 x = simulation.state().x[10];
  while (simulation.state().time < until - dt / 2) {
    take_steps(simulation, 1, dt);
    const Vec3 now = simulation.state().x[10], prescribed = x + progress(simulation.state().time, Easing::linear) * along;
    EXPECT_NEAR(now.x, prescribed.x, tolerance::rounding);
    EXPECT_NEAR(now.z, prescribed.z, tolerance::rounding);
  }
  EXPECT_GT(simulation.state().x[10].y, 0.05) << "m: the free coordinate was held";
}

// What does not move is not moved by a bit.
TEST_P(Supports, AFixedSupportKeepsItsBits) {
  Scene scene = swinging();
  scene.supports.clear();
  clamp(scene, "rod.start");
  pin(scene, "rod.node[15]");
  Simulation simulation = start(scene);
  const State before = simulation.state();
  take_steps(simulation, 100, dt);
  const int frame = simulation.model().segment_count();
  for (const int node : {0, 15}) EXPECT_EQ(simulation.state().x[node], before.x[node]);
  EXPECT_EQ(simulation.state().q[frame], before.q[frame]);
}

WRITHE_EVERY_SOLVER(Supports);

}  // namespace
