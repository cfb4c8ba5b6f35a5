// Which motions of rods that touch something cost nothing.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "statics/neutral.h"
#include "support/scenes.h"
#include "support/statics.h"

using namespace writhe;
using namespace writhe::test;

namespace {

Scene on_a_plane(double height) {
  Scene scene = Cord{.length = 0.2, .radius = 0.001, .young = 1e9}.scene();
  scene.rods[0].centreline = LineShape{{-0.1, 0, height}, {0.1, 0, height}};
  scene.obstacles = {{"floor", PlaneObstacle{}, {}}};
  return scene;
}

std::vector<std::string> neutral_names(const Statics& statics) {
  statics::Equilibrium equilibrium(statics.model(), 1e-9);
  std::vector<std::string> out;
  for (const statics::NeutralMotion& motion :
       statics::find_freedom(statics.model(), equilibrium, statics.state(), {1, 0}).neutral)
    out.push_back(motion.name);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

// Contact begins at 15 micrometres; how a rod is free is asked in states that are shaken by a hundredth of its length.
TEST(StaticContact, ARodThatLiesOnAPlaneMovesAlongIt) {
  Scene scene = on_a_plane(0.00101);
  scene.gravity = {0, 0, -9.81};
  EXPECT_EQ(neutral_names(solved(scene)),
            (std::vector<std::string>{"rod moves along (0, 1, 0)", "rod moves along (1, 0, 0)", "rod spins about its own axis",
                                      "rod turns about the direction (0, 0, 1)"}));
}

// Turned about the line through its ends it would leave the plane, and the less it is bent the less it has in store: it falls
// over.
TEST(StaticContact, ABowOnPinsThatIsPressedOntoAPlaneFallsOver) {
  Scene scene = on_a_plane(0);
  scene.rods[0].centreline = ArcShape{{0, 0, 1.00101}, {0, -1, 0}, {-0.0998334166468282, 0, -0.995004165278026}, 1, 0.2};
  scene.rods[0].rest = AsBuiltRest{};
  pin(scene, "rod.start");
  pin(scene, "rod.end", "yz");
  Motion down;
  down.translate.keys = {{0, {}}, {1, {0, 0, -1e-3}}};
  for (Support& support : scene.supports) support.motion = down;
  const Statics bow = solved(scene);
  EXPECT_TRUE(neutral_names(bow).empty()) << neutral_names(bow).front();
  EXPECT_EQ(bow.stability().balance, Balance::unstable);
  EXPECT_EQ(bow.stability().negative, 1);
}

TEST(StaticContact, ARodThatWouldFallOntoAPlaneIsToldToFallFirst) {
  Scene scene = on_a_plane(0.01);
  scene.gravity = {0, 0, -9.81};
  Statics statics{Model(scene)};
  const StaticReport report = statics.solve({});
  EXPECT_EQ(report.status, StaticStatus::mechanism);
  EXPECT_NE(report.cause.find("run the scene until it has settled, and solve from there"), std::string::npos) << report.cause;
}
