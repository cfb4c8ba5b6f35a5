// Values at the nodes of a rod: those of a probe there, and right where two sides meet.
#include <cmath>

#include <gtest/gtest.h>

#include "measure/node_fields.h"
#include "output_support.h"

namespace writhe::measure {
namespace {

NodeFields fields_of(const Model& model, const State& state, int rod = 0) {
  NodeFields out;
  node_fields(model, state, segment_joints(model), rod, out);
  return out;
}

Vec3 in_space(const NodeFields& fields, const std::vector<Vec3>& values, std::size_t k) {
  return rotate(fields.frame[k], values[k]);
}

TEST(NodeFields, AgreeWithAProbeAtEachNode) {
  Scene scene = test::framed_scene();
  scene.rods[0].taper = {{0, 1}, {1, 0.5}};
  const Model model(scene);
  const State state = test::moved_state(model, 5);
  const NodeFields fields = fields_of(model, state);
  ASSERT_EQ(fields.size(), 7U);
  for (int k = 0; k <= 6; ++k) {
    const Gauge gauge(model, model.resolve(Place::parse("rope.node[" + std::to_string(k) + "]"), ""));
    const auto i = static_cast<std::size_t>(k);
    EXPECT_EQ(fields.position[i], gauge.position(state));
    EXPECT_EQ(fields.velocity[i], gauge.velocity(state));
    const double force = norm(gauge.force(model, state)), moment = norm(gauge.moment(model, state));
    EXPECT_GT(force, 0.0);
    EXPECT_GT(moment, 0.0);
    test::expect_near(fields.force[i], gauge.force(model, state), 1e-12 * force);
    test::expect_near(fields.moment[i], gauge.moment(model, state), 1e-12 * moment);
    EXPECT_NEAR(fields.arc_length[i], gauge.place().arclength, 1e-12);
  }
}

TEST(NodeFields, AStretchedRodHasItsTensionEverywhere) {
  const Model model(test::scene_of(test::rod("rope", LineShape{{0, 0, 0}, {1, 0, 0}}, 4)));
  State state = model.initial_state();
  for (Vec3& x : state.x) x.x *= 1.25;
  const NodeFields fields = fields_of(model, state);
  const double EA = 1e6 * 0.02 * 0.002;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    test::expect_near(fields.strain[k], Vec3{0, 0, 0.25}, 1e-14);
    EXPECT_NEAR(fields.force[k].z, 0.25 * EA, 1e-12);
    EXPECT_NEAR(scalar_at(fields, Field::tension, k), 0.25 * EA, 1e-12);
    EXPECT_NEAR(norm(fields.moment[k]), 0, 1e-15);
    EXPECT_DOUBLE_EQ(fields.arc_length[k], 0.25 * static_cast<double>(k));
    // the radius of a circle with the area of the ribbon
    EXPECT_NEAR(fields.radius[k], std::sqrt(0.02 * 0.002 / pi), 1e-15);
  }
}

TEST(NodeFields, ARodTwistedEvenlyHasItsTwistEverywhere) {
  Rod rod = test::rod("rope", LineShape{{0, 0, 0}, {1, 0, 0}}, 40);
  rod.initial_twist = 0.8;
  const Model model(test::scene_of(rod));
  const NodeFields fields = fields_of(model, model.initial_state());
  for (std::size_t k = 0; k < fields.size(); ++k) {
    EXPECT_NEAR(scalar_at(fields, Field::twist, k), 0.8, 1e-3);
    EXPECT_NEAR(scalar_at(fields, Field::curvature, k), 0, 1e-12);
  }
  // d1 at the ends lies half a segment inside, where the last frames are
  const Vec3 first = rotate(fields.frame.front(), Vec3{1, 0, 0}), last = rotate(fields.frame.back(), Vec3{1, 0, 0});
  EXPECT_NEAR(std::acos(dot(first, last)), 0.8 * 39 / 40, 1e-9);
}

TEST(NodeFields, AnInnerNodeHasTheFrameHalfWayBetweenItsSegments) {
  const Model model(test::framed_scene());
  const State state = test::moved_state(model, 3);
  const NodeFields fields = fields_of(model, state);
  for (std::size_t k = 1; k < 6; ++k) {
    const Quat before = conj(fields.frame[k]) * state.q[k - 1], after = conj(fields.frame[k]) * state.q[k];
    test::expect_near(log_rotation(before), -log_rotation(after), 1e-12);
  }
}

TEST(NodeFields, AClampInsideARodGivesTheNodeItsFrame) {
  Scene scene = test::scene_of(test::rod("rope", test::coil(), 6));
  scene.supports.push_back(test::clamp("rope.node[2]"));
  const Model model(scene);
  const State state = test::moved_state(model, 3);
  const Quat clamped = state.q[static_cast<std::size_t>(model.segment_count())];
  test::expect_near(fields_of(model, state).frame[2], same_side(clamped, fields_of(model, state).frame[2]), 1e-12);
}

TEST(NodeFields, WhereAMomentJumpsTheNodeHasTheMean) {
  Scene scene = test::scene_of(test::rod("rope", LineShape{{0, 0, 0}, {1, 0, 0}}, 4));
  scene.supports.push_back(test::clamp("rope.node[2]"));
  const Model model(scene);
  State state = model.initial_state();
  // twisted by 0.01 rad before the clamp only
  for (std::size_t s = 0; s < 2; ++s) state.q[s] = state.q[s] * about_axis(Vec3{0, 0, 1}, -0.01);
  const NodeFields fields = fields_of(model, state);
  const double before = fields.moment[1].z, after = fields.moment[3].z;
  EXPECT_NEAR(before, 0, 1e-15);  // the two segments before the clamp are turned alike
  EXPECT_NEAR(after, 0, 1e-15);
  const auto& joints = model.joints();
  double at_clamp = 0;
  for (int j = 0; j < model.joint_count(); ++j) at_clamp += joint_moment(model, state, j).z;
  EXPECT_GT(at_clamp, joints.stiffness[0].z * 0.01);
  EXPECT_NEAR(fields.moment[2].z, at_clamp / 2, 1e-12 * at_clamp);
}

TEST(NodeFields, BothEndsOfARingSeeTheSameVectors) {
  Rod ring = test::rod("ring", RingShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.1}, 12);
  ring.closing_angle = 0.7;
  ring.initial_twist = 0.7;
  const Model model(test::scene_of(ring));
  const State state = test::moved_state(model, 2);
  const NodeFields fields = fields_of(model, state);
  ASSERT_EQ(fields.size(), 13U);
  EXPECT_EQ(fields.position.front(), fields.position.back());
  for (const auto member : {&NodeFields::force, &NodeFields::moment, &NodeFields::strain, &NodeFields::curvature}) {
    const Vec3 start = in_space(fields, fields.*member, 0), end = in_space(fields, fields.*member, 12);
    EXPECT_GT(norm(start), 0.0);
    test::expect_near(start, end, 1e-10 * norm(start));
  }
  // The frames differ by the closing angle, about the rod.
  const Vec3 turn = log_rotation(conj(fields.frame.front()) * fields.frame.back());
  test::expect_near(Vec3{turn.x, turn.y, std::abs(turn.z)}, Vec3{0, 0, 0.7}, 1e-9);
}

