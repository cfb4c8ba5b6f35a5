// How stiffly what meets is kept apart: by how fast it moves when a step begins, and those that look at its end see it so.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "contact/contacts.h"
#include "contact/impact.h"
#include "contact_support.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

constexpr double radius = 0.005;               // m
constexpr double activation = 0.015 * radius;  // m

// Two rods across each other, 1 mm apart; the second comes down.
Scene falling(double speed) {
  Scene scene = Cord{.length = 0.2, .radius = radius, .segments = 20}.scene();
  scene.gravity = {};
  scene.rods.push_back(scene.rods[0]);
  scene.rods[1].name = "other";
  scene.rods[1].centreline = LineShape{{0.1, -0.1, 0.011}, {0.1, 0.1, 0.011}};
  scene.rods[1].velocity = {0, 0, -speed};
  scene.contact.between = Contact::Between::all;
  scene.solver.tolerance = 1e-9;
  return scene;
}

contact::Impact impact(const Model& model, const State& start, double dt, const std::vector<contact::Impact::Way>& ways = {}) {
  contact::Impact out(model);
  out.see(contact::Spans(model), start, dt, ways);
  return out;
}

double line_density(const Model& model) { return model.rods()[0].mass / model.rods()[0].length; }

}  // namespace

// What comes is stopped in a step; what is so slow that it needs longer for the gap, in that time.
TEST(ContactImpact, StopsWhatComes) {
  const Model model(falling(2));
  const State& start = model.initial_state();
  const double mass = line_density(model);
  EXPECT_NEAR(impact(model, start, 1e-3).press(0, 1, activation), mass * 2 / 1e-3, 1e-9 * mass * 2 / 1e-3);
  EXPECT_NEAR(impact(model, start, 1e-6).press(0, 1, activation), mass * 4 / activation, 1e-9 * mass * 4 / activation);
  EXPECT_EQ(impact(model, start, 1e-3).press(0, 0, activation), 0);
  EXPECT_EQ(impact(model, start, std::numeric_limits<double>::infinity()).press(0, 1, activation), 0);
}

// A rod that turns meets others, and itself, as fast as its ends go.
TEST(ContactImpact, CountsHowARodMovesInItself) {
  const Model model(falling(0));
  State start = model.initial_state();
  for (int k = 0; k <= 20; ++k) start.v[model.node_of(0, k)] = {0, 0, 0.3 * (k - 10)};
  const double mass = line_density(model);
  EXPECT_NEAR(impact(model, start, 1e-3).press(0, 1, activation), mass * 3 / 1e-3, 1e-9 * mass * 3 / 1e-3);
  EXPECT_NEAR(impact(model, start, 1e-3).press(0, 0, activation), mass * 6 / 1e-3, 1e-9 * mass * 6 / 1e-3);
}

// It depends on nothing that all of them do, nor on how one looks at it.
TEST(ContactImpact, IsTheSameForWhomeverMoves) {
  const Model model(falling(2));
  State start = model.initial_state();
  start.v[3] = {0.4, 0.7, -0.2};
  const double before = impact(model, start, 1e-3).press(0, 1, activation);
  const Quat turn = exp_rotation(Vec3{0.3, -1.1, 0.6});
  for (Vec3& v : start.v) v = rotate(turn, v) + Vec3{100, -20, 3};
  EXPECT_NEAR(impact(model, start, 1e-3).press(0, 1, activation), before, 1e-12 * 100 / 2 * before);
}

// Against a floor that sinks as fast as a rod falls it does not move; a ball that turns about itself passes where the rod is.
TEST(ContactImpact, ObstaclesMove) {
  Scene scene = falling(2);
  scene.obstacles.push_back({"floor", PlaneObstacle{{0, 0, -1}, {0, 0, 1}}, {}});
  scene.obstacles.push_back({"ball", SphereObstacle{{}, 0.1}, {}});
  const Model model(scene);
  const double dt = 1e-3, mass = line_density(model);
  contact::Impact::Way sinks, turns;
  sinks.to.shift = {0, 0, -2 * dt};
  turns.to.turn = exp_rotation(Vec3{0, 0, 5 * dt});  // 5 rad/s about the origin
  const contact::Impact impacts = impact(model, model.initial_state(), dt, {sinks, turns});
  EXPECT_NEAR(impacts.press_at(1, 0, activation), 0, 1e-9 * mass * 2 / dt);
  EXPECT_NEAR(impacts.press_at(0, 0, activation), mass * 2 / dt, 1e-9 * mass * 2 / dt);
  EXPECT_NEAR(impacts.press_at(0, 1, activation), mass * (5 * 0.2) / dt, 1e-4 * mass / dt);  // the far end of it
}

TEST(ContactImpact, IsReadAsItWasWritten) {
  Scene scene = falling(2);
  scene.obstacles.push_back({"floor", PlaneObstacle{{0, 0, -1}, {0, 0, 1}}, {}});
  const Model model(scene);
  State start = model.initial_state();
  start.v[3] = {0.4, 0.7, -0.2};
  const contact::Impact written = impact(model, start, 1e-3, std::vector<contact::Impact::Way>(1));
  std::vector<double> memory;
  written.write(memory);
  contact::Impact read(model);
  read.read(memory);
  EXPECT_EQ(read.press(0, 1, activation), written.press(0, 1, activation));
  EXPECT_EQ(read.press_at(1, 0, activation), written.press_at(1, 0, activation));
  read.read({});  // as at the very start
  EXPECT_EQ(read.press(0, 1, activation), 0);
}

// Faster rods meet stiffer barriers; not where the scene says how stiff they are.
TEST(ContactImpact, StiffensBarriers) {
  const auto stiffness = [](const Scene& scene) {
    const Model model(scene);
    contact::ContactTerm term(model);
    term.begin(model.initial_state(), {}, {1e-3, 1e-3, Integrator::euler});
    return term.element_count() > 0 ? term.stiffness(0) : 0;
  };
  const double slow = stiffness(falling(1)), fast = stiffness(falling(10));
  EXPECT_GT(slow, 0);
  EXPECT_NEAR(fast, 10 * slow, 1e-9 * fast);
  Scene given = falling(10);
  given.contact.stiffness = 1e6;
  EXPECT_NEAR(stiffness(given), 1e6 * 0.01, 1e-6);  // along a span of 1 cm
}

// What a step stored in contact, and how it pressed, is what is told of its end: by an independent sum over the term.
TEST(ContactImpact, IsKnownAtTheEndOfTheStep) {
  for (const Integrator integrator : {Integrator::euler, Integrator::midpoint}) {
    SCOPED_TRACE(integrator == Integrator::euler ? "euler" : "midpoint");
    Scene scene = falling(2);
    scene.solver.integrator = integrator;
    Simulation simulation = simulate(scene);
    const Model& model = simulation.model();
    contact::ContactTerm term(model);
    int touched = 0;
    for (int i = 0; i < 10; ++i) {
      const State start = simulation.state();
      ASSERT_TRUE(simulation.step(1e-3).accepted());
      const State& end = simulation.state();
      term.begin(start, {}, {end.time, end.time - start.time, Integrator::euler});
      double energy = 0;
      for (int e = 0; e < term.element_count(); ++e) energy += term.value(e, end).energy;
      EXPECT_NEAR(simulation.energies().contact, energy, 1e-12 * energy) << i;
      touched += energy > 0 ? 1 : 0;
    }
    EXPECT_GT(touched, 0);
  }
}
