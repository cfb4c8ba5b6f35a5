// A cantilever bent by a dead force at its end, up to a tip that points almost along the force: the classical test of large
// deflections. Equilibrium is found without time stepping; on finer meshes the tip comes to the elliptic integrals in second
// order.
//
// The reference rod neither stretches nor shears. This one has radius/length 0.001: P/EA is up to 2.5e-6 and P/GA up to 7.5e-6,
// which moves the tip by 3e-6 of the length, a tenth of what 160 segments err. The order, read from the distance to the elliptic
// integrals, comes out lower for it: 1.92, where a rod a hundred times stiffer in both shows 1.97.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "../common/static_study.h"
#include "study/convergence.h"
#include "study/registry.h"

namespace writhe::experiments::cantilever_tip_load {

namespace {

using study::Expectation;

const std::string folder = "experiments/cantilever-tip-load/";
const std::vector<int> load_numbers{1, 2, 5, 10};
const std::vector<int> meshes{20, 40, 80, 160};
constexpr int stated_mesh = 80;  // on which the tip is compared

struct Tip {
  double w = 0, u = 0;  // rod lengths: deflection along the force, and how far the tip has come back
};

Tip reference_tip(int load_number) {
  const auto json = embedded_reference(folder + "reference.json").at(std::to_string(load_number));
  return {json.at("w").get<double>(), json.at("u").get<double>()};
}

Tip solved_tip(int load_number, int segments) {
  const Equilibrated rod = equilibrate(folder + "scene.yaml", {fmt::format("loads[0].force=[0, 0, {}]", -load_number),
                                                               fmt::format("rods.rod.segments={}", segments)});
  const Vec3 tip = rod.statics.state().x.back() / rod.statics.model().rods()[0].length;
  return {-tip.z, 1 - tip.x};
}

// The load grows to the largest one over a second, with keys at the others: the states in between, and those at the loads.
struct Loading {
  std::vector<State> states, at_loads;
};

Loading loading() {
  const double most = load_numbers.back();
  std::string ramp = "loads[0].ramp=[[0, 0]";
  std::vector<double> times;
  for (const int load_number : load_numbers) {
    times.push_back(load_number / most);
    ramp += fmt::format(", [{0}, {0}]", times.back());
  }
  Loading out;
  Snapshots at_loads(times);
  Watch all([&](const Model&, const State& state) {
    out.states.push_back(state);
    at_loads.take(state);
  });
  StaticOptions options;
  options.first_step = options.longest_step = 0.025;
  equilibrate(folder + "scene.yaml", {fmt::format("loads[0].force=[0, 0, {}]", -most), ramp + "]"}, options, &all);
  out.at_loads = at_loads.states();
  return out;
}

void illustrate(study::Result& result, std::vector<study::Series> errors) {
  const Loading path = loading();
  Points w, u, w_exact, u_exact, tips;
  for (const State& state : path.states) {
    const double load_number = load_numbers.back() * state.time;
    w.emplace_back(load_number, -state.x.back().z);  // the length is 1 m
    u.emplace_back(load_number, 1 - state.x.back().x);
  }
  for (const int load_number : load_numbers) {
    const Tip exact = reference_tip(load_number);
    w_exact.emplace_back(load_number, exact.w);
    u_exact.emplace_back(load_number, exact.u);
    tips.emplace_back(1 - exact.u, -exact.w);
  }
  result.plots.push_back({.title = "Tip over the load, 80 segments",
                          .x = {"load number P L^2/EI"},
                          .y = {"displacement / length"},
                          .series = {line("w, along the force", w), marks("w, elliptic integrals", w_exact),
                                     line("u, back towards the clamp", u), marks("u, elliptic integrals", u_exact)}});
  study::Plot shapes = shape_plot("Shapes", "x / length", "z / length");
  for (std::size_t i = 0; i < path.at_loads.size(); ++i)
    shapes.series.push_back(line(fmt::format("P L^2/EI = {}", load_numbers[i]), shape_xz(path.at_loads[i].x)));
  shapes.series.push_back(marks("tip, elliptic integrals", tips));
  result.plots.push_back(std::move(shapes));
  result.plots.push_back(error_plot("Convergence of the tip", "distance from the reference / length", std::move(errors), 2));
  draw(result, "P L^2/EI = 1, 2, 5 and 10 at t = 0.1, 0.2, 0.5 and 1 s", Model(embedded_scene(folder + "scene.yaml")),
       path.at_loads);
}

void perform(study::Result& result, const study::Context& context) {
  for (const int load_number : load_numbers) {
    const Tip reference = reference_tip(load_number);
    const std::string source = "elliptic integrals, " + folder + "reference.py";
    result.expect(fmt::format("w_{}", load_number), Expectation::within(reference.w, 1e-3, source));
    result.expect(fmt::format("u_{}", load_number), Expectation::within(reference.u, 1e-3, source));
  }
  result.expect("order", Expectation::at_least(1.8, "elements and clamp of second order, docs/theory/rod.md"));
  result.notes = {
      "w: deflection, u: shortening of the reach, at 80 segments; order: the lowest of the four loads, over 40, 80 and "
      "160 segments, in the distance to the inextensible rod"};

  std::vector<study::Series> plotted;
  double lowest_order = std::numeric_limits<double>::infinity();
  for (const int load_number : load_numbers) {
    const Tip reference = reference_tip(load_number);
    std::vector<double> resolutions, errors;
    for (const int segments : meshes) {
      context.progress(fmt::format("PL^2/EI = {}, {} segments", load_number, segments));
      const Tip tip = solved_tip(load_number, segments);
      resolutions.push_back(segments);
      errors.push_back(std::hypot(tip.w - reference.w, tip.u - reference.u));
      result.measure(fmt::format("error_{}_n{}", load_number, segments), errors.back());
      if (segments != stated_mesh) continue;
      result.measure(fmt::format("w_{}", load_number), tip.w);
      result.measure(fmt::format("u_{}", load_number), tip.u);
    }
    lowest_order = std::min(lowest_order, study::convergence_order(std::span(resolutions).last(3), std::span(errors).last(3)));
    plotted.push_back(over_meshes(fmt::format("P L^2/EI = {}", load_number), meshes, errors));
  }
  result.measure("order", lowest_order);
  illustrate(result, std::move(plotted));
}

}  // namespace

study::Experiment experiment() {
  return {"cantilever-tip-load", "Cantilever with a dead force at its end, PL^2/EI = 1, 2, 5, 10",
          "elastica by elliptic integrals; table of Mattiasson, Int. J. Numer. Methods Eng. 17 (1981)", false, perform};
}

}  // namespace writhe::experiments::cantilever_tip_load
