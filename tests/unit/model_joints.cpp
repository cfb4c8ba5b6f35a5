// Nodes, segments, joints and frames of chains and nets.
#include <numeric>

#include <gtest/gtest.h>

#include "model/strain.h"
#include "model_fixture.h"

namespace writhe {
namespace {

using test::angles;
using test::clamp;
using test::coil;
using test::empty_scene;
using test::expect_near;
using test::largest_excess;
using test::pin;
using test::rod;
using test::scene_of;
using test::strain_excess;

constexpr Vec3 e1{1, 0, 0}, e3{0, 0, 1};

TEST(Chain, HasNodesSegmentsAndJointsInOrder) {
  const Model model(scene_of(rod("rope", LineShape{{0, 0, 0}, {3, 0, 0}}, 6)));
  EXPECT_EQ(model.node_count(), 7);
  EXPECT_EQ(model.segment_count(), 6);
  EXPECT_EQ(model.joint_count(), 5);
  EXPECT_EQ(model.frame_count(), 0);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(model.joints().a[i], i);
    EXPECT_EQ(model.joints().b[i], i + 1);
    EXPECT_DOUBLE_EQ(model.joints().length[i], 0.5);
  }
  for (int i = 0; i <= 6; ++i) EXPECT_EQ(model.node_of(0, i), i);
  ASSERT_EQ(model.components().size(), 1u);
  EXPECT_EQ(model.components()[0].kind, Component::Kind::chain);
}

TEST(Chain, MassIsLumpedHalfAndHalf) {
  const Model model(scene_of(rod("rope", LineShape{{0, 0, 0}, {3, 0, 0}}, 6)));
  const double mass = 1300 * 0.02 * 0.002 * 3;
  EXPECT_NEAR(model.rods()[0].mass, mass, 1e-14);
  EXPECT_NEAR(model.nodes().mass[0], mass / 12, 1e-15);
  EXPECT_NEAR(model.nodes().mass[3], mass / 6, 1e-15);
  EXPECT_NEAR(std::accumulate(model.nodes().mass.begin(), model.nodes().mass.end(), 0.0), mass, 1e-14);
  EXPECT_NEAR(model.nodes().length[6], 0.25, 1e-15);
  EXPECT_NEAR(model.segments().inertia[0].x, 1300 * 0.02 * 8e-9 / 12 * 0.5, 1e-18);
}

TEST(Chain, InitialStateIsAtRest) {
  Scene scene = scene_of(rod("rope", LineShape{{0, 0, 0}, {3, 0, 0}}, 6));
  scene.supports = {clamp("rope.end")};
  const State state = Model(scene).initial_state();
  EXPECT_EQ(state.time, 0);
  EXPECT_EQ(state.x.size(), 7u);
  EXPECT_EQ(state.q.size(), 7u);
  for (const Vec3& v : state.v) EXPECT_EQ(v, (Vec3{0, 0, 0}));
  for (const Vec3& w : state.w) EXPECT_EQ(w, (Vec3{0, 0, 0}));
  EXPECT_EQ(state.w.size(), 7u);
}

TEST(Rest, StraightRodOfGivenLength) {
  const Model model(scene_of(rod("rope", coil(), 40, StraightRest{0.5})));
  EXPECT_NEAR(model.rods()[0].length, 0.5, 1e-14);
  for (const Vec3& strain : model.joints().strain_rest) EXPECT_EQ(norm(strain), 0);
}

// The strain of a helix sampled with many segments is its curvature, in whatever frame.
TEST(Rest, OwnShapeHasItsOwnLengthAndCurvature) {
  const double r = 0.02, pitch = 0.03, c = pitch / (2 * pi);
  const ShapeRest rest{HelixShape{{}, {0, 0, 1}, {1, 0, 0}, r, pitch, 5}, Vec3{1, 0, 0}};
  const Model model(scene_of(rod("spring", LineShape{{0, 0, 0}, {0.5, 0, 0}}, 1000, rest)));
  EXPECT_NEAR(model.rods()[0].length, 5 * 2 * pi * std::hypot(r, c), 1e-4);
  for (const Vec3& strain : model.joints().strain_rest) {
    EXPECT_NEAR(std::hypot(strain.x, strain.y), r / (r * r + c * c), 1e-2);
    EXPECT_NEAR(strain.z, 0, 1e-9);
  }
}

TEST(Rest, RestShapeEqualToInitialShapeIsFreeOfStrain) {
  Rod given = rod("rope", coil(), 33, ShapeRest{coil(), Vec3{0, 1, 1}});
  given.d1 = Vec3{0, 1, 1};
  EXPECT_LT(largest_excess(Model(scene_of(given))), 1e-14);
  given.d1 = Vec3{1, 1, 0};  // the section turned against its rest
  EXPECT_GT(largest_excess(Model(scene_of(given))), 0.01);
}

TEST(Rest, AsBuiltIsFreeOfStrainWithAnyClamps) {
  const PolylineShape corner{{{0, 0, 0}, {1, 0, 0}, {1.3, 1.1, 0.4}, {1, 2, 1}}};
  HelixShape short_coil = coil();
  short_coil.turns = 0.2;  // a segment or two can follow it
  const std::vector<int> few{1, 2}, many{9, 50}, three{1, 3, 9, 50};
  const std::pair<Centreline, std::vector<int>> cases[] = {{short_coil, few}, {coil(), many}, {corner, three}};
  for (const auto& [shape, counts] : cases)
    for (const int segments : counts) {
      Scene scene = scene_of(rod("rope", shape, segments, AsBuiltRest{}));
      scene.supports = {clamp("rope.start"), clamp("rope.end")};
      if (segments > 2) scene.supports.push_back(clamp("rope.node[2]"));
      const Model model(scene);
      EXPECT_LT(largest_excess(model), 1e-14);
      const State state = model.initial_state();
      for (int i = 0; i < model.joint_count(); ++i) EXPECT_NEAR(angles(model, state, i).z, 0, 1e-14);
    }
}

// The rotation of a joint without stress has the angles at which its energy is zero, sharply bent and twisted beyond half a turn
// too, and is the one it is built with where it is built without stress.
TEST(Rest, TheRotationOfAJointIsTheInverseOfItsAngles) {
  for (const double twist : {0.0, 3.0, -14.0}) {
    for (const double turns : {0.2, 1.4}) {
      SCOPED_TRACE(testing::Message() << twist << " rad, " << turns << " turns");
      HelixShape shape = coil();
      shape.turns = turns;
      Scene scene = scene_of(rod("rope", shape, 6, AsBuiltRest{}));
      scene.rods[0].initial_twist = scene.rods[0].rest_twist = twist;
      scene.supports = {clamp("rope.start"), clamp("rope.node[3]")};
      const Model model(scene);
      double sharpest = 0;
      for (int j = 0; j < model.joint_count(); ++j) {
        const Quat rotation = strain::rest_rotation_of_joint(model, j);
        const Vec3 rest = model.joints().length[j] * model.joints().strain_rest[j];
        expect_near(elastic::joint_angles(rotation), rest, 1e-14);
        expect_near(rotation, strain::rotation_of_joint(model, model.initial_state(), j), 1e-14);
        sharpest = std::max(sharpest, std::hypot(rest.x, rest.y));
      }
      EXPECT_GT(sharpest, 0.8 * turns) << "rad: hardly bent";
    }
  }
}

// ---- clamps ------------------------------------------------------------------------------------------------------------
TEST(Clamp, ReplacesTheJointByTwoHalves) {
  Scene scene = scene_of(rod("rope", LineShape{{0, 0, 0}, {3, 0, 0}}, 6));
  scene.supports = {clamp("rope.start"), clamp("rope@0.5"), clamp("rope.end")};
  const Model model(scene);
  ASSERT_EQ(model.joint_count(), 8);
  ASSERT_EQ(model.frame_count(), 3);
  const std::vector<std::pair<int, int>> pairs{{6, 0}, {0, 1}, {1, 2}, {2, 7}, {7, 3}, {3, 4}, {4, 5}, {5, 8}};
  const double bend1 = 1e6 * 0.02 * 8e-9 / 12;
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(model.joints().a[i], pairs[i].first);
    EXPECT_EQ(model.joints().b[i], pairs[i].second);
    const bool half = pairs[i].first > 5 || pairs[i].second > 5;
    EXPECT_DOUBLE_EQ(model.joints().length[i], half ? 0.25 : 0.5);
    EXPECT_NEAR(model.joints().stiffness[i].x, bend1, 1e-15);
  }
  EXPECT_EQ(model.frames().node, (std::vector<int>{0, 3, 6}));
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(model.frames().is_prescribed(i));
    EXPECT_EQ(model.nodes().fixed[model.frames().node[i]], fixed_all);
  }
  EXPECT_EQ(model.nodes().fixed[1], 0);
}

