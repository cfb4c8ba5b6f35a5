// A rod, straight between two pins, hangs ever deeper as one pin is carried in, until both are at one point. From a limp cord,
// close to a catenary, to a rod that its stiffness holds up: what is found is equilibrium alone, without stepping in time, along
// a path that starts stretched straight and ends in a loop.
#include <utility>

#include <fmt/format.h>

#include "../common/hanging_sag.h"
#include "../common/static_study.h"
#include "study/registry.h"

namespace writhe::experiments {

namespace {

using study::Expectation;

const std::string scene_file = "experiments/hanging-rod/scene.yaml";
constexpr double sag_tolerance = 5e-4;  // m

std::vector<Hanging> cases() {
  std::vector<Hanging> out;
  for (const auto& [radius_mm, young_mpa] : {std::pair{2, 1}, {6, 1}, {8, 50}, {3, 1}})
    for (const int distance_cm : {75, 50, 25, 0}) out.push_back({radius_mm, young_mpa, distance_cm});
  return out;
}

double solved_sag(const Hanging& c) {
  const Equilibrated rod =
      equilibrate(scene_file, {fmt::format("sections.round.circle.radius={}e-3", c.radius_mm),
                               fmt::format("materials.rubber.young={}e6", c.young_mpa),
                               fmt::format("supports[1].motion.translate[1]=[1, [{}, 0, 0]]", 0.01 * c.distance_cm - 1)});
  const std::vector<Vec3>& x = rod.statics.state().x;
  return x[x.size() / 2].z - x.front().z;
}

void perform(study::Result& result, const study::Context& context) {
  for (const Hanging& c : cases()) result.expect(c.key(), Expectation::within(reference_sag(c), sag_tolerance, sag_source()));
  result.notes = {
      "sag: height of the middle above the pins at 100 segments; r: radius in mm, E: MPa, d: distance of the pins in cm"};
  for (const Hanging& c : cases()) {
    context.progress(c.key());
    result.measure(c.key(), solved_sag(c));
  }
}

}  // namespace

study::Experiment hanging_rod() {
  return {"hanging-rod", "Rod hanging between two pins at the same height",
          "heavy elastica as a boundary value problem; setting as in Soler, Martin and Sorkine-Hornung, Cosserat Rods with "
          "Projective Dynamics, Figs. 7, 9 and 11",
          false, perform};
}

}  // namespace writhe::experiments
