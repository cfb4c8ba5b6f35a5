// Links: derivatives, and what a spring and a tether do in scenes that have an answer.
#include <cmath>
#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "measure/measure.h"
#include "model/at_place.h"
#include "model/motion.h"
#include "support/scenes.h"
#include "terms/link_term.h"

using namespace writhe;
using namespace writhe::test;

namespace {

Link link(Link::Kind kind, std::variant<Place, Vec3> from, std::variant<Place, Vec3> to, double stiffness) {
  Link out;
  out.kind = kind;
  out.from = std::move(from);
  out.to = std::move(to);
  out.stiffness = stiffness;
  return out;
}
Link spring(const std::string& from, const std::string& to, double stiffness) {
  return link(Link::Kind::spring, Place::parse(from), Place::parse(to), stiffness);
}

// Two rods side by side, links of every kind between and within them.
Scene linked() {
  Scene scene = Cord{.segments = 4}.scene();
  Rod other = scene.rods[0];
  other.name = "other";
  other.centreline = LineShape{{0, 0.3, 0.1}, {1, 0.3, -0.2}};
  scene.rods.push_back(other);
  scene.links = {spring("rod.end", "other.end", 3),
                 spring("rod@0.3", "other@0.6", 5),
                 spring("rod@0.3", "rod@0.45", 7),
                 link(Link::Kind::spring, Place::parse("rod@0.9"), Vec3{1, 2, 3}, 2),
                 link(Link::Kind::tether, Place::parse("rod.start"), Place::parse("other@0.1"), 4),
                 link(Link::Kind::tether, Place::parse("rod.start"), Place::parse("other@0.1"), 4)};
  scene.links[0].rest_length = 0.1;
  scene.links[1].rest_length = 1;  // pressed
  scene.links[2].damping = 0.3;
  scene.links[4].rest_length = 0.05;  // taut
  scene.links[5].rest_length = 5;     // slack
  scene.links[4].damping = 0.2;
  return scene;
}

struct Begun {
  Model model{linked()};
  LinkTerm term{model};
  State state = model.initial_state();

  explicit Begun(Integrator integrator = Integrator::euler) {
    term.begin(state, {}, {0.5, 0.01, integrator});
    std::mt19937 random(3);
    std::uniform_real_distribution<double> shift(-0.02, 0.02);
    for (Vec3& x : state.x) x += Vec3{shift(random), shift(random), shift(random)};
  }
  State moved(const Dof& dof, int axis, double by) const {
    State out = state;
    (axis == 0 ? out.x[dof.index].x : axis == 1 ? out.x[dof.index].y : out.x[dof.index].z) += by;
    return out;
  }
};

double component(const Vec3& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

Eigen::MatrixXd full_hessian(const LinkTerm& term, int element, const State& at, Curvature curvature) {
  const auto count = static_cast<int>(term.dofs(element).size());
  std::array<Mat3, Term::most_pairs> pairs;
  term.hessian(element, at, curvature, pairs);
  Eigen::MatrixXd out(3 * count, 3 * count);
  for (int i = 0, p = 0; i < count; ++i)
    for (int j = 0; j <= i; ++j, ++p) {
      const Vec3 rows[3] = {pairs[p].r0, pairs[p].r1, pairs[p].r2};
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) out(3 * i + r, 3 * j + c) = out(3 * j + c, 3 * i + r) = component(rows[r], c);
    }
  return out;
}

}  // namespace

class LinkDerivatives : public testing::TestWithParam<Integrator> {};
INSTANTIATE_TEST_SUITE_P(Integrators, LinkDerivatives, testing::Values(Integrator::euler, Integrator::midpoint));

