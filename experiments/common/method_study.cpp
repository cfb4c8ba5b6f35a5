#include "method_study.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "embedded_scene.h"

namespace writhe::experiments {

namespace {

std::vector<Vec3> places(const Simulation& simulation, const std::vector<int>& nodes) {
  const Model& model = simulation.model();
  const std::size_t all = static_cast<std::size_t>(model.rods().front().segment_count) + 1;
  std::vector<Vec3> out(nodes.empty() ? all : nodes.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = simulation.state().x[model.node_of(0, nodes.empty() ? static_cast<int>(i) : nodes[i])];
  return out;
}

}  // namespace

Method newton_method(double tolerance) {
  return {"newton", {"solver.method=newton", fmt::format("solver.tolerance={}", tolerance)}};
}

Method pd_method(double tolerance, int iterations) {
  return {
      "pd",
      {"solver.method=pd", fmt::format("solver.tolerance={}", tolerance), fmt::format("solver.pd.iterations={}", iterations)}};
}

Method literal_pd_method(double tolerance, int iterations) {
  Method out = pd_method(tolerance, iterations);
  out.name = "literal";
  for (const char* setting : {"weights=published", "coupling=separate", "acceleration=none"})
    out.settings.push_back(fmt::format("solver.pd.{}", setting));
  return out;
}

Simulation start(const std::string& scene_file, const Method& method, std::vector<std::string> overrides) {
  overrides.insert(overrides.end(), method.settings.begin(), method.settings.end());
  return Simulation(Model(embedded_scene(scene_file, overrides)));
}

Path follow(Simulation simulation, double until, const std::vector<int>& nodes) {
  Path path;
  path.length = simulation.model().rods().front().length;
  const StepReport last = simulation.run(until, [&](const StepReport& report) {
    path.times.push_back(report.time);
    path.shapes.push_back(places(simulation, nodes));
    if (!report.converged) ++path.unfinished;
    return true;
  });
  if (!last.accepted()) throw stopped_at(last.time, last.cause);
  return path;
}

std::vector<double> distances(const Path& path, const Path& reference) {
  if (path.times != reference.times) throw Error("steps", fmt::format("{}", path.times.size()), "the paths have other steps");
  std::vector<double> out;
  for (std::size_t k = 0; k < path.shapes.size(); ++k)
    out.push_back(largest_distance(path.shapes[k], reference.shapes[k]) / reference.length);
  return out;
}

double largest_distance(const Path& path, const Path& reference) {
  double largest = 0;
  for (const double distance : distances(path, reference)) largest = std::max(largest, distance);
  return largest;
}

Simulation come_to_rest(Simulation simulation) {
  SettleOptions options;
  options.growth = 1;
  options.max_steps = 100'000;
  const StepReport report = simulation.settle(options);
  if (!report.accepted()) throw stopped_at(report.time, report.cause);
  return simulation;
}

std::vector<Vec3> settled_shape(Simulation simulation) { return places(come_to_rest(std::move(simulation)), {}); }

double largest_distance(const std::vector<Vec3>& shape, const std::vector<Vec3>& reference) {
  if (shape.size() != reference.size()) throw Error("nodes", fmt::format("{}", shape.size()), "the shapes have other nodes");
  double largest = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) largest = std::max(largest, norm(shape[i] - reference[i]));
  return largest;
}

}  // namespace writhe::experiments
