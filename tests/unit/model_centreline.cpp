#include <gtest/gtest.h>

#include "math/rotation.h"
#include "model/centreline.h"
#include "model_fixture.h"

namespace writhe {
namespace {

using test::expect_near;

double length_of(const std::vector<Vec3>& points, int from, int to) {
  double length = 0;
  for (int i = from; i < to; ++i) length += norm(points[i + 1] - points[i]);
  return length;
}

// Samples a curve finely and measures the arc between the nodes of a coarse sampling, which must all be equal.
void expect_even(const Centreline& shape, bool closed, double length) {
  const int segments = 7, fine = 4096;
  const std::vector<Vec3> coarse = sample_centreline(shape, segments, closed);
  const std::vector<Vec3> curve = sample_centreline(shape, segments * fine, closed);
  ASSERT_EQ(coarse.size(), 8u);
  EXPECT_NEAR(centreline_length(shape, closed), length, 1e-12 * length);
  for (int i = 0; i < segments; ++i) {
    EXPECT_NEAR(length_of(curve, i * fine, (i + 1) * fine), length / segments, 1e-6 * length) << "segment " << i;
    expect_near(coarse[i], curve[i * fine], 1e-12 * length);
  }
  if (closed) {
    EXPECT_EQ(coarse.front(), coarse.back());
  }
}

TEST(Centreline, LineIsEvenAndEndsExactly) {
  const LineShape line{{0.1, 0.2, 0.3}, {1.7, -0.3, 2.9}};
  expect_even(line, false, std::sqrt(1.6 * 1.6 + 0.25 + 2.6 * 2.6));
  const std::vector<Vec3> points = sample_centreline(line, 7, false);
  EXPECT_EQ(points.front(), line.from);
  EXPECT_EQ(points.back(), line.to);
}

TEST(Centreline, ArcTurnsRightHandedAboutItsNormal) {
  const ArcShape arc{{1, 2, 3}, {0, 0, 2}, {3, 0, 0}, 0.5, pi / 2};
  expect_even(arc, false, 0.25 * pi);
  const std::vector<Vec3> points = sample_centreline(arc, 2, false);
  expect_near(points[0], {1.5, 2, 3}, 1e-15);
  expect_near(points[1], {1 + 0.5 * std::sqrt(0.5), 2 + 0.5 * std::sqrt(0.5), 3}, 1e-15);
  expect_near(points[2], {1, 2.5, 3}, 1e-15);
}

TEST(Centreline, ArcStartIsMadeOrthogonal) {
  const std::vector<Vec3> points = sample_centreline(ArcShape{{}, {0, 0, 1}, {1, 0, 5}, 2, pi}, 2, false);
  expect_near(points[0], {2, 0, 0}, 1e-15);
  expect_near(points[1], {0, 2, 0}, 1e-15);
}

TEST(Centreline, RingIsARegularPolygon) {
  const RingShape ring{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, 2};
  expect_even(ring, true, 4 * pi);
  const std::vector<Vec3> points = sample_centreline(ring, 4, true);
  expect_near(points[1], {0, 0, 3}, 1e-15);
  EXPECT_TRUE(is_loop(ring));
}

TEST(Centreline, HelixClimbsAPitchATurn) {
  const HelixShape helix{{0, 0, 1}, {0, 0, 1}, {1, 0, 0}, 0.3, 0.2, 2.5};
  expect_even(helix, false, 2.5 * std::hypot(2 * pi * 0.3, 0.2));
  const std::vector<Vec3> points = sample_centreline(helix, 10, false);
  expect_near(points[1], {0, 0.3, 1.05}, 1e-15);
  expect_near(points[10], {-0.3, 0, 1.5}, 1e-15);
  HelixShape left = helix;
  left.turns = -2.5;
  expect_near(sample_centreline(left, 10, false)[1], {0, -0.3, 1.05}, 1e-15);
}

// Length of a parabola of span b and sag h between level supports: a textbook formula.
double level_parabola(double b, double h) {
  const double root = std::sqrt(b * b + 16 * h * h);
  return root / 2 + b * b / (8 * h) * std::log((4 * h + root) / b);
}

TEST(Centreline, ParabolaIsEven) {
  expect_even(ParabolaShape{{0, 0, 1}, {2, 0, 1}, {0, 0, 1}, 0.5}, false, level_parabola(2, 0.5));
  expect_even(ParabolaShape{{0, 0, 1}, {0, 2, 1}, {0, 0, 3}, -0.5}, false, level_parabola(2, 0.5));
  expect_even(ParabolaShape{{0, 0, 0}, {0.01, 0, 0}, {0, 0, 1}, 5}, false, level_parabola(0.01, 5));
}

TEST(Centreline, ParabolaHangsInTheMiddle) {
  const ParabolaShape parabola{{0, 0, 1}, {2, 0, 1}, {0, 0, 1}, 0.5};
  const std::vector<Vec3> points = sample_centreline(parabola, 6, false);
  expect_near(points[3], {1, 0, 0.5}, 1e-14);
  for (const Vec3& p : points) EXPECT_NEAR(p.z, 1 - 0.5 * p.x * (2 - p.x), 1e-14);
}

// Between supports of different height the arcs are still equal, and the points still on the curve.
TEST(Centreline, SlopingParabola) {
  const ParabolaShape parabola{{0, 0, 0}, {1, 0, 3}, {0, 0, 1}, 0.7};
  const std::vector<Vec3> fine = sample_centreline(parabola, 40000, false);
  EXPECT_NEAR(length_of(fine, 0, 10000), length_of(fine, 20000, 30000), 1e-8);
  EXPECT_NEAR(length_of(fine, 0, 40000), centreline_length(parabola, false), 1e-8);
  for (const Vec3& p : fine) ASSERT_NEAR(p.z, 3 * p.x - 2.8 * p.x * (1 - p.x), 1e-12);
}

TEST(Centreline, ParabolaWithHardlyAnySagIsALine) {
  for (const double sag : {0.0, 1e-300, 1e-15, 1e-9}) {
    const std::vector<Vec3> points = sample_centreline(ParabolaShape{{0, 0, 0}, {3, 0, 0}, {0, 0, 1}, sag}, 3, false);
    for (int i = 0; i <= 3; ++i) expect_near(points[i], {1.0 * i, 0, 0}, 1.1e-9);
    EXPECT_NEAR(points[1].x, 1, 1e-14);
    EXPECT_NEAR(centreline_length(ParabolaShape{{0, 0, 0}, {3, 0, 0}, {0, 0, 1}, sag}, false), 3, 1e-14);
  }
}

TEST(Centreline, PolylineIsResampledByArcLength) {
  const PolylineShape bent{{{0, 0, 0}, {1, 0, 0}, {1, 3, 0}}};
  EXPECT_DOUBLE_EQ(centreline_length(bent, false), 4);
  const std::vector<Vec3> points = sample_centreline(bent, 8, false);
  expect_near(points[1], {0.5, 0, 0}, 1e-15);
  expect_near(points[2], {1, 0, 0}, 1e-15);
  expect_near(points[5], {1, 1.5, 0}, 1e-15);
  EXPECT_EQ(points[8], (Vec3{1, 3, 0}));
  const ObjShape same{"x.obj", bent.points};
  EXPECT_EQ(sample_centreline(same, 8, false), points);
}

TEST(Centreline, ClosedPolylineReturnsToItsStart) {
  const PolylineShape open{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}};
  PolylineShape written_out = open;
  written_out.points.push_back({0, 0, 1e-9});
  for (const PolylineShape& square : {open, written_out}) {
    EXPECT_NEAR(centreline_length(square, true), 4, 1e-12);
    const std::vector<Vec3> points = sample_centreline(square, 8, true);
    expect_near(points[7], {0, 0.5, 0}, 1e-15);
    EXPECT_EQ(points[8], points[0]);
  }
  EXPECT_FALSE(is_loop(open));
  EXPECT_TRUE(is_loop(written_out));
}

}  // namespace
}  // namespace writhe
