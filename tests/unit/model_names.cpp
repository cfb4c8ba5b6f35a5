#include <gtest/gtest.h>

#include "base/names.h"
#include "writhe/scene.h"

namespace writhe {
namespace {

TEST(Names, DistanceCountsChanges) {
  EXPECT_EQ(edit_distance("rope", "rope"), 0);
  EXPECT_EQ(edit_distance("rope", "Rope"), 0);
  EXPECT_EQ(edit_distance("rope", "ropes"), 1);
  EXPECT_EQ(edit_distance("rope", "rpe"), 1);
  EXPECT_EQ(edit_distance("rope", "rape"), 1);
  EXPECT_EQ(edit_distance("rope", "orpe"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
}

TEST(Names, NearestIsALikelySlipOrNothing) {
  EXPECT_EQ(nearest("ruber", {"steel", "rubber", "rudder"}), "rubber");
  EXPECT_EQ(nearest("segmnets", {"section", "segments"}), "segments");
  EXPECT_EQ(nearest("wood", {"steel", "rubber"}), "");
  EXPECT_EQ(nearest("a", {"b", "c"}), "");
  EXPECT_EQ(nearest("a", {}), "");
}

TEST(Names, Lists) {
  EXPECT_EQ(list_of({}), "none");
  EXPECT_EQ(list_of({"a"}), "a");
  EXPECT_EQ(list_of({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(list_of({"a", "b", "c", "d"}, 2), "a, b and 2 more");
  EXPECT_EQ(list_of({"a", "b", "c"}, 2), "a, b and c");
  EXPECT_EQ(hint("rop", {"rope"}, "rods"), "did you mean 'rope'?");
  EXPECT_EQ(hint("chain", {"rope", "hair"}, "rods"), "known rods: rope and hair");
}

TEST(Ramp, IsLinearBetweenPointsAndConstantOutside) {
  EXPECT_EQ(Ramp{}.at(3), 1);
  const Ramp ramp{{{1, 0}, {3, 10}, {4, -10}}};
  EXPECT_EQ(ramp.at(-5), 0);
  EXPECT_EQ(ramp.at(1), 0);
  EXPECT_DOUBLE_EQ(ramp.at(1.5), 2.5);
  EXPECT_DOUBLE_EQ(ramp.at(3), 10);
  EXPECT_DOUBLE_EQ(ramp.at(3.75), -5);
  EXPECT_EQ(ramp.at(99), -10);
}

TEST(Scene, WhereFallsBackToTheNearestKnownParent) {
  Scene scene;
  EXPECT_EQ(scene.where("rods.rope.segments").line, 0);
  scene.locations["rods.rope"] = {"a.yaml", 7, 3};
  scene.locations["supports[1]"] = {"a.yaml", 20, 5};
  scene.locations["rods.rope.segments"] = {"a.yaml", 9, 15};
  EXPECT_EQ(scene.where("rods.rope.segments").line, 9);
  EXPECT_EQ(scene.where("rods.rope.centreline.points[4]").line, 7);
  EXPECT_EQ(scene.where("supports[1].clamp").line, 20);
  EXPECT_EQ(scene.where("supports[0].clamp").line, 0);
  scene.locations[""] = {"a.yaml", 1, 1};
  EXPECT_EQ(scene.where("supports[0].clamp").line, 1);
}

}  // namespace
}  // namespace writhe
