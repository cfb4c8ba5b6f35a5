// Equilibria against exact answers: tangent of directional loads, circles, modes, neutral motions, mechanisms, paths.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "statics/equilibrium.h"
#include "statics/neutral.h"
#include "support/scenes.h"
#include "support/statics.h"

using namespace writhe;
using namespace writhe::test;
using Eigen::VectorXd;

namespace {

// Force of the one pin of a scene.
Vec3 reaction_of_pin(const Statics& statics) {
  for (const Reaction& reaction : statics.reactions())
    if (statics.model().supports()[reaction.support].support.kind == Support::Kind::pin) return reaction.force;
  ADD_FAILURE() << "no pin";
  return {};
}

Scene ring(bool as_built, int segments = 60) {
  Scene scene = Cord{.radius = 0.01, .young = 1e7, .density = 1000, .segments = segments}.scene();
  scene.rods[0].centreline = RingShape{.radius = 1};
  scene.rods[0].closed = true;
  if (as_built) scene.rods[0].rest = AsBuiltRest{};
  return scene;
}

// Of twist-free round wire, 0.2 m in radius, on a pin x m from the origin, closed with a turn of twist.
Scene sliding_ring(int segments, double x) {
  Scene scene = ring(true, segments);
  scene.sections = {{"section", DirectSection{1e5, 1e5, 1e-3, 1e-3, 8e-4, 0.05, 1e-6, 1e-6, 2e-6, 0.005}}};
  scene.rods[0].centreline = RingShape{.centre = {x, x, 0}, .radius = 0.2};
  scene.rods[0].closing_angle = 2 * pi;
  pin(scene, "rod.node[0]");
  return scene;
}

}  // namespace

// ---- loads without a potential -------------------------------------------------------------------------------------------
class DirectionalTangent : public testing::TestWithParam<int> {};

// At an equilibrium the residual changes along `solved(b)` by b: the tangent is complete, its unsymmetric part included.
TEST_P(DirectionalTangent, IsTheDerivativeOfTheResidual) {
  Scene scene = Cord{.segments = 12}.scene();
  clamp(scene, "rod.start");
  const double moment = 1.2 * Cord{}.EI(), force = 2 * Cord{}.EI();
  const Place end = Place::parse("rod.end"), inside = Place::parse("rod@0.6");
  if (GetParam() == 0) load(scene, MomentLoad{end, {0.3 * moment, -moment, 0.2 * moment}, false});
  if (GetParam() == 1) load(scene, MomentLoad{inside, {moment, 0.5 * moment, 0.3 * moment}, true});
  if (GetParam() == 2) load(scene, ForceLoad{inside, {force, 0.4 * force, -0.2 * force}, true});
  if (GetParam() == 3) {  // wind on a crossing, where four segments meet
    Rod across = scene.rods[0];
    across.name = "across";
    across.centreline = LineShape{{0.5, -0.5, 0}, {0.5, 0.5, 0}};
    scene.rods.push_back(across);
    scene.joints = {{"", {Place::parse("rod@0.5"), Place::parse("across@0.5")}}};
    WindLoad wind;
    wind.velocity = {0.5, 0.3, 1};
    load(scene, wind);
  }
  const Model model(scene);
  statics::Equilibrium equilibrium(model, 1e-11);
  State state = model.initial_state();
  const statics::Where where{1, 0};
  for (int part = 1; part <= 40; ++part) ASSERT_TRUE(equilibrium.correct(state, {part / 40.0, 0}, 30).converged()) << part;
  ASSERT_TRUE(equilibrium.factorise(state, where));

  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const VectorXd right =
      VectorXd::NullaryExpr(equilibrium.assembly().size(), [&] { return uniform(random); }).cwiseProduct(equilibrium.free());
  const VectorXd along = equilibrium.solve(right);
  const double h = 1e-5 / equilibrium.size_of(along);
  const auto residual = [&](double size) {
    State moved = state;
    equilibrium.assembly().move(state, along, size, moved);
    return equilibrium.residual(moved, where).vector;
  };
  const VectorXd change = ((residual(h) - residual(-h)) / (2 * h)).cwiseProduct(equilibrium.free());
  // follower forces between segments take the mean of two frames, which turns with their mean to first order
  EXPECT_LT((change - right).norm(), (GetParam() == 2 ? 1e-3 : 1e-4) * right.norm());
}
INSTANTIATE_TEST_SUITE_P(All, DirectionalTangent, testing::Values(0, 1, 2, 3));

