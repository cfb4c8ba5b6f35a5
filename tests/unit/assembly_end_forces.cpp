// Reactions of supports, and forces and moments at the ends of rods, against balance and formulas.
#include <cmath>

#include <gtest/gtest.h>

#include "assembly/end_forces.h"
#include "measure/measure.h"
#include "measure/node_fields.h"
#include "support/scenes.h"
#include "support/statics.h"

using namespace writhe;
using namespace writhe::test;

namespace {

using assembly::EndForces;

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
  EXPECT_LT(norm(a - b), tolerance) << a.x << " " << a.y << " " << a.z << " and not " << b.x << " " << b.y << " " << b.z;
}

EndForces forces_of(const Model& model, const State& state) {
  EndForces out(model);
  out.update(state);
  return out;
}

// A cord that bends out of a plane under its weight and is twisted by a force beside it.
Scene bent_cantilever() {
  Scene scene = Cord{.length = 0.3, .segments = 12}.scene();
  scene.gravity = {0, 0, -9.81};
  clamp(scene, "rod.start");
  load(scene, ForceLoad{Place::parse("rod.end"), {0, 0.02, 0.01}});
  load(scene, LineLoad{"rod", {0, 0.1, 0}});
  return scene;
}

// What supports and loads of a rod in motion must add up to: the change of its momentum, weight and mass damping taken off.
Vec3 needed(const Model& model, const Vec3& momentum_before, const Vec3& momentum_after, double dt) {
  double mass = 0;
  for (const double m : model.nodes().mass) mass += m;
  return (momentum_after - momentum_before) / dt - mass * model.scene().gravity + model.scene().damping.mass * momentum_after;
}

// A cord that is carried about by its clamp and lets its end swing.
Scene carried() {
  Scene scene = Cord{.length = 0.3, .segments = 10}.scene();
  scene.gravity = {0, 0, -9.81};
  clamp(scene, "rod.start");
  Motion& motion = scene.supports[0].motion.emplace();
  motion.easing = Easing::smoother;
  motion.translate.keys = {{0, {0, 0, 0}}, {0.4, {0.2, 0.1, -0.1}}};
  motion.axis = {0, 0, 1};
  motion.angle.keys = {{0, 0}, {0.4, 1.0}};
  scene.damping.mass = 2;
  scene.dt = 1e-3;
  return scene;
}

}  // namespace

TEST(EndForces, ACantileverRestsOnItsClampWithItsWholeLoad) {
  const Scene scene = bent_cantilever();
  const Statics rod = solved(scene);
  const Model& model = rod.model();
  const Vec3 sum = Vec3{0, 0.02, 0.01} + Vec3{0, 0.1 * 0.3, 0} + model.rods()[0].mass * scene.gravity;
  Vec3 moment = cross(rod.state().x.back(), {0, 0.02, 0.01});  // about the clamp, at the origin
  for (int i = 0; i < model.node_count(); ++i)
    moment += cross(rod.state().x[i], model.nodes().mass[i] * scene.gravity + model.nodes().length[i] * Vec3{0, 0.1, 0});

  const std::vector<Reaction> reactions = rod.reactions();
  ASSERT_EQ(reactions.size(), 1U);
  expect_near(reactions[0].force, -sum, 1e-9);
  expect_near(reactions[0].moment, -moment, 1e-9);

  // The same at the end of the rod, in the axes of the clamp; what acts on the part before, which is the clamp.
  const measure::RodEnds::One start = forces_of(model, rod.state()).ends().of[0][0];
  const Quat axes = rod.state().q[model.segment_count()];
  expect_near(rotate(axes, start.force), sum, 1e-9);
  expect_near(rotate(axes, start.moment), moment, 1e-9);
}

TEST(EndForces, AFreeEndHasWhatIsAppliedThere) {
  Scene scene = bent_cantilever();
  load(scene, MomentLoad{Place::parse("rod.end"), {1e-4, -2e-4, 3e-4}, true});
  const Statics rod = solved(scene);
  const measure::RodEnds::One end = forces_of(rod.model(), rod.state()).ends().of[0][1];
  expect_near(rotate(rod.state().q[rod.model().segment_count() - 1], end.force), {0, 0.02, 0.01}, 1e-12);
  expect_near(end.moment, {1e-4, -2e-4, 3e-4}, 1e-15);
  scene.loads.clear();
  const Statics bare = solved(scene);
  const measure::RodEnds::One nothing = forces_of(bare.model(), bare.state()).ends().of[0][1];
  expect_near(nothing.force, {0, 0, 0}, 1e-15);
  EXPECT_EQ(nothing.moment, Vec3{});
}

