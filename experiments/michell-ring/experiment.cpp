// Michell's ring: a straight rod bent into a ring and closed with a twist stays flat up to the twist 2 pi sqrt(3) EI/GJ, then
// leaves its plane. The flat ring is found and followed as its closing angle grows; the threshold is where it becomes unstable.
//
// The ring is free: six rigid motions and the spin of all sections about the centreline cost nothing, and must not be counted.
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "../common/illustrate.h"
#include "../common/static_study.h"
#include "study/registry.h"

namespace writhe::experiments::michell_ring {

namespace {

using study::Expectation;

const std::string scene_file = "experiments/michell-ring/scene.yaml";

struct Ratio {
  const char* label;  // in the keys
  double GJ_over_EI;
  double exact() const { return 2 * std::numbers::pi * std::numbers::sqrt3 / GJ_over_EI; }  // rad
};
constexpr Ratio ratios[] = {{"0.5", 0.5}, {"0.667", 2.0 / 3}, {"1", 1}, {"1.5", 1.5}};

Equilibrated flat_ring(double GJ_over_EI, int segments, std::optional<double> until = {}) {
  StaticOptions options;
  options.first_step = options.longest_step = 0.05;
  options.until = until;
  return equilibrate(scene_file,
                     {fmt::format("sections.round.stiffness.GJ={}", GJ_over_EI), fmt::format("rods.ring.segments={}", segments),
                      fmt::format("rods.ring.closing_motion[1]=[1, {} turns]", 2 / GJ_over_EI)},
                     options);
}

// Closing angle at which the flat ring becomes unstable, rad.
double twist_at_instability(double GJ_over_EI, int segments) {
  const Equilibrated ring = flat_ring(GJ_over_EI, segments);
  return ring.statics.model().scene().rods[0].closing_motion.at(instability_time(ring.report), Easing::linear);
}

// ---- what is shown -------------------------------------------------------------------------------------------------------
// The threshold over the ratio of stiffnesses, as Fig. 8 of Bergou and others, Discrete Elastic Rods, 2008, has it.
study::Plot threshold_plot(const Points& found) {
  Points exact;
  for (int k = 0; k <= 60; ++k) {
    const double ratio = 0.4 + 0.02 * k;
    exact.emplace_back(ratio, Ratio{"", ratio}.exact());
  }
  return {.title = "Twist at which the flat ring becomes unstable, 100 segments",
          .x = {"GJ/EI"},
          .y = {"closing angle, rad"},
          .series = {marks("found", found), dashed("2 pi sqrt(3) EI/GJ, Michell", exact)}};
}

// The way in which the ring leaves its plane: its lowest mode at the critical twist, GJ = EI. Where it would end is not shown: it
// would pass through itself.
void show_mode(study::Result& result) {
  constexpr int segments = 50;
  const double time = instability_time(flat_ring(1, segments).report);
  const Statics critical = flat_ring(1, segments, time).statics;
  const double length = critical.model().rods()[0].length;
  const State buckled = displaced(critical.state(), critical.modes(1).front(), 0.05 * length);
  Points out_of_plane;
  for (int k = 0; k <= segments; ++k)
    out_of_plane.emplace_back(static_cast<double>(k) / segments, buckled.x[critical.model().node_of(0, k)].z / length);
  result.plots.push_back({.title = "How the flat ring gives way: its lowest mode at the critical twist, GJ = EI",
                          .x = {"along the ring / length"},
                          .y = {"out of the plane / length, scaled to 0.05"},
                          .series = {line("z", out_of_plane)}});
  draw(result, "Lowest mode at the critical twist, scaled to a twentieth of the length", critical.model(), buckled);
}

void perform(study::Result& result, const study::Context& context) {
  for (const Ratio& ratio : ratios) {
    result.expect(fmt::format("theta_c_{}", ratio.label),
                  Expectation::within_relative(ratio.exact(), 1e-2, "2 pi sqrt(3) EI/GJ, Michell 1889; Zajac 1962"));
    result.expect(fmt::format("order_{}", ratio.label),
                  Expectation::within(2, 0.2, "elements of second order, docs/theory/rod.md"));
  }
  result.notes = {"theta_c: twist at which the flat ring becomes unstable, 100 segments, by GJ/EI"};
  Points found;
  std::vector<study::Series> errors;
  for (const Ratio& ratio : ratios) {
    const Refinement refinement{
        fmt::format("theta_c_{}", ratio.label), fmt::format("order_{}", ratio.label), ratio.exact(), {25, 50, 100}};
    const auto threshold = [&](int segments) {
      context.progress(fmt::format("GJ/EI = {}, {} segments", ratio.label, segments));
      return twist_at_instability(ratio.GJ_over_EI, segments);
    };
    errors.push_back(
        over_meshes(fmt::format("GJ/EI = {}", ratio.label), refinement.segments, measure_refined(result, refinement, threshold)));
    found.emplace_back(ratio.GJ_over_EI, result.find(refinement.key).value());
  }
  result.plots = {threshold_plot(found), error_plot("Convergence of the critical twist", "relative error", std::move(errors), 2)};
  show_mode(result);
}

}  // namespace

study::Experiment experiment() {
  return {"michell-ring",
          "Ring that leaves its plane when it is twisted",
          "Michell 1889; Zajac, J. Appl. Mech. 29 (1962); Bergou and others, Discrete Elastic Rods, Fig. 8",
          false,
          perform,
          {"der:fig8"}};
}

}  // namespace writhe::experiments::michell_ring