// On a circle the tangent at a node is known: the node frames point along it, at the ends and between.
TEST(Clamp, FrameFollowsTheTangentOfTheCurve) {
  Scene scene = scene_of(rod("rope", ArcShape{{}, {0, 0, 1}, {1, 0, 0}, 0.5, 2}, 10));
  scene.supports = {clamp("rope.start"), clamp("rope.node[3]"), clamp("rope.end")};
  const Model model(scene);
  const double angles_of_nodes[3] = {0, 0.6, 2};
  for (int i = 0; i < 3; ++i) {
    const double t = angles_of_nodes[i];
    expect_near(rotate(model.frames().q_initial[i], e3), {-std::sin(t), std::cos(t), 0}, 1e-14);
  }
}

// A circular arc clamped against a straight rest has the same curvature in half joints as in whole ones.
TEST(Clamp, HalfJointsCarryTheSameCurvature) {
  Scene scene = scene_of(rod("rope", ArcShape{{}, {0, 0, 1}, {1, 0, 0}, 0.5, 1}, 200));
  scene.supports = {clamp("rope.start"), clamp("rope.node[100]"), clamp("rope.end")};
  const Model model(scene);
  const State state = model.initial_state();
  for (int i = 1; i < model.joint_count(); ++i) expect_near(strain_excess(model, state, i), strain_excess(model, state, 0), 1e-4);
  EXPECT_NEAR(norm(strain_excess(model, state, 0)), 2, 1e-4);
}

