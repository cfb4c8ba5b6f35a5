// Checks of links. What depends on where things are is checked when they are resolved (model_links.cpp).
#include <algorithm>
#include <cmath>
#include <set>

#include "model/check.h"

namespace writhe {

namespace {

// Lengths are known to a part in 1e16 of the coordinates that they are made of.
constexpr double farthest = 1e9;  // m: then to a part of a micrometre

void check_point(const Vec3& point, const std::string& path, Problems& problems) {
  if (!problems.finite(path, point, "a fixed point (m)")) return;
  if (std::max({std::abs(point.x), std::abs(point.y), std::abs(point.z)}) > farthest)
    problems.add(
        path, text_of(point),
        "is over 1e9 m away, and rounding errors of a length like that are forces on the rod; give a nearer point in the "
        "same direction, or a force");
}

void check_end(const SceneIndex& index, const std::variant<Place, Vec3>& end, const std::string& path, Problems& problems) {
  if (const auto* place = std::get_if<Place>(&end))
    check_place(index.scene(), index.rod(place->rod), *place, path, problems);
  else
    check_point(std::get<Vec3>(end), path, problems);
}

void check_link(const SceneIndex& index, const Link& link, const std::string& path, Problems& problems) {
  const std::string ends = path + (link.kind == Link::Kind::spring ? ".spring" : ".tether");
  check_end(index, link.from, path_of(ends, 0), problems);
  check_end(index, link.to, path_of(ends, 1), problems);
  if (std::holds_alternative<Vec3>(link.from) && std::holds_alternative<Vec3>(link.to))
    problems.add(ends, "two points", "links two fixed points; one end has to be a place of a rod");
  problems.positive(path + ".stiffness", link.stiffness, "the stiffness (N/m)");
  if (link.rest_length && problems.not_negative(path + ".rest_length", *link.rest_length, "the rest length (m)") &&
      *link.rest_length > farthest)
    problems.add(path + ".rest_length", text_of(*link.rest_length), "is over 1e9 m; the rest length is in metres");
  problems.not_negative(path + ".damping", link.damping, "the damping (N s/m)");
  check_ramp(link.ramp, path + ".ramp", problems);
  for (std::size_t i = 0; i < link.ramp.points.size(); ++i)
    if (link.ramp.points[i].second < 0)
      problems.add(path_of(path + ".ramp", i), text_of(link.ramp.points[i].second),
                   "a rest length cannot be negative; give a factor of 0 or more");
}

}  // namespace

void check_links(const SceneIndex& index, Problems& problems) {
  std::set<std::string> seen;
  const std::vector<Link>& links = index.scene().links;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::string path = path_of("links", i);
    if (!links[i].name.empty() && !seen.insert(links[i].name).second)
      problems.add(path + ".name", links[i].name, "this name is used twice; every link must have its own");
    for (const Probe& probe : index.scene().output.probes)
      if (!links[i].name.empty() && probe.name == links[i].name)
        problems.add(path + ".name", links[i].name, "a probe has this name, and both have columns in probes.csv; choose another");
    check_link(index, links[i], path, problems);
  }
}

}  // namespace writhe
