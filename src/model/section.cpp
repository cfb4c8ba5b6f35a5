#include "model/section.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "math/rotation.h"

namespace writhe {

namespace {

// Saint-Venant torsion constant of a rectangle with sides a >= b (Timoshenko and Goodier, Theory of Elasticity, art. 109):
//   a b^3/3 (1 - 192/pi^5 b/a sum over odd n of tanh(n pi a / 2b)/n^5).
// The sum is split as sum 1/n^5 - sum (1 - tanh)/n^5: the first is 31/32 zeta(5), the second falls as exp(-n pi a/b).
double rectangle_torsion(double width, double height) {
  const double a = std::max(width, height), b = std::min(width, height);
  constexpr double zeta5 = 1.0369277551433699263;
  double sum = 31.0 / 32.0 * zeta5;
  for (int n = 1; n <= 13; n += 2) sum -= 2 / (std::exp(n * pi * a / b) + 1) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 / std::pow(pi, 5) * (b / a) * sum);
}

SectionGeometry geometry(const CircleSection& s) {
  const double r2 = s.radius * s.radius;
  const double I = pi / 4 * r2 * r2;
  return {pi * r2, I, I, 2 * I};
}

SectionGeometry geometry(const TubeSection& s) {
  const SectionGeometry outer = geometry(CircleSection{s.outer_radius}), inner = geometry(CircleSection{s.inner_radius});
  return {outer.area - inner.area, outer.I1 - inner.I1, outer.I2 - inner.I2, outer.torsion - inner.torsion};
}

SectionGeometry geometry(const RectangleSection& s) {
  const double w = s.width, h = s.height;
  return {w * h, w * h * h * h / 12, h * w * w * w / 12, rectangle_torsion(w, h)};
}

SectionGeometry geometry(const EllipseSection& s) {
  const double a = s.semi_axis1, b = s.semi_axis2;
  return {pi * a * b, pi / 4 * a * b * b * b, pi / 4 * b * a * a * a, pi * std::pow(a * b, 3) / (a * a + b * b)};
}

SectionGeometry geometry(const DirectSection&) { return {}; }

Vec3 half_extent(const CircleSection& s) { return {s.radius, s.radius, s.radius}; }
Vec3 half_extent(const TubeSection& s) { return {s.outer_radius, s.outer_radius, s.outer_radius}; }
Vec3 half_extent(const RectangleSection& s) { return {s.width / 2, s.height / 2, std::sqrt(s.width * s.height / pi)}; }
Vec3 half_extent(const EllipseSection& s) { return {s.semi_axis1, s.semi_axis2, std::sqrt(s.semi_axis1 * s.semi_axis2)}; }
Vec3 half_extent(const DirectSection& s) { return {s.radius, s.radius, s.radius}; }

SectionProperties direct_properties(const DirectSection& s) {
  return {{s.GA, s.GA, s.EA}, {s.EI1, s.EI2, s.GJ}, s.linear_density, {s.inertia1, s.inertia2, s.inertia3}, half_extent(s)};
}

}  // namespace

double shear_modulus(const Material& material) {
  return material.shear ? *material.shear : material.young / (2 * (1 + material.poisson.value_or(0)));
}

SectionGeometry section_geometry(const Section& section, double factor) {
  SectionGeometry g = std::visit([](const auto& shape) { return geometry(shape); }, section.shape);
  const double f2 = factor * factor, f4 = f2 * f2;
  return {g.area * f2, g.I1 * f4, g.I2 * f4, g.torsion * f4};
}

SectionProperties section_properties(const Section& section, const Material* material, double factor) {
  if (const auto* direct = std::get_if<DirectSection>(&section.shape)) return direct_properties(*direct);
  const SectionGeometry g = section_geometry(section, factor);
  const double E = material->young, G = shear_modulus(*material), density = material->density;
  const double GA = section.shear_factor * G * g.area;
  return {{GA, GA, E * g.area},
          {E * g.I1, E * g.I2, G * g.torsion},
          density * g.area,
          density * Vec3{g.I1, g.I2, g.I1 + g.I2},
          factor * std::visit([](const auto& shape) { return half_extent(shape); }, section.shape)};
}

bool is_round(const Section& section) {
  if (const auto* direct = std::get_if<DirectSection>(&section.shape)) return direct->EI1 == direct->EI2;
  if (const auto* ellipse = std::get_if<EllipseSection>(&section.shape)) return ellipse->semi_axis1 == ellipse->semi_axis2;
  return !std::holds_alternative<RectangleSection>(section.shape);
}

}  // namespace writhe
