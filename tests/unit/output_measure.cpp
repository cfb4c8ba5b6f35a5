// Measures of a state against what can be worked out by hand.
#include <cmath>

#include <gtest/gtest.h>

#include "math/rotation.h"
#include "measure/measure.h"
#include "model_fixture.h"
#include "writhe/error.h"

namespace writhe {
namespace {

using measure::Field;
using measure::Gauge;
using test::expect_near;

// The rubber cord of the fixture: E 1 MPa, Poisson 0.5, density 1300, radius 5 mm.
constexpr double E = 1e6, G = E / 3, density = 1300, radius = 0.005;
constexpr double area = pi * radius * radius;
constexpr double EA = E * area, GA = G * area;
constexpr double GJ = G * pi * radius * radius * radius * radius / 2;
constexpr double L = 0.4;  // m

Rod cord(Centreline centreline, int segments) {
  Rod out = test::rod("rod", std::move(centreline), segments);
  out.section = "cord";
  return out;
}
Rod straight_cord(int segments) {
  Rod out = cord(LineShape{{0, 0, 0}, {L, 0, 0}}, segments);
  out.d1 = Vec3{0, 0, 1};  // d2 = d3 x d1 = x cross z = -y
  return out;
}
Gauge gauge(const Model& model, const std::string& place) { return {model, model.resolve(Place::parse(place), "probe")}; }

TEST(Measure, TensionOfAStretchedRodIsEATimesStrain) {
  const Model model(test::scene_of(straight_cord(8)));
  State state = model.initial_state();
  const double eps = 0.03;
  for (Vec3& x : state.x) x.x *= 1 + eps;
  for (int s = 0; s < model.segment_count(); ++s) {
    expect_near(measure::segment_strain(model, state, s), {0, 0, eps}, 1e-14);
    expect_near(measure::segment_force(model, state, s), {0, 0, EA * eps}, 1e-12 * EA);
  }
  expect_near(gauge(model, "rod@0.3").force(model, state), {0, 0, EA * eps}, 1e-12 * EA);
  EXPECT_NEAR(measure::energies(model, state).stretch_shear, EA * eps * eps * L / 2, 1e-14 * EA);
  EXPECT_NEAR(measure::segment_field(model, state, measure::segment_joints(model), Field::tension)[3], EA * eps, 1e-12 * EA);
}

TEST(Measure, CompressionIsNegativeTension) {
  const Model model(test::scene_of(straight_cord(4)));
  State state = model.initial_state();
  for (Vec3& x : state.x) x.x *= 0.99;
  EXPECT_NEAR(measure::segment_force(model, state, 2).z, -0.01 * EA, 1e-12 * EA);
}

TEST(Measure, ShearForceActsAlongTheSectionsOwnAxes) {
  const Model model(test::scene_of(straight_cord(5)));
  State state = model.initial_state();
  for (Vec3& x : state.x) x = x + Vec3{0, -0.02 * x.x, 0.01 * x.x};  // sheared, sections not turned: +0.01 on d1, +0.02 on d2
  expect_near(measure::segment_force(model, state, 1), {0.01 * GA, 0.02 * GA, 0}, 1e-12 * EA);
}

// Between segments of the length R turn a joint turns by that, and its strain is 2 sin(turn/2) over its length
// (docs/theory/rod.md): 1/R but for turn^2/24.
TEST(Measure, MomentOfAnArcIsEIOverR) {
  const double R = 0.25, turn = 1.5 / 30, kappa_of_arc = 2 * std::sin(turn / 2) / (R * turn);
  EXPECT_NEAR(kappa_of_arc, 1 / R, turn * turn / 24 / R);
  // Turns about y while it runs; d1 = y, so all bending is about d1.
  Rod rod = test::rod("rod", ArcShape{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, R, 1.5}, 30);
  rod.d1 = Vec3{0, 1, 0};
  const Model model(test::scene_of(rod));
  const State state = model.initial_state();
  const double EI1 = E * 0.02 * 0.002 * 0.002 * 0.002 / 12;  // ribbon 20 mm along d1, 2 mm along d2
  for (int j = 0; j < model.joint_count(); ++j) {
    expect_near(measure::joint_strain(model, state, j), {kappa_of_arc, 0, 0}, 1e-9);
    expect_near(measure::joint_moment(model, state, j), {EI1 * kappa_of_arc, 0, 0}, 1e-9 * EI1 / R);
  }
  for (const char* place : {"rod.start", "rod@0.123", "rod.node[7]", "rod.end"}) {
    expect_near(gauge(model, place).moment(model, state), {EI1 * kappa_of_arc, 0, 0}, 1e-9 * EI1 / R);
  }
  for (const double kappa : measure::segment_field(model, state, measure::segment_joints(model), Field::curvature)) {
    EXPECT_NEAR(kappa, kappa_of_arc, 1e-9);
  }
  const double bent = 29 * model.segments().length[0];  // the two outer half segments have no joint
  EXPECT_NEAR(measure::energies(model, state).bend_twist, EI1 * kappa_of_arc * kappa_of_arc * bent / 2, 1e-9 * EI1);
}

TEST(Measure, TorqueOfATwistedRodIsGJTimesTwistOverLength) {
  Rod rod = straight_cord(10);
  const double twist = -7.0;
  rod.initial_twist = twist;
  Scene scene = test::scene_of(rod);
  scene.supports = {test::clamp("rod.start"), test::clamp("rod.end")};
  const Model model(scene);
  const State state = model.initial_state();
  for (const char* place : {"rod.start", "rod@0.37", "rod.end"}) {
    expect_near(gauge(model, place).moment(model, state), {0, 0, GJ * twist / L}, 1e-9 * GJ / L);
  }
  for (const double t : measure::segment_field(model, state, measure::segment_joints(model), Field::twist)) {
    EXPECT_NEAR(t, twist / L, 1e-9);
  }
  EXPECT_NEAR(measure::energies(model, state).bend_twist, GJ * twist * twist / (2 * L), 1e-9 * GJ / L);
}

TEST(Measure, RestShapeCarriesNoMoment) {
  Rod rod = test::rod("rod", test::coil(), 40, AsBuiltRest{});
  const Model model(test::scene_of(rod));
  const State state = model.initial_state();
  EXPECT_NEAR(norm(gauge(model, "rod@0.5").moment(model, state)), 0, 1e-12);
  EXPECT_GT(measure::segment_field(model, state, measure::segment_joints(model), Field::curvature)[20], 5);  // as it is: 1/0.1 m
  EXPECT_NEAR(measure::energies(model, state).elastic(), 0, 1e-15);
}

TEST(Measure, MomentIsLinearBetweenNodesAndConstantBeyondTheLastJoint) {
  const Model model(test::scene_of(straight_cord(4)));
  State state = model.initial_state();
  const double l = L / 4;
  // Bends about d1 by 0, 0.1, 0.3 rad at nodes 1, 2, 3.
  for (const auto& [s, angle] : {std::pair{2, 0.1}, std::pair{3, 0.4}}) {
    state.q[s] = state.q[s] * exp_rotation(Vec3{angle, 0, 0});
  }
  const double EI = E * pi * std::pow(radius, 4) / 4;
  const auto moment = [&](double angle) { return EI * 2 * std::sin(angle / 2) / l; };
  EXPECT_NEAR(gauge(model, "rod.node[2]").moment(model, state).x, moment(0.1), 1e-12);
  EXPECT_NEAR(gauge(model, "rod@0.625").moment(model, state).x, (moment(0.1) + moment(0.3)) / 2, 1e-12);
  EXPECT_NEAR(gauge(model, "rod@0.3125").moment(model, state).x, moment(0.1) / 4, 1e-12);
  EXPECT_NEAR(gauge(model, "rod.end").moment(model, state).x, moment(0.3), 1e-12);
  EXPECT_NEAR(gauge(model, "rod.start").moment(model, state).x, 0, 1e-15);
}

TEST(Measure, ClosingTurnOfARingTurnsTheMomentIntoTheSectionsAxes) {
  Rod rod = test::rod("ring", RingShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.1}, 90);
  rod.section = "cord";
  rod.initial_twist = rod.closing_angle = 1.2;  // even twist: no kink where the ends meet
  rod.closed = true;
  const Model model(test::scene_of(rod));
  const State state = model.initial_state();
  // One node seen from both sides: the same vector in space, up to the bend of the joint itself (2 pi/90).
  const auto in_space = [&](const char* place, int segment) {
    return rotate(state.q[segment], gauge(model, place).moment(model, state));
  };
  const Vec3 from_first = in_space("ring.start", 0), from_last = in_space("ring.end", 89);
  EXPECT_GT(norm(from_first), 0.5 * E * pi * std::pow(radius, 4) / 4 / 0.1);
  EXPECT_LT(norm(from_first - from_last), 0.08 * norm(from_first));
}

TEST(Measure, PlacesInterpolatePositionVelocityAndFrame) {
  const Model model(test::scene_of(straight_cord(4)));
  State state = model.initial_state();
  state.x[2] = {1, 2, 3};
  state.x[3] = {2, 4, 7};
  state.v[2] = {0, 0, 1};
  state.v[3] = {0, 0, 3};
  const Gauge quarter = gauge(model, "rod@0.5625");  // a quarter of the way from node 2 to node 3
  expect_near(quarter.position(state), {1.25, 2.5, 4}, 1e-12);
  expect_near(quarter.velocity(state), {0, 0, 1.5}, 1e-12);
  // At a node: half way between two frames. In the middle of a segment: its own.
  state.q[2] = state.q[1] * exp_rotation(Vec3{0, 0.6, 0});
  expect_near(gauge(model, "rod.node[2]").frame(model, state), state.q[1] * exp_rotation(Vec3{0, 0.3, 0}), 1e-12);
  expect_near(gauge(model, "rod@0.625").frame(model, state), state.q[2], 1e-12);
}

// A probe at a clamp shows the clamp, not the segment half a length away.
TEST(Measure, TheFrameAtAClampIsTheClamps) {
  Scene scene = test::scene_of(straight_cord(4));
  scene.supports = {test::clamp("rod.start")};
  const Model model(scene);
  State state = model.initial_state();
  state.q[model.segment_count()] = state.q[0] * exp_rotation(Vec3{0.1, 0.2, 0.3});
  expect_near(gauge(model, "rod.start").frame(model, state), state.q[model.segment_count()], 1e-12);
}

TEST(Measure, CurvatureAndTwistAreThoseOfTheJoints) {
  const Model model(test::scene_of(straight_cord(4)));
  State state = model.initial_state();
  const double length = L / 4;
  for (int s = 1; s < 4; ++s) state.q[s] = state.q[s - 1] * exp_rotation(Vec3{0, 0, 0.2});
  EXPECT_NEAR(gauge(model, "rod@0.4").strain(model, state).z, 0.2 / length, 1e-12);
  state = model.initial_state();
  for (int s = 1; s < 4; ++s) state.q[s] = state.q[s - 1] * exp_rotation(Vec3{0.02, 0, 0});
  EXPECT_NEAR(gauge(model, "rod@0.4").strain(model, state).x, 2 * std::sin(0.01) / length, 1e-12);
}

TEST(Measure, KineticEnergyCountsTranslationAndSpin) {
  const Model model(test::scene_of(straight_cord(6)));
  State state = model.initial_state();
  const double mass = density * area * L;
  for (Vec3& v : state.v) v = {0.3, 0, 0.4};
  EXPECT_NEAR(measure::energies(model, state).kinetic, mass * 0.25 / 2, 1e-12);
  state = model.initial_state();
  for (Vec3& w : state.w) w = {0, 0, 20};  // about the rod's own axis
  EXPECT_NEAR(measure::energies(model, state).kinetic, mass * radius * radius / 2 * 400 / 2, 1e-15);
}

TEST(Measure, GravityEnergyFollowsItsRamp) {
  Scene scene = test::scene_of(straight_cord(6));
  scene.gravity = {0, 0, -10};
  scene.gravity_ramp.points = {{0, 0}, {2, 1}};
  const Model model(scene);
  State state = model.initial_state();
  for (Vec3& x : state.x) x.z += 3;
  const double mass = density * area * L;
  EXPECT_EQ(measure::energies(model, state).gravity, 0);
  state.time = 0.5;
  EXPECT_NEAR(measure::energies(model, state).gravity, 0.25 * mass * 10 * 3, 1e-12);
  state.time = 9;
  EXPECT_NEAR(measure::energies(model, state).gravity, mass * 10 * 3, 1e-12);
}

TEST(Measure, SpeedOfASegmentIsThatOfItsMiddle) {
  const Model model(test::scene_of(straight_cord(3)));
  State state = model.initial_state();
  state.v[1] = {0, 0, -2};
  state.v[2] = {0, 2, 0};
  const std::vector<double> speed = measure::segment_field(model, state, measure::segment_joints(model), Field::speed);
  EXPECT_NEAR(speed[0], 1, 1e-15);
  EXPECT_NEAR(speed[1], std::sqrt(2.0), 1e-15);
}

TEST(Measure, FramesAtTheEndsOfASegmentMeetTheirNeighbours) {
  Rod rod = test::rod("rod", test::coil(), 25);
  rod.initial_twist = 3;
  Scene scene = test::scene_of(rod);
  scene.supports = {test::clamp("rod.start")};
  const Model model(scene);
  const State state = model.initial_state();
  const measure::SegmentJoints joints = measure::segment_joints(model);
  using measure::End;
  expect_near(measure::end_frame(model, state, joints, 0, End::start), state.q[model.segment_count()], 1e-12);
  for (int s = 0; s + 1 < model.segment_count(); ++s) {
    expect_near(measure::end_frame(model, state, joints, s, End::end),
                measure::end_frame(model, state, joints, s + 1, End::start), 1e-12);
  }
  expect_near(measure::end_frame(model, state, joints, 24, End::end), state.q[24], 0);
}

TEST(Measure, UnknownFieldNamesTheLikelyOne) {
  EXPECT_EQ(measure::parse_field("twist", "k"), Field::twist);
  try {
    measure::parse_field("tensoin", "output.picture.color");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems()[0].field, "output.picture.color");
    EXPECT_NE(error.problems()[0].message.find("tension"), std::string::npos);
  }
}

}  // namespace
}  // namespace writhe
