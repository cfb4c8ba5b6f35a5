// Modes by their invariants, and what a path tells on its way: crossings, points, sinks, interruptions.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support/scenes.h"
#include "support/statics.h"

using namespace writhe;
using namespace writhe::test;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// A cantilever under a follower thrust beyond the load at which it flutters.
Scene fluttering() {
  const Cord cord{.radius = 0.002};
  Scene scene = cord.scene();
  clamp(scene, "rod.start");
  load(scene, ForceLoad{Place::parse("rod.end"), {0, 0, -25 * cord.EI()}, true});
  return scene;
}

// A column along z, clamped at its foot, under `number` times EI/L^3 of weight per length: it buckles at 7.84 of them.
Scene column(double number) {
  const Cord cord{.radius = 0.002, .segments = 30};
  Scene scene = cord.scene();
  scene.rods[0].centreline = LineShape{{0, 0, 0}, {0, 0, 1}};
  scene.gravity = {0, 0, -number * cord.EI() / cord.linear_density()};
  clamp(scene, "rod.start");
  return scene;
}

}  // namespace

// ---- modes -----------------------------------------------------------------------------------------------------------------
TEST(Modes, OfAFreeBowAreOfUnitSizeAndMoveNoCentreOfMass) {
  Scene scene = Cord{.segments = 40}.scene();
  scene.rods[0].centreline = ArcShape{.centre = {}, .normal = {0, 1, 0}, .start = {1, 0, 0}, .radius = 1, .angle = 2};
  scene.rods[0].rest = AsBuiltRest{};
  const Statics statics = solved(scene);
  const Model& model = statics.model();
  for (const Mode& mode : statics.modes(6)) {
    double size = 0;
    Vec3 momentum{};
    for (int i = 0; i < model.node_count(); ++i) {
      size += model.nodes().mass[i] * dot(mode.x[i], mode.x[i]);
      momentum += model.nodes().mass[i] * mode.x[i];
    }
    for (int s = 0; s < model.segment_count(); ++s) size += dot(scale(model.segments().inertia[s], mode.turn[s]), mode.turn[s]);
    EXPECT_NEAR(size, 1, 1e-9);
    EXPECT_LT(norm(momentum), 1e-6);
    EXPECT_GT(mode.eigenvalue, 0);
  }
}

// In each plane two shapes, a quarter of a period apart, make the one motion that grows: four that are independent.
TEST(Modes, OfFlutterAreTheTwoShapesOfItsMotion) {
  const std::vector<Mode> modes = solved(fluttering()).modes(4);
  ASSERT_EQ(modes.size(), 4u);
  MatrixXd shapes(3 * static_cast<Eigen::Index>(modes[0].x.size()), 4);
  for (int k = 0; k < 4; ++k)
    for (std::size_t i = 0; i < modes[k].x.size(); ++i)
      shapes.col(k).segment<3>(3 * static_cast<Eigen::Index>(i)) << modes[k].x[i].x, modes[k].x[i].y, modes[k].x[i].z;
  shapes.colwise().normalize();
  const VectorXd singular = shapes.jacobiSvd().singularValues();
  EXPECT_GT(singular[3], 1e-3);
}

// Also next to a critical load (the second, 55.98), where one eigenvalue is almost zero and others far below.
TEST(Modes, BeyondBucklingTheLowestAreAllNegativeOnes) {
  for (const double load_number : {55.75, 55.8, 500.0, 2000.0}) {
    const Statics statics = solved(column(load_number));
    const int negative = statics.stability().negative;
    const std::vector<Mode> all = statics.modes(1000);
    EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const Mode& mode) { return mode.eigenvalue < 0; }), negative);
    for (const int count : {1, 2, 4, 6, 10}) {
      const std::vector<Mode> few = statics.modes(count);
      ASSERT_EQ(few.size(), static_cast<std::size_t>(count));
      for (int k = 0; k < count; ++k)
        EXPECT_NEAR(few[k].eigenvalue, all[k].eigenvalue, 1e-6 * std::abs(all[0].eigenvalue)) << load_number << " " << count;
    }
  }
}

