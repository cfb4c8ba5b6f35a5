// Links: springs and tethers between rods.
//
// Hanging: two cords from pins at one height, joined by a spring between their ends, hang as one rod whose middle is the spring;
// the sag is that of a boundary value problem (reference.py).
//
// Flight: two rods that a link draws together, free of everything else. Whatever they do, their angular momentum stays what it
// was, none, to the tolerance of the solver with the midpoint rule.
//
// Tethered: an upright rod of weight W and length L on a hinge, held at its top by two level tethers of tension T and length l.
// Out of the tethers' plane a tilt a lowers the weight by L a^2/4 and lengthens each tether by (L a)^2/(2 l): lost where W L/4 =
// T L^2/l.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "../common/rest_study.h"
#include "../common/static_study.h"
#include "base/embedded.h"
#include "measure/measure.h"
#include "study/registry.h"

namespace writhe::experiments::links {

namespace {

using study::Expectation;

const std::string folder = "experiments/links/";

// ---- two cords and a spring ------------------------------------------------------------------------------------------------
double middle_height(const Model& model, const State& state) {
  return 0.5 * (state.x[model.node_of(0, model.rods()[0].segment_count)].z +
                state.x[model.node_of(1, model.rods()[1].segment_count)].z);
}

// The link's tension over that of the cord beside it, in its last segment.
double tension_ratio(const Model& model, const State& state) {
  const RodRange& left = model.rods()[0];
  const Vec3 force = measure::segment_force(model, state, left.first_segment + left.segment_count - 1);
  return measure::link_state(model.links()[0], state).tension / norm(force);
}

void measure_hanging(study::Result& result, const study::Context& context, double sag) {
  for (const std::string& method : {std::string("newton"), std::string("pd")}) {
    context.progress("two cords and a spring, " + method);
    const Simulation hung = settled(folder + "hanging.yaml", {"solver.method=" + method});
    result.measure(fmt::format("sag_{}_ratio", method), middle_height(hung.model(), hung.state()) / sag);
    result.measure(fmt::format("force_{}_ratio", method), tension_ratio(hung.model(), hung.state()));
    if (method == "newton") draw(result, "Two cords and a spring, at rest", hung.model(), hung.state());
  }
  context.progress("two cords and a spring, equilibrium");
  const Equilibrated balanced = equilibrate(folder + "hanging.yaml", {});
  result.measure("sag_solve_ratio", middle_height(balanced.statics.model(), balanced.statics.state()) / sag);
  const bool stable = balanced.statics.stability().balance == Balance::neutral;  // round cords on pins spin freely
  result.measure("hanging_is_neutral", stable ? 1 : 0);
}

// ---- free flight -----------------------------------------------------------------------------------------------------------
void measure_flight(study::Result& result, const study::Context& context) {
  context.progress("two rods in free flight");
  Simulation flight(Model(embedded_scene(folder + "flight.yaml")));
  Snapshots shapes({0, 0.1, 0.2, 0.3});
  flight.add_sink(shapes);
  const double before = flight.energies().total();
  double drift = 0, exchanged = 0;  // of the angular momentum of each rod alone; of the energy
  const StepReport report = flight.run(flight.model().scene().until, [&](const StepReport&) {
    const Model& model = flight.model();
    const State& state = flight.state();
    const measure::Momentum all = measure::momentum(model, state);
    double own = 0;  // kg m^2/s: of one rod about the origin
    Vec3 first{};
    for (int i = model.rods()[0].first_node; i < model.rods()[0].first_node + model.rods()[0].node_count; ++i)
      first += model.nodes().mass[i] * cross(state.x[i], state.v[i]);
    own = norm(first);
    drift = std::max(drift, norm(all.angular) / std::max(own, 1e-6));
    exchanged = std::max(exchanged, flight.energies().kinetic / before);
    return true;
  });
  if (!report.accepted()) throw stopped_at(report.time, report.cause);
  result.measure("angular_momentum", drift);
  result.measure("energy_ratio", flight.energies().total() / before);
  result.measure("energy_exchanged", exchanged);
  draw(result, "Two rods drawn together by a link", flight.model(), shapes.states());
}

// ---- an upright rod between two tethers ------------------------------------------------------------------------------------
void measure_tethered(study::Result& result, const study::Context& context) {
  context.progress("an upright rod between two tethers");
  const Equilibrated mast = equilibrate(folder + "tethered.yaml", {});
  const Model& model = mast.statics.model();
  const auto lost = std::find_if(mast.report.crossings.begin(), mast.report.crossings.end(),
                                 [](const Crossing& crossing) { return crossing.before == 0; });
  if (lost == mast.report.crossings.end()) throw Error("links", "tethered.yaml", "the rod is never lost");
  const ResolvedLink& tether = model.links()[0];
  const double length = norm(tether.to.point - model.nodes().x_initial[tether.from.place->node1]);  // m
  const double tension = tether.link.stiffness * (length - tether.rest_length);                     // N
  const double weight = lost->load * norm(model.scene().gravity) * model.rods()[0].mass;            // N
  result.measure("critical_ratio", weight * length / (4 * tension * model.rods()[0].length));
  const std::vector<Mode> modes = mast.statics.modes(1);
  double out = 0, in = 0;  // m: of the plane of the tethers, and in it
  for (const Vec3& x : modes.front().x) {
    out = std::max(out, std::abs(x.y));
    in = std::max(in, std::abs(x.x));
  }
  result.measure("lost_in_plane_over_out", in / out);
  draw(result, "The way in which the upright rod is lost, seen along the tethers", model,
       displaced(mast.statics.state(), modes.front(), 0.2));
}

void perform(study::Result& result, const study::Context& context) {
  const nlohmann::json reference = nlohmann::json::parse(embedded_file(folder + "reference.json"));
  const std::string source = "boundary value problem, " + folder + "reference.py";
  for (const char* key : {"sag_newton_ratio", "sag_pd_ratio", "sag_solve_ratio"})
    result.expect(key, Expectation::within(1, 1e-3, source));
  for (const char* key : {"force_newton_ratio", "force_pd_ratio"})
    result.expect(key, Expectation::within(1, 1e-3, "balance of forces at the end of a cord"));
  result.expect("hanging_is_neutral", Expectation::within(1, 0, "round cords on pins spin freely, and do nothing else"));
  result.expect("angular_momentum", Expectation::at_most(1e-6, "nothing acts from outside; tolerance of the solver 1e-8"));
  result.expect("energy_ratio", Expectation::within(1, 1e-4, "nothing acts from outside, nothing damps"));
  result.expect("energy_exchanged", Expectation::at_least(0.5, "what the link has stored sets the rods in motion"));
  result.expect("critical_ratio", Expectation::within(1, 1e-2, "W L/4 = T L^2/l; see above"));
  result.expect("lost_in_plane_over_out", Expectation::at_most(1e-3, "in their plane the tethers hold it"));
  result.notes = {
      "sag: height of the spring over that of the boundary value problem, 60 segments a cord; force: tension of the spring over "
      "the "
      "force in the cord's last segment",
      "angular_momentum: largest of all, over that of one rod; energy_ratio: at the end, over the beginning",
      "critical_ratio: weight at which the upright rod is lost, times l/(4 T L)"};
  measure_hanging(result, context, reference.at("sag_m").get<double>());
  measure_flight(result, context);
  measure_tethered(result, context);
}

}  // namespace

study::Experiment experiment() {
  return {"links", "Rods joined by springs and tethers", "docs/theory/coupling.md, \"Links\"; statics of cords and of a mast",
          false, perform};
}

}  // namespace writhe::experiments::links
