// Whether a rod finds back to its shape: pulled to 1.4 times its length and let go, and from a hundred random starts of positions
// and frames with nothing to hold on to. With no load the only state of rest is straight, unstretched and untwisted.
//
// A random start is a walk: each segment is between 0.6 and 1.4 times as long as at rest and goes on in a direction up to 75
// degrees off that of the one before. Its frame is tilted by up to 30 degrees off the segment and rolled about it by up to 90
// degrees from the roll of the one before. So a joint bends by less than 135 degrees and twists by about 90, which leaves no
// doubt which way it is turned, and a rod is crumpled and twisted by a turn or two. A scene has no keys for nodes and frames one
// by one (a polyline is cut into even segments, with frames along them): the start comes in by a checkpoint.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <fmt/format.h>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "math/rotation.h"
#include "measure/measure.h"
#include "simulation/checkpoint.h"
#include "study/registry.h"
#include "writhe/simulation.h"

namespace writhe::experiments::pd_recovery {

namespace {

using study::Expectation;

const std::string folder = "experiments/pd-recovery/";
constexpr int starts = 100;
constexpr double recovered_below = 1e-8;  // of the energy at the start

// ---- random starts -------------------------------------------------------------------------------------------------
// The same numbers on every machine; the distributions of the standard library need not be.
class Random {
 public:
  explicit Random(std::uint64_t seed) : m_bits(seed) {}
  double between(double low, double high) { return low + (high - low) * std::ldexp(static_cast<double>(m_bits() >> 11), -53); }
  Vec3 unit() {
    const double z = between(-1, 1), angle = between(-pi, pi), r = std::sqrt(1 - z * z);
    return {r * std::cos(angle), r * std::sin(angle), z};
  }
  // The frame turned about some axis across its d3, so that this points elsewhere by up to `most` rad.
  Quat tilted(const Quat& q, double most) {
    const double angle = between(-pi, pi);
    return q * exp_rotation(between(0, most) * Vec3{std::cos(angle), std::sin(angle), 0});
  }

 private:
  std::mt19937_64 m_bits;
};

void crumple(const Model& model, std::uint64_t seed, State& state) {
  constexpr double degree = pi / 180;
  Random random(seed);
  Quat along = exp_rotation(random.between(0, pi) * random.unit());  // d3 goes on along the segments, without twist
  double roll = 0;
  for (int s = 0; s < model.segment_count(); ++s) {
    along = normalized(random.tilted(along, 75 * degree));
    roll += random.between(-90, 90) * degree;
    const double length = random.between(0.6, 1.4) * model.segments().length[s];
    state.x[s + 1] = state.x[s] + length * rotate(along, Vec3{0, 0, 1});
    const Quat q = normalized(random.tilted(along, 30 * degree) * about_axis({0, 0, 1}, roll));
    state.q[s] = s == 0 ? q : same_side(q, state.q[s - 1]);
  }
}

Simulation started_at_random(std::uint64_t seed) {
  Simulation simulation(Model(embedded_scene(folder + "random.yaml")));
  Checkpoint start = decode_checkpoint(simulation.checkpoint(), "start");
  crumple(simulation.model(), seed, start.state);
  simulation.restore(encode(start), fmt::format("random start {}", seed));
  return simulation;
}

// ---- what is shown -------------------------------------------------------------------------------------------------
// Elastic energy over the first, and some shapes of the first start.
class Recovery {
 public:
  static constexpr int shown = 8;  // of the starts

  Sink& watch() {
    m_energies.emplace_back();
    m_start = 0;
    return m_watch;
  }
  void show(study::Result& result) const {
    study::Plot plot = empty_plot("Random starts", {"time, s"}, {"elastic energy / that at the start", true});
    for (std::size_t k = 0; k < m_energies.size(); ++k)
      plot.series.push_back(line(fmt::format("start {}", k), thinned(m_energies[k])));
    plot.series.push_back(dashed("recovered below this", {{0, recovered_below}, {1, recovered_below}}));
    result.plots.push_back(std::move(plot));
    draw_side_by_side(result, "A random start and its way back", Model(embedded_scene(folder + "random.yaml")),
                      m_shapes.states());
  }

 private:
  void look(const Model& model, const State& state) {
    const double energy = measure::energies(model, state).elastic();
    if (m_start == 0) m_start = energy;
    if (energy > 0) m_energies.back().emplace_back(state.time, energy / m_start);
    if (m_energies.size() == 1) m_shapes.take(state);
  }

