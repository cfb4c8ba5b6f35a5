#include "model/check.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/names.h"
#include "model/format_names.h"

namespace writhe {

namespace {

// An estimate: model, state, and vectors and block-tridiagonal matrices of an implicit step together.
constexpr double bytes_per_segment = 1500;

template <class Item>
void check_names(const std::vector<Item>& items, const std::string& list, Problems& problems) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string& name = items[i].name;
    if (name.empty()) {
      problems.add(path_of(list, i), "", "has no name; give it one");
    } else if (!seen.insert(name).second) {
      problems.add(path_of(list, name, i), name, "this name is used twice; every name in " + list + " must be its own");
    }
  }
}

void check_rod_names(const Scene& scene, Problems& problems) {
  check_names(scene.rods, "rods", problems);
  for (std::size_t i = 0; i < scene.rods.size(); ++i) {
    const std::string& name = scene.rods[i].name;
    if (name.find_first_of(".@[") == std::string::npos) continue;
    problems.add(path_of("rods", name, i), name,
                 "a rod's name must not contain '.', '@' or '[': these divide a place such as rope.node[3]");
  }
}

void check_memory(const Scene& scene, Problems& problems) {
  const double needed = memory_needed(scene);
  if (needed <= memory_limit) return;
  double segments = 0;
  std::size_t largest = 0;
  for (std::size_t i = 0; i < scene.rods.size(); ++i) {
    segments += std::max(0, scene.rods[i].segments);
    if (scene.rods[i].segments > scene.rods[largest].segments) largest = i;
  }
  const Rod& rod = scene.rods[largest];
  problems.add(
      path_of("rods", rod.name, largest) + ".segments", text_of(rod.segments),
      fmt::format("the scene has {:.0f} segments and would need about {:.0f} GB of memory, more than the {:.0f} GB it may "
                  "use; at most {:.0f} segments in all fit",
                  segments, needed / 1e9, memory_limit / 1e9, memory_limit / bytes_per_segment));
}

void check_shape(const CircleSection& s, const std::string& path, Problems& problems) {
  problems.positive(path + ".radius", s.radius, "the radius (m)");
}

void check_shape(const TubeSection& s, const std::string& path, Problems& problems) {
  const bool outer = problems.positive(path + ".outer_radius", s.outer_radius, "the outer radius (m)");
  const bool inner = problems.positive(path + ".inner_radius", s.inner_radius, "the inner radius (m)");
  if (outer && inner && s.inner_radius >= s.outer_radius)
    problems.add(path + ".inner_radius", text_of(s.inner_radius),
                 "must be smaller than the outer radius, " + text_of(s.outer_radius) + " m");
}

void check_shape(const RectangleSection& s, const std::string& path, Problems& problems) {
  problems.positive(path + ".width", s.width, "the width along d1 (m)");
  problems.positive(path + ".height", s.height, "the height along d2 (m)");
}

void check_shape(const EllipseSection& s, const std::string& path, Problems& problems) {
  problems.positive(path + ".semi_axis1", s.semi_axis1, "the semi-axis along d1 (m)");
  problems.positive(path + ".semi_axis2", s.semi_axis2, "the semi-axis along d2 (m)");
}

void check_shape(const DirectSection& s, const std::string& path, Problems& problems) {
  problems.positive(path + ".EA", s.EA, "the stretch stiffness (N)");
  problems.positive(path + ".GA", s.GA, "the shear stiffness (N)");
  problems.positive(path + ".EI1", s.EI1, "the bending stiffness about d1 (N m^2)");
  problems.positive(path + ".EI2", s.EI2, "the bending stiffness about d2 (N m^2)");
  problems.positive(path + ".GJ", s.GJ, "the twisting stiffness (N m^2)");
  problems.positive(path + ".linear_density", s.linear_density, "the mass per length (kg/m)");
  // Written so that a NaN fails.
  const Vec3 inertia{s.inertia1, s.inertia2, s.inertia3};
  if (!(finite(inertia) && inertia.x > 0 && inertia.y > 0 && inertia.z > 0))
    problems.add(path + ".inertia", text_of(inertia),
                 "the rotational inertia per length about d1, d2, d3 (kg m) must have three finite components greater than 0");
  problems.not_negative(path + ".radius", s.radius, "the radius for drawing and contact (m)");
}

constexpr double most_steps = 1e12;  // years, on any machine; and far below where steps could no longer be counted

void check_time(const Scene& scene, Problems& problems) {
  const bool dt = problems.positive("time.dt", scene.dt, "the time step (s)");
  const bool until = problems.not_negative("time.until", scene.until, "the end time (s)");
  if (scene.step_tolerance)
    problems.positive("time.tolerance", *scene.step_tolerance, "the error a step may make (over the length of the longest rod)");
  if (!dt || !until || scene.until / scene.dt <= most_steps) return;
  problems.add("time.until", text_of(scene.until),
               fmt::format("too many steps of {} s: {:.2g}, and {:.0e} is the most; end earlier or take a longer time.dt",
                           scene.dt, scene.until / scene.dt, most_steps));
}

constexpr int most_iterations = 1000000;  // far beyond use, so that a slip is told and not waited for

