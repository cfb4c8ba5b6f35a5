// Rods that begin in each other or in an obstacle, by less than a radius, and those that begin touching: they keep the distance
// that they have, and come apart at ten radii a second.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "contact/contacts.h"
#include "contact/thinning.h"
#include "support/scenes.h"
#include "support/statics.h"

using namespace writhe;
using namespace writhe::test;

namespace {

constexpr double radius = 0.005;               // m
constexpr double activation = 0.015 * radius;  // m
constexpr double rate = 10 * radius;           // m/s
constexpr double gravity = 9.81;               // m/s^2

// Two rods across each other, neither held.
Scene crossed(double apart, Integrator integrator = Integrator::euler) {
  Scene scene = Cord{.length = 0.2, .radius = radius, .segments = 20}.scene();
  scene.rods.push_back(scene.rods[0]);
  scene.rods[1].name = "other";
  scene.rods[1].centreline = LineShape{{0.1, -0.1, apart}, {0.1, 0.1, apart}};
  scene.contact.between = Contact::Between::all;
  scene.dt = 1e-3;
  scene.until = 0.1;
  scene.solver.integrator = integrator;
  scene.solver.tolerance = 1e-9;
  return scene;
}

Scene on_a_plane(double height) {
  Scene scene = Cord{.length = 0.2, .radius = radius, .segments = 20}.scene();
  scene.rods[0].centreline = LineShape{{0, 0, height}, {0.2, 0, height}};
  scene.gravity = {0, 0, -gravity};
  scene.dt = 1e-3;
  scene.damping.mass = 20;
  scene.solver.tolerance = 1e-9;
  scene.obstacles.push_back({"floor", PlaneObstacle{}, {}});
  return scene;
}

double distance(const State& state) { return state.x[31].z - state.x[10].z; }  // of the middles, m

}  // namespace

// Depth and what is left of the barrier's gap, at first; and nothing of that when it has gone by.
TEST(ContactThinning, GoesAtItsRate) {
  contact::Thinning thinning;
  thinning.see({0, 1, -1}, -0.003, activation, radius);
  thinning.see({0, 1, -1}, -0.001, activation, radius);            // less deep, of the same two
  thinning.see({0, -1, 0}, 0.9 * activation, activation, radius);  // pressed as usual
  const double first = 0.003 + 0.5 * activation;
  EXPECT_DOUBLE_EQ(thinning.of({0, 1, -1}, 0), first);
  EXPECT_DOUBLE_EQ(thinning.of({0, 1, -1}, 0.01), first - 0.01 * rate);
  EXPECT_EQ(thinning.of({0, 1, -1}, 0.1), 0);
  EXPECT_EQ(thinning.of({0, -1, 0}, 0), 0);
  EXPECT_EQ(thinning.of({1, 1, -1}, 0), 0);
  EXPECT_DOUBLE_EQ(thinning.last(), first / rate);
}

TEST(ContactThinning, RodsThatBeginInEachOtherComeApart) {
  for (const Integrator integrator : {Integrator::euler, Integrator::midpoint}) {
    SCOPED_TRACE(integrator == Integrator::euler ? "euler" : "midpoint");
    Simulation simulation = simulate(crossed(0.007, integrator));
    for (int i = 1; i <= 100; ++i) {
      const StepReport report = simulation.step(1e-3);
      ASSERT_TRUE(report.accepted()) << i << " " << report.cause;
      const double before = 0.003 + 0.5 * activation - rate * simulation.state().time;  // what is left to be gained
      EXPECT_GT(distance(simulation.state()), 2 * radius - std::max(before, 0.0)) << i;
    }
    // no faster than they were pressed apart
    EXPECT_LT(distance(simulation.state()), 2 * radius + 2 * rate * 0.1);
    EXPECT_LT(simulation.energies().kinetic, simulation.model().rods()[0].mass * rate * rate);
  }
}

TEST(ContactThinning, ALongStepIsAllowed) {
  Simulation simulation = simulate(crossed(0.007));
  const StepReport report = simulation.step(0.5);
  ASSERT_TRUE(report.accepted()) << report.cause;
  EXPECT_GT(distance(simulation.state()), 2 * radius);
}

TEST(ContactThinning, GoingOnGivesTheSameBits) {
  Simulation whole = simulate(crossed(0.007)), first = simulate(crossed(0.007)), second = simulate(crossed(0.007), 2);
  ASSERT_TRUE(whole.run(0.06).accepted());
  ASSERT_TRUE(first.run(0.03).accepted());
  second.restore(first.checkpoint(), "first");
  ASSERT_TRUE(second.run(0.06).accepted());
  for (std::size_t i = 0; i < whole.state().x.size(); ++i) {
    const Vec3 a = whole.state().x[i], b = second.state().x[i];
    EXPECT_TRUE(a.x == b.x && a.y == b.y && a.z == b.z) << i;
  }
}

// Built to touch to the last bit, in the floor by a part of the radius, and by all of it: the same rest, whatever leads there.
TEST(ContactThinning, WhatLiesOnAPlaneComesToRestOnIt) {
  std::vector<double> heights;
  for (const double built : {radius, 0.4 * radius, 0.0}) {
    SCOPED_TRACE(built);
    const Scene scene = on_a_plane(built);
    Simulation simulation = simulate(scene);
    const StepReport report = simulation.settle();
    ASSERT_TRUE(report.accepted()) << report.cause;
    ASSERT_TRUE(simulation.at_rest());
    contact::Contacts contacts(simulation.model());
    contacts.read(simulation.state());
    const double weight = simulation.model().rods()[0].mass * gravity;
    EXPECT_NEAR(contacts.on_rod(0).z, weight, 1e-6 * weight);
    heights.push_back(simulation.state().x[10].z);
    heights.push_back(solved(scene).state().x[10].z);
  }
  for (const double height : heights) {
    EXPECT_GT(height, radius);
    EXPECT_NEAR(height, heights.front(), 1e-6 * radius);
  }
}

TEST(ContactThinning, LoadsAreFollowedToWhereAllHaveTheirDistance) {
  Scene scene = on_a_plane(0.4 * radius);
  const Model model(scene);
  const double last = (0.6 * radius + 0.5 * activation) / rate;
  EXPECT_NEAR(contact::last_change(model), last, 1e-9);
  EXPECT_NEAR(solved(scene).state().time, last, 1e-9);
  scene.rods[0].centreline = LineShape{{0, 0, 1.01 * radius}, {0.2, 0, 1.01 * radius}};
  EXPECT_EQ(contact::last_change(Model(scene)), 0);
}
