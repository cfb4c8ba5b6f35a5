// What a section and a material make together: stiffness and inertia per length of rod.
#pragma once

#include "writhe/scene.h"
#include "writhe/vec.h"

namespace writhe {

// Geometry of a cross-section; axes d1, d2 are its principal axes through the centroid.
struct SectionGeometry {
  double area = 0;     // m^2
  double I1 = 0;       // m^4, second moment about d1: integral of (coordinate along d2)^2
  double I2 = 0;       // m^4, second moment about d2
  double torsion = 0;  // m^4, Saint-Venant's torsion constant; the polar moment only for circle and tube
};

struct SectionProperties {
  Vec3 stretch{};             // N: GA, GA, EA along d1, d2, d3
  Vec3 bend{};                // N m^2: EI1, EI2, GJ about d1, d2, d3
  double linear_density = 0;  // kg/m
  Vec3 inertia{};             // kg m: rotational inertia per length about d1, d2, d3
  Vec3 half_extent{};         // m: half width along d1, along d2, radius of the circle of the same outline area
};

// `factor` scales every dimension. Not for a direct section.
SectionGeometry section_geometry(const Section& section, double factor);

// `material` may be null for a direct section, which `factor` leaves as it is.
SectionProperties section_properties(const Section& section, const Material* material, double factor);

// Pa.
double shear_modulus(const Material& material);

// The section looks the same after any rotation about d3.
bool is_round(const Section& section);

inline bool is_direct(const Section& section) { return std::holds_alternative<DirectSection>(section.shape); }

}  // namespace writhe