void check_solver(const SolverSettings& solver, Problems& problems) {
  // Written so that a NaN fails.
  if (!(solver.tolerance > 0 && solver.tolerance <= 1e-2))
    problems.add("solver.tolerance", text_of(solver.tolerance), "must be greater than 0 and at most 0.01; 1e-6 is a good choice");
  if (solver.newton.max_iterations < 1)
    problems.add("solver.newton.max_iterations", text_of(solver.newton.max_iterations),
                 "must be 1 or more; 100 is a good choice");
  if (solver.pd.iterations < 1 || solver.pd.iterations > most_iterations)
    problems.add("solver.pd.iterations", text_of(solver.pd.iterations),
                 fmt::format("must be 1 or more and at most {}; 10 is a good choice", most_iterations));
}

void check_run(const Scene& scene, Problems& problems) {
  check_time(scene, problems);
  problems.finite("gravity", scene.gravity, "gravity (m/s^2)");
  check_ramp(scene.gravity_ramp, "gravity.ramp", problems);
  problems.not_negative("damping.mass", scene.damping.mass, "mass damping (1/s)");
  problems.not_negative("damping.internal", scene.damping.internal, "internal damping (s)");
  check_solver(scene.solver, problems);
}

void check_choice(const std::string& path, const std::string& value, const std::vector<std::string>& choices,
                  Problems& problems) {
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  problems.add(path, value, "is not a choice here; choose one of " + list_of(choices));
}

void check_formats(const std::vector<std::string>& formats, Problems& problems) {
  const std::vector<std::string>& known = format_names();
  for (auto format = formats.begin(); format != formats.end(); ++format) {
    const std::string here = path_of("output.formats", static_cast<std::size_t>(format - formats.begin()));
    if (std::find(known.begin(), known.end(), *format) == known.end())
      problems.add(here, *format, "no such format; " + hint(*format, known, "formats"));
    else if (std::find(formats.begin(), format, *format) != format)
      problems.add(here, *format, "is named twice; remove one of them");
  }
}

void check_output(const Output& output, Problems& problems) {
  problems.not_negative("output.interval", output.interval, "the interval between rows (s; 0: every step)");
  check_formats(output.formats, problems);
  problems.not_negative("output.frame_interval", output.frame_interval, "the interval between shapes (s; 0: every step)");
  problems.not_negative("output.checkpoint", output.checkpoint, "the time between checkpoints (s; 0: at the end only)");
  check_choice("output.picture.view", output.picture.view, {"xy", "xz", "yz", "iso"}, problems);
  check_choice("output.picture.color", output.picture.color, {"none", "tension", "curvature", "twist", "speed"}, problems);
  if (output.picture.frames < 1)
    problems.add("output.picture.frames", text_of(output.picture.frames), "must be 1 or more; 8 is a good choice");
}

}  // namespace

double memory_needed(const Scene& scene) {
  double segments = 0;
  for (const Rod& rod : scene.rods) segments += std::max(0, rod.segments);
  return segments * bytes_per_segment;
}

void check_ramp(const Ramp& ramp, const std::string& path, Problems& problems) {
  for (std::size_t i = 0; i < ramp.points.size(); ++i) {
    const auto& [time, factor] = ramp.points[i];
    const std::string here = path_of(path, i);
    const bool fine = problems.finite(here, time, "the time of a ramp (s)");
    problems.finite(here, factor, "the factor of a ramp");
    if (fine && i > 0 && time <= ramp.points[i - 1].first && !problems.unread(path_of(path, i - 1)))
      problems.add(here, text_of(time),
                   "times of a ramp must increase; this one follows " + text_of(ramp.points[i - 1].first) + " s");
  }
}

void check_material(const Material& material, const std::string& path, Problems& problems) {
  problems.positive(path + ".young", material.young, "Young's modulus (Pa)");
  problems.positive(path + ".density", material.density, "the density (kg/m^3)");
  if (material.poisson.has_value() == material.shear.has_value())
    problems.add(path, "", "give either poisson or shear, not " + std::string(material.shear ? "both" : "neither"));
  // Written so that a NaN fails.
  if (material.poisson && !(*material.poisson > -1 && *material.poisson <= 0.5))
    problems.add(path + ".poisson", text_of(*material.poisson), "must be greater than -1 and at most 0.5 (incompressible)");
  if (material.shear) problems.positive(path + ".shear", *material.shear, "the shear modulus (Pa)");
}

void check_section(const Section& section, const std::string& path, Problems& problems) {
  const char* const kinds[] = {"circle", "tube", "rectangle", "ellipse", "stiffness"};
  const std::string shape_path = path + "." + kinds[section.shape.index()];
  std::visit([&](const auto& shape) { check_shape(shape, shape_path, problems); }, section.shape);
  problems.positive(path + ".shear_factor", section.shear_factor, "the shear factor (1: none)");
}

void check_scene(const SceneIndex& index, Problems& problems) {
  const Scene& scene = index.scene();
  check_names(scene.materials, "materials", problems);
  for (std::size_t i = 0; i < scene.materials.size(); ++i)
    check_material(scene.materials[i], path_of("materials", scene.materials[i].name, i), problems);
  check_names(scene.sections, "sections", problems);
  for (std::size_t i = 0; i < scene.sections.size(); ++i)
    check_section(scene.sections[i], path_of("sections", scene.sections[i].name, i), problems);
  if (scene.rods.empty()) problems.add("rods", "", "the scene has no rod; add one");
  check_rod_names(scene, problems);
  for (std::size_t i = 0; i < scene.rods.size(); ++i)
    check_rod(index, scene.rods[i], path_of("rods", scene.rods[i].name, i), problems);
  check_memory(scene, problems);
  check_attachments(index, problems);
  check_contact(index, problems);
  check_run(scene, problems);
  check_output(scene.output, problems);
}

}  // namespace writhe
