// Loads whose ramps change within a step: they act with their mean over it.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "loads/drive.h"
#include "simulation/checkpoint.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

using Points = std::vector<std::pair<double, double>>;

struct Way {
  const char* method;
  Integrator integrator;
};
constexpr Way ways[] = {{"newton", Integrator::euler}, {"newton", Integrator::midpoint}, {"pd", Integrator::euler}};

// Nothing holds it; N along z in its middle, as the ramp says.
Scene knocked(const Way& way, const Points& ramp) {
  Scene scene = Cord{.length = 0.5}.scene();
  scene.dt = 1e-3;
  scene.solver.method = way.method;
  scene.solver.integrator = way.integrator;
  scene.solver.tolerance = 1e-9;
  load(scene, ForceLoad{Place::parse("rod@0.5"), {0, 0, 1}}, {ramp});
  return scene;
}

// kg m/s along z
double momentum(const Simulation& simulation) {
  double sum = 0;
  for (std::size_t i = 0; i < simulation.state().v.size(); ++i)
    sum += simulation.model().nodes().mass[i] * simulation.state().v[i].z;
  return sum;
}

// Independent of how a mean is found: by many short strips.
double integral(const Ramp& ramp, double from, double to) {
  const int strips = 200000;
  double sum = 0;
  for (int i = 0; i < strips; ++i) sum += ramp.at(from + (i + 0.5) * (to - from) / strips);
  return sum * (to - from) / strips;
}

}  // namespace

TEST(Ramp, MeanIsItsIntegralOverTheTime) {
  const Ramp ramp{{{1, 0}, {3, 10}, {4, -10}, {4.5, 2}}};
  const double times[] = {-2, 0.5, 1, 1.7, 3, 3.2, 4, 4.3, 4.5, 7};
  for (const double from : times)
    for (const double to : times) {
      if (to <= from) continue;
      EXPECT_NEAR(ramp.mean(from, to), integral(ramp, from, to) / (to - from), 1e-6) << from << " to " << to;
    }
  EXPECT_DOUBLE_EQ(ramp.mean(1, 3), 5);
  EXPECT_DOUBLE_EQ(ramp.mean(0, 5), (10.0 + 0 + -2 + 1) / 5);  // triangle, nothing, down and up again, level
}

// To the bit: what does not change in time must not change by this either.
TEST(Ramp, MeanOfWhatIsConstantIsThatValue) {
  EXPECT_EQ(Ramp{}.mean(0.1, 0.7), 1);
  const Ramp level{{{0.1, 0.3}, {0.2, 0.3}, {1.0 / 3, 0.3}, {2, 0.7}}};
  for (const double to : {0.15, 0.2, 0.21, 1.0 / 3}) EXPECT_EQ(level.mean(0.05, to), 0.3) << to;
  EXPECT_EQ(level.mean(2, 5), 0.7);
  EXPECT_EQ(level.mean(1.25, 1.25), level.at(1.25)) << "no time between";
  EXPECT_EQ(level.mean(1, 1.5), level.at(1.25)) << "within one piece: the value in the middle";
}

// A knock that begins and ends between two steps; 2 N s would be 40 m/s, so one of a thousandth.
TEST(Impulse, BetweenTwoStepsIsNotLost) {
  for (const Way& way : ways) {
    SCOPED_TRACE(std::string(way.method) + (way.integrator == Integrator::midpoint ? " midpoint" : ""));
    Simulation simulation = simulate(knocked(way, {{0.0101, 0}, {0.0105, 5}, {0.0109, 0}}));
    ASSERT_TRUE(simulation.run(0.01).accepted());
    EXPECT_NEAR(momentum(simulation), 0, 1e-20);
    ASSERT_TRUE(simulation.run(0.05).accepted());
    EXPECT_NEAR(momentum(simulation), 0.5 * 8e-4 * 5, 1e-12) << "half base times height, N s";
  }
}

// Steps that end within it, however they lie; in parts, as a resumed run and one whose steps are halved have it.
TEST(Impulse, OfARampIsItsIntegralWhateverTheSteps) {
  const Points ramp{{0.0101, 0.2}, {0.0153, 3}, {0.0168, -1}, {0.0291, 0}};
  for (const Way& way : ways)
    for (const double dt : {1e-3, 0.7e-3, 7e-3}) {
      SCOPED_TRACE(std::string(way.method) + (way.integrator == Integrator::midpoint ? " midpoint " : " ") + std::to_string(dt));
      Scene scene = knocked(way, ramp);
      scene.dt = dt;
      Simulation simulation = simulate(scene);
      for (const double until : {0.0133, 0.0157, 0.0351}) {
        ASSERT_TRUE(simulation.run(until).accepted());
        EXPECT_NEAR(momentum(simulation), integral({ramp}, 0, until), 1e-9) << until;
      }
      scene.step_tolerance = 1e-5;
      Simulation halved = simulate(scene);
      ASSERT_TRUE(halved.run(0.0351).accepted());
      EXPECT_NEAR(momentum(halved), integral({ramp}, 0, 0.0351), 1e-9);
    }
}

