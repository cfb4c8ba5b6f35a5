// Writhe and linking numbers of polygons, against links that are known, exact formulas and each other.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "measure/gauss.h"
#include "measure/topology.h"
#include "support/random_curves.h"

using namespace writhe;
using namespace writhe::test;
using measure::Curve;

namespace {

Curve ring(int n, double radius = 1) {
  return closed_curve(n, [&](double t) { return Vec3{radius * std::cos(t), radius * std::sin(t), 0}; });
}

// Winds `turns` times about the unit ring, right-handed.
Curve around_ring(int turns, int n) {
  return closed_curve(n, [&](double t) {
    const double r = 1 + 0.4 * std::cos(turns * t);
    return Vec3{r * std::cos(t), r * std::sin(t), -0.4 * std::sin(turns * t)};
  });
}

// Alternating with five crossings, seen along z: the Whitehead link is the only one with a circle and a figure of eight.
Curve whitehead(int n) {
  return closed_curve(n, [](double t) { return Vec3{2 * std::cos(t), std::sin(2 * t), std::sin(3 * t)}; });
}

// ---- a ribbon beside a polygon, its corners rounded -----------------------------------------------------------------
struct Ribbon {
  Curve middle{{}, true}, side{{}, true};
};

void lay(Ribbon& ribbon, const Vec3& p, const Vec3& across, double width) {
  ribbon.middle.points.push_back(p);
  ribbon.side.points.push_back(p + width * across);
}

// The directions `across` begin each edge; the ribbon is carried round the corners without twist and turned the shortest way in
// the middle of the edges.
Ribbon ribbon_of(const Curve& curve, const std::vector<Vec3>& across, double rounding, double width) {
  constexpr int steps = 16;
  const int n = curve.edges();
  Ribbon out;
  for (int i = 0; i < n; ++i) {
    const int before = (i + n - 1) % n;
    const Vec3 in = normalized(curve.end(before) - curve.start(before)), away = normalized(curve.end(i) - curve.start(i));
    const Vec3 corner = curve.start(i), first = corner - rounding * in, last = corner + rounding * away;
    Vec3 u = across[before], t = in;
    for (int k = 0; k <= steps; ++k) {
      const double s = static_cast<double>(k) / steps;
      const Vec3 now = normalized((1 - s) * in + s * away);
      u = rotate(shortest_turn(t, now), u);
      t = now;
      lay(out, (1 - s) * (1 - s) * first + 2 * s * (1 - s) * corner + s * s * last, u, width);
    }
    const double angle = std::atan2(dot(cross(u, across[i]), away), dot(u, across[i]));
    const Vec3 end = curve.end(i) - rounding * away;
    for (int k = 1; k < steps; ++k) {
      const double s = static_cast<double>(k) / steps;
      lay(out, last + s * (end - last), rotate(about_axis(away, s * angle), u), width);
    }
  }
  return out;
}

Curve random_polygon(Random& random, int n) {
  Curve curve{{}, true};
  for (int i = 0; i < n; ++i) curve.points.push_back(random.vector());
  return curve;
}

// Area on the unit sphere of the triangle of a, b and the z axis over 2 pi, by the angles at its corners: what Fuller's theorem
// counts for one turn of the tangent from a to b.
double fuller(const Vec3& a, const Vec3& b) {
  const Vec3 z{0, 0, 1};
  const auto angle = [](const Vec3& at, const Vec3& to1, const Vec3& to2) {
    const Vec3 p = to1 - dot(to1, at) * at, q = to2 - dot(to2, at) * at;
    return std::atan2(norm(cross(p, q)), dot(p, q));
  };
  const double area = angle(z, a, b) + angle(a, b, z) + angle(b, z, a) - pi;
  return std::copysign(area, dot(z, cross(a, b))) / (2 * pi);
}

}  // namespace

