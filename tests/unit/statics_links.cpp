// Statics of rods that links couple: equilibrium, neutral motions, modes.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "measure/measure.h"
#include "statics/neutral.h"
#include "support/scenes.h"
#include "support/statics.h"

using namespace writhe;
using namespace writhe::test;

namespace {

using End = std::variant<Place, Vec3>;

Link link(Link::Kind kind, const End& from, const End& to, double stiffness) {
  Link out;
  out.kind = kind;
  out.from = from;
  out.to = to;
  out.stiffness = stiffness;
  return out;
}

Scene side_by_side(const Cord& cord) {
  Scene scene = cord.scene();
  Rod other = scene.rods[0];
  other.name = "other";
  other.centreline = LineShape{{0, 0.1, 0}, {cord.length, 0.1, 0}};
  scene.rods.push_back(other);
  clamp(scene, "rod.start");
  return scene;
}

// Free rods, each linked to the next; closed: the last to the first, too.
Scene row_of_rods(int count, bool closed) {
  Scene scene = Cord{.length = 0.5, .segments = 4}.scene();
  const Rod first = scene.rods[0];
  scene.rods.clear();
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * pi * i / count, radius = 0.05 * count;
    const Vec3 foot = closed ? radius * Vec3{std::cos(angle), std::sin(angle), 0} : Vec3{0, 0.3 * i, 0};
    Rod rod = first;
    rod.name = "r" + std::to_string(i);
    rod.centreline = LineShape{foot, foot + Vec3{0, 0, 0.5}};
    scene.rods.push_back(rod);
  }
  for (int i = closed ? 0 : 1; i < count; ++i)
    scene.links.push_back(link(Link::Kind::spring, Place::parse("r" + std::to_string((i + count - 1) % count) + ".end"),
                               Place::parse("r" + std::to_string(i) + ".start"), 1));
  return scene;
}

