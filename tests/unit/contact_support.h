// Rods for the tests of contact: a scene says how many, how long and how thick; where their nodes are is up to the test.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include "contact/contact_term.h"
#include "math/rotation.h"
#include "writhe/writhe.h"

namespace writhe::test {

struct Hose {
  int segments = 8;
  double length = 8, radius = 1;  // m
  bool closed = false;
  std::vector<std::pair<double, double>> taper{};
};

// All rods touch each other and themselves, with a stiffness of 1 N/m^2; far from each other as built.
inline Scene hoses(const std::vector<Hose>& all) {
  Scene scene;
  scene.gravity = {};
  scene.materials = {{"rubber", 1e6, 1000, 0.5, {}}};
  for (const Hose& hose : all) {
    const std::string name = "rod" + std::to_string(scene.rods.size());
    scene.sections.push_back({name, CircleSection{hose.radius}});
    Rod rod;
    rod.name = rod.section = name;
    rod.material = "rubber";
    const double y = 1e3 * static_cast<double>(scene.rods.size());
    if (hose.closed)
      rod.centreline = RingShape{{0, y, 0}, {0, 0, 1}, {1, 0, 0}, hose.length / (2 * pi)};
    else
      rod.centreline = LineShape{{0, y, 0}, {hose.length, y, 0}};
    rod.segments = hose.segments;
    rod.taper = hose.taper;
    scene.rods.push_back(rod);
  }
  scene.contact = {true, Contact::Between::all, {}, {}, 1.0};
  return scene;
}

// Nodes of a rod at even parts of a curve over [0, 1].
inline void lay(const Model& model, State& state, int rod, const std::function<Vec3(double)>& curve) {
  const int n = model.rods()[rod].segment_count;
  for (int k = 0; k < n + (model.rods()[rod].closed ? 0 : 1); ++k)
    state.x[model.node_of(rod, k)] = curve(static_cast<double>(k) / n);
}
inline void lay_straight(const Model& model, State& state, int rod, const Vec3& from, const Vec3& to) {
  lay(model, state, rod, [&](double t) { return from + t * (to - from); });
}

inline double component(const Vec3& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }
inline double& component(Vec3& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

inline State shaken(State state, double by, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> shift(-by, by);
  for (Vec3& x : state.x) x += Vec3{shift(random), shift(random), shift(random)};
  return state;
}

inline Eigen::MatrixXd full_hessian(const Term& term, int element, const State& at, Curvature curvature) {
  const auto count = static_cast<int>(term.dofs(element).size());
  std::array<Mat3, Term::most_pairs> pairs;
  term.hessian(element, at, curvature, pairs);
  Eigen::MatrixXd out(3 * count, 3 * count);
  for (int i = 0, p = 0; i < count; ++i)
    for (int j = 0; j <= i; ++j, ++p) {
      const Vec3 rows[3] = {pairs[p].r0, pairs[p].r1, pairs[p].r2};
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          out(3 * i + r, 3 * j + c) = component(rows[r], c);
          if (i != j) out(3 * j + c, 3 * i + r) = component(rows[r], c);
        }
    }
  return out;
}

}  // namespace writhe::test
