// Statics by exact answers: what a residual is judged by, reactions, what is driven, drag, how mechanisms are named.
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "statics/equilibrium.h"
#include "statics/limits.h"
#include "statics/neutral.h"
#include "statics/parts.h"
#include "support/scenes.h"
#include "support/statics.h"

using namespace writhe;
using namespace writhe::test;
using Eigen::VectorXd;

namespace {

// A rod of 0.1 m beside two of 0.3 m and 0.2 m, which are joined.
Scene two_parts() {
  Scene scene = Cord{.length = 0.1, .segments = 5}.scene();
  const auto add = [&](const char* name, double from, double to) {
    scene.rods.push_back(scene.rods[0]);
    scene.rods.back().name = name;
    scene.rods.back().centreline = LineShape{{from, 1, 0}, {to, 1, 0}};
  };
  add("long", 0, 0.3);
  add("short", 0.3, 0.5);
  scene.joints = {{"", {Place::parse("long.end"), Place::parse("short.start")}}};
  return scene;
}

struct Judged {
  Model model{two_parts()};
  assembly::Assembly assembly{model};
  statics::Parts parts{model, assembly};
  statics::Limits limits{model, assembly, parts, 1e-3};
  VectorXd left = VectorXd::Zero(assembly.size()), applied = left;
  std::vector<double> sizes = std::vector<double>(static_cast<std::size_t>(assembly.size() / 3));

  statics::Judgement judge() const {
    return limits.judge(model.initial_state(), {left, applied, sizes}, VectorXd::Ones(assembly.size()));
  }
  int node(int rod, int k) const { return assembly.block_of_node(model.node_of(rod, k)); }
};

// A cantilever along y with a weight, so that no axis of its clamp is one of space.
Scene cantilever() {
  Scene scene = Cord{}.scene();
  scene.rods[0].centreline = LineShape{{0, 0, 0}, {0, 1, 0}};
  scene.gravity = {0, 0, -9.81};
  clamp(scene, "rod.start");
  return scene;
}

}  // namespace

// ---- parts and limits ------------------------------------------------------------------------------------------------------
TEST(Parts, AreAsLongAsTheirLongestRodAndAsHeavyAsAll) {
  const Judged at;
  ASSERT_EQ(at.parts.count(), 2);
  EXPECT_NEAR(at.parts.scale(0).length, 0.1, 1e-15);
  EXPECT_NEAR(at.parts.scale(1).length, 0.3, 1e-15);
  EXPECT_NEAR(at.parts.scale(0).mass, 0.1 * Cord{}.linear_density(), 1e-12);
  EXPECT_NEAR(at.parts.scale(1).mass, 0.5 * Cord{}.linear_density(), 1e-12);
  EXPECT_EQ(at.parts.of_block(at.assembly.block_of_orientation(at.model.segment_count())), 1);  // of the junction
}

// Loads 2 N and 0.3 N m (1 N over 0.3 m), 5 N within: 8e-3 N may be left on that part, nothing on the other.
TEST(Limits, AreTheLoadsAndTheLargestForceWithinOfThePartItself) {
  Judged at;
  at.applied[3 * at.node(1, 2)] = 2;
  at.applied[3 * at.assembly.block_of_orientation(at.model.rods()[1].first_segment)] = 0.3;
  at.sizes[at.node(2, 2)] = 5;
  at.left[3 * at.node(1, 3) + 1] = 1e-2;
  EXPECT_NEAR(at.judge().force, 1e-2, 1e-15);
  EXPECT_NEAR(at.judge().limit, 8e-3, 1e-12);
  EXPECT_FALSE(at.judge().rounding);
  at.left[3 * at.node(0, 2)] = 1e-4;  // far less, and far beyond its own
  EXPECT_EQ(at.judge().block, at.node(0, 2));
  at.left.setZero();
  at.left[3 * at.assembly.block_of_orientation(at.model.rods()[1].first_segment) + 1] = 1e-2;
  EXPECT_NEAR(at.judge().force, 1e-2 / (0.3 / 5), 1e-12);  // over the length of the segment
  at.left[3 * at.node(2, 5)] = 1e-30;
  EXPECT_FALSE(at.judge().rounding);  // what is left on one block does not hide another
}

TEST(Limits, ADisplacementCountsByTheShortestRodAtItsNode) {
  const Judged at;
  for (const auto& [block, length] : {std::pair{at.node(0, 3), 0.1}, {at.node(1, 2), 0.3}, {at.node(2, 0), 0.2}}) {
    VectorXd step = VectorXd::Zero(at.assembly.size());
    step[3 * block + 2] = 0.01;
    EXPECT_NEAR(at.limits.size_of(step), 0.01 / length, 1e-12);
  }
}

