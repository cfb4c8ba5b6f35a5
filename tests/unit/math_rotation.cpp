#include <random>

#include <gtest/gtest.h>

#include "math/rotation.h"

using namespace writhe;

namespace {
struct Random {
  std::mt19937 engine{7};
  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine); }
  Vec3 direction() {
    for (;;) {
      const Vec3 v{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      if (norm(v) > 0.1 && norm(v) < 1) return normalized(v);
    }
  }
};
}  // namespace

TEST(Rotation, ExponentialAndLogarithmAreInverse) {
  Random random;
  for (const double size : {1e-12, 1e-6, 1e-4, 0.1, 1.0, 3.1}) {
    const Vec3 v = size * random.direction();
    EXPECT_LT(norm(log_rotation(exp_rotation(v)) - v), 1e-14 + 1e-13 * size);
    EXPECT_LT(norm(log_rotation(-exp_rotation(v)) - v), 1e-14 + 1e-13 * size);
  }
}

TEST(Rotation, MatrixTurnsAsTheQuaternionDoes) {
  const Quat quarter = about_axis({0, 0, 1}, pi / 2);  // x to y
  EXPECT_LT(norm(rotate(quarter, Vec3{1, 0, 0}) - Vec3{0, 1, 0}), 1e-15);
  EXPECT_LT(norm(rotate_back(quarter, Vec3{0, 1, 0}) - Vec3{1, 0, 0}), 1e-15);
}

// Also for directions all but opposite, where the axis is lost.
TEST(Rotation, ShortestTurnReachesItsTarget) {
  Random random;
  for (const double off : {0.0, 1e-12, 1e-9, 1.4e-7, 1e-5, 1e-3, 0.1, 1.0, 3.0}) {
    const Vec3 a = random.direction();
    const Vec3 b = rotate(about_axis(any_orthogonal(a), pi - off), a);
    EXPECT_LT(norm(rotate(shortest_turn(a, b), a) - b), 1e-13) << off;
  }
}

TEST(Rotation, FrameFromTangentAndD1) {
  Random random;
  for (int k = 0; k < 100; ++k) {
    const Vec3 t = k == 0 ? Vec3{0, 0, -1} : random.direction(), a = random.direction();
    const Quat q = frame_from(2.0 * t, 3.0 * a);
    EXPECT_LT(norm(rotate(q, Vec3{0, 0, 1}) - t), 1e-12);
    const Vec3 d1 = rotate(q, Vec3{1, 0, 0});
    EXPECT_LT(std::abs(dot(d1, cross(t, a))), 1e-12);  // in the plane of t and a
    EXPECT_GT(dot(d1, a), 0);
  }
}

// Carried around the octant of the sphere, a frame turns by the enclosed area, a quarter turn.
TEST(Rotation, ParallelTransportHasTheHolonomyOfTheSphere) {
  const Vec3 corners[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Quat q = frame_from(corners[0], {1, 0, 0});
  for (const Vec3& t : corners) q = parallel_transport(q, t);
  EXPECT_LT(norm(rotate(q, Vec3{1, 0, 0}) - Vec3{0, 1, 0}), 1e-14);
}

TEST(Rotation, FractionOfATurnKeepsItsWay) {
  const Quat three_quarters = about_axis({0, 0, 1}, 1.5 * pi);  // not the shorter way round
  const Quat half = fraction_of(three_quarters, 0.5);
  EXPECT_NEAR(2 * std::atan2(half.z, half.w), 0.75 * pi, 1e-15);
  EXPECT_EQ(fraction_of({1, 0, 0, 0}, 0.5), (Quat{1, 0, 0, 0}));
}