TEST(Clamp, GivenDirections) {
  Scene scene = scene_of(rod("rope", LineShape{{0, 0, 0}, {3, 0, 0}}, 6));
  scene.supports = {clamp("rope.start"), clamp("rope.end")};
  scene.supports[0].tangent = Vec3{1, 0, 1};
  scene.supports[1].d1 = Vec3{5, 0, 1};
  const Model model(scene);
  const State state = model.initial_state();
  const Quat start = state.q[6], end = state.q[7];
  expect_near(rotate(start, e3), Vec3{1, 0, 1} / std::sqrt(2.0), 1e-14);
  expect_near(rotate(start, e1), {0, 1, 0}, 1e-14);  // carried without twist
  expect_near(rotate(end, e3), {1, 0, 0}, 1e-14);
  expect_near(rotate(end, e1), {0, 0, 1}, 1e-14);
  EXPECT_GT(dot(start, state.q[0]), 0);
  EXPECT_GT(dot(end, state.q[5]), 0);
  // from the upward clamp to the level segment the rod turns down, about +y = d1
  expect_near(angles(model, state, 0), {2 * std::sin(pi / 8), 0, 0}, 1e-14);
  expect_near(angles(model, state, 6), {0, 0, pi / 2}, 1e-14);
}

// However many turns lie between, a clamp given as it was built is on the side of its segment.
TEST(Clamp, GivenDirectionsKeepTheSide) {
  for (const int turns : {1, 2, 3}) {
    Rod given = rod("rope", LineShape{{0, 0, 0}, {3, 0, 0}}, 60);
    given.d1 = Vec3{0, 0, 1};
    given.initial_twist = turns * 2 * pi;
    Scene scene = scene_of(given);
    scene.supports = {clamp("rope.end")};
    scene.supports[0].d1 = given.d1;
    const Model model(scene);
    EXPECT_NEAR(angles(model, model.initial_state(), 59).z, turns * pi / 60, 1e-12);
  }
}

