// A clamped rubber rod falls from horizontal: L 1 m, r 5 mm, E 1 MPa, nu 0.5, rho 1300 kg/m^3, dt 1 ms, 2 s, residual force below
// 1e-6 of the weight plus the largest internal force. Microseconds a step: smallest of three runs, median over the steps.
#include "harness.h"
#include "rubber.h"
#include "timed_steps.h"

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

}  // namespace

std::vector<Row> cantilever(const Yardstick& yardstick) {
  const std::vector<int> sizes = {20, 50, 100, 200, 2000};
  std::vector<Scene> scenes;
  scenes.reserve(sizes.size());
  for (const int segments : sizes) scenes.push_back(falling_rod(segments));
  const std::vector<double> times = time_steps("cantilever", scenes, {.steps = 2000});

  std::vector<Row> rows;
  double at_200 = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    Row row{"cantilever_n" + std::to_string(sizes[i]), times[i], "us/step", 0, ""};
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