// An end moment bends a cantilever to a circle, here three quarters of one: far beyond what settling in time can do.
TEST(Statics, AnEndMomentBendsACantileverToACircle) {
  const auto miss = [](int segments, bool follower) {
    const Cord cord{.radius = 0.002, .segments = segments};
    const double angle = 1.5 * pi;
    Scene scene = cord.scene();
    clamp(scene, "rod.start");
    const double moment = cord.EI() * angle;
    load(scene, MomentLoad{Place::parse("rod.end"), {0, (follower ? 1 : -1) * moment, 0}, follower});
    scene.rods[0].d1 = Vec3{0, 0, 1};  // then d2 is along -y
    const Statics statics = solved(scene);
    const Vec3 tip = statics.state().x.back();
    return std::hypot(tip.x - std::sin(angle) / angle, tip.z - (1 - std::cos(angle)) / angle);
  };
  for (const bool follower : {false, true}) {
    const double coarse = miss(20, follower), fine = miss(40, follower);
    EXPECT_LT(fine, 3e-3) << follower;
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2) << follower;
  }
}

// ---- neutral motions and mechanisms ----------------------------------------------------------------------------------------
TEST(Neutral, MotionsAreCountedAndNamed) {
  const auto count = [](const Scene& scene) { return stability_of(scene).neutral.size(); };
  EXPECT_EQ(count(ring(false)), 7u);  // six rigid ones and the spin of a rod that is straight at rest
  EXPECT_EQ(count(ring(true)), 6u);   // curved at rest it does not spin
  Scene flat = ring(false);
  flat.sections = {{"section", RectangleSection{0.02, 0.012}}};
  EXPECT_EQ(count(flat), 6u);

  const Cord cord;
  Scene pinned = cord.scene();
  pin(pinned, "rod.start");
  EXPECT_EQ(count(pinned), 3u);
  pin(pinned, "rod.end");
  EXPECT_EQ(count(pinned), 1u);  // about its own axis, which is the line through the pins
  pinned.gravity = {0, 0, -9.81};
  const Stability sagging = stability_of(pinned);
  ASSERT_EQ(sagging.neutral.size(), 1u);  // the swing about the line has a weight now
  EXPECT_EQ(sagging.neutral[0], "rod spins about its own axis");
  EXPECT_EQ(sagging.balance, Balance::neutral);

  Scene held = cord.scene();
  clamp(held, "rod.start");
  const Stability firm = stability_of(held);
  EXPECT_TRUE(firm.neutral.empty());
  EXPECT_EQ(firm.balance, Balance::stable);
}

TEST(Neutral, HangingDownIsStableAndStandingUpIsNot) {
  Scene scene = Cord{}.scene();
  scene.rods[0].centreline = LineShape{{0, 0, 0}, {0, 0, -1}};
  scene.gravity = {0, 0, -9.81};
  pin(scene, "rod.start");
  const Stability down = stability_of(scene);
  EXPECT_EQ(down.negative, 0);
  EXPECT_EQ(down.neutral.size(), 1u);
  scene.rods[0].centreline = LineShape{{0, 0, 0}, {0, 0, 0.05}};  // short: it does not buckle, it falls
  const Stability up = stability_of(scene);
  EXPECT_EQ(up.negative, 2);
  EXPECT_EQ(up.balance, Balance::unstable);
}

