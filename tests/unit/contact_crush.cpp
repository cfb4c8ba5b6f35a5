// What is prescribed and leaves a rod no room ends runs and paths, and is named.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

constexpr double radius = 0.005;  // m

Motion down(double speed) {
  Motion motion;
  motion.translate.keys = {{0, {}}, {1, {0, 0, -speed}}};
  return motion;
}

Scene lying() {
  Scene scene = Cord{.length = 0.2, .radius = radius, .segments = 20}.scene();
  scene.rods[0].centreline = LineShape{{0, 0, 0}, {0.2, 0, 0}};
  scene.gravity = {0, 0, -9.81};
  scene.dt = 1e-3;
  scene.until = 1;
  scene.damping.mass = 20;
  scene.solver.tolerance = 1e-6;
  scene.obstacles.push_back({"floor", PlaneObstacle{{0, 0, -1.02 * radius}, {0, 0, 1}}, {}});
  return scene;
}

Obstacle press(double bottom) {  // m
  BoxObstacle box;
  box.centre = {0.1, 0, bottom + 0.02};
  box.size = {0.4, 0.4, 0.04};
  return {"press", box, down(0.05)};
}

std::string end_of_run(const Scene& scene) {
  Simulation simulation = simulate(scene);
  const StepReport report = simulation.run(scene.until);
  return report.accepted() ? "accepted" : report.cause;
}

std::string end_of_path(const Scene& scene) {
  Statics statics{Model(scene)};
  const StaticReport report = statics.solve({});
  return report.converged() ? "converged" : report.cause;
}

void expect_told(const Scene& scene, const std::string& what) {
  EXPECT_EQ(end_of_run(scene), what + ", and no step can satisfy that; move one of them elsewhere");
  const std::string path = end_of_path(scene);
  EXPECT_NE(path.find(what + "; move one of them elsewhere"), std::string::npos) << path;
}

}  // namespace

TEST(ContactCrush, BetweenTwoObstacles) {
  Scene scene = lying();
  scene.obstacles.push_back(press(2 * radius));
  expect_told(scene, "rod is crushed between the obstacles 'floor' and 'press'");
}

TEST(ContactCrush, AStackOfRods) {
  Scene scene = lying();
  scene.rods.push_back(scene.rods[0]);
  scene.rods[1].name = "upper";
  scene.rods[1].centreline = LineShape{{0.1, -0.1, 2.02 * radius}, {0.1, 0.1, 2.02 * radius}};
  scene.contact.between = Contact::Between::all;
  scene.obstacles.push_back(press(3.2 * radius));
  expect_told(scene, "rod, upper are crushed between the obstacles 'floor' and 'press'");
}

// Held along one axis only: else it would be told before the first step.
TEST(ContactCrush, BetweenASupportAndAnObstacle) {
  Scene scene = lying();
  pin(scene, "rod.start", "z");
  scene.supports[0].motion = down(0.05);
  expect_told(scene, "rod is crushed between the obstacle 'floor' and what is held by pin rod.start");
}

// Nothing is crushed where nothing moves, and a rod that may give way does.
TEST(ContactCrush, ARodThatMayGiveWay) {
  Scene scene = lying();
  scene.obstacles.erase(scene.obstacles.begin());
  scene.gravity = {};
  scene.obstacles.push_back(press(2 * radius));
  EXPECT_EQ(end_of_run(scene), "accepted");
}

// Drawn out over a bar: its points of contact lie too far apart in the end to keep it out.
TEST(ContactCrush, ARodThatIsDrawnOutTooFar) {
  Scene scene = lying();
  scene.gravity = {};
  scene.obstacles = {{"bar", CapsuleObstacle{{0.1, -0.1, -1.2 * radius}, {0.1, 0.1, -1.2 * radius}, 0.1 * radius}, {}}};
  pin(scene, "rod.start");
  pin(scene, "rod.end");
  for (const int end : {0, 1}) {
    Motion apart;
    apart.translate.keys = {{0, {}}, {1, {end == 0 ? -1.0 : 1.0, 0, -0.1}}};
    scene.supports[end].motion = apart;
  }
  scene.dt = 0.01;
  const std::string told = end_of_run(scene);
  EXPECT_NE(told.find("a rod is drawn to 8."), std::string::npos) << told;
  EXPECT_NE(told.find("slip between its points of contact; make it stiffer, or press it less"), std::string::npos) << told;
}