// Moved about, a free end has nothing still: its last half segment's inertia is not taken for a force on it.
TEST(EndForces, AFreeEndThatSwingsHasNothing) {
  Simulation rod = simulate(carried());
  rod.run(0.2);
  const measure::RodEnds::One end = forces_of(rod.model(), rod.state()).ends().of[0][1];
  EXPECT_GT(measure::max_speed(rod.state()), 0.1);
  EXPECT_GT(norm(measure::segment_force(rod.model(), rod.state(), rod.model().segment_count() - 1)), 1e-4);
  expect_near(end.force, {0, 0, 0}, 1e-14);
}

TEST(EndForces, ProbesAndNodesHaveThemAtTheEndAndGoOverToTheSegments) {
  const Statics rod = solved(bent_cantilever());
  const Model& model = rod.model();
  const EndForces forces = forces_of(model, rod.state());
  const auto gauge = [&](const char* place) { return measure::Gauge(model, model.resolve(Place::parse(place), "")); };
  const measure::RodEnds::One start = forces.ends().of[0][0];
  EXPECT_EQ(gauge("rod.start").force(model, rod.state(), &forces.ends()), start.force);
  EXPECT_EQ(gauge("rod.start").moment(model, rod.state(), &forces.ends()), start.moment);
  // A quarter of the first of 12 segments: half way from the end to the middle of the segment.
  const Vec3 first = measure::segment_force(model, rod.state(), 0);
  expect_near(gauge("rod@0.02083333333333333").force(model, rod.state(), &forces.ends()), 0.5 * (start.force + first), 1e-12);
  measure::NodeFields fields;
  measure::node_fields(model, rod.state(), measure::segment_joints(model), 0, fields, &forces.ends());
  EXPECT_EQ(fields.force.front(), start.force);
  EXPECT_EQ(fields.moment.front(), start.moment);
  EXPECT_EQ(fields.force.back(), forces.ends().of[0][1].force);
}

// Two cords that hang one below the other: where they are joined the upper carries the lower one, exactly on any mesh.
TEST(EndForces, ARodHangsOnTheJunctionWithItsOwnWeight) {
  Scene scene = Cord{.segments = 3}.scene();
  scene.gravity = {0, 0, -9.81};
  scene.rods[0].centreline = LineShape{{0, 0, 2}, {0, 0, 1}};
  Rod lower = scene.rods[0];
  lower.name = "lower";
  lower.centreline = LineShape{{0, 0, 1}, {0, 0, 0.4}};
  lower.segments = 5;
  scene.rods.push_back(lower);
  scene.joints.push_back({"", {Place::parse("rod.end"), Place::parse("lower.start")}});
  clamp(scene, "rod.start");
  const Statics rods = solved(scene);
  const EndForces forces = forces_of(rods.model(), rods.state());
  const double upper_weight = 9.81 * rods.model().rods()[0].mass, lower_weight = 9.81 * rods.model().rods()[1].mass;
  EXPECT_NEAR(forces.ends().of[0][0].force.z, upper_weight + lower_weight, 1e-9);
  EXPECT_NEAR(forces.ends().of[0][1].force.z, lower_weight, 1e-9);
  EXPECT_NEAR(forces.ends().of[1][0].force.z, lower_weight, 1e-9);
  EXPECT_NEAR(forces.ends().of[1][1].force.z, 0, 1e-12);
}