TEST(NodeFields, WhereSegmentsDifferValuesAreLinearBetweenTheirMiddles) {
  const PolylineShape kinked{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}};  // the middle one of three segments cuts it
  const Model model(test::scene_of(test::rod("rope", kinked, 3)));
  const State state = test::moved_state(model, 4);
  const std::vector<double>& length = model.segments().length;
  ASSERT_GT(length[0], 1.2 * length[1]);
  const double share = length[0] / (length[0] + length[1]);  // of the short segment, whose middle is nearer
  const Vec3 expected = (1 - share) * segment_strain(model, state, 0) + share * segment_strain(model, state, 1);
  test::expect_near(fields_of(model, state).strain[1], expected, 1e-12);
}

TEST(NodeFields, ASingleSegmentHasNoMoment) {
  const Model model(test::scene_of(test::rod("rope", LineShape{{0, 0, 0}, {1, 0, 0}}, 1)));
  const NodeFields fields = fields_of(model, model.initial_state());
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(fields.moment[0], (Vec3{0, 0, 0}));
  EXPECT_EQ(fields.frame[0], model.initial_state().q[0]);
}

TEST(NodeFields, WhatIsNotFiniteIsNamed) {
  const Model model(test::framed_scene());
  NodeFields fields = fields_of(model, model.initial_state());
  EXPECT_EQ(not_finite(fields), "");
  fields.moment[2].y = std::nan("");
  EXPECT_EQ(not_finite(fields), "moment");
  fields.frame[1].w = HUGE_VAL;
  EXPECT_EQ(not_finite(fields), "frame");
}

}  // namespace
}  // namespace writhe::measure
