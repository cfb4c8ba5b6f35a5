// What looks like an equilibrium, or like a stable one, and is none: unlike rods, motions that stop being neutral, keys within a
// step, loads that turn with the rod.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "model/motion.h"
#include "statics/equilibrium.h"
#include "statics/neutral.h"
#include "support/scenes.h"
#include "support/statics.h"

using namespace writhe;
using namespace writhe::test;

namespace {

// A hair of 0.1 m along x, clamped at its start unless it is joined to something; it bends under its weight by half its length.
Scene hair() {
  Scene scene = Cord{.length = 0.1, .radius = 4e-5, .young = 4e9, .poisson = 0.4, .density = 1300, .segments = 20}.scene();
  scene.gravity = {0, 0, -9.81};
  scene.rods[0].name = "hair";
  return scene;
}

// A steel bar of 1 m along y through the origin, held at both ends.
void add_bar(Scene& scene, double x) {
  scene.materials.push_back({"steel", 210e9, 7850, 0.3, {}});
  scene.sections.push_back({"bar", CircleSection{0.01}});
  Rod bar = scene.rods[0];
  bar.name = "bar";
  bar.material = "steel";
  bar.section = "bar";
  bar.centreline = LineShape{{x, -0.5, 0}, {x, 0.5, 0}};
  scene.rods.push_back(bar);
  clamp(scene, "bar.start");
  clamp(scene, "bar.end");
}

Vec3 end_of(const Statics& statics, int rod) {
  const RodRange& range = statics.model().rods()[rod];
  return statics.state().x[statics.model().node_of(rod, range.segment_count)];
}

// A rod along x, pinned at its start and pulled down at its end from the time `begin` on.
Scene pulled_late(double begin) {
  Scene scene = Cord{}.scene();
  pin(scene, "rod.start");
  load(scene, ForceLoad{Place::parse("rod.end"), {0, 0, -1e-3}}, {{{0, 0}, {begin, 0}, {1, 1}}});
  return scene;
}

}  // namespace

// ---- unlike rods ---------------------------------------------------------------------------------------------------------
TEST(UnlikeRods, AHairBesideALoadedBarHangsAsItDoesAlone) {
  Scene alone = hair();
  clamp(alone, "hair.start");
  Scene beside = alone;
  add_bar(beside, 1);
  load(beside, ForceLoad{Place::parse("bar@0.5"), {0, 0, -1e5}});
  const Vec3 expected = end_of(solved(alone), 0);
  EXPECT_LT(expected.z, -0.04);
  EXPECT_LT(norm(end_of(solved(beside), 0) - expected), 1e-9);
}

TEST(UnlikeRods, AHairOnABarHangsAsItDoesFromAClamp) {
  Scene clamped = hair();
  clamp(clamped, "hair.start");
  Scene joined = hair();
  add_bar(joined, 0);
  joined.joints = {{"", {Place::parse("hair.start"), Place::parse("bar@0.5")}}};
  const Statics statics = solved(joined);
  const Vec3 root = statics.state().x[statics.model().node_of(0, 0)];
  EXPECT_GT(norm(root), 1e-5);  // the bar bends under its own weight
  // half a segment of the hair is its own clamp in both; the bar hardly turns with it
  EXPECT_LT(norm(end_of(statics, 0) - root - end_of(solved(clamped), 0)), 1e-6);
  EXPECT_TRUE(statics.stability().neutral.empty());
}

// In time as well: forces that are small for the bar are not for the hair.
TEST(UnlikeRods, AHairOnABarComesToRestWhereItHangsAlone) {
  Scene clamped = hair();
  clamp(clamped, "hair.start");
  Scene joined = hair();
  add_bar(joined, 0);
  joined.joints = {{"", {Place::parse("hair.start"), Place::parse("bar@0.5")}}};
  joined.solver.tolerance = 1e-6;
  const Simulation simulation = settled(joined);
  const Model& model = simulation.model();
  const State& state = simulation.state();
  const Vec3 hanging = state.x[model.node_of(0, 20)] - state.x[model.node_of(0, 0)];
  EXPECT_LT(norm(hanging - end_of(solved(clamped), 0)), 1e-4);
}

