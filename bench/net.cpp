// Nets, for which `newton` and statics factor sparsely. A grid of 100 x 100 rods: 19,800 segments, 10,000 junctions, 119,400
// unknowns; its time a Newton iteration and its memory. A star: what finding its order of elimination costs. (That a net's steps
// do not find it again is tested: they allocate nothing.)
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "apart.h"
#include "assembly/assembly.h"
#include "harness.h"
#include "linalg/signed_factor.h"
#include "math/rotation.h"
#include "rubber.h"
#include "writhe/writhe.h"

namespace writhe::bench {

namespace {

constexpr double dt = 1e-3;  // s

Scene empty_net() {
  Scene scene = rubber_scene(0.002);
  scene.dt = dt;
  return scene;
}

// 1 m x 1 m, level, one segment from junction to junction, pinned at its corners.
Scene grid(int n) {
  Scene scene = empty_net();
  for (int k = 0; k < n; ++k) {
    const double at = static_cast<double>(k) / (n - 1);
    add_rod(scene, fmt::format("along{}", k), {{0, at, 0}, {1, at, 0}}, n - 1);
    add_rod(scene, fmt::format("across{}", k), {{at, 0, 0}, {at, 1, 0}}, n - 1);
  }
  const auto node = [](const std::string& rod, int k) { return Place::parse(fmt::format("{}.node[{}]", rod, k)); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      scene.joints.push_back({"", {node(fmt::format("along{}", i), j), node(fmt::format("across{}", j), i)}});
  for (const int i : {0, n - 1})
    for (const int j : {0, n - 1}) add_support(scene, Support::Kind::pin, node(fmt::format("along{}", i), j));
  return scene;
}

// Three arms of 1 m, level, pinned at their far ends.
Scene star(int segments) {
  Scene scene = empty_net();
  Junction centre;
  for (int k = 0; k < 3; ++k) {
    const std::string name = fmt::format("arm{}", k);
    const double angle = 2 * pi * k / 3;
    add_rod(scene, name, {{0, 0, 0}, {std::cos(angle), std::sin(angle), 0}}, segments);
    centre.places.push_back(Place::parse(name + ".start"));
    add_support(scene, Support::Kind::pin, Place::parse(name + ".end"));
  }
  scene.joints = {centre};
  return scene;
}

double seconds_an_iteration(Simulation& simulation) {
  const double start = cpu_seconds();
  const StepReport report = simulation.step(dt);
  const double seconds = cpu_seconds() - start;
  if (!report.accepted()) throw std::runtime_error("net: " + report.cause);
  if (report.iterations == 0) throw std::runtime_error("net: a step without an iteration tells nothing");
  return seconds / report.iterations;
}

void add_large_grid(std::vector<Row>& rows, const Yardstick& yardstick) {
  const Scene scene = grid(100);
  const double built = median_of(9, [&scene] {
    const double start = cpu_seconds();
    const Model model(scene);
    return cpu_seconds() - start;
  });
  rows.push_back({"grid_100x100_model", built, "s", 0, ""});
  const Model model(scene);
  const double start = cpu_seconds();
  Simulation simulation{model, {.threads = 1}};
  rows.push_back({"grid_100x100_set_up", cpu_seconds() - start, "s", 0, ""});
  rows.push_back({"grid_100x100_iteration", median_of(5, [&] { return seconds_an_iteration(simulation); }), "s",
                  5 * yardstick.slowness(), "5 s on a core with yardstick 25.1 ms"});
  rows.push_back({"grid_100x100_memory", peak_memory_mb(), "MB", 2000, "2 GB, the whole process"});
}

double seconds_to_sag(const Model& model) {
  const double start = cpu_seconds();
  Statics statics{model};
  const StaticReport report = statics.solve();
  if (!report.converged()) throw std::runtime_error("net: " + report.cause);
  return cpu_seconds() - start;
}

// What finding the order of elimination and the shape of the factors takes, which is done once: over a whole iteration.
double symbolic_over_iteration(const Model& model) {
  const linalg::BlockMatrix pattern = assembly::Assembly(model).matrix();
  const double symbolic = median_of(5, [&] {
    const double start = cpu_seconds();
    const linalg::SignedFactor factor(pattern);
    return cpu_seconds() - start;
  });
  Simulation simulation{model, {.threads = 1}};
  return symbolic / median_of(9, [&] { return seconds_an_iteration(simulation); });
}

}  // namespace

std::vector<Row> net(const Yardstick& yardstick) {
  std::vector<Row> rows;
  add_large_grid(rows, yardstick);
  const Model small(grid(20));
  rows.push_back({"grid_20x20_static", median_of(3, [&] { return seconds_to_sag(small); }), "s", 0, ""});
  rows.push_back({"star_symbolic_over_iteration", symbolic_over_iteration(Model(star(6000))), "", 0, ""});
  return rows;
}

}  // namespace writhe::bench
