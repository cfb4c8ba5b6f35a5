// How even contact is along segments. Three cases, without friction:
//
// (a) two parallel rods are pressed together by an even force per length q: they press each other by q everywhere, whatever their
//     segments. Rods of bending stiffness B even out what ends do to them over (4 B/K)^(1/4), K the stiffness of the barrier
//     where it holds q: a radius or two for these of rubber, and nothing of it reaches the middle half. (For steel it is 18
//     radii: in the middle half of rods of 100 radii the force then differs by 6%, with any segments.)
// (b) a rod of length L, lowered at its ends by d, is drawn across another that lies on a plane. It presses with 48 B d/L^3,
// which
//     beam theory lets grow by 8 (e/L)^2 where the other is e off its middle: with 7.5 mm of 400, by 0.3%;
// (c) a bowed rod, lowered at its ends, is drawn over a plane, and over a mesh of that plane: it presses with one force.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../common/embedded_scene.h"
#include "../common/flat_mesh.h"
#include "../common/illustrate.h"
#include "../common/static_study.h"
#include "contact/contacts.h"
#include "math/rotation.h"
#include "study/registry.h"

namespace writhe::experiments::contact_line {

namespace {

using study::Expectation;

const std::string folder = "experiments/contact-line/";
constexpr double radius = 0.001;  // m, of all scenes

// (largest - smallest)/mean.
double unevenness(const Points& points) {
  double low = points.front().second, high = low, sum = 0;
  for (const auto& [where, value] : points) {
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
  }
  return (high - low) * static_cast<double>(points.size()) / sum;
}

// ---- parallel rods -----------------------------------------------------------------------------------------------------------
struct Meshes {
  double length = 0;         // m: of the upper rod; the lower one is longer by a quarter
  int upper = 0, lower = 0;  // segments
};

// N/m: what presses the upper rod, over its middle half, each value the mean of a window as wide as a radius: (1 + cos)/2 falls
// off so smoothly that it does not matter where in it the points of contact are.
Points press_along(const Model& model, const State& state, double length) {
  contact::Contacts contacts(model);
  contacts.read(state);
  Points out;
  for (double at = -0.25 * length; at <= 0.25 * length; at += 0.25 * radius) {
    double sum = 0;
    for (const contact::Press& press : contacts.presses()) {
      const double off = std::abs(press.at.x - at) / radius;
      if (press.other_rod < 0 || off >= 1) continue;
      sum += 0.5 * (1 + std::cos(pi * off)) * (press.rod == 1 ? press.force.z : -press.force.z);
    }
    out.emplace_back(at / radius, sum / radius);
  }
  return out;
}

// Else the upper rod would roll off.
void hold_sideways(Scene& scene) {
  for (const Rod& rod : scene.rods)
    for (int node = 1; node <= rod.segments; ++node) {
      Support support;
      support.at = {rod.name, Place::Kind::node, 0, node};
      support.axes = "y";
      scene.supports.push_back(support);
    }
}

void measure_parallel(study::Result& result, const study::Context& context) {
  const std::vector<Meshes> all{{0.04, 400, 487}, {0.1, 100, 123}, {0.2, 40, 49}, {0.4, 20, 24}, {0.04, 400, 3}, {0.4, 20, 493}};
  double spread = 0, mean_ratio = 1;
  study::Plot plot = empty_plot("Two rods pressed together by 1 N/m", {"place / radius"}, {"force per length (N/m)"});
  for (const Meshes& meshes : all) {
    const double upper = meshes.length / meshes.upper / radius, lower = 1.25 * meshes.length / meshes.lower / radius;
    context.progress(fmt::format("segments of {:.3g} and {:.3g} radii", upper, lower));
    const auto line = [&](const char* rod, double length, double z) {
      return fmt::format("rods.{}.centreline.line={{from: [{}, 0, {}], to: [{}, 0, {}]}}", rod, -0.5 * length, z, 0.5 * length,
                         z);
    };
    Scene scene = embedded_scene(
        folder + "parallel.yaml",
        {line("upper", meshes.length, 3.02 * radius), line("lower", 1.25 * meshes.length, 1.01 * radius),
         fmt::format("rods.upper.segments={}", meshes.upper), fmt::format("rods.lower.segments={}", meshes.lower)});
    hold_sideways(scene);
    Simulation pressed{Model(scene)};
    const StepReport report = pressed.settle();
    if (!report.accepted()) throw stopped_at(report.time, report.cause);
    const Points press = press_along(pressed.model(), pressed.state(), meshes.length);
    const double uneven = unevenness(press);
    double mean = 0;
    for (const auto& [where, value] : press) mean += value / static_cast<double>(press.size());
    result.measure(fmt::format("spread_{}_{}", meshes.upper, meshes.lower), uneven);
    spread = std::max(spread, uneven);
    if (!(std::abs(mean - 1) < std::abs(mean_ratio - 1))) mean_ratio = mean;
    plot.series.push_back(experiments::line(fmt::format("{:.3g} and {:.3g} radii", upper, lower), thinned(press)));
  }
  result.measure("spread", spread);
  result.measure("press_ratio", mean_ratio);
  result.plots.push_back(std::move(plot));
}

// ---- drawn over --------------------------------------------------------------------------------------------------------------
// N: what presses a rod from below at every point of a path, once it is drawn.
struct Drawn {
  Points force;     // over the way in mm
  double side = 0;  // the largest force along the plane, over that from below
};

Drawn draw_over(study::Result& result, const std::string& title, const Scene& scene, int rod) {
  Statics statics{Model(scene)};
  contact::Contacts contacts(statics.model());
  Snapshots shapes({1, 3});
  Drawn out;
  Watch watch([&](const Model&, const State& state) {
    if (state.time < 1 - 1e-9) return;
    contacts.read(state);
    const Vec3 force = contacts.on_rod(rod);
    out.force.emplace_back(0.5 * (state.time - 1), force.z);
    out.side = std::max(out.side, std::hypot(force.x, force.y) / force.z);
  });
  statics.add_sink(watch);
  statics.add_sink(shapes);
  StaticOptions options;
  options.first_step = options.longest_step = 0.01;
  const StaticReport report = statics.solve(options);
  if (!report.converged()) throw stopped_at(report.time, report.cause);
  draw_side_by_side(result, title, statics.model(), shapes.states());
  return out;
}

study::Plot drawn_plot(const std::string& title, std::vector<study::Series> series) {
  study::Plot plot = empty_plot(title, {"part of the way"}, {"force (N)"});
  plot.series = std::move(series);
  return plot;
}

void measure_rod(study::Result& result, const study::Context& context) {
  context.progress("a rod drawn across another");
  const Drawn hard = draw_over(result, "A rod drawn across another", embedded_scene(folder + "across.yaml"), 1);
  result.measure("ripple_rod", unevenness(hard.force));
  result.measure("side_rod", hard.side);
  const auto lowered = [](int support) {
    return fmt::format("supports[{0}].motion.translate=[[0, [0, 0, 0]], [1, [0, 0, -0.0001]], [3, [0.015, {1}, -0.0001]]]",
                       support, support == 2 ? 0.015 : 0);
  };
  const Drawn light =
      draw_over(result, "Lowered by a tenth of that", embedded_scene(folder + "across.yaml", {lowered(2), lowered(3)}), 1);
  result.measure("ripple_rod_light", unevenness(light.force));
  result.plots.push_back(drawn_plot("A rod drawn across another", {line("lowered by its radius", hard.force)}));
  result.plots.push_back(drawn_plot("Lowered by a tenth of its radius", {line("lowered by a tenth of that", light.force)}));
}

void measure_mesh(study::Result& result, const study::Context& context) {
  context.progress("a rod drawn over a plane");
  Scene scene = embedded_scene(folder + "over.yaml");
  const Drawn plane = draw_over(result, "A bowed rod drawn over a plane", scene, 0);
  context.progress("a rod drawn over a mesh");
  Sheet sheet;
  sheet.length = 0.4;
  sheet.width = 0.2;
  sheet.columns = 32;
  sheet.rows = 16;
  scene.obstacles[0].shape = irregular_mesh(sheet);
  const Drawn mesh = draw_over(result, "A bowed rod drawn over a mesh", scene, 0);
  double mean = 0;
  for (const auto& [where, force] : plane.force) mean += force / static_cast<double>(plane.force.size());
  double off = 0;
  for (const auto& [where, force] : mesh.force) off = std::max(off, std::abs(force / mean - 1));
  result.measure("ripple_plane", unevenness(plane.force));
  result.measure("ripple_mesh", unevenness(mesh.force));
  result.measure("side_mesh", mesh.side);
  result.measure("mesh_against_plane", off);
  result.plots.push_back(
      drawn_plot("A rod drawn over a plane and over a mesh", {line("plane", plane.force), line("mesh", mesh.force)}));
}

void perform(study::Result& result, const study::Context& context) {
  result.expect("spread", Expectation::at_most(0.01, "force per length is what loads the upper rod"));
  result.expect("press_ratio", Expectation::within(1, 0.01, "force per length is what loads the upper rod"));
  result.expect("ripple_rod", Expectation::at_most(0.02, "beam theory: 0.3%"));
  result.expect("ripple_mesh", Expectation::at_most(0.02, "one force, as on a plane"));
  result.expect("mesh_against_plane",
                Expectation::at_most(1e-6, "what a flat mesh does adds up to the plane, however it is cut"));
  result.notes = {
      "spread: (largest - smallest)/mean of the force per length over the middle half, in windows of a radius; the worst of "
      "segments from a "
      "tenth of a radius to 20 radii; press_ratio: the mean over what loads it, the worst",
      "spread_A_B: of A and B segments",
      "ripple_rod, ripple_mesh: (largest - smallest)/mean of the force while a rod is drawn; ripple_rod_light: lowered by a "
      "tenth of its radius "
      "instead of one; side: largest force along the plane over that across it",
      "mesh_against_plane: largest difference of the force on the mesh from the mean on the plane, over that"};
  measure_parallel(result, context);
  measure_rod(result, context);
  measure_mesh(result, context);
}

}  // namespace

study::Experiment experiment() {
  return {"contact-line", "How even contact is along segments", "docs/theory/contact.md, \"Gap\"; balance of forces, beam theory",
          false, perform};
}

}  // namespace writhe::experiments::contact_line
