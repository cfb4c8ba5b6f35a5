// Knots that are known, from braids and formulas, turned, mirrored, tangled and untangled.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "measure/alexander.h"
#include "measure/knots.h"
#include "measure/passing.h"
#include "support/random_curves.h"

using namespace writhe;
using namespace writhe::test;
using measure::Curve;

namespace {

std::string name_of(const Curve& curve) { return measure::knot_of(curve).name; }

// The closure of a braid: strands run along y at x = 1, 2, ..., the letter i crosses strand i over i + 1, -i under it; they
// return in nested loops beside it.
Curve braid(int strands, const std::vector<int>& word) {
  std::vector<std::vector<Vec3>> pieces(strands + 1);  // of the strand that starts at x
  std::vector<int> at(strands + 1), ends(strands + 1);
  for (int x = 1; x <= strands; ++x) {
    at[x] = x;
    pieces[x] = {{1.0 * x, 0, 0}};
  }
  double y = 0;
  for (const int letter : word) {
    const int i = std::abs(letter);
    const double height = letter > 0 ? 0.4 : -0.4;
    for (int start = 1; start <= strands; ++start) {
      const int x = at[start];
      if (x != i && x != i + 1) continue;
      const int next = x == i ? i + 1 : i;
      pieces[start].push_back({1.0 * x, y + 0.2, 0});
      pieces[start].push_back({0.5 * (x + next), y + 0.5, x == i ? height : -height});
      pieces[start].push_back({1.0 * next, y + 0.8, 0});
      at[start] = next;
    }
    y += 1;
  }
  for (int start = 1; start <= strands; ++start) {
    const int x = at[start], out = strands - x + 1;
    const double low = -1.0 * out, high = y + out, right = strands + out;
    for (const Vec3& p : {Vec3{1.0 * x, high, 0}, Vec3{right, high, 0}, Vec3{right, low, 0}, Vec3{1.0 * x, low, 0}})
      pieces[start].push_back(p);
    ends[start] = x;
  }
  Curve curve{{}, true};
  int x = 1;
  do {
    curve.points.insert(curve.points.end(), pieces[x].begin(), pieces[x].end());
    x = ends[x];
  } while (x != 1);
  return curve;
}

// Shastri, Tohoku Math. J. 44 (1992): a trefoil from end to end along z, within |z| < 10 of 30.
std::vector<Vec3> long_trefoil(double handed) {
  std::vector<Vec3> out;
  for (int i = 0; i <= 60; ++i) {
    const double t = -2.2 + 4.4 * i / 60;
    out.push_back({handed * (t * t * t - 3 * t), t * t * t * t - 4 * t * t, std::pow(t, 5) - 10 * t});
  }
  return out;
}

// One after the other in one cord.
Curve cord_of(const std::vector<double>& trefoils) {
  Curve curve;
  for (const double handed : trefoils) {
    const std::vector<Vec3> one = long_trefoil(handed);
    const Vec3 shift = curve.points.empty() ? Vec3{0, 0, 0} : curve.points.back() - one.front();
    for (const Vec3& p : one) curve.points.push_back(p + shift);
  }
  return curve;
}

// Moves one node after the other a long way, where no edge goes through another.
Curve tangled(Curve curve, Random& random, int tries, double far) {
  const int n = curve.edges();
  std::vector<measure::Edge> edges;
  for (int i = 0; i < n; ++i) edges.push_back({i, (i + 1) % n});
  measure::PassingCheck check(edges);
  for (int k = 0; k < tries; ++k) {
    std::vector<Vec3> to = curve.points;
    to[static_cast<int>(random.between(0, n))] += far * random.vector();
    if (check.between(curve.points, to).empty()) curve.points = std::move(to);
  }
  return curve;
}

}  // namespace