TEST_P(LinkDerivatives, GradientIsThatOfTheEnergy) {
  const Begun at(GetParam());
  constexpr double h = 1e-6;
  for (int e = 0; e < at.term.element_count(); ++e) {
    SCOPED_TRACE(e);
    const Term::Value value = at.term.value(e, at.state);
    for (std::size_t i = 0; i < at.term.dofs(e).size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const double up = at.term.value(e, at.moved(at.term.dofs(e)[i], k, h)).energy;
        const double down = at.term.value(e, at.moved(at.term.dofs(e)[i], k, -h)).energy;
        EXPECT_NEAR(component(value.gradient[i], k), (up - down) / (2 * h), 1e-8);
      }
  }
}

TEST_P(LinkDerivatives, HessianIsThatOfTheEnergy) {
  const Begun at(GetParam());
  constexpr double h = 1e-6;
  for (int e = 0; e < at.term.element_count(); ++e) {
    SCOPED_TRACE(e);
    const Eigen::MatrixXd exact = full_hessian(at.term, e, at.state, Curvature::exact);
    const auto dofs = at.term.dofs(e);
    for (std::size_t j = 0; j < dofs.size(); ++j)
      for (int c = 0; c < 3; ++c) {
        const Term::Value up = at.term.value(e, at.moved(dofs[j], c, h)), down = at.term.value(e, at.moved(dofs[j], c, -h));
        for (std::size_t i = 0; i < dofs.size(); ++i)
          for (int r = 0; r < 3; ++r)
            EXPECT_NEAR(exact(static_cast<int>(3 * i) + r, static_cast<int>(3 * j) + c),
                        (component(up.gradient[i], r) - component(down.gradient[i], r)) / (2 * h), 1e-7);
      }
  }
}

// Tethers that stay taut or slack, go slack, or become taut; damped so little, so much, and so that they stop pulling on the way.
TEST(LinkMean, IsTheMeanTensionAndTheDerivativeOfItsEnergy) {
  constexpr double rest = 1, h = 1e-6, kink = 1e-4;  // m
  for (const double slowing : {0.0, 1.0, 9.0, 30.0})
    for (const double first : {0.7, 0.9999, 1.0, 1.05, 1.4})
      for (const bool tether : {true, false}) {
        const elastic::LinkMaterial link{10, rest, tether};
        const auto at = [&](double middle) { return elastic::mean_value(middle, first, link, slowing); };
        double before = -1e9;
        for (double middle = 0.4; middle < 1.8; middle += 0.0037) {
          SCOPED_TRACE(testing::Message() << slowing << " N/m, from " << first << " by " << middle << (tether ? "" : ", spring"));
          const elastic::LinkValue now = at(middle);
          EXPECT_NEAR(now.tension, elastic::mean_tension(first, 2 * middle - first, link, slowing), 1e-12);
          EXPECT_NEAR(now.tension, (at(middle + h).energy - at(middle - h).energy) / (2 * h), 2e-5);
          EXPECT_GE(now.tension, before - 1e-12);
          before = now.tension;
          EXPECT_LE(now.rise, 10 + slowing + 1e-9);
          const double left = at(middle - kink).rise, right = at(middle + kink).rise;
          if (std::abs(left - right) > 0.1) continue;  // it begins or ceases to pull here
          EXPECT_NEAR(now.rise, (at(middle + h).tension - at(middle - h).tension) / (2 * h), 2e-2);
        }
      }
}

TEST(LinkMean, OfATetherWithoutLengthIsThatOfASpring) {
  const elastic::LinkMaterial tether{10, 0, true}, spring{10, 0, false};
  for (const double first : {0.0, 0.01, 0.4})
    for (const double middle : {0.0, 0.001, 0.1, 0.2, 0.5}) {
      SCOPED_TRACE(testing::Message() << "from " << first << " by " << middle);
      const elastic::LinkValue a = elastic::mean_value(middle, first, tether, 0);
      const elastic::LinkValue b = elastic::mean_value(middle, first, spring, 0);
      EXPECT_EQ(a.energy, b.energy);
      EXPECT_EQ(a.tension, b.tension);
      EXPECT_EQ(a.rise, b.rise);
    }
}

