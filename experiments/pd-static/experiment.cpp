// A rod straight between two pins hangs as one of them is carried in, and comes to rest with 2, 10 and 100 iterations a step:
// where it rests must not depend on them. A step that has used up its few iterations leaves something for the next ones; at rest
// nothing is left.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "../common/hanging_sag.h"
#include "../common/illustrate.h"
#include "../common/method_study.h"
#include "study/registry.h"

namespace writhe::experiments::pd_static {

namespace {

using study::Expectation;

const std::string scene_file = "experiments/pd-static/scene.yaml";
constexpr int budgets[] = {2, 10, 100};
constexpr Hanging rods[] = {{3, 1, 50}, {3, 1, 25}};
constexpr double tolerance = 1e-9;

std::string key(const Hanging& rod, int iterations) { return fmt::format("sag_d{}_it{}_m", rod.distance_cm, iterations); }
std::string spread_key(const Hanging& rod) { return fmt::format("spread_d{}_m", rod.distance_cm); }

double sag_of(const State& state) { return state.x[state.x.size() / 2].z - state.x.front().z; }

struct Rest {
  Simulation simulation;
  Points sags;  // m, over time on the way there
};

Rest settled(const Hanging& rod, int iterations) {
  Points sags;
  Watch watch([&](const Model&, const State& state) { sags.emplace_back(state.time, sag_of(state)); });
  Simulation simulation = start(scene_file, pd_method(tolerance, iterations),
                                {fmt::format("supports[0].motion.translate[1]=[1, [{}, 0, 0]]", 1 - 0.01 * rod.distance_cm)});
  simulation.add_sink(watch);
  Simulation rested = come_to_rest(std::move(simulation));
  return {std::move(rested), std::move(sags)};
}

// ---- what is shown -------------------------------------------------------------------------------------------------------
// Distance of the middle from where the run itself ends; heights would lie on top of each other from the first second on.
void show_way(study::Result& result, const Hanging& rod, const std::vector<Rest>& rests) {
  study::Plot plot = empty_plot(fmt::format("Way to rest, pins {} cm apart", rod.distance_cm), {"time, s"},
                                {"distance of the middle from its rest, m", true});
  for (std::size_t i = 0; i < rests.size(); ++i) {
    std::vector<double> times, left;
    for (const auto& [time, sag] : rests[i].sags) {
      times.push_back(time);
      left.push_back(std::abs(sag - rests[i].sags.back().second));
    }
    plot.series.push_back(line(fmt::format("{} iterations a step", budgets[i]), over_time(times, left, 1e-9)));
  }
  result.plots.push_back(std::move(plot));
}

void add_shapes(study::Plot& plot, const Hanging& rod, const std::vector<Rest>& rests) {
  for (std::size_t i = 0; i < rests.size(); ++i) {
    const std::string name = fmt::format("{} cm apart, {} iterations", rod.distance_cm, budgets[i]);
    const Points shape = shape_xz(rests[i].simulation.state().x);
    plot.series.push_back(i == 0 ? line(name, shape) : marks(name, thinned(shape, i == 1 ? 26 : 11)));
  }
  const auto& x = rests[0].simulation.state().x;
  plot.series.push_back(marks("middle, boundary value problem", {{0.5 * (x.front().x + x.back().x), reference_sag(rod)}}));
}

void perform(study::Result& result, const study::Context& context) {
  for (const Hanging& rod : rods) {
    for (const int iterations : budgets)
      result.expect(key(rod, iterations), Expectation::within(reference_sag(rod), 1e-3, sag_source()));
    result.expect(spread_key(rod), Expectation::at_most(1e-6, "at rest the iterations of a step no longer matter"));
  }
  result.notes = {
      "sag: height of the middle above the pins at 100 segments, after settling with 2, 10 and 100 iterations a step of 1 ms; d: "
      "distance of the pins in cm; spread: between the highest and the lowest of the three"};
  study::Plot shapes = shape_plot("At rest", "x, m", "z, m");
  for (const Hanging& rod : rods) {
    std::vector<Rest> rests;
    std::vector<double> sags;
    for (const int iterations : budgets) {
      context.progress(key(rod, iterations));
      rests.push_back(settled(rod, iterations));
      sags.push_back(sag_of(rests.back().simulation.state()));
      result.measure(key(rod, iterations), sags.back());
    }
    const auto [lowest, highest] = std::minmax_element(sags.begin(), sags.end());
    result.measure(spread_key(rod), *highest - *lowest);
    show_way(result, rod, rests);
    add_shapes(shapes, rod, rests);
    draw(result, fmt::format("At rest, pins {} cm apart", rod.distance_cm), rests.front().simulation.model(),
         rests.front().simulation.state());
  }
  result.plots.push_back(std::move(shapes));
}

}  // namespace

study::Experiment experiment() {
  return {"pd-static",
          "Rod hanging between two pins, settled with few and with many iterations a step",
          "Soler, Martin and Sorkine-Hornung, Cosserat Rods with Projective Dynamics, Fig. 9",
          false,
          perform,
          {"pd:fig9"}};
}

}  // namespace writhe::experiments::pd_static
