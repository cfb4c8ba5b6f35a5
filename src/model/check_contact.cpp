// Checks of obstacles, and of which rods touch. What depends on where things are is found by src/contact/overlaps.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/names.h"
#include "model/check.h"

namespace writhe {

namespace {

// m: what is farther could not be squared and multiplied once more.
constexpr double farthest = 1e100;

bool check_far(const std::string& path, const Vec3& value, const std::string& what, Problems& problems) {
  if (!problems.finite(path, value, what)) return false;
  const bool fine = std::max({std::abs(value.x), std::abs(value.y), std::abs(value.z)}) <= farthest;
  if (!fine) problems.add(path, text_of(value), "is beyond 1e100 m; check the units (m)");
  return fine;
}

void check_size(const std::string& path, double value, const std::string& what, Problems& problems) {
  if (problems.positive(path, value, what) && value > farthest)
    problems.add(path, text_of(value), "is beyond 1e100 m; check the units (m)");
}

struct ObstacleCheck {
  std::string path;  // of the shape
  Problems& problems;

  void operator()(const PlaneObstacle& plane) const {
    check_far(path + ".point", plane.point, "a point of the plane (m)", problems);
    problems.direction(path + ".normal", plane.normal, "the normal");
  }
  void operator()(const SphereObstacle& sphere) const {
    check_far(path + ".centre", sphere.centre, "the centre (m)", problems);
    check_size(path + ".radius", sphere.radius, "the radius (m)", problems);
  }
  void operator()(const BoxObstacle& box) const {
    check_far(path + ".centre", box.centre, "the centre (m)", problems);
    if (check_far(path + ".size", box.size, "the edges (m)", problems) && !(box.size.x > 0 && box.size.y > 0 && box.size.z > 0))
      problems.add(path + ".size", text_of(box.size), "the edges along x, y and across both (m) must each be greater than 0");
    const bool x = problems.direction(path + ".x", box.x, "the direction x");
    const bool y = problems.direction(path + ".y", box.y, "the direction y");
    if (x && y && norm(cross(normalized(box.x), normalized(box.y))) < 1e-6)
      problems.add(path + ".y", text_of(box.y), "is parallel to x, " + text_of(box.x) + "; give a direction across it");
  }
  void operator()(const CapsuleObstacle& capsule) const {
    const bool from = check_far(path + ".from", capsule.from, "an end of the axis (m)", problems);
    const bool to = check_far(path + ".to", capsule.to, "an end of the axis (m)", problems);
    if (from && to && norm(capsule.to - capsule.from) == 0)
      problems.add(path + ".to", text_of(capsule.to), "is where the axis begins, too; give another end, or a sphere");
    check_size(path + ".radius", capsule.radius, "the radius (m)", problems);
  }
  void operator()(const MeshObstacle& mesh) const {
    check_size(path + ".scale", mesh.scale, "the scale", problems);
    check_far(path + ".translate", mesh.translate, "the translation (m)", problems);
    if (problems.any_at(path) || problems.unread(path)) return;
    const auto far = [](const Vec3& p) {
      return !finite(p) || !(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) <= farthest);
    };
    const auto point = std::find_if(mesh.points.begin(), mesh.points.end(), far);
    if (point != mesh.points.end())
      return problems.add(path, text_of(*point), "a point is not finite or beyond 1e100 m; check the file and its scale");
    check_triangles(mesh);
  }
  // Those that cover nothing are left out, and told when the model is used; there must be others.
  void check_triangles(const MeshObstacle& mesh) const {
    const auto points = static_cast<int>(mesh.points.size());
    bool covers = false;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      const auto& [a, b, c] = mesh.triangles[i];
      if (std::min({a, b, c}) < 0 || std::max({a, b, c}) >= points)
        return problems.add(path_of(path + ".triangles", i), fmt::format("[{}, {}, {}]", a, b, c),
                            fmt::format("the points of '{}' are numbered from 0 to {}", mesh.file, points - 1));
      covers = covers || norm(cross(mesh.points[b] - mesh.points[a], mesh.points[c] - mesh.points[a])) > 0;
    }
    if (!covers)
      problems.add(path, fmt::format("{} triangles", mesh.triangles.size()),
                   "none of them has an area, so that rods would not meet it; check the file and its scale");
  }
};

void check_obstacle(const Scene& scene, const Obstacle& obstacle, const std::string& path, Problems& problems) {
  const char* const kinds[] = {"plane", "sphere", "box", "capsule", "mesh"};
  std::visit(ObstacleCheck{path + "." + kinds[obstacle.shape.index()], problems}, obstacle.shape);
  if (obstacle.motion) check_obstacle_motion(scene, *obstacle.motion, path + ".motion", problems);
}

void check_pair(const SceneIndex& index, const std::pair<std::string, std::string>& pair, const std::string& path,
                Problems& problems) {
  const auto known = [&](const std::string& name, std::size_t i) {
    if (index.rod(name) >= 0) return true;
    unknown_rod(index.scene(), name, name, path_of(path, i), problems);
    return false;
  };
  const bool first = known(pair.first, 0), second = known(pair.second, 1);
  if (first && second && pair.first == pair.second)
    problems.add(path, pair.first, "a rod touches itself with self: true; name two different rods here");
}

void check_pairs(const SceneIndex& index, Problems& problems) {
  const Contact& contact = index.scene().contact;
  if (contact.between != Contact::Between::pairs) {
    if (!contact.pairs.empty() && contact.between == Contact::Between::none)
      problems.add("contact.between", "", "pairs are given, but not asked for; set Contact::between to Between::pairs");
    return;
  }
  if (contact.pairs.empty()) problems.add("contact.between", "", "names no pair; give pairs such as [[a, b]], or none");
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < contact.pairs.size(); ++i) {
    const auto& [a, b] = contact.pairs[i];
    const std::string path = path_of("contact.between", i);
    check_pair(index, contact.pairs[i], path, problems);
    if (a != b && !seen.insert(std::minmax(a, b)).second && !problems.unread(path))
      problems.add(path, fmt::format("[{}, {}]", a, b), "this pair is named twice, in either order; remove one");
  }
}

}  // namespace

void check_contact(const SceneIndex& index, Problems& problems) {
  const Scene& scene = index.scene();
  std::set<std::string> seen;
  for (std::size_t i = 0; i < scene.obstacles.size(); ++i) {
    const std::string path = path_of("obstacles", i), &name = scene.obstacles[i].name;
    if (name.empty())
      problems.add(path, "", "has no name; give it one");
    else if (!seen.insert(name).second)
      problems.add(path + ".name", name, "this name is used twice; every obstacle must have its own");
    check_obstacle(scene, scene.obstacles[i], path, problems);
  }
  const Contact& contact = scene.contact;
  if (contact.thickness)
    problems.positive("contact.thickness", *contact.thickness, "the distance of axes at which rods touch (m)");
  if (contact.stiffness) problems.positive("contact.stiffness", *contact.stiffness, "the stiffness of contact (N/m^2)");
  check_pairs(index, problems);
}

}  // namespace writhe