TEST(LinkTerm, ConvexIsPositiveAndAboveIsNoLessThanExactAnywhere) {
  const Begun at;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> shift(-0.5, 0.5);
  for (int e = 0; e < at.term.element_count(); ++e) {
    SCOPED_TRACE(e);
    const Eigen::MatrixXd above = full_hessian(at.term, e, at.state, Curvature::above);
    const auto lowest = [](const Eigen::MatrixXd& m) {
      return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m).eigenvalues()[0];
    };
    for (int trial = 0; trial < 20; ++trial) {
      State far = at.state;
      for (Vec3& x : far.x) x += Vec3{shift(random), shift(random), shift(random)};
      EXPECT_GE(lowest(full_hessian(at.term, e, far, Curvature::convex)), -1e-12);
      EXPECT_GE(lowest(above - full_hessian(at.term, e, far, Curvature::exact)), -1e-12);
    }
  }
}

// A weightless-looking oscillator: a stiff light rod that only moves along x, on a spring to a fixed point. w^2 = k/m.
TEST(Links, ASpringSwingsWithItsFrequencyAndADamperTakesItsShare) {
  const Cord cord{.length = 0.1, .young = 1e9, .segments = 2};
  const double mass = cord.linear_density() * cord.length, k = 4 * mass * pi * pi * 25;  // 5 Hz
  for (const double damping : {0.0, 0.2 * std::sqrt(k * mass)}) {
    SCOPED_TRACE(damping);
    Scene scene = cord.scene();
    scene.links = {link(Link::Kind::spring, Vec3{-0.5, 0, 0}, Place::parse("rod.start"), k)};
    scene.links[0].rest_length = 0.49;  // pulled by 1 cm
    scene.links[0].damping = damping;
    scene.solver.integrator = Integrator::midpoint;
    Simulation simulation = simulate(scene);
    const double dt = 2e-4;
    const int steps = 500;  // half a period
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(simulation.step(dt).accepted());
    const double half = steps * dt, decay = damping / (2 * mass), w = std::sqrt(k / mass - decay * decay);
    const double exact = -0.01 + 0.01 * std::exp(-decay * half) * (std::cos(w * half) + decay / w * std::sin(w * half));
    EXPECT_NEAR(simulation.state().x[0].x, exact, 2e-5);  // the rod itself is 1e4 times as stiff
  }
}

// A bob on a link that is pulled to eight times as far as it hangs, and damped by 1.3 times what keeps it from swinging. `pull`:
// of its weight, downwards.
Simulation bob(Link::Kind kind, double pull) {
  Scene scene = Cord{.length = 0.1, .young = 1e9, .segments = 2}.scene();
  scene.gravity = {0, 0, -10 * pull};
  scene.links = {link(kind, Vec3{0.05, 0, 1}, Place::parse("rod@0.5"), 40)};
  scene.links[0].rest_length = 0.98;
  scene.links[0].damping = 1.6;
  scene.solver.integrator = Integrator::midpoint;
  return simulate(scene);
}

TEST(Links, ATautTetherIsASpringHoweverItIsDamped) {
  Simulation tether = bob(Link::Kind::tether, 1), spring = bob(Link::Kind::spring, 1);
  const double before = spring.energies().total();
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(tether.step(1e-3).accepted());
    ASSERT_TRUE(spring.step(1e-3).accepted());
    ASSERT_GT(1 - tether.state().x[1].z, 0.98) << "it is slack, and the test tells nothing";
    ASSERT_NEAR(tether.state().x[1].z, spring.state().x[1].z, 1e-10) << "m, step " << i;
  }
  EXPECT_LT(spring.energies().total(), 0.5 * before) << "hardly anything was damped";
}

