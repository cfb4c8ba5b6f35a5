// Greenhill's shaft: a straight rod clamped at both ends and free of tension buckles when the torque reaches 8.9868 EI/L. One
// clamp is turned, the other's moment measured where the straight equilibrium becomes unstable.
#include <cmath>

#include <fmt/format.h>

#include "../common/static_study.h"
#include "study/registry.h"

namespace writhe::experiments {

namespace {

using study::Expectation;

const std::string scene_file = "experiments/greenhill/scene.yaml";
constexpr double critical_moment = 8.98681892;  // EI/L: twice the first root above zero of tan(x) = x

StaticOptions in_short_steps() {
  StaticOptions options;
  options.first_step = options.longest_step = 0.05;  // an eighth of a turn
  return options;
}

// Torque (EI/L) at which the straight rod becomes unstable.
double moment_at_instability(int segments) {
  const std::vector<std::string> overrides{fmt::format("rods.rod.segments={}", segments)};
  StaticOptions options = in_short_steps();
  options.until = instability_time(equilibrate(scene_file, overrides, options).report);
  const Equilibrated there = equilibrate(scene_file, overrides, options);
  const Model& model = there.statics.model();
  return std::abs(there.statics.reactions()[0].moment.x) * model.rods()[0].length / model.joints().stiffness[0].x;
}

void perform(study::Result& result, const study::Context& context) {
  result.expect("moment_over_EI_L", Expectation::within_relative(critical_moment, 5e-3, "Greenhill 1883, clamped ends"));
  result.expect("order", Expectation::within(2, 0.2, "elements and clamp of second order, docs/theory/rod.md"));
  result.notes = {
      "moment_over_EI_L: torque at which the straight rod becomes unstable, 100 segments; one clamp slides along the rod"};
  measure_refined(result, {"moment_over_EI_L", "order", critical_moment, {25, 50, 100}}, [&](int segments) {
    context.progress(fmt::format("{} segments", segments));
    return moment_at_instability(segments);
  });
}

}  // namespace

study::Experiment greenhill() {
  return {"greenhill", "Straight rod that buckles under torque",
          "Greenhill 1883; Timoshenko and Gere, Theory of Elastic Stability, ch. 2", false, perform};
}

}  // namespace writhe::experiments
