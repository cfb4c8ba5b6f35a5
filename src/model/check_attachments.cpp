// Checks of what refers to places: junctions, supports, loads, probes.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/names.h"
#include "model/check.h"
#include "model/probe_fields.h"
#include "model/rod_shape.h"

namespace writhe {

namespace {

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
      problems.add(path, junction.places.empty() ? "no place" : "one place",
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
  if (support.motion) check_motion(index.scene(), support, path, problems);
}

struct LoadCheck {
  const SceneIndex& index;
  std::string path;
  const Ramp& ramp;
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
    for (std::size_t i = 0; i < ramp.points.size(); ++i)
      if (ramp.points[i].second < 0)
        problems.add(path_of(path + ".ramp", i), text_of(ramp.points[i].second),
                     "a drag with a negative factor would drive the rod; give 0 or more (its velocity may have any direction)");
  }
  void operator()(const WindLoad& load) const {
    rod(load.rod);
    problems.finite(path + ".wind.velocity", load.velocity, "the velocity of the wind (m/s)");
    problems.not_negative(path + ".wind.density", load.density, "the density of the air (kg/m^3)");
    problems.not_negative(path + ".wind.coefficient", load.coefficient, "the drag coefficient");
    for (const Rod& rod : index.scene().rods)
      if (load.rod.empty() || load.rod == rod.name) has_width(rod, load.rod.empty() ? ".wind" : ".rod");
  }
  void has_width(const Rod& rod, const char* key) const {
    const Section* section = index.section(rod.section);
    const auto* direct = section ? std::get_if<DirectSection>(&section->shape) : nullptr;
    if (!direct || direct->radius != 0 || problems.unread("sections." + rod.section)) return;
    problems.add(path + key, rod.name,
                 "no wind acts on this rod: its section '" + section->name + "' has radius 0; give the section its radius");
  }
};

void check_probe(const SceneIndex& index, const Probe& probe, const std::string& path, Problems& problems) {
  static const std::vector<std::string> known(probe_field_names.begin(), probe_field_names.end());
  check_place(index, probe.at, path + ".at", problems);
  if (probe.fields.empty()) problems.add(path + ".fields", "", "names no field; give one or more of " + list_of(known));
  for (auto field = probe.fields.begin(); field != probe.fields.end(); ++field) {
    const std::string here = path_of(path + ".fields", static_cast<std::size_t>(field - probe.fields.begin()));
    if (std::find(known.begin(), known.end(), *field) == known.end())
      problems.add(here, *field, "no probe has this field; " + hint(*field, known, "fields"));
    else if (std::find(probe.fields.begin(), field, *field) != field)
      problems.add(here, *field, "is named twice; remove one of them");
  }
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

void unknown_rod(const Scene& scene, const std::string& rod, const std::string& value, const std::string& path,
                 Problems& problems) {
  const std::vector<std::string> names = names_of(scene.rods);
  if (names.empty() || problems.names_unread("rods", names)) return;  // a scene without rods is told so once
  problems.add(path, value, "there is no rod '" + rod + "'; " + hint(rod, names, "rods"));
}

void check_place(const Scene& scene, int rod, const Place& place, const std::string& path, Problems& problems) {
  if (rod < 0) return unknown_rod(scene, place.rod, place.text(), path, problems);
  if (place.kind == Place::Kind::fraction && !(place.fraction >= 0 && place.fraction <= 1))
    problems.add(path, place.text(), "the fraction of the length must lie between 0 and 1");
  const Rod& given = scene.rods[rod];
  for (const char* key : {".segments", ".closed", ".centreline"})  // which say how many nodes there are
    if (problems.unread(path_of("rods", given.name, static_cast<std::size_t>(rod)) + key)) return;
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
    std::visit(LoadCheck{index, path, scene.loads[i].ramp, problems}, scene.loads[i].kind);
    check_ramp(scene.loads[i].ramp, path + ".ramp", problems);
  }
  check_links(index, problems);
  check_probes(index, problems);
}

}  // namespace writhe