// Braids of least length: C. Livingston and A. H. Moore, KnotInfo, "braid notation".
TEST(Knots, OfBraids) {
  const std::vector<std::pair<std::string, std::pair<int, std::vector<int>>>> known{
      {"unknot", {2, {1}}},
      {"unknot", {3, {1, -2}}},
      {"3_1 trefoil", {2, {1, 1, 1}}},
      {"4_1 figure-eight", {3, {1, -2, 1, -2}}},
      {"5_1", {2, {1, 1, 1, 1, 1}}},
      {"5_2", {3, {1, 1, 1, 2, -1, 2}}},
      {"6_1", {4, {1, 1, 2, -1, -3, 2, -3}}},
      {"6_2", {3, {1, 1, 1, -2, 1, -2}}},
      {"6_3", {3, {1, 1, -2, 1, -2, -2}}},
      {"7_1", {2, {1, 1, 1, 1, 1, 1, 1}}},
      {"7_2", {4, {1, 1, 1, 2, -1, 2, 3, -2, 3}}},
      {"7_3", {3, {1, 1, 1, 1, 1, 2, -1, 2}}},
      {"7_4", {4, {1, 1, 2, -1, 2, 2, 3, -2, 3}}},
      {"7_5", {3, {1, 1, 1, 1, 2, -1, 2, 2}}},
      {"7_6", {4, {1, 1, -2, 1, 3, -2, 3}}},
      {"7_7", {4, {1, -2, 1, -2, 3, -2, 3}}},
      {"8_19 torus (3,4)", {3, {1, 2, 1, 2, 1, 2, 1, 2}}},
      {"3_1#3_1", {3, {1, 1, 1, 2, 2, 2}}},
      {"3_1#3_1", {3, {1, 1, 1, -2, -2, -2}}},
      {"unknown (determinant 45)", {3, {1, -2, 1, -2, 1, -2, 1, -2}}}};  // 8_18
  Random random(1);
  for (const auto& [name, knot] : known) {
    const Curve curve = braid(knot.first, knot.second);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(name_of(turned(curve, random.rotation(), random.vector())), name);
      EXPECT_EQ(name_of(turned(mirrored(curve), random.rotation())), name) << "mirrored";
    }
    Curve other = curve;
    std::reverse(other.points.begin(), other.points.end());
    std::rotate(other.points.begin(), other.points.begin() + 7, other.points.end());
    EXPECT_EQ(name_of(other), name) << "from another end";
  }
}

TEST(Knots, DeterminantsAreKnown) {
  EXPECT_EQ(measure::knot_of(torus_knot(2, 3, 60)).determinant, 3);
  EXPECT_EQ(measure::knot_of(torus_knot(2, 9, 200)).determinant, 9);
  EXPECT_EQ(measure::knot_of(braid(3, {1, -2, 1, -2})).determinant, 5);
  EXPECT_EQ(measure::knot_of(cord_of({1, 1, -1})).determinant, 27);
}

TEST(Knots, OfFormulas) {
  EXPECT_EQ(name_of(torus_knot(2, 3, 300)), "3_1 trefoil");
  EXPECT_EQ(name_of(torus_knot(3, 2, 300)), "3_1 trefoil");
  EXPECT_EQ(name_of(torus_knot(2, -5, 300)), "5_1");
  EXPECT_EQ(name_of(torus_knot(2, 7, 300)), "7_1");
  EXPECT_EQ(name_of(torus_knot(3, 5, 400)), "10_124 torus (3,5)");
  EXPECT_EQ(name_of(torus_knot(9, 1, 400)), "unknot");
  EXPECT_EQ(name_of(torus_knot(1, 9, 400)), "unknot");
  EXPECT_EQ(name_of(torus_knot(5, 7, 600)).substr(0, 8), "unknown ");
  // Lissajous knots (Bogle, Hearst, Jones and Stoilov, J. Knot Theory Ramif. 3 (1994)).
  const auto lissajous = [](int x, int y, int z, double px, double py) {
    return closed_curve(300, [=](double t) { return Vec3{std::cos(x * t + px), std::cos(y * t + py), std::cos(z * t)}; });
  };
  EXPECT_EQ(name_of(lissajous(3, 2, 7, 0.7, 0.2)), "5_2");
  EXPECT_EQ(name_of(lissajous(3, 2, 5, 1.5, 0.2)), "6_1");
}

