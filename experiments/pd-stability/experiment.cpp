// A steel wire is thrown about by its clamp for 10 s with steps of 10 ms and ten iterations each, then the clamp is held for 2 s.
// No step may fail, and the wire may never have more energy than it had at the start and its clamp put in since.
//
// What the clamp puts in during a step is the force and the moment it has to exert for everything to move as it does, by the
// change of momentum of all nodes and segments, along the way it went. Against this work implicit Euler only loses: with V the
// elastic and gravitational energy, W the work and dx the motion of everything in the step, the gain is W - m|dv|^2/2 - (V before
// - V after + V' dx), and the bracket is positive wherever V is convex. A step that is not solved to the end misses this balance
// by what the forces left over inside the rod do along dx.
//
// Why not the reaction that the elements next to the clamp show: where a step is solved it is the same (measured for newton), but
// what is left over in the first segment of a wire as stiff as this, hundreds of times its weight, drowns it.
#include <algorithm>
#include <cmath>
#include <string>

#include "../common/balance.h"
#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "math/rotation.h"
#include "study/registry.h"
#include "writhe/simulation.h"

namespace writhe::experiments::pd_stability {

namespace {

using study::Expectation;

const std::string scene_file = "experiments/pd-stability/scene.yaml";
constexpr double held_from = 10;  // s

// J: of the clamp at the first node in a step of implicit Euler.
double work_by_momentum(const Model& model, const State& before, const State& after) {
  const double h = after.time - before.time;
  const ResolvedSupport& clamp = model.supports()[0];
  Vec3 force{}, moment{};
  for (int i = 0; i < model.node_count(); ++i) {
    const Vec3 own = model.nodes().mass[i] * ((after.v[i] - before.v[i]) / h - model.scene().gravity);
    force += own;
    moment += cross(after.x[i] - after.x[clamp.node], own);
  }
  const auto spin = [&](const State& state, int s) { return rotate(state.q[s], scale(model.segments().inertia[s], state.w[s])); };
  for (int s = 0; s < model.segment_count(); ++s) moment += (spin(after, s) - spin(before, s)) / h;
  const int frame = model.segment_count() + clamp.frame;
  return dot(force, after.x[clamp.node] - before.x[clamp.node]) +
         dot(moment, log_rotation(after.q[frame] * conj(before.q[frame])));
}

// Of a run, in joules.
struct Ledger {
  int steps = 0, failed = 0, unconverged = 0;
  double work = 0, work_by_reaction = 0;  // that the clamp has done
  double excess = -INFINITY;              // largest energy above what it had at the start and the clamp put in
  double held = -INFINITY;                // largest energy while the clamp is held, above what it had when the clamp stopped
  double rise = -INFINITY;                // largest gain of a step then
  double most = 0;                        // largest kinetic and elastic energy
  std::string cause;
  Points energies, works;     // over time: above that of the start, and of the clamp so far
  std::vector<State> shapes;  // now and then
};

Ledger keep_ledger(const std::string& method, int iterations) {
  Simulation simulation(
      Model(embedded_scene(scene_file, {"solver.method=" + method, "solver.pd.iterations=" + std::to_string(iterations)})));
  const Model& model = simulation.model();
  Ledger ledger;
  Snapshots shapes({0.5, 2, 4, 6, 8, 10, 11, 12});
  simulation.add_sink(shapes);
  State before = simulation.state();
  const double start = simulation.energies().total();
  double energy_before = start, stopped = start;
  const StepReport last = simulation.run(model.scene().until, [&](const StepReport& report) {
    ++ledger.steps;
    if (!report.converged) ++ledger.unconverged;
    ledger.work += work_by_momentum(model, before, simulation.state());
    ledger.work_by_reaction += work_of_support(model, before, simulation.state(), 0);
    const Energies now = simulation.energies();
    ledger.energies.emplace_back(report.time, now.total() - start);
    ledger.works.emplace_back(report.time, ledger.work);
    ledger.excess = std::max(ledger.excess, now.total() - start - ledger.work);
    if (report.time < held_from + 1e-9) {
      stopped = now.total();
    } else {
      ledger.held = std::max(ledger.held, now.total() - stopped);
      ledger.rise = std::max(ledger.rise, now.total() - energy_before);
    }
    ledger.most = std::max(ledger.most, now.kinetic + now.elastic());
    energy_before = now.total();
    before = simulation.state();
    return true;
  });
  if (!last.accepted()) {
    ++ledger.failed;
    ledger.cause = stopped_at(last.time, last.cause).what();
  }
  ledger.shapes = shapes.states();
  return ledger;
}

double weight_times_length(const Model& model) {
  return model.rods()[0].mass * norm(model.scene().gravity) * model.rods()[0].length;
}

// What is measured beside the scene's own ten iterations of pd, for comparison.
struct Run {
  const char *suffix, *method;
  int iterations;
};
constexpr Run runs[] = {{"", "pd", 10}, {"_it30", "pd", 30}, {"_it100", "pd", 100}, {"_newton", "newton", 10}};

// ---- what is shown -------------------------------------------------------------------------------------------------------
Points over_unit(const Points& points, double unit) {
  Points out;
  for (const auto& [time, energy] : points) out.emplace_back(time, energy / unit);
  return thinned(out, 600);
}

std::string name_of(const Run& run) {
  return run.method == std::string("newton") ? "newton" : "pd, " + std::to_string(run.iterations) + " iterations";
}

// `ledgers` in the order of `runs`, `unit`: weight times length.
void illustrate(study::Result& result, const std::vector<Ledger>& ledgers, double unit) {
  study::Plot energies = empty_plot("Energy and work, " + name_of(runs[0]), {"time, s"}, {"energy / (weight x length)"});
  energies.series = {line("work of the clamp so far", over_unit(ledgers[0].works, unit)),
                     line("energy of the wire, above the start", over_unit(ledgers[0].energies, unit))};
  study::Plot excess =
      empty_plot("Energy less the work put in: implicit Euler only loses", {"time, s"}, {"(energy - work) / (weight x length)"});
  for (std::size_t i = 0; i < ledgers.size(); ++i) {
    Points points;
    for (std::size_t k = 0; k < ledgers[i].works.size(); ++k)
      points.emplace_back(ledgers[i].works[k].first, ledgers[i].energies[k].second - ledgers[i].works[k].second);
    excess.series.push_back(line(name_of(runs[i]), over_unit(points, unit)));
  }
  result.plots = {std::move(energies), std::move(excess)};
  draw(result, "Thrown about, then held from 10 s on: " + name_of(runs[0]), Model(embedded_scene(scene_file)), ledgers[0].shapes);
}

void perform(study::Result& result, const study::Context& context) {
  const std::string loses = "implicit Euler only loses energy against the work of the clamp";
  result.expect("steps", Expectation::within(1200, 0, "12 s at 10 ms"));
  result.expect("steps_failed", Expectation::at_most(0, "every step is accepted"));
  result.expect("energy_excess", Expectation::at_most(1e-6, loses));
  result.expect("energy_held", Expectation::at_most(1e-6, "a clamp that is held does no work"));
  result.expect("energy_excess_newton", Expectation::at_most(1e-6, loses));
  result.expect("work_difference_newton",
                Expectation::at_most(1e-4, "the reaction of the clamp, read off the elements next to it"));
  result.notes = {
      "energies over weight times length. excess: largest energy above that of the start and what the clamp put in; held: "
      "largest "
      "energy in 2 s of a held clamp, above that when it stopped; rise: largest gain of a step then; work: of the clamp in all; "
      "work_difference: of that from the work of the reaction; most: largest kinetic and elastic energy",
      "it30, it100: with that many iterations; newton: every step solved to the end"};
  const double unit = weight_times_length(Model(embedded_scene(scene_file)));
  std::vector<Ledger> ledgers;
  for (const Run& run : runs) {
    context.progress(std::string(run.method) + run.suffix);
    const Ledger& ledger = ledgers.emplace_back(keep_ledger(run.method, run.iterations));
    if (!ledger.cause.empty()) result.notes.push_back(std::string(run.method) + run.suffix + ": " + ledger.cause);
    const std::string suffix = run.suffix;
    result.measure("steps" + suffix, ledger.steps);
    result.measure("steps_failed" + suffix, ledger.failed);
    result.measure("steps_unconverged" + suffix, ledger.unconverged);
    result.measure("energy_excess" + suffix, ledger.excess / unit);
    result.measure("energy_held" + suffix, ledger.held / unit);
    result.measure("energy_rise" + suffix, ledger.rise / unit);
    result.measure("energy_most" + suffix, ledger.most / unit);
    result.measure("work" + suffix, ledger.work / unit);
    result.measure("work_difference" + suffix, std::abs(ledger.work_by_reaction - ledger.work) / unit);
  }
  illustrate(result, ledgers, unit);
}

}  // namespace

study::Experiment experiment() {
  return {"pd-stability", "Steel wire thrown about by its clamp at steps of 10 ms, ten iterations each",
          "energy balance; no reference solution needed", false, perform};
}

}  // namespace writhe::experiments::pd_stability
