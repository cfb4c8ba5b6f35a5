// Islands: what terms couple is solved together, the rest goes its own way, to the bit.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "assembly/terms_of.h"
#include "measure/measure.h"
#include "simulation/checkpoint.h"
#include "solvers/islands.h"
#include "solvers/solver.h"
#include "support/scenes.h"
#include "support/test_terms.h"

using namespace writhe;
using namespace writhe::test;

namespace {

// Rods side by side, clamped at one end, swinging down.
Scene flock(int rods, int segments) {
  Scene scene = Cord{.length = 0.5, .segments = segments}.scene();
  scene.gravity = {0, 0, -9.81};
  scene.solver.tolerance = 1e-8;
  scene.solver.pd.iterations = 50;
  const Rod first = scene.rods[0];
  scene.rods.clear();
  for (int i = 0; i < rods; ++i) {
    Rod rod = first;
    rod.name = "rod" + std::to_string(i);
    rod.centreline = LineShape{{0, 0.05 * i, 0}, {0.5, 0.05 * i, 0.02 * (i % 3)}};
    scene.rods.push_back(rod);
    clamp(scene, rod.name + ".start");
  }
  return scene;
}

// m: limits of ChangingPairs. Nodes of the flock move by up to 0.8 mm a step, so that the small ones bite. The midpoint rule
// looks whether it may go where it has come to, and else fails.
double limit_of(const Method& method) { return method.integrator == Integrator::midpoint ? 1e-3 : 2e-5; }

// With fewer pairs than rods islands change, too.
struct Changing {
  const ChangingPairs* term = nullptr;
  Simulation simulation;

  Changing(const Method& method, int threads, int pairs)
      : simulation(with_term(flock(10, 50), method, threads, [&](const Model& model) {
          auto own = std::make_unique<ChangingPairs>(model, pairs, 2.0, limit_of(method));
          term = own.get();
          return own;
        })) {}
};

void take(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) {
    const StepReport report = simulation.step(2e-3);
    ASSERT_TRUE(report.accepted()) << report.cause;
  }
}

}  // namespace

TEST(Islands, ChangingCouplingsGiveTheSameBitsOnAnyNumberOfThreads) {
  for (const Method& method : methods)
    for (const int pairs : {4, 12}) {
      SCOPED_TRACE(label(method) + " " + std::to_string(pairs));
      Changing one(method, 1, pairs);
      take(one.simulation, 20);
      EXPECT_EQ(one.simulation.state().memory, (std::vector<std::vector<double>>{{20}}));
      if (method.integrator == Integrator::euler) {
        EXPECT_GT(one.term->limited(), 20) << "the safe step does not bite";
      }
      for (const int threads : {2, 4}) {
        Changing many(method, threads, pairs);
        take(many.simulation, 20);
        EXPECT_EQ(state_hash(one.simulation.state()), state_hash(many.simulation.state())) << threads << " threads";
        EXPECT_EQ(one.term->limited(), many.term->limited());
      }
    }
}

TEST(Islands, ARunThatIsResumedInTheMiddleGivesTheSameBits) {
  for (const Method& method : methods)
    for (const int pairs : {4, 12}) {
      SCOPED_TRACE(label(method) + " " + std::to_string(pairs));
      Changing straight(method, 1, pairs), first(method, 1, pairs), second(method, 2, pairs);
      take(straight.simulation, 20);
      take(first.simulation, 11);
      second.simulation.restore(first.simulation.checkpoint(), "a checkpoint");
      take(second.simulation, 9);
      EXPECT_EQ(state_hash(straight.simulation.state()), state_hash(second.simulation.state()));
      EXPECT_EQ(first.term->limited() + second.term->limited(), straight.term->limited());
      if (method.integrator == Integrator::euler) {
        EXPECT_GT(second.term->limited(), 9) << "the safe step does not bite";
      }
    }
}

// A free fall of 20 ms from rest ends g dt^2/2 = 1.96 mm below, and the middle that is solved for lies half as far: a limit
// between the two stops the end alone.
TEST(Islands, AStepOfTheMidpointRuleThatEndsTooFarFails) {
  Scene scene = flock(2, 10);
  scene.supports.clear();
  const auto fall = [&](double limit) {
    return with_term(scene, {"newton", Integrator::midpoint}, 1,
                     [&](const Model& model) { return std::make_unique<UnevenPairs>(model, 2.0, limit); })
        .step(2e-2);
  };
  EXPECT_TRUE(fall(2.1e-3).accepted());
  const StepReport stopped = fall(1.8e-3);
  EXPECT_EQ(stopped.status, StepStatus::not_converged);
  EXPECT_EQ(stopped.cause, "the rod would pass what is in its way; take a smaller time.dt, or solver.integrator: euler");
}