// Of a cantilever with a spring of kappa EI/L^3 across its end, by Euler and Bernoulli: the first beta with
// beta^3 (1 + cos cosh) + kappa (sin cosh - cos sinh) = 0; the frequency is beta^2/(2 pi L^2) sqrt(EI/m).
double first_beta(double kappa) {
  const auto f = [kappa](double b) {
    return b * b * b * (1 + std::cos(b) * std::cosh(b)) + kappa * (std::sin(b) * std::cosh(b) - std::cos(b) * std::sinh(b));
  };
  double low = 1, high = 3.9;  // 3.927: held there
  while (high - low > 1e-12) (f(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  return low;
}

}  // namespace

// Built aside and level, so that nothing is in equilibrium near it: without load the tether holds nothing.
TEST(StaticLinks, ARodOnATetherHangsBelowIt) {
  const Cord cord{.length = 0.3, .radius = 0.01, .young = 1e8, .segments = 4};
  Scene scene = cord.scene();
  scene.gravity = {0, 0, -9.81};
  const Vec3 hook{0.3, 0, 0.5};
  scene.links = {link(Link::Kind::tether, Place::parse("rod.start"), hook, 1e3)};
  const double rest = std::hypot(0.3, 0.5), weight = 9.81 * cord.linear_density() * cord.length;
  Statics statics{Model(scene)};
  const StaticReport report = statics.solve();
  ASSERT_TRUE(report.converged()) << report.cause;
  const State& state = statics.state();
  EXPECT_NEAR(state.x.front().x, hook.x, 1e-6);
  EXPECT_NEAR(state.x.back().x, hook.x, 1e-6);
  EXPECT_NEAR(state.x.front().z, hook.z - rest - weight / 1e3, 1e-8);
  EXPECT_LT(state.x.back().z, state.x.front().z - 0.29);
  EXPECT_NEAR(measure::link_state(statics.model().links()[0], state).tension, weight, 1e-6 * weight);
  EXPECT_NE(statics.stability().balance, Balance::unstable);
}

// The tips of two equal cantilevers, held against each other by a spring: swung together they do not feel it, against each other
// twice. An entry between the rods that were lost would leave both with one spring to something fixed.
TEST(StaticLinks, ModesKnowWhatIsLinked) {
  const Cord cord{.length = 1, .radius = 0.005, .young = 1e9, .segments = 40};
  Scene scene = side_by_side(cord);
  clamp(scene, "other.start");
  const double k = 3 * cord.EI() / (cord.length * cord.length * cord.length);
  scene.links = {link(Link::Kind::spring, Place::parse("rod.end"), Place::parse("other.end"), k)};
  Statics statics{Model(scene)};
  ASSERT_TRUE(statics.solve().converged());
  const double unit = std::sqrt(cord.EI() / cord.linear_density()) / (2 * pi * cord.length * cord.length);
  const double alone = first_beta(0), against = first_beta(6);
  const std::vector<Mode> modes = statics.modes(4);  // along y together and against each other, along z each for itself
  ASSERT_EQ(modes.size(), 4U);
  for (int m = 0; m < 3; ++m) EXPECT_NEAR(modes[m].frequency / (unit * alone * alone), 1, 2e-3) << m;
  EXPECT_NEAR(modes[3].frequency / (unit * against * against), 1, 2e-3);
}

// What moves is named: the clamped rod from which it hangs may turn about itself and spin back, which is no motion at all.
TEST(StaticLinks, NeutralMotionsNameTheRodThatMoves) {
  Scene scene = side_by_side({.length = 0.3, .radius = 0.01, .young = 1e11, .segments = 4});
  scene.rods[1].centreline = LineShape{{0, 0, -0.5}, {0.3, 0, -0.5}};
  scene.links = {link(Link::Kind::tether, Place::parse("rod.end"), Place::parse("other.start"), 1e3),
                 link(Link::Kind::tether, Place::parse("rod.end"), Place::parse("other.end"), 1e3)};
  const Stability found = stability_of(scene);
  ASSERT_FALSE(found.neutral.empty());
  EXPECT_EQ(found.neutral.front().find("other"), 0U) << found.neutral.front();
  for (const std::string& motion : found.neutral) EXPECT_NE(motion.find("rod "), 0U) << motion;
}

// Two rods that fall together, whatever the tether between them does.
TEST(StaticLinks, AMechanismTellsThatSlackTethersDoNotHold) {
  Scene scene = side_by_side({});
  scene.supports.clear();
  scene.gravity = {0, 0, -9.81};
  scene.links = {link(Link::Kind::tether, Place::parse("rod@0.5"), Place::parse("other@0.5"), 1e3)};
  scene.links[0].rest_length = 2;
  Statics statics{Model(scene)};
  const StaticReport report = statics.solve();
  EXPECT_EQ(report.status, StaticStatus::mechanism);
  EXPECT_NE(report.cause.find("rod moves along (0, 0, -1)"), std::string::npos) << report.cause;
  EXPECT_NE(report.cause.find("a slack one resists nothing"), std::string::npos) << report.cause;
}

// Signs are those of the tangent also where a spring is 1e10 times as stiff as the rods: no branch is found where there is none.
TEST(StaticLinks, AStiffSpringLeavesThePathAlone) {
  const auto hanging = [](double stiffness) {
    Scene scene = side_by_side({.segments = 20});
    scene.gravity = {0, 0, -9.81};
    scene.rods[1].centreline = LineShape{{0, 0.1, 0.07}, {1, 0.1, 0.07}};
    clamp(scene, "other.start");
    scene.links = {link(Link::Kind::spring, Place::parse("rod.node[9]"), Place::parse("other.node[11]"), stiffness)};
    Statics statics{Model(scene)};
    const StaticReport report = statics.solve();
    EXPECT_TRUE(report.converged()) << stiffness << " N/m: " << report.cause;
    EXPECT_EQ(report.crossings.size(), 0u) << stiffness << " N/m";
    EXPECT_EQ(report.jumps, 0) << stiffness << " N/m";
    EXPECT_EQ(statics.stability().balance, Balance::stable) << stiffness << " N/m";
    return statics.state().x[20];
  };
  const Vec3 rigid = hanging(1e6);  // pressed by 0.04 N
  for (const double stiffness : {1e8, 1e10, 1e12}) EXPECT_LT(norm(hanging(stiffness) - rigid), 1e-6) << stiffness << " N/m";
}

// Whether a tether is slack is seen where the rods are, not where they are shaken to. This one falls, straight down and with all
// its weight, until both are taut; each then carries half.
TEST(StaticLinks, ARodFallsIntoSlackTethers) {
  const Cord cord{.length = 0.5, .radius = 0.005, .young = 1e12, .segments = 6};
  const double weight = 9.81 * cord.linear_density() * cord.length, height = 0.3;
  for (const double slack : {1e-3, 1e-2, 0.1}) {
    SCOPED_TRACE(slack);
    Scene scene = cord.scene();
    scene.gravity = {0, 0, -9.81};
    scene.links = {link(Link::Kind::tether, Place::parse("rod.start"), Vec3{0, 0, height}, 1e3),
                   link(Link::Kind::tether, Place::parse("rod.end"), Vec3{0.5, 0, height}, 1e3)};
    const double rest = (1 + slack) * height;
    for (Link& one : scene.links) one.rest_length = rest;
    const Model model(scene);
    statics::Equilibrium equilibrium(model, 1e-9);
    const statics::Freedom found = statics::find_freedom(model, equilibrium, model.initial_state(), {1, 0});
    ASSERT_EQ(found.driven.size(), 1U);
    EXPECT_EQ(found.driven[0].name, "rod moves along (0, 0, -1)");
    EXPECT_NEAR(found.driven[0].force, weight, 1e-9 * weight);

    Statics statics = solved(scene);
    for (const Vec3& end : {statics.state().x.front(), statics.state().x.back()})
      EXPECT_NEAR(end.z, height - rest - 0.5 * weight / 1e3, 1e-6);
    for (const ResolvedLink& one : statics.model().links())
      EXPECT_NEAR(measure::link_state(one, statics.state()).tension, 0.5 * weight, 1e-6 * weight);
  }
}

// Pinned at one end it may turn about the vertical at no cost while the tether is slack. The tether then turns it: weight and
// pull have no moment about the vertical through the pin, so the rod hangs in the plane through that and the point that holds it.
TEST(StaticLinks, ARodIsCaughtOutOfThePlaneItFallsIn) {
  for (const double young : {1e6, 1e9}) {
    Scene scene = Cord{.length = 0.5, .radius = 0.003, .young = young, .segments = 12}.scene();
    scene.gravity = {0, 0, -9.81};
    Support pin;
    pin.at = Place::parse("rod.start");
    scene.supports = {pin};
    scene.links = {link(Link::Kind::tether, Place::parse("rod.end"), Vec3{0.5, 0.2, 0.1}, 50)};
    scene.links[0].rest_length = 0.3;
    const Statics statics = solved(scene);
    const Vec3 end = statics.state().x.back();
    EXPECT_GT(measure::link_state(statics.model().links()[0], statics.state()).tension, 0.01);
    EXPECT_GT(end.x, 0.1);
    EXPECT_NEAR(end.y, 0.2 / 0.5 * end.x, 1e-7);
  }
}

// A tether as long as it is built is slack or taut by the last digit of its length, and neither way a mechanism.
TEST(StaticLinks, ARodOnATetherAsBuiltHangsBelowItWhereverItIsBuilt) {
  const double weight = 9.81 * Cord{.length = 0.5}.linear_density() * 0.5;
  for (int trial = 0; trial < 100; ++trial) {
    SCOPED_TRACE(trial);
    const auto askew = [trial](double a) {
      return Vec3{std::sin(3 * trial + a), std::cos(5 * trial + 2 * a), std::sin(a - trial)};
    };
    Scene scene = Cord{.length = 0.5, .segments = 1}.scene();
    scene.gravity = {0, 0, -9.81};
    const Vec3 first = askew(1), hook = first + askew(3);
    scene.rods[0].centreline = LineShape{first, first + 0.5 * normalized(askew(2))};
    scene.links = {link(Link::Kind::tether, Place::parse("rod.start"), hook, 1e3)};
    const Statics statics = solved(scene);
    EXPECT_NEAR(norm(statics.state().x.front() - (hook - Vec3{0, 0, norm(askew(3)) + weight / 1e3})), 0, 1e-6);
    EXPECT_NE(statics.stability().balance, Balance::unstable);
  }
}

// Links tie rods to each other but not their spins: all together are moved in six ways, and each spins by itself. What is found
// so moves no more than it has to, or the work with it would grow with the square of the number of rods. The last link of a ring
// ties what is tied already.
TEST(StaticLinks, ManyLinkedRodsMoveAsOneAndSpinEachByItself) {
  constexpr int count = 150;
  for (const bool closed : {false, true}) {
    SCOPED_TRACE(closed);
    const Model model(row_of_rods(count, closed));
    statics::Equilibrium equilibrium(model, 1e-9);
    const State state = model.initial_state();
    const statics::Freedom found = statics::find_freedom(model, equilibrium, state, {});
    EXPECT_TRUE(found.driven.empty());
    ASSERT_EQ(found.neutral.size(), 6U + count);
    const Eigen::Index all = equilibrium.assembly().size(), of_one = all / count;
    std::vector<Eigen::SparseVector<double>> directions = found.directions(state);
    EXPECT_EQ(std::count_if(directions.begin(), directions.end(), [=](const auto& d) { return d.nonZeros() <= of_one; }), count);
    for (std::size_t m = 0; m < directions.size(); ++m) {
      const bool spins = found.neutral[m].name.find("spins about its own axis") != std::string::npos;
      EXPECT_LE(directions[m].nonZeros(), spins ? of_one : all) << found.neutral[m].name;
    }
  }
}

// No motion but none at all leaves everything where it is that is held for them: also where a spin is a part of another motion.
TEST(StaticLinks, WhatIsHeldTakesOutAllNeutralMotions) {
  Scene beside = row_of_rods(4, false), in_line = row_of_rods(3, false);
  for (int i = 0; i < 3; ++i) in_line.rods[i].centreline = LineShape{{0.6 * i, 0, 0}, {0.6 * i + 0.5, 0, 0}};
  for (const Scene& scene : {beside, in_line}) {
    const Model model(scene);
    const State state = model.initial_state();
    statics::Equilibrium equilibrium(model, 1e-9);
    const statics::Freedom found = statics::find_freedom(model, equilibrium, state, {});
    const std::vector<int> pins = found.pins();
    // in line all turn about their axis when each spins
    EXPECT_EQ(pins.size(), scene.rods.size() == 4 ? 10U : 8U);
    EXPECT_EQ(std::set<int>(pins.begin(), pins.end()).size(), pins.size());
    const auto count = static_cast<Eigen::Index>(pins.size());
    Eigen::MatrixXd held(count, count);
    const std::vector<Eigen::SparseVector<double>> directions = found.directions(state);
    for (Eigen::Index m = 0; m < count; ++m)
      for (Eigen::Index p = 0; p < count; ++p) held(m, p) = directions[m].coeff(pins[p]) / directions[m].norm();
    const Eigen::VectorXd sizes = held.jacobiSvd().singularValues();
    EXPECT_GT(sizes[count - 1], 1e-3 * sizes[0]);
  }
}

// The energy is zero, the least it can be, so nothing grows. The spring resists one of six motions of the free rod. Two are
// neutral whatever the spring does, its spin and the turn of everything about the axis of the clamp, and three are left that only
// a stretched spring would resist. Askew, so that no entry of the tangent is zero by chance.
TEST(StaticLinks, AnUnstressedLinkMakesNothingUnstable) {
  const Cord cord{.length = 0.3, .radius = 0.01, .young = 1e9, .segments = 6};
  for (int trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(trial);
    const auto askew = [trial](double a) {
      return Vec3{std::sin(3 * trial + a), std::cos(5 * trial + 2 * a), std::sin(a - trial)};
    };
    Scene scene = side_by_side(cord);
    const Vec3 first = askew(1), along = normalized(askew(2));
    scene.rods[0].centreline = LineShape{first, first + 0.3 * along};
    scene.rods[1].centreline =
        LineShape{first + 0.2 * normalized(askew(3)), first + 0.2 * normalized(askew(3)) + 0.3 * normalized(askew(4))};
    scene.links = {link(Link::Kind::spring, Place::parse("rod.end"), Place::parse("other.start"), 1e3)};
    Statics statics = solved(scene);
    const Stability found = statics.stability();
    EXPECT_EQ(found.balance, Balance::neutral);
    EXPECT_EQ(found.negative, 0);
    ASSERT_EQ(found.neutral.size(), 3U);
    EXPECT_EQ(found.neutral[2], "3 motions that nothing resists at first, as far as rounding errors tell");
    for (const Mode& mode : statics.modes(6)) EXPECT_EQ(mode.growth, 0);
  }
}

// A spring that is pressed turns aside, however little: it has the stiffness -T/L across itself, in two directions. What is left
// of the free rod's six motions is to turn about the end of the spring and to spin.
TEST(StaticLinks, APressedLinkIsUnstableHoweverLittle) {
  Scene scene = side_by_side({.length = 0.3, .radius = 0.01, .young = 1e9, .segments = 6});
  scene.links = {link(Link::Kind::spring, Place::parse("rod.end"), Place::parse("other.start"), 1e3)};
  const Model slack(scene);
  const double length = norm(slack.initial_state().x[slack.node_of(1, 0)] - slack.initial_state().x[slack.node_of(0, 6)]);
  for (const double pressed : {1e-6, 1e-8}) {
    scene.links[0].rest_length = length + pressed;
    const Model model(scene);
    statics::Equilibrium equilibrium(model, 1e-9);
    equilibrium.factorise(model.initial_state(), {});
    const auto signs = equilibrium.signs(model.initial_state());
    ASSERT_TRUE(signs);
    EXPECT_EQ(signs->negative, 2);
    EXPECT_EQ(signs->uncertain, 3);
  }
}
