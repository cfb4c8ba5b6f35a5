// A straight rod is twisted by many turns; as its clamps are brought together it buckles into a helix whose amplitude is largest
// in the middle and dies out towards the ends. Measured is how far the tangent deviates from the line through the clamps at most.
//
// The rod starts straight, twisted and stretched, where it is just unstable, and is followed (`perturb`) along its lowest mode,
// whose amplitude is largest in the middle: the buckle starts there. What is followed is a local minimum; others,
// where the rod passes through itself, are not looked for.
//
// Where the buckle sits costs next to nothing: the ends are twelve decay lengths away, and on an even mesh it may rest anywhere
// near the middle. Its shape does not depend on that. With one half twice as fine it does cost: for the same shortening a coarse
// mesh pulls less at its clamps, has therefore given off less energy, and so the buckle slides to the fine half until the clamp
// there repels it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../common/static_study.h"
#include "base/embedded.h"
#include "study/registry.h"

namespace writhe::experiments {

namespace {

using study::Expectation;

const std::string folder = "experiments/helical-buckling/";
const std::vector<int> meshes{75, 150, 300, 600};
constexpr int coarse_half = 100;  // segments of the coarse half; the other has twice as many

struct Deviation {
  double largest = 0;   // rad, of the tangent from x
  double position = 0;  // where, of the rod's length
};

// A segment has the direction of its middle. The largest deviation is at the vertex of the parabola through the cosines of the
// most inclined segment and its neighbours.
Deviation largest_deviation(const Model& model, const State& state) {
  const Segments& segments = model.segments();
  std::vector<double> cosine, middle;
  double length = 0;  // m, of the segments before
  for (int i = 0; i < model.segment_count(); ++i) {
    const Vec3 along = normalized(state.x[segments.node1[i]] - state.x[segments.node0[i]]);
    cosine.push_back(along.x);
    middle.push_back(length + segments.length[i] / 2);
    length += segments.length[i];
  }
  const auto k = std::min_element(cosine.begin() + 1, cosine.end() - 1) - cosine.begin();
  const double slope = (cosine[k] - cosine[k - 1]) / (middle[k] - middle[k - 1]);
  const double next_slope = (cosine[k + 1] - cosine[k]) / (middle[k + 1] - middle[k]);
  const double bend = (next_slope - slope) / (middle[k + 1] - middle[k - 1]);
  const double at = 0.5 * (middle[k - 1] + middle[k]) - slope / (2 * bend);
  const double vertex = cosine[k] + (at - middle[k]) * (slope + bend * (at - middle[k - 1]));
  return {std::acos(vertex), at / length};
}

StaticOptions followed_to_the_buckle() {
  StaticOptions options;
  options.perturb = true;
  options.tolerance = 1e-6;       // less moves the buckle along the rod and changes nothing else
  options.max_iterations = 3000;  // the way down from the straight rod is long and flat
  options.first_step = 1e-3;
  return options;
}

Statics buckled(const std::string& scene, const std::vector<std::string>& overrides) {
  return equilibrate(folder + scene, overrides, followed_to_the_buckle()).statics;
}

void measure_even(study::Result& result, int segments) {
  const Statics statics = buckled("scene.yaml", {fmt::format("rods.rod.segments={}", segments)});
  result.measure(fmt::format("phi_max_{}", segments), largest_deviation(statics.model(), statics.state()).largest);
  if (segments < meshes.back()) return;
  const double length = statics.model().rods()[0].length, bending = statics.model().joints().stiffness[0].x;
  const Reaction at_end = statics.reactions()[1];
  result.measure("tension", at_end.force.x * length * length / bending);
  result.measure("torque", at_end.moment.x * length / bending);
}

void measure_graded(study::Result& result) {
  const Statics statics = buckled("graded.yaml", {fmt::format("rods.fine.segments={}", 2 * coarse_half),
                                                  fmt::format("rods.coarse.segments={}", coarse_half)});
  const Deviation deviation = largest_deviation(statics.model(), statics.state());
  result.measure("phi_max_graded", deviation.largest);
  result.measure("position_graded", deviation.position);
  result.measure("unstable_motions_graded", statics.stability().negative);
}

void perform(study::Result& result, const study::Context& context) {
  const auto reference = nlohmann::json::parse(embedded_file(folder + "reference.json"));
  const std::string source = "van der Heijden and Thompson 2000, " + folder + "reference.py";
  const auto expect = [&](const char* key, const char* entry, double tolerance) {
    result.expect(key, Expectation::within_relative(reference.at(entry).get<double>(), tolerance, source));
  };
  for (const char* key : {"phi_max_300", "phi_max_600", "phi_max_graded"}) expect(key, "phi_max", 1e-2);
  expect("tension", "tension", 5e-3);
  expect("torque", "torque", 5e-3);
  result.expect("position_graded", Expectation::at_most(0.5, "the fine half, where the energy is less"));
  result.expect("unstable_motions_graded", Expectation::at_most(0, "a rest that is not passing"));
  result.notes = {
      "phi_max: largest angle of the tangent with the line through the clamps, by segments; tension over B/L^2 and torque over "
      "B/L with 600",
      "graded: 200 segments in the first half, 100 in the second, joined; position: where the deviation is largest"};
  for (const int segments : meshes) {
    context.progress(fmt::format("{} segments", segments));
    measure_even(result, segments);
  }
  context.progress("one half twice as fine");
  measure_graded(result);
}

}  // namespace

study::Experiment helical_buckling() {
  return {"helical-buckling", "Twisted rod that buckles into a localised helix",
          "Bergou and others, Discrete Elastic Rods, Fig. 7; van der Heijden and Thompson, Nonlinear Dynamics 21 (2000)", false,
          perform};
}

}  // namespace writhe::experiments
