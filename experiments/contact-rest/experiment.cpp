// A rod comes to rest on a plane, on a mesh of the same plane, and across two edges of a box. Without friction what presses it
// from below is its weight, rho pi r^2 L g.
//
// Where the plane or the mesh is tilted by an angle a, it slides down with the acceleration g sin a, whichever way it lies.
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "../common/embedded_scene.h"
#include "../common/flat_mesh.h"
#include "../common/illustrate.h"
#include "contact/contacts.h"
#include "math/rotation.h"
#include "measure/measure.h"
#include "study/registry.h"

namespace writhe::experiments::contact_rest {

namespace {

using study::Expectation;

const std::string folder = "experiments/contact-rest/";
constexpr double gravity = 9.81;                                // m/s^2
constexpr double tilt = 20 * pi / 180;                          // rad
constexpr double radius = 0.001, length = 0.2, density = 1300;  // m, kg/m^3: of the scenes

// The plane of a scene as a mesh, below where the rod is and where it slides to.
void make_mesh(Scene& scene) {
  const Vec3 normal = normalized(std::get<PlaneObstacle>(scene.obstacles[0].shape).normal);
  Sheet sheet;
  sheet.across = {0, 1, 0};
  sheet.along = cross(sheet.across, normal);
  sheet.length = 1;
  sheet.width = 0.4;
  sheet.columns = 24;
  sheet.rows = 12;
  scene.obstacles[0].shape = irregular_mesh(sheet);
}

struct Rest {
  double force_ratio = 0, speed = 0, least_gap = 0;  // N over N; m/s, afterwards; m, of all steps on the way
};

Rest come_to_rest(study::Result& result, const std::string& title, const Scene& scene) {
  Simulation simulation{Model(scene)};
  contact::Contacts contacts(simulation.model());
  Rest out;
  out.least_gap = radius;
  const StepReport report = simulation.settle({}, [&](const StepReport&) {
    contacts.read(simulation.state());
    out.least_gap = std::min(out.least_gap, contacts.least_gap());
    return true;
  });
  if (!report.accepted()) throw stopped_at(report.time, report.cause);
  contacts.read(simulation.state());
  out.force_ratio = contacts.on_rod(0).z / (density * pi * radius * radius * length * gravity);
  // Rest is declared with speeds of zero: what they are is seen in steps that follow.
  const StepReport after = simulation.run(simulation.state().time + 0.05, [&](const StepReport& step) {
    out.speed = std::max(out.speed, step.max_speed);
    return true;
  });
  if (!after.accepted()) throw stopped_at(after.time, after.cause);
  draw(result, title, simulation.model(), simulation.state());
  return out;
}

// ---- on a slope --------------------------------------------------------------------------------------------------------------
std::string vector_text(const Vec3& v) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x, v.y, v.z); }

// Of the ratios of speed down the slope to g sin a t, the one that is farthest from 1.
double slide(const std::string& integrator, bool mesh) {
  const Vec3 normal{std::sin(tilt), 0, std::cos(tilt)}, down{std::cos(tilt), 0, -std::sin(tilt)};
  const Vec3 middle = 1.01 * radius * normal - 0.2 * down, half = 0.5 * length * (0.6 * down + Vec3{0, 0.8, 0});
  Scene scene = embedded_scene(folder + "plane.yaml",
                               {"solver.integrator=" + integrator, "obstacles[0].plane.normal=" + vector_text(normal),
                                "rods.cord.centreline.line.from=" + vector_text(middle - half),
                                "rods.cord.centreline.line.to=" + vector_text(middle + half)});
  if (mesh) make_mesh(scene);
  Simulation simulation{Model(scene)};
  const double mass = simulation.model().rods()[0].mass;
  double worst = 1;
  const StepReport report = simulation.run(scene.until, [&](const StepReport& step) {
    const double speed = dot(measure::momentum(simulation.model(), simulation.state()).linear, down) / mass;
    const double ratio = speed / (gravity * std::sin(tilt) * step.time);
    if (std::abs(ratio - 1) > std::abs(worst - 1)) worst = ratio;
    return true;
  });
  if (!report.accepted()) throw stopped_at(report.time, report.cause);
  contact::Contacts contacts(simulation.model());
  contacts.read(simulation.state());
  if (!(contacts.least_gap() > 0)) throw stopped_at(report.time, "the rod is in the slope");
  return worst;
}

void perform(study::Result& result, const study::Context& context) {
  result.expect("force_ratio", Expectation::within(1, 1e-6, "weight, rho pi r^2 L g"));
  result.expect("least_gap", Expectation::at_least(1e-15, "rods are solid"));
  result.expect("settled_speed", Expectation::at_most(1e-6, "it rests"));
  result.expect("slide_ratio", Expectation::within(1, 5e-3, "no friction: g sin a"));
  result.notes = {
      "force_ratio: what presses the rod from below over its weight; the worst of plane, mesh and box",
      "least_gap: smallest gap of all steps, m; settled_speed: largest of a node in 0.05 s after it has come to rest, m/s",
      "slide_ratio: speed down a slope of 20 degrees over g sin a t, the worst of all steps of euler and midpoint on plane and "
      "mesh"};
  Rest worst{1, 0, radius};
  const auto rest = [&](const std::string& name, const std::string& title, const Scene& scene) {
    context.progress(title);
    const Rest one = come_to_rest(result, title, scene);
    result.measure("force_ratio_" + name, one.force_ratio);
    if (!(std::abs(one.force_ratio - 1) < std::abs(worst.force_ratio - 1))) worst.force_ratio = one.force_ratio;
    worst.speed = std::max(worst.speed, one.speed);
    worst.least_gap = std::min(worst.least_gap, one.least_gap);
  };
  const Scene plane = embedded_scene(folder + "plane.yaml");
  Scene mesh = plane;
  make_mesh(mesh);
  rest("plane", "A cord at rest on a plane", plane);
  rest("mesh", "A cord at rest on a mesh", mesh);
  rest("box", "A cord at rest across a box", embedded_scene(folder + "box.yaml"));
  result.measure("force_ratio", worst.force_ratio);
  result.measure("least_gap", worst.least_gap);
  result.measure("settled_speed", worst.speed);
  double slides = 1;
  for (const std::string integrator : {"euler", "midpoint"})
    for (const bool on_mesh : {false, true}) {
      context.progress(fmt::format("sliding down a {}, {}", on_mesh ? "mesh" : "plane", integrator));
      const double ratio = slide(integrator, on_mesh);
      result.measure(fmt::format("slide_ratio_{}_{}", on_mesh ? "mesh" : "plane", integrator), ratio);
      if (!(std::abs(ratio - 1) < std::abs(slides - 1))) slides = ratio;
    }
  result.measure("slide_ratio", slides);
}

}  // namespace

study::Experiment experiment() {
  return {"contact-rest", "A rod at rest on a plane, a mesh and a box",
          "weight of the rod; docs/theory/contact.md, \"Obstacles\"", false, perform};
}

}  // namespace writhe::experiments::contact_rest