TEST(Linking, OfKnownLinks) {
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const Quat q = random.rotation();
    const Vec3 shift = 10.0 * random.vector();
    const auto link = [&](const Curve& a, const Curve& b) {
      return measure::linking_number(turned(a, q, shift), turned(b, q, shift));
    };
    EXPECT_EQ(link(ring(17), around_ring(1, 40)), 1) << "Hopf";
    EXPECT_EQ(link(mirrored(ring(17)), mirrored(around_ring(1, 40))), -1);
    EXPECT_EQ(link(ring(30), around_ring(2, 60)), 2) << "Solomon";
    EXPECT_EQ(link(ring(40), around_ring(-7, 200)), -7);
    EXPECT_EQ(link(ring(30), whitehead(60)), 0);
    EXPECT_EQ(link(ring(30, std::sqrt(3.0)), whitehead(60)), 0) << "Whitehead";
    EXPECT_EQ(link(ring(30), turned(ring(30), {1, 0, 0, 0}, {0.5, 0, 0.5})), 0) << "side by side";
    EXPECT_EQ(link(ring(30), turned(ring(30), {1, 0, 0, 0}, {50, 0, 0})), 0) << "far apart";
  }
}

TEST(Linking, IsSymmetricAndTurnsWithTheDirection) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const Curve a = random_polygon(random, 9);
    Curve b = random_polygon(random, 12);
    const int link = measure::linking_number(a, b);
    EXPECT_EQ(measure::linking_number(b, a), link);
    std::reverse(b.points.begin(), b.points.end());
    EXPECT_EQ(measure::linking_number(a, b), -link);
  }
}

TEST(Writhe, OfAPlaneCurveIsZero) {
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    Curve curve = closed_curve(80, [&](double t) {
      const double r = 1 + 0.5 * std::sin(7 * t);
      return Vec3{r * std::cos(t), r * std::sin(t), 0};
    });
    EXPECT_NEAR(measure::writhe(turned(curve, random.rotation(), random.vector())), 0, 1e-12);
    curve.closed = false;
    EXPECT_NEAR(measure::writhe(turned(curve, random.rotation())), 0, 1e-12);
  }
}

TEST(Writhe, OfACrossingThatGoesFlatIsOne) {
  // The upper edge runs along x, the one below along y: right-handed, over x under = z.
  const Curve curve{{{-1, 0, 0}, {1, 0, 0}, {1, -1, 0}, {0, -1, -1e-9}, {0, 1, -1e-9}}, false};
  const double w = measure::writhe(curve);
  EXPECT_NEAR(w, measure::writhe(mirrored(curve)) * -1, 1e-13);
  // From points of one edge the other is seen in every direction of half a sphere, 2 pi of 4 pi, and likewise from the other; all
  // else lies nearly in a plane.
  EXPECT_NEAR(w, 1, 1e-6);
}

TEST(Writhe, OfAClimbingPolygonIsFullersArea) {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    Curve curve{{{0, 0, 0}}, false};
    for (int k = 0; k < 30; ++k)
      curve.points.push_back(curve.points.back() + Vec3{random.between(-3, 3), random.between(-3, 3), 1});
    double expected = 0;
    const auto direction = [&](int e) { return normalized(curve.end(e) - curve.start(e)); };
    for (int e = 0; e + 1 < curve.edges(); ++e) expected += fuller(direction(e), direction(e + 1));
    EXPECT_NEAR(measure::writhe(curve, {{0, 0, 1}, {0, 0, 1}}), expected, 1e-11);
  }
}