  std::vector<Points> m_energies;
  double m_start = 0;  // J
  Snapshots m_shapes{{0, 0.01, 0.05, 0.2, 0.5}};
  Watch m_watch{[this](const Model& model, const State& state) { look(model, state); }};
};

// ---- what is left --------------------------------------------------------------------------------------------------
double largest_twist(const Model& model, const State& state) {  // rad, of a joint
  double most = 0;
  for (int j = 0; j < model.joint_count(); ++j)
    most = std::max(most, std::abs(measure::joint_strain(model, state, j).z) * model.joints().length[j]);
  return most;
}
double total_twist(const Model& model, const State& state) {  // rad
  double sum = 0;
  for (int j = 0; j < model.joint_count(); ++j) sum += measure::joint_strain(model, state, j).z * model.joints().length[j];
  return sum;
}

void measure_random(study::Result& result, const study::Context& context) {
  Recovery recovery;
  int recovered = 0;
  double left = 0, twist_start = 0, twist_end = 0, latest = 0, bend_part = 0;
  for (int k = 0; k < starts; ++k) {
    if (k % 20 == 0) context.progress(fmt::format("random start {}", k));
    Simulation rod = started_at_random(static_cast<std::uint64_t>(k));
    if (k < Recovery::shown) rod.add_sink(recovery.watch());
    const Energies start = rod.energies();
    twist_start = std::max(twist_start, std::abs(total_twist(rod.model(), rod.state())));
    bend_part = std::max(bend_part, start.bend_twist / start.elastic());
    double above = 0;  // s: last time at which it had not recovered
    const StepReport report = rod.run(rod.model().scene().until, [&](const StepReport& step) {
      if (rod.energies().elastic() >= recovered_below * start.elastic()) above = step.time;
      return true;
    });
    if (!report.accepted()) {
      result.notes.push_back(fmt::format("start {}: {}", k, stopped_at(report.time, report.cause).what()));
      left = INFINITY;
      continue;
    }
    const double own = rod.energies().elastic() / start.elastic();
    if (own < recovered_below) ++recovered;
    left = std::max(left, own);
    twist_end = std::max(twist_end, largest_twist(rod.model(), rod.state()));
    latest = std::max(latest, above);
  }
  result.measure("recovered", recovered);
  result.measure("energy_left", left);
  result.measure("time_s", latest);
  result.measure("twist_start_most", twist_start);
  result.measure("twist_left", twist_end);
  result.measure("bend_twist_part_most", bend_part);
  recovery.show(result);
}

void measure_stretched(study::Result& result, const study::Context& context) {
  context.progress("stretched");
  Simulation rod(Model(embedded_scene(folder + "stretch.yaml")));
  std::vector<double> times, elastic, kinetic;  // s, J
  Snapshots shapes({0, 1, 1.1, 6});
  Watch watch([&](const Model& model, const State& state) {
    const Energies energies = measure::energies(model, state);
    times.push_back(state.time);
    elastic.push_back(energies.elastic());
    kinetic.push_back(energies.kinetic);
    shapes.take(state);
  });
  rod.add_sink(watch);
  double most = 0, stretch = 0;
  const StepReport report = rod.run(rod.model().scene().until, [&](const StepReport&) {
    most = std::max(most, rod.energies().elastic());
    stretch = std::max(stretch, measure::segment_strain(rod.model(), rod.state(), rod.model().segment_count() - 1).z);
    return true;
  });
  if (!report.accepted()) throw stopped_at(report.time, report.cause);
  result.measure("stretch_most", stretch);
  result.measure("stretched_energy_left", rod.energies().elastic() / most);
  study::Plot plot = empty_plot("Pulled within 1 s, then let go", {"time, s"}, {"energy, J", true});
  plot.series = {line("elastic", over_time(times, elastic, 1e-17)), line("kinetic", over_time(times, kinetic, 1e-17))};
  result.plots.push_back(std::move(plot));
  draw(result, "Before the pull, when it is strongest, and after", rod.model(), shapes.states());
}

void perform(study::Result& result, const study::Context& context) {
  const std::string why = "Soler et al. 2018, Fig. 13: an unloaded rod rests only where it has no energy";
  result.expect("recovered", Expectation::within(starts, 0, why));
  result.expect("energy_left", Expectation::at_most(recovered_below, why));
  result.expect("twist_left", Expectation::at_most(1e-3, "none stays twisted"));
  result.expect("twist_start_most", Expectation::at_least(2 * pi, "some start twisted by more than a turn"));
  result.expect("stretch_most",
                Expectation::within(0.4021, 1e-3, "the force over EA, 0.4062, 10 ms of damping behind a pull that takes 1 s"));
  result.expect("stretched_energy_left", Expectation::at_most(recovered_below, why));
  result.notes = {
      "recovered: starts, of 100, whose elastic energy falls below 1e-8 of that at the start; energy_left: the largest share; "
      "time_s: "
      "when the last one had; twist_start_most: of a whole rod at the start, twist_left: of a joint at the end, rad; "
      "bend_twist_part_most: of the energy at a start",
      "stretch_most: strain of the last segment when the pull is strongest; stretched_energy_left: 5 s later, over the most"};
  measure_stretched(result, context);
  measure_random(result, context);
}

}  // namespace

study::Experiment experiment() {
  return {"pd-recovery",
          "Rods let go from a pull and from a hundred random starts",
          "Soler, Martin and Sorkine-Hornung, Cosserat Rods with Projective Dynamics, Fig. 13",
          false,
          perform,
          {"pd:fig13"}};
}

}  // namespace writhe::experiments::pd_recovery
