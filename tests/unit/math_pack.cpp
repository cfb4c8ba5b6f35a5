// Pack, as the tests are compiled.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

// A namespace of its own: the library's may be compiled for another instruction set.
#define WRITHE_ISA pack_test
#include "math/pack.h"

using writhe::pack_test::Pack;

namespace {

// In every lane of a register, the other lanes holding `other`.
double angle(double s, double c, double other_s, double other_c) {
  std::vector<double> sines(Pack::lanes, other_s), cosines(Pack::lanes, other_c), angles(Pack::lanes);
  double worst = 0, out = 0;
  for (int lane = 0; lane < Pack::lanes; ++lane) {
    sines[lane] = s;
    cosines[lane] = c;
    angle_of(Pack::load(sines.data()), Pack::load(cosines.data())).store(angles.data());
    sines[lane] = other_s;
    cosines[lane] = other_c;
    if (lane == 0) out = angles[0];
    worst = std::max(worst, std::abs(angles[lane] - out));
  }
  EXPECT_EQ(worst, 0) << "the lane matters";
  return out;
}

// Against the angle in long double; relative.
double error(double s, double c, double other_s, double other_c) {
  const long double exact = std::atan2(static_cast<long double>(s), static_cast<long double>(c));
  return static_cast<double>(std::abs((angle(s, c, other_s, other_c) - exact) / exact));
}

}  // namespace

// The series ends where |s| is an eighth of c. Whether the other lanes want it or not must not matter.
TEST(Pack, TheAngleIsRightOnBothSidesOfTheSwitch) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (const double scale : {1.0, 0.7, 1e-3, 1e3})
    for (const double sign : {1.0, -1.0})
      for (int k = -2000; k <= 2000; ++k) {
        const double s = 0.125 * (1 + 8 * k * epsilon) * sign * scale;
        ASSERT_LT(error(s, scale, 0, 1), 4e-16) << k;
        ASSERT_LT(error(s, scale, 1, 1), 4e-16) << k;
      }
}

TEST(Pack, TheAngleIsRightAllRound) {
  for (int k = -1000; k <= 1000; ++k) {
    const double angle = 3.14159 * k / 1000;
    if (k == 0) continue;
    ASSERT_LT(error(std::sin(angle), std::cos(angle), 0, 1), 1e-15) << angle;
  }
  for (const double small : {1e-300, 1e-20, 1e-8, 1e-3}) {
    EXPECT_LT(error(small, 1, 1, 0), 4e-16);
    EXPECT_LT(error(-small, 1, 0, 1), 4e-16);
  }
  EXPECT_EQ(angle(0, 1, 1, 1), 0);
}

// cos(a/2) and sin(a/2)/a, on both sides of where the series ends and for what large angles there are.
TEST(Pack, HalfATurnIsRightOnBothSidesOfTheSwitch) {
  const auto check = [](double angle, double other) {
    std::vector<double> squares(Pack::lanes, other * other), cosines(Pack::lanes), sines(Pack::lanes);
    squares[0] = angle * angle;
    const auto half = half_turn(Pack::load(squares.data()));
    half.cosine.store(cosines.data());
    half.sine_over_angle.store(sines.data());
    const long double exact = std::sqrt(static_cast<long double>(squares[0]));
    const long double sine = exact == 0 ? 0.5L : std::sin(exact / 2) / exact;
    ASSERT_NEAR(cosines[0], static_cast<double>(std::cos(exact / 2)), 4e-16) << angle;
    ASSERT_NEAR(sines[0], static_cast<double>(sine), 4e-16) << angle;
  };
  for (const double other : {0.0, 1.0})
    for (const double angle : {0.0, 1e-9, 1e-4, 0.1, 0.4999, 0.5, 0.5001, 1.0, 3.0, 6.0}) check(angle, other);
  for (int k = -1000; k <= 1000; ++k) check(0.5 + 1e-15 * k, 1);
}

// 1/sqrt, on both sides of where the series ends and far from one. Whether the other lanes want it or not must not matter.
TEST(Pack, AnInverseRootIsRightOnBothSidesOfTheSwitch) {
  const auto check = [](double square, double other) {
    std::vector<double> squares(Pack::lanes, other), roots(Pack::lanes);
    squares[0] = square;
    inverse_root(Pack::load(squares.data())).store(roots.data());
    const long double exact = 1 / std::sqrt(static_cast<long double>(square));
    ASSERT_NEAR(roots[0], static_cast<double>(exact), 4e-16 * static_cast<double>(exact)) << square;
  };
  for (const double other : {1.0, 4.0}) {
    for (const double square : {1e-300, 1e-6, 0.5, 0.99, 1.0, 1.01, 2.0, 1e300}) check(square, other);
    for (const double edge : {1 - 1.0 / 128, 1.0, 1 + 1.0 / 128})
      for (int k = -1000; k <= 1000; ++k) check(edge + 1e-15 * k, other);
    for (int k = -1000; k <= 1000; ++k) check(1 + 1e-5 * k, other);
  }
}

TEST(Pack, ChoiceTakesNothingFromTheOtherSide) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto first = [](const Pack& p) {
    std::vector<double> lanes(Pack::lanes);
    p.store(lanes.data());
    return lanes[0];
  };
  EXPECT_EQ(first(choose(Pack(1.0), Pack(2.0), Pack(nan))), 2);
  EXPECT_EQ(first(choose(Pack(0.0), Pack(nan), Pack(3.0))), 3);
  EXPECT_EQ(first(choose(Pack(nan), Pack(2.0), Pack(3.0))), 3);
}