// ---- reactions, and what is driven -----------------------------------------------------------------------------------------
TEST(Statics, AClampBearsTheWeightAndItsMomentAtEveryPoint) {
  Statics statics{Model(cantilever())};
  const Model& model = statics.model();
  int points = 0;
  StaticOptions options;
  options.go_on = [&](const StaticPoint& point) {
    EXPECT_EQ(statics.load(), point.load);
    Vec3 force{}, moment{};  // of the weight, about the clamp
    for (int i = 0; i < model.node_count(); ++i) {
      const Vec3 weight = (point.load * model.nodes().mass[i]) * Vec3{0, 0, -9.81};
      force += weight;
      moment += cross(statics.state().x[i], weight);
    }
    const Reaction reaction = statics.reactions()[0];
    EXPECT_LT(norm(reaction.force + force), 1e-7);
    EXPECT_LT(norm(reaction.moment + moment), 1e-7);
    return ++points > 0;
  };
  ASSERT_TRUE(statics.solve(options).converged());
  EXPECT_GT(points, 2);
}

TEST(Statics, APinBearsNothingAlongAxesItLeavesFree) {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -9.81};
  pin(scene, "rod.start");
  pin(scene, "rod.end", "z");
  load(scene, ForceLoad{Place::parse("rod.end"), {1, 0, 0}});
  const Reaction reaction = solved(scene).reactions()[1];
  EXPECT_EQ(reaction.force.x, 0);
  EXPECT_EQ(reaction.force.y, 0);
  EXPECT_GT(reaction.force.z, 0);
}

TEST(Statics, ATwistedRodResistsByItsTorsionalStiffness) {
  Scene scene = Cord{}.scene();
  clamp(scene, "rod.start");
  clamp(scene, "rod.end");
  scene.supports[1].motion.emplace().twist.keys = {{0, 0}, {1, 0.5}};
  const Statics statics = solved(scene);
  EXPECT_NEAR(statics.reactions()[1].moment.x / (0.5 * Cord{}.GJ()), 1, 1e-9);
  EXPECT_NEAR(statics.reactions()[0].moment.x / (0.5 * Cord{}.GJ()), -1, 1e-9);
}

// The twist of a ring spreads evenly and leaves its shape, as long as it is small.
TEST(Statics, AClosingAngleTwistsARingEvenly) {
  Scene scene = Cord{.segments = 40}.scene();
  scene.rods[0].centreline = RingShape{.radius = 1};
  scene.rods[0].closed = true;
  const double untwisted = solved(scene).energies().bend_twist;
  scene.rods[0].closing_motion.keys = {{0, 0}, {1, 0.8}};
  const Statics statics = solved(scene);
  EXPECT_EQ(statics.state().closing[0], 0.8);
  EXPECT_NEAR((statics.energies().bend_twist - untwisted) / (0.5 * Cord{}.GJ() * 0.64 / (2 * pi)), 1, 1e-2);
}

// A free rod that is pulled at both ends stretches about its centre of mass.
TEST(Statics, WhatIsFreeStaysWhereItIs) {
  Scene scene = Cord{}.scene();
  load(scene, ForceLoad{Place::parse("rod.start"), {-5, 0, 0}});
  load(scene, ForceLoad{Place::parse("rod.end"), {5, 0, 0}});
  const Statics statics = solved(scene);
  EXPECT_NEAR(0.5 * (statics.state().x.front().x + statics.state().x.back().x), 0.5, 1e-9);
  EXPECT_GT(statics.state().x.back().x, 1.01);
}

// ---- loads -----------------------------------------------------------------------------------------------------------------
TEST(Directional, DragOfAnyDirectionIsALineLoadAndAtRestIsNone) {
  Scene dragged = cantilever(), loaded = dragged;
  load(dragged, DragLoad{"rod", 2, 2, {0.1, 0, 0}});
  load(loaded, LineLoad{"rod", {0.2, 0, 0}});
  EXPECT_LT(norm(solved(dragged).state().x.back() - solved(loaded).state().x.back()), 1e-8);

  Scene pendulum = Cord{}.scene();  // falls: what only resists motion has no part in it
  pendulum.gravity = {0, 0, -9.81};
  pin(pendulum, "rod.start");
  load(pendulum, DragLoad{"rod", 2, 1, {}});
  EXPECT_LT(solved(pendulum).state().x.back().z, -0.9);
}

