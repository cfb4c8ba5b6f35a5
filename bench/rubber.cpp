#include "rubber.h"

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

}  // namespace writhe::bench