TEST(Pin, HoldsTheNamedCoordinatesOnly) {
  Scene scene = scene_of(rod("rope", LineShape{{0, 0, 0}, {3, 0, 0}}, 6));
  scene.supports = {pin("rope.start"), pin("rope.end", "zx"), clamp("rope.node[3]")};
  scene.supports[2].axes = "y";
  const Model model(scene);
  EXPECT_EQ(model.nodes().fixed[0], fixed_all);
  EXPECT_EQ(model.nodes().fixed[6], fixed_x | fixed_z);
  EXPECT_EQ(model.nodes().fixed[3], fixed_y);
  EXPECT_EQ(model.frame_count(), 1);
}

// ---- taper and stiffness -----------------------------------------------------------------------------------------------
TEST(Taper, IsEvaluatedAtSegmentMiddlesAndJoinedInSeries) {
  Rod given = rod("whip", LineShape{{0, 0, 0}, {2, 0, 0}}, 2);
  given.section = "cord";
  given.taper = {{0, 1}, {1, 0.2}};
  Scene scene = scene_of(given);
  scene.supports = {clamp("whip.start")};
  const Model model(scene);
  // factors 0.8 and 0.4 at the middles
  const double EI = 1e6 * pi / 4 * std::pow(0.005, 4);
  const double EI0 = EI * std::pow(0.8, 4), EI1 = EI * std::pow(0.4, 4);
  EXPECT_NEAR(model.joints().stiffness[0].x, EI0, 1e-15);
  EXPECT_NEAR(1 / model.joints().stiffness[1].x, 0.5 / EI0 + 0.5 / EI1, 1e-6);
  EXPECT_NEAR(model.segments().half_extent[1].x, 0.002, 1e-15);
  EXPECT_NEAR(model.nodes().mass[2], 1300 * pi * 0.002 * 0.002 / 2, 1e-12);
}

// ---- nets --------------------------------------------------------------------------------------------------------------
Scene cross_of_arms() {
  Scene scene = empty_scene();
  scene.rods = {rod("left", LineShape{{-1, 0, 0}, {0, 0, 0}}, 4, AsBuiltRest{}),
                rod("up", LineShape{{0, 0, 0}, {0, 0, 1}}, 3, AsBuiltRest{}),
                rod("bow", ArcShape{{0, 1, 0}, {1, 0, 0}, {0, -1, 0}, 1, 1.1}, 5, AsBuiltRest{})};
  scene.rods[0].initial_twist = scene.rods[0].rest_twist = 0.6;
  scene.joints = {{"hub", {Place::parse("left.end"), Place::parse("up.start"), Place::parse("bow.start")}}};
  return scene;
}

TEST(Net, ArmsShareOneNodeAndOneFreeFrame) {
  const Model model(cross_of_arms());
  EXPECT_EQ(model.node_count(), 5 + 3 + 5);
  EXPECT_EQ(model.segment_count(), 12);
  ASSERT_EQ(model.frame_count(), 1);
  EXPECT_EQ(model.frames().node[0], 4);
  EXPECT_TRUE(model.frames().is_free(0));
  EXPECT_EQ(model.nodes().fixed[4], 0);
  EXPECT_EQ(model.node_of(0, 4), 4);
  EXPECT_EQ(model.node_of(1, 0), 4);
  EXPECT_EQ(model.node_of(2, 0), 4);
  EXPECT_EQ(model.node_of(1, 1), 5);
  EXPECT_EQ(model.rods()[1].first_node, 5);
  EXPECT_EQ(model.rods()[1].node_count, 3);
  const double line_mass = 1300 * 0.02 * 0.002;
  const double bow = model.segments().length[7];
  EXPECT_NEAR(model.nodes().mass[4], line_mass * (0.25 + 1.0 / 3 + bow) / 2, 1e-15);
  ASSERT_EQ(model.components().size(), 1u);
  EXPECT_EQ(model.components()[0].kind, Component::Kind::net);
  EXPECT_EQ(model.components()[0].rods, (std::vector<int>{0, 1, 2}));
}

TEST(Net, AsBuiltIsFreeOfStrain) {
  const Model model(cross_of_arms());
  EXPECT_LT(largest_excess(model), 1e-14);
  // the arm that ends at the hub leads to it, the others lead away
  const Joints& j = model.joints();
  const int frame = model.segment_count();
  int arriving = 0, leaving = 0;
  for (int i = 0; i < model.joint_count(); ++i) {
    if (j.b[i] == frame) ++arriving;
    if (j.a[i] == frame) ++leaving;
    if (j.a[i] == frame || j.b[i] == frame) {
      EXPECT_DOUBLE_EQ(j.length[i], model.segments().length[j.a[i] == frame ? j.b[i] : j.a[i]] / 2);
    }
  }
  EXPECT_EQ(arriving, 1);
  EXPECT_EQ(leaving, 2);
}

