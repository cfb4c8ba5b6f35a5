// Two free rods meet at 1, 10 and 50 m/s and angles from 5 to 90 degrees, in steps in which the fast ones fly by 50 times their
// radius. Whether one went through the other is counted by a check of its own, which knows nothing of contact
// (measure/passing.h): in every step all nodes move straight, and no two segments may have crossed; a rod may slip round
// another's end.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "math/rotation.h"
#include "measure/measure.h"
#include "measure/passing.h"
#include "study/registry.h"

namespace writhe::experiments::contact_crossing {

namespace {

using study::Expectation;

const std::string folder = "experiments/contact-crossing/";
const std::vector<double> speeds{1, 10, 50}, angles{5, 10, 20, 45, 70, 90};  // m/s, degrees

struct Met {
  int passed = 0, steps = 0;
  bool touched = false;
  double linear = 0, angular = 0;          // largest drift: of one rod's at the start
  double gain = 0, rise = 0, energy_left;  // over the energy at the start: above it, from step to step, and in the end
};

std::string vector_text(const Vec3& v) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x, v.y, v.z); }

Model meeting(const std::string& integrator, double speed, double degrees, double dt = 1e-3,
              const std::string& tolerance = "1e-9") {
  const Vec3 middle{0.003, 0.002, 0.01}, way = 0.1 * Vec3{std::cos(degrees * pi / 180), std::sin(degrees * pi / 180), 0};
  return Model(embedded_scene(
      folder + "scene.yaml",
      {"solver.integrator=" + integrator, "solver.tolerance=" + tolerance, fmt::format("time.dt={:.17g}", dt),
       fmt::format("rods.flying.velocity=[0, 0, {}]", -speed), "rods.flying.centreline.line.from=" + vector_text(middle - way),
       "rods.flying.centreline.line.to=" + vector_text(middle + way)}));
}

// Passes by 1 cm above and below in the time that it takes, whatever it meets.
Met meet(const std::string& integrator, double speed, double degrees, std::vector<State>* shapes) {
  Simulation simulation(meeting(integrator, speed, degrees));
  const Model& model = simulation.model();
  measure::PassingCheck check(measure::edges_of(model));
  const measure::Momentum start = measure::momentum(model, simulation.state());
  const double own = norm(start.linear), turning = own * 0.1, energy = simulation.energies().total();
  Met out;
  double before = energy;
  std::vector<Vec3> from = simulation.state().x;
  if (shapes) shapes->push_back(simulation.state());
  const double until = 0.02 / speed + 0.01;
  double next = until / 4;
  const StepReport report = simulation.run(until, [&](const StepReport& step) {
    const State& state = simulation.state();
    out.passed += static_cast<int>(check.between(from, state.x).size());
    from = state.x;
    const measure::Momentum now = measure::momentum(model, state);
    out.linear = std::max(out.linear, norm(now.linear - start.linear) / own);
    out.angular = std::max(out.angular, norm(now.angular - start.angular) / turning);
    const Energies energies = simulation.energies();
    out.touched = out.touched || energies.contact > 0;
    out.gain = std::max(out.gain, energies.total() / energy - 1);
    out.rise = std::max(out.rise, (energies.total() - before) / energy);
    before = energies.total();
    ++out.steps;
    if (shapes && step.time >= next) {
      shapes->push_back(state);
      next += until / 4;
    }
    return true;
  });
  if (!report.accepted()) throw stopped_at(report.time, report.cause);
  out.energy_left = before / energy;
  return out;
}

// Root mean square over the angles of how much angular momentum all came by when they have met at 1 m/s: of a flying rod's at
// half its length.
double turning_left(const std::string& integrator, double dt) {
  const std::vector<double> blows{20, 45, 70, 90};  // degrees: at less they stay together
  double sum = 0;
  for (const double angle : blows) {
    Simulation simulation(meeting(integrator, 1, angle, dt, "1e-12"));  // so that what is left over in steps does not count
    const Model& model = simulation.model();
    const measure::Momentum start = measure::momentum(model, simulation.state());
    const StepReport report = simulation.run(0.03);
    if (!report.accepted()) throw stopped_at(report.time, report.cause);
    const Vec3 drift = measure::momentum(model, simulation.state()).angular - start.angular;
    sum += dot(drift, drift) / (0.01 * dot(start.linear, start.linear));
  }
  return std::sqrt(sum / static_cast<double>(blows.size()));
}

void perform(study::Result& result, const study::Context& context) {
  result.expect("passed_through", Expectation::within(0, 0, "rods are solid"));
  result.expect("not_touched", Expectation::within(0, 0, "all of them meet"));
  result.expect("linear_momentum", Expectation::at_most(1e-9, "nothing acts from outside"));
  for (const std::string integrator : {"euler", "midpoint"})
    result.expect("angular_order_" + integrator,
                  Expectation::at_least(0.8, "a blow falls within a step, at some part of it: first order of what it turns"));
  result.expect("energy_gain", Expectation::at_most(1e-9, "nothing acts from outside"));
  result.notes = {
      "linear_momentum, angular_momentum: largest drift, over the momentum of the flying rod (angular: times half its length)",
      "energy_gain: largest energy above that of the start, over it; energy_rise: largest from one step to the next; "
      "energy_left: least and "
      "most of all meetings at the end",
      "angular_order: of the drift of angular momentum when rods have met at 1 m/s, root mean square over the angles, from steps "
      "of "
      "1 ms to a sixteenth",
      "passed_through: crossings of segments in all steps, by measure/passing.h"};
  int passed = 0, untouched = 0;
  double linear = 0, gain = 0;
  for (const std::string integrator : {"euler", "midpoint"}) {
    double angular = 0, rise = 0, least = 1, most = 0;
    for (const double speed : speeds)
      for (const double angle : angles) {
        context.progress(fmt::format("{}, {} m/s, {} degrees", integrator, speed, angle));
        std::vector<State> shapes;
        const bool shown = speed == 10 && angle == 45;
        const Met met = meet(integrator, speed, angle, shown ? &shapes : nullptr);
        passed += met.passed;
        untouched += met.touched || met.energy_left < 0.999 ? 0 : 1;
        linear = std::max(linear, met.linear);
        gain = std::max(gain, met.gain);
        angular = std::max(angular, met.angular);
        rise = std::max(rise, met.rise);
        least = std::min(least, met.energy_left);
        most = std::max(most, met.energy_left);
        if (shown) {
          const Simulation drawn(Model(embedded_scene(folder + "scene.yaml")));
          draw_side_by_side(result, "Two rods meet at 10 m/s and 45 degrees, " + integrator, drawn.model(), shapes);
        }
      }
    context.progress(integrator + ", smaller steps");
    const double coarse = turning_left(integrator, 2.5e-4), fine = turning_left(integrator, 6.25e-5);
    result.measure("angular_order_" + integrator, std::log(coarse / fine) / std::log(4));
    result.measure("angular_momentum_" + integrator, angular);
    result.measure("energy_rise_" + integrator, rise);
    result.measure("least_energy_left_" + integrator, least);
    result.measure("most_energy_left_" + integrator, most);
  }
  result.measure("passed_through", passed);
  result.measure("not_touched", untouched);
  result.measure("linear_momentum", linear);
  result.measure("energy_gain", gain);
}

}  // namespace

study::Experiment experiment() {
  return {"contact-crossing", "Two rods meet", "docs/theory/contact.md, \"Nothing passes\"", true, perform};
}

}  // namespace writhe::experiments::contact_crossing
