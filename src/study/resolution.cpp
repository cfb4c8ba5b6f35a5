#include "study/resolution.h"

#include <cmath>
#include <limits>
#include <string>

#include "writhe/error.h"
#include "writhe/model.h"

namespace writhe::study {

namespace {

int scaled(int count, int power, const std::string& what) {
  if (power >= 0) {
    if (count > (std::numeric_limits<int>::max() >> power)) throw Error(what, std::to_string(count), "too many for a finer mesh");
    return count << power;
  }
  const int divisor = 1 << -power;
  if (count % divisor != 0) throw Error(what, std::to_string(count), "cannot be divided by " + std::to_string(divisor));
  return count / divisor;
}

void move_place(Place& place, int power) {
  if (place.kind == Place::Kind::node) place.node = scaled(place.node, power, place.text());
}

struct PlaceOfLoad {
  int power;
  void operator()(ForceLoad& load) const { move_place(load.at, power); }
  void operator()(MomentLoad& load) const { move_place(load.at, power); }
  template <class Other>
  void operator()(Other&) const {}
};

}  // namespace

Scene at_resolution(Scene scene, Resolution resolution) {
  const int power = resolution.mesh;
  for (Rod& rod : scene.rods) rod.segments = scaled(rod.segments, power, "rods." + rod.name + ".segments");
  for (Junction& junction : scene.joints)
    for (Place& place : junction.places) move_place(place, power);
  for (Support& support : scene.supports) move_place(support.at, power);
  for (Load& load : scene.loads) std::visit(PlaceOfLoad{power}, load.kind);
  for (Link& link : scene.links)
    for (std::variant<Place, Vec3>* end : {&link.from, &link.to})
      if (Place* place = std::get_if<Place>(end)) move_place(*place, power);
  scene.output.probes.clear();
  scene.dt = std::ldexp(scene.dt, -resolution.time);
  return scene;
}

bool has_resolution(const Scene& scene, Resolution resolution) {
  try {
    const Model model(at_resolution(scene, resolution));
    return true;
  } catch (const Error&) {
    return false;
  }
}

int segment_count(const Scene& scene) {
  int count = 0;
  for (const Rod& rod : scene.rods) count += rod.segments;
  return count;
}

}  // namespace writhe::study