// Turning the whole net leaves its joints as they are: the turns are fixed in the frame, not in space.
TEST(Net, StrainDoesNotChangeWhenTheNetTurns) {
  const Model model(cross_of_arms());
  State state = model.initial_state();
  const Quat turn = exp_rotation(Vec3{0.3, -0.8, 1.1});
  for (Quat& q : state.q) q = turn * q;
  for (int i = 0; i < model.joint_count(); ++i) EXPECT_LT(norm(strain_excess(model, state, i)) * model.joints().length[i], 1e-14);
}

// Two rods joined end to end are the chain: same halves, same total compliance.
TEST(Net, TwoArmsMakeAChain) {
  Scene scene = empty_scene();
  scene.rods = {rod("a", LineShape{{0, 0, 0}, {1, 0, 0}}, 4), rod("b", LineShape{{1, 0, 0}, {2, 0, 0}}, 4)};
  scene.joints = {{"", {Place::parse("a.end"), Place::parse("b.start")}}};
  const Model model(scene);
  EXPECT_EQ(model.node_count(), 9);
  EXPECT_EQ(model.joint_count(), 3 + 3 + 2);
  for (int i = 0; i < model.joint_count(); ++i) expect_near(strain_excess(model, model.initial_state(), i), {0, 0, 0}, 1e-14);
}

TEST(Net, InteriorNodesAndLoops) {
  Scene scene = empty_scene();
  scene.rods = {rod("beam", LineShape{{0, 0, 0}, {2, 0, 0}}, 4, AsBuiltRest{}),
                rod("post", LineShape{{1, 0, -1}, {1, 0, 0}}, 2, AsBuiltRest{}),
                rod("hoop", RingShape{{0, 0, 0.5}, {0, 1, 0}, {0, 0, -1}, 0.5}, 12, AsBuiltRest{}),
                rod("alone", LineShape{{0, 5, 0}, {1, 5, 0}}, 2)};
  scene.joints = {{"t", {Place::parse("post.end"), Place::parse("beam@0.5")}},
                  {"o", {Place::parse("beam.start"), Place::parse("hoop.start")}}};
  const Model model(scene);
  EXPECT_EQ(model.node_count(), 5 + 3 + 12 + 3 - 2);
  EXPECT_EQ(model.frame_count(), 2);
  EXPECT_LT(largest_excess(model), 1e-14);
  EXPECT_EQ(model.node_of(1, 2), model.node_of(0, 2));
  EXPECT_EQ(model.node_of(2, 0), 0);
  EXPECT_EQ(model.node_of(2, 12), 0);
  // beam: 1 half at the hoop, joint, two halves at the post, joint; post: joint, half; hoop: half, 11, half; alone: 1
  EXPECT_EQ(model.joint_count(), 5 + 2 + 13 + 1);
  ASSERT_EQ(model.components().size(), 2u);
  EXPECT_EQ(model.components()[0].rods, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(model.components()[1].kind, Component::Kind::chain);
}

TEST(Net, ClampOnAJunctionHoldsItsFrame) {
  Scene scene = cross_of_arms();
  scene.supports = {clamp("up.start")};
  const Model as_built(scene);
  EXPECT_EQ(as_built.frame_count(), 1);
  EXPECT_TRUE(as_built.frames().is_prescribed(0));
  EXPECT_EQ(as_built.nodes().fixed[4], fixed_all);
  EXPECT_LT(largest_excess(as_built), 1e-14);
  // a tangent is that of the arm the support names: up tilts by 0.2 about y, and with it the frame
  scene.supports[0].tangent = Vec3{std::sin(0.2), 0, std::cos(0.2)};
  const Model tilted(scene);
  const Quat turn = about_axis({0, 1, 0}, 0.2);
  expect_near(tilted.frames().q_initial[0], turn * as_built.frames().q_initial[0], 1e-14);
}

}  // namespace
}  // namespace writhe
