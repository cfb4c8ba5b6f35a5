// A cord swung and twisted by its clamp, at steps of 4, 2, 1 and 0.5 ms: the error falls with the order of the integrator.
// Stopped in the middle and resumed from a checkpoint it ends with the same bits.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "simulation/checkpoint.h"
#include "study/convergence.h"
#include "study/registry.h"
#include "writhe/simulation.h"

namespace writhe::experiments::driven_clamp {

namespace {
const std::string scene_file = "experiments/driven-clamp/scene.yaml";
constexpr double every = 0.02;  // s: when the tip is looked at

Simulation cord(double dt) {
  Scene scene = embedded_scene(scene_file);
  scene.dt = dt;
  return Simulation(Model(std::move(scene)));
}

void run_to(Simulation& simulation, double time) {
  const StepReport report = simulation.run(time);
  if (!report.accepted()) throw stopped_at(report.time, report.cause);
}

// Where the tip is at every multiple of `every`, over the length of the cord.
std::vector<Vec3> tip_path(double dt) {
  Simulation simulation = cord(dt);
  const Scene& scene = simulation.model().scene();
  std::vector<Vec3> path;
  const long samples = std::lround(scene.until / every);
  for (long k = 1; k <= samples; ++k) {
    run_to(simulation, static_cast<double>(k) * every);
    path.push_back(simulation.state().x.back() / simulation.model().rods()[0].length);
  }
  return path;
}

double largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, norm(a[i] - b[i]));
  return largest;
}

// ---- what is shown -------------------------------------------------------------------------------------------------------
constexpr std::array<double, 4> ms{4, 2, 1, 0.5};

Points over_time(const std::vector<Vec3>& path, double Vec3::*component) {
  Points out;
  for (std::size_t k = 0; k < path.size(); ++k) out.emplace_back(static_cast<double>(k + 1) * every, path[k].*component);
  return out;
}

void plot_paths(study::Result& result, const std::vector<std::vector<Vec3>>& paths, const std::vector<double>& distances) {
  const std::vector<Vec3>& finest = paths.back();
  result.plots.push_back({.title = "Tip of the cord, steps of 0.5 ms",
                          .x = {"time, s"},
                          .y = {"position / length"},
                          .series = {line("x", over_time(finest, &Vec3::x)), line("y", over_time(finest, &Vec3::y)),
                                     line("z", over_time(finest, &Vec3::z))}});
  study::Plot changes = empty_plot("How far half the step moves the tip", {"time, s"}, {"distance / length", true});
  Points largest;
  for (std::size_t i = 0; i + 1 < paths.size(); ++i) {
    Points points;
    for (std::size_t k = 0; k < paths[i].size(); ++k)
      points.emplace_back(static_cast<double>(k + 1) * every, norm(paths[i][k] - paths[i + 1][k]));
    changes.series.push_back(line(fmt::format("{} ms to {} ms", ms[i], ms[i + 1]), points));
    largest.emplace_back(1000 / ms[i], distances[i]);
  }
  result.plots.push_back(std::move(changes));
  result.plots.push_back(error_plot("Order in time", "largest distance to half the step / length", {marked_line("tip", largest)},
                                    1, "steps a second"));
}

// The error at dt is twice the distance to the path at dt/2 for an integrator of first order; for any order it falls as dt does,
// so the slope of these distances is the order.
void measure_order(study::Result& result, const study::Context& context) {
  std::vector<std::vector<Vec3>> paths;
  for (const double step : ms) {
    context.progress("dt " + std::to_string(step) + " ms");
    paths.push_back(tip_path(1e-3 * step));
  }
  std::vector<double> rates, distances;
  for (std::size_t i = 0; i + 1 < paths.size(); ++i) {
    rates.push_back(1 / ms[i]);
    distances.push_back(largest_distance(paths[i], paths[i + 1]));
  }
  result.measure("change_4_2", distances[0]);
  result.measure("change_2_1", distances[1]);
  result.measure("change_1_05", distances[2]);
  result.measure("order_time", study::convergence_order(rates, distances));
  plot_paths(result, paths, distances);
}

void measure_resume(study::Result& result, const study::Context& context) {
  context.progress("interrupted and resumed");
  constexpr double dt = 1e-3;
  Simulation whole = cord(dt);
  const double until = whole.model().scene().until;
  Snapshots shapes({0, 0.4, 0.7, 1, 1.3, 1.6, 2});
  whole.add_sink(shapes);
  run_to(whole, until);
  draw(result, "Swung to one side and back, twisted by a turn", whole.model(), shapes.states());

  Simulation first = cord(dt);
  run_to(first, until / 2);
  const std::string checkpoint = first.checkpoint();
  Simulation second = cord(dt);
  second.restore(checkpoint, "checkpoint");
  run_to(second, until);
  result.measure("resume_equal", state_hash(second.state()) == state_hash(whole.state()) ? 1 : 0);
}

void perform(study::Result& result, const study::Context& context) {
  result.expect("order_time", study::Expectation::within(1, 0.1, "implicit Euler is of order 1"));
  result.expect("resume_equal", study::Expectation::within(1, 0, "a checkpoint holds all that a run needs"));
  measure_order(result, context);
  measure_resume(result, context);
}
}  // namespace

study::Experiment experiment() {
  return {"driven-clamp", "Cord swung by a rotating clamp: order in time, and resumed with the same bits",
          "order of the integrator; no reference solution needed", false, perform};
}

}  // namespace writhe::experiments::driven_clamp
