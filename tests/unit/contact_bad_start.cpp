// What is refused, and what is warned of, before the first step.
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "contact/bad_start.h"
#include "contact/path_of_support.h"
#include "math/rotation.h"
#include "writhe/writhe.h"

using namespace writhe;
using namespace writhe::contact;

namespace {

constexpr double radius = 0.01;  // m

Scene crossed(double height) {
  Scene scene;
  scene.materials = {{"rubber", 1e6, 1300, 0.5, {}}};
  scene.sections = {{"cord", CircleSection{radius}}};
  for (const auto& [name, from, to] :
       {std::tuple{"a", Vec3{0, 0, 0}, Vec3{1, 0, 0}}, std::tuple{"b", Vec3{0.25, -0.5, height}, Vec3{0.25, 0.5, height}}}) {
    Rod rod;
    rod.name = name;
    rod.section = "cord";
    rod.material = "rubber";
    rod.centreline = LineShape{from, to};
    rod.segments = 10;
    scene.rods.push_back(rod);
  }
  return scene;
}

void add_obstacle(Scene& scene, decltype(Obstacle::shape) shape) {
  Obstacle obstacle;
  obstacle.name = "it" + std::to_string(scene.obstacles.size());
  obstacle.shape = std::move(shape);
  scene.obstacles.push_back(obstacle);
}

StartReport look(const Scene& scene) {
  const Model model(scene);
  return look_at_start(model, model.initial_state(), scene.until);
}

std::string refusal(const Scene& scene) {
  try {
    const Simulation simulation{Model(scene)};
    return "accepted";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(BadStart, DeeperThanARadiusIsRefusedByPlacesAndDistance) {
  Scene scene = crossed(0.009);
  EXPECT_EQ(refusal(scene), "accepted") << "contact is off";
  scene.contact.between = Contact::Between::all;
  EXPECT_EQ(
      refusal(scene),
      "rods.a.centreline: a@0.25 and b@0.5: these places begin 0.009 m apart, and touch at 0.02 m: they are in each other by "
      "more than a radius; move them apart, or leave these rods out of contact");
  EXPECT_THROW(Statics{Model(scene)}, Error);
}

TEST(BadStart, LessDeepIsAWarning) {
  Scene scene = crossed(0.0125);
  scene.contact.between = Contact::Between::all;
  const StartReport report = look(scene);
  EXPECT_TRUE(report.errors.empty());
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(report.warnings[0].field, "rods.a.centreline");
  EXPECT_EQ(report.warnings[0].value, "a@0.25 and b@0.5");
  EXPECT_NE(report.warnings[0].message.find("one place, by up to 0.0075 m, here;"), std::string::npos)
      << report.warnings[0].message;
  scene = crossed(0.02);
  scene.contact.between = Contact::Between::all;
  EXPECT_TRUE(look(scene).warnings.empty()) << "they touch";
}

TEST(BadStart, ARodInAnObstacle) {
  Scene scene = crossed(0.5);
  add_obstacle(scene, PlaneObstacle{{0, 0, -0.004}, {0, 0, 1}});
  StartReport report = look(scene);
  EXPECT_TRUE(report.errors.empty());
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].message.find("by up to 0.006 m, here;"), std::string::npos) << report.warnings[0].message;
  add_obstacle(scene, SphereObstacle{{0.25, 0.5, 0.5}, 0.1});
  report = look(scene);
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_EQ(report.errors[0].value, "b@1");
  EXPECT_NE(report.errors[0].message.find("'it1': it reaches 0.11 m deep"), std::string::npos) << report.errors[0].message;
  EXPECT_EQ(refusal(scene).find("rods.b.centreline: b@1: begins in the obstacle 'it1'"), 0u);
}

// An axis that goes through a sheet is nowhere deeper than its radius in it.
TEST(BadStart, ThroughAnOpenSurface) {
  Scene scene = crossed(0.5);
  MeshObstacle sheet;
  sheet.points = {{0.4, -1, -1}, {0.4, 1, -1}, {0.4, 0, 1}};
  sheet.triangles = {{0, 1, 2}};
  add_obstacle(scene, sheet);
  EXPECT_EQ(look(scene).errors.size(), 1u);
}

TEST(BadStart, AtMostTwentyPlacesAreTold) {
  Scene scene = crossed(0.5);
  for (int i = 0; i < 30; ++i) add_obstacle(scene, SphereObstacle{{0.03 * i + 0.05, 0, 0}, 0.012});
  const StartReport report = look(scene);
  ASSERT_EQ(report.errors.size(), 21u);
  EXPECT_EQ(report.errors.back().message, "and 10 more such places");
}

TEST(BadStart, MeshesThatAreNotWhole) {
  Scene scene = crossed(0.5);
  MeshObstacle mesh;  // far away: a square of two triangles, one of them twice, one of two points, one without area
  mesh.file = "square.obj";
  mesh.points = {{9, 0, 0}, {9, 1, 0}, {9, 1, 1}, {9, 0, 1}, {9, 0.5, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {3, 0, 2}, {0, 0, 1}, {0, 4, 1}};
  add_obstacle(scene, mesh);
  const StartReport report = look(scene);
  ASSERT_EQ(report.warnings.size(), 3u);
  for (const Problem& warning : report.warnings) EXPECT_EQ(warning.value, "square.obj");
  // Edges 12 23 30 of the square, and 04 41 of the flat triangle, whose third is that of the square.
  EXPECT_EQ(report.warnings[0].message.find("5 of its edges"), 0u) << report.warnings[0].message;
  EXPECT_EQ(report.warnings[1].message.find("2 of its triangles have two corners"), 0u) << report.warnings[1].message;
  EXPECT_EQ(report.warnings[2].message.find("1 of its triangles have no area"), 0u) << report.warnings[2].message;
}

// ---- what is held ----------------------------------------------------------------------------------------------------
Scene held() {
  Scene scene = crossed(0.5);
  scene.rods.resize(1);
  Support support;
  support.at = Place::parse("a.start");
  scene.supports = {support};
  return scene;
}

// A sphere of radius 0.1 m comes from 0.5 m above at 0.4 m/s: it is 0.1 radii deep in the rod when its centre is 0.109 m above.
TEST(BadStart, AnObstacleThatRunsOverASupport) {
  Scene scene = held();
  add_obstacle(scene, SphereObstacle{{0, 0, 0.5}, 0.1});
  scene.obstacles[0].motion.emplace().translate.keys = {{0, {0, 0, 0}}, {2, {0, 0, -0.8}}};
  const std::vector<RunOver> found = run_overs(Model(scene), 2);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].time, (0.5 - 0.109) / 0.4, 1e-3);
  EXPECT_TRUE(run_overs(Model(scene), 0.9).empty()) << "the run ends before";
  scene.supports[0].axes = "xy";
  EXPECT_TRUE(run_overs(Model(scene), 2).empty()) << "it can give way";
  scene.supports[0].axes = "xyz";
  scene.until = 2;
  EXPECT_NE(refusal(scene).find("supports[0]: pin a.start: at t = 0.97"), std::string::npos) << refusal(scene);
}