// ---- motions that stop being neutral ---------------------------------------------------------------------------------------
TEST(Released, APendulumHangsOnceItsLoadBegins) {
  for (const double begin : {0.2, 0.95}) {
    Statics statics{Model(pulled_late(begin))};
    int points = 0;
    StaticOptions options;
    options.go_on = [&points](const StaticPoint&) { return ++points > 0; };
    const StaticReport report = statics.solve(options);
    ASSERT_TRUE(report.converged()) << report.cause;
    EXPECT_EQ(report.jumps, 1) << begin;
    EXPECT_EQ(report.points, points);
    const double stretched = 1 + 1e-3 / (Cord{}.young * Cord{}.area());
    EXPECT_LT(norm(end_of(statics, 0) - Vec3{0, 0, -stretched}), 1e-7) << begin;
    EXPECT_EQ(statics.stability().balance, Balance::neutral);
    EXPECT_EQ(statics.stability().neutral.size(), 1u);  // the spin
  }
}

TEST(Released, APendulumHangsByItsWeight) {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -9.81};
  pin(scene, "rod.start");
  for (const bool arclength : {false, true}) {
    StaticOptions options;
    options.arclength = arclength;
    const Statics statics = solved(scene, options);
    EXPECT_LT(norm(end_of(statics, 0) - Vec3{0, 0, -1}), 0.1) << arclength;  // it stretches
    EXPECT_NEAR(end_of(statics, 0).x, 0, 1e-6);
    EXPECT_EQ(statics.stability().balance, Balance::neutral);
  }
}

TEST(Released, AFollowerHasNoWayDownAndSaysSo) {
  Scene scene = Cord{}.scene();
  pin(scene, "rod.start");
  load(scene, ForceLoad{Place::parse("rod.end"), {1e-3, 0, 0}, true}, {{{0, 0}, {0.5, 0}, {1, 1}}});
  Statics statics{Model(scene)};
  const StaticReport report = statics.solve();
  EXPECT_EQ(report.status, StaticStatus::not_converged);
  EXPECT_NE(report.cause.find("beyond t = 0.5 s the loads act on what cost nothing before"), std::string::npos) << report.cause;
  EXPECT_EQ(report.time, 0.5);
}

TEST(Released, AMechanismIsFoundWhereItBegins) {
  Scene scene = Cord{}.scene();
  load(scene, ForceLoad{Place::parse("rod.end"), {0, 0, -1}}, {{{0, 0}, {0.25, 0}, {0.5, 1}, {0.75, 0}, {1, 0}}});
  Statics statics{Model(scene)};
  const StaticReport report = statics.solve();
  EXPECT_EQ(report.status, StaticStatus::mechanism) << report.cause;
  EXPECT_EQ(report.time, 0.25);
  EXPECT_GT(report.points, 1);
  EXPECT_NE(report.cause.find("rod moves along (0, 0, -1)"), std::string::npos) << report.cause;
}

// A rod that stands on a pin falls over, however small the load at which it begins to: the path is left beyond that, not before.
TEST(Released, ARodStandingOnAPinFallsAndHangs) {
  Scene scene = Cord{}.scene();
  scene.rods[0].centreline = LineShape{{0, 0, 0}, {0, 0, 1}};
  scene.gravity = {0, 0, -9.81};
  pin(scene, "rod.start");
  StaticOptions options;
  options.perturb = true;
  const Statics statics = solved(scene, options);
  EXPECT_LT(end_of(statics, 0).z, -1);
  EXPECT_EQ(statics.stability().balance, Balance::neutral);
}

TEST(Released, AWeakLoadTurnsTheRodToo) {
  Scene scene = pulled_late(0.5);
  scene.loads[0].kind = ForceLoad{Place::parse("rod.end"), {0, 0, -1e-6}};
  EXPECT_LT(norm(end_of(solved(scene), 0) - Vec3{0, 0, -1}), 1e-6);
}

