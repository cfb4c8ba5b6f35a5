// Checks of what refers to places: junctions, supports, loads, probes.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/names.h"
#include "model/check.h"
#include "model/rod_shape.h"

namespace writhe {

namespace {

std::vector<std::string> rod_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const Rod& rod : scene.rods) names.push_back(rod.name);
  return names;
}

void unknown_rod(const Scene& scene, const std::string& rod, const std::string& value, const std::string& path,
                 Problems& problems) {
  problems.add(path, value, "there is no rod '" + rod + "'; " + hint(rod, rod_names(scene), "rods"));
}

void check_place(const SceneIndex& index, const Place& place, const std::string& path, Problems& problems) {
  check_place(index.scene(), index.rod(place.rod), place, path, problems);
}

void check_junctions(const SceneIndex& index, Problems& problems) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < index.scene().joints.size(); ++i) {
    const Junction& junction = index.scene().joints[i];
    const std::string path = path_of("joints", i);
    if (!junction.name.empty() && !seen.insert(junction.name).second)
      problems.add(path + ".name", junction.name, "this name is used twice; every joint must have its own");
    if (junction.places.size() < 2)
      problems.add(path, fmt::format("{} places", junction.places.size()),
                   "joins two or more places; add them or remove the joint");
    for (std::size_t j = 0; j < junction.places.size(); ++j)
      check_place(index, junction.places[j], path_of(path + ".places", j), problems);
  }
}

void check_axes(const Support& support, const std::string& path, Problems& problems) {
  const bool known = support.axes.find_first_not_of("xyz") == std::string::npos;
  const std::set<char> different(support.axes.begin(), support.axes.end());
  if (!known || different.size() != support.axes.size())
    problems.add(path + ".axes", support.axes, "must name coordinates out of x, y and z, each once; for example xz");
  if (support.axes.empty() && support.kind == Support::Kind::pin)
    problems.add(path + ".axes", "", "a pin must hold at least one of x, y and z");
}

void check_support(const SceneIndex& index, const Support& support, const std::string& path, Problems& problems) {
  const bool clamp = support.kind == Support::Kind::clamp;
  check_place(index, support.at, path + (clamp ? ".clamp" : ".pin"), problems);
  check_axes(support, path, problems);
  if (!clamp && (support.tangent || support.d1))
    problems.add(path + (support.tangent ? ".tangent" : ".d1"), "", "a pin holds no direction; use a clamp or leave it out");
  const bool tangent = support.tangent && problems.direction(path + ".tangent", *support.tangent, "the direction of the rod");
  const bool d1 = support.d1 && problems.direction(path + ".d1", *support.d1, "the direction d1");
  if (tangent && d1 && norm(cross(normalized(*support.tangent), normalized(*support.d1))) < 1e-6)
    problems.add(path + ".d1", text_of(*support.d1), "is parallel to the tangent; give a direction across it");
}

struct LoadCheck {
  const SceneIndex& index;
  std::string path;
  Problems& problems;

  void rod(const std::string& name) const {
    if (!name.empty() && index.rod(name) < 0) unknown_rod(index.scene(), name, name, path + ".rod", problems);
  }
  void operator()(const ForceLoad& load) const {
    check_place(index, load.at, path + ".at", problems);
    problems.finite(path + ".force", load.force, "the force (N)");
  }
  void operator()(const MomentLoad& load) const {
    check_place(index, load.at, path + ".at", problems);
    problems.finite(path + ".moment", load.moment, "the moment (N m)");
  }
  void operator()(const LineLoad& load) const {
    rod(load.rod);
    problems.finite(path + ".force_per_length", load.force_per_length, "the force per length (N/m)");
  }
  void operator()(const DragLoad& load) const {
    rod(load.rod);
    problems.not_negative(path + ".drag.normal", load.normal, "the drag across the rod (N s/m^2)");
    problems.not_negative(path + ".drag.tangential", load.tangential, "the drag along the rod (N s/m^2)");
    problems.finite(path + ".drag.velocity", load.velocity, "the velocity of the medium (m/s)");
  }
  void operator()(const WindLoad& load) const {
    rod(load.rod);
    problems.finite(path + ".wind.velocity", load.velocity, "the velocity of the wind (m/s)");
    problems.not_negative(path + ".wind.density", load.density, "the density of the air (kg/m^3)");
    problems.not_negative(path + ".wind.coefficient", load.coefficient, "the drag coefficient");
  }
};

void check_probe(const SceneIndex& index, const Probe& probe, const std::string& path, Problems& problems) {
  static const std::vector<std::string> known{"position", "velocity", "tension", "shear", "moment", "frame"};
  check_place(index, probe.at, path + ".at", problems);
  for (std::size_t i = 0; i < probe.fields.size(); ++i)
    if (std::find(known.begin(), known.end(), probe.fields[i]) == known.end())
      problems.add(path_of(path + ".fields", i), probe.fields[i],
                   "no probe has this field; " + hint(probe.fields[i], known, "fields"));
}

void check_probes(const SceneIndex& index, Problems& problems) {
  std::set<std::string> seen;
  const std::vector<Probe>& probes = index.scene().output.probes;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const std::string path = path_of("output.probes", i);
    if (!seen.insert(probes[i].name).second)
      problems.add(path + ".name", probes[i].name, "this name is used twice; every probe must have its own");
    check_probe(index, probes[i], path, problems);
  }
}

}  // namespace

void check_place(const Scene& scene, int rod, const Place& place, const std::string& path, Problems& problems) {
  if (rod < 0) return unknown_rod(scene, place.rod, place.text(), path, problems);
  if (place.kind == Place::Kind::fraction && !(place.fraction >= 0 && place.fraction <= 1))
    problems.add(path, place.text(), "the fraction of the length must lie between 0 and 1");
  const Rod& given = scene.rods[rod];
  const int last = is_closed(given) ? given.segments - 1 : given.segments;
  if (place.kind == Place::Kind::node && (place.node < 0 || place.node > last))
    problems.add(path, place.text(), fmt::format("the nodes of '{}' are numbered from 0 to {}", given.name, last));
}

void check_attachments(const SceneIndex& index, Problems& problems) {
  const Scene& scene = index.scene();
  check_junctions(index, problems);
  for (std::size_t i = 0; i < scene.supports.size(); ++i)
    check_support(index, scene.supports[i], path_of("supports", i), problems);
  for (std::size_t i = 0; i < scene.loads.size(); ++i) {
    const std::string path = path_of("loads", i);
    std::visit(LoadCheck{index, path, problems}, scene.loads[i].kind);
    check_ramp(scene.loads[i].ramp, path + ".ramp", problems);
  }
  check_probes(index, problems);
}

}  // namespace writhe