// A path that fails leaves the last equilibrium as it is: a rod on a pin, whose lowest mode is not one of those that cost
// nothing.
TEST(Modes, AfterAFailedPathAreThoseOfItsLastEquilibrium) {
  const Cord cord{.segments = 40};
  Scene scene = cord.scene();
  pin(scene, "rod.start");
  load(scene, ForceLoad{Place::parse("rod.end"), {1e-3, 0, 0}, true}, {{{0, 0}, {0.5, 0}, {1, 1}}});
  Statics statics{Model(scene)};
  EXPECT_FALSE(statics.solve().converged());
  const double pinned_free = std::pow(3.9266, 4) * cord.EI() / cord.linear_density();  // tan k = tanh k
  const std::vector<Mode> modes = statics.modes(2);
  ASSERT_EQ(modes.size(), 2u);
  for (const Mode& mode : modes) EXPECT_NEAR(mode.eigenvalue / pinned_free, 1, 1e-2);
}

// Rods beside one with a load that turns with it are judged by all their eigenvalues, but for motions that cost nothing.
TEST(Follower, BesideItOthersAreJudgedToo) {
  for (const bool buckles : {false, true}) {
    Scene scene = column(buckles ? 12 : 4);
    const auto add = [&](const std::string& name, double y) {
      scene.rods.push_back(scene.rods[0]);
      scene.rods.back().name = name;
      scene.rods.back().centreline = LineShape{{0, y, 0}, {0, y, -1}};
    };
    add("pulled", 1);
    clamp(scene, "pulled.start");
    load(scene, ForceLoad{Place::parse("pulled.end"), {0, 0, 1e-6}, true});
    for (const int i : {2, 3, 4}) {
      add("hangs" + std::to_string(i), i);
      pin(scene, "hangs" + std::to_string(i) + ".start");
    }
    const Stability found = solved(scene).stability();
    EXPECT_EQ(found.negative, buckles ? 2 : 0);
    EXPECT_EQ(found.balance, buckles ? Balance::unstable : Balance::neutral);
    EXPECT_EQ(found.neutral.size(), 3u);  // spins
    EXPECT_GT(found.examined, 0);
  }
}

// ---- paths -----------------------------------------------------------------------------------------------------------------
TEST(Path, PerturbedItIsLeftJustWhereItBecomesUnstable) {
  Scene scene = column(40);
  scene.gravity_ramp.points = {{0, 0}, {1, 1}};
  Statics statics{Model(scene)};
  StaticOptions options;
  options.perturb = true;
  options.first_step = options.longest_step = 1;
  double unstable = 0;
  options.go_on = [&](const StaticPoint& point) {
    if (point.negative > 0) unstable = std::max(unstable, point.time);
    return true;
  };
  const StaticReport report = statics.solve(options);
  ASSERT_TRUE(report.converged()) << report.cause;
  ASSERT_EQ(report.crossings.size(), 1u);
  EXPECT_GT(unstable, report.crossings[0].time);
  EXPECT_LT(unstable, report.crossings[0].time + 0.05);
}

TEST(Path, PerturbedAFollowerHasNoWayDown) {
  Statics statics{Model(fluttering())};
  StaticOptions options;
  options.perturb = true;
  const StaticReport report = statics.solve(options);
  EXPECT_EQ(report.status, StaticStatus::not_converged);
  EXPECT_NE(report.cause.find("no potential to follow down"), std::string::npos) << report.cause;
}