// The follower does not act yet when the pendulum falls.
TEST(Released, AFollowerThatBeginsLaterIsNotInTheWay) {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -9.81};
  pin(scene, "rod.start");
  load(scene, ForceLoad{Place::parse("rod.end"), {1e-3, 0, 0}, true}, {{{0, 0}, {1, 0}, {2, 1}}});
  const Statics statics = solved(scene);
  EXPECT_LT(end_of(statics, 0).z, -0.9);
  EXPECT_GT(std::hypot(end_of(statics, 0).x, end_of(statics, 0).y), 1e-4);
}

// What the last attempt of a failed path held is not what the last equilibrium is judged by.
TEST(Released, AFailedPathLeavesTheVerdictOfItsLastEquilibrium) {
  Scene scene = Cord{}.scene();
  pin(scene, "rod.start");
  load(scene, ForceLoad{Place::parse("rod.end"), {1e-3, 0, 0}, true}, {{{0, 0}, {0.5, 0}, {1, 1}}});
  Statics statics{Model(scene)};
  EXPECT_FALSE(statics.solve().converged());
  EXPECT_EQ(statics.stability().balance, Balance::neutral);
  EXPECT_EQ(statics.stability().neutral.size(), 3u);  // two turns and the spin
}

// A square net of rods between four pins, built where it rests: rounding errors are all that is left of its forces.
TEST(Statics, ANetBuiltInEquilibriumIsOne) {
  for (const int cells : {3, 4, 8}) {
    Scene scene = Cord{}.scene();
    const Rod one = scene.rods[0];
    scene.rods.clear();
    for (int i = 0; i <= cells; ++i) {
      for (const bool along_x : {true, false}) {
        Rod rod = one;
        rod.name = (along_x ? "x" : "y") + std::to_string(i);
        const double at = 0.1 * i, end = 0.1 * cells;
        rod.centreline = along_x ? LineShape{{0, at, 0}, {end, at, 0}} : LineShape{{at, 0, 0}, {at, end, 0}};
        rod.segments = 2 * cells;
        scene.rods.push_back(rod);
      }
    }
    for (int i = 0; i <= cells; ++i)
      for (int j = 0; j <= cells; ++j)
        scene.joints.push_back({"",
                                {Place::parse("x" + std::to_string(i) + ".node[" + std::to_string(2 * j) + "]"),
                                 Place::parse("y" + std::to_string(j) + ".node[" + std::to_string(2 * i) + "]")}});
    for (const std::string end : {"x0.start", "x0.end"}) pin(scene, end);
    for (const std::string end : {".start", ".end"}) pin(scene, "x" + std::to_string(cells) + end);
    Statics statics{Model(scene)};
    const StaticReport report = statics.solve();
    EXPECT_TRUE(report.converged()) << cells << ": " << report.cause;
    EXPECT_EQ(report.jumps, 0);
  }
}

// ---- keys ----------------------------------------------------------------------------------------------------------------
TEST(Keys, AreAllTimesAfterZeroAscending) {
  Scene scene = Cord{}.scene();
  EXPECT_TRUE(key_times(scene).empty());
  EXPECT_EQ(last_change(scene), 0);
  scene.gravity_ramp.points = {{0, 1}, {3, 0}};
  load(scene, ForceLoad{Place::parse("rod.end"), {0, 0, -1}}, {{{1, 0}, {3, 1}}});
  clamp(scene, "rod.start");
  Motion& motion = scene.supports[0].motion.emplace();
  motion.translate.keys = {{0, Vec3{}}, {2.5, Vec3{1, 0, 0}}};
  motion.angle.keys = {{0.5, 0}, {2, 1}};
  motion.twist.keys = {{0, 0}, {7, 1}};
  scene.rods[0].closing_motion.keys = {{0, 0}, {4, 1}};
  EXPECT_EQ(key_times(scene), (std::vector<double>{0.5, 1, 2, 2.5, 3, 4, 7}));
  EXPECT_EQ(last_change(scene), 7);
}

