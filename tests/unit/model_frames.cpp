// Frames along a rod: twist-free, twisted, closed into a ring.
#include <gtest/gtest.h>

#include "model_fixture.h"

namespace writhe {
namespace {

using test::angles;
using test::clamp;
using test::coil;
using test::expect_near;
using test::largest_excess;
using test::rod;
using test::scene_of;

constexpr Vec3 e1{1, 0, 0}, e2{0, 1, 0}, e3{0, 0, 1};

TEST(RodFrames, D3FollowsTheSegments) {
  const Model model(scene_of(rod("coil", coil(), 40)));
  const Segments& s = model.segments();
  for (int i = 0; i < model.segment_count(); ++i) {
    const Vec3 chord = model.nodes().x_initial[s.node1[i]] - model.nodes().x_initial[s.node0[i]];
    expect_near(rotate(s.q_initial[i], e3), normalized(chord), 1e-14);
    EXPECT_NEAR(dot(s.q_initial[i], s.q_initial[i]), 1, 1e-14);
  }
}

TEST(RodFrames, CarryNoTwist) {
  const PolylineShape zigzag{{{0, 0, 0}, {1, 0, 0}, {1.5, 1, 0}, {1, 1.5, 1}, {0, 1, 2}}};
  const ArcShape planar{{}, {0, 0, 1}, {1, 0, 0}, 0.3, 3};
  for (const Centreline& shape : {Centreline(zigzag), Centreline(planar), Centreline(coil())}) {
    const Model model(scene_of(rod("rope", shape, 30)));
    const State state = model.initial_state();
    for (int i = 0; i < model.joint_count(); ++i) EXPECT_NEAR(angles(model, state, i).z, 0, 1e-14);
  }
}

// A horizontal rod: d1 horizontal, d2 up. A vertical one: d2 along x.
TEST(RodFrames, AutomaticSectionAxes) {
  const Model level(scene_of(rod("rope", LineShape{{0, 0, 0}, {2, 0, 0}}, 2)));
  expect_near(rotate(level.segments().q_initial[0], e1), {0, 1, 0}, 1e-15);
  expect_near(rotate(level.segments().q_initial[0], e2), {0, 0, 1}, 1e-15);
  for (const double way : {1.0, -1.0}) {
    const Model upright(scene_of(rod("rope", LineShape{{0, 0, 0}, {0, 0, way}}, 2)));
    expect_near(rotate(upright.segments().q_initial[0], e2), {1, 0, 0}, 1e-15);
  }
}

TEST(RodFrames, GivenD1IsProjected) {
  Rod given = rod("rope", LineShape{{0, 0, 0}, {2, 0, 0}}, 2);
  given.d1 = Vec3{7, 0, 3};
  expect_near(rotate(Model(scene_of(given)).segments().q_initial[1], e1), {0, 0, 1}, 1e-15);
}

// 27 turns over 300 segments: each joint has its own 32.4 degrees, and signs never jump. Twist is zero at the start,
// so the first segment has half a joint's twist.
TEST(RodFrames, TwistAccumulates) {
  Rod given = rod("rope", LineShape{{0, 0, 0}, {9.29, 0, 0}}, 300);
  given.initial_twist = 27 * 2 * pi;
  Scene scene = scene_of(given);
  scene.supports = {clamp("rope.start"), clamp("rope.end")};
  const Model model(scene);
  const State state = model.initial_state();
  ASSERT_EQ(model.joint_count(), 301);
  double total = 0;
  for (int i = 0; i < model.joint_count(); ++i) {
    const Vec3 angle = angles(model, state, i);
    const bool half = i == 0 || i == 300;
    expect_near(angle, {0, 0, 27 * 2 * pi / 300 / (half ? 2 : 1)}, 1e-11);
    EXPECT_GT(dot(state.q[model.joints().a[i]], state.q[model.joints().b[i]]), 0);
    total += angle.z;
  }
  EXPECT_NEAR(total, 27 * 2 * pi, 1e-10);
  const Vec3 d1 = rotate(state.q[0], e1);
  expect_near(d1, {0, std::cos(0.09 * pi), std::sin(0.09 * pi)}, 1e-12);  // from y towards z: right-handed about x
}

// Twist that follows rest arc length: with a corner the chords differ, the twist per rest length does not.
TEST(RodFrames, TwistIsEvenInRestLength) {
  Rod given = rod("rope", PolylineShape{{{0, 0, 0}, {1, 0, 0}, {1, 1.7, 0}}}, 5);
  given.initial_twist = 1;
  const Model model(scene_of(given));
  const State state = model.initial_state();
  const double length = model.rods()[0].length;
  EXPECT_LT(length, 2.7 - 1e-3);
  for (int i = 0; i < 4; ++i) {
    const bool bent = norm(Vec3{angles(model, state, i).x, angles(model, state, i).y, 0}) > 1e-9;
    // of a joint that bends and twists atan2 gives a little more than the angle put in; the straight ones are exact
    EXPECT_NEAR(angles(model, state, i).z, model.joints().length[i] / length, bent ? 0.02 : 1e-14);
  }
}

TEST(RodFrames, RestTwistIsTheTwistOfTheStressFreeRod) {
  Rod given = rod("rope", LineShape{{0, 0, 0}, {2, 0, 0}}, 8);
  given.rest_twist = 3;
  const Model loose(scene_of(given));
  for (int i = 0; i < loose.joint_count(); ++i) expect_near(loose.joints().strain_rest[i], {0, 0, 1.5}, 1e-13);
  given.initial_twist = 3;
  EXPECT_LT(largest_excess(Model(scene_of(given))), 1e-14);
}

// ---- rings -------------------------------------------------------------------------------------------------------------
TEST(Ring, PlanarRingHasNoTwistAndEqualBends) {
  const int n = 24;
  const Model model(scene_of(rod("hoop", RingShape{{}, {1, 2, 3}, {1, 0, 0}, 0.5}, n, AsBuiltRest{})));
  EXPECT_EQ(model.node_count(), n);
  EXPECT_EQ(model.joint_count(), n);
  EXPECT_EQ(model.segments().node1[n - 1], 0);
  EXPECT_EQ(model.joints().a[n - 1], n - 1);
  EXPECT_EQ(model.joints().b[n - 1], 0);
  const State state = model.initial_state();
  for (int i = 0; i < n; ++i) {
    const Vec3 angle = angles(model, state, i);
    EXPECT_NEAR(angle.z, 0, 1e-13);
    EXPECT_NEAR(std::hypot(angle.x, angle.y), 2 * std::sin(pi / n), 1e-13);
  }
  EXPECT_LT(largest_excess(model), 1e-14);
}

TEST(Ring, StraightRestBendsEverywhereAlike) {
  const int n = 24;
  const Model model(scene_of(rod("hoop", RingShape{{}, {0, 0, 1}, {1, 0, 0}, 0.5}, n)));
  for (int i = 0; i < n; ++i) expect_near(model.joints().strain_rest[i], {0, 0, 0}, 1e-15);
}

TEST(Ring, BuiltWithItsRestTwistIsFreeOfStrain) {
  Rod hoop = rod("hoop", RingShape{{}, {0, 0, 1}, {1, 0, 0}, 0.5}, 24, AsBuiltRest{});
  hoop.initial_twist = hoop.rest_twist = hoop.closing_angle = 2.2;
  EXPECT_LT(largest_excess(Model(scene_of(hoop))), 1e-14);
}

TEST(Ring, ClosingAngleBeyondTheInitialTwistIsInTheClosingJoint) {
  Rod hoop = rod("hoop", RingShape{{}, {0, 0, 1}, {1, 0, 0}, 0.5}, 24);
  hoop.closing_angle = 0.7;
  hoop.initial_twist = 0;
  const Model model(scene_of(hoop));
  const State state = model.initial_state();
  EXPECT_NEAR(angles(model, state, 23).z, 0.7, 1e-12);
  for (int i = 0; i < 23; ++i) EXPECT_NEAR(angles(model, state, i).z, 0, 1e-13);
}

PolylineShape saddle(int n) {
  PolylineShape out;
  for (int i = 0; i < n; ++i) {
    const double t = 2 * pi * i / n;
    out.points.push_back({std::cos(t), std::sin(t), 0.8 * std::cos(2 * t + 0.3) + 0.5 * std::sin(3 * t)});
  }
  return out;
}

double total_twist(const Model& model) {
  const State state = model.initial_state();
  double sum = 0;
  for (int i = 0; i < model.joint_count(); ++i) sum += angles(model, state, i).z;
  return sum;
}

// closing_angle = initial_twist spreads the twist over all joints, whatever its size; whole turns also close at angle 0.
TEST(Ring, InitialTwistSpreadsEvenly) {
  const int n = 48;
  for (const double twist : {0.4, 1.5 * pi, -3.3, 2 * pi, 10.0, -6 * pi}) {
    Rod hoop = rod("hoop", RingShape{{}, {0, 0, 1}, {1, 0, 0}, 0.5}, n);
    hoop.initial_twist = hoop.closing_angle = twist;
    const Model spread(scene_of(hoop));
    const State state = spread.initial_state();
    for (int i = 0; i < n; ++i) EXPECT_NEAR(angles(spread, state, i).z, twist / n, 1e-12);
    const bool whole = std::abs(std::remainder(twist, 2 * pi)) < 1e-12;
    if (!whole) continue;
    hoop.closing_angle = 0;
    EXPECT_NEAR(total_twist(Model(scene_of(hoop))), twist, 1e-10);
  }
}

// Without an initial twist the closing angle is the twist, whole turns included, and evenly spread: also where a clamp holds the
// start, and in a loop that is not flat.
TEST(Ring, StartsWithItsClosingAngleAsTwist) {
  const int n = 96;
  for (const double angle : {0.7, 1.5 * pi, -6 * pi, 6 * pi, 20.0}) {
    SCOPED_TRACE(angle);
    Rod hoop = rod("hoop", RingShape{{}, {0, 0, 1}, {1, 0, 0}, 0.5}, n);
    hoop.closing_angle = angle;
    Scene scene = scene_of(hoop);
    const Model free(scene);
    const State state = free.initial_state();
    for (int i = 0; i < n; ++i) EXPECT_NEAR(angles(free, state, i).z, angle / n, 1e-12);
    scene.supports = {clamp("hoop.start")};
    const Model clamped(scene);
    ASSERT_EQ(clamped.joint_count(), n + 1);
    EXPECT_NEAR(total_twist(clamped), angle, 1e-10);
    EXPECT_NEAR(angles(clamped, clamped.initial_state(), n).z, angle / n / 2, 1e-12);

    Rod loop = rod("loop", saddle(90), n, AsBuiltRest{});
    loop.closed = true;
    loop.closing_angle = angle;
    const Model curved(scene_of(loop));
    EXPECT_NEAR(total_twist(curved), angle, 1e-10);
    loop.rest_twist = angle;
    EXPECT_LT(largest_excess(Model(scene_of(loop))), 1e-13);
  }
}

// With an initial twist the closing joint has what is missing, modulo a turn; turns that it would lose are refused.
TEST(Ring, WholeTurnsAreThoseOfTheInitialTwist) {
  Rod hoop = rod("hoop", RingShape{{}, {0, 0, 1}, {1, 0, 0}, 0.5}, 96);
  hoop.closing_angle = 0.5;
  hoop.initial_twist = 4 * pi;
  EXPECT_NEAR(total_twist(Model(scene_of(hoop))), 4 * pi + 0.5, 1e-3);
  hoop.closing_angle = 4 * pi + 0.5;
  EXPECT_NEAR(total_twist(Model(scene_of(hoop))), 4 * pi + 0.5, 1e-3);
  for (const double angle : {1.5 * pi, -6 * pi, 10 * pi}) {
    hoop.closing_angle = angle;
    try {
      const Model model(scene_of(hoop));
      ADD_FAILURE() << angle;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("rods.hoop.closing_angle"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("leave initial_twist out"), std::string::npos) << error.what();
    }
  }
}

// Writhe of a closed polygon: sum over pairs of sides of the signed solid angle (Klenin and Langowski 2000, method 1a).
double writhe_of(const std::vector<Vec3>& p) {
  const int n = static_cast<int>(p.size());
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      if (i - j == 1 || i - j == n - 1) continue;
      const Vec3 a = p[i], b = p[(i + 1) % n], c = p[j], d = p[(j + 1) % n];
      const Vec3 faces[4] = {cross(c - a, d - a), cross(d - a, d - b), cross(d - b, c - b), cross(c - b, c - a)};
      double angle = 0;
      for (int k = 0; k < 4; ++k) {
        const Vec3 u = normalized(faces[k]), v = normalized(faces[(k + 1) % 4]);
        angle += std::asin(std::clamp(dot(u, v), -1.0, 1.0));
      }
      sum += std::copysign(angle, dot(cross(d - c, b - a), c - a)) / (2 * pi);
    }
  return sum;
}

PolylineShape trefoil(int n) {
  PolylineShape out;
  for (int i = 0; i < n; ++i) {
    const double t = 2 * pi * i / n;
    out.points.push_back({std::sin(t) + 2 * std::sin(2 * t), std::cos(t) - 2 * std::cos(2 * t), -std::sin(3 * t)});
  }
  return out;
}

// A loop in space closes without twist at angle 0, and the turn that takes is its holonomy. A frame that closes on itself needs
// the twist -holonomy, and then link = twist + writhe is whole (Fuller 1971): holonomy = 2 pi writhe, modulo whole turns.
TEST(Ring, HolonomyOfALoopIsItsWrithe) {
  for (const PolylineShape& curve : {trefoil(90), saddle(90)}) {
    Rod loop = rod("knot", curve, 60, AsBuiltRest{});
    loop.closed = true;
    const Model model(scene_of(loop));
    EXPECT_LT(largest_excess(model), 1e-14);
    EXPECT_NEAR(angles(model, model.initial_state(), 59).z, 0, 1e-12);
    const Quat turn = model.joints().turn_b[59];
    EXPECT_NEAR(std::hypot(turn.x, turn.y), 0, 1e-14);
    const double holonomy = 2 * std::atan2(turn.z, turn.w);
    const double writhe = writhe_of(model.nodes().x_initial);
    EXPECT_GT(std::abs(std::remainder(writhe, 1)), 0.01);  // else the test says nothing
    EXPECT_NEAR(std::remainder(holonomy - 2 * pi * writhe, 2 * pi), 0, 1e-10);
  }
}

TEST(Ring, ClampAtItsStartTakesTheClosingTurn) {
  Rod loop = rod("knot", saddle(90), 60, AsBuiltRest{});
  loop.closed = true;
  Scene scene = scene_of(loop);
  scene.supports = {clamp("knot.start")};
  const Model clamped(scene);
  EXPECT_EQ(clamped.joint_count(), 61);
  EXPECT_LT(largest_excess(clamped), 1e-13);
  EXPECT_EQ(clamped.components()[0].kind, Component::Kind::ring);
  // with a closing angle the joint that comes back to the clamp holds it
  scene.rods[0].closing_angle = 0.3;
  scene.rods[0].initial_twist = 0;
  const Model turned(scene);
  EXPECT_NEAR(angles(turned, turned.initial_state(), 60).z, 0.3, 1e-12);
}

// A ring whose stress-free shape is open: cut, it springs open to an arc of the same curvature everywhere.
TEST(Ring, OpenRestShape) {
  const int n = 40;
  const double angle = 1.2 * pi, radius = 2 * pi * 0.5 / angle;
  const ShapeRest arc{ArcShape{{}, {0, 0, 1}, {1, 0, 0}, radius, angle}, {}};
  const Model model(scene_of(rod("hoop", RingShape{{}, {0, 0, 1}, {1, 0, 0}, 0.5}, n, arc)));
  for (int i = 0; i < n; ++i) {
    expect_near(model.joints().strain_rest[i], model.joints().strain_rest[0], 1e-12);
    EXPECT_NEAR(norm(model.joints().strain_rest[i]) * model.joints().length[i], 2 * std::sin(angle / n / 2), 1e-12);
  }
}

}  // namespace
}  // namespace writhe