TEST(Knots, OfOpenCords) {
  Random random(2);
  for (int i = 0; i < 5; ++i) {
    const Quat q = random.rotation();
    EXPECT_EQ(name_of(turned(cord_of({1}), q)), "3_1 trefoil");
    EXPECT_EQ(name_of(turned(cord_of({-1}), q)), "3_1 trefoil");
    EXPECT_EQ(name_of(turned(cord_of({1, 1}), q)), "3_1#3_1");
    EXPECT_EQ(name_of(turned(cord_of({1, -1}), q)), "3_1#3_1");
    EXPECT_EQ(name_of(turned(cord_of({1, 1, 1}), q)), "unknown (determinant 27)");
  }
  Curve helix, spiral, line;
  for (int i = 0; i < 200; ++i) {
    helix.points.push_back({std::cos(0.4 * i), std::sin(0.4 * i), 0.01 * i});
    spiral.points.push_back({0.1 * i * std::cos(0.2 * i), 0.1 * i * std::sin(0.2 * i), 0});
    line.points.push_back({0.1 * i, 0, 0});
  }
  for (const Curve& curve : {helix, spiral, line}) EXPECT_EQ(name_of(curve), "unknot");
}

TEST(Knots, TanglingChangesNone) {
  Random random(3);
  struct Case {
    Curve curve;
    const char* name;
  };
  for (const Case& one :
       {Case{torus_knot(2, 1, 60), "unknot"}, Case{torus_knot(1, 5, 60), "unknot"}, Case{torus_knot(2, 3, 60), "3_1 trefoil"},
        Case{torus_knot(2, -5, 60), "5_1"}, Case{braid(3, {1, -2, 1, -2}), "4_1 figure-eight"}}) {
    double changed = 0;
    for (int i = 0; i < 2; ++i) {
      const Curve curve = tangled(turned(one.curve, random.rotation()), random, 2000, 2.5);
      EXPECT_EQ(name_of(curve), one.name);
      EXPECT_EQ(name_of(turned(mirrored(curve), random.rotation())), one.name);
      changed += std::abs(measure::writhe(curve) - measure::writhe(one.curve));
    }
    EXPECT_GT(changed, 1) << "hardly tangled";
  }
}

// Without taking points out first: the polynomial sees through the tangle by itself, from any side.
TEST(Knots, ThePolynomialIsTheSameFromEverySide) {
  Random random(4);
  for (const Curve& knot : {torus_knot(2, 1, 40), torus_knot(2, 3, 40), torus_knot(3, 4, 60)}) {
    const Curve curve = tangled(knot, random, 1000, 2);
    const std::string name = name_of(knot);
    for (int i = 0; i < 10; ++i) {
      const std::optional<measure::Drawing> drawing = measure::drawing_of(curve.points, normalized(random.vector()));
      ASSERT_TRUE(drawing);
      EXPECT_EQ(measure::knot_name(measure::alexander_values(*drawing)), name) << drawing->crossings.size();
    }
  }
}

TEST(Knots, WhatLiesOnItselfIsNotDrawn) {
  // Seen along z the third edge ends on the first.
  const std::vector<Vec3> polygon{{0, 0, 0}, {2, 0, 0}, {2, 2, 1}, {1, 0, 1}, {1, -1, 1}};
  EXPECT_FALSE(measure::drawing_of(polygon, {0, 0, 1}));
  EXPECT_TRUE(measure::drawing_of(polygon, normalized(Vec3{0.3, 0.2, 1})));
}

TEST(Knots, ShortAndBrokenCurvesAreAnswered) {
  EXPECT_EQ(name_of({}), "unknot");
  EXPECT_EQ(name_of({{{0, 0, 0}}, false}), "unknot");
  EXPECT_EQ(name_of({{{0, 0, 0}, {1, 0, 0}}, false}), "unknot");
  EXPECT_EQ(name_of({std::vector<Vec3>(50, {1, 2, 3}), false}), "unknot");
  EXPECT_EQ(name_of({std::vector<Vec3>(50, {1, 2, 3}), true}), "unknot");
  EXPECT_EQ(name_of({{{0, 0, 0}, {std::nan(""), 0, 0}}, false}), "unknown (it is not finite)");
}
