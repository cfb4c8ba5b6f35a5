// Rods of constant curvature and twist at rest: strains of their joints, and the shapes they take when they are let go.
#include <gtest/gtest.h>

#include "measure/measure.h"
#include "model_fixture.h"
#include "support/statics.h"
#include "writhe/writhe.h"

namespace writhe {
namespace {

using test::clamp;
using test::expect_near;
using test::rod;
using test::scene_of;

TEST(CurvedRest, JointsTurnAtAConstantRateBetweenTheMiddlesOfTheirSegments) {
  const Vec3 rate{3, -2, 5};                                        // 1/m about d1, d2, d3
  const PolylineShape uneven{{{0, 0, 0}, {1, 0, 0}, {1, 0.7, 0}}};  // a chord across the corner is shorter
  Scene scene = scene_of(rod("rope", uneven, 8, CurvedRest{rate.x, rate.y, rate.z, 1.9}));
  scene.supports = {clamp("rope.start"), clamp("rope.node[3]"), clamp("rope.end")};
  const Model model(scene);
  EXPECT_NEAR(model.rods()[0].length, 1.9, 1e-14);
  bool uneven_joints = false;
  for (int j = 0; j < model.joint_count(); ++j) {
    const double l = model.joints().length[j], theta = l * norm(rate);
    const Vec3 v = std::sin(theta / 2) / norm(rate) * rate;
    const Vec3 angles{2 * v.x, 2 * v.y, 2 * std::atan2(v.z, std::cos(theta / 2))};  // theory/rod.md, "Joint"
    expect_near(l * model.joints().strain_rest[j], angles, 1e-14);
    uneven_joints = uneven_joints || std::abs(l - model.joints().length[1]) > 1e-3;
  }
  EXPECT_TRUE(uneven_joints);
  // as long as built without a length
  scene.rods[0].rest = CurvedRest{1, 0, 0, {}};
  const double built = Model(scene_of(rod("rope", uneven, 8))).rods()[0].length;
  EXPECT_NEAR(Model(scene).rods()[0].length, built, 1e-14);
}

// About the direction d1 the two ways to state an arc are one; so they are for a straight rod with twist.
TEST(CurvedRest, IsTheArcOrTheTwistOfTheSameNumbers) {
  const LineShape line{{0, 0, 0}, {1, 0, 0}};
  const Model arc(scene_of(rod("rope", line, 12, ShapeRest{ArcShape{{}, {0, 0, 1}, {1, 0, 0}, 0.4, 2.5}, Vec3{0, 0, 1}})));
  const Model curved(scene_of(rod("rope", line, 12, CurvedRest{2.5, 0, 0, {}})));
  Rod twisted = rod("rope", line, 12);
  twisted.rest_twist = -7;
  const Model by_angle(scene_of(twisted)), by_rate(scene_of(rod("rope", line, 12, CurvedRest{0, 0, -7, {}})));
  for (int j = 0; j < arc.joint_count(); ++j) {
    expect_near(curved.joints().strain_rest[j], arc.joints().strain_rest[j], 1e-12);
    expect_near(by_rate.joints().strain_rest[j], by_angle.joints().strain_rest[j], 1e-12);
  }
}

TEST(CurvedRest, ARingOfItIsClosedByAJointLikeTheOthers) {
  const Model model(scene_of(rod("hoop", RingShape{{}, {0, 0, 1}, {1, 0, 0}, 0.5}, 16, CurvedRest{1, 2, 3, {}})));
  for (int j = 0; j < 16; ++j) expect_near(model.joints().strain_rest[j], model.joints().strain_rest[0], 1e-13);
}

// ---- let go ------------------------------------------------------------------------------------------------------------
// Along x from the origin, clamped there: d1 = y, d2 = z.
Scene straight_rod(const CurvedRest& rest, int segments) {
  Scene scene = scene_of(rod("rope", LineShape{{0, 0, 0}, {1, 0, 0}}, segments, rest));
  scene.gravity = {0, 0, 0};
  scene.supports = {clamp("rope.start")};
  return scene;
}

// Without stress: segments of their length, each turned on from the clamp about the axis of the helix, which is the rate itself.
void expect_free(const State& state, const Vec3& rate, double length, int segments, double tolerance) {
  const Vec3 axis{rate.z, rate.x, rate.y};  // of space; d3 = x, d1 = y, d2 = z
  const double l = length / segments;
  Vec3 x{0, 0, 0};
  for (int i = 0; i < segments; ++i) {
    expect_near(state.x[i], x, tolerance);
    x += l * rotate(exp_rotation((i + 0.5) * l * axis), Vec3{1, 0, 0});
  }
  expect_near(state.x[segments], x, tolerance);
}

TEST(CurvedRest, AStraightRodThatIsLetGoClosesIntoACircle) {
  const int n = 40;
  const double k = 2 * pi;  // 1/m
  const Scene scene = straight_rod({k, 0, 0, {}}, n);
  const Statics statics = test::solved(scene);
  const std::vector<Vec3>& x = statics.state().x;
  EXPECT_LT(norm(x[n] - x[0]), 1e-8);  // the end comes back to the start
  expect_near(x[n / 2], {0, 0, -2 / k},
              2 / k * 0.52 * k * k / n / n);  // towards -d2, a diameter away: pi^2/6/n^2 more of a polygon
  expect_free(statics.state(), {k, 0, 0}, 1, n, 1e-8);
  EXPECT_LT(measure::energies(statics.model(), statics.state()).elastic(), 1e-16);
}

// Radius kappa/(kappa^2 + twist^2), climb 2 pi twist/(kappa^2 + twist^2) a turn, of a ribbon that bends about both its axes.
TEST(CurvedRest, CurvatureAndTwistMakeAHelix) {
  const double k1 = 6, k2 = -8, twist = 5, kappa = 10, w = std::sqrt(kappa * kappa + twist * twist);
  const int a_turn = 30, n = 75;
  const double length = n * 2 * pi / w / a_turn;  // two and a half turns
  const Scene scene = straight_rod({k1, k2, twist, length}, n);
  const Statics statics = test::solved(scene);
  const std::vector<Vec3>& x = statics.state().x;
  expect_free(statics.state(), {k1, k2, twist}, length, n, 1e-7);
  const Vec3 axis = Vec3{twist, k1, k2} / w;
  for (int i = 0; i + a_turn <= n; ++i) expect_near(x[i + a_turn] - x[i], 2 * pi * twist / (w * w) * axis, 1e-7);
  // Half a turn apart across the axis: the diameter, more by (turn/2)^2/6 for a polygon.
  const Vec3 across = x[a_turn / 2] - x[0] - dot(x[a_turn / 2] - x[0], axis) * axis;
  const double polygon = std::pow(pi / a_turn, 2) / 6;
  EXPECT_NEAR(norm(across), 2 * kappa / (w * w), 2 * kappa / (w * w) * 1.1 * polygon);
}

}  // namespace
}  // namespace writhe
