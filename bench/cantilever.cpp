// A clamped rubber rod falls from horizontal: L 1 m, r 5 mm, E 1 MPa, nu 0.5, rho 1300 kg/m^3, dt 1 ms, 2 s, residual force below
// 1e-6 of the weight plus the largest internal force. Microseconds a step: smallest of three runs, median over the steps.
#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

#include "harness.h"
#include "rubber.h"
#include "writhe/writhe.h"

namespace writhe::bench {

namespace {

Scene falling_rod(int segments) {
  Scene scene = rubber_scene(0.005);
  add_rod(scene, "rod", {{0, 0, 0}, {1, 0, 0}}, segments);
  add_support(scene, Support::Kind::clamp, Place::parse("rod.start"));
  scene.dt = 1e-3;
  scene.solver.tolerance = 1e-6;
  return scene;
}

constexpr int steps = 2000, steps_a_turn = 20, runs = 3;  // 2 s, three times

// CPU times of all steps, each the smallest of the runs, which are the same to the last bit: what is longer is not the step's
// own.
class TimedRod {
 public:
  explicit TimedRod(int segments) : m_model(falling_rod(segments)), m_times(steps, std::numeric_limits<double>::infinity()) {}
  void start_run() {
    m_simulation.emplace(m_model, SimulationOptions{.threads = 1});
    m_next = m_times.begin();
  }
  void take_turn() {
    for (int k = 0; k < steps_a_turn; ++k, ++m_next) {
      const double start = cpu_seconds();
      const StepReport report = m_simulation->step(1e-3);
      *m_next = std::min(*m_next, 1e6 * (cpu_seconds() - start));
      if (!report.accepted()) throw std::runtime_error("cantilever: " + report.cause);
    }
  }
  double microseconds_a_step() const { return median(m_times); }

 private:
  Model m_model;
  std::optional<Simulation> m_simulation;
  std::vector<double> m_times;
  std::vector<double>::iterator m_next;
};

// The rods take turns, so that what else the machine does falls on all of them alike: short ones, since neighbours that share
// this core's clock or cache come and go within tenths of a second.
void run(std::vector<TimedRod>& rods) {
  for (TimedRod& rod : rods) rod.start_run();
  for (int turn = 0; turn < steps / steps_a_turn; ++turn)
    for (TimedRod& rod : rods) rod.take_turn();
}

}  // namespace

std::vector<Row> cantilever(const Yardstick& yardstick) {
  const std::vector<int> sizes = {20, 50, 100, 200, 2000};
  std::vector<TimedRod> rods;
  rods.reserve(sizes.size());
  for (const int segments : sizes) rods.emplace_back(segments);
  for (int k = 0; k < runs; ++k) run(rods);

  std::vector<Row> rows;
  double at_200 = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    Row row{"cantilever_n" + std::to_string(sizes[i]), rods[i].microseconds_a_step(), "us/step", 0, ""};
    if (sizes[i] == 200) {
      at_200 = row.measured;
      row.bar = 150 * yardstick.slowness();
      row.bar_text = "150 us on a core with yardstick 25.1 ms; there DisMech takes 4670 us, Deul's direct solver 526 us";
    }
    rows.push_back(row);
  }
  rows.push_back({"cantilever_n2000_over_n200", rows.back().measured / at_200, "", 11, "linear time: at most 11 times N = 200"});
  return rows;
}

}  // namespace writhe::bench
