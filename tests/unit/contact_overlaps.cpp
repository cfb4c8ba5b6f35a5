// Where rods and obstacles are in each other: by hand, and against dense sampling of random scenes.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "contact/overlaps.h"
#include "contact/span.h"
#include "math/rotation.h"
#include "writhe/writhe.h"

using namespace writhe;
using namespace writhe::contact;

namespace {

constexpr double radius = 0.01;  // m
constexpr double fine = 1e-6;    // share of the radius that counts

Scene bare() {
  Scene scene;
  scene.materials = {{"rubber", 1e6, 1300, 0.5, {}}};
  scene.sections = {{"cord", CircleSection{radius}}};
  return scene;
}

void add_rod(Scene& scene, const std::string& name, const Centreline& shape, int segments) {
  Rod rod;
  rod.name = name;
  rod.section = "cord";
  rod.material = "rubber";
  rod.centreline = shape;
  rod.segments = segments;
  scene.rods.push_back(rod);
}

void add_obstacle(Scene& scene, decltype(Obstacle::shape) shape) {
  Obstacle obstacle;
  obstacle.name = "it" + std::to_string(scene.obstacles.size());
  obstacle.shape = std::move(shape);
  scene.obstacles.push_back(obstacle);
}

Overlaps of_rods(const Scene& scene, Among among = Among::ignored) {
  const Model model(scene);
  return rod_overlaps(model, model.initial_state(), among, fine);
}

Overlaps of_obstacles(const Scene& scene) {
  const Model model(scene);
  return obstacle_overlaps(model, model.initial_state(), fine);
}

// Straight rods of 1 m, the second across the first at 0.3 m of it, so high above, at an angle.
Scene crossed(double height, double angle = pi / 2) {
  Scene scene = bare();
  add_rod(scene, "a", LineShape{{0, 0, 0}, {1, 0, 0}}, 7);
  const Vec3 half{0.5 * std::cos(angle), 0.5 * std::sin(angle), 0}, middle{0.3, 0, height};
  add_rod(scene, "b", LineShape{middle - half, middle + half}, 5);
  return scene;
}

// ---- rods ----------------------------------------------------------------------------------------------------------
TEST(Overlaps, TwoStraightRodsAcross) {
  for (const double angle : {pi / 2, 1.0, 0.2}) {
    const Overlaps found = of_rods(crossed(0.013, angle));
    ASSERT_EQ(found.places.size(), 1u) << angle;
    const Overlap& at = found.places[0];
    EXPECT_NEAR(at.depth, 2 * radius - 0.013, 1e-12);
    EXPECT_NEAR(at.distance, 0.013, 1e-12);
    EXPECT_NEAR(at.arc, 0.3, 1e-9);
    EXPECT_NEAR(at.other_arc, 0.5, 1e-9);
    EXPECT_EQ(at.rod, 0);
    EXPECT_EQ(at.other, 1);
    EXPECT_EQ(at.obstacle, -1);
    EXPECT_NEAR(at.radius, radius, 1e-15);
  }
  EXPECT_TRUE(of_rods(crossed(2 * radius)).places.empty()) << "they touch";
  EXPECT_TRUE(of_rods(crossed(0.5)).places.empty());
}

TEST(Overlaps, SideBySideIsOnePlace) {
  Scene scene = bare();
  add_rod(scene, "a", LineShape{{0, 0, 0}, {1, 0, 0}}, 30);
  add_rod(scene, "b", LineShape{{0.2, 0.015, 0}, {0.7, 0.015, 0}}, 23);
  const Overlaps found = of_rods(scene);
  ASSERT_EQ(found.places.size(), 1u);
  EXPECT_NEAR(found.places[0].depth, 0.005, 1e-12);
}

TEST(Overlaps, EveryCrossingIsAPlaceAndTheDeepestComesFirst) {
  Scene scene = bare();
  add_rod(scene, "a", LineShape{{0, 0, 0}, {1, 0, 0}}, 40);
  for (int i = 0; i < 3; ++i)
    add_rod(scene, std::string(1, static_cast<char>('b' + i)),
            LineShape{{0.2 + 0.2 * i, -0.1, 0.012 - 0.004 * i}, {0.2 + 0.2 * i, 0.1, 0.012 - 0.004 * i}}, 4);
  const Overlaps found = of_rods(scene);
  ASSERT_EQ(found.places.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(found.places[i].other, 3 - i);
    EXPECT_NEAR(found.places[i].depth, 2 * radius - 0.004 - 0.004 * i, 1e-12);
  }
}

TEST(Overlaps, OnlyAmongThoseThatAreAskedFor) {
  Scene scene = crossed(0.01);
  EXPECT_TRUE(of_rods(scene, Among::touching).places.empty());
  scene.contact.self = true;
  EXPECT_EQ(of_rods(scene, Among::ignored).places.size(), 1u);
  EXPECT_TRUE(of_rods(scene, Among::touching).places.empty());
  scene.contact.between = Contact::Between::pairs;
  scene.contact.pairs = {{"b", "a"}};
  EXPECT_TRUE(of_rods(scene, Among::ignored).places.empty());
  EXPECT_EQ(of_rods(scene, Among::touching).places.size(), 1u);
  scene.contact.between = Contact::Between::all;
  EXPECT_TRUE(of_rods(scene, Among::ignored).places.empty());
  EXPECT_EQ(of_rods(scene, Among::touching).places.size(), 1u);
}

TEST(Overlaps, ThicknessTakesThePlaceOfBothRadii) {
  Scene scene = crossed(0.03);
  scene.contact.thickness = 0.034;
  const Overlaps found = of_rods(scene);
  ASSERT_EQ(found.places.size(), 1u);
  EXPECT_NEAR(found.places[0].depth, 0.004, 1e-12);
  EXPECT_NEAR(found.places[0].radius, 0.017, 1e-15);
  scene.contact.thickness = 0.029;
  EXPECT_TRUE(of_rods(scene).places.empty());
}

// Segments much shorter than the radius, and much longer.
TEST(Overlaps, ARodIsNotInItselfWhereItIsStraightOrGentlyBent) {
  for (const int segments : {1, 4, 30, 1000}) {
    Scene scene = bare();
    add_rod(scene, "line", LineShape{{0, 0, 0}, {1, 0, 0}}, segments);
    EXPECT_TRUE(of_rods(scene).places.empty()) << segments;
    if (segments < 30) continue;
    Scene bent = bare();
    add_rod(bent, "arc", ArcShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.05, 4}, segments);
    add_rod(bent, "ring", RingShape{{1, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.03}, segments);
    EXPECT_TRUE(of_rods(bent).places.empty()) << segments;
  }
}

// Two legs joined by a half circle: in each other along the legs, whatever the mesh, also where both are in few segments.
TEST(Overlaps, AHairpinIsInItself) {
  for (const int segments : {24, 200}) {
    Scene scene = bare();
    std::vector<Vec3> points{{0, 0.008, 0}, {0.5, 0.008, 0}};
    for (int i = 1; i < 12; ++i)
      points.push_back({0.5 + 0.15 * std::sin(pi * i / 12), 0.15 * std::sin(2 * pi * i / 12) + 0.008 * std::cos(pi * i / 12), 0});
    points.push_back({0.5, -0.008, 0});
    points.push_back({0, -0.008, 0});
    add_rod(scene, "pin", PolylineShape{points}, segments);
    const Overlaps found = of_rods(scene);
    ASSERT_FALSE(found.places.empty()) << segments;
    EXPECT_GE(found.places[0].depth, 0.004 - 1e-4);
    EXPECT_EQ(found.places[0].other, 0);
  }
}

// A net: rods that meet in a joint, at right angles, are not in each other; a third one through both is.
TEST(Overlaps, JoinedRodsAreNotInEachOtherAtTheirJoint) {
  Scene scene = bare();
  add_rod(scene, "a", LineShape{{0, 0, 0}, {1, 0, 0}}, 10);
  add_rod(scene, "b", LineShape{{0.5, -0.5, 0}, {0.5, 0.5, 0}}, 10);
  scene.joints = {{"", {Place::parse("a@0.5"), Place::parse("b@0.5")}}};
  EXPECT_TRUE(of_rods(scene).places.empty());
  add_rod(scene, "c", LineShape{{0.2, 0.1, 0}, {0.6, 0.1, 0}}, 10);
  const Overlaps found = of_rods(scene);
  ASSERT_EQ(found.places.size(), 1u);
  EXPECT_EQ(found.places[0].rod, 1);
  EXPECT_EQ(found.places[0].other, 2);
}

TEST(Overlaps, SoManyThatTheSearchEnds) {
  Scene scene = bare();
  for (int i = 0; i < 500; ++i) add_rod(scene, "r" + std::to_string(i), LineShape{{0, 0, 0}, {1, 0, 0}}, 1);
  const Overlaps found = of_rods(scene);
  EXPECT_FALSE(found.all);
  EXPECT_GT(found.places.size(), 1000u);
  EXPECT_NEAR(found.places[0].depth, 2 * radius, 1e-12);
  EXPECT_TRUE(counted(found).starts_with("more than "));
}

TEST(Overlaps, ARodWithoutARadiusIsInNothing) {
  Scene scene = crossed(0);
  scene.sections[0].shape = DirectSection{1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
  EXPECT_TRUE(of_rods(scene).places.empty());
}

// ---- against dense sampling ------------------------------------------------------------------------------------------
struct Sampled {
  int rod;
  double arc;
  Vec3 x;
};

std::vector<Sampled> sampled(const Model& model) {
  const State state = model.initial_state();
  const Spans spans(model);
  std::vector<Sampled> out;
  for (int i = 0; i < spans.count(); ++i)
    for (int k = 0; k <= 24; ++k)
      out.push_back(
          {spans[i].rod, spans[i].arc(k / 24.0), points_of(spans[i], Positions{&state.x}).at(spans[i].weights(k / 24.0))});
  return out;
}

// m: of all pairs of rods, and of places of one rod that are far enough apart along it.
double deepest_of(const Model& model) {
  const std::vector<Sampled> all = sampled(model);
  double deepest = 0;
  for (const Sampled& a : all)
    for (const Sampled& b : all) {
      if (a.rod == b.rod) {
        double along = std::abs(a.arc - b.arc);
        if (model.rods()[a.rod].closed) along = std::min(along, model.rods()[a.rod].length - along);
        if (along < pi * radius) continue;
      }
      deepest = std::max(deepest, 2 * radius - norm(a.x - b.x));
    }
  return deepest;
}

TEST(Overlaps, RandomScenesAsDenseSamplingFindsThem) {
  std::mt19937 random(5);
  const auto number = [&](double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); };
  const auto point = [&] { return Vec3{number(-0.1, 0.1), number(-0.1, 0.1), number(-0.1, 0.1)}; };
  int with = 0, without = 0;
  for (int seed = 0; seed < 150; ++seed) {
    Scene scene = bare();
    add_rod(scene, "a", LineShape{point(), point()}, 2 + seed % 7);
    add_rod(scene, "b", ArcShape{point(), point(), point(), number(0.03, 0.15), number(1, 5)}, 24);
    add_rod(scene, "c", RingShape{point(), point(), point(), number(0.03, 0.1)}, 20);
    add_rod(scene, "d", HelixShape{point(), point(), point(), number(0.02, 0.05), number(0.01, 0.08), number(0.5, 3)}, 40);
    const Model model(scene);
    const double expected = deepest_of(model);
    const Overlaps found = rod_overlaps(model, model.initial_state(), Among::ignored, 0);
    const double deepest = found.places.empty() ? 0 : found.places[0].depth;
    // Samples lie 24 to a span: up to 1 mm apart, which makes them miss the deepest place by less than 0.05 radii.
    EXPECT_NEAR(deepest, expected, 0.05 * radius) << seed;
    EXPECT_GE(deepest, expected - 0.011 * radius) << seed << ": flat pieces lie off the curve by half a percent each";
    (deepest > 0 ? with : without) += 1;
  }
  EXPECT_GT(with, 30);
  EXPECT_GT(without, 10);
}

// ---- obstacles -----------------------------------------------------------------------------------------------------
Scene lying() {
  Scene scene = bare();
  add_rod(scene, "a", LineShape{{0, 0, 0.1}, {1, 0, 0.1}}, 9);
  return scene;
}

struct Solid {
  const char* name;
  decltype(Obstacle::shape) shape;
  double depth, arc;  // m; arc below 0: anywhere
};

TEST(ObstacleOverlaps, DepthAndPlaceOfEveryShape) {
  const Solid solids[] = {{"plane", PlaneObstacle{{0, 0, 0.096}, {0, 0, 1}}, 0.006, -1},
                          {"deep below a plane", PlaneObstacle{{0, 0, 0.3}, {0, 0, 2}}, 0.21, -1},
                          {"sphere", SphereObstacle{{0.37, 0, 0.2}, 0.094}, 0.004, 0.37},
                          {"sphere around", SphereObstacle{{0.5, 0, 0.1}, 2}, 2.01, 0.5},
                          {"box", BoxObstacle{{0.5, 0, 0}, {0.2, 0.3, 0.19}}, 0.005, -1},
                          {"edge of a box", BoxObstacle{{0.5, 0, 0}, {0.1, 0.1, 1}, {1, 1, 0}, {0, 1, 0}}, 0.06, 0.5},
                          {"capsule", CapsuleObstacle{{0.62, -1, 0.16}, {0.62, 1, 0.16}, 0.053}, 0.003, 0.62}};
  for (const Solid& solid : solids) {
    Scene scene = lying();
    add_obstacle(scene, solid.shape);
    const Overlaps found = of_obstacles(scene);
    ASSERT_EQ(found.places.size(), 1u) << solid.name;
    EXPECT_NEAR(found.places[0].depth, solid.depth, 0.02 * radius) << solid.name;
    if (solid.arc >= 0) {
      EXPECT_NEAR(found.places[0].arc, solid.arc, 0.1 * radius) << solid.name;
    }
    EXPECT_EQ(found.places[0].obstacle, 0);
    EXPECT_EQ(found.places[0].other, -1);
  }
}

TEST(ObstacleOverlaps, NothingWhereTheyAreApart) {
  Scene scene = lying();
  add_obstacle(scene, PlaneObstacle{{0, 0, 0.09}, {0, 0, 1}});
  add_obstacle(scene, SphereObstacle{{0.37, 0, 0.2}, 0.089});
  add_obstacle(scene, BoxObstacle{{2, 0, 0}, {1, 1, 1}});
  EXPECT_TRUE(of_obstacles(scene).places.empty());
}

MeshObstacle cube(bool open) {
  MeshObstacle mesh;
  for (int i = 0; i < 8; ++i) mesh.points.push_back({i & 1 ? 0.6 : 0.3, i & 2 ? 0.2 : -0.2, i & 4 ? 0.3 : 0.0});
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {0, 1, 4}, {1, 5, 4}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}, {2, 6, 3}, {3, 6, 7}};
  if (!open) mesh.triangles.insert(mesh.triangles.end(), {{4, 5, 6}, {5, 7, 6}});
  return mesh;
}