// Tangent at the angle theta(s) from z, turning evenly about it: (1 / 2 pi) times the integral of (1 - cos theta) d phi.
TEST(Writhe, OfAHelixThatFadesAtItsEndsConvergesAtSecondOrder) {
  const double theta = 1.1, turns = 6;
  const double expected = turns * (1 - std::cos(theta / 2) * std::cyl_bessel_j(0, theta / 2));
  std::vector<double> errors;
  for (const int n : {200, 400, 800}) {
    Curve curve{{{0, 0, 0}}, false};
    constexpr int fine = 50;  // steps of the midpoint rule an edge: its error is far below that of the polygon
    for (int i = 0; i < n; ++i) {
      Vec3 p = curve.points.back();
      for (int k = 0; k < fine; ++k) {
        const double s = (i + (k + 0.5) / fine) / n, tilt = theta * std::pow(std::sin(pi * s), 2), phi = 2 * pi * turns * s;
        p += (1.0 / (n * fine)) * Vec3{std::sin(tilt) * std::cos(phi), std::sin(tilt) * std::sin(phi), std::cos(tilt)};
      }
      curve.points.push_back(p);
    }
    const double found = measure::writhe(curve, {{0, 0, 1}, {0, 0, 1}});
    errors.push_back(std::abs(found - expected));
    EXPECT_NEAR(measure::writhe(mirrored(curve), {{0, 0, 1}, {0, 0, 1}}), -found, 1e-12);
  }
  EXPECT_LT(errors[2], 1e-3 * expected);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(std::log2(errors[i] / errors[i + 1]), 2, 0.1) << errors[i];
}

TEST(Writhe, ExtensionsAreLimitsOfLongEdges) {
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    Curve curve = random_polygon(random, 10);
    curve.closed = false;
    const measure::EndTangents tangents{normalized(random.vector()), normalized(random.vector())};
    Curve longer = curve;
    const double far = 1e7;
    longer.points.insert(longer.points.begin(), curve.points.front() - far * tangents.start);
    longer.points.push_back(curve.points.back() + far * tangents.end);
    EXPECT_NEAR(measure::writhe(curve, tangents), measure::writhe(longer), 1e-5);
  }
}

TEST(Ribbon, TurnsOfAFlatRingAreItsLink) {
  for (const int turns : {-3, -1, 0, 1, 2, 5}) {
    const int n = 60;
    const Curve curve = ring(n);
    std::vector<Quat> frames;
    for (int i = 0; i < n; ++i) {
      const Vec3 tangent = normalized(curve.end(i) - curve.start(i));
      frames.push_back(frame_from(tangent, {0, 0, 1}) * about_axis({0, 0, 1}, 2 * pi * turns * i / n));
    }
    EXPECT_NEAR(measure::total_twist(curve, frames), turns, 1e-12);
    EXPECT_NEAR(measure::writhe(curve), 0, 1e-12);
  }
}

TEST(Ribbon, OpenOnesMayHaveHalfTurns) {
  Curve curve;
  std::vector<Quat> frames;
  const int n = 40;
  for (int i = 0; i <= n; ++i) curve.points.push_back({0.1 * i, 0, 0});
  for (int i = 0; i < n; ++i)
    frames.push_back(frame_from({1, 0, 0}, {0, 1, 1}) * about_axis({0, 0, 1}, 2 * pi * 3.5 * i / (n - 1)));
  EXPECT_NEAR(measure::total_twist(curve, frames), 3.5, 1e-12);
}

// Calugareanu's theorem, which no polygon meets but by all of its signs and branches.
TEST(Ribbon, LinkIsTwistAndWrithe) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    Random random(seed);
    const Curve curve = random_polygon(random, 5 + static_cast<int>(seed % 9));
    std::vector<Quat> frames;
    std::vector<Vec3> across;
    for (int i = 0; i < curve.edges(); ++i) {
      const Vec3 tangent = normalized(curve.end(i) - curve.start(i));
      across.push_back(rotate(about_axis(tangent, random.between(-pi, pi)), any_orthogonal(tangent)));
      // Sheared frames: their twist is that of what is carried to the edge.
      const Quat shear = shortest_turn(tangent, normalized(tangent + 0.3 * random.vector()));
      frames.push_back(shear * frame_from(tangent, across.back()));
    }
    const double sum = measure::total_twist(curve, frames) + measure::writhe(curve);
    const Ribbon ribbon = ribbon_of(curve, across, 1e-3, 1e-5);
    EXPECT_NEAR(sum, measure::linking_number(ribbon.middle, ribbon.side), 1e-11) << seed;
  }
}
