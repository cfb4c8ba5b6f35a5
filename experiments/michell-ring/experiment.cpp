// Michell's ring: a straight rod bent into a ring and closed with a twist stays flat up to the twist 2 pi sqrt(3) EI/GJ, then
// leaves its plane. The flat ring is found and followed as its closing angle grows; the threshold is where it becomes unstable.
//
// The ring is free: six rigid motions and the spin of all sections about the centreline cost nothing, and must not be counted.
#include <numbers>

#include <fmt/format.h>

#include "../common/static_study.h"
#include "study/registry.h"

namespace writhe::experiments {

namespace {

using study::Expectation;

const std::string scene_file = "experiments/michell-ring/scene.yaml";

struct Ratio {
  const char* label;  // in the keys
  double GJ_over_EI;
  double exact() const { return 2 * std::numbers::pi * std::numbers::sqrt3 / GJ_over_EI; }  // rad
};
constexpr Ratio ratios[] = {{"0.5", 0.5}, {"0.667", 2.0 / 3}, {"1", 1}, {"1.5", 1.5}};

// Closing angle at which the flat ring becomes unstable, rad.
double twist_at_instability(double GJ_over_EI, int segments) {
  StaticOptions options;
  options.first_step = options.longest_step = 0.05;
  const Equilibrated ring =
      equilibrate(scene_file,
                  {fmt::format("sections.round.stiffness.GJ={}", GJ_over_EI), fmt::format("rods.ring.segments={}", segments),
                   fmt::format("rods.ring.closing_motion[1]=[1, {} turns]", 2 / GJ_over_EI)},
                  options);
  return ring.statics.model().scene().rods[0].closing_motion.at(instability_time(ring.report), Easing::linear);
}

void perform(study::Result& result, const study::Context& context) {
  for (const Ratio& ratio : ratios) {
    result.expect(fmt::format("theta_c_{}", ratio.label),
                  Expectation::within_relative(ratio.exact(), 1e-2, "2 pi sqrt(3) EI/GJ, Michell 1889; Zajac 1962"));
    result.expect(fmt::format("order_{}", ratio.label),
                  Expectation::within(2, 0.2, "elements of second order, docs/theory/rod.md"));
  }
  result.notes = {"theta_c: twist at which the flat ring becomes unstable, 100 segments, by GJ/EI"};
  for (const Ratio& ratio : ratios) {
    const Refinement refinement{
        fmt::format("theta_c_{}", ratio.label), fmt::format("order_{}", ratio.label), ratio.exact(), {25, 50, 100}};
    measure_refined(result, refinement, [&](int segments) {
      context.progress(fmt::format("GJ/EI = {}, {} segments", ratio.label, segments));
      return twist_at_instability(ratio.GJ_over_EI, segments);
    });
  }
}

}  // namespace

study::Experiment michell_ring() {
  return {"michell-ring", "Ring that leaves its plane when it is twisted", "Michell 1889; Zajac, J. Appl. Mech. 29 (1962)", false,
          perform};
}

}  // namespace writhe::experiments
