// Corners of a rest shape: which points are corners, nodes on them, and joints that stand for two half segments and a free frame.
#include <cmath>
#include <numeric>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "elastic/corner.h"
#include "elastic/joint.h"
#include "model/centreline.h"
#include "model/corners.h"
#include "model/strain.h"
#include "model_fixture.h"
#include "writhe/error.h"

namespace writhe {
namespace {

using test::clamp;
using test::expect_near;
using test::rod;
using test::scene_of;

Eigen::Vector3d eigen(const Vec3& v) { return {v.x, v.y, v.z}; }
Eigen::Matrix3d eigen(const Mat3& m) {
  Eigen::Matrix3d out;
  out << m.r0.x, m.r0.y, m.r0.z, m.r1.x, m.r1.y, m.r1.z, m.r2.x, m.r2.y, m.r2.z;
  return out;
}
Eigen::Matrix3d eigen(const Sym3& s) { return eigen(Mat3{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}); }

// ---- the element -----------------------------------------------------------------------------------------------------
TEST(CornerJoint, PrincipalAxesDiagonaliseAndStayWhereTheyAreGood) {
  const Sym3 m{3, 0.7, -1.1, 2, 0.4, 5};
  const elastic::PrincipalAxes found = elastic::principal_axes(m);
  const Eigen::Matrix3d Q = eigen(matrix(found.turn));
  const Eigen::Matrix3d back = Q * eigen(found.diagonal).asDiagonal() * Q.transpose();
  EXPECT_LT((back - eigen(m)).norm(), 1e-14);
  for (const Sym3& good : {Sym3{2, 1e-17, 0, 2, -2e-17, 2}, Sym3{3, 0, 0, 1, 0, 2}})
    EXPECT_EQ(elastic::principal_axes(good).turn, (Quat{1, 0, 0, 0}));
}

// Two halves to a frame, of joint.h, whose frame is in balance: their stiffness with the frame taken out, by a dense Schur
// complement, is that of the corner's joint.
TEST(CornerJoint, IsTwoHalvesWhoseFrameIsFree) {
  const Vec3 bend_a{20, 31, 13}, bend_b{55, 8, 24};  // N m
  const Quat rest = exp_rotation(Vec3{0.9, -0.8, 0.5});
  const Quat share = exp_rotation(Vec3{0.1, 0.4, -0.3});  // where the frame is between the two does not matter
  const elastic::CornerJoint corner =
      elastic::corner_joint(rest, {1 / bend_a.x, 1 / bend_a.y, 1 / bend_a.z}, {1 / bend_b.x, 1 / bend_b.y, 1 / bend_b.z});
  // Unknowns: a, frame, b. At rest the halves are straight: the frame's sides are those of the legs.
  const Eigen::Matrix3d F = eigen(matrix(conj(share))), G = eigen(matrix(conj(share) * rest));
  const elastic::JointHessian<double> half_a = elastic::joint_hessian(Quat{1, 0, 0, 0}, Quat{1, 0, 0, 0}, 1.0, bend_a, Vec3{}),
                                      half_b = elastic::joint_hessian(Quat{1, 0, 0, 0}, Quat{1, 0, 0, 0}, 1.0, bend_b, Vec3{});
  const Eigen::Matrix3d frame = F * eigen(half_a.bb) * F.transpose() + G * eigen(half_b.aa) * G.transpose();
  const Eigen::Matrix3d to_a = F * eigen(half_a.ba), to_b = eigen(half_b.ba) * G.transpose();
  const Eigen::Matrix3d aa = eigen(half_a.aa) - to_a.transpose() * frame.inverse() * to_a;
  const Eigen::Matrix3d bb = eigen(half_b.bb) - to_b * frame.inverse() * to_b.transpose();
  const Eigen::Matrix3d ba = -to_b * frame.inverse() * to_a;

  const Quat qa = exp_rotation(Vec3{0.3, 0.2, 1}), qb = qa * rest;
  expect_near(conj(qa * corner.turn_a) * qb * corner.turn_b, Quat{1, 0, 0, 0}, 1e-15);
  const auto joint = elastic::joint_hessian(qa * corner.turn_a, qb * corner.turn_b, 1.0, corner.bend, Vec3{});
  const Eigen::Matrix3d A = eigen(matrix(corner.turn_a)), B = eigen(matrix(corner.turn_b));
  EXPECT_LT((A * eigen(joint.aa) * A.transpose() - aa).norm(), 1e-13 * aa.norm());
  EXPECT_LT((B * eigen(joint.bb) * B.transpose() - bb).norm(), 1e-13 * bb.norm());
  EXPECT_LT((B * eigen(joint.ba) * A.transpose() - ba).norm(), 1e-13 * ba.norm());
}

TEST(CornerJoint, WithoutATurnIsAnOrdinaryJoint) {
  const elastic::CornerJoint joint = elastic::corner_joint({1, 0, 0, 0}, {0.5, 0.25, 1}, {1.5, 0.25, 3});
  EXPECT_EQ(joint.turn_a, (Quat{1, 0, 0, 0}));
  EXPECT_EQ(joint.turn_b, (Quat{1, 0, 0, 0}));
  EXPECT_EQ(joint.bend, (Vec3{0.5, 2, 0.25}));
}

// ---- which points are corners, and where nodes are ------------------------------------------------------------------------
std::vector<int> corner_joints(const Model& model) {
  std::vector<int> out;
  for (int j = 0; j < model.joint_count(); ++j)
    if (model.is_corner(j)) out.push_back(j);
  return out;
}

const PolylineShape angle{{{0, 0, 0}, {1, 0, 0}, {1, 0.6, 0.2}}};

// As even as can be: 0.158 and 0.2 m, and not 0.166 and 0.158 of equal shares, none of which ends at the corner.
TEST(Corners, AreNodesWithEvenSegmentsBetween) {
  const double leg = std::hypot(0.6, 0.2);
  for (const int segments : {2, 3, 7, 8, 40}) {
    SCOPED_TRACE(segments);
    const Model model(scene_of(rod("rope", angle, segments, AsBuiltRest{})));
    const std::vector<int> corners = corner_joints(model);
    ASSERT_EQ(corners.size(), 1U);
    const int node = corners[0] + 1;
    expect_near(model.nodes().x_initial[node], Vec3{1, 0, 0}, 1e-15);
    double longest = 0;
    for (int s = 0; s < segments; ++s) {
      const double even = s < node ? 1.0 / node : leg / (segments - node);
      EXPECT_NEAR(model.segments().length[s], even, 1e-14);
      longest = std::max(longest, even);
    }
    // no other share has shorter ones
    for (int other = 1; other < segments; ++other) EXPECT_LE(longest, std::max(1.0 / other, leg / (segments - other)) + 1e-12);
  }
}

TEST(Corners, EvenSegmentsStayWhereTheyMeetThem) {
  const PolylineShape frame{{{0, 0, 0}, {0.3, 0, 0}, {0.3, 0.6, 0}, {0.2, 0.6, 0}}};
  const Model model(scene_of(rod("rope", frame, 20, AsBuiltRest{})));
  EXPECT_EQ(corner_joints(model), (std::vector<int>{5, 17}));
  const std::vector<Vec3> even = sample_centreline(frame, 20, false);
  for (int i = 0; i <= 20; ++i) EXPECT_EQ(model.nodes().x_initial[i], even[i]);
}

TEST(Corners, CurvesGivenByPointsHaveNone) {
  PolylineShape curve, tight;
  for (int i = 0; i <= 100; ++i) {
    const double t = 2 * pi * i / 100;
    curve.points.push_back({std::cos(t), std::sin(t), 0.3 * t});
    tight.points.push_back({3 * std::cos(t), 0.3 * std::sin(t), 0});  // at its ends by up to 36 degrees a point
  }
  for (const int segments : {10, 40, 100, 1000}) {
    SCOPED_TRACE(segments);
    EXPECT_TRUE(node_places(rod("rope", curve, segments, AsBuiltRest{})).corners.empty());
    if (segments > 100) continue;  // more than two to a side
    EXPECT_TRUE(node_places(rod("rope", tight, segments, AsBuiltRest{})).corners.empty());
  }
}

TEST(Corners, OfAFineLineAreFoundAmongItsPoints) {
  PolylineShape line;
  for (int i = 0; i <= 100; ++i) line.points.push_back({0.01 * i, 0.001 * std::sin(1.7 * i), 0});
  for (int i = 1; i <= 50; ++i) line.points.push_back({1, 0.02 * i, 0.001 * std::sin(1.7 * i)});
  const NodePlaces places = node_places(rod("rope", line, 12, AsBuiltRest{}));
  ASSERT_EQ(places.corners.size(), 1U);
  EXPECT_EQ(points_at(line, places.at, false)[places.corners[0]], line.points[100]);
}

// Too tight for the segments, or too near to an end: a bend as any other, until segments are fine enough.
TEST(Corners, TooNearToOneAnotherAreABend) {
  const PolylineShape clipped{{{0, 0, 0}, {1, 0, 0}, {1.02, 0.02, 0}, {1.02, 1, 0}}},
      hooked{{{0, 0, 0}, {1, 0, 0}, {1, 0.02, 0}}};
  const auto corners = [](const PolylineShape& shape, int segments) {
    return node_places(rod("rope", shape, segments, AsBuiltRest{})).corners.size();
  };
  EXPECT_EQ(corners(clipped, 20), 0U);
  EXPECT_EQ(corners(clipped, 200), 2U);  // 2 cm of a segment of 1 cm
  EXPECT_EQ(corners(hooked, 20), 0U);
  EXPECT_EQ(corners(hooked, 30), 1U);
}

TEST(Corners, AreThoseOfTheRestShape) {
  EXPECT_TRUE(node_places(rod("rope", angle, 9)).corners.empty());  // straight at rest
  const ShapeRest rest{angle, {}};
  const Model model(scene_of(rod("rope", LineShape{{0, 0, 0}, {2, 0, 0}}, 9, rest)));
  ASSERT_EQ(corner_joints(model).size(), 1U);
  const int node = corner_joints(model)[0] + 1;
  // built with the same shares of the length: strained alike everywhere
  for (int s = 0; s < 9; ++s)
    EXPECT_NEAR(strain::of_segment(model, model.initial_state(), s).z, 2 / (1 + std::hypot(0.6, 0.2)) - 1, 1e-13);
  EXPECT_NEAR(norm(log_rotation(strain::rotation_of_joint(model, model.initial_state(), node - 1))), pi / 2, 1e-14);
  EXPECT_LT(test::largest_excess(Model(scene_of(rod("rope", angle, 9, rest)))), 1e-14);
}

TEST(Corners, OfAnyShapeAreFreeOfStrainAsBuilt) {
  PolylineShape frame{{{0, 0, 0}, {1, 0, 0}, {1, 0.7, 0.2}, {0.1, 0.7, -0.3}}};
  for (const bool closed : {false, true})
    for (const double twist : {0.0, 2.5, -8.0})
      for (const char* held : {"", "rope.start", "rope.node[5]"}) {
        SCOPED_TRACE(testing::Message() << closed << ", " << twist << " rad, " << held);
        Rod given = rod("rope", frame, 16, AsBuiltRest{});
        given.closed = closed;
        given.initial_twist = given.rest_twist = twist;
        if (closed) given.closing_angle = twist;
        Scene scene = scene_of(given);
        const std::vector<int> corners = node_places(given).corners;
        EXPECT_EQ(corners.size(), closed ? 4U : 2U);
        EXPECT_EQ(corners.back() == 16, closed);
        if (*held) scene.supports = {clamp(held)};
        if (!closed) scene.supports.push_back(clamp("rope.node[" + std::to_string(corners[0]) + "]"));
        const Model model(scene);
        EXPECT_LT(test::largest_excess(model), 1e-14);
        for (const int j : corner_joints(model)) EXPECT_EQ(model.joints().strain_rest[j], (Vec3{0, 0, 0}));
      }
}

// Driven, the closing angle turns the first frame about its own d3, at a corner as elsewhere, and at a clamp.
TEST(Corners, OfALoopTurnAboutTheRodWhenItsAngleIsDriven) {
  for (const bool held : {false, true}) {
    Rod given = rod("rope", PolylineShape{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}}, 16, AsBuiltRest{});
    given.closed = true;
    Scene scene = scene_of(given);
    if (held) scene.supports = {clamp("rope.start")};
    const Model model(scene);
    const int joint = model.joint_count() - 1;
    ASSERT_EQ(model.joints().closes[joint], 0);
    const double driven = 0.4;
    State state = model.initial_state();
    const Quat before = strain::rotation_of_joint(model, state, joint);
    state.closing[0] = driven;
    const Quat after = strain::rotation_of_joint(model, state, joint);
    const Vec3 turn = log_rotation(conj(before) * after);
    EXPECT_NEAR(norm(turn), driven, 1e-14);
    // b seen through its turn: of a clamp the frame, whose leg at the end of the rod stands at half the corner
    const Joints& joints = model.joints();
    const Vec3 axis = rotate(state.q[joints.b[joint]] * joints.turn_b[joint], (1 / driven) * turn);
    expect_near(axis, held ? rotate(model.frames().q_initial[0], Vec3{0, 0, 1}) : Vec3{1, 0, 0}, 1e-14);
  }
}

TEST(Corners, NeedASegmentForEachLeg) {
  const PolylineShape zigzag{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 1, 0}, {2, 2, 0}}};
  try {
    const Model model(scene_of(rod("rope", zigzag, 3, AsBuiltRest{})));
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.problems().size(), 1U);
    EXPECT_EQ(error.problems()[0].field, "rods.rope.segments");
    EXPECT_EQ(error.problems()[0].value, "3");
    EXPECT_NE(error.problems()[0].message.find("use at least 4 segments"), std::string::npos);
  }
  EXPECT_NO_THROW(Model(scene_of(rod("rope", zigzag, 4, AsBuiltRest{}))));
  EXPECT_NO_THROW(Model(scene_of(rod("rope", zigzag, 3))));  // straight at rest
}

}  // namespace
}  // namespace writhe