// A ring that is bent at rest and closed with a turn of twist slides along itself, which only its mesh resists: its eigenvalue is
// a rounding error, of either sign.
TEST(Neutral, WhatRoundingErrorsResistIsNotUnstable) {
  for (const double x : {0.0, 100.0})
    for (const int segments : {40, 50, 60, 70, 80, 100}) {
      SCOPED_TRACE(testing::Message() << x << " m, " << segments);
      const Statics statics = solved(sliding_ring(segments, x));
      const Stability found = statics.stability();
      EXPECT_EQ(found.balance, Balance::neutral);
      EXPECT_EQ(found.negative, 0);
      const std::vector<Mode> modes = statics.modes(2);
      ASSERT_EQ(modes.size(), 2u);
      for (const Mode& mode : modes) EXPECT_EQ(mode.growth, 0);
      EXPECT_LT(std::abs(modes[0].eigenvalue), 1e-5 * modes[1].eigenvalue);
    }
}

// What is little beside the stiffness of a thin rod against stretching is no rounding error: 1% beyond the weight under which a
// column buckles that is 25,000 times as long as thick.
TEST(Neutral, RoundingErrorsHideNoBuckling) {
  for (const bool beyond : {false, true}) {
    const Cord cord{.radius = 2e-5, .segments = 40};
    Scene scene = cord.scene();
    scene.rods[0].centreline = LineShape{{0, 0, 0}, {0, 0, 1}};
    scene.gravity = {0, 0, -(beyond ? 1.01 : 0.99) * 7.837 * cord.EI() / cord.linear_density()};
    clamp(scene, "rod.start");
    const Stability found = stability_of(scene);
    EXPECT_EQ(found.negative, beyond ? 2 : 0);
    EXPECT_EQ(found.balance, beyond ? Balance::unstable : Balance::stable);
  }
}

TEST(Mechanism, ALoadThatNothingResistsIsRefusedByName) {
  Scene falling = Cord{}.scene();
  falling.gravity = {0, 0, -9.81};
  Statics statics{Model(falling)};
  const StaticReport report = statics.solve();
  EXPECT_EQ(report.status, StaticStatus::mechanism);
  EXPECT_EQ(report.rod, 0);
  EXPECT_NE(report.cause.find("moves along (0, 0, -1)"), std::string::npos) << report.cause;

  Scene spun = Cord{}.scene();
  pin(spun, "rod.start");
  pin(spun, "rod.end");
  load(spun, MomentLoad{Place::parse("rod@0.5"), {1e-3, 0, 0}, false});
  Statics turning{Model(spun)};
  EXPECT_EQ(turning.solve().status, StaticStatus::mechanism);

  // a pair of forces that balance drives nothing
  Scene pulled = Cord{}.scene();
  load(pulled, ForceLoad{Place::parse("rod.start"), {-0.1, 0, 0}});
  load(pulled, ForceLoad{Place::parse("rod.end"), {0.1, 0, 0}});
  const Statics taut = solved(pulled);
  const double strain = 0.1 / (Cord{}.young * Cord{}.area());
  EXPECT_NEAR(taut.state().x.back().x - taut.state().x.front().x, 1 + strain, 1e-9);
}

// ---- modes ------------------------------------------------------------------------------------------------------------------
// A ring of a round bar, free: in its plane w^2 = EI/(rho A R^4) n^2 (n^2-1)^2/(n^2+1), out of it with n^2+1+nu (Timoshenko,
// Vibration Problems in Engineering). n = 2 is lowest, each twice.
TEST(Modes, AreThoseOfAFreeRing) {
  const Cord cord{.radius = 0.01, .young = 1e7, .density = 1000};
  const double scale = std::sqrt(cord.EI() / cord.linear_density()) / (2 * pi);
  const Statics statics = solved(ring(true, 120));
  const std::vector<Mode> modes = statics.modes(4);
  ASSERT_EQ(modes.size(), 4u);
  for (const int k : {0, 1}) EXPECT_NEAR(modes[k].frequency / (scale * std::sqrt(36 / 5.5)), 1, 4e-3);
  for (const int k : {2, 3}) EXPECT_NEAR(modes[k].frequency / (scale * std::sqrt(36 / 5.0)), 1, 4e-3);
}

