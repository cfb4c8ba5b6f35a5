#include "study/experiment.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <set>

#include <fmt/format.h>

#include "base/names.h"
#include "writhe/error.h"

namespace writhe::study {

Expectation Expectation::within(double value, double abs, std::string source) {
  Expectation e;
  e.value = value;
  e.abs = abs;
  e.source = std::move(source);
  return e;
}

Expectation Expectation::within_relative(double value, double rel, std::string source) {
  Expectation e;
  e.value = value;
  e.rel = rel;
  e.source = std::move(source);
  return e;
}

Expectation Expectation::at_least(double min, std::string source) {
  Expectation e;
  e.min = min;
  e.source = std::move(source);
  return e;
}

Expectation Expectation::at_most(double max, std::string source) {
  Expectation e;
  e.max = max;
  e.source = std::move(source);
  return e;
}

double Expectation::allowed() const { return std::max(abs.value_or(0), rel.value_or(0) * std::abs(value.value_or(0))); }

bool Expectation::holds(double measured) const {
  if (!std::isfinite(measured)) return false;
  if (value && std::abs(measured - *value) > allowed()) return false;
  if (min && measured < *min) return false;
  if (max && measured > *max) return false;
  return value || min || max;
}

std::string Expectation::text() const {
  std::vector<std::string> parts;
  if (value && rel) parts.push_back(fmt::format("{:.7g} +- {:g}%", *value, *rel * 100));
  if (value && !rel) parts.push_back(fmt::format("{:.7g} +- {:g}", *value, abs.value_or(0)));
  if (min) parts.push_back(fmt::format(">= {:g}", *min));
  if (max) parts.push_back(fmt::format("<= {:g}", *max));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::optional<double> Result::find(const std::string& key) const {
  const auto at = std::find_if(measured.begin(), measured.end(), [&](const auto& entry) { return entry.first == key; });
  return at == measured.end() ? std::nullopt : std::optional(at->second);
}

bool Result::passed() const {
  const auto met = [this](const auto& entry) {
    const std::optional<double> value = find(entry.first);
    return value && entry.second.holds(*value);
  };
  const auto finite = [](const auto& entry) { return std::isfinite(entry.second); };
  return !expected.empty() && std::all_of(expected.begin(), expected.end(), met) &&
         std::all_of(measured.begin(), measured.end(), finite);
}

Result run_experiment(const Experiment& experiment, const Context& context) {
  Result result;
  const auto start = std::chrono::steady_clock::now();
  try {
    experiment.perform(result, context);
  } catch (const std::exception& error) {
    result.notes.push_back(fmt::format("ended early: {}", error.what()));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

namespace {
Problem about(const std::string& name, std::string message) { return {Location{}, "experiment", name, std::move(message)}; }
}  // namespace

std::vector<Experiment> choose_experiments(const std::vector<Experiment>& known, const std::vector<std::string>& names,
                                           bool slow) {
  std::vector<Experiment> chosen;
  std::vector<Problem> problems;
  std::set<std::string> taken;
  const auto take = [&](const Experiment& e) {
    if (taken.insert(e.name).second) chosen.push_back(e);
  };
  for (const std::string& name : names) {
    if (name == "all") {
      for (const Experiment& e : known) {
        if (slow || !e.slow) take(e);
      }
      continue;
    }
    const auto at = std::find_if(known.begin(), known.end(), [&](const Experiment& e) { return e.name == name; });
    if (at == known.end()) {
      problems.push_back(about(name, "does not exist; " + hint(name, names_of(known), "experiments")));
    } else if (at->slow && !slow) {
      problems.push_back(about(name, "takes minutes; add --slow to run it"));
    } else {
      take(*at);
    }
  }
  if (!problems.empty()) throw Error(std::move(problems));
  return chosen;
}

}  // namespace writhe::study
