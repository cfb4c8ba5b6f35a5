// Greenhill's shaft: a straight rod clamped at both ends and free of tension buckles when the torque reaches 8.9868 EI/L. One
// clamp is turned, the other's moment measured where the straight equilibrium becomes unstable.
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "../common/illustrate.h"
#include "../common/static_study.h"
#include "study/registry.h"

namespace writhe::experiments::greenhill {

namespace {

using study::Expectation;

const std::string scene_file = "experiments/greenhill/scene.yaml";
constexpr double critical_moment = 8.98681892;  // EI/L: twice the first root above zero of tan(x) = x

StaticOptions in_short_steps() {
  StaticOptions options;
  options.first_step = options.longest_step = 0.05;  // an eighth of a turn
  return options;
}

// EI/L
double torque_of(const Statics& statics) {
  const Model& model = statics.model();
  return std::abs(statics.reactions()[0].moment.x) * model.rods()[0].length / model.joints().stiffness[0].x;
}

Statics at_instability(int segments) {
  const std::vector<std::string> overrides{fmt::format("rods.rod.segments={}", segments)};
  StaticOptions options = in_short_steps();
  options.until = instability_time(equilibrate(scene_file, overrides, options).report);
  return equilibrate(scene_file, overrides, options).statics;
}

void illustrate(study::Result& result, const Statics& critical, study::Series errors) {
  const double length = critical.model().rods()[0].length;
  const State buckled = displaced(critical.state(), critical.modes(1).front(), 0.1 * length);
  Points y, z;
  for (const Vec3& x : buckled.x) {
    y.emplace_back(x.x / length, x.y / length);
    z.emplace_back(x.x / length, x.z / length);
  }
  result.plots.push_back({.title = "How the straight rod gives way: its lowest mode at the critical torque",
                          .x = {"x / length"},
                          .y = {"displacement / length, scaled to 0.1"},
                          .series = {line("y", y), line("z", z)}});
  result.plots.push_back(error_plot("Convergence of the critical torque", "relative error", {std::move(errors)}, 2));
  draw(result, "Lowest mode at the critical torque, scaled to a tenth of the length", critical.model(), buckled);
}

void perform(study::Result& result, const study::Context& context) {
  result.expect("moment_over_EI_L", Expectation::within_relative(critical_moment, 5e-3, "Greenhill 1883, clamped ends"));
  result.expect("order", Expectation::within(2, 0.2, "elements and clamp of second order, docs/theory/rod.md"));
  result.notes = {
      "moment_over_EI_L: torque at which the straight rod becomes unstable, 100 segments; one clamp slides along the rod"};
  const Refinement refinement{"moment_over_EI_L", "order", critical_moment, {25, 50, 100}};
  std::optional<Statics> finest;
  const std::vector<double> errors = measure_refined(result, refinement, [&](int segments) {
    context.progress(fmt::format("{} segments", segments));
    return torque_of(finest.emplace(at_instability(segments)));
  });
  illustrate(result, *finest, over_meshes("torque", refinement.segments, errors));
}

}  // namespace

study::Experiment experiment() {
  return {"greenhill", "Straight rod that buckles under torque",
          "Greenhill 1883; Timoshenko and Gere, Theory of Elastic Stability, ch. 2", false, perform};
}

}  // namespace writhe::experiments::greenhill
