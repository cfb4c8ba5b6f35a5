// `pd` where the load of a node is less than what rounding may make of a force there: a fine stiff rod, strong strain-rate
// damping in short steps, a place far from the origin. All the loads together move the rod, and by as much as `newton` has it.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

// A clamped wire along x that begins to fall.
struct Wire {
  const char* name;
  const char* material;
  double radius;        // m
  double from, length;  // m
  int segments;
  double damping;    // s
  double dt, until;  // s

  Scene scene(const char* method) const {
    Scene scene;
    scene.sections = {{"section", CircleSection{radius}}};
    Rod rod;
    rod.name = "wire";
    rod.section = "section";
    rod.material = material;
    rod.centreline = LineShape{{from, 0, 0}, {from + length, 0, 0}};
    rod.segments = segments;
    scene.rods = {rod};
    scene.damping.internal = damping;
    scene.dt = dt;
    scene.solver.method = method;
    clamp(scene, "wire.start");
    return scene;
  }
};

constexpr Wire wires[] = {
    {"damped", "steel", 1e-3, 0, 1, 1000, 0.02, 1e-4, 0.01},      {"strongly damped", "steel", 1e-3, 0, 1, 1000, 0.1, 1e-4, 0.01},
    {"suture", "suture", 1.5e-4, 3, 0.01, 100, 1e-3, 1e-4, 0.01}, {"hair", "hair", 5e-5, 1.7, 0.01, 100, 1e-3, 1e-4, 0.01},
    {"very far", "steel", 1e-3, 1e4, 0.5, 200, 0, 1e-3, 0.05},    {"far", "steel", 1e-3, 100, 0.5, 500, 0.01, 1e-3, 0.05},
};

struct Tip {
  double z, vz;  // m, m/s
};

Tip tip_of(const Wire& wire, const char* method) {
  Simulation simulation = simulate(wire.scene(method));
  const StepReport report = simulation.run(wire.until);
  EXPECT_TRUE(report.accepted()) << report.cause;
  return {simulation.state().x.back().z, simulation.state().v.back().z};
}

}  // namespace

TEST(PdLoadsBelowRounding, MoveTheRodAsNewtonHasIt) {
  for (const Wire& wire : wires) {
    SCOPED_TRACE(wire.name);
    const Tip exact = tip_of(wire, "newton"), found = tip_of(wire, "pd");
    EXPECT_NEAR(found.z, exact.z, 0.01 * std::abs(exact.z));
    // one that has nearly come to rest is judged by how fast it went there
    EXPECT_NEAR(found.vz, exact.vz, 0.01 * std::max(std::abs(exact.vz), std::abs(exact.z) / wire.until));
  }
}

// What is left of the forces is told, also where rounding keeps it above the limit.
TEST(PdLoadsBelowRounding, WhatIsLeftIsTold) {
  for (const char* method : {"newton", "pd"}) {
    Simulation simulation = simulate(wires[4].scene(method));
    const StepReport report = simulation.step(wires[4].dt);
    ASSERT_TRUE(report.accepted()) << report.cause;
    EXPECT_GT(report.residual, report.residual_limit) << method << ": coordinates of 1e4 m have too few digits for the tolerance";
  }
}
