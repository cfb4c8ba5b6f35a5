// An experiment: scenes run through the Simulation, numbers measured, and what they should be according to a source.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "study/plot.h"

namespace writhe::study {

// What one measured number should be: `value` within `abs` or within `rel` of its size, and at least `min`, at most `max`.
struct Expectation {
  std::optional<double> value, abs, rel, min, max;
  std::string source;  // where the number comes from

  static Expectation within(double value, double abs, std::string source);
  static Expectation within_relative(double value, double rel, std::string source);
  static Expectation at_least(double min, std::string source);
  static Expectation at_most(double max, std::string source);

  double allowed() const;             // distance from `value`
  bool holds(double measured) const;  // false for NaN and infinities
  std::string text() const;           // "0.5097 +- 0.001", ">= 1.8"
};

// In order of measurement, so that a table reads as the experiment ran.
template <class Value>
using Ordered = std::vector<std::pair<std::string, Value>>;

// What an experiment found. Expectations are stated before measuring: a number that is never reached then counts as failed.
struct Result {
  Ordered<double> measured;
  Ordered<Expectation> expected;
  std::vector<std::string> notes;
  std::vector<Plot> plots;        // for the report, as are
  std::vector<Drawing> drawings;  // these; neither decides whether it passed
  double seconds = 0;

  void measure(std::string key, double value) { measured.emplace_back(std::move(key), value); }
  void expect(std::string key, Expectation expectation) { expected.emplace_back(std::move(key), std::move(expectation)); }
  std::optional<double> find(const std::string& key) const;
  // Every expectation is met by a measured, finite number, every measured number is finite, and there is something to meet.
  bool passed() const;
};

// What an experiment may ask for and tell while it runs.
struct Context {
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

struct Experiment {
  std::string name;    // as on the command line
  std::string title;   // one line
  std::string source;  // paper and figure, or the theory it is checked against
  bool slow = false;   // takes minutes
  std::function<void(Result&, const Context&)> perform;
  // What it shows of the papers, as experiments/papers.json numbers it ("pd:fig4"); empty for an exact answer of another source.
  std::vector<std::string> items = {};
};

// Runs and times it. An exception ends the experiment and becomes a note; what was not measured by then counts as failed.
Result run_experiment(const Experiment& experiment, const Context& context = {});

// The experiments of these names, in the order given; "all" stands for all of them, the slow ones only when `slow`.
// Throws Error for each unknown name, with the nearest known one, and for slow ones asked for by name without `slow`.
std::vector<Experiment> choose_experiments(const std::vector<Experiment>& known, const std::vector<std::string>& names,
                                           bool slow);

}  // namespace writhe::study
