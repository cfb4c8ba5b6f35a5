// A steel wire, 1 m long and 1 mm thick, clamped horizontally, is let go and swings for 2 s at a step of 5 ms.
// Axial waves cross a segment in 4 microseconds: the step is a thousand times longer, and must neither fail nor gain energy.
#include <algorithm>
#include <limits>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "measure/measure.h"
#include "study/registry.h"
#include "writhe/simulation.h"

namespace writhe::experiments::steel_fall {

namespace {
const std::string scene_file = "experiments/steel-fall/scene.yaml";

double weight_times_length(const Model& model) {
  double out = 0;
  for (const RodRange& rod : model.rods()) out += rod.mass * norm(model.scene().gravity) * rod.length;
  return out;
}

// Of a run: energies over weight times length, and some shapes.
class Fall {
 public:
  explicit Fall(Simulation& simulation) : m_unit(weight_times_length(simulation.model())) {
    simulation.add_sink(m_watch);
    simulation.add_sink(m_shapes);
  }
  void show(study::Result& result, const Model& model) const {
    study::Plot plot = empty_plot("Energies", {"time, s"}, {"energy / (weight x length)"});
    plot.series = {line("kinetic", m_kinetic), line("elastic", m_elastic), line("gravity", m_gravity), line("total", m_total)};
    result.plots.push_back(std::move(plot));
    draw(result, "The first swing", model, m_shapes.states());
  }

 private:
  void look(const Model& model, const State& state) {
    const Energies energies = measure::energies(model, state);
    m_kinetic.emplace_back(state.time, energies.kinetic / m_unit);
    m_elastic.emplace_back(state.time, energies.elastic() / m_unit);
    m_gravity.emplace_back(state.time, energies.gravity / m_unit);
    m_total.emplace_back(state.time, energies.total() / m_unit);
  }

  double m_unit;  // J
  Points m_kinetic, m_elastic, m_gravity, m_total;
  Snapshots m_shapes{{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}};
  Watch m_watch{[this](const Model& model, const State& state) { look(model, state); }};
};

void perform(study::Result& result, const study::Context& context) {
  result.expect("steps", study::Expectation::within(400, 0, "2 s at 5 ms"));
  result.expect("steps_failed", study::Expectation::at_most(0, "every step is solvable"));
  result.expect("energy_excess", study::Expectation::at_most(1e-6, "implicit Euler only loses energy"));

  Simulation simulation(Model(embedded_scene(scene_file)));
  Fall fall(simulation);
  const Scene& scene = simulation.model().scene();
  const double energy_start = simulation.energies().total();
  double energy_highest = -std::numeric_limits<double>::infinity();
  int steps = 0, failed = 0, iterations = 0, most_iterations = 0;
  context.progress("2 s at 5 ms");
  const StepReport last = simulation.run(scene.until, [&](const StepReport& report) {
    ++steps;
    iterations += report.iterations;
    most_iterations = std::max(most_iterations, report.iterations);
    energy_highest = std::max(energy_highest, simulation.energies().total());
    return true;
  });
  if (!last.accepted()) {
    ++failed;
    result.notes.push_back("t = " + std::to_string(last.time) + " s: " + last.cause);
  }
  result.measure("steps", steps);
  result.measure("steps_failed", failed);
  result.measure("energy_excess", (energy_highest - energy_start) / weight_times_length(simulation.model()));
  result.measure("mean_iterations", static_cast<double>(iterations) / std::max(1, steps));
  result.measure("max_iterations", most_iterations);
  fall.show(result, simulation.model());
}
}  // namespace

study::Experiment experiment() {
  return {"steel-fall", "Steel wire falling from horizontal at a step of 5 ms", "energy balance; no reference solution needed",
          false, perform};
}

}  // namespace writhe::experiments::steel_fall
