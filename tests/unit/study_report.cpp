#include <set>

#include <gtest/gtest.h>

#include "study/catalogue.h"
#include "study/experiment_json.h"
#include "study/registry.h"
#include "study/report.h"

namespace writhe::study {
namespace {

using nlohmann::ordered_json;

Experiment experiment(const std::string& name, std::vector<std::string> items) {
  return {name, "title of " + name, "source of " + name, false, [](Result&, const Context&) {}, std::move(items)};
}

Result result(double measured) {
  Result out;
  out.expect("key", Expectation::within(1, 0.1, "theory"));
  out.measure("key", measured);
  out.plots.push_back({.title = "a plot", .x = {"x", false}, .y = {"y", true}, .series = {{"s", {{1, 2}, {3, 4}}}}});
  out.drawings.push_back({"a drawing", "<svg/>"});
  return out;
}

const std::vector<Paper> papers{{"p",
                                 "P",
                                 "Author",
                                 "Title",
                                 "Journal",
                                 2000,
                                 {{"p:fig1", "Fig. 1", "figure", "one", {}, true, ""},
                                  {"p:fig2", "Fig. 2", "figure", "two", {}, true, ""},
                                  {"p:fig3", "Fig. 3", "figure", "three", {"contact", "hair"}, true, "stiff"},
                                  {"p:fig4", "Fig. 4", "figure", "four", {}, false, ""},
                                  {"p:tab1", "Table 1", "table", "five | six", {}, true, ""},
                                  {"p:fig5", "Fig. 5", "figure", "seven", {"der"}, true, ""}}}};
const std::vector<Experiment> experiments{experiment("good", {"p:fig1", "p:fig2", "p:fig5"}), experiment("bad", {"p:fig2"}),
                                          experiment("idle", {"p:tab1"}), experiment("exact", {})};

ordered_json report() {
  return report_json({{}, {}, {}, "now", "", false}, papers, experiments,
                     {to_illustrated_json(experiments[0], result(1.05)), to_illustrated_json(experiments[1], result(1.2)),
                      to_illustrated_json(experiments[3], result(0.9))});
}

TEST(Report, AnItemIsInTheStateOfTheWorstExperimentThatShowsIt) {
  const ordered_json items = report()["papers"][0]["items"];
  EXPECT_EQ(items[0]["state"], "passed");
  EXPECT_EQ(items[1]["state"], "failed");
  EXPECT_EQ(items[1]["experiments"], (ordered_json{"good", "bad"}));
  EXPECT_EQ(items[2]["state"], "not there yet");
  EXPECT_EQ(items[2]["why"], "needs contact, hair. stiff");
  EXPECT_EQ(items[3]["state"], "no measurement");
  EXPECT_EQ(items[4]["state"], "not run");
  EXPECT_EQ(items[5]["state"], "passed in part");
}

TEST(Report, HasEveryExperimentWithWhatItCarries) {
  const ordered_json entries = report()["experiments"];
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[0]["state"], "passed");
  EXPECT_EQ(entries[0]["plots"][0]["series"][0]["points"], (ordered_json{{1.0, 2.0}, {3.0, 4.0}}));
  EXPECT_EQ(entries[0]["plots"][0]["y"]["log"], true);
  EXPECT_EQ(entries[0]["pictures"][0]["svg"], "<svg/>");
  EXPECT_EQ(entries[2]["state"], "not run");
  EXPECT_TRUE(entries[2]["seconds"].is_null());
  EXPECT_EQ(entries[3]["items"], ordered_json::array());
}

TEST(Report, TellsWhatComesClosestToItsBound) {
  Result many;
  many.expect("easy", Expectation::within(1, 1, ""));
  many.measure("easy", 1.1);
  many.expect("missed", Expectation::at_most(2, ""));
  many.measure("missed", 3);
  many.expect("narrow", Expectation::within_relative(100, 0.01, ""));
  many.measure("narrow", 100.9);
  many.expect("absent", Expectation::at_least(0, ""));
  many.expect("counted", Expectation::at_most(0, ""));
  many.measure("counted", 0);
  const ordered_json json = to_illustrated_json(experiments[0], many);
  const std::vector<std::string> closest = closest_expectations(json, 3);
  ASSERT_EQ(closest.size(), 3u);
  EXPECT_EQ(closest[0], "absent missing (>= 0)");
  EXPECT_EQ(closest[1], "missed 3 (<= 2)");
  EXPECT_EQ(closest[2], "narrow 100.9 (100 +- 1%)");
  EXPECT_EQ(closest_expectations(json, 9)[3], "easy 1.1 (1 +- 1)");
  EXPECT_EQ(closest_expectations(json, 9)[4], "counted 0 (<= 0)");
}

TEST(Report, TheTableForTheDocsHasARowForEachItemAndExactAnswer) {
  const std::string text = validation_markdown(report());
  EXPECT_NE(text.find("| Fig. 2 | two | `good`<br>`bad` | key 1.05 (1 +- 0.1)<br>key 1.2 (1 +- 0.1) | failed |\n"), text.npos)
      << text;
  EXPECT_NE(text.find("| Fig. 3 | three |  | needs contact, hair. stiff | not there yet |\n"), text.npos) << text;
  EXPECT_NE(text.find("| Fig. 5 | seven | `good` | key 1.05 (1 +- 0.1). needs der | passed in part |\n"), text.npos) << text;
  EXPECT_NE(text.find("| Table 1 | five / six | `idle` | not run | not run |\n"), text.npos) << text;
  EXPECT_NE(text.find("| `exact` | title of exact | source of exact | key 0.9 (1 +- 0.1) | passed |\n"), text.npos) << text;
  EXPECT_EQ(text.find("| `good` | title"), text.npos) << "stands with its paper only";
}

TEST(Catalogue, NamesEveryItemOnceAndWhatExperimentsShowIsInIt) {
  std::set<std::string> known;
  for (const Paper& paper : all_papers()) {
    EXPECT_FALSE(paper.items.empty()) << paper.id;
    for (const PaperItem& item : paper.items) {
      EXPECT_TRUE(known.insert(item.id).second) << item.id;
      EXPECT_TRUE(item.kind == "figure" || item.kind == "table") << item.id;
      EXPECT_FALSE(item.shows.empty()) << item.id;
    }
  }
  for (const Experiment& e : all_experiments())
    for (const std::string& item : e.items) EXPECT_TRUE(known.count(item)) << e.name << " shows " << item;
}

}  // namespace
}  // namespace writhe::study