// ---- paths ------------------------------------------------------------------------------------------------------------------
// A strut in one plane, pinned, squeezed in one long step: it becomes unstable at 1, 4 and 9 times Euler's load, and each is
// found. Squeezed by a compression e it carries EA e.
TEST(Path, EveryCrossingOfAStepIsFound) {
  Scene scene = Cord{.segments = 60}.scene();
  DirectSection section;
  section.EA = 1e6;
  section.GA = 1e6;
  section.EI1 = 1e3;
  section.EI2 = 1;
  section.GJ = 1e3;
  section.linear_density = 1;
  section.inertia1 = section.inertia2 = section.inertia3 = 1e-4;
  scene.sections = {{"section", section}};
  pin(scene, "rod.start");
  pin(scene, "rod.end");
  const double euler = pi * pi / section.EA;  // compression
  scene.supports[1].motion.emplace();
  scene.supports[1].motion->translate.keys = {{0, Vec3{}}, {1, Vec3{-12 * euler, 0, 0}}};
  Statics statics{Model(scene)};
  StaticOptions options;
  options.first_step = options.longest_step = 1;
  const StaticReport report = statics.solve(options);
  ASSERT_TRUE(report.converged()) << report.cause;
  ASSERT_EQ(report.crossings.size(), 3u);
  for (const int n : {1, 2, 3}) {
    EXPECT_NEAR(12 * report.crossings[n - 1].time, n * n, 5e-3 * n * n);
    EXPECT_EQ(report.crossings[n - 1].after, n);
  }
  EXPECT_EQ(statics.stability().negative, 3);
}

// The most a shallow arch carries, by its length along the path and by pushing its crown down with a support.
TEST(Path, TheLimitLoadIsThatOfADrivenCrown) {
  Scene scene = Cord{.segments = 40}.scene();
  scene.sections = {{"section", RectangleSection{0.04, 0.02}}};
  scene.rods[0].d1 = Vec3{0, 1, 0};
  scene.rods[0].centreline =
      ArcShape{.centre = {0, 0, 0}, .normal = {0, 1, 0}, .start = {-0.3, 0, 1}, .radius = 1, .angle = 2 * std::atan(0.3)};
  scene.rods[0].rest = AsBuiltRest{};
  clamp(scene, "rod.start");
  clamp(scene, "rod.end");

  Scene driven = scene;
  pin(driven, "rod@0.5", "xz");  // no sideways buckling: the crown stays in the middle
  driven.supports[2].motion.emplace();
  driven.supports[2].motion->translate.keys = {{0, Vec3{}}, {1, Vec3{0, 0, -0.04}}};
  Statics pushed{Model(driven)};
  StaticOptions fine;
  fine.first_step = fine.longest_step = 0.01;
  double most = 0;
  fine.go_on = [&](const StaticPoint&) {
    most = std::max(most, -reaction_of_pin(pushed).z);
    return true;
  };
  ASSERT_TRUE(pushed.solve(fine).converged());

  pin(scene, "rod@0.5", "x");
  load(scene, ForceLoad{Place::parse("rod@0.5"), {0, 0, -1.5 * most}});
  Statics loaded{Model(scene)};
  const StaticReport limit = loaded.solve();
  EXPECT_EQ(limit.status, StaticStatus::limit_point) << limit.cause;
  EXPECT_NEAR(1.5 * limit.load, 1, 2e-3);

  Statics onward{Model(scene)};
  StaticOptions options;
  options.arclength = true;
  double highest = 0, after = 1;
  options.go_on = [&](const StaticPoint& point) {
    highest = std::max(highest, point.load);
    if (point.load < highest) after = std::min(after, point.load);
    return true;
  };
  const StaticReport through = onward.solve(options);
  EXPECT_TRUE(through.converged()) << through.cause;
  EXPECT_LT(after, 0.9 * limit.load);  // it fell
  EXPECT_EQ(through.load, 1);
  ASSERT_FALSE(through.crossings.empty());
  EXPECT_NEAR(through.crossings[0].load, limit.load, 1e-5);
  EXPECT_LT(through.crossings[0].width, 1e-5);
  EXPECT_LT(onward.state().x[20].z, onward.state().x[0].z - 0.01);  // snapped through
}

