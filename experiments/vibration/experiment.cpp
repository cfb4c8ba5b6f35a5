// The lowest bending, torsional and axial vibration of a rod clamped at one end, twice: as modes of its straight equilibrium, and
// from a run in which the end is pushed by a short pulse and then let go. The pulse is a triangle half a period long, which
// leaves little of the higher modes; a sinusoid is fitted to what follows.
//
// And the energy of a heavy cantilever that falls and swings without damping, with far larger motion.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "../common/sinusoid.h"
#include "../common/static_study.h"
#include "measure/measure.h"
#include "study/registry.h"

namespace writhe::experiments::vibration {

namespace {

using study::Expectation;

const std::string scene_file = "experiments/vibration/scene.yaml";
const std::string falling_file = "experiments/cantilever-gravity/scene.yaml";
constexpr int finest = 100;

// What the classical frequencies are made from.
struct Bar {
  double length, EI, GJ, EA;  // m, N m^2, N m^2, N
  double mass, inertia;       // kg/m, kg m: per length, inertia about d3

  explicit Bar(const Model& model)
      : length(model.rods()[0].length),
        EI(model.joints().stiffness[0].x),
        GJ(model.joints().stiffness[0].z),
        EA(model.segments().stiffness[0].z),
        mass(model.rods()[0].mass / length),
        inertia(model.segments().inertia[0].z / model.segments().length[0]) {}
};

struct Kind {
  const char* key;
  const char* name;                 // in plots
  double (*classical)(const Bar&);  // Hz
  // Part of a mode's kinetic energy that is of this kind.
  double (*share)(const Model&, const Mode&);
  // Pushes at the end, small enough for linear theory: bends by 1e-3 of the length, twists by 0.01 rad, stretches by 1e-6.
  std::string (*push)(const Bar&);
  double (*displacement)(const Model&, const State&);  // of the end, m or rad
};

template <class Component>
double kinetic_share(const Model& model, const Mode& mode, const Component& squared) {
  double sum = 0;
  for (int i = 0; i < model.node_count(); ++i) sum += model.nodes().mass[i] * squared(mode.x[i]);
  return sum;
}

const Kind kinds[] = {
    {"f_bend_ratio", "bending",
     [](const Bar& bar) {
       constexpr double root = 1.8751040687119611;  // first of cos(x) cosh(x) = -1
       return root * root / (2 * std::numbers::pi) * std::sqrt(bar.EI / bar.mass) / (bar.length * bar.length);
     },
     [](const Model& model, const Mode& mode) {
       return kinetic_share(model, mode, [](const Vec3& x) { return x.y * x.y + x.z * x.z; });
     },
     [](const Bar& bar) { return fmt::format("force: [0, 0, {}]", 3e-3 * bar.EI / (bar.length * bar.length)); },
     [](const Model&, const State& state) { return state.x.back().z; }},
    {"f_torsion_ratio", "torsion", [](const Bar& bar) { return std::sqrt(bar.GJ / bar.inertia) / (4 * bar.length); },
     [](const Model& model, const Mode& mode) {
       double sum = 0;
       for (int s = 0; s < model.segment_count(); ++s) sum += model.segments().inertia[s].z * mode.turn[s].z * mode.turn[s].z;
       return sum;
     },
     [](const Bar& bar) { return fmt::format("moment: [{}, 0, 0]", 0.01 * bar.GJ / bar.length); },
     [](const Model& model, const State& state) {
       const int last = model.segment_count() - 1;
       const Quat turn = conj(model.segments().q_initial[last]) * state.q[last];
       return 2 * std::atan2(turn.z, turn.w);
     }},
    {"f_axial_ratio", "axial", [](const Bar& bar) { return std::sqrt(bar.EA / bar.mass) / (4 * bar.length); },
     [](const Model& model, const Mode& mode) { return kinetic_share(model, mode, [](const Vec3& x) { return x.x * x.x; }); },
     [](const Bar& bar) { return fmt::format("force: [{}, 0, 0]", 1e-6 * bar.EA); },
     [](const Model& model, const State& state) { return state.x.back().x - model.nodes().x_initial.back().x; }},
};

Model rod_with(const std::vector<std::string>& overrides) { return Model(embedded_scene(scene_file, overrides)); }

// Hz.
double lowest_mode(const Statics& statics, const std::vector<Mode>& modes, const Kind& kind) {
  for (const Mode& mode : modes)
    if (kind.share(statics.model(), mode) > 0.9) return mode.frequency;
  throw Error(kind.key, "", "no such mode among the lowest; ask for more of them");
}

// What is left of a pulse.
struct Ringing {
  double frequency = 0;  // Hz
  Samples samples;
};

// `expected`, Hz, chooses pulse and step only, and where the fit looks for the frequency.
Ringing ringing(const Kind& kind, double expected) {
  constexpr int steps = 200, periods = 4;  // steps a period: the midpoint rule slows by (2 pi/200)^2/12, 8e-5
  const double period = 1 / expected, pulse = period / 2;
  Simulation simulation(rod_with({fmt::format("loads=[{{{}, at: rod.end, ramp: [[0, 0], [{}, 1], [{}, 0]]}}]",
                                              kind.push(Bar(rod_with({}))), pulse / 2, pulse),
                                  fmt::format("time.dt={}", period / steps)}));
  Samples samples;
  const StepReport report = simulation.run(pulse + periods * period, [&](const StepReport& step) {
    if (step.time > pulse) {
      samples.time.push_back(step.time);
      samples.value.push_back(kind.displacement(simulation.model(), simulation.state()));
    }
    return true;
  });
  if (!report.accepted()) throw stopped_at(report.time, report.cause);
  return {fitted_frequency(samples, 0.9 * expected, 1.1 * expected), samples};
}

// ---- what is shown -------------------------------------------------------------------------------------------------------
// Every kind over its largest displacement, time in periods of its classical frequency.
study::Series swing(const Kind& kind, const Ringing& found, double classical) {
  double largest = 0;
  for (const double value : found.samples.value) largest = std::max(largest, std::abs(value));
  Points points;
  for (std::size_t k = 0; k < found.samples.time.size(); ++k)
    points.emplace_back((found.samples.time[k] - found.samples.time.front()) * classical, found.samples.value[k] / largest);
  return line(kind.name, thinned(points, 250));
}

// The swinging cantilever.
class Fall {
 public:
  explicit Fall(Simulation& simulation) {
    simulation.add_sink(m_watch);
    simulation.add_sink(m_shapes);
  }
  void show(study::Result& result, const Model& model, double unit) const {
    study::Plot plot =
        empty_plot("Energies of the falling cantilever, less that at the start", {"time, s"}, {"energy / largest kinetic"});
    const auto over_unit = [&](const char* name, double (*energy)(const Energies&)) {
      Points points;
      for (const auto& [time, energies] : m_energies)
        points.emplace_back(time, (energy(energies) - energy(m_energies.front().second)) / unit);
      return line(name, thinned(points, 700));
    };
    plot.series = {over_unit("kinetic", [](const Energies& e) { return e.kinetic; }),
                   over_unit("elastic", [](const Energies& e) { return e.elastic(); }),
                   over_unit("gravity", [](const Energies& e) { return e.gravity; }),
                   over_unit("total", [](const Energies& e) { return e.total(); })};
    result.plots.push_back(std::move(plot));
    draw(result, "The heavy cantilever in its first swing", model, m_shapes.states());
  }

