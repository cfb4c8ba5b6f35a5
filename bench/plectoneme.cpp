// A step of `newton` in contact: the twisted cord of experiments/plectoneme (E 1.3 MPa, nu 0.5, r 1.55 mm, L 0.5 m, 300 segments,
// clamps 0.35 m apart), wound up by 23.5 turns in 1.5 s with some damping, in steps of 2 ms, and then twisted on by a turn a
// second. Once it has come to that, steps of 1 ms are timed: median.
#include <stdexcept>

#include <fmt/format.h>

#include "contact/contacts.h"
#include "harness.h"
#include "math/rotation.h"
#include "rubber.h"
#include "writhe/writhe.h"

namespace writhe::bench {

namespace {

constexpr double dt = 1e-3;                                // s
constexpr double together = 0.5, wound = 2, steady = 2.4;  // s: clamps are there, are turned, all else has died down
constexpr int steps = 100;

Scene cord(int segments) {
  Scene scene = rubber_scene(0.00155);
  scene.materials.front().young = 1.3e6;
  scene.materials.front().density = 1100;
  scene.gravity = {};
  add_rod(scene, "rod", {{0, 0, 0}, {0.5, 0, 0}}, segments);
  add_support(scene, Support::Kind::clamp, Place::parse("rod.start"));
  Motion motion;
  motion.translate.keys = {{0, {0, 0, 0}}, {together, {-0.15, 0, 0}}};
  motion.twist.keys = {{together, 0}, {wound, 23.5 * 2 * pi}, {wound + 1, 24.5 * 2 * pi}};
  add_support(scene, Support::Kind::clamp, Place::parse("rod.end")).motion = motion;
  ForceLoad lift;
  lift.force = {0, 0, 1e-4};
  lift.at = Place::parse("rod@0.5");
  scene.loads.push_back({lift, Ramp{{{0, 1}, {together, 1}, {2 * together, 0}}}});
  scene.contact.self = true;
  scene.damping = {5, 0.002};
  scene.dt = 2 * dt;
  scene.until = wound + 1;
  return scene;
}

}  // namespace

std::vector<Row> plectoneme(const Yardstick& yardstick) {
  Simulation simulation(Model(cord(300)), {.threads = 1});
  if (const StepReport report = simulation.run(steady); !report.accepted())
    throw std::runtime_error("plectoneme: " + report.cause);
  std::vector<double> times, iterations;
  for (int k = 0; k < steps; ++k) {
    const double start = cpu_seconds();
    const StepReport report = simulation.step(dt);
    times.push_back(cpu_seconds() - start);
    if (!report.accepted()) throw std::runtime_error("plectoneme: " + report.cause);
    iterations.push_back(report.iterations);
  }
  contact::Contacts contacts(simulation.model());
  contacts.read(simulation.state());
  const double touches = static_cast<double>(contacts.presses().size());
  if (touches < 400) throw std::runtime_error(fmt::format("plectoneme: {} contacts, it has not wound up", touches));
  return {{"contact_plectoneme_300_step", 1e3 * median(times), "ms", 8 * yardstick.slowness(),
           "8 ms on a core with yardstick 25.1 ms"},
          {"contact_plectoneme_300_iterations", median(iterations), "a step", 0, ""},
          {"contact_plectoneme_300_presses", touches, "", 0, ""}};
}

}  // namespace writhe::bench
