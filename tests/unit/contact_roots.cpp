// Rods that are held where they begin in an obstacle: clamped in a wall, lying with an end held in the floor.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "contact/bad_start.h"
#include "contact/contacts.h"
#include "contact/roots.h"
#include "support/scenes.h"
#include "support/statics.h"

using namespace writhe;
using namespace writhe::test;

namespace {

constexpr double radius = 0.005;  // m

// Straight out of a wall at x = 0, from that far in front of it; held there or not.
Scene out_of_a_wall(double from, bool held) {
  Scene scene = Cord{.length = 0.2, .radius = radius, .segments = 20}.scene();
  scene.rods[0].centreline = LineShape{{from, 0, 0}, {from + 0.2, 0, 0}};
  scene.gravity = {0, 0, -9.81};
  scene.damping.mass = 5;
  scene.dt = 1e-3;
  if (held) clamp(scene, "rod.start");
  scene.obstacles.push_back({"wall", PlaneObstacle{{}, {1, 0, 0}}, {}});
  return scene;
}

std::vector<contact::Root> roots_of(const Scene& scene) {
  const Model model(scene);
  std::vector<contact::ObstacleShape> shapes;
  for (const Obstacle& obstacle : model.scene().obstacles) shapes.emplace_back(obstacle);
  const contact::Roots roots(model, contact::Spans(model), shapes);
  const auto of = roots.of(0, 0);
  return {of.begin(), of.end()};
}

}  // namespace

TEST(ContactRoots, AreWhereAHeldPlaceTouches) {
  ASSERT_EQ(roots_of(out_of_a_wall(0, true)).size(), 1);
  const contact::Root root = roots_of(out_of_a_wall(0, true))[0];
  EXPECT_TRUE(root.has(0.99 * pi * radius));
  EXPECT_FALSE(root.has(1.01 * pi * radius));
  EXPECT_EQ(roots_of(out_of_a_wall(radius, true)).size(), 1);  // touching
  EXPECT_TRUE(roots_of(out_of_a_wall(1.1 * radius, true)).empty());
  EXPECT_TRUE(roots_of(out_of_a_wall(0, false)).empty());
}

TEST(ContactRoots, GoRoundARing) {
  const contact::Root root{0, 0, 0.01, 0.02, 1};
  EXPECT_TRUE(root.has(0.995));
  EXPECT_TRUE(root.has(-0.005));
  EXPECT_FALSE(root.has(0.97));
}

// It hangs down from the wall as it does from nothing, and nobody is warned.
TEST(ContactRoots, ARodClampedInAWallIsACantilever) {
  Scene scene = out_of_a_wall(0, true);
  EXPECT_TRUE(contact::look_at_start(Model(scene), Model(scene).initial_state(), 1).warnings.empty());
  const State there = solved(scene).state();
  scene.obstacles.clear();
  const State alone = solved(scene).state();
  ASSERT_EQ(there.x.size(), alone.x.size());
  for (std::size_t i = 0; i < there.x.size(); ++i) EXPECT_NEAR(norm(there.x[i] - alone.x[i]), 0, 1e-9);
}

TEST(ContactRoots, ARodClampedInAWallSwings) {
  for (const Integrator integrator : {Integrator::euler, Integrator::midpoint}) {
    SCOPED_TRACE(integrator == Integrator::euler ? "euler" : "midpoint");
    Scene scene = out_of_a_wall(0, true);
    scene.solver.integrator = integrator;
    Simulation simulation = simulate(scene);
    for (int i = 0; i < 50; ++i) {
      const StepReport report = simulation.step(1e-3);
      ASSERT_TRUE(report.accepted()) << report.cause;
    }
    EXPECT_EQ(simulation.energies().contact, 0);
  }
}

// Farther along the wall counts: a rod that is bent down onto a floor in which its end is held rests on it.
TEST(ContactRoots, FartherAlongTheRodTheObstacleCounts) {
  Scene scene = Cord{.length = 0.3, .radius = radius, .segments = 30}.scene();
  scene.rods[0].centreline = LineShape{{0, 0, 0.5 * radius}, {0.3, 0, 0.5 * radius}};
  scene.gravity = {0, 0, -9.81};
  scene.damping.mass = 20;
  clamp(scene, "rod.start");
  scene.obstacles.push_back({"floor", PlaneObstacle{}, {}});
  scene.dt = 1e-3;
  Simulation simulation = simulate(scene);
  for (int i = 0; i < 400; ++i) {
    const StepReport report = simulation.step(1e-3);
    ASSERT_TRUE(report.accepted()) << i << " " << report.cause;
  }
  contact::Contacts contacts(simulation.model());
  contacts.read(simulation.state());
  EXPECT_GT(contacts.least_gap(), 0);
  EXPECT_GT(contacts.on_rod(0).z, 0);
  for (std::size_t k = 4; k < simulation.state().x.size(); ++k) EXPECT_GT(simulation.state().x[k].z, radius) << k;
}
