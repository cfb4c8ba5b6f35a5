// Materials and sections.
#include "base/names.h"
#include "base/text_file.h"
#include "model/material_presets.h"
#include "scene/scene_parts.h"

namespace writhe::scene_file {

namespace {
// The name of a preset; takes over its numbers.
struct Preset {
  Material& material;
};

std::string_view looks(const Preset&) { return "the name of a preset, such as steel"; }

void read(const Field& field, Preset out) {
  if (!field.is_scalar()) return field.expected(looks(out));
  const std::string& name = field.value().text;
  const Material* preset = material_preset(name);
  if (!preset) {
    return field.problem("there is no such preset; " + hint(printable(name), material_preset_names(), "presets"));
  }
  const std::string own_name = out.material.name;
  out.material = *preset;
  out.material.name = own_name;
}
}  // namespace

void read(const Field& field, Material& out) {
  Keys keys(field);
  keys.optional("preset", Preset{out});
  keys.required_without("preset", "young", out.young);
  keys.required_without("preset", "density", out.density);
  // Either of the two takes the place of the one that the preset has.
  std::optional<double> poisson, shear;
  keys.optional("poisson", poisson);
  keys.optional("shear", shear);
  if (!poisson && !shear) return;
  out.poisson = poisson;
  out.shear = shear;
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

}  // namespace writhe::scene_file
