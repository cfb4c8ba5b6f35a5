// Materials and sections.
#include "io/scene_parts.h"

namespace writhe::io {

void read(const Field& field, Material& out) {
  Keys keys(field);
  keys.required("young", out.young);
  keys.required("density", out.density);
  keys.optional("poisson", out.poisson);
  keys.optional("shear", out.shear);
}

static void read(const Field& field, CircleSection& out) {
  Keys keys(field);
  keys.required("radius", out.radius);
}

static void read(const Field& field, TubeSection& out) {
  Keys keys(field);
  keys.required("outer_radius", out.outer_radius);
  keys.required("inner_radius", out.inner_radius);
}

static void read(const Field& field, RectangleSection& out) {
  Keys keys(field);
  keys.required("width", out.width);
  keys.required("height", out.height);
}

static void read(const Field& field, EllipseSection& out) {
  Keys keys(field);
  keys.required("semi_axis1", out.semi_axis1);
  keys.required("semi_axis2", out.semi_axis2);
}

static void read(const Field& field, DirectSection& out) {
  Keys keys(field);
  keys.required("EA", out.EA);
  keys.required("GA", out.GA);
  keys.required("EI1", out.EI1);
  keys.required("EI2", out.EI2);
  keys.required("GJ", out.GJ);
  keys.required("linear_density", out.linear_density);
  Vec3 inertia{};
  keys.required("inertia", inertia);
  out.inertia1 = inertia.x;
  out.inertia2 = inertia.y;
  out.inertia3 = inertia.z;
  keys.required("radius", out.radius);
}

void read(const Field& field, Section& out) {
  Keys keys(field);
  keys.one_of(out.shape, {"circle", "tube", "rectangle", "ellipse", "stiffness"});
  keys.optional("shear_factor", out.shear_factor);
}

}  // namespace writhe::io
