#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "study/experiment.h"
#include "study/experiment_json.h"
#include "study/registry.h"
#include "writhe/error.h"

namespace writhe::study {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double not_a_number = std::nan("");

TEST(Expectation, AbsoluteToleranceIncludesItsEnds) {
  const auto e = Expectation::within(2, 0.5, "");
  EXPECT_TRUE(e.holds(1.5));
  EXPECT_TRUE(e.holds(2.5));
  EXPECT_FALSE(e.holds(1.49));
  EXPECT_FALSE(e.holds(2.51));
}

TEST(Expectation, RelativeToleranceScalesWithTheSizeOfANegativeValue) {
  const auto e = Expectation::within_relative(-200, 0.01, "");
  EXPECT_TRUE(e.holds(-201.9));
  EXPECT_FALSE(e.holds(-202.1));
  EXPECT_FALSE(e.holds(200));
}

TEST(Expectation, BoundsAreOneSided) {
  EXPECT_TRUE(Expectation::at_least(1.8, "").holds(1.8));
  EXPECT_FALSE(Expectation::at_least(1.8, "").holds(1.79));
  EXPECT_TRUE(Expectation::at_most(0, "").holds(0));
  EXPECT_FALSE(Expectation::at_most(0, "").holds(1e-300));
}

TEST(Expectation, NothingIsMetByNumbersThatAreNotFinite) {
  for (const double value : {not_a_number, inf, -inf}) {
    EXPECT_FALSE(Expectation::within(1, inf, "").holds(value));
    EXPECT_FALSE(Expectation::at_least(-inf, "").holds(value));
    EXPECT_FALSE(Expectation::at_most(inf, "").holds(value));
  }
}

TEST(Expectation, WithoutAnyNumberHoldsForNothing) { EXPECT_FALSE(Expectation{}.holds(0)); }

TEST(Expectation, TextSaysWhatIsAllowed) {
  EXPECT_EQ(Expectation::within(0.5, 1e-3, "").text(), "0.5 +- 0.001");
  EXPECT_EQ(Expectation::within_relative(2, 0.05, "").text(), "2 +- 5%");
  EXPECT_EQ(Expectation::at_least(1.8, "").text(), ">= 1.8");
  EXPECT_EQ(Expectation::at_most(0, "").text(), "<= 0");
}

TEST(Result, PassesWhenAllExpectationsAreMet) {
  Result r;
  r.expect("a", Expectation::within(1, 0.1, ""));
  r.expect("b", Expectation::at_least(0, ""));
  r.measure("a", 1.05);
  r.measure("b", 3);
  r.measure("free", -7);
  EXPECT_TRUE(r.passed());
}

TEST(Result, FailsWhenOneExpectationIsNotMet) {
  Result r;
  r.expect("a", Expectation::within(1, 0.1, ""));
  r.expect("b", Expectation::at_least(0, ""));
  r.measure("a", 1.05);
  r.measure("b", -3);
  EXPECT_FALSE(r.passed());
}

TEST(Result, FailsWhenAMeasurementIsMissingOrNotFinite) {
  Result missing;
  missing.expect("a", Expectation::within(1, 0.1, ""));
  missing.measure("b", 1);
  EXPECT_FALSE(missing.passed());

  Result unexpected_nan;
  unexpected_nan.expect("a", Expectation::within(1, 0.1, ""));
  unexpected_nan.measure("a", 1);
  unexpected_nan.measure("b", not_a_number);
  EXPECT_FALSE(unexpected_nan.passed());
}

TEST(Result, FailsWhenNothingIsExpected) {
  Result r;
  r.measure("a", 1);
  EXPECT_FALSE(r.passed());
}

Experiment experiment(const std::string& name, bool slow = false) {
  return {name, "title of " + name, "nobody", slow, [](Result& result, const Context&) {
            result.expect("a", Expectation::at_most(1, "here"));
            result.measure("a", 0.5);
          }};
}

TEST(RunExperiment, AnExceptionBecomesANoteAndAFailure) {
  Experiment e = experiment("broken");
  e.perform = [](Result& result, const Context&) {
    result.expect("a", Expectation::at_most(1, ""));
    throw std::runtime_error("the rod broke");
  };
  const Result result = run_experiment(e);
  EXPECT_FALSE(result.passed());
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("the rod broke"), std::string::npos);
}

TEST(ChooseExperiments, KeepsTheOrderGivenAndTakesEachOnce) {
  const std::vector<Experiment> known{experiment("knot"), experiment("ring"), experiment("net")};
  const auto chosen = choose_experiments(known, {"net", "knot", "net"}, false);
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].name, "net");
  EXPECT_EQ(chosen[1].name, "knot");
}

TEST(ChooseExperiments, AllLeavesOutTheSlowOnesUnlessAsked) {
  const std::vector<Experiment> known{experiment("knot", true), experiment("ring")};
  EXPECT_EQ(choose_experiments(known, {"all"}, false).size(), 1u);
  EXPECT_EQ(choose_experiments(known, {"all"}, true).size(), 2u);
}

TEST(ChooseExperiments, NamesEveryProblemAndItsRemedy) {
  const std::vector<Experiment> known{experiment("overhand-knot", true), experiment("ring")};
  try {
    choose_experiments(known, {"rign", "overhand-knot", "ring"}, false);
    FAIL() << "no error";
  } catch (const Error& error) {
    ASSERT_EQ(error.problems().size(), 2u);
    EXPECT_EQ(error.problems()[0].value, "rign");
    EXPECT_NE(error.problems()[0].message.find("'ring'"), std::string::npos);
    EXPECT_EQ(error.problems()[1].value, "overhand-knot");
    EXPECT_NE(error.problems()[1].message.find("--slow"), std::string::npos);
  }
}

TEST(ExperimentJson, HasTheDocumentedFieldsAndNoNaN) {
  const Experiment e = experiment("knot");
  Result result = run_experiment(e);
  result.measure("undefined", not_a_number);
  const nlohmann::json json = nlohmann::json::parse(to_json(e, result).dump());
  EXPECT_EQ(json.at("name"), "knot");
  EXPECT_EQ(json.at("title"), "title of knot");
  EXPECT_EQ(json.at("source"), "nobody");
  EXPECT_EQ(json.at("passed"), false);
  EXPECT_GE(json.at("seconds").get<double>(), 0);
  EXPECT_EQ(json.at("measured").at("a"), 0.5);
  EXPECT_TRUE(json.at("measured").at("undefined").is_null());
  EXPECT_EQ(json.at("expected").at("a").at("max"), 1.0);
  EXPECT_EQ(json.at("expected").at("a").at("source"), "here");
  EXPECT_FALSE(json.at("expected").at("a").contains("value"));
  EXPECT_TRUE(json.at("notes").is_array());
}

TEST(Registry, NamesAreUniqueAndEveryExperimentIsComplete) {
  std::set<std::string> names;
  for (const Experiment& e : all_experiments()) {
    EXPECT_TRUE(names.insert(e.name).second) << e.name;
    EXPECT_FALSE(e.title.empty()) << e.name;
    EXPECT_FALSE(e.source.empty()) << e.name;
    EXPECT_TRUE(e.perform) << e.name;
  }
  EXPECT_FALSE(names.empty());
}

}  // namespace
}  // namespace writhe::study
