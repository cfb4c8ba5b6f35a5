// Timing without a framework's opinion: medians over the steps of one run, next to a yardstick of the same run, so that numbers
// from different machines can be compared. Google Benchmark reports means of repeated identical calls; a simulation's steps are
// not identical.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace writhe::bench {

// Times of two fixed loops on one core, CPU time, smallest of 15.
struct Yardstick {
  double scalar_ms = 0;  // 2e7 dependent multiply-adds
  double matrix_ms = 0;  // 200 products of 64x64 matrices
  double slowness() const;
};
Yardstick measure_yardstick();
// Bars are stated for a core on which the scalar yardstick takes this long.
inline constexpr double reference_scalar_ms = 25.1;
// By what times are longer here than there.
inline double Yardstick::slowness() const { return scalar_ms / reference_scalar_ms; }

// One number with its bar. Bars on times scale with the yardstick; bars on ratios do not.
struct Row {
  std::string name;
  double measured = 0;
  std::string unit;
  double bar = 0;        // largest allowed on this machine; 0: reported only
  std::string bar_text;  // where the bar comes from
  bool passed() const { return bar == 0 || measured <= bar; }
};

// CPU time of this process so far, s: what other programs take does not count.
double cpu_seconds();

double median(std::vector<double> values);
// Of what `measure` returns, called this often.
double median_of(int repetitions, const std::function<double()>& measure);

// Benchmarks, each in its own file.
std::vector<Row> cantilever(const Yardstick& yardstick);
std::vector<Row> hanging(const Yardstick& yardstick);
std::vector<Row> net(const Yardstick& yardstick);
std::vector<Row> pd(const Yardstick& yardstick);

}  // namespace writhe::bench