// A steel rod falls into a stiff tether, in steps a thousand times longer than the link's own. It comes back as high as it was.
TEST(Links, ATetherMaySnapTautInLongStepsOfTheMidpointRule) {
  Scene scene = Cord{.length = 0.2, .radius = 0.01, .young = 2e11, .density = 7800, .segments = 2}.scene();
  scene.gravity = {0, 0, -10};
  scene.links = {link(Link::Kind::tether, Place::parse("rod@0.5"), Vec3{0.1, 0, 0.3}, 1e6)};
  scene.links[0].rest_length = 0.35;
  scene.solver.integrator = Integrator::midpoint;
  scene.solver.tolerance = 1e-8;
  Simulation simulation = simulate(scene);
  const double start = simulation.energies().total(), weight = 10 * simulation.model().rods()[0].mass;
  double highest = -1;
  for (int i = 0; i < 50; ++i) {
    const StepReport report = simulation.step(1e-2);
    ASSERT_TRUE(report.accepted()) << report.cause << " at " << report.time << " s";
    EXPECT_NEAR(simulation.energies().total(), start, 1e-4 * 0.05 * weight);  // of what it falls with
    if (simulation.state().time > 0.15) highest = std::max(highest, simulation.state().x[1].z);
  }
  EXPECT_GT(highest, -0.01) << "m; it is let go at 0";
}

// A steel rod swings about a fixed point, from the side of it: taut all the way, but its tether, which turns, would be slack in
// the middle of a step if it went straight.
TEST(Links, ATetherMaySwingInLongStepsOfTheMidpointRule) {
  const auto swinging = [](Link::Kind kind, double stiffness) {
    Scene scene = Cord{.length = 0.2, .radius = 0.01, .young = 2e11, .density = 7800, .segments = 2}.scene();
    scene.gravity = {0, 0, -10};
    scene.links = {link(kind, Place::parse("rod@0.5"), Vec3{0.1, 0.5, 0}, stiffness)};
    scene.solver.integrator = Integrator::midpoint;
    scene.solver.tolerance = 1e-8;
    return simulate(scene);
  };
  for (const double stiffness : {1e4, 1e5, 1e6, 1e7}) {
    SCOPED_TRACE(testing::Message() << stiffness << " N/m");
    Simulation tether = swinging(Link::Kind::tether, stiffness), spring = swinging(Link::Kind::spring, stiffness);
    const double start = tether.energies().total(), weight = 10 * tether.model().rods()[0].mass;
    for (int i = 0; i < 50; ++i) {
      const StepReport report = tether.step(1e-2);
      ASSERT_TRUE(report.accepted()) << report.cause << " at " << report.time << " s";
      ASSERT_TRUE(spring.step(1e-2).accepted());
      ASSERT_NEAR(tether.energies().total(), start, 1e-5 * 0.5 * weight);  // of what it falls with
    }
    EXPECT_LT(tether.state().x[1].z, -0.4) << "m; it hardly moves";
    EXPECT_LT(norm(tether.state().x[1] - spring.state().x[1]), 1e-4);  // which is taut all the way, too
  }
}

// The length of a link that is fixed far away is known to fewer digits than the rod's own.
TEST(Links, WhatIsFixedFarAwayIsJudgedByItsDistance) {
  for (const double far : {30.0, 100.0, 1000.0})
    for (const double stiffness : {1e5, 1e6, 1e7}) {
      SCOPED_TRACE(testing::Message() << far << " m, " << stiffness << " N/m");
      Scene scene = Cord{.length = 0.5, .segments = 10}.scene();
      scene.gravity = {0, 0, -10};
      Support pin;
      pin.at = Place::parse("rod.start");
      scene.supports = {pin};
      scene.links = {link(Link::Kind::spring, Place::parse("rod.end"), Vec3{far, 0, 0}, stiffness)};
      Simulation simulation = simulate(scene);
      for (int i = 0; i < 100; ++i) {
        const StepReport report = simulation.step(1e-3);
        ASSERT_TRUE(report.accepted()) << report.cause << " at " << report.time << " s";
      }
      const StaticReport report = Statics{Model(scene)}.solve();
      EXPECT_TRUE(report.converged()) << report.cause;
    }
}

