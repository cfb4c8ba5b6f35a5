// Loads without a potential let vibrations grow: a force that follows the end of a cantilever (Beck's column), and a moment at
// its end that is fixed in space. The load at which that begins, by `solve`; and beyond it how fast the vibration grows, by
// `solve` and in time with the midpoint rule, which neither damps nor feeds it.
//
// In time: what a knock leaves of the end's way across is, once it has grown for a while, exp(growth t) times a sinusoid. Of such
// samples, a time T apart, y[n+1] = a y[n] + b y[n-1] with b = -exp(2 growth T); a and b by least squares.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "../common/sinusoid.h"
#include "../common/static_study.h"
#include "study/registry.h"

namespace writhe::experiments::flutter {

namespace {

using study::Expectation;

const std::string folder = "experiments/flutter/";

struct Case {
  std::string key, title;
  double load;                       // over EI/L^2, or EI/L, which are 1 here
  std::vector<std::string> in_time;  // how it begins there
};

// 1/s, from the samples between these sizes.
double grown(const Samples& samples, double smallest, double largest) {
  constexpr std::size_t apart = 60;  // steps of 1 ms: a tenth of the period
  double yy = 0, yz = 0, zz = 0, xy = 0, xz = 0;
  std::size_t first = samples.value.size(), last = 0;
  for (std::size_t k = 0; k < samples.value.size(); ++k) {
    if (std::abs(samples.value[k]) > smallest && first > k) first = k;
    if (std::abs(samples.value[k]) > largest) break;
    last = k;
  }
  if (last < first + 10 * apart) throw Error("growth", "", "the vibration did not grow; give it more time");
  for (std::size_t k = first + apart; k + apart <= last; ++k) {
    const double x = samples.value[k + apart], y = samples.value[k], z = samples.value[k - apart];
    const double weight = 1 / (x * x + y * y + z * z);  // late samples are no better than early ones
    yy += weight * y * y, yz += weight * y * z, zz += weight * z * z, xy += weight * x * y, xz += weight * x * z;
  }
  const double b = (yy * xz - yz * xy) / (yy * zz - yz * yz);
  return std::log(-b) / (2 * static_cast<double>(apart) * 1e-3);
}

Samples knocked(const Case& one, study::Result& result) {
  Simulation simulation(Model(embedded_scene(folder + one.key + ".yaml", one.in_time)));
  Samples samples;
  Snapshots shapes({0, 2.5, 2.7, 2.9});
  simulation.add_sink(shapes);
  const StepReport report = simulation.run(simulation.model().scene().until, [&](const StepReport& step) {
    samples.time.push_back(step.time);
    samples.value.push_back(simulation.state().x.back().y);
    return std::abs(samples.value.back()) < 0.01;  // beyond, it is no small motion
  });
  if (!report.accepted()) throw stopped_at(report.time, report.cause);
  draw(result, one.title, simulation.model(), simulation.state());
  return samples;
}

study::Series measure(study::Result& result, const study::Context& context, const Case& one) {
  context.progress(one.title + ", equilibrium");
  const Equilibrated balanced = equilibrate(folder + one.key + ".yaml", {});
  if (balanced.report.crossings.empty()) throw Error("flutter", "", "no load at which it begins; look at the scene");
  result.measure(one.key + "_load", one.load * balanced.report.crossings.front().load);
  double growth = 0;
  for (const Mode& mode : balanced.statics.modes(6)) growth = std::max(growth, mode.growth);
  result.measure(one.key + "_growth_solve", growth);

  context.progress(one.title + ", in time");
  const Samples samples = knocked(one, result);
  const double found = grown(samples, 1e-5, 1e-3);
  result.measure(one.key + "_growth_run", found);
  result.measure(one.key + "_growth_ratio", found / growth);
  Points points;
  for (std::size_t k = 0; k < samples.time.size(); ++k)
    points.emplace_back(samples.time[k], std::max(std::abs(samples.value[k]), 1e-9));
  return line(one.title, thinned(points, 800));
}

void perform(study::Result& result, const study::Context& context) {
  result.expect("beck_load", Expectation::within_relative(20.05, 0.01, "Beck 1952, without rotary inertia"));
  result.expect("moment_load",
                Expectation::within_relative(4.478, 0.01, "shooting, without rotary inertia; between 4.44 and 4.50"));
  for (const char* key : {"beck_growth_ratio", "moment_growth_ratio"})
    result.expect(key, Expectation::within_relative(1, 0.03, "growth rate of the same scene by `writhe solve`"));
  result.notes = {
      "load: at which flutter begins, times L^2/EI (force) or L/EI (moment), 40 segments; growth (1/s) at 24 and at 5.2"};
  study::Plot plot;
  plot.title = "A knock grows";
  plot.x.label = "time (s)";
  plot.y.label = "way of the end across (m)";
  plot.y.log = true;
  plot.series.push_back(measure(result, context, {"beck", "Beck's column", 24, {}}));
  plot.series.push_back(measure(result, context,
                                {"moment",
                                 "A moment fixed in space",
                                 5.2,
                                 {"rods.rod.centreline={arc: {radius: 0.19230769230769232, angle: 5.2 rad, centre: [0, 0, "
                                  "0.19230769230769232], normal: [0, -1, 0], start: [0, 0, -1]}}",
                                  "rods.rod.rest=straight"}}));
  result.plots.push_back(std::move(plot));
}

}  // namespace

study::Experiment experiment() {
  return {"flutter", "Vibrations that grow under loads without a potential",
          "Beck 1952, Die Knicklast des einseitig eingespannten, tangential gedrückten Stabes; linear stability by `solve`",
          false, perform};
}

}  // namespace writhe::experiments::flutter
