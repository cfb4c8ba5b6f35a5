#include "rubber.h"

#include <fmt/format.h>

namespace writhe::bench {

Scene rubber_scene(double radius) {
  Scene scene;
  scene.materials = {{"rubber", 1e6, 1300, 0.5, {}}};
  scene.sections = {{"cord", CircleSection{radius}}};
  return scene;
}

void add_rod(Scene& scene, const std::string& name, const LineShape& line, int segments) {
  Rod rod;
  rod.name = name;
  rod.section = "cord";
  rod.material = "rubber";
  rod.centreline = line;
  rod.segments = segments;
  scene.rods.push_back(rod);
}

Support& add_support(Scene& scene, Support::Kind kind, const Place& place) {
  Support& support = scene.supports.emplace_back();
  support.kind = kind;
  support.at = place;
  return support;
}

Scene falling_rods(int rods, int segments) {
  Scene scene = rubber_scene(0.008);
  scene.materials.front().density = 4300;
  for (int k = 0; k < rods; ++k) {
    const std::string name = fmt::format("rod{}", k);
    const double aside = 0.02 * k;
    add_rod(scene, name, {{0, aside, 0}, {0.5, aside, 0}}, segments);
    add_support(scene, Support::Kind::clamp, Place::parse(name + ".start"));
  }
  scene.dt = 1e-3;
  return scene;
}

Scene carried_rod(int segments, double distance) {
  Scene scene = rubber_scene(0.003);
  add_rod(scene, "rod", {{0, 0, 0}, {1, 0, 0}}, segments);
  add_support(scene, Support::Kind::pin, Place::parse("rod.start"));
  Support& carried = add_support(scene, Support::Kind::pin, Place::parse("rod.end"));
  carried.motion.emplace().translate.keys = {{0, {}}, {1, {distance - 1, 0, 0}}};
  return scene;
}

}  // namespace writhe::bench