// A leash that is fixed where its end is built: slack, and it holds the end when it is out.
TEST(Links, ATetherMayBeginWithoutLength) {
  Scene scene = Cord{.length = 0.2, .segments = 4}.scene();
  scene.gravity = {0, 0, -10};
  scene.links = {link(Link::Kind::tether, Place::parse("rod.end"), Vec3{0.2, 0, 0}, 1e4)};
  scene.links[0].rest_length = 0.1;
  for (const Integrator integrator : {Integrator::euler, Integrator::midpoint}) {
    scene.solver.integrator = integrator;
    Simulation simulation = simulate(scene);
    double farthest = 0;
    for (int i = 0; i < 200; ++i) {
      const StepReport report = simulation.step(2e-3);
      ASSERT_TRUE(report.accepted()) << report.cause << " at " << report.time << " s";
      farthest = std::max(farthest, norm(simulation.state().x.back() - Vec3{0.2, 0, 0}));
    }
    EXPECT_GT(farthest, 0.1);
    EXPECT_LT(farthest, 0.12);
  }
}

// Drawn up, past the fixed point and beyond: slack, then caught.
TEST(Links, ADampedTetherThatGoesSlackOnlyTakesEnergy) {
  Simulation simulation = bob(Link::Kind::tether, -1);
  bool slack = false;
  double before = simulation.energies().total();
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(simulation.step(2e-3).accepted());
    const double now = simulation.energies().total();
    ASSERT_LE(now, before + 1e-9) << "J, step " << i;
    before = now;
    slack = slack || simulation.energies().links == 0;
  }
  EXPECT_TRUE(slack);
}

TEST(Links, ATetherPullsAndNeverPushes) {
  Scene scene = Cord{.length = 0.1, .young = 1e9, .segments = 2}.scene();
  scene.gravity = {0, 0, -10};
  scene.links = {link(Link::Kind::tether, Vec3{0.05, 0, 1}, Place::parse("rod@0.5"), 1e3)};
  scene.links[0].rest_length = 1.2;
  Simulation slack = simulate(scene);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(slack.step(1e-2).accepted());
  EXPECT_NEAR(slack.state().v[0].z, -1, 1e-9);  // falls freely
  EXPECT_EQ(slack.energies().links, 0);
  scene.damping.mass = 5;
  const Simulation hung = settled(scene);
  const double weight = 10 * hung.model().rods()[0].mass;
  const measure::LinkState state = measure::link_state(hung.model().links()[0], hung.state());
  EXPECT_NEAR(state.tension, weight, 1e-6 * weight);
  EXPECT_NEAR(state.length, 1.2 + weight / 1e3, 1e-9);
  EXPECT_NEAR(hung.energies().links, weight * weight / 2e3, 1e-6 * weight * weight / 2e3);
}

// What is driven until a time is not at rest before, and statics goes to its end.
TEST(Links, ARampIsSomethingThatChanges) {
  Scene scene = linked();
  scene.links[0].ramp.points = {{0, 1}, {3, 1}, {20, 0.4}};
  EXPECT_EQ(key_times(scene), (std::vector<double>{3, 20}));
  EXPECT_EQ(last_change(scene), 20);
}

// With no length at rest a tether is a spring, also where its ends meet.
TEST(Links, ATetherWithoutLengthResistsAtOnce) {
  const elastic::LinkValue value = elastic::link_value(0, {3, 0, true});
  EXPECT_EQ(value.rise, 3);
  EXPECT_EQ(value.tension, 0);
}