 private:
  std::vector<std::pair<double, Energies>> m_energies;  // by time, s
  Snapshots m_shapes{{0, 0.05, 0.1, 0.15, 0.2, 0.3}};
  Watch m_watch{
      [this](const Model& model, const State& state) { m_energies.emplace_back(state.time, measure::energies(model, state)); }};
};

// Largest change of the total energy over the largest kinetic energy, 10 s in steps of 1 ms.
double energy_drift(study::Result& result) {
  Simulation simulation(
      Model(embedded_scene(falling_file, {"solver.integrator=midpoint", "time.dt=1.0e-3", "rods.rod.segments=40"})));
  const double start = simulation.energies().total();
  Fall fall(simulation);
  double change = 0, kinetic = 0;
  const StepReport report = simulation.run(10, [&](const StepReport&) {
    const Energies energies = simulation.energies();
    change = std::max(change, std::abs(energies.total() - start));
    kinetic = std::max(kinetic, energies.kinetic);
    return true;
  });
  if (!report.accepted()) throw stopped_at(report.time, report.cause);
  fall.show(result, simulation.model(), kinetic);
  return change / kinetic;
}

void perform(study::Result& result, const study::Context& context) {
  for (const Kind& kind : kinds) {
    for (const char* ending : {"", "_run"})
      result.expect(kind.key + std::string(ending),
                    Expectation::within(1, 5e-3, "Euler-Bernoulli beam, torsional rod and bar, clamped at one end"));
  }
  result.expect("energy_drift", Expectation::at_most(1e-2, "no damping, no loss"));
  result.notes = {
      "f_..._ratio: lowest frequency over the classical one, 100 segments, from modes and (run) from a sinusoid fitted to four "
      "periods in steps of 1/200 period",
      "energy_drift: largest change of the total energy over the largest kinetic energy; heavy cantilever of load number 16 let "
      "go horizontally, 40 segments, 10 s in steps of 1 ms"};
  context.progress("modes");
  const Equilibrated rod = equilibrate(scene_file, {fmt::format("rods.rod.segments={}", finest)});
  const std::vector<Mode> modes = rod.statics.modes(30);
  const Bar bar(rod.statics.model());
  study::Plot swings = empty_plot("End of the rod after a short push", {"time / classical period"}, {"displacement / largest"});
  for (const Kind& kind : kinds) {
    const double frequency = lowest_mode(rod.statics, modes, kind), classical = kind.classical(bar);
    result.measure(kind.key, frequency / classical);
    context.progress(fmt::format("run at {:.3g} Hz", frequency));
    const Ringing found = ringing(kind, frequency);
    result.measure(kind.key + std::string("_run"), found.frequency / classical);
    swings.series.push_back(swing(kind, found, classical));
  }
  result.plots.push_back(std::move(swings));
  context.progress("falling for 10 s");
  result.measure("energy_drift", energy_drift(result));
}

}  // namespace

study::Experiment experiment() {
  return {"vibration", "Frequencies of a clamped rod, and the energy of one that falls without damping",
          "classical: Timoshenko, Vibration Problems in Engineering, ch. 5", false, perform};
}

}  // namespace writhe::experiments::vibration