// Whatever a metric was made with, a resumed run makes it anew.
TEST(Islands, ElementsThatMoveWithinTheSamePatternGiveTheSameBitsAfterResuming) {
  for (const Method& method : methods) {
    SCOPED_TRACE(label(method));
    Scene scene = flock(2, 10);
    scene.solver.pd.metric = Metric::constant;  // the one that is kept from step to step
    const auto start = [&] {
      return with_term(scene, method, 1, [](const Model& model) { return std::make_unique<UnevenPairs>(model, 50.0); });
    };
    Simulation straight = start(), first = start(), second = start();
    take(straight, 8);
    take(first, 3);
    second.restore(first.checkpoint(), "a checkpoint");
    take(second, 5);
    EXPECT_EQ(state_hash(straight.state()), state_hash(second.state()));
  }
}

TEST(Islands, WhatIsNotCoupledKeepsItsBits) {
  for (const Method& method : methods) {
    SCOPED_TRACE(label(method));
    Scene scene = flock(6, 10);
    const auto run = [&](bool linked) {
      scene.links.clear();
      if (linked) {
        Link link;
        link.from = Place::parse("rod1.end");
        link.to = Place::parse("rod4@0.5");
        link.stiffness = 20;
        scene.links = {link};
      }
      scene.solver.method = method.name;
      scene.solver.integrator = method.integrator;
      Simulation simulation = simulate(scene);
      take(simulation, 30);
      return simulation.state();
    };
    const State apart = run(false), coupled = run(true);
    const Model model(scene);
    for (int rod = 0; rod < 6; ++rod)
      for (int k = 0; k <= 10; ++k) {
        const Vec3 &a = apart.x[model.node_of(rod, k)], &b = coupled.x[model.node_of(rod, k)];
        const bool linked = rod == 1 || rod == 4;
        if (!linked) {
          EXPECT_TRUE(a.x == b.x && a.y == b.y && a.z == b.z) << rod << " " << k;
        } else if (k == 10 && rod == 1) {
          EXPECT_GT(norm(a - b), 1e-5) << "the link does nothing";
        }
      }
  }
}

TEST(Islands, AreTheComponentsThatElementsJoin) {
  Scene scene = flock(7, 4);
  const auto join = [&](const std::string& a, const std::string& b) {
    Link link;
    link.from = Place::parse(a);
    link.to = Place::parse(b);
    link.stiffness = 1;
    scene.links.push_back(link);
  };
  join("rod5.end", "rod2.end");
  join("rod6.end", "rod1.end");
  join("rod2@0.5", "rod3.end");
  Link held;
  held.from = Place::parse("rod4.end");
  held.to = Vec3{1, 1, 1};
  held.stiffness = 1;
  scene.links.push_back(held);
  const Model model(scene);
  Islands islands(model, terms_of(model));
  islands.find(model.initial_state(), {0, 0.01});
  ASSERT_EQ(islands.all().size(), 3U);
  EXPECT_EQ(islands.all()[0].components, (std::vector<int>{1, 6}));
  EXPECT_EQ(islands.all()[1].components, (std::vector<int>{2, 3, 5}));
  EXPECT_EQ(islands.all()[1].elements, (std::vector<TermElement>{{0, 0}, {0, 2}}));
  EXPECT_EQ(islands.all()[2].components, (std::vector<int>{4}));
  EXPECT_FALSE(islands.is_coupled(0));
  EXPECT_TRUE(islands.is_coupled(4));
}

