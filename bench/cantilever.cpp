// A clamped rubber rod falls from horizontal: L 1 m, r 5 mm, E 1 MPa, nu 0.5, rho 1300 kg/m^3, dt 1 ms, 2 s, residual force below
// 1e-6 of the weight plus the largest internal force. Microseconds a step, median.
#include <stdexcept>

#include "harness.h"
#include "writhe/writhe.h"

namespace writhe::bench {

namespace {

Scene falling_rod(int segments) {
  Scene scene;
  scene.materials = {{"rubber", 1e6, 1300, 0.5, {}}};
  scene.sections = {{"cord", CircleSection{0.005}}};
  Rod rod;
  rod.name = "rod";
  rod.section = "cord";
  rod.material = "rubber";
  rod.centreline = LineShape{{0, 0, 0}, {1, 0, 0}};
  rod.segments = segments;
  scene.rods = {rod};
  Support clamp;
  clamp.kind = Support::Kind::clamp;
  clamp.at = Place::parse("rod.start");
  scene.supports = {clamp};
  scene.dt = 1e-3;
  scene.solver.tolerance = 1e-6;
  return scene;
}

// CPU times of all steps. The rods take turns of 100 steps, so that what else the machine does falls on all of them alike.
class TimedRod {
 public:
  explicit TimedRod(int segments) : m_simulation{Model(falling_rod(segments)), {.threads = 1}} {}
  void take_turn() {
    for (int k = 0; k < 100; ++k) {
      const double start = cpu_seconds();
      const StepReport report = m_simulation.step(1e-3);
      m_times.push_back(1e6 * (cpu_seconds() - start));
      if (!report.accepted()) throw std::runtime_error("cantilever: " + report.cause);
    }
  }
  double microseconds_a_step() const { return median(m_times); }

 private:
  Simulation m_simulation;
  std::vector<double> m_times;
};

}  // namespace

std::vector<Row> cantilever(const Yardstick& yardstick) {
  const std::vector<int> sizes = {20, 50, 100, 200, 2000};
  std::vector<TimedRod> rods;
  rods.reserve(sizes.size());
  for (const int segments : sizes) rods.emplace_back(segments);
  for (int turn = 0; turn < 20; ++turn)  // 2 s
    for (TimedRod& rod : rods) rod.take_turn();

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