TEST(Keys, AreNotSteppedOver) {
  Scene scene = Cord{}.scene();
  clamp(scene, "rod.start");
  const double force = 2 * Cord{}.EI();
  load(scene, ForceLoad{Place::parse("rod.end"), {0, 0, -force}}, {{{0, 0}, {0.42, 0}, {0.44, 1}, {0.46, 0}, {1, 0}}});
  Statics statics{Model(scene)};
  std::vector<double> times;
  double lowest = 0;
  StaticOptions options;
  options.go_on = [&](const StaticPoint& point) {
    times.push_back(point.time);
    lowest = std::min(lowest, end_of(statics, 0).z);
    return true;
  };
  ASSERT_TRUE(statics.solve(options).converged());
  for (const double key : {0.42, 0.44, 0.46, 1.0}) EXPECT_EQ(std::count(times.begin(), times.end(), key), 1) << key;
  EXPECT_NEAR(lowest, -0.49346, 2e-3);  // Mattiasson 1981: tip deflection at P L^2/EI = 2
  EXPECT_NEAR(end_of(statics, 0).z, 0, 1e-9);

  options.until = 0.43;
  times.clear();
  Statics shorter{Model(scene)};
  ASSERT_TRUE(shorter.solve(options).converged());
  EXPECT_EQ(times.back(), 0.43);
  EXPECT_EQ(std::count(times.begin(), times.end(), 0.42), 1);
}

// ---- loads that turn with the rod ------------------------------------------------------------------------------------------
// A cantilever under a follower thrust never buckles statically and flutters at 20.05 EI/L^2 (Beck 1952).
TEST(Follower, BecksColumnFluttersAtItsLoad) {
  const auto scene_of = [](int segments) {
    const Cord cord{.radius = 0.002, .segments = segments};
    Scene scene = cord.scene();
    clamp(scene, "rod.start");
    load(scene, ForceLoad{Place::parse("rod.end"), {0, 0, -25 * cord.EI()}, true}, {{{0, 0}, {1, 1}}});
    return scene;
  };
  const auto critical = [&](int segments) {
    Statics statics{Model(scene_of(segments))};
    const StaticReport report = statics.solve();
    EXPECT_TRUE(report.converged()) << report.cause;
    if (report.crossings.size() != 1) return 0.0;
    EXPECT_EQ(report.crossings[0].before, 0);
    EXPECT_EQ(report.crossings[0].after, 4);  // a pair of conjugates in each plane
    EXPECT_LT(report.crossings[0].width, 1e-5);
    EXPECT_EQ(statics.stability().balance, Balance::unstable);
    EXPECT_GT(statics.stability().examined, 0);
    for (const Mode& mode : statics.modes(4)) EXPECT_TRUE(mode.growth > 0 && mode.frequency > 0);
    return 25 * report.crossings[0].time;
  };
  const double coarse = critical(20), fine = critical(40);
  EXPECT_NEAR(fine, 20.05, 0.1);
  EXPECT_NEAR((4 * fine - coarse) / 3, 20.05, 0.01);  // second order, extrapolated

  StaticOptions below;
  below.until = 0.99 * fine / 25;
  Statics stable{Model(scene_of(40))};
  ASSERT_TRUE(stable.solve(below).converged());
  EXPECT_EQ(stable.stability().balance, Balance::stable);
  for (const Mode& mode : stable.modes(4)) EXPECT_EQ(mode.growth, 0);
}

// Each part is looked at by itself: the lowest eigenvalues of all are the hairs'.
TEST(Follower, AColumnBesideHairsFluttersAsItDoesAlone) {
  const Cord cord{.radius = 0.002, .segments = 20};
  Scene scene = cord.scene();
  clamp(scene, "rod.start");
  load(scene, ForceLoad{Place::parse("rod.end"), {0, 0, -25 * cord.EI()}, true}, {{{0, 0}, {1, 1}}});
  const auto crossing = [&scene] {
    Statics statics{Model(scene)};
    const StaticReport report = statics.solve();
    EXPECT_TRUE(report.converged()) << report.cause;
    EXPECT_EQ(report.crossings.size(), 1u);
    EXPECT_EQ(statics.stability().balance, Balance::unstable);
    return report.crossings.empty() ? 0 : report.crossings[0].time;
  };
  const double alone = crossing();
  for (const int i : {1, 2}) {
    Rod thin = scene.rods[0];
    thin.name = "hair" + std::to_string(i);
    thin.section = "thin";
    thin.centreline = LineShape{{0, 1.0 * i, 0}, {1, 1.0 * i, 0}};
    scene.rods.push_back(thin);
    clamp(scene, thin.name + ".start");
    load(scene, ForceLoad{Place::parse(thin.name + ".end"), {0, 0, 1e-12}, true});
  }
  scene.sections.push_back({"thin", CircleSection{2e-5}});
  EXPECT_NEAR(crossing(), alone, 1e-4);
}