TEST(Links, TheRestLengthFollowsItsRamp) {
  Scene scene = Cord{.length = 0.1, .young = 1e9, .segments = 2}.scene();
  scene.gravity = {0, 0, -10};
  scene.damping.mass = 20;
  scene.links = {link(Link::Kind::spring, Vec3{0.05, 0, 0.5}, Place::parse("rod@0.5"), 100)};
  scene.links[0].ramp.points = {{0, 1}, {1, 0.5}};
  const Simulation wound = settled(scene);
  const double weight = 10 * wound.model().rods()[0].mass;
  EXPECT_NEAR(wound.state().x[1].z, 0.25 - weight / 100, 1e-6);
}

// Both integrators, both methods: linear momentum to rounding; the midpoint rule keeps angular momentum and energy, too.
TEST(Links, LinkedRodsKeepTheirMomentum) {
  Scene scene = linked();
  scene.links.erase(scene.links.begin() + 3);  // to a fixed point
  for (Link& own : scene.links) own.damping = 0;
  scene.dt = 1e-3;
  for (const auto& [method, integrator] :
       {std::pair("newton", Integrator::euler), std::pair("newton", Integrator::midpoint), std::pair("pd", Integrator::euler)}) {
    SCOPED_TRACE(method);
    scene.solver.method = method;
    scene.solver.integrator = integrator;
    scene.solver.pd.iterations = 300;
    Simulation simulation = simulate(scene);
    const double before = simulation.energies().total();
    for (int i = 0; i < 100; ++i) {
      const StepReport report = simulation.step(1e-3);
      ASSERT_TRUE(report.accepted()) << "step " << i << ": " << report.cause;
    }
    const measure::Momentum momentum = measure::momentum(simulation.model(), simulation.state());
    double size = 0;  // kg m/s that is there in all
    for (int i = 0; i < simulation.model().node_count(); ++i)
      size += simulation.model().nodes().mass[i] * norm(simulation.state().v[i]);
    ASSERT_GT(size, 1e-3);
    EXPECT_LT(norm(momentum.linear), 1e-9 * size);
    if (integrator == Integrator::midpoint) {
      EXPECT_LT(norm(momentum.angular), 1e-8 * size);
      EXPECT_NEAR(simulation.energies().total(), before, 1e-5 * before);
    }
  }
}

// A spring of 1e6 N/m, pulled by some 0.1 N, is as good as rigid: stiffer ones lead to the same place. What is hard in them is
// the tangent, in which numbers are 1e10 apart.
TEST(Links, RodsFallTheSameOnSpringsHoweverStiff) {
  const auto fallen = [](const std::string& from, const std::string& to, double stiffness) {
    Scene scene = Cord{.segments = 20}.scene();
    scene.gravity = {0, 0, -9.81};
    Rod other = scene.rods[0];
    other.name = "other";
    other.centreline = LineShape{{0, 0.1, 0.07}, {1, 0.1, 0.07}};
    scene.rods.push_back(other);
    clamp(scene, "rod.start");
    clamp(scene, "other.start");
    scene.links = {spring(from, to, stiffness)};
    scene.solver.tolerance = 1e-6;
    Simulation simulation = simulate(scene);
    for (int i = 0; i < 100; ++i) {
      const StepReport report = simulation.step(1e-3);
      EXPECT_TRUE(report.accepted()) << stiffness << " N/m, step " << i << ": " << report.cause;
      if (!report.accepted()) break;
    }
    return simulation.state().x;
  };
  for (const auto& [from, to] : {std::pair("rod.node[9]", "other.node[11]"), std::pair("rod@0.47", "other@0.53")}) {
    SCOPED_TRACE(from);
    const std::vector<Vec3> rigid = fallen(from, to, 1e6);
    EXPECT_LT(rigid[20].z, -0.01);
    for (const double stiffness : {1e9, 1e12}) {
      const std::vector<Vec3> x = fallen(from, to, stiffness);
      double apart = 0;
      for (std::size_t i = 0; i < x.size(); ++i) apart = std::max(apart, norm(x[i] - rigid[i]));
      EXPECT_LT(apart, 1e-7) << stiffness << " N/m";
    }
  }
}