// The residual changes along `solved(b)` by b.
TEST(Directional, TangentOfDragAndOfTwoMomentsOnOneSegment) {
  for (const bool drag : {false, true}) {
    Scene scene = cantilever();
    if (drag) load(scene, DragLoad{"rod", 2, 0.3, {0.2, 0.1, 0.3}});
    for (const double part : {0.7, 0.5})
      if (!drag) load(scene, MomentLoad{Place::parse("rod.end"), (part * Cord{}.EI()) * Vec3{1, 0.3, 0.5}, false});
    const Statics statics = solved(scene);
    statics::Equilibrium equilibrium(statics.model(), 1e-11);
    ASSERT_TRUE(equilibrium.factorise(statics.state(), {1, 0}));
    std::mt19937 random(4);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const VectorXd right =
        VectorXd::NullaryExpr(equilibrium.assembly().size(), [&] { return uniform(random); }).cwiseProduct(equilibrium.free());
    const VectorXd along = equilibrium.solve(right);
    const double h = 1e-5 / equilibrium.size_of(along);
    const auto residual = [&](double size) {
      State moved = statics.state();
      equilibrium.assembly().move(statics.state(), along, size, moved);
      return equilibrium.residual(moved, {1, 0}).vector;
    };
    const VectorXd change = ((residual(h) - residual(-h)) / (2 * h)).cwiseProduct(equilibrium.free());
    EXPECT_LT((change - right).norm(), 1e-4 * right.norm()) << drag;
  }
}

TEST(Neutral, NoLoadIsTooWeakToTurnARod) {
  Scene scene = Cord{}.scene();
  pin(scene, "rod.start");
  load(scene, ForceLoad{Place::parse("rod.end"), {0, 0, -1e-15}});
  const Model model(scene);
  statics::Equilibrium equilibrium(model, 1e-9);
  EXPECT_EQ(statics::find_freedom(model, equilibrium, model.initial_state(), {1, 0}).neutral.size(), 2u);  // about z, the spin
}

TEST(Mechanism, IsNamedWithItsForceBeforeAnythingIsLoaded) {
  const auto cause = [](const Scene& scene) {
    Statics statics{Model(scene)};
    const StaticReport report = statics.solve();
    EXPECT_EQ(report.status, StaticStatus::mechanism);
    EXPECT_EQ(report.points, 0);
    return report.cause;
  };
  const auto contains = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  for (const bool along_x : {true, false}) {
    Scene pushed = Cord{.length = 2}.scene();
    load(pushed, ForceLoad{Place::parse("rod@0.5"), along_x ? Vec3{0.25, 0, 0} : Vec3{0, 0.25, 0}});
    EXPECT_TRUE(contains(cause(pushed), along_x ? "moves along (1, 0, 0)" : "moves along (0, 1, 0)")) << cause(pushed);
    EXPECT_TRUE(contains(cause(pushed), "with 0.25 N;")) << cause(pushed);
  }
  Scene spun = Cord{.length = 2}.scene();
  pin(spun, "rod.start");
  pin(spun, "rod.end");
  load(spun, MomentLoad{Place::parse("rod@0.5"), {0.25, 0, 0}, false});
  EXPECT_TRUE(contains(cause(spun), "with 0.25 N m;")) << cause(spun);
}

// A load at a clamp is the clamp's, by any method and in the middle of a rod, too: the rod stays as built, and there is nothing
// without a potential.
TEST(Clamp, BearsWhatActsAtItsPlace) {
  for (const char* place : {"rod.start", "rod@0.5", "rod.end"}) {
    SCOPED_TRACE(place);
    Scene scene = Cord{}.scene();
    clamp(scene, place);
    const Vec3 moment{0.03, 0.02, 0.01}, force{0.01, -0.03, 0.02};
    load(scene, MomentLoad{Place::parse(place), moment, true});
    load(scene, MomentLoad{Place::parse(place), moment, false});
    load(scene, ForceLoad{Place::parse(place), force, true});
    const Statics statics = solved(scene);
    const State built = statics.model().initial_state();
    const Quat axes = built.q[0];  // of a straight rod, everywhere
    const auto expect_borne = [&](const State& state, const Reaction& reaction) {
      for (std::size_t i = 0; i < state.x.size(); ++i) EXPECT_LT(norm(state.x[i] - built.x[i]), 1e-14);
      EXPECT_LT(norm(reaction.moment + moment + rotate(axes, moment)), 1e-14);
      EXPECT_LT(norm(reaction.force + rotate(axes, force)), 1e-12);  // positions to 1e-16 m, segments of 1600 N/m
    };
    expect_borne(statics.state(), statics.reactions()[0]);
    const Stability found = statics.stability();
    EXPECT_EQ(found.balance, Balance::stable);
    EXPECT_EQ(found.examined, 0);
    for (const char* method : {"newton", "pd"}) {
      scene.solver.method = method;
      Simulation simulation = simulate(scene);
      ASSERT_TRUE(simulation.run(0.1).accepted());
      expect_borne(simulation.state(), simulation.reactions()[0]);
    }
  }
}