namespace {

// A rod dropped on a floor whose forces reach 1 mm: the floor is asked about no point below it, and carries the weight in the
// end.
struct Fall {
  double height, strength, dt;  // m, N/m, s
  int steps;
};
void drop_on_a_floor(const Method& method, const Fall& fall) {
  Scene scene = Cord{.length = 0.5, .segments = 10}.scene();
  scene.rods[0].centreline = LineShape{{0, 0, fall.height}, {0.5, 0, 2 * fall.height}};
  scene.gravity = {0, 0, -9.81};
  scene.damping.mass = 2;
  scene.solver.tolerance = 1e-6;
  scene.solver.pd.iterations = 200;
  BarrierFloor* floor = nullptr;
  Simulation simulation = with_term(scene, method, 1, [&](const Model& model) {
    auto own = std::make_unique<BarrierFloor>(model, 1e-3, fall.strength);
    floor = own.get();
    return own;
  });
  for (int i = 0; i < fall.steps; ++i) {
    const StepReport report = simulation.step(fall.dt);
    ASSERT_TRUE(report.accepted()) << i << ": " << report.cause;
  }
  for (const Vec3& x : simulation.state().x) EXPECT_GT(x.z, 0);
  const StepReport settled = simulation.settle();
  ASSERT_TRUE(settled.accepted()) << settled.cause;
  EXPECT_EQ(floor->passed(), 0);
  double carried = 0;
  floor->begin(simulation.state(), {}, {0, std::numeric_limits<double>::infinity()});
  for (int e = 0; e < floor->element_count(); ++e) carried -= floor->value(e, simulation.state()).gradient[0].z;
  const double weight = 9.81 * simulation.model().rods()[0].mass;
  EXPECT_NEAR(carried, weight, 1e-5 * weight);
}

}  // namespace

// From 0.1 m it arrives with 1.4 m/s and would fall 28 mm in a step. The midpoint rule fails a step that ends below: from 5 mm it
// arrives with 0.3 m/s, 6 um a step, and 5e-4 J a node, of which the floor takes up 2e-3 J half way in.
TEST(Islands, StepsGoNoFartherThanTermsAllow) {
  for (const Method& method : methods) {
    SCOPED_TRACE(label(method));
    drop_on_a_floor(method, method.integrator == Integrator::midpoint ? Fall{5e-3, 1e4, 2e-5, 5000} : Fall{0.1, 10, 2e-2, 100});
  }
}

// A support that is driven into the floor: nothing is evaluated there, and the step says which rod and node is blocked. A shorter
// one goes on. What earlier steps left behind does not matter.
TEST(Islands, AStepWhoseSupportWouldPassATermIsRefusedWhereItWould) {
  for (const Method& method : methods)
    for (const int steps_before : {0, 3}) {
      SCOPED_TRACE(method.name + " " + std::to_string(steps_before));
      Scene scene = flock(3, 8);
      scene.gravity = {0, 0, 0};
      for (int i = 0; i < 3; ++i) scene.rods[i].centreline = LineShape{{0, 0.05 * i, 0.03}, {0.5, 0.05 * i, 0.03}};
      pin(scene, "rod1@0.75");
      scene.supports.back().motion.emplace().translate.keys = {{0, {0, 0, 0}}, {1, {0, 0, -3}}};
      BarrierFloor* floor = nullptr;
      Simulation simulation = with_term(scene, method, 1, [&](const Model& model) {
        auto own = std::make_unique<BarrierFloor>(model, 1e-3, 10.0);
        floor = own.get();
        return own;
      });
      for (int i = 0; i < steps_before; ++i) ASSERT_TRUE(simulation.step(1e-3).accepted());
      const std::uint64_t before = state_hash(simulation.state());
      const StepReport refused = simulation.step(0.05);
      EXPECT_EQ(refused.status, StepStatus::not_converged);
      EXPECT_NE(refused.cause.find("and is then blocked"), std::string::npos) << refused.cause;
      EXPECT_EQ(refused.rod, 1);
      EXPECT_EQ(refused.node, 6);
      EXPECT_EQ(state_hash(simulation.state()), before);
      EXPECT_EQ(floor->passed(), 0);
      const StepReport shorter = simulation.step(1e-3);
      EXPECT_TRUE(shorter.accepted()) << shorter.cause;
      EXPECT_EQ(floor->passed(), 0);
    }
}

TEST(Simulation, AMethodOfOnesOwnIsMadeOfTheModelWhereItStays) {
  Simulation simulation(Model(flock(2, 5)),
                        [](const Model& model, const Threads& threads) { return make_solver(model, threads); });
  Simulation usual = simulate(flock(2, 5));
  take(simulation, 5);
  take(usual, 5);
  EXPECT_EQ(state_hash(simulation.state()), state_hash(usual.state()));
}
