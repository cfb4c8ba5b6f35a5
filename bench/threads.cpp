// Many rods on two threads: what is left that one thread does alone. bench/README.md. Time of the clock on the wall.
#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "harness.h"
#include "rubber.h"
#include "writhe/writhe.h"

namespace writhe::bench {

namespace {

constexpr int rods = 4000, segments = 20, steps = 20, turns = 15;

// Seconds of one step.
double time_step(Simulation& simulation) {
  const auto start = std::chrono::steady_clock::now();
  const StepReport report = simulation.step(simulation.model().scene().dt);
  if (!report.accepted()) throw std::runtime_error("threads: " + report.cause);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// On two threads over on one: the same steps, which take turns, each the quickest of several equal runs.
double two_over_one(const Scene& scene) {
  const Model model(scene);
  std::vector<double> one(steps, 1e9), two(steps, 1e9);
  for (int turn = 0; turn < turns; ++turn) {
    Simulation alone(model, {.threads = 1}), together(model, {.threads = 2});
    for (int k = 0; k < steps; ++k) {
      one[k] = std::min(one[k], time_step(alone));
      two[k] = std::min(two[k], time_step(together));
    }
  }
  return median(two) / median(one);
}

}  // namespace

std::vector<Row> threads(const Yardstick&) {
  std::vector<Row> rows;
  for (const char* method : {"newton", "pd"}) {
    Scene scene = falling_rods(rods, segments);
    scene.solver.method = method;
    rows.push_back({std::string("threads_4000x20_") + method + "_two_over_one", two_over_one(scene), "", 1 / 1.8,
                    "1.8 times as fast on two threads"});
  }
  return rows;
}

}  // namespace writhe::bench
