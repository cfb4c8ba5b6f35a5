// How tall can a column be? A straight rod stands upright on a clamp while gravity grows: at the load number 7.837 its upright
// equilibrium turns unstable, in every direction alike. The threshold is where the Hessian gets its first negative eigenvalues,
// so nothing need fall over and no growth rate be fitted; that it is approached in second order is shown on three meshes.
#include <cmath>

#include <fmt/format.h>

#include "../common/illustrate.h"
#include "../common/static_study.h"
#include "study/registry.h"

namespace writhe::experiments::column_buckling {

namespace {

using study::Expectation;

const std::string scene_file = "experiments/column-buckling/scene.yaml";
// 9/4 j^2 with j = 1.86635..., the first zero of the Bessel function J of order -1/3 (Greenhill 1881).
constexpr double critical_load_number = 7.83734744;

// rho g A L^3 / EI, with the gravity of that time.
double load_number(const Model& model, double time) {
  const double gravity = norm(model.scene().gravity) * model.scene().gravity_ramp.at(time);
  const RodRange& rod = model.rods()[0];
  return rod.mass * gravity * rod.length * rod.length / model.joints().stiffness[0].x;
}

// At which the column becomes unstable.
double critical_load(int segments) {
  const Equilibrated column = equilibrate(scene_file, {fmt::format("rods.rod.segments={}", segments)});
  return load_number(column.statics.model(), instability_time(column.report));
}

// What the column does beyond: it is left along its lowest mode.
void illustrate(study::Result& result, study::Series errors) {
  StaticOptions options;
  options.perturb = true;
  options.longest_step = 0.02;
  Points height, sideways;
  Snapshots shapes({0.5, 0.6, 0.7, 0.85, 1});
  Watch path([&](const Model& model, const State& state) {
    const double load = load_number(model, state.time), length = model.rods()[0].length;
    height.emplace_back(load, state.x.back().z / length);
    sideways.emplace_back(load, std::hypot(state.x.back().x, state.x.back().y) / length);
    shapes.take(state);
  });
  const Equilibrated column = equilibrate(scene_file, {"rods.rod.segments=50"}, options, &path);
  result.plots.push_back(
      {.title = "Tip of the column while gravity grows, 50 segments",
       .x = {"load number rho g A L^3/EI"},
       .y = {"tip / length"},
       .series = {line("height", height), line("sideways", sideways),
                  dashed("unstable from here, Greenhill", {{critical_load_number, 0}, {critical_load_number, 1}})}});
  result.plots.push_back(error_plot("Convergence of the critical load number", "relative error", {std::move(errors)}, 2));
  draw(result, "Gravity grows from none to ten times its usual size within 1 s", column.statics.model(), shapes.states());
}

void perform(study::Result& result, const study::Context& context) {
  result.expect("gamma_c",
                Expectation::within_relative(critical_load_number, 5e-3, "Greenhill 1881; Timoshenko and Gere, ch. 2"));
  result.expect("order", Expectation::within(2, 0.2, "elements and clamp of second order, docs/theory/rod.md"));
  result.notes = {"gamma_c: rho g A L^3/EI at which the upright column becomes unstable, 100 segments; rho g L/E is 2e-6 there"};
  const Refinement refinement{"gamma_c", "order", critical_load_number, {25, 50, 100}};
  const std::vector<double> errors = measure_refined(result, refinement, [&](int segments) {
    context.progress(fmt::format("{} segments", segments));
    return critical_load(segments);
  });
  illustrate(result, over_meshes("load number", refinement.segments, errors));
}

}  // namespace

study::Experiment experiment() {
  return {"column-buckling", "Column that buckles under its own weight",
          "Greenhill 1881; Timoshenko and Gere, Theory of Elastic Stability, ch. 2", false, perform};
}

}  // namespace writhe::experiments::column_buckling
