// Small scenes for tests, built in code.
#pragma once

#include <string>

#include "math/rotation.h"
#include "writhe/writhe.h"

namespace writhe::test {

// A round rod along +x from the origin, straight at rest, no gravity, no support.
struct Cord {
  double length = 1, radius = 0.005;                  // m
  double young = 1e6, poisson = 0.5, density = 1300;  // Pa, -, kg/m^3
  int segments = 20;

  double area() const { return pi * radius * radius; }
  double EI() const { return young * pi * radius * radius * radius * radius / 4; }
  double GJ() const { return young / (2 * (1 + poisson)) * pi * radius * radius * radius * radius / 2; }
  double linear_density() const { return density * area(); }

  Scene scene() const {
    Scene scene;
    scene.gravity = {0, 0, 0};
    scene.materials = {{"material", young, density, poisson, {}}};
    scene.sections = {{"section", CircleSection{radius}}};
    Rod rod;
    rod.name = "rod";
    rod.section = "section";
    rod.material = "material";
    rod.centreline = LineShape{{0, 0, 0}, {length, 0, 0}};
    rod.segments = segments;
    scene.rods = {rod};
    scene.dt = 1e-2;
    scene.solver.tolerance = 1e-11;
    return scene;
  }
};

inline void clamp(Scene& scene, const std::string& place) {
  Support support;
  support.kind = Support::Kind::clamp;
  support.at = Place::parse(place);
  scene.supports.push_back(support);
}

inline void pin(Scene& scene, const std::string& place, const std::string& axes = "xyz") {
  Support support;
  support.at = Place::parse(place);
  support.axes = axes;
  scene.supports.push_back(support);
}

template <class Kind>
void load(Scene& scene, const Kind& kind, Ramp ramp = {}) {
  scene.loads.push_back({kind, std::move(ramp)});
}

// Moments and follower forces, of which a step has no potential, out of a scene.
inline void drop_followers(Scene& scene) {
  std::erase_if(scene.loads, [](const Load& load) {
    const auto* force = std::get_if<ForceLoad>(&load.kind);
    return std::holds_alternative<MomentLoad>(load.kind) || (force && force->follower);
  });
}

inline Simulation simulate(const Scene& scene, int threads = 1) { return Simulation(Model(scene), {.threads = threads}); }

// The simulation at rest; fails the test where it does not come to rest.
Simulation settled(const Scene& scene);

}  // namespace writhe::test
