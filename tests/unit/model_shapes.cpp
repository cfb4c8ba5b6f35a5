// Rods along arcs, rings and helices: exactly as long as the curve and turned as it is (docs/theory/shapes.md).
#include <gtest/gtest.h>

#include "measure/measure.h"
#include "model/centreline.h"
#include "model_fixture.h"

namespace writhe {
namespace {

using test::empty_scene;
using test::expect_near;
using test::rod;
using test::scene_of;

// A helix about z that starts on the x axis: r, turns through `angle` while it climbs `height`. height 0: an arc.
struct Screw {
  double radius, angle, height;
  double length() const { return std::hypot(radius * angle, height); }
  Vec3 at(double t) const { return {radius * std::cos(t * angle), radius * std::sin(t * angle), t * height}; }
  Vec3 tangent(double t) const {
    return Vec3{-radius * angle * std::sin(t * angle), radius * angle * std::cos(t * angle), height} / length();
  }
  Centreline shape() const {
    if (height == 0) return ArcShape{{}, {0, 0, 1}, {1, 0, 0}, radius, angle};
    return HelixShape{{}, {0, 0, 1}, {1, 0, 0}, radius, height / std::abs(angle) * 2 * pi, angle / (2 * pi)};
  }
};
const Screw screws[] = {{0.5, 1.5, 0}, {2, -3, 0}, {0.1, 9, 0.07}, {0.1, -9, 0.3}, {0.02, 2, 5}, {3, 1e-3, 0}};

TEST(LaidCurve, SegmentsAreArcsLongAndLieAlongTheTangentsOfTheirMiddles) {
  for (const Screw& screw : screws)
    for (const int n : {6, 33, 1000}) {
      SCOPED_TRACE(testing::Message() << screw.radius << " " << screw.angle << " " << screw.height << ", " << n);
      const std::vector<Vec3> nodes = lay_centreline(screw.shape(), n, false);
      ASSERT_EQ(nodes.size(), n + 1u);
      EXPECT_EQ(nodes[0], (Vec3{screw.radius, 0, 0}));
      const double l = screw.length() / n, rounding = 1e-15 * (screw.length() + screw.radius);
      for (int i = 0; i < n; ++i) expect_near(nodes[i + 1] - nodes[i], l * screw.tangent((i + 0.5) / n), rounding);
      // The end misses that of the curve by no more than the widening, at both ends: second order.
      const double turn = screw.angle / n;
      EXPECT_LT(norm(nodes[n] - screw.at(1)), 2 * screw.radius * turn * turn / 22 + rounding);
    }
}

TEST(LaidCurve, RingsKeepTheirCentre) {
  for (const int n : {4, 5, 60}) {
    const std::vector<Vec3> nodes = lay_centreline(RingShape{{1, 2, 3}, {0, 1, 0}, {0, 0, 1}, 0.5}, n, true);
    EXPECT_EQ(nodes.front(), nodes.back());
    Vec3 sum{};
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(norm(nodes[i + 1] - nodes[i]), pi / n, 1e-14);
      EXPECT_NEAR(norm(nodes[i] - Vec3{1, 2, 3}), 0.5 * (pi / n) / std::sin(pi / n), 1e-14);
      sum += nodes[i];
    }
    expect_near(sum / static_cast<double>(n), {1, 2, 3}, 1e-14);
    expect_near(normalized(nodes[0] - Vec3{1, 2, 3}), {0, 0, 1}, 1e-14);
  }
}

TEST(LaidCurve, MeetsWhereItIsJoined) {
  const Screw screw{0.1, 5, 0.2};
  const std::vector<Vec3> curve = sample_centreline(screw.shape(), 20, false);
  for (const int met : {0, 7, 20}) {
    const std::vector<Vec3> nodes = lay_centreline(screw.shape(), 20, false, {met});
    EXPECT_EQ(nodes[met], curve[met]);
    for (int i = 0; i < 20; ++i) EXPECT_NEAR(norm(nodes[i + 1] - nodes[i]), screw.length() / 20, 1e-15);
  }
  EXPECT_EQ(lay_centreline(screw.shape(), 20, false, {3, 20}), curve);
  const Centreline ring = RingShape{{}, {0, 0, 1}, {1, 0, 0}, 2};
  const std::vector<Vec3> nodes = lay_centreline(ring, 8, true, {2});
  EXPECT_EQ(nodes[2], sample_centreline(ring, 8, true)[2]);
  EXPECT_EQ(nodes[8], nodes[0]);
  EXPECT_NEAR(norm(nodes[8] - nodes[7]), 4 * pi / 8, 1e-14);
}

// ---- rods --------------------------------------------------------------------------------------------------------------
// Stretching by rounding: EA L (1e-15)^2 and as much of EI/L; the ribbon of the fixture has EA 40 N, EI 1e-5 N m^2.
constexpr double no_energy = 1e-27;  // J

TEST(LaidCurve, RodsHaveTheLengthAndMassOfTheCurveAndStartWithoutStress) {
  const double line_mass = 1300 * 0.02 * 0.002;
  for (const Screw& screw : screws) {
    for (const int n : {9, 40}) {
      SCOPED_TRACE(testing::Message() << screw.radius << " " << screw.angle << " " << screw.height << ", " << n);
      Scene scene = scene_of(rod("rope", screw.shape(), n, AsBuiltRest{}));
      scene.supports = {test::clamp("rope.start"), test::clamp("rope.end"), test::clamp("rope.node[3]")};
      const Model model(scene);
      const double length = screw.length();
      EXPECT_NEAR(model.rods()[0].length, length, 1e-14 * length);
      EXPECT_NEAR(model.rods()[0].mass, line_mass * length, 1e-14 * line_mass * length);
      EXPECT_LT(measure::energies(model, model.initial_state()).elastic(), no_energy * std::max(1.0, length));
    }
  }
  const Model ring(scene_of(rod("hoop", RingShape{{}, {1, 1, 0}, {0, 0, 1}, 0.3}, 40, AsBuiltRest{})));
  EXPECT_NEAR(ring.rods()[0].length, 2 * pi * 0.3, 1e-14);
  EXPECT_LT(measure::energies(ring, ring.initial_state()).elastic(), no_energy);
  // straight at rest, it is as long
  const Model straight(scene_of(rod("hoop", RingShape{{}, {1, 1, 0}, {0, 0, 1}, 0.3}, 40)));
  EXPECT_NEAR(straight.rods()[0].length, 2 * pi * 0.3, 1e-14);
}

// A joint turns from the tangent at one middle to that at the next: by kappa l on a circle; on a helix by beta with
// sin(beta/2) = cos(slope) sin(turn/2). The strain of a turn beta without twist is 2 sin(beta/2)/l.
TEST(LaidCurve, RestShapesHaveTheirLengthAndCurvature) {
  for (const Screw& screw : screws) {
    const int n = 40;
    const Model model(scene_of(rod("rope", LineShape{{0, 0, 0}, {0.3, 0, 0}}, n, ShapeRest{screw.shape(), {}})));
    EXPECT_NEAR(model.rods()[0].length, screw.length(), 1e-14 * screw.length());
    const double slope_cosine = screw.radius * std::abs(screw.angle) / screw.length();
    const double angle = 2 * slope_cosine * std::abs(std::sin(screw.angle / n / 2));
    const double rounding = 1e-14 + 1e-15 * screw.radius / model.segments().length[0];  // of nodes, over a segment
    for (int j = 0; j < model.joint_count(); ++j) {
      const Vec3 strain = model.joints().length[j] * model.joints().strain_rest[j];
      EXPECT_NEAR(std::hypot(strain.x, strain.y), angle, rounding);
      EXPECT_NEAR(strain.z, 0, 1e-14);
    }
  }
}

// ---- rods that others are joined to ------------------------------------------------------------------------------------------
Scene with_posts(const Rod& curve, const std::vector<std::pair<std::string, Vec3>>& places) {
  Scene scene = empty_scene();
  scene.rods.push_back(curve);
  for (const auto& [place, at] : places) {
    const std::string name = "post" + std::to_string(scene.rods.size());
    scene.rods.push_back(rod(name, LineShape{at - Vec3{0.3, 0.1, 1}, at}, 3, AsBuiltRest{}));
    scene.joints.push_back({"", {Place::parse(curve.name + place), Place::parse(name + ".end")}});
  }
  return scene;
}

TEST(LaidCurve, RodsMeetOthersOnTheCurve) {
  const Screw screw{0.5, 2, 0.4};
  const Rod bow = rod("bow", screw.shape(), 20, AsBuiltRest{});
  for (const auto& [place, t] : {std::pair{".start", 0.0}, {".end", 1.0}, {"@0.35", 0.35}, {".node[4]", 0.2}}) {
    SCOPED_TRACE(place);
    const Model model(with_posts(bow, {{place, screw.at(t)}}));  // an Error if they did not meet
    EXPECT_NEAR(model.rods()[0].length, screw.length(), 1e-14);
    EXPECT_LT(measure::energies(model, model.initial_state()).elastic(), no_energy);
  }
  for (const bool own : {false, true}) {  // at two places, its nodes are on the curve, and the rod as long as its chords
    Rod given = bow;
    if (own) given.rest = ShapeRest{screw.shape(), {}};
    const Model model(with_posts(given, {{".start", screw.at(0)}, {"@0.5", screw.at(0.5)}}));
    EXPECT_NEAR(model.rods()[0].length, 20 * norm(screw.at(0.05) - screw.at(0)), 1e-14);
    for (int k = 0; k <= 20; ++k) expect_near(model.nodes().x_initial[model.node_of(0, k)], screw.at(k / 20.0), 1e-14);
    EXPECT_LT(measure::energies(model, model.initial_state()).elastic(), no_energy);
  }
  Rod other = bow;  // but a rest shape of another curve has its own length
  other.rest = ShapeRest{ArcShape{{}, {0, 0, 1}, {1, 0, 0}, 0.6, 1.7}, {}};
  EXPECT_NEAR(Model(with_posts(other, {{".start", screw.at(0)}, {".end", screw.at(1)}})).rods()[0].length, 0.6 * 1.7, 1e-14);
}

TEST(LaidCurve, RingsMeetOthersOnTheCircle) {
  const Rod hoop = rod("hoop", RingShape{{}, {0, 0, 1}, {1, 0, 0}, 0.5}, 12, AsBuiltRest{});
  const Vec3 start{0.5, 0, 0}, opposite{-0.5, 0, 0};
  const Model one(with_posts(hoop, {{"@0.5", opposite}}));
  EXPECT_NEAR(one.rods()[0].length, pi, 1e-14);
  EXPECT_LT(measure::energies(one, one.initial_state()).elastic(), no_energy);
  const Model two(with_posts(hoop, {{"@0.5", opposite}, {".start", start}}));
  EXPECT_NEAR(two.rods()[0].length, 12 * std::sin(pi / 12), 1e-14);
  EXPECT_LT(measure::energies(two, two.initial_state()).elastic(), no_energy);
}

}  // namespace
}  // namespace writhe