// A steeper arch, held in its plane, has to be pulled back on its way through: the load changes its sign.
TEST(Path, ByArclengthALoadMayChangeItsSign) {
  Scene scene = Cord{.segments = 40}.scene();
  scene.sections = {{"section", RectangleSection{0.02, 0.02}}};
  scene.rods[0].d1 = Vec3{0, 1, 0};
  scene.rods[0].centreline =
      ArcShape{.centre = {0, 0, 0}, .normal = {0, 1, 0}, .start = {-0.3, 0, 1}, .radius = 1, .angle = 2 * std::atan(0.3)};
  scene.rods[0].rest = AsBuiltRest{};
  pin(scene, "rod.start");
  pin(scene, "rod.end");
  pin(scene, "rod@0.5", "xy");
  load(scene, ForceLoad{Place::parse("rod@0.5"), {0, 0, -1}});
  Statics statics{Model(scene)};
  StaticOptions options;
  options.arclength = true;
  const double built = Model(scene).initial_state().x[20].z;
  options.go_on = [](const StaticPoint& point) { return point.load >= 0; };
  const StaticReport report = statics.solve(options);
  EXPECT_EQ(report.status, StaticStatus::interrupted) << report.cause;
  EXPECT_LT(report.load, 0);
  EXPECT_LT(statics.state().x[20].z, built - 0.02);  // it went down all the way
}

// Far beyond the first critical load too: the path is left just where it becomes unstable.
TEST(Path, PerturbedAColumnBendsAsideAndIsStable) {
  const Cord cord{.radius = 0.002, .segments = 30};
  for (const double load_number : {12.0, 200.0}) {  // buckles at 7.84
    Scene scene = cord.scene();
    scene.rods[0].centreline = LineShape{{0, 0, 0}, {0, 0, 1}};
    scene.gravity = {0, 0, -load_number * cord.EI() / cord.linear_density()};
    clamp(scene, "rod.start");
    EXPECT_EQ(stability_of(scene).negative, load_number < 50 ? 2 : 6);  // then at 55.98 and 148.5, each in two planes
    StaticOptions options;
    options.perturb = true;
    Statics bent{Model(scene)};
    const StaticReport report = bent.solve(options);
    ASSERT_TRUE(report.converged()) << report.cause;
    ASSERT_EQ(report.crossings.size(), 1u);
    EXPECT_NEAR(report.crossings[0].load * load_number, 7.84, 0.03);
    const Stability stability = bent.stability();
    EXPECT_EQ(stability.negative, 0);
    EXPECT_EQ(stability.neutral.size(), 1u);  // to any side
    if (load_number < 50)
      EXPECT_GT(std::hypot(bent.state().x.back().x, bent.state().x.back().y), 0.3);
    else
      EXPECT_LT(bent.state().x.back().z, -0.5);
  }
}

TEST(Path, InterruptedItKeepsTheLastEquilibrium) {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -9.81};
  clamp(scene, "rod.start");
  Statics statics{Model(scene)};
  StaticOptions options;
  double reached = -1;
  options.go_on = [&](const StaticPoint& point) {
    reached = point.load;
    return point.load < 0.1;
  };
  const StaticReport report = statics.solve(options);
  EXPECT_EQ(report.status, StaticStatus::interrupted);
  EXPECT_EQ(report.load, reached);
  EXPECT_EQ(statics.load(), reached);
  const double weight = Cord{}.linear_density() * 9.81;
  EXPECT_NEAR(statics.reactions()[0].force.z, reached * weight, 1e-8 * weight);
}

// Far from the origin positions have few digits, and the residual stays above what it would fall below elsewhere.
TEST(Statics, TheLimitToldIsTheOneThatWasMet) {
  for (const int segments : {40, 60, 80}) {
    Statics statics{Model(sliding_ring(segments, 100))};
    StaticOptions options;
    options.go_on = [](const StaticPoint& point) {
      EXPECT_LE(point.residual, point.residual_limit);
      return true;
    };
    const StaticReport report = statics.solve(options);
    ASSERT_TRUE(report.converged()) << report.cause;
    EXPECT_LE(report.residual, report.residual_limit);
  }
}
