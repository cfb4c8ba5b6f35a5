#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../support/scenes.h"
#include "study/compare.h"
#include "study/compare_json.h"
#include "writhe/error.h"

namespace writhe::study {
namespace {

// A soft cord that falls from its clamp for a short while.
Scene falling(int segments = 8) {
  Scene scene = test::Cord{.length = 0.5, .segments = segments}.scene();
  scene.gravity = {0, 0, -9.81};
  test::clamp(scene, "rod.start");
  scene.dt = 4e-3;
  scene.until = 0.2;
  scene.damping.mass = 1;
  return scene;
}

Contender contender(const std::string& method, Scene scene = falling()) {
  scene.solver.method = method;
  return {method, {}, std::move(scene)};
}

// As long as the reference needs, however busy the machine is.
CompareOptions patient() {
  CompareOptions options;
  options.budget = 1e9;
  return options;
}

TEST(Resolution, MovesPlacesWithTheirMaterial) {
  Scene scene = falling();
  test::load(scene, ForceLoad{Place::parse("rod.node[4]"), {0, 0, 1}, false});
  scene.links.emplace_back().from = Place::parse("rod.node[2]");
  scene.links[0].to = Place::parse("rod.node[6]");
  const Scene fine = at_resolution(scene, {2, 1});
  EXPECT_EQ(std::get<Place>(fine.links[0].from).node, 8);
  EXPECT_EQ(std::get<Place>(fine.links[0].to).node, 24);
  EXPECT_EQ(fine.rods[0].segments, 32);
  EXPECT_EQ(std::get<ForceLoad>(fine.loads[0].kind).at.node, 16);
  EXPECT_EQ(fine.dt, 2e-3);
  EXPECT_EQ(at_resolution(scene, {-1, -1}).rods[0].segments, 4);
  EXPECT_EQ(at_resolution(scene, {-1, -1}).dt, 8e-3);
}

TEST(Resolution, SaysWhereAMeshCannotBeCoarser) {
  Scene odd_place = falling();
  test::pin(odd_place, "rod.node[3]");
  EXPECT_TRUE(has_resolution(odd_place, {1, 0}));
  EXPECT_FALSE(has_resolution(odd_place, {-1, 0}));
  EXPECT_FALSE(has_resolution(falling(9), {-1, 0}));
  EXPECT_TRUE(has_resolution(falling(8), {-1, 0}));
}

TEST(Resolution, NodesOfACoarseMeshStayOnTheFineOne) {
  const Sampling sampling{{1e-9}, -1};
  const Trajectory coarse = follow(falling(), {-1, 0}, sampling, {}), fine = follow(falling(), {2, 0}, sampling, {});
  ASSERT_EQ(coarse.shapes[0].size(), 5u);
  ASSERT_EQ(fine.shapes[0].size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(coarse.shapes[0][i].x, 0.125 * static_cast<double>(i), 1e-12);
    EXPECT_NEAR(fine.shapes[0][i].x, 0.125 * static_cast<double>(i), 1e-12);
  }
}

TEST(SampleTimes, AreEndsOfTheLongestStepsAndTheEnd) {
  Scene scene = falling();
  scene.dt = 1e-3;
  scene.until = 0.5005;
  const std::vector<double> times = sample_times(scene, -1, 20);
  EXPECT_EQ(times.back(), 0.5005);
  ASSERT_GE(times.size(), 20u);
  for (std::size_t i = 0; i + 1 < times.size(); ++i) EXPECT_NEAR(std::remainder(times[i], 2e-3), 0, 1e-12) << times[i];
  scene.until = 1e-3;  // shorter than the longest step
  EXPECT_EQ(sample_times(scene, -1, 20), std::vector<double>{1e-3});
}

TEST(RemainingChange, IsTheRestOfAGeometricSeries) {
  EXPECT_DOUBLE_EQ(*remaining_change(1, 2), 1);     // 1/2 + 1/4 + ...
  EXPECT_DOUBLE_EQ(*remaining_change(3, 12), 1);    // 3/4 + 3/16 + ...
  EXPECT_DOUBLE_EQ(*remaining_change(3, 1000), 1);  // better than second order is not believed
  EXPECT_DOUBLE_EQ(*remaining_change(1, std::nullopt), 1);
  EXPECT_FALSE(remaining_change(1, 1).has_value());
  EXPECT_FALSE(remaining_change(1, 0.5).has_value());
}

TEST(OrderOfChanges, IsThatOfTheLastTwo) {
  EXPECT_DOUBLE_EQ(*order_of_changes({100, 4, 1}), 2);
  EXPECT_FALSE(order_of_changes({1}).has_value());
  EXPECT_FALSE(order_of_changes({1, 0}).has_value());
  EXPECT_FALSE(order_of_changes({1, 1}).has_value());
  EXPECT_FALSE(order_of_changes({1, 1e-3}).has_value());
}

TEST(Distance, IsOverTheLengthOfEachRod) {
  Trajectory a, b;
  a.shapes = {{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {1, 0, 0}}};
  b.shapes = {{{0, 0, 3}, {1, 0, 0}}, {{0, 0, 0}, {1, 2, 0}}};
  const Distance d = distance(a, b, {10, 4});
  EXPECT_DOUBLE_EQ(d.largest, 0.5);
  EXPECT_DOUBLE_EQ(d.largest_m, 3);
  EXPECT_DOUBLE_EQ(d.end, 0.5);
  EXPECT_DOUBLE_EQ(d.rms, std::sqrt((0.3 * 0.3 + 0.5 * 0.5) / 4));
}

TEST(Compare, TheReferenceKnowsItsOwnError) {
  CompareOptions options = patient();
  options.refinements = 1;
  const Comparison found = compare({contender("newton"), contender("pd")}, options);
  const Reference& reference = found.reference;
  ASSERT_TRUE(reference.sufficient) << reference.note;
  // Against a run that is much finer still.
  Scene finest = falling();
  finest.solver.integrator = Integrator::midpoint;
  const Resolution beyond{reference.resolution.mesh + 2, reference.resolution.time + 2};
  const Trajectory truth = follow(finest, beyond, found.sampling, {});
  const double actual = distance(reference.path, truth, lengths_of_points(finest, found.sampling.coarsest)).largest;
  EXPECT_LT(actual, 1.5 * *reference.error());
  EXPECT_GT(actual, 0.2 * *reference.error());  // nor is it far too careful
  double smallest = 1;
  for (const Compared& method : found.methods) {
    for (const ComparedRun& run : method.time) smallest = std::min(smallest, run.error->largest);
    for (const ComparedRun& run : method.mesh) smallest = std::min(smallest, run.error->largest);
  }
  EXPECT_LE(*reference.error(), 0.1 * smallest);
}

TEST(Compare, FindsTheOrdersOfImplicitEulerOnARod) {
  Scene scene = falling(16);
  scene.dt = 1e-3;
  CompareOptions options = patient();
  options.refinements = 3;
  options.budget = 1e-9;  // orders need no reference
  const Comparison found = compare({contender("newton", scene)}, options);
  EXPECT_NEAR(*found.methods[0].order_time, 1, 0.15);
  EXPECT_NEAR(*found.methods[0].order_mesh, 2, 0.3);
  EXPECT_FALSE(found.reference.sufficient);
  EXPECT_NE(found.reference.note.find("--budget"), std::string::npos);
  std::set<double> steps;
  for (const ComparedRun& run : found.methods[0].time) steps.insert(run.dt);
  EXPECT_EQ(steps, (std::set<double>{2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4}));
}

TEST(Compare, MethodsThatShareTheRodShareItsError) {
  CompareOptions options = patient();
  options.at_rest = true;
  const Scene scene = falling(32);
  const Comparison found = compare({contender("newton", scene), contender("pd", scene)}, options);
  EXPECT_TRUE(found.reference.sufficient) << found.reference.note;
  const double newton = found.methods[0].scene.error->largest, pd = found.methods[1].scene.error->largest;
  EXPECT_GT(newton, 1e-4);
  EXPECT_NEAR(pd, newton, 1e-3 * newton);
  EXPECT_FALSE(found.methods[0].order_time.has_value());
  EXPECT_NEAR(*found.methods[0].order_mesh, 2, 0.5);
}

TEST(Compare, AMethodThatFailsSaysWhyAndTheOthersGoOn) {
  Contender stubborn = contender("newton");
  stubborn.name = "newton:max_iterations=1";
  stubborn.scene.solver.newton.max_iterations = 1;
  CompareOptions options = patient();
  options.refinements = 0;
  const Comparison found = compare({stubborn, contender("newton")}, options);
  EXPECT_FALSE(found.methods[0].scene.path.complete());
  EXPECT_FALSE(found.methods[0].scene.error.has_value());
  EXPECT_TRUE(found.methods[1].scene.error.has_value());
  const auto json = to_json(found, {"scene.yaml", {}, 1});
  EXPECT_EQ(json["methods"][0]["state"], "failed");
  EXPECT_TRUE(json["methods"][0]["error"].is_null());
  EXPECT_FALSE(json["methods"][0]["cause"].get<std::string>().empty());
  EXPECT_TRUE(json["methods"][0]["speed"].is_null());
  const auto shapes = shapes_json(found);
  EXPECT_EQ(shapes["reference"].size(), found.sampling.times.size());
  EXPECT_EQ(shapes["reference"][0][0].size(), 9u);
}

// Steps of 0.4 s: a soft cord would have fallen and swung back in between. Where a reference halves its steps as they fail, two
// lengths end in the same steps and agree for no reason.
TEST(Compare, StepsThatAreTooLongForTheReferenceAreNotTakenForConverged) {
  Scene scene = test::Cord{.length = 0.2, .segments = 16}.scene();
  scene.gravity = {0, 0, -9.81};
  test::clamp(scene, "rod.start");
  scene.damping.mass = 2;
  scene.dt = 0.4;
  scene.until = 0.8;
  CompareOptions options = patient();
  options.refinements = 0;
  const Comparison found = compare({contender("newton", scene)}, options);
  const Reference& reference = found.reference;
  Scene finest = scene;
  finest.solver.integrator = Integrator::midpoint;
  const Trajectory truth = follow(finest, {reference.resolution.mesh, reference.resolution.time + 4}, found.sampling, {});
  ASSERT_TRUE(truth.complete()) << truth.cause;
  const double actual = distance(reference.path, truth, lengths_of_points(scene, 0)).largest;
  EXPECT_TRUE(!reference.sufficient || actual < 1.5 * *reference.error()) << actual << " at dt/2^" << reference.resolution.time;
  for (const ReferenceLevel& level : reference.levels) EXPECT_NE(level.change_time, 0.0);
}

TEST(Compare, WhereNothingMovesRoundingIsEnough) {
  Scene scene = falling();
  scene.gravity = {0, 0, 0};
  CompareOptions options = patient();
  options.refinements = 0;
  const Comparison found = compare({contender("newton", scene)}, options);
  EXPECT_TRUE(found.reference.sufficient);
  EXPECT_LT(found.methods[0].scene.error->largest, 1e-11);
  EXPECT_EQ(found.reference.levels.size(), 1u);
}

TEST(Compare, StoppedInTheReferenceItKeepsTheLastLevelThatWasJudged) {
  CompareOptions options = patient();
  options.refinements = 0;
  bool stop = false;
  options.go_on = [&] { return !stop; };
  int references = 0;
  options.progress = [&](const std::string& what, double part) {
    if (what.rfind("reference", 0) == 0 && part == 0) ++references;
    stop = references > 3;  // the first level takes three runs
  };
  Scene scene = falling(32);
  const Comparison found = compare({contender("newton", scene), contender("newton", at_resolution(scene, {0, 4}))}, options);
  EXPECT_TRUE(found.interrupted);
  EXPECT_FALSE(found.reference.sufficient);
  EXPECT_EQ(found.reference.levels.size(), 1u);
  EXPECT_EQ(found.reference.resolution, (Resolution{1, 1}));
  EXPECT_TRUE(found.reference.error().has_value());
  EXPECT_GT(found.reference.wanted, 0);
}

TEST(Compare, StopsWhereItIsToldTo) {
  CompareOptions options = patient();
  int asked = 0;
  options.go_on = [&] { return ++asked < 20; };
  try {
    compare({contender("newton")}, options);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("stopped"), std::string::npos) << error.what();
  }
  EXPECT_EQ(asked, 20);
}

}  // namespace
}  // namespace writhe::study
