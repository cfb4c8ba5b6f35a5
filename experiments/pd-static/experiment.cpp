// A rod straight between two pins hangs as one of them is carried in, and comes to rest with 2, 10 and 100 iterations a step:
// where it rests must not depend on them. A step that has used up its few iterations leaves something for the next ones; at rest
// nothing is left.
#include <algorithm>

#include <fmt/format.h>

#include "../common/hanging_sag.h"
#include "../common/method_study.h"
#include "study/registry.h"

namespace writhe::experiments {

namespace {

using study::Expectation;

const std::string scene_file = "experiments/pd-static/scene.yaml";
constexpr int budgets[] = {2, 10, 100};
constexpr Hanging rods[] = {{3, 1, 50}, {3, 1, 25}};
constexpr double tolerance = 1e-9;

std::string key(const Hanging& rod, int iterations) { return fmt::format("sag_d{}_it{}_m", rod.distance_cm, iterations); }
std::string spread_key(const Hanging& rod) { return fmt::format("spread_d{}_m", rod.distance_cm); }

double settled_sag(const Hanging& rod, int iterations) {
  const std::vector<Vec3> x =
      settled_shape(start(scene_file, pd_method(tolerance, iterations),
                          {fmt::format("supports[0].motion.translate[1]=[1, [{}, 0, 0]]", 1 - 0.01 * rod.distance_cm)}));
  return x[x.size() / 2].z - x.front().z;
}

void perform(study::Result& result, const study::Context& context) {
  for (const Hanging& rod : rods) {
    for (const int iterations : budgets)
      result.expect(key(rod, iterations), Expectation::within(reference_sag(rod), 1e-3, sag_source()));
    result.expect(spread_key(rod), Expectation::at_most(1e-6, "at rest the iterations of a step no longer matter"));
  }
  result.notes = {
      "sag: height of the middle above the pins at 100 segments, after settling with 2, 10 and 100 iterations a step of 1 ms; d: "
      "distance of the pins in cm; spread: between the highest and the lowest of the three"};
  for (const Hanging& rod : rods) {
    std::vector<double> sags;
    for (const int iterations : budgets) {
      context.progress(key(rod, iterations));
      sags.push_back(settled_sag(rod, iterations));
      result.measure(key(rod, iterations), sags.back());
    }
    const auto [lowest, highest] = std::minmax_element(sags.begin(), sags.end());
    result.measure(spread_key(rod), *highest - *lowest);
  }
}

}  // namespace

study::Experiment pd_static() {
  return {"pd-static", "Rod hanging between two pins, settled with few and with many iterations a step",
          "Soler, Martin and Sorkine-Hornung, Cosserat Rods with Projective Dynamics, Fig. 9", false, perform};
}

}  // namespace writhe::experiments
