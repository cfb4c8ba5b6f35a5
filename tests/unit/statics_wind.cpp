// Equilibria in the wind, which pushes by how fast a rod moves in it and has no potential.
#include <algorithm>
#include <cmath>
#include <utility>
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

// A slender line that hangs from its start under its weight, in a wind across.
Scene hanging_in_wind(double speed) {
  Cord cord;
  cord.radius = 0.002, cord.young = 1e8;
  cord.segments = 20;
  Scene scene = cord.scene();
  scene.rods[0].centreline = LineShape{{0, 0, 0}, {0, 0, -1}};
  scene.gravity = {0, 0, -9.81};
  load(scene, WindLoad{"", {speed, 0, 0}, 1.2, 1.1});
  return scene;
}

using Extremes = std::vector<std::pair<double, double>>;  // s, and how far on one side

// Of a swing in time, a number that a state has, between two times.
template <class Swing>
Extremes extremes_of(const Scene& scene, std::pair<double, double> between, const Swing& swing) {
  Simulation simulation = simulate(scene);
  EXPECT_TRUE(simulation.run(between.first).accepted());
  Extremes out;
  double before[2] = {0, 0};
  while (simulation.state().time < between.second) {
    const double time = simulation.state().time;
    EXPECT_TRUE(simulation.run(time + scene.dt).accepted());
    const double now = swing(simulation.state());
    if (before[1] > 0 && before[1] > before[0] && before[1] > now) out.emplace_back(time, before[1]);
    before[0] = std::exchange(before[1], now);
  }
  EXPECT_GE(out.size(), 3u);
  return out;
}

// 1/s: growth of a swing about an equilibrium, from two of its extremes on one side, whole periods apart.
double growth_measured(const Extremes& extremes) {
  const auto& [t0, first] = extremes.front();
  const auto& [t1, last] = extremes.back();
  return std::log(last / first) / (t1 - t0);
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

// A pinned line hangs before the wind rises: with all loads at once it turns, and nothing says which way.
TEST(Wind, ThatRisesFindsAPinnedLine) {
  Scene scene = hanging_in_wind(3);
  pin(scene, "rod.start");
  Statics at_once{Model(scene)};
  const StaticReport lost = at_once.solve();
  EXPECT_FALSE(lost.converged());
  EXPECT_NE(lost.cause.find("give them a ramp from 0, such as ramp: [[0, 0], [2, 1]]"), std::string::npos) << lost.cause;

  scene.loads[0].ramp.points = {{0, 0}, {2, 1}};
  EXPECT_GT(solved(scene).state().x.back().x, 0.1);

  scene.loads = {{ForceLoad{Place::parse("rod.end"), {1e-4, 0, 0}, true}, {}}};
  Statics follower{Model(scene)};
  EXPECT_EQ(follower.solve().cause.find("ramp"), std::string::npos);
}

// The rate of the lowest mode in the plane of the wind against that of a swing in steps of the midpoint rule, which damp nothing.
// What swings is read along the shape of the mode, so that others, which die down as slowly, hardly count.
TEST(Wind, DampsModesAsItDampsASwing) {
  Scene scene = cantilever_in_wind();
  scene.materials[0].density = 100;
  const Statics statics = solved(scene);
  const std::vector<Mode> modes = statics.modes(4);
  const auto mode =
      std::find_if(modes.begin(), modes.end(), [](const Mode& m) { return std::abs(m.x.back().z) > std::abs(m.x.back().y); });
  ASSERT_NE(mode, modes.end());

  scene.dt = 1e-2;
  scene.solver.integrator = Integrator::midpoint;
  const auto swing = [&](const State& state) {
    double sum = 0;
    for (std::size_t i = 0; i < state.x.size(); ++i)
      sum += statics.model().nodes().mass[i] * dot(mode->x[i], state.x[i] - statics.state().x[i]);
    return sum;
  };
  // from 10 s on it is small; steps of a hundredth of a radian know extremes to 1%
  EXPECT_NEAR(growth_measured(extremes_of(scene, {10, 22}, swing)) / mode->growth, 1, 0.02);
}

// A hanging line in a wind that carries it out: without what the wind resists it would flutter at a lower speed, with 0.7/s in
// one in which it lies still.
TEST(Wind, LetsNoLineFlutterThatItHolds) {
  Scene scene = hanging_in_wind(11.5);
  clamp(scene, "rod.start");
  scene.loads[0].ramp.points = {{0, 0}, {2, 1}};
  const Statics statics = solved(scene);
  EXPECT_GT(statics.state().x.back().x, 0.5);
  EXPECT_EQ(statics.stability().balance, Balance::stable);
  for (const Mode& mode : statics.modes(6)) EXPECT_LE(mode.growth, 0);
}

// Somewhat faster it does, slowly, and in steps of the midpoint rule as slowly: they damp nothing, and the wind has risen so
// gently that the swing is still small.
TEST(Wind, FluttersAsFastAsItsModes) {
  Scene scene = hanging_in_wind(12);
  clamp(scene, "rod.start");
  scene.loads[0].ramp.points = {{0, 0}, {20, 1}};
  const Statics statics = solved(scene);
  EXPECT_EQ(statics.stability().balance, Balance::unstable);
  const std::vector<Mode> modes = statics.modes(4);
  const auto fastest =
      std::max_element(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return a.growth < b.growth; });
  EXPECT_GT(fastest->frequency, 1);

  scene.dt = 4e-3;
  scene.solver.integrator = Integrator::midpoint;
  const auto swing = [&](const State& state) { return state.x.back().z - statics.state().x.back().z; };
  EXPECT_NEAR(growth_measured(extremes_of(scene, {24, 48}, swing)) / fastest->growth, 1, 0.1);
}
