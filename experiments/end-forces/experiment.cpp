// Force and moment at clamped, pinned, free and loaded ends, as a probe reads them: how fast they come to the exact ones on finer
// meshes, and that ends which nothing holds have just what is applied there.
//
// A cantilever has its weight at the clamp on any mesh, so the order is that of rods whose reactions do not follow from balance
// alone.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "../common/rest_study.h"
#include "../common/static_study.h"
#include "output/sink_columns.h"
#include "study/convergence.h"
#include "study/registry.h"

namespace writhe::experiments::end_forces {

namespace {

using study::Expectation;

const std::string folder = "experiments/end-forces/";
const std::vector<int> meshes{20, 40, 80, 160};
const std::vector<int> usb_meshes{60, 120, 240, 480};

// Components in the section's axes there.
struct Reading {
  Vec3 force{};   // N: shear along d1 and d2, tension
  Vec3 moment{};  // N m: about d1, d2, d3
};

// What probes.csv has of a probe with the fields tension, shear and moment.
Reading read(const Model& model, const State& state, const std::string& probe) {
  output::ProbeColumns columns(model);
  std::vector<double> values;
  columns.append(model, state, values);
  const auto find = [&](const char* quantity) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (columns.columns()[i].probe == probe && columns.columns()[i].quantity == quantity) return values[i];
    return std::numeric_limits<double>::quiet_NaN();
  };
  return {{find("shear1"), find("shear2"), find("tension")}, {find("moment1"), find("moment2"), find("moment3")}};
}

Reading reference(const std::string& rod, const std::string& end) {
  const auto json = embedded_reference(folder + "reference.json").at(rod).at(end);
  return {{json.at("shear1").get<double>(), 0, json.at("tension").get<double>()}, {0, json.at("moment2").get<double>(), 0}};
}

std::string segments(const std::string& rod, int count) { return fmt::format("rods.{}.segments={}", rod, count); }

// Of three errors or changes at the end of a row, each with half the segment length of the one before.
double order_of(const std::vector<int>& counts, const std::vector<double>& errors) {
  const std::vector<double> resolutions(counts.begin(), counts.end());
  const std::size_t taken = std::min<std::size_t>(3, errors.size());
  return study::convergence_order(std::span(resolutions).last(taken), std::span(errors).last(taken));
}

// Distances from the reference, over its size, on every mesh: error_<key>_n<segments> and order_<key>.
class Errors {
 public:
  explicit Errors(std::string key) : m_key(std::move(key)) {}

  void add(study::Result& result, int count, const Vec3& found, const Vec3& exact) {
    m_errors.push_back(norm(found - exact) / norm(exact));
    result.measure(fmt::format("error_{}_n{}", m_key, count), m_errors.back());
  }
  study::Series finish(study::Result& result) const {
    result.measure("order_" + m_key, order_of(meshes, m_errors));
    return over_meshes(m_key, meshes, m_errors);
  }

