// How tall can a column be? A straight rod stands upright on a clamp while gravity grows: at the load number 7.837 its upright
// equilibrium turns unstable, in every direction alike. The threshold is where the Hessian gets its first negative eigenvalues,
// so nothing need fall over and no growth rate be fitted; that it is approached in second order is shown on three meshes.
#include <fmt/format.h>

#include "../common/static_study.h"
#include "study/registry.h"

namespace writhe::experiments {

namespace {

using study::Expectation;

const std::string scene_file = "experiments/column-buckling/scene.yaml";
// 9/4 j^2 with j = 1.86635..., the first zero of the Bessel function J of order -1/3 (Greenhill 1881).
constexpr double critical_load_number = 7.83734744;

// rho g A L^3 / EI, with the gravity at which the column becomes unstable.
double critical_load(int segments) {
  const Equilibrated column = equilibrate(scene_file, {fmt::format("rods.rod.segments={}", segments)});
  const Model& model = column.statics.model();
  const double gravity = norm(model.scene().gravity) * model.scene().gravity_ramp.at(instability_time(column.report));
  const RodRange& rod = model.rods()[0];
  return rod.mass * gravity * rod.length * rod.length / model.joints().stiffness[0].x;
}

void perform(study::Result& result, const study::Context& context) {
  result.expect("gamma_c",
                Expectation::within_relative(critical_load_number, 5e-3, "Greenhill 1881; Timoshenko and Gere, ch. 2"));
  result.expect("order", Expectation::within(2, 0.2, "elements and clamp of second order, docs/theory/rod.md"));
  result.notes = {"gamma_c: rho g A L^3/EI at which the upright column becomes unstable, 100 segments; rho g L/E is 2e-6 there"};
  measure_refined(result, {"gamma_c", "order", critical_load_number, {25, 50, 100}}, [&](int segments) {
    context.progress(fmt::format("{} segments", segments));
    return critical_load(segments);
  });
}

}  // namespace

study::Experiment column_buckling() {
  return {"column-buckling", "Column that buckles under its own weight",
          "Greenhill 1881; Timoshenko and Gere, Theory of Elastic Stability, ch. 2", false, perform};
}

}  // namespace writhe::experiments
