// Checks of obstacles and of which rods touch: each names path, value and remedy.
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model_fixture.h"

namespace writhe {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// A rod, and a section whose radius is not known.
Scene good_scene() {
  Scene scene = test::empty_scene();
  scene.sections.push_back({"given", DirectSection{1, 1, 1, 1, 1, 1, 1, 1, 1, 0}, 1});
  scene.rods.push_back(test::rod("rope", LineShape{{0, 0, 0}, {1, 0, 0}}, 10));
  return scene;
}

Rod& rope(Scene& scene) { return scene.rods[0]; }

struct Case {
  std::string path, value, remedy;  // remedy: a part of the message
  std::function<void(Scene&)> spoil;
};

std::string refusal_of(const Scene& scene) {
  try {
    const Model model(scene);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

void expect_refusals(const std::vector<Case>& cases) {
  for (const Case& wrong : cases) {
    Scene scene = good_scene();
    wrong.spoil(scene);
    const std::string text = refusal_of(scene), start = wrong.path + ": " + (wrong.value.empty() ? "" : wrong.value + ": ");
    EXPECT_TRUE(text.starts_with(start)) << start << "\n" << text;
    EXPECT_NE(text.find(wrong.remedy), std::string::npos) << wrong.remedy << "\n" << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << "one problem: " << text;
  }
}

// An obstacle of the scene, spoilt.
template <class Shape>
Shape& obstacle_of(Scene& scene, Shape shape) {
  Obstacle obstacle;
  obstacle.name = "it";
  obstacle.shape = std::move(shape);
  scene.obstacles.push_back(obstacle);
  return std::get<Shape>(scene.obstacles.back().shape);
}
SphereObstacle ball() { return {{5, 5, 5}, 1}; }
BoxObstacle brick() { return {{5, 5, 5}, {1, 1, 1}}; }
CapsuleObstacle bar() { return {{5, 5, 5}, {5, 5, 6}, 1}; }
MeshObstacle triangle() { return {"t.obj", 1, {}, {{5, 5, 5}, {6, 5, 5}, {5, 6, 5}}, {{0, 1, 2}}}; }
Motion& moving_ball(Scene& scene) {
  obstacle_of(scene, ball());
  return scene.obstacles.back().motion.emplace();
}

TEST(CheckContact, Obstacles) {
  expect_refusals(
      {Case{"obstacles[0]", "", "no name", [](Scene& s) { obstacle_of(s, ball()), s.obstacles[0].name = ""; }},
       Case{"obstacles[1].name", "it", "used twice", [](Scene& s) { obstacle_of(s, ball()), obstacle_of(s, brick()); }},
       Case{"obstacles[0].plane.point", "[0, nan, 0]", "finite",
            [](Scene& s) {
              obstacle_of(s, PlaneObstacle{{0, nan, 0}});
            }},
       Case{"obstacles[0].plane.normal", "[0, 0, 0]", "not be zero",
            [](Scene& s) {
              obstacle_of(s, PlaneObstacle{{0, 0, -9}, {0, 0, 0}});
            }},
       Case{"obstacles[0].plane.normal", "[1e+200, 0, 0]", "too long",
            [](Scene& s) {
              obstacle_of(s, PlaneObstacle{{-9, 0, 0}, {1e200, 0, 0}});
            }},
       Case{"obstacles[0].sphere.radius", "0", "radius (m)", [](Scene& s) { obstacle_of(s, ball()).radius = 0; }},
       Case{"obstacles[0].sphere.radius", "1e+101", "units (m)", [](Scene& s) { obstacle_of(s, ball()).radius = 1e101; }},
       Case{"obstacles[0].sphere.centre", "[0, inf, 0]", "finite",
            [](Scene& s) {
              obstacle_of(s, ball()).centre = {0, infinity, 0};
            }},
       Case{"obstacles[0].sphere.centre", "[0, 0, -1e+101]", "units (m)",
            [](Scene& s) {
              obstacle_of(s, ball()).centre = {0, 0, -1e101};
            }},
       Case{"obstacles[0].box.size", "[1, -1, 1]", "greater than 0",
            [](Scene& s) {
              obstacle_of(s, brick()).size = {1, -1, 1};
            }},
       Case{"obstacles[0].box.size", "[1, nan, 1]", "finite",
            [](Scene& s) {
              obstacle_of(s, brick()).size = {1, nan, 1};
            }},
       Case{"obstacles[0].box.x", "[0, 0, 0]", "not be zero",
            [](Scene& s) {
              obstacle_of(s, brick()).x = {0, 0, 0};
            }},
       Case{"obstacles[0].box.y", "[-2, 0, 0]", "parallel",
            [](Scene& s) {
              obstacle_of(s, brick()).y = {-2, 0, 0};
            }},
       Case{"obstacles[0].capsule.to", "[5, 5, 5]", "another end",
            [](Scene& s) {
              obstacle_of(s, bar()).to = {5, 5, 5};
            }},
       Case{"obstacles[0].capsule.radius", "-1", "greater than 0", [](Scene& s) { obstacle_of(s, bar()).radius = -1; }},
       Case{"obstacles[0].mesh.scale", "0", "greater than 0", [](Scene& s) { obstacle_of(s, triangle()).scale = 0; }},
       Case{"obstacles[0].mesh", "[6, nan, 5]", "not finite", [](Scene& s) { obstacle_of(s, triangle()).points[1].y = nan; }},
       Case{"obstacles[0].mesh.triangles[0]", "[0, 1, 3]", "from 0 to 2",
            [](Scene& s) { obstacle_of(s, triangle()).triangles[0][2] = 3; }},
       Case{"obstacles[0].mesh.triangles[0]", "[-1, 1, 2]", "from 0 to 2",
            [](Scene& s) { obstacle_of(s, triangle()).triangles[0][0] = -1; }},
       Case{"obstacles[0].mesh", "0 triangles", "none of them", [](Scene& s) { obstacle_of(s, triangle()).triangles.clear(); }},
       Case{"obstacles[0].mesh", "1 triangles", "none of them",
            [](Scene& s) {
              obstacle_of(s, triangle()).points[2] = {7, 5, 5};
            }},
       Case{"obstacles[0].motion", "", "give translate or rotate", [](Scene& s) { moving_ball(s); }},
       Case{"obstacles[0].motion.twist", "", "use rotate",
            [](Scene& s) {
              moving_ball(s).twist.keys = {{0, 0}, {1, 1}};
            }},
       Case{"obstacles[0].motion.translate[0]", "[0, 0, 1]", "where it stands",
            [](Scene& s) {
              moving_ball(s).translate.keys = {{0, {0, 0, 1}}};
            }},
       Case{"obstacles[0].motion.translate[1]", "0", "must increase",
            [](Scene& s) {
              moving_ball(s).translate.keys = {{0, {0, 0, 0}}, {0, {0, 0, 1}}};
            }},
       Case{"obstacles[0].motion.rotate.axis", "[0, 0, 0]", "not be zero",
            [](Scene& s) {
              Motion& motion = moving_ball(s);
              motion.angle.keys = {{0, 0}, {1, 1}};
              motion.axis = {0, 0, 0};
            }},
       Case{"obstacles[0].motion.rotate.angle", "1e+03 turns/s", "a quarter is the most", [](Scene& s) {
              moving_ball(s).angle.keys = {{0, 0}, {1, 2 * pi * 1000}};
            }}});
}

TEST(CheckContact, Contact) {
  expect_refusals({Case{"contact.thickness", "0", "greater than 0", [](Scene& s) { s.contact.thickness = 0; }},
                   Case{"contact.thickness", "nan", "finite", [](Scene& s) { s.contact.thickness = nan; }},
                   Case{"contact.stiffness", "-1", "greater than 0", [](Scene& s) { s.contact.stiffness = -1; }},
                   Case{"contact.between", "", "names no pair", [](Scene& s) { s.contact.between = Contact::Between::pairs; }},
                   Case{"contact.between", "", "Between::pairs",
                        [](Scene& s) {
                          s.contact.pairs = {{"rope", "rope"}};
                        }},
                   Case{"contact.between[0]", "rope", "self: true",
                        [](Scene& s) {
                          s.contact.between = Contact::Between::pairs, s.contact.pairs = {{"rope", "rope"}};
                        }},
                   Case{"contact.between[0][1]", "rpoe", "did you mean 'rope'", [](Scene& s) {
                          s.contact.between = Contact::Between::pairs, s.contact.pairs = {{"rope", "rpoe"}};
                        }}});
}

// These show only once segments have their lengths.
TEST(CheckContact, RodsThatTouchHaveARadius) {
  Scene scene = good_scene();
  rope(scene).section = "given";
  rope(scene).material = "";
  std::get<DirectSection>(scene.sections.back().shape).radius = 0;
  EXPECT_EQ(refusal_of(scene), "accepted");
  scene.contact.self = true;
  EXPECT_EQ(refusal_of(scene),
            "rods.rope.section: given: has radius 0, and rods touch each other with their radius; give the section its radius");
  scene.contact.thickness = 0.01;
  EXPECT_EQ(refusal_of(scene), "accepted") << "they touch at the thickness";
  obstacle_of(scene, ball());
  EXPECT_EQ(refusal_of(scene),
            "rods.rope.section: given: has radius 0, and rods touch obstacles with their radius; give the section its radius");
  std::get<DirectSection>(scene.sections.back().shape).radius = 1e-9;
  EXPECT_NE(refusal_of(scene).find("rods.rope.segments: "), std::string::npos) << refusal_of(scene);
}

}  // namespace
}  // namespace writhe
