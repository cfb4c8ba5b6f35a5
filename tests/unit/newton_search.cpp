// How a step of `newton` gets to its end: the search goes down, a net is not done while it still moves, and a moment on a free
// frame counts as a force on the shortest segment there.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "assembly/scales.h"
#include "assembly/terms_of.h"
#include "solvers/net_potential.h"
#include "support/scenes.h"
#include "support/stepper.h"

using namespace writhe;
using namespace writhe::test;

namespace {

// Raises the residual at which a step is accepted, tolerance * (loads + largest force inside), and does nothing else: the force
// (N) acts on what is held.
void press(Scene& scene, const std::string& held, double force) {
  load(scene, ForceLoad{Place::parse(held), {0, 0, -force}, false});
}

Rod rod(const std::string& name, const Vec3& from, const Vec3& to, int segments) {
  Rod out = Cord{}.scene().rods[0];
  out.name = name;
  out.centreline = LineShape{from, to};
  out.segments = segments;
  return out;
}

// ---- the search ------------------------------------------------------------------------------------------------------------
// The incremental potential of a step of dt (s) from where a stepper is, J. By the elements of a net: the search of a chain looks
// at sums of the chain's own.
struct Potential {
  std::shared_ptr<NetStates> states;
  NetPotential net;
  Potential(Stepper& from, double dt)
      : states(std::make_shared<NetStates>(from.model)),
        net(from.model, rods_and_joints(from.model, std::vector{0}, joints_by_rod(from.model)), states, terms_of(from.model)) {
    net.load(from.state, from.drive.at(from.model, from.state, from.state.time + dt), dt);
  }
  double at(const State& state) const {
    states->trial.x = state.x;
    states->trial.q = state.q;
    Eigen::VectorXd gradient(net.assembly().size());
    return net.evaluate(gradient).sums.energy;
  }
};

// A cantilever with the force `number` EI/L^2 across its end, no gravity.
Scene cantilever(double number) {
  const Cord cord;
  Scene scene = cord.scene();
  clamp(scene, "rod.start");
  load(scene, ForceLoad{Place::parse("rod.end"), {0, 0, -number * cord.EI() / (cord.length * cord.length)}, false});
  return scene;
}

// The start of a step of 10 s, which has hardly any inertia. The first linear answer bends a straight cantilever by a third of
// its length without shortening it, and the stretch, which is stiff, costs far more than the bend gains.
struct Uphill {
  std::string name = "straight";
  Scene scene = cantilever(1);
  State start = Model(scene).initial_state();
};

// Every other node is thrown up, the others down: the prediction, straight flight, tears the rod apart.
Uphill thrown() {
  Uphill out{"thrown"};
  for (std::size_t i = 1; i < out.start.v.size(); ++i) out.start.v[i].z = i % 2 == 0 ? 0.1 : -0.1;  // m/s
  return out;
}

// The frame of the only segment is turned across it by this (rad), and shear wants it back. Its energy is not convex on the way:
// a point farther on may lie higher and yet be less steep.
Uphill turned(double across) {
  DirectSection section{.EA = 100, .GA = 100, .EI1 = 1, .EI2 = 1, .GJ = 1, .linear_density = 0.1};
  section.inertia1 = section.inertia2 = section.inertia3 = 1e-4;
  Uphill out{"turned by " + std::to_string(across), Cord{.segments = 1}.scene()};
  out.scene.sections = {{"section", section}};
  clamp(out.scene, "rod.start");
  out.start = Model(out.scene).initial_state();
  out.start.q[0] = out.start.q[0] * exp_rotation(Vec3{across, 0, 0});
  return out;
}

// The tolerance decides where a step stops and nothing else, so that stopping it ever later shows iterates. The last ones differ
// by rounding errors of the potential, for which a billionth of the whole way is left.
TEST(NewtonSearch, NoIterateLiesHigherThanTheOneBefore) {
  const double dt = 10;  // s
  for (const Uphill& uphill : {Uphill{}, thrown(), turned(1.6), turned(1.7), turned(1.8), turned(1.9), turned(2)}) {
    SCOPED_TRACE(uphill.name);
    double last = 0, highest = 0;  // J
    std::vector<int> seen;
    for (double held = 1e12; held > 1e-3; held /= 3) {  // N
      Scene scene = uphill.scene;
      scene.solver.tolerance = 1e-9;
      press(scene, "rod.start", held);
      Stepper stepper(scene);
      stepper.state = uphill.start;
      const Potential potential(stepper, dt);
      if (seen.empty()) last = highest = potential.at(stepper.state);
      const StepReport report = stepper.step(dt);
      ASSERT_TRUE(report.accepted()) << report.cause;
      const double end = potential.at(stepper.state);
      ASSERT_LE(end, last + 1e-9 * (highest - end)) << "J, after " << report.iterations << " iterations";
      last = end;
      if (seen.empty() || seen.back() != report.iterations) seen.push_back(report.iterations);
    }
    EXPECT_EQ(seen.front(), 1);
    EXPECT_GT(seen.size(), 2U) << "too few iterates to tell";
  }
}

// Without inertia and from straight, in one step: full steps of Newton's method blow the rod up. Table of Mattiasson, Int. J.
// Numer. Methods Eng. 17 (1981); 20 segments err by about 1/400 of how far the end goes.
TEST(NewtonSearch, OneLongStepFindsTheElastica) {
  const double table[][3] = {{2, 0.16064, 0.49346}, {5, 0.38763, 0.71379}, {10, 0.55500, 0.81061}};
  for (const auto& [number, shortening, deflection] : table) {  // F L^2/EI; parts of the length
    SCOPED_TRACE(number);
    Scene scene = cantilever(number);
    scene.solver.newton.max_iterations = 1000;  // how many it takes is not what is asked
    Stepper stepper(scene);
    const StepReport report = stepper.step(1e4);
    ASSERT_TRUE(report.accepted()) << report.cause;
    EXPECT_NEAR(1 - stepper.state.x.back().x, shortening, 3e-3);
    EXPECT_NEAR(-stepper.state.x.back().z, deflection, 3e-3);
  }
}

// ---- when a net is done ----------------------------------------------------------------------------------------------------
// A hair of 0.1 m along x, pulled down by `share` of its weight.
Scene hair(double share) {
  const Cord cord{.length = 0.1, .radius = 4e-5, .young = 4e9, .poisson = 0.4, .density = 1300, .segments = 20};
  Scene scene = cord.scene();
  load(scene, LineLoad{"rod", {0, 0, -share * 9.81 * cord.linear_density()}});
  return scene;
}

// In the middle of a steel bar without weight, held at both ends, one of which is pressed with a thousand newtons: at a tolerance
// of 1e-6 no force of the hair, of millionths of a newton, is ever too large.
Scene hair_on_a_bar(double share) {
  Scene scene = hair(share);
  scene.materials.push_back({"steel", 210e9, 7850, 0.3, {}});
  scene.sections.push_back({"round", CircleSection{0.01}});
  scene.rods.push_back(rod("bar", {0, -0.5, 0}, {0, 0.5, 0}, 20));
  scene.rods[1].material = "steel";
  scene.rods[1].section = "round";
  for (const char* end : {"bar.start", "bar.end"}) clamp(scene, end);
  press(scene, "bar.start", 1e3);
  scene.joints = {{"", {Place::parse("rod.start"), Place::parse("bar@0.5")}}};
  scene.solver.tolerance = 1e-6;
  return scene;
}

// m: how far a hair on the bar is from where it ends in a clamp, alone and to rounding. The bar hardly yields to it.
double error_of(const Stepper& on_bar, double share, double dt) {
  Scene scene = hair(share);
  clamp(scene, "rod.start");
  Stepper alone(scene);
  EXPECT_TRUE(alone.step(dt).accepted());
  double farthest = 0;
  for (int i = 0; i <= 20; ++i)
    farthest = std::max(farthest, norm(alone.state.x[i] - on_bar.state.x[on_bar.model.node_of(0, i)]));
  return farthest;
}
double fall_of(const Stepper& on_bar) { return -on_bar.state.x[on_bar.model.node_of(0, 20)].z; }  // m

// It falls by a hundredth of its length, too far for one linear step. The last one moved it by 1e-4 of the length at most.
TEST(NewtonNet, IsNotDoneWhileAHairOfItStillMoves) {
  const double dt = 0.01;
  Stepper net(hair_on_a_bar(1));
  const StepReport report = net.step(dt);
  ASSERT_TRUE(report.accepted()) << report.cause;
  EXPECT_GT(fall_of(net), 1e-2 * 0.1);
  EXPECT_LT(error_of(net, 1, dt), 1e-4 * 0.1);
}

// A ten-thousandth of its weight moves it by 5e-6 of its length. One linear step is right but for about the square of this, and
// the forces are far below the limit: there is nothing to go on for.
TEST(NewtonNet, IsDoneAfterOneIterationThatHardlyMovesIt) {
  const double dt = 0.02;
  Scene scene = hair_on_a_bar(1e-4);
  scene.solver.newton.max_iterations = 1;
  Stepper net(scene);
  const StepReport report = net.step(dt);
  ASSERT_TRUE(report.accepted()) << report.cause;
  EXPECT_GT(fall_of(net), 1e-6 * 0.1);
  EXPECT_LT(error_of(net, 1e-4, dt), 1e-9 * 0.1);
}

// ---- moments on free frames ------------------------------------------------------------------------------------------------
// A rod along x with one along y at its start and one along z at its middle, of unlike segments.
TEST(Levers, OfAFreeFrameIsTheShortestSegmentThere) {
  Scene scene = Cord{}.scene();
  scene.rods = {rod("x", {0, 0, 0}, {0.8, 0, 0}, 8), rod("y", {0, 0, 0}, {0, 0.2, 0}, 8),
                rod("z", {0.4, 0, 0}, {0.4, 0, 0.6}, 2)};
  scene.joints = {{"", {Place::parse("x.start"), Place::parse("y.start")}},
                  {"", {Place::parse("z.start"), Place::parse("x@0.5")}}};
  const Model model(scene);
  const assembly::Assembly assembly(model);
  const auto expect = [&](int block, double lever) {  // m
    EXPECT_NEAR(assembly::levers(model, assembly).at(block), lever, 1e-12) << block;
    EXPECT_NEAR(assembly::block_scales(model, assembly).at(block).lever, lever, 1e-12) << block;
  };
  for (const auto& node : assembly.nodes()) expect(node.block, 1);
  const double lengths[] = {0.1, 0.025, 0.3};  // m, of the segments of each rod
  for (const int s : assembly.segments()) expect(assembly.block_of_orientation(s), lengths[model.segments().rod[s]]);
  ASSERT_EQ(model.frames().node, (std::vector{model.node_of(1, 0), model.node_of(2, 0)}));
  expect(assembly.block_of_orientation(model.segment_count()), 0.025);
  expect(assembly.block_of_orientation(model.segment_count() + 1), 0.1);
}

// The hub of twelve spokes of one segment each, every node held, its frame turned by d about the normal of their plane. Shear
// holds the segments, which yield by about a hundredth, EI/(GA l^2); so the frame is out of balance by k sin(d), with k = 12
// EI/(l/2). A step of Newton's method turns it by -tan(d), short enough to be the last, and leaves k (tan(d) - d). Each segment
// has a twelfth of that and would do with a limit of a third of it, judged as a force on a segment; the hub does not.
TEST(NewtonNet, IsNotDoneWhileAJunctionIsOutOfBalance) {
  const double d = 9e-5, l = 0.04, left = 12 * Cord{}.EI() / (l / 2) * (std::tan(d) - d) / l;  // rad, m, N
  for (const double patience : {1.0 / 3, 3.0}) {
    Scene scene = Cord{}.scene();
    scene.rods.clear();
    scene.joints.resize(1);
    for (int i = 0; i < 12; ++i) {
      const std::string name = "spoke" + std::to_string(i);
      scene.rods.push_back(rod(name, {0, 0, 0}, {l * std::cos(pi * i / 6), l * std::sin(pi * i / 6), 0}, 1));
      scene.joints[0].places.push_back(Place::parse(name + ".start"));
      pin(scene, name + ".end");
    }
    pin(scene, "spoke0.start");
    press(scene, "spoke0.start", patience * left / scene.solver.tolerance);
    Stepper stepper(scene);
    Quat& hub = stepper.state.q.at(12);
    hub = hub * exp_rotation(rotate(conj(hub), Vec3{0, 0, d}));
    const StepReport report = stepper.step(0.01);
    ASSERT_TRUE(report.accepted()) << report.cause;
    EXPECT_NEAR(report.residual_limit, patience * left, 0.1 * patience * left) << "N";
    EXPECT_EQ(report.iterations > 1, patience < 1) << report.iterations;
    EXPECT_NEAR(report.residual, patience > 1 ? left : 0, 0.1 * left) << "N";
  }
}

// A thin wire of 1 cm that is let go in an arc of two segments: to straighten it has to turn by most of a radian in one step
// without stretching, and bending is 4,000 times softer than stretching. Found among random scenes, where it used up 100
// iterations in steps of any length.
TEST(NewtonSearch, AThinWireStraightensInOneStep) {
  Scene scene;
  scene.materials = {{"material", 9.77e9, 258, {}, 3.5e9}};
  scene.sections = {{"section", CircleSection{8.59e-5}}};
  Rod wire;
  wire.name = "wire";
  wire.section = "section";
  wire.material = "material";
  wire.segments = 2;
  wire.centreline = ParabolaShape{{0, 0, 0}, {0.01002, 0, 0}, {0, 0, 1}, -0.00233};
  wire.rest = StraightRest{0.010995};
  wire.initial_twist = 0.334;
  scene.rods = {wire};
  clamp(scene, "wire.end");
  for (const double dt : {1e-3, 0.0166, 0.1}) {
    Stepper stepper(scene);
    const StepReport report = stepper.step(dt);
    EXPECT_TRUE(report.accepted()) << dt << " s: " << report.cause;
  }
}

// Found among random scenes, in which `newton` gave up at a hundredth of each direction (the coil), where differences of the
// potential drown in rounding while the slope grows (the ring), and on a direction that leads up as well as nowhere nearer (the
// follower).
TEST(NewtonSearch, StepsThatWereGivenUpAreTaken) {
  for (const char* name : {"coil_springs_open", "ring_tips", "free_follower"}) {
    SCOPED_TRACE(name);
    const std::string file = std::string(WRITHE_SOURCE_DIR) + "/tests/cases/" + name + ".yaml";
    Simulation simulation{Model(load_scene(file))};
    const StepReport report = simulation.run(simulation.model().scene().until);
    EXPECT_TRUE(report.accepted()) << report.time << " s: " << report.cause;
  }
}

}  // namespace