// The unsymmetric eigenvalue problem has the same answers where it differs from a symmetric one by nothing that matters.
TEST(Follower, FrequenciesGoOverIntoThoseOfTheSymmetricProblem) {
  const Cord cord{.segments = 30};
  const auto modes = [&](bool turning) {
    Scene scene = cord.scene();
    pin(scene, "rod.start");
    pin(scene, "rod.end", "yz");
    load(scene, ForceLoad{Place::parse("rod.end"), {20 * cord.EI(), 0, 0}});
    // a moment too small to matter makes the tangent unsymmetric
    if (turning) load(scene, MomentLoad{Place::parse("rod@0.5"), {0, 1e-12 * cord.EI(), 0}, false});
    Statics statics = solved(scene);
    EXPECT_EQ(statics.stability().examined > 0, turning);
    return statics.modes(6);
  };
  const std::vector<Mode> plain = modes(false), turning = modes(true);
  ASSERT_EQ(plain.size(), turning.size());
  for (std::size_t k = 0; k < plain.size(); ++k) EXPECT_NEAR(turning[k].frequency / plain[k].frequency, 1, 1e-6) << k;
}

// ---- neutral motions, wherever and however fine ---------------------------------------------------------------------------
TEST(Neutral, DoNotDependOnWhereTheRodIs) {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -9.81};
  pin(scene, "rod.start");
  pin(scene, "rod.end");
  Scene far = scene;
  far.rods[0].centreline = LineShape{{1000, 2000, -500}, {1001, 2000, -500}};
  Statics near_by = solved(scene), far_away = solved(far);
  EXPECT_EQ(near_by.stability().neutral, far_away.stability().neutral);
  EXPECT_EQ(far_away.stability().neutral.size(), 1u);
  EXPECT_NEAR(far_away.modes(1)[0].frequency / near_by.modes(1)[0].frequency, 1, 1e-5);
}

// Between ball joints a buckled column of any section turns about the line between them, and the load, on that line, does no
// work on it: what rounding errors make of nothing does not count.
TEST(Neutral, ABuckledColumnMayStandToAnySide) {
  Scene scene = Cord{.radius = 0.005, .young = 2e11, .density = 7850, .segments = 30}.scene();
  scene.sections = {{"section", RectangleSection{0.02, 0.01}}};
  scene.rods[0].centreline = LineShape{{0, 0, 0}, {0, 0, 1}};
  pin(scene, "rod.start");
  pin(scene, "rod.end", "xy");
  const double critical = pi * pi * 2e11 * 0.02 * std::pow(0.01, 3) / 12;
  StaticOptions options;
  options.perturb = true;
  for (const double part : {1.01, 1.05, 1.1, 1.2, 1.5, 1.8}) {
    Scene loaded = scene;
    load(loaded, ForceLoad{Place::parse("rod.end"), {0, 0, -part * critical}}, {{{0, 0}, {1, 1}}});
    Statics statics{Model(loaded)};
    const StaticReport report = statics.solve(options);
    ASSERT_TRUE(report.converged()) << report.cause;
    EXPECT_EQ(report.crossings.size(), 1u) << part;
    EXPECT_EQ(report.perturbed, 1) << part;
    EXPECT_NEAR(report.crossings[0].time * part, 1, 2e-3) << part;
    EXPECT_EQ(statics.stability().balance, Balance::neutral) << part;
    EXPECT_EQ(statics.stability().neutral.size(), 1u) << part;
  }
}

