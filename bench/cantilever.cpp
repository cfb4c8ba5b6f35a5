// A clamped rubber rod falls from horizontal: L 1 m, r 5 mm, E 1 MPa, nu 0.5, rho 1300 kg/m^3, dt 1 ms, 2 s, residual force below
// 1e-6 of the weight plus the largest internal force. Microseconds a step, median.
#include <chrono>
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

double microseconds_a_step(int segments) {
  using Clock = std::chrono::steady_clock;
  Simulation simulation{Model(falling_rod(segments)), {.threads = 1}};
  std::vector<double> times;
  for (int k = 0; k < 2000; ++k) {
    const auto start = Clock::now();
    const StepReport report = simulation.step(1e-3);
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    if (!report.accepted()) throw std::runtime_error("cantilever: " + report.cause);
  }
  return median(times);
}

}  // namespace

std::vector<Row> cantilever(const Yardstick& yardstick) {
  const double scale = yardstick.scalar_ms / reference_scalar_ms;
  std::vector<Row> rows;
  double at_200 = 0;
  for (const int segments : {20, 50, 100, 200, 2000}) {
    Row row{"cantilever_n" + std::to_string(segments), microseconds_a_step(segments), "us/step", 0, ""};
    if (segments == 200) {
      at_200 = row.measured;
      row.bar = 150 * scale;
      row.bar_text = "150 us on a core with yardstick 25.1 ms; there DisMech takes 4670 us, Deul's direct solver 526 us";
    }
    rows.push_back(row);
  }
  rows.push_back({"cantilever_n2000_over_n200", rows.back().measured / at_200, "", 11, "linear time: at most 11 times N = 200"});
  return rows;
}

}  // namespace writhe::bench