 private:
  std::string m_key;
  std::vector<double> m_errors;
};

// ---- between a clamp and a pin ---------------------------------------------------------------------------------------
void measure_hanging(study::Result& result, const study::Context& context, std::vector<study::Series>& plotted) {
  const Reading clamp = reference("hanging", "clamp"), pin = reference("hanging", "pin");
  Errors force_clamp("force_clamp"), moment_clamp("moment_clamp"), force_pin("force_pin");
  double moment_pin = 0;
  for (const int count : meshes) {
    context.progress(fmt::format("clamp and pin, {} segments", count));
    const Simulation rod = settled(folder + "hanging.yaml", {segments("rod", count)});
    const Reading at_clamp = read(rod.model(), rod.state(), "clamp"), at_pin = read(rod.model(), rod.state(), "pin");
    force_clamp.add(result, count, at_clamp.force, clamp.force);
    moment_clamp.add(result, count, at_clamp.moment, clamp.moment);
    force_pin.add(result, count, at_pin.force, pin.force);
    moment_pin = std::max(moment_pin, norm(at_pin.moment) / norm(clamp.moment));
    if (count == meshes.back()) draw(result, "Between a clamp and a pin", rod.model(), rod.state());
  }
  for (const Errors* errors : {&force_clamp, &moment_clamp, &force_pin}) plotted.push_back(errors->finish(result));
  result.measure("moment_pin", moment_pin);
}

// ---- cantilever ------------------------------------------------------------------------------------------------------
void measure_loaded(study::Result& result, const study::Context& context, std::vector<study::Series>& plotted) {
  const Reading clamp = reference("loaded", "clamp"), tip = reference("loaded", "tip");
  Errors force("force_loaded"), moment("moment_cantilever");
  double weight = 0;
  for (const int count : meshes) {
    context.progress(fmt::format("force at the end, {} segments", count));
    const Equilibrated rod = equilibrate(folder + "cantilever.yaml", {"loads[0].force=[0, 0, -5]", segments("rod", count)});
    const Reading at_clamp = read(rod.statics.model(), rod.statics.state(), "clamp");
    force.add(result, count, read(rod.statics.model(), rod.statics.state(), "tip").force, tip.force);
    moment.add(result, count, at_clamp.moment, clamp.moment);
    weight = std::max(weight, norm(at_clamp.force - clamp.force) / norm(clamp.force));
  }
  for (const Errors* errors : {&force, &moment}) plotted.push_back(errors->finish(result));
  result.measure("error_force_cantilever", weight);
}

// On the coarsest mesh: exact on any.
void measure_exact_ends(study::Result& result) {
  const std::string mesh = segments("rod", meshes.front());
  const Equilibrated free = equilibrate(folder + "cantilever.yaml", {mesh});
  const Reading root = read(free.statics.model(), free.statics.state(), "clamp");
  const Reading end = read(free.statics.model(), free.statics.state(), "tip");
  result.measure("force_free", norm(end.force) / norm(root.force));
  result.measure("moment_free", norm(end.moment) / norm(root.moment));
  // About -y, as d2 is.
  const Equilibrated turned = equilibrate(folder + "cantilever.yaml", {"loads[1].moment=[0, -2, 0]", mesh});
  const Vec3 moment = read(turned.statics.model(), turned.statics.state(), "tip").moment;
  result.measure("error_moment_loaded", norm(moment - Vec3{0, 2, 0}) / 2);
}

// ---- cable -----------------------------------------------------------------------------------------------------------
// Without an exact answer: by how much one mesh differs from the one before.
void measure_cable(study::Result& result, const study::Context& context) {
  std::vector<Reading> readings;
  std::vector<double> forces, moments;
  for (const int count : usb_meshes) {
    context.progress(fmt::format("cable, {} segments", count));
    const Simulation cable = settled(folder + "usb.yaml", {segments("cable", count)});
    readings.push_back(read(cable.model(), cable.state(), "socket"));
    result.measure(fmt::format("tension_usb_n{}", count), readings.back().force.z);
    if (readings.size() > 1) {
      forces.push_back(norm(readings.back().force - readings[readings.size() - 2].force));
      moments.push_back(norm(readings.back().moment - readings[readings.size() - 2].moment));
    }
    if (count == usb_meshes.back()) draw(result, "Cable between socket and gripper", cable.model(), cable.state());
  }
  const std::vector<int> finer(usb_meshes.begin() + 1, usb_meshes.end());
  result.measure("order_force_usb", order_of(finer, forces));
  result.measure("order_moment_usb", order_of(finer, moments));
  const std::size_t last = readings.size() - 1;
  result.measure("tension_usb", readings[last].force.z + (readings[last].force.z - readings[last - 1].force.z) / 3);
}

void state_expectations(study::Result& result) {
  const std::string second = "balance of node and frame of a second-order rod, docs/theory/rod.md";
  for (const char* key :
       {"force_clamp", "moment_clamp", "force_pin", "force_loaded", "moment_cantilever", "force_usb", "moment_usb"})
    result.expect(fmt::format("order_{}", key), Expectation::at_least(1.8, second));
  const std::string problem = "boundary value problem, " + folder + "reference.py";
  for (const char* key : {"force_clamp", "moment_clamp", "force_pin", "force_loaded", "moment_cantilever"})
    result.expect(fmt::format("error_{}_n160", key), Expectation::at_most(5e-4, problem));
  // What is left is the tolerance of the equilibrium.
  for (const char* key : {"error_force_cantilever", "error_moment_loaded", "moment_pin", "force_free", "moment_free"})
    result.expect(key, Expectation::at_most(1e-8, "balance of the whole rod, or of its end"));
  result.expect("tension_usb", Expectation::within(-0.0045, 0.0001, "balance of the whole cable on a fine mesh"));
}

void perform(study::Result& result, const study::Context& context) {
  state_expectations(result);
  result.notes = {
      "error_force and error_moment: distance from the reference over its size, in the axes of the section there; clamp, pin: a "
      "heavy rod between the two; loaded, cantilever: end and clamp of a heavy cantilever with a force at its end; free ends and "
      "moments at a pin over what the clamp has; tension_usb (N): at the socket of a cable that is clamped at both ends, the "
      "plain key extrapolated from the two finest meshes"};
  std::vector<study::Series> plotted;
  measure_hanging(result, context, plotted);
  measure_loaded(result, context, plotted);
  measure_exact_ends(result);
  measure_cable(result, context);
  result.plots.push_back(error_plot("Convergence at the ends", "distance from the reference / its size", std::move(plotted), 2));
}

}  // namespace

study::Experiment experiment() {
  return {"end-forces", "Force and moment at clamped, pinned, free and loaded ends",
          "planar rod that stretches and shears (Reissner 1972) as a boundary value problem; balance of forces", false, perform};
}

}  // namespace writhe::experiments::end_forces
