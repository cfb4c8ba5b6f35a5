#include "study/report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace writhe::study {

using nlohmann::ordered_json;

namespace {

using Results = std::map<std::string, const ordered_json*>;  // by name

Results by_name(const std::vector<ordered_json>& results) {
  Results out;
  for (const ordered_json& result : results) out[result.at("name")] = &result;
  return out;
}

std::string state_of(const std::string& name, const Results& results) {
  const auto at = results.find(name);
  if (at == results.end()) return "not run";
  return at->second->at("passed") ? "passed" : "failed";
}

// The worst of the experiments that show it.
std::string state_of(const PaperItem& item, const std::vector<std::string>& experiments, const Results& results) {
  if (experiments.empty()) return item.measurable ? "not there yet" : "no measurement";
  const auto any = [&](const std::string& state) {
    return std::any_of(experiments.begin(), experiments.end(),
                       [&](const std::string& name) { return state_of(name, results) == state; });
  };
  if (any("failed")) return "failed";
  if (any("not run")) return "not run";
  return item.needs.empty() ? "passed" : "passed in part";
}

std::string why_of(const PaperItem& item) {
  std::string out;
  if (!item.needs.empty()) out = fmt::format("needs {}", fmt::join(item.needs, ", "));
  if (!item.note.empty()) out += (out.empty() ? "" : ". ") + item.note;
  return out;
}

ordered_json to_json(const Paper& paper, const std::vector<Experiment>& experiments, const Results& results) {
  ordered_json out{{"id", paper.id},     {"short", paper.short_name}, {"authors", paper.authors},      {"title", paper.title},
                   {"year", paper.year}, {"where", paper.where},      {"items", ordered_json::array()}};
  for (const PaperItem& item : paper.items) {
    std::vector<std::string> showing;
    for (const Experiment& e : experiments)
      if (std::find(e.items.begin(), e.items.end(), item.id) != e.items.end()) showing.push_back(e.name);
    out["items"].push_back({{"id", item.id},
                            {"label", item.label},
                            {"kind", item.kind},
                            {"shows", item.shows},
                            {"experiments", showing},
                            {"state", state_of(item, showing, results)},
                            {"why", why_of(item)}});
  }
  return out;
}

ordered_json entry_of(const Experiment& experiment, const Results& results) {
  const auto at = results.find(experiment.name);
  ordered_json out{{"name", experiment.name}, {"title", experiment.title}, {"source", experiment.source},
                   {"slow", experiment.slow}, {"items", experiment.items}, {"state", state_of(experiment.name, results)}};
  if (at == results.end()) {
    out.update({{"seconds", nullptr},
                {"measured", ordered_json::object()},
                {"expected", ordered_json::object()},
                {"notes", ordered_json::array()},
                {"plots", ordered_json::array()},
                {"pictures", ordered_json::array()}});
    return out;
  }
  for (const char* key : {"seconds", "measured", "expected", "notes", "plots", "pictures"}) out[key] = at->second->at(key);
  return out;
}

// ---- the table for the docs ------------------------------------------------------------------------------------------
struct Bound {
  double margin = 0;  // what is left to the bound, over the width of what is allowed; below 0: not met
  std::string text;
};

std::optional<double> number_at(const ordered_json& object, const std::string& key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

Expectation expectation_of(const ordered_json& json) {
  Expectation out;
  out.value = number_at(json, "value");
  out.abs = number_at(json, "abs");
  out.rel = number_at(json, "rel");
  out.min = number_at(json, "min");
  out.max = number_at(json, "max");
  return out;
}

// What is counted (no failures, 100 of 100) is met exactly or not at all: that it is met does not make it close.
double margin_of(const Expectation& e, double measured) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  double margin = inf;
  if (e.value && measured != *e.value) margin = e.allowed() > 0 ? 1 - std::abs(measured - *e.value) / e.allowed() : -inf;
  const auto to_bound = [](double distance, double bound) {
    return bound != 0 ? distance / std::abs(bound) : distance == 0 ? inf : distance;
  };
  if (e.min) margin = std::min(margin, to_bound(measured - *e.min, *e.min));
  if (e.max) margin = std::min(margin, to_bound(*e.max - measured, *e.max));
  return margin;
}

Bound bound_of(const std::string& key, const Expectation& expectation, const std::optional<double>& measured) {
  if (!measured || !std::isfinite(*measured))
    return {-std::numeric_limits<double>::infinity(), fmt::format("{} missing ({})", key, expectation.text())};
  return {margin_of(expectation, *measured), fmt::format("{} {:.4g} ({})", key, *measured, expectation.text())};
}

std::string cell(std::string text) {
  std::replace(text.begin(), text.end(), '|', '/');
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

const ordered_json* experiment_named(const ordered_json& report, const std::string& name) {
  for (const ordered_json& experiment : report.at("experiments"))
    if (experiment.at("name") == name) return &experiment;
  return nullptr;
}

std::string numbers_of(const ordered_json& experiment) {
  if (experiment.at("state") == "not run") return experiment.at("slow") ? "slow: not run here" : "not run";
  std::string out;
  for (const std::string& text : closest_expectations(experiment, 2)) out += (out.empty() ? "" : "; ") + text;
  const std::size_t all = experiment.at("expected").size();
  return fmt::format("{}{}", out, all > 2 ? fmt::format("; {} more", all - 2) : "");
}

std::string row_of_item(const ordered_json& item, const ordered_json& report) {
  std::string commands, numbers;
  for (const ordered_json& name : item.at("experiments")) {
    const std::string separator = commands.empty() ? "" : "<br>";
    commands += separator + fmt::format("`{}`", name.get<std::string>());
    numbers += separator + numbers_of(*experiment_named(report, name));
  }
  const std::string why = item.at("why");
  if (!why.empty()) numbers += (numbers.empty() ? "" : ". ") + why;
  return fmt::format("| {} | {} | {} | {} | {} |\n", item.at("label").get<std::string>(),
                     cell(item.at("shows").get<std::string>()), commands, cell(numbers), item.at("state").get<std::string>());
}

}  // namespace

ordered_json report_json(const ReportHeading& heading, const std::vector<Paper>& papers,
                         const std::vector<Experiment>& experiments, const std::vector<ordered_json>& results) {
  const Results known = by_name(results);
  ordered_json out{{"format", 1},
                   {"program", heading.program},
                   {"machine", heading.machine},
                   {"libraries", heading.libraries},
                   {"started", heading.started},
                   {"finished", heading.finished.empty() ? ordered_json(nullptr) : ordered_json(heading.finished)},
                   {"slow", heading.slow},
                   {"papers", ordered_json::array()},
                   {"experiments", ordered_json::array()}};
  for (const Paper& paper : papers) out["papers"].push_back(to_json(paper, experiments, known));
  for (const Experiment& experiment : experiments) out["experiments"].push_back(entry_of(experiment, known));
  return out;
}

std::vector<std::string> closest_expectations(const ordered_json& experiment, std::size_t count) {
  std::vector<Bound> bounds;
  for (const auto& [key, expected] : experiment.at("expected").items())
    bounds.push_back(bound_of(key, expectation_of(expected), number_at(experiment.at("measured"), key)));
  std::stable_sort(bounds.begin(), bounds.end(), [](const Bound& a, const Bound& b) { return a.margin < b.margin; });
  bounds.resize(std::min(bounds.size(), count));
  std::vector<std::string> out;
  out.reserve(bounds.size());
  for (Bound& bound : bounds) out.push_back(std::move(bound.text));
  return out;
}

std::string validation_markdown(const ordered_json& report) {
  std::string out =
      "# Validation\n\n"
      "Every figure and table of the papers that Writhe implements, and the exact answers it is held against: what it shows, the "
      "experiments that reproduce it, what they measured (the two numbers that come closest to their bounds, with the bounds), "
      "and the state: `passed in part` where Writhe does not have yet all that the figure compares.\n\n"
      "Each is run by `writhe experiment run NAME`; all of them, with plots and pictures, by `writhe report`. This page is made "
      "by `make validation`; do not edit it.\n";
  for (const ordered_json& paper : report.at("papers")) {
    out += fmt::format(
        "\n## {}\n\n{}, *{}*, {}, {}.\n\n| | shows | experiments | measured (expected) | state |\n| --- | --- | --- | --- | --- "
        "|\n",
        paper.at("short").get<std::string>(), paper.at("authors").get<std::string>(), paper.at("title").get<std::string>(),
        paper.at("where").get<std::string>(), paper.at("year").get<int>());
    for (const ordered_json& item : paper.at("items")) out += row_of_item(item, report);
  }
  out += "\n## Exact answers\n\n| experiment | shows | source | measured (expected) | state |\n| --- | --- | --- | --- | --- |\n";
  for (const ordered_json& experiment : report.at("experiments")) {
    if (!experiment.at("items").empty()) continue;
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", experiment.at("name").get<std::string>(),
                       cell(experiment.at("title").get<std::string>()), cell(experiment.at("source").get<std::string>()),
                       cell(numbers_of(experiment)), experiment.at("state").get<std::string>());
  }
  return out;
}

}  // namespace writhe::study
