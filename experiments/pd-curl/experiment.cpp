// A rod is twisted by 120 degrees at either end, then pressed together by a tenth of its length, and curls out of the plane: by
// `pd` with ten iterations a step and by `newton`, on four meshes. Twist, bend and compression have to be in balance for the
// height of the curl to come out right.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "measure/measure.h"
#include "study/registry.h"
#include "writhe/simulation.h"

namespace writhe::experiments::pd_curl {

namespace {

using study::Expectation;

const std::string scene_file = "experiments/pd-curl/scene.yaml";
constexpr std::array meshes{20, 50, 100, 200};

struct Curl {
  std::vector<Vec3> x;  // over the length
  double speed;         // largest of a node at the end, lengths a second
  State state;

  // Largest distance of a node from the axis, that of the rod before it was pressed.
  double height() const {
    double most = 0;
    for (const Vec3& p : x) most = std::max(most, std::hypot(p.y, p.z));
    return most;
  }
  // The force in the middle is along z, and the rod is the same turned by half a turn about it.
  double sideways() const {
    double most = 0;
    for (const Vec3& p : x) most = std::max(most, std::abs(p.y));
    return most;
  }
};

Model rod_of(const std::string& method, int segments) {
  return Model(embedded_scene(scene_file, {"solver.method=" + method, fmt::format("rods.rod.segments={}", segments)}));
}

Curl curl(const std::string& method, int segments) {
  Simulation simulation(rod_of(method, segments));
  const double length = simulation.model().rods()[0].length;
  const StepReport report = simulation.run(simulation.model().scene().until);
  if (!report.accepted()) throw stopped_at(report.time, report.cause);
  Curl out{simulation.state().x, report.max_speed / length, simulation.state()};
  for (Vec3& p : out.x) p = p / length;
  return out;
}

double largest_distance(const Curl& a, const Curl& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) most = std::max(most, norm(a.x[i] - b.x[i]));
  return most;
}

study::Plot view_of(const std::string& title, const std::string& axis, double Vec3::*component, const std::vector<Curl>& by_pd,
                    const Curl& newton) {
  const auto seen = [&](const Curl& curl) {
    Points out;
    for (const Vec3& p : curl.x) out.emplace_back(p.x, p.*component);
    return out;
  };
  study::Plot plot = shape_plot(title, "x / length", axis);
  for (std::size_t i = 0; i < meshes.size(); ++i)
    plot.series.push_back(line(fmt::format("pd, {} segments", meshes[i]), seen(by_pd[i])));
  plot.series.push_back(marks(fmt::format("newton, {} segments", meshes.back()), thinned(seen(newton), 41)));
  return plot;
}

void illustrate(study::Result& result, const std::vector<Curl>& by_pd, const Curl& newton) {
  result.plots = {view_of("From the side", "z / length", &Vec3::z, by_pd, newton),
                  view_of("From above", "y / length", &Vec3::y, by_pd, newton)};
  for (const std::size_t i : {std::size_t{0}, meshes.size() - 1})
    draw(result, fmt::format("By pd, {} segments", meshes[i]), rod_of("pd", meshes[i]), by_pd[i].state);
}

void perform(study::Result& result, const study::Context& context) {
  for (const int segments : meshes) {
    result.expect(fmt::format("shape_n{}", segments), Expectation::at_most(0.02, "newton on the same mesh"));
    result.expect(fmt::format("speed_n{}", segments), Expectation::at_most(1e-3, "it has come to rest"));
  }
  result.expect("height_spread", Expectation::at_most(0.02, "Soler et al. 2018, Fig. 6: the same curl on any mesh"));
  result.notes = {
      "height: largest distance of a node from the axis, by pd with ten iterations a step (newton: by newton); sideways: of a "
      "node "
      "from the plane of the axis and the middle; shape: largest distance of a node from where newton has it, over the height; "
      "speed: at the end, lengths a second; height_spread: of 50, 100 and 200 segments, over the smallest"};
  std::vector<Curl> exact;
  for (const int segments : meshes) {
    context.progress(fmt::format("newton, {} segments", segments));
    exact.push_back(curl("newton", segments));
    const std::string key = fmt::format("height_n{}", segments);
    result.expect(key, Expectation::within_relative(exact.back().height(), 0.02, "newton on the same mesh"));
  }
  std::vector<Curl> by_pd;
  double lowest = INFINITY, highest = 0;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const int segments = meshes[i];
    context.progress(fmt::format("pd, {} segments", segments));
    const Curl& pd = by_pd.emplace_back(curl("pd", segments));
    const double height = pd.height();
    result.measure(fmt::format("height_n{}", segments), height);
    result.measure(fmt::format("height_newton_n{}", segments), exact[i].height());
    result.measure(fmt::format("sideways_n{}", segments), pd.sideways());
    result.measure(fmt::format("shape_n{}", segments), largest_distance(pd, exact[i]) / exact[i].height());
    result.measure(fmt::format("speed_n{}", segments), pd.speed);
    result.measure(fmt::format("speed_newton_n{}", segments), exact[i].speed);
    if (segments < 50) continue;
    lowest = std::min(lowest, height);
    highest = std::max(highest, height);
  }
  result.measure("height_spread", (highest - lowest) / lowest);
  illustrate(result, by_pd, exact.back());
}

}  // namespace

study::Experiment experiment() {
  return {"pd-curl",
          "Curl of a rod that is twisted and pressed together",
          "Soler, Martin and Sorkine-Hornung, Cosserat Rods with Projective Dynamics, Fig. 6",
          false,
          perform,
          {"pd:fig6"}};
}

}  // namespace writhe::experiments::pd_curl
