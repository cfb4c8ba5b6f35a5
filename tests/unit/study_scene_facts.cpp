#include <cmath>

#include <gtest/gtest.h>

#include "study/scene_facts.h"

namespace writhe::study {
namespace {

constexpr double pi = 3.14159265358979323846;

// A steel wire, 2 m long and 2 mm thick, along x.
Scene wire() {
  Scene scene;
  Material steel;
  steel.name = "steel";
  steel.young = 200e9;
  steel.density = 8000;
  steel.shear = 80e9;
  scene.materials = {steel};
  Section round;
  round.name = "round";
  round.shape = CircleSection{1e-3};
  scene.sections = {round};
  Rod rod;
  rod.name = "wire";
  rod.section = "round";
  rod.material = "steel";
  rod.centreline = LineShape{{0, 0, 0}, {2, 0, 0}};
  rod.segments = 10;
  scene.rods = {rod};
  return scene;
}

Support support(Support::Kind kind, Place::Kind end) {
  Support out;
  out.kind = kind;
  out.at.rod = "wire";
  out.at.kind = end;
  return out;
}

TEST(SceneFacts, StiffnessesAreThoseOfTheSection) {
  const RodFacts rod = facts_of(Model(wire())).rods.at(0);
  const double area = pi * 1e-6, second_moment = pi * 1e-12 / 4;
  EXPECT_NEAR(rod.EA, 200e9 * area, 1e-6);
  EXPECT_NEAR(rod.GA, 80e9 * area, 1e-6);
  EXPECT_NEAR(*rod.EI1, 200e9 * second_moment, 1e-12);
  EXPECT_NEAR(*rod.EI2, 200e9 * second_moment, 1e-12);
  EXPECT_NEAR(*rod.GJ, 80e9 * 2 * second_moment, 1e-12);
  EXPECT_NEAR(rod.mass, 8000 * area * 2, 1e-12);
  EXPECT_NEAR(*rod.slenderness, 2000, 1e-9);
  // rho g A L^3 / EI
  EXPECT_NEAR(*rod.load_number, 8000 * 9.81 * area * 8 / (200e9 * second_moment), 1e-9);
}

TEST(SceneFacts, ASectionWithoutARadiusHasNoSlenderness) {
  Scene scene = wire();
  scene.sections[0].shape = DirectSection{1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
  EXPECT_EQ(facts_of(Model(scene)).rods.at(0).slenderness, std::nullopt);
}

TEST(SceneFacts, CountsWhatIsFreeToMove) {
  EXPECT_EQ(facts_of(Model(wire())).unknowns, 3 * 11 + 3 * 10);
  Scene clamped = wire();
  clamped.supports = {support(Support::Kind::clamp, Place::Kind::start)};
  const SceneFacts facts = facts_of(Model(clamped));
  EXPECT_EQ(facts.unknowns, 3 * 10 + 3 * 10);  // the clamped node and its frame are prescribed
  EXPECT_EQ(facts.frames, 1);
  EXPECT_EQ(facts.joints, 10);  // nine between segments, one to the clamp
}

TEST(SceneFacts, BendingPeriodFollowsTheEnds) {
  // Classical: f = (beta L)^2 / 2 pi * sqrt(EI / rho A) / L^2 with beta L = 1.87510 clamped-free and pi pinned-pinned.
  const double speed = std::sqrt(200e9 * 1e-6 / 4 / 8000);  // sqrt(EI / rho A), I / A = r^2 / 4
  Scene scene = wire();
  scene.supports = {support(Support::Kind::clamp, Place::Kind::start)};
  const RodFacts clamped = facts_of(Model(scene)).rods.at(0);
  EXPECT_EQ(clamped.start.support, EndCondition::clamped);
  EXPECT_EQ(clamped.end.support, EndCondition::free);
  EXPECT_NEAR(*clamped.bending_period, 2 * pi * 4 / (1.87510 * 1.87510 * speed), 1e-4);

  scene.supports = {support(Support::Kind::pin, Place::Kind::start), support(Support::Kind::pin, Place::Kind::end)};
  const RodFacts pinned = facts_of(Model(scene)).rods.at(0);
  EXPECT_EQ(pinned.end.support, EndCondition::pinned);
  EXPECT_NEAR(*pinned.bending_period, 2 * pi * 4 / (pi * pi * speed), 1e-9);
}

using Names = std::vector<std::string>;

// A tail goes on where the wire ends, and its own end comes back to the middle of the tail; a branch ends there, too.
TEST(SceneFacts, EndsKnowWhatTheyAreJoinedTo) {
  Scene scene = wire();
  Rod tail = scene.rods[0], branch = tail;
  tail.name = "tail";
  tail.centreline = PolylineShape{{{2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {4, 1, 0}, {3, 1, 0}, {3, 0, 0}}};
  branch.name = "branch";
  branch.centreline = LineShape{{3, -2, 0}, {3, 0, 0}};
  scene.rods.push_back(tail);
  scene.rods.push_back(branch);
  const auto at = [](const char* text) { return Place::parse(text); };
  scene.joints = {{"", {at("wire.end"), at("tail.start")}}, {"", {at("tail@0.2"), at("tail.end"), at("branch.end")}}};
  scene.supports = {support(Support::Kind::pin, Place::Kind::end)};
  const std::vector<RodFacts> rods = facts_of(Model(scene)).rods;

  EXPECT_EQ(rods[0].start.joined_to, Names{});
  EXPECT_EQ(words_of(rods[0].start), "free");
  EXPECT_EQ(rods[0].end.joined_to, Names{"tail"});
  EXPECT_EQ(words_of(rods[0].end), "pinned+joined");
  EXPECT_EQ(rods[1].start.joined_to, Names{"wire"});
  EXPECT_EQ(rods[1].end.joined_to, (Names{"tail", "branch"}));
  EXPECT_EQ(words_of(rods[2].start), "free");
  EXPECT_EQ(rods[2].end.joined_to, Names{"tail"});
  EXPECT_EQ(words_of(rods[2].end), "joined");
}

TEST(SceneFacts, ARodWithoutJointsCannotBend) {
  Scene scene = wire();
  scene.rods[0].segments = 1;
  const RodFacts rod = facts_of(Model(scene)).rods.at(0);
  EXPECT_FALSE(rod.EI1);
  EXPECT_FALSE(rod.load_number);
  EXPECT_FALSE(rod.bending_period);
}

}  // namespace
}  // namespace writhe::study
