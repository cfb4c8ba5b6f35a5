// Timing without a framework's opinion: medians over the steps of one run, next to a yardstick of the same run, so that numbers
// from different machines can be compared. Google Benchmark reports means of repeated identical calls; a simulation's steps are
// not identical.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/yardstick.h"

namespace writhe::bench {

// One number with its bar. Bars on times scale with the yardstick; bars on ratios do not.
struct Row {
  std::string name;
  double measured = 0;
  std::string unit;
  double bar = 0;        // largest allowed on this machine; 0: reported only
  std::string bar_text;  // where the bar comes from
  bool passed() const { return bar == 0 || measured <= bar; }
};

double median(std::vector<double> values);
// Of what `measure` returns, called this often.
double median_of(int repetitions, const std::function<double()>& measure);

// Benchmarks, each in its own file.
std::vector<Row> cantilever(const Yardstick& yardstick);
std::vector<Row> chain_factor(const Yardstick& yardstick);
std::vector<Row> contact(const Yardstick& yardstick);
std::vector<Row> hanging(const Yardstick& yardstick);
std::vector<Row> island(const Yardstick& yardstick);
std::vector<Row> net(const Yardstick& yardstick);
std::vector<Row> pd(const Yardstick& yardstick);
std::vector<Row> plectoneme(const Yardstick& yardstick);
std::vector<Row> threads(const Yardstick& yardstick);

}  // namespace writhe::bench