// A pin that holds two coordinates, a spring at the same node: the spring is not the pin's force.
TEST(EndForces, ASupportExertsNothingAlongWhatItDoesNotHoldNorWhatALinkExerts) {
  Scene scene = Cord{.length = 0.3, .segments = 6}.scene();
  scene.gravity = {0, 0, -9.81};
  clamp(scene, "rod.start");
  pin(scene, "rod.end", "yz");
  Link spring;
  spring.from = Place::parse("rod.end");
  spring.to = Vec3{0.3, 0, 0.1};
  spring.stiffness = 3;
  spring.rest_length = 0.05;
  scene.links.push_back(spring);
  const Statics rod = solved(scene);
  const std::vector<Reaction> reactions = rod.reactions();
  ASSERT_EQ(reactions.size(), 2U);
  EXPECT_EQ(reactions[1].force.x, 0);
  EXPECT_EQ(reactions[1].moment, Vec3{});
  const Vec3 way = Vec3{0.3, 0, 0.1} - rod.state().x.back();
  const Vec3 pull = (3 * (norm(way) - 0.05) / norm(way)) * way;
  EXPECT_GT(pull.z, 0.1);
  expect_near(reactions[0].force + reactions[1].force + pull, -rod.model().rods()[0].mass * scene.gravity, 1e-9);
}

// Implicit Euler changes the momentum of the whole rod by weight, damping and reaction, exactly.
TEST(EndForces, TheReactionOfAMovingClampIsTheChangeOfMomentum) {
  Simulation rod = simulate(carried());
  rod.run(0.15);
  for (int k = 0; k < 20; ++k) {
    const Vec3 before = measure::momentum(rod.model(), rod.state()).linear;
    ASSERT_TRUE(rod.step(1e-3).accepted());
    const Vec3 after = measure::momentum(rod.model(), rod.state()).linear;
    const Vec3 expected = needed(rod.model(), before, after, 1e-3);
    EXPECT_GT(norm(expected), 0.1);
    expect_near(rod.reactions()[0].force, expected, 1e-7 * norm(expected));
  }
}

// By midpoint it is that at the end of a step, to second order: the mean of two ends is the mean over the step.
TEST(EndForces, SoItIsWithMidpointInTheMeanOverAStep) {
  Scene scene = carried();
  scene.solver.integrator = Integrator::midpoint;
  scene.damping.internal = 2e-3;
  Simulation rod = simulate(scene);
  rod.run(0.15);
  for (int k = 0; k < 20; ++k) {
    const measure::Momentum before = measure::momentum(rod.model(), rod.state());
    const Vec3 force_before = rod.reactions()[0].force;
    ASSERT_TRUE(rod.step(1e-3).accepted());
    const measure::Momentum after = measure::momentum(rod.model(), rod.state());
    const Vec3 damped = scene.damping.mass * 0.5 * (before.linear - after.linear);  // `needed` has it at the end
    const Vec3 expected = needed(rod.model(), before.linear, after.linear, 1e-3) + damped;
    expect_near(0.5 * (force_before + rod.reactions()[0].force), expected, 2e-3 * norm(expected));
  }
}

// Pulled and twisted evenly, a light rod resists with its damping too: EA (strain + tau rate), GJ (twist + tau rate).
TEST(EndForces, ClampsFeelTheDampingOfStrainRates) {
  const Cord cord{.density = 1e-3};
  Scene scene = cord.scene();
  scene.damping.internal = 0.5;
  scene.dt = 1e-2;
  clamp(scene, "rod.start");
  clamp(scene, "rod.end");
  Motion& motion = scene.supports[1].motion.emplace();
  motion.translate.keys = {{0, {0, 0, 0}}, {10, {0.1, 0, 0}}};
  motion.twist.keys = {{0, 0}, {10, 2.0}};
  Simulation rod = simulate(scene);
  rod.run(2);
  const double stretch = 0.02 + 0.5 * 0.01, twist = 0.4 + 0.5 * 0.2;
  const double tension = cord.young * cord.area() * stretch, torque = cord.GJ() * twist;
  const std::vector<Reaction> reactions = rod.reactions();
  expect_near(reactions[1].force, {tension, 0, 0}, 1e-3 * tension);
  expect_near(reactions[0].force, {-tension, 0, 0}, 1e-3 * tension);
  expect_near(reactions[1].moment, {torque, 0, 0}, 1e-3 * torque);
  expect_near(reactions[0].moment, {-torque, 0, 0}, 1e-3 * torque);
  const measure::RodEnds ends = forces_of(rod.model(), rod.state()).ends();
  EXPECT_NEAR(ends.of[0][0].force.z, tension, 1e-3 * tension);
  EXPECT_NEAR(ends.of[0][1].moment.z, torque, 1e-3 * torque);
}