// By its length too, supports are where their motion has them at the time of each point.
TEST(Path, ByArclengthSupportsKeepToTheirMotion) {
  Scene scene = Cord{.segments = 40}.scene();
  scene.rods[0].centreline = ArcShape{.centre = {}, .normal = {0, 1, 0}, .start = {-0.3, 0, 1}, .radius = 1, .angle = 0.6};
  scene.rods[0].rest = AsBuiltRest{};
  clamp(scene, "rod.start");
  clamp(scene, "rod.end");
  scene.supports[1].motion.emplace().translate.keys = {{0, Vec3{}}, {1, Vec3{-0.1, 0, 0.2}}};
  Statics statics{Model(scene)};
  const Vec3 built = statics.state().x.back();
  StaticOptions options;
  options.arclength = true;
  int points = 0;
  options.go_on = [&](const StaticPoint& point) {
    EXPECT_LT(norm(statics.state().x.back() - built - point.time * Vec3{-0.1, 0, 0.2}), 1e-12);
    return ++points > 0;
  };
  EXPECT_TRUE(statics.solve(options).converged());
  EXPECT_GT(points, 3);
}

TEST(Path, ByArclengthCrossingsOfTheLastStepAreFound) {
  Scene scene = column(9);
  StaticOptions options;
  options.arclength = true;
  options.first_step = 0.6;
  options.longest_step = 0.3;
  Statics statics{Model(scene)};
  const StaticReport report = statics.solve(options);
  ASSERT_TRUE(report.converged()) << report.cause;
  ASSERT_EQ(report.crossings.size(), 1u);
  EXPECT_NEAR(9 * report.crossings[0].load, 7.84, 0.03);
}

// Steps are parts of the whole time, however short the time between two keys.
TEST(Path, StepsAreAsLongAsAllowedAndNoLonger) {
  Scene scene = Cord{}.scene();
  clamp(scene, "rod.start");
  load(scene, ForceLoad{Place::parse("rod.end"), {1e-3, 0, 0}}, {{{0, 0}, {0.5, 1}, {1, 0}}});
  double last = 0, longest = 0;
  StaticOptions options;
  options.first_step = 0.02;
  options.go_on = [&](const StaticPoint& point) {
    longest = std::max(longest, point.time - last);
    last = point.time;
    return true;
  };
  solved(scene, options);
  EXPECT_NEAR(longest, 0.1, 1e-9);
}

TEST(Path, AFallStopsWhenToldTo) {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -9.81};
  pin(scene, "rod.start");
  Statics statics{Model(scene)};
  int falling = 0;
  StaticOptions options;
  options.iterating = [&](const StaticIteration& at) { return at.load == 0 || at.iterations < 15 || ++falling < 1; };
  EXPECT_EQ(statics.solve(options).status, StaticStatus::interrupted);
  EXPECT_EQ(falling, 1);
}

// Sinks begin with the loads on and are given each time once, with the equilibrium that a perturbation led to.
TEST(Path, SinksAreGivenEachTimeOnce) {
  struct Record : Sink {
    std::vector<double> times;
    Vec3 first{}, last{};
    void begin(const Model&, const State& state) override { first = state.x.back(); }
    void write(const Model&, const State& state, const StepReport& report) override {
      times.push_back(report.time);
      last = state.x.back();
    }
    void end(const Model&, const State&) override {}
  } record;
  Scene scene = column(12);
  load(scene, ForceLoad{Place::parse("rod.end"), {0, 0, 1e-3}}, {{{0, 0}, {1, 1}}});
  Statics statics{Model(scene)};
  statics.add_sink(record);
  StaticOptions options;
  options.perturb = true;
  Vec3 loaded{};
  options.go_on = [&](const StaticPoint& point) {
    if (point.load == 1 && point.time == 0) loaded = statics.state().x.back();
    return true;
  };
  const StaticReport report = statics.solve(options);
  ASSERT_TRUE(report.converged()) << report.cause;
  EXPECT_GT(report.perturbed, 0);
  EXPECT_EQ(norm(record.first - loaded), 0);
  EXPECT_EQ(norm(record.last - statics.state().x.back()), 0);
  ASSERT_FALSE(record.times.empty());
  EXPECT_GT(record.times.front(), 0);
  EXPECT_TRUE(std::adjacent_find(record.times.begin(), record.times.end(), std::greater_equal<>()) == record.times.end());
}
