#include <functional>

#include <gtest/gtest.h>

#include "math/rotation.h"
#include "model/section.h"

namespace writhe {
namespace {

// Area and second moments by counting small squares of a box of half sides hx (d1) and hy (d2).
SectionGeometry counted(double hx, double hy, const std::function<bool(double, double)>& inside) {
  const int n = 1000;
  SectionGeometry g;
  const double dx = 2 * hx / n, dy = 2 * hy / n;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double x = -hx + (i + 0.5) * dx, y = -hy + (j + 0.5) * dy;
      if (!inside(x, y)) continue;
      g.area += dx * dy;
      g.I1 += y * y * dx * dy;
      g.I2 += x * x * dx * dy;
    }
  return g;
}

void expect_same(const SectionGeometry& exact, const SectionGeometry& count) {
  EXPECT_NEAR(exact.area / count.area, 1, 1e-3);
  EXPECT_NEAR(exact.I1 / count.I1, 1, 1e-3);
  EXPECT_NEAR(exact.I2 / count.I2, 1, 1e-3);
}

TEST(Section, MomentsAgreeWithCountedSquares) {
  expect_same(section_geometry({"", CircleSection{2}, 1}, 1),
              counted(2, 2, [](double x, double y) { return x * x + y * y < 4; }));
  expect_same(section_geometry({"", TubeSection{2, 1.5}, 1}, 1), counted(2, 2, [](double x, double y) {
                const double r = std::hypot(x, y);
                return r < 2 && r > 1.5;
              }));
  expect_same(section_geometry({"", RectangleSection{3, 1}, 1}, 1), counted(1.5, 0.5, [](double, double) { return true; }));
  expect_same(section_geometry({"", EllipseSection{3, 1}, 1}, 1),
              counted(3, 1, [](double x, double y) { return x * x / 9 + y * y < 1; }));
}

double rectangle_coefficient(double long_side, double short_side) {
  const double torsion = section_geometry({"", RectangleSection{long_side, short_side}, 1}, 1).torsion;
  return torsion / (long_side * std::pow(short_side, 3));
}

// Timoshenko and Goodier, Theory of Elasticity, art. 109, table of k1.
TEST(Section, RectangleTorsionMatchesTheTable) {
  EXPECT_NEAR(rectangle_coefficient(1, 1), 0.1406, 5e-5);
  EXPECT_NEAR(rectangle_coefficient(1.5, 1), 0.196, 5e-4);
  EXPECT_NEAR(rectangle_coefficient(2, 1), 0.229, 5e-4);
  EXPECT_NEAR(rectangle_coefficient(3, 1), 0.263, 5e-4);
  EXPECT_NEAR(rectangle_coefficient(4, 1), 0.281, 5e-4);
  EXPECT_NEAR(rectangle_coefficient(10, 1), 0.312, 1e-3);
  EXPECT_NEAR(rectangle_coefficient(1e6, 1), 1.0 / 3, 1e-6);
}

TEST(Section, RectangleTorsionDoesNotDependOnWhichSideIsLonger) {
  const double wide = section_geometry({"", RectangleSection{3, 1}, 1}, 1).torsion;
  EXPECT_DOUBLE_EQ(wide, section_geometry({"", RectangleSection{1, 3}, 1}, 1).torsion);
}

TEST(Section, RoundTorsionIsThePolarMoment) {
  for (const Section& s :
       {Section{"", CircleSection{0.3}, 1}, Section{"", TubeSection{0.3, 0.2}, 1}, Section{"", EllipseSection{0.3, 0.3}, 1}}) {
    const SectionGeometry g = section_geometry(s, 1);
    EXPECT_NEAR(g.torsion, g.I1 + g.I2, 1e-15);
    EXPECT_TRUE(is_round(s));
  }
  EXPECT_FALSE(is_round({"", RectangleSection{1, 1}, 1}));
  EXPECT_FALSE(is_round({"", EllipseSection{1, 2}, 1}));
}

// A closed thin wall of radius r and thickness t: 2 pi r^3 t. A flat ellipse twists like a strip of varying height:
// pi a b^3 for b << a.
TEST(Section, TorsionLimits) {
  EXPECT_NEAR(section_geometry({"", TubeSection{1.0005, 0.9995}, 1}, 1).torsion, 2 * pi * 1e-3, 1e-8);
  EXPECT_NEAR(section_geometry({"", EllipseSection{1, 1e-3}, 1}, 1).torsion / (pi * 1e-9), 1, 1e-5);
}

// Rubber cord of 5 mm radius, E = 1 MPa, incompressible: EI = 1e6 pi/4 5e-3^4 = 4.9087e-4 N m^2, GJ = 2/3 EI.
TEST(Section, StiffnessAndInertiaOfACord) {
  const Material rubber{"rubber", 1e6, 1300, 0.5, {}};
  const SectionProperties p = section_properties({"", CircleSection{0.005}, 0.9}, &rubber, 1);
  EXPECT_NEAR(p.bend.x, 4.9087e-4, 1e-8);
  EXPECT_NEAR(p.bend.z, 3.2725e-4, 1e-8);
  EXPECT_NEAR(p.stretch.z, 78.540, 1e-3);
  EXPECT_NEAR(p.stretch.x, 0.9 * 78.540 / 3, 1e-3);
  EXPECT_NEAR(p.linear_density, 0.10210, 1e-5);
  EXPECT_NEAR(p.inertia.x, 6.3814e-7, 1e-11);
  EXPECT_NEAR(p.inertia.z, 2 * 6.3814e-7, 1e-11);
  EXPECT_EQ(p.half_extent, (Vec3{0.005, 0.005, 0.005}));
}

// A strip 20 mm wide along d1 and 2 mm high along d2 bends easily about d1.
TEST(Section, RibbonIsSoftAboutD1) {
  const Material steel{"steel", 200e9, 7800, {}, 80e9};
  const SectionProperties p = section_properties({"", RectangleSection{0.02, 0.002}, 1}, &steel, 1);
  EXPECT_NEAR(p.bend.x, 200e9 * 0.02 * 8e-9 / 12, 1e-9);
  EXPECT_NEAR(p.bend.y, 200e9 * 0.002 * 8e-6 / 12, 1e-9);
  // the mass moment about d3 is the polar one, though the torsion constant is far smaller
  EXPECT_NEAR(p.inertia.z, 7800 * (0.02 * 8e-9 + 0.002 * 8e-6) / 12, 1e-15);
  EXPECT_NEAR(p.bend.z / 80e9, 0.312 * 0.02 * 8e-9, 1e-13);
  EXPECT_EQ(p.half_extent.x, 0.01);
  EXPECT_EQ(p.half_extent.y, 0.001);
}

TEST(Section, FactorScalesDimensions) {
  const Material rubber{"rubber", 1e6, 1300, 0.3, {}};
  const SectionProperties half = section_properties({"", RectangleSection{0.02, 0.01}, 1}, &rubber, 0.5);
  const SectionProperties small = section_properties({"", RectangleSection{0.01, 0.005}, 1}, &rubber, 1);
  for (const auto member :
       {&SectionProperties::stretch, &SectionProperties::bend, &SectionProperties::inertia, &SectionProperties::half_extent})
    EXPECT_LT(norm(half.*member - small.*member), 1e-14 * norm(small.*member));
  EXPECT_NEAR(half.linear_density, small.linear_density, 1e-15);
}

TEST(Section, DirectValuesPassThrough) {
  const DirectSection d{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const SectionProperties p = section_properties({"", d, 1}, nullptr, 1);
  EXPECT_EQ(p.stretch, (Vec3{2, 2, 1}));
  EXPECT_EQ(p.bend, (Vec3{3, 4, 5}));
  EXPECT_EQ(p.linear_density, 6);
  EXPECT_EQ(p.inertia, (Vec3{7, 8, 9}));
  EXPECT_EQ(p.half_extent.z, 10);
}

}  // namespace
}  // namespace writhe