TEST(Neutral, TheSpinOfABentRibbonCostsHoweverFineItIs) {
  for (const int segments : {20, 20000}) {
    Scene scene = Cord{.segments = segments}.scene();
    scene.rods[0].centreline = ArcShape{.centre = {}, .normal = {0, 1, 0}, .start = {1, 0, 0}, .radius = 1, .angle = 1};
    pin(scene, "rod.start");
    pin(scene, "rod.end");
    const auto count = [&scene] {
      const Model model(scene);
      statics::Equilibrium equilibrium(model, 1e-9);
      return statics::find_freedom(model, equilibrium, model.initial_state(), {1, 0}).neutral.size();
    };
    EXPECT_EQ(count(), 2u) << segments;  // about the line of the pins, and the spin
    scene.sections = {{"section", RectangleSection{0.01, 0.0099}}};
    EXPECT_EQ(count(), 1u) << segments;
  }
}

// ---- modes -----------------------------------------------------------------------------------------------------------------
TEST(Modes, AFewByIterationAreTheLowestOfAll) {
  Scene scene = Cord{.segments = 30}.scene();
  scene.gravity = {0, 0, -9.81};
  clamp(scene, "rod.start");
  const Statics statics = solved(scene);
  const std::vector<Mode> few = statics.modes(10), all = statics.modes(1000);
  EXPECT_EQ(all.size(), 6u * 30);
  ASSERT_EQ(few.size(), 10u);
  for (std::size_t k = 0; k < few.size(); ++k) EXPECT_NEAR(few[k].eigenvalue / all[k].eigenvalue, 1, 1e-7) << k;
  for (std::size_t k = 1; k < all.size(); ++k) EXPECT_GE(all[k].eigenvalue, all[k - 1].eigenvalue);
}

// The same rod in other units: lengths by f, so that eigenvalues are by 1/f^2.
TEST(Modes, DoNotDependOnUnits) {
  const auto eigenvalues = [](double f) {
    Scene scene = Cord{.length = f, .radius = 0.005 * f, .young = 2e11, .segments = 40}.scene();
    clamp(scene, "rod.start");
    std::vector<double> out;
    for (const Mode& mode : solved(scene).modes(12)) out.push_back(mode.eigenvalue * f * f);
    return out;
  };
  const std::vector<double> metre = eigenvalues(1);
  for (const double f : {1e-4, 1e-6, 1e4}) {
    const std::vector<double> scaled = eigenvalues(f);
    ASSERT_EQ(scaled.size(), metre.size());
    for (std::size_t k = 0; k < metre.size(); ++k) EXPECT_NEAR(scaled[k] / metre[k], 1, 1e-6) << f << " " << k;
  }
}

// Equal eigenvalues come as often as they are there: in two planes, and in each of some equal rods.
TEST(Modes, ThatAreEqualAreAllThere) {
  Scene scene = Cord{.segments = 20}.scene();
  const Rod one = scene.rods[0];
  scene.rods.clear();
  for (int i = 0; i < 5; ++i) {
    scene.rods.push_back(one);
    scene.rods.back().name = "rod" + std::to_string(i);
    scene.rods.back().centreline = LineShape{{0, 1.0 * i, 0}, {1, 1.0 * i, 0}};
    clamp(scene, scene.rods.back().name + ".start");
  }
  const Statics statics = solved(scene);
  for (const int count : {1, 7, 10}) {
    const std::vector<Mode> modes = statics.modes(count);
    ASSERT_EQ(modes.size(), static_cast<std::size_t>(count));
    for (const Mode& mode : modes) EXPECT_NEAR(mode.eigenvalue / modes[0].eigenvalue, 1, 1e-6) << count;
  }
  const std::vector<Mode> more = statics.modes(11);
  EXPECT_GT(more[10].eigenvalue, 30 * more[9].eigenvalue);
}

// A net of equal arms has equal eigenvalues within one part.
TEST(Modes, OfAStarThatAreEqualAreAllThere) {
  Scene scene = Cord{.segments = 20}.scene();
  const Rod one = scene.rods[0];
  scene.rods.clear();
  Junction centre;
  for (int i = 0; i < 6; ++i) {
    scene.rods.push_back(one);
    scene.rods.back().name = "arm" + std::to_string(i);
    const double angle = i * pi / 3;
    scene.rods.back().centreline = LineShape{{0, 0, 0}, {std::cos(angle), std::sin(angle), 0}};
    centre.places.push_back(Place::parse(scene.rods.back().name + ".start"));
    clamp(scene, scene.rods.back().name + ".end");
  }
  scene.joints = {centre};
  const Statics statics = solved(scene);
  const std::vector<Mode> all = statics.modes(100000);
  for (const int count : {3, 12, 30}) {
    const std::vector<Mode> few = statics.modes(count);
    ASSERT_EQ(few.size(), static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) EXPECT_NEAR(few[k].eigenvalue / all[k].eigenvalue, 1, 1e-5) << count << " " << k;
  }
}

