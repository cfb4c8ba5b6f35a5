// A straight rod turned at one clamp by half a turn and by a whole one stores GJ theta^2 / 2L. With the twist measured as the
// angle 2 atan2(q3, q0) between frames it does so on any mesh, as each joint stores its share exactly.
//
// The usual measure 2 Im q (Spillmann and Teschner 2007; Soler et al. 2018, Eq. 10) takes the sine of half the angle: on the same
// equilibrium it misses the part theta^2/(12 N^2) (1 - 3/(4N) + ...) of the energy, where 3/(4N) comes from the joints of half
// length at the clamps. That is the slope 2 of the paper's Fig. 10; it is fitted to the three finest meshes, as every order here,
// since the 3/(4N) flattens it on the coarse ones.
#include <cmath>
#include <numbers>
#include <span>

#include <fmt/format.h>

#include "../common/illustrate.h"
#include "../common/plain_measure.h"
#include "../common/static_study.h"
#include "study/convergence.h"
#include "study/registry.h"

namespace writhe::experiments::twist_energy {

namespace {

using study::Expectation;

const std::string scene_file = "experiments/twist-energy/scene.yaml";
const std::vector<int> meshes{5, 10, 20, 40, 80};

struct Turn {
  const char* label;  // in the keys: of the whole turn none
  double turns;
};
constexpr Turn turns[] = {{"", 1}, {"180_", 0.5}};

// Both relative to GJ theta^2 / 2L.
struct EnergyErrors {
  double shared = 0, plain = 0;
};

Statics twisted(double by_turns, int segments) {
  StaticOptions options;
  options.first_step = options.longest_step = 0.05;
  options.tolerance = 1e-12;
  return equilibrate(
             scene_file,
             {fmt::format("rods.rod.segments={}", segments), fmt::format("supports[1].motion.twist[1]=[1, {} turns]", by_turns)},
             options)
      .statics;
}

double exact_energy(const Model& model, double by_turns) {  // J
  const double theta = 2 * std::numbers::pi * by_turns;
  return 0.5 * model.joints().stiffness[0].z * theta * theta / model.rods()[0].length;
}

EnergyErrors energy_errors(const Statics& rod, double by_turns) {
  const Model& model = rod.model();
  const double exact = exact_energy(model, by_turns);
  const auto relative = [exact](double energy) { return std::abs(energy - exact) / exact; };
  return {relative(rod.energies().elastic()), relative(energy_of_plain_measure(model, rod.state()))};
}

void perform(study::Result& result, const study::Context& context) {
  for (const Turn& turn : turns) {
    for (const int segments : meshes)
      result.expect(fmt::format("error_{}n{}", turn.label, segments),
                    Expectation::at_most(1e-10, "GJ theta^2/2L; the twist of a joint is its angle, docs/theory/rod.md"));
  }
  for (const char* key : {"slope_2im", "slope_2im_180"})
    result.expect(key, Expectation::within(2, 0.05, "Soler et al. 2018, Fig. 10; 4 sin^2(a/2) = a^2 (1 - a^2/12 + ...)"));
  result.notes = {
      "error: of the stored energy over GJ theta^2/2L, one turn (180: half a turn), by segments; error_2im: the same with "
      "2 Im q on the same equilibrium; slope over the three finest meshes, lower over all five (joints of half length at the "
      "clamps)"};
  std::vector<study::Series> of_plain, of_shared;
  study::Plot along = empty_plot("Energy along the rod twisted by a turn, by 2 Im q", {"arc length / length"},
                                 {"energy so far / (GJ theta^2/2L)"});
  for (const Turn& turn : turns) {
    std::vector<double> plain, shared;
    for (const int segments : meshes) {
      context.progress(fmt::format("{} turns, {} segments", turn.turns, segments));
      const Statics rod = twisted(turn.turns, segments);
      const EnergyErrors errors = energy_errors(rod, turn.turns);
      result.measure(fmt::format("error_{}n{}", turn.label, segments), errors.shared);
      result.measure(fmt::format("error_2im_{}n{}", turn.label, segments), errors.plain);
      plain.push_back(errors.plain);
      shared.push_back(errors.shared);
      if (turn.turns != 1) continue;
      along.series.push_back(
          line(fmt::format("{} segments", segments),
               accumulated_energy_of_plain_measure(rod.model(), rod.state(), exact_energy(rod.model(), turn.turns))));
      if (segments == 20) draw(result, "Twisted by a turn", rod.model(), rod.state());
    }
    of_plain.push_back(over_meshes(fmt::format("2 Im q, {} turn", turn.turns), meshes, plain));
    of_shared.push_back(over_meshes(fmt::format("angle, {} turn", turn.turns), meshes, shared));
    const std::vector<double> resolutions(meshes.begin(), meshes.end());
    const std::string key = turn.turns == 1 ? "slope_2im" : "slope_2im_180";
    result.measure(key, study::convergence_order(std::span(resolutions).last(3), std::span(plain).last(3)));
    result.measure(key + "_all_meshes", study::convergence_order(resolutions, plain));
  }
  of_plain.insert(of_plain.end(), of_shared.begin(), of_shared.end());
  along.series.push_back(dashed("exact", {{0, 0}, {1, 1}}));
  result.plots.push_back(std::move(along));
  result.plots.push_back(error_plot("Energy stored in the twist", "relative error, GJ theta^2/2L", std::move(of_plain), 2));
}

}  // namespace

study::Experiment experiment() {
  return {"twist-energy",
          "Energy of a rod twisted by half a turn and a whole turn",
          "Soler, Martin and Sorkine-Hornung, Cosserat Rods with Projective Dynamics, Fig. 10",
          false,
          perform,
          {"pd:fig10"}};
}

}  // namespace writhe::experiments::twist_energy