TEST(ObstacleOverlaps, WithinAClosedMeshAndThroughAnOpenOne) {
  Scene scene = lying();
  add_obstacle(scene, cube(false));
  const Overlaps closed = of_obstacles(scene);
  ASSERT_EQ(closed.places.size(), 1u);
  EXPECT_NEAR(closed.places[0].depth, 0.1 + radius, 0.02 * radius) << "from z = 0, by the radius more";
  scene.obstacles.clear();
  add_obstacle(scene, cube(true));
  const Overlaps open = of_obstacles(scene);
  ASSERT_EQ(open.places.size(), 2u) << "where it comes in and where it goes out";
  for (const Overlap& at : open.places) EXPECT_GE(at.depth, 15.0 / 16 * radius);
}

TEST(ObstacleOverlaps, AtTheTimeOfTheState) {
  Scene scene = lying();
  add_obstacle(scene, SphereObstacle{{0.5, 0, 0.4}, 0.1});
  scene.obstacles[0].motion.emplace().translate.keys = {{0, {0, 0, 0}}, {2, {0, 0, -0.4}}};
  const Model model(scene);
  State state = model.initial_state();
  EXPECT_TRUE(obstacle_overlaps(model, state, fine).places.empty());
  state.time = 1;  // it has come down by 0.2 m
  const Overlaps found = obstacle_overlaps(model, state, fine);
  ASSERT_EQ(found.places.size(), 1u);
  EXPECT_NEAR(found.places[0].depth, radius, 0.02 * radius);
}

TEST(Overlaps, PlacesAreNamedAsInAScene) {
  Scene scene = bare();
  add_rod(scene, "a", LineShape{{0, 0, 0}, {2, 0, 0}}, 5);
  add_rod(scene, "o", RingShape{{0, 0, 1}, {0, 0, 1}, {1, 0, 0}, 1}, 20);
  const Model model(scene);
  EXPECT_EQ(place_text(model, 0, 0.5), "a@0.25");
  EXPECT_EQ(place_text(model, 0, -1e-17), "a@0");
  EXPECT_EQ(place_text(model, 1, -0.25 * model.rods()[1].length), "o@0.75");
}

}  // namespace