// The square of a ramp, with its sign, likewise.
TEST(Ramp, MeanBySquareIsThatOfTheIntegral) {
  const Ramp ramp{{{1, 0}, {3, 10}, {4, -10}, {4.5, 2}}};
  const double times[] = {-2, 0.5, 1, 1.7, 3, 3.2, 4, 4.3, 4.5, 7};
  for (const double from : times)
    for (const double to : times) {
      if (to <= from) continue;
      const int strips = 200000;
      double sum = 0;
      for (int i = 0; i < strips; ++i) {
        const double f = ramp.at(from + (i + 0.5) * (to - from) / strips);
        sum += f * std::abs(f) / strips;
      }
      const double c = ramp.mean_by_square(from, to);
      EXPECT_NEAR(c * std::abs(c), sum, 1e-5) << from << " to " << to;
    }
  EXPECT_EQ(Ramp{}.mean_by_square(0.1, 0.7), 1);
  EXPECT_EQ((Ramp{{{0.1, 0.3}, {0.2, 0.3}, {1.0 / 3, 0.3}, {2, 0.7}}}.mean_by_square(0.05, 0.21)), 0.3) << "to the bit";
  EXPECT_NEAR((Ramp{{{0, -0.3}, {2, -0.7}}}.mean_by_square(1, 1)), -0.5, 1e-15) << "no time between";
}

// A gust that begins and ends between two steps: 1/2 density coefficient width length v^2 times the integral of the squared ramp.
// The rod is heavy: it is at rest in the wind. Steps that cut the gust in parts add up to the same.
TEST(Impulse, OfAGustIsThatOfItsSquare) {
  for (const Way& way : ways)
    for (const double dt : {5e-3, 0.7e-4}) {
      SCOPED_TRACE(std::string(way.method) + (way.integrator == Integrator::midpoint ? " midpoint " : " ") + std::to_string(dt));
      Scene scene = knocked(way, {});
      scene.dt = dt;
      scene.materials[0].density = 1e7;
      scene.loads.clear();
      load(scene, WindLoad{"", {0, 0, 20}, 1.2, 1.1}, {{{0.0101, 0}, {0.0105, 1}, {0.0109, 0}}});
      Simulation simulation = simulate(scene);
      ASSERT_TRUE(simulation.run(0.02).accepted());
      const double whole = 0.5 * 1.2 * 1.1 * 0.01 * 0.5 * 400 * (8e-4 / 3);  // N s
      EXPECT_NEAR(momentum(simulation) / whole, 1, 1e-5);
    }
}

TEST(Impulse, OfGravityIsItsIntegral) {
  for (const Way& way : ways) {
    Scene scene = knocked(way, {});
    scene.loads.clear();
    scene.gravity = {0, 0, -9.81};
    scene.gravity_ramp.points = {{0.0012, 0}, {0.0015, 1}, {0.0019, 0}};
    Simulation simulation = simulate(scene);
    ASSERT_TRUE(simulation.run(0.005).accepted());
    const double mass = simulation.model().rods()[0].mass;
    EXPECT_NEAR(momentum(simulation), -mass * 9.81 * 0.5 * 7e-4, 1e-13);
  }
}

TEST(Impulse, LoadsThatStayKeepTheirBits) {
  for (const Way& way : ways) {
    const auto hash_with = [&](const Points& ramp) {
      Scene scene = knocked(way, ramp);
      scene.gravity = {0, 0, -9.81};
      scene.gravity_ramp.points = ramp;
      Simulation simulation = simulate(scene);
      EXPECT_TRUE(simulation.run(0.03).accepted());
      return state_hash(simulation.state());
    };
    const std::uint64_t without = hash_with({});
    EXPECT_EQ(hash_with({{0.0031, 1}, {0.0057, 1}, {0.02, 1}, {1, 5}}), hash_with({{0.02, 1}, {1, 5}}));
    EXPECT_EQ(hash_with({{0.0031, 1}, {0.0057, 1}}), without);
  }
}

// What statics asks for: not the mean up to there.
TEST(Impulse, LoadsAtATimeAreThoseOfThatTime) {
  const Model model(knocked(ways[0], {{0, 0}, {1, 1}}));
  Drive drive(model);
  State state = model.initial_state();
  EXPECT_EQ(drive.at(model, state, 0.75).force[10].z, 0.75);
  EXPECT_EQ(drive.of_step(model, state, 0.75, Integrator::euler).force[10].z, 0.375);
}