// A support that moves into a wall, and one that is carried round a turning one with it.
TEST(BadStart, ASupportThatMovesIntoAnObstacle) {
  Scene scene = held();
  add_obstacle(scene, PlaneObstacle{{0, 0, -0.2}, {0, 0, 1}});
  scene.supports[0].motion.emplace().translate.keys = {{0, {0, 0, 0}}, {1, {0, 0, -1}}};
  const std::vector<RunOver> found = run_overs(Model(scene), 1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].time, 0.2 - 0.9 * radius, 1e-3);

  Motion turn;
  turn.axis = {0, 1, 0};
  turn.about = Vec3{0.3, 0, 0};
  turn.angle.keys = {{0, 0}, {1, 20}};
  scene.supports[0].motion = turn;
  scene.obstacles[0].motion = turn;
  EXPECT_TRUE(run_overs(Model(scene), 1).empty());
  scene.obstacles[0].motion.reset();
  EXPECT_FALSE(run_overs(Model(scene), 1).empty());
}

TEST(BadStart, AnObstacleMayTurnByAQuarterInAStep) {
  Scene scene = crossed(0.5);
  scene.adaptive = true;  // or it would be refused before the first step
  add_obstacle(scene, SphereObstacle{{0, 0, 50}, 0.1});
  scene.obstacles[0].motion.emplace().angle.keys = {{0, 0}, {1, 2 * pi}};
  Simulation simulation{Model(scene)};
  const StepReport report = simulation.step(0.3);
  EXPECT_FALSE(report.accepted());
  EXPECT_EQ(report.cause.find("the obstacle 'it0' turns by 0.3 turns in this step"), 0u) << report.cause;
  EXPECT_TRUE(simulation.step(0.2).accepted());
}

// Small and fast: between two moments 1/16 of the way apart it has come and gone.
TEST(BadStart, NothingIsMissedBetweenTwoLooks) {
  Scene scene = held();
  add_obstacle(scene, SphereObstacle{{0.05, 0, 5}, 0.045});
  scene.obstacles[0].motion.emplace().translate.keys = {{0, {0, 0, 0}}, {1, {0, 0, -10}}};
  EXPECT_EQ(run_overs(Model(scene), 1).size(), 1u);
  scene.obstacles[0].shape = SphereObstacle{{0.05, 0, 5}, 0.039};
  EXPECT_TRUE(run_overs(Model(scene), 1).empty()) << "it passes beside it";
}

}  // namespace