TEST(Modes, CanBeStopped) {
  Scene scene = Cord{.segments = 60}.scene();
  clamp(scene, "rod.start");
  const Statics statics = solved(scene);
  int asked = 0;
  EXPECT_THROW(statics.modes(5, [&asked] { return ++asked < 3; }), Error);
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(statics.modes(5).size(), 5u);
}

// One segment between two pins stretches and turns only by what holds it: the spin costs nothing, and the middle does not move.
TEST(Modes, ARodWithoutJointsHasThemToo) {
  const Cord cord{.segments = 1};
  Scene scene = cord.scene();
  pin(scene, "rod.start");
  pin(scene, "rod.end", "yz");
  const Statics statics = solved(scene);
  const std::vector<Mode> modes = statics.modes(10);
  ASSERT_EQ(modes.size(), 3u);  // along x, and two turns against shear
  const double axial = cord.young * cord.area() / (0.5 * cord.linear_density());
  const auto close = [&](const Mode& mode) { return std::abs(mode.eigenvalue / axial - 1) < 1e-9; };
  EXPECT_TRUE(std::any_of(modes.begin(), modes.end(), close));
}

// ---- what supports hold ------------------------------------------------------------------------------------------------------
// A rod that hangs on a carried pin without any load follows it, and where it turns about it nothing pulls it off: the motions
// that cost nothing are turns about where the pin was at the point before.
TEST(Statics, APinThatIsCarriedKeepsAFreeRod) {
  for (const bool perturb : {false, true}) {
    Scene scene = Cord{.radius = 0.002, .young = 210e9, .poisson = 0.3, .density = 7850}.scene();
    pin(scene, "rod.start");
    scene.supports[0].motion.emplace().translate.keys = {{0, {0, 0, 0}}, {1, {0.1, 0.2, 0}}};
    StaticOptions options;
    options.perturb = perturb;
    Statics statics{Model(scene)};
    const StaticReport report = statics.solve(options);
    ASSERT_TRUE(report.converged()) << report.cause;
    EXPECT_LT(report.points, 300);  // it crept, by thousands
    EXPECT_EQ(norm(statics.state().x.front() - Vec3{0.1, 0.2, 0}), 0);
    EXPECT_NEAR(norm(statics.state().x.back() - statics.state().x.front()), 1, 1e-12);
    EXPECT_LT(statics.energies().elastic(), 1e-20);
  }
}

// ---- how it ends -------------------------------------------------------------------------------------------------------------
TEST(Statics, AnIterationThatIsStoppedKeepsTheLastEquilibrium) {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -9.81};
  clamp(scene, "rod.start");
  Statics statics{Model(scene)};
  StaticOptions options;
  int iterations = 0;
  double reached = -1;
  options.go_on = [&](const StaticPoint& point) {
    reached = point.load;
    return true;
  };
  options.iterating = [&](const StaticIteration& at) { return at.load < 0.5 || ++iterations < 2; };
  const StaticReport report = statics.solve(options);
  EXPECT_EQ(report.status, StaticStatus::interrupted);
  EXPECT_EQ(iterations, 2);
  EXPECT_EQ(report.load, reached);
  EXPECT_LT(reached, 0.5);
  const double weight = Cord{}.linear_density() * 9.81;
  EXPECT_NEAR(statics.reactions()[0].force.z, reached * weight, 1e-8 * weight);
}

TEST(Statics, ALoadOutOfRangeIsSaidToBeNotFinite) {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -1e300};
  clamp(scene, "rod.start");
  Statics statics{Model(scene)};
  const StaticReport report = statics.solve();
  EXPECT_FALSE(report.converged());
  for (const Vec3& x : statics.state().x) EXPECT_TRUE(std::isfinite(norm(x)));
  EXPECT_FALSE(report.cause.empty());
}
