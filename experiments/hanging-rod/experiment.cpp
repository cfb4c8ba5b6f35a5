// A rod, straight between two pins, hangs ever deeper as one pin is carried in, until both are at one point. From a limp cord,
// close to a catenary, to a rod that its stiffness holds up: what is found is equilibrium alone, without stepping in time, along
// a path that starts stretched straight and ends in a loop.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "../common/hanging_sag.h"
#include "../common/illustrate.h"
#include "../common/static_study.h"
#include "study/registry.h"

namespace writhe::experiments::hanging_rod {

namespace {

using study::Expectation;

const std::string scene_file = "experiments/hanging-rod/scene.yaml";
constexpr double sag_tolerance = 5e-4;  // m

constexpr std::pair<int, int> rods[] = {{2, 1}, {6, 1}, {8, 50}, {3, 1}};  // radius in mm, E in MPa
constexpr int distances_cm[] = {75, 50, 25, 0};

std::vector<Hanging> cases() {
  std::vector<Hanging> out;
  for (const auto& [radius_mm, young_mpa] : rods)
    for (const int distance_cm : distances_cm) out.push_back({radius_mm, young_mpa, distance_cm});
  return out;
}

double sag_of(const State& state) { return state.x[state.x.size() / 2].z - state.x.front().z; }

Statics hanging(const Hanging& c, Sink* path) {
  return equilibrate(scene_file,
                     {fmt::format("sections.round.circle.radius={}e-3", c.radius_mm),
                      fmt::format("materials.rubber.young={}e6", c.young_mpa),
                      fmt::format("supports[1].motion.translate[1]=[1, [{}, 0, 0]]", 0.01 * c.distance_cm - 1)},
                     {}, path)
      .statics;
}

// ---- what is shown -------------------------------------------------------------------------------------------------------
// A solved rod, and what its path passed on the way in.
struct Found {
  Hanging rod;
  Statics statics;
  std::vector<State> path;
};

std::string name_of(const Hanging& c) { return fmt::format("r {} mm, E {} MPa", c.radius_mm, c.young_mpa); }

// The paths to all distances together: the short ones are finer.
Points sags_of(const std::string& rod, const std::vector<Found>& found) {
  Points out;
  for (const Found& one : found) {
    if (name_of(one.rod) != rod) continue;
    for (const State& state : one.path) out.emplace_back(state.x.back().x - state.x.front().x, sag_of(state));
  }
  std::sort(out.begin(), out.end());
  return out;
}

void plot_sags(study::Result& result, const std::vector<Found>& found) {
  study::Plot plot =
      empty_plot("Sag of the middle while the pins come together", {"distance of the pins, m"}, {"height above the pins, m"});
  Points exact;
  for (const Found& one : found) {
    exact.emplace_back(0.01 * one.rod.distance_cm, reference_sag(one.rod));
    if (one.rod.distance_cm == 0) plot.series.push_back(line(name_of(one.rod), sags_of(name_of(one.rod), found)));
  }
  plot.series.push_back(marks("boundary value problem", std::move(exact)));
  result.plots.push_back(std::move(plot));
}

void plot_shapes(study::Result& result, const std::vector<Found>& found, int distance_cm) {
  study::Plot plot = shape_plot(fmt::format("At rest, pins {} cm apart", distance_cm), "x, m", "z, m");
  Points middles;
  for (const Found& one : found) {
    if (one.rod.distance_cm != distance_cm) continue;
    plot.series.push_back(line(name_of(one.rod), shape_xz(one.statics.state().x)));
    middles.emplace_back(0.005 * distance_cm, reference_sag(one.rod));
  }
  plot.series.push_back(marks("middle, boundary value problem", std::move(middles)));
  result.plots.push_back(std::move(plot));
}

void draw_path(study::Result& result, const Found& one) {
  Snapshots shapes({0, 0.25, 0.5, 0.75, 1});
  for (const State& state : one.path) shapes.take(state);
  draw(result, name_of(one.rod) + ", the pins brought together within 1 s", one.statics.model(), shapes.states());
}

void illustrate(study::Result& result, const std::vector<Found>& found) {
  plot_sags(result, found);
  plot_shapes(result, found, 50);
  plot_shapes(result, found, 0);
  for (const Found& one : found)
    if (one.rod.distance_cm == 0 && one.rod.radius_mm != 3) draw_path(result, one);
}

void perform(study::Result& result, const study::Context& context) {
  for (const Hanging& c : cases()) result.expect(c.key(), Expectation::within(reference_sag(c), sag_tolerance, sag_source()));
  result.notes = {
      "sag: height of the middle above the pins at 100 segments; r: radius in mm, E: MPa, d: distance of the pins in cm"};
  std::vector<Found> found;
  for (const Hanging& c : cases()) {
    context.progress(c.key());
    std::vector<State> path;
    Watch watch([&](const Model&, const State& state) { path.push_back(state); });
    found.push_back({c, hanging(c, &watch), {}});
    found.back().path = std::move(path);
    result.measure(c.key(), sag_of(found.back().statics.state()));
  }
  illustrate(result, found);
}

}  // namespace

study::Experiment experiment() {
  return {"hanging-rod",
          "Rod hanging between two pins at the same height",
          "heavy elastica as a boundary value problem; setting as in Soler, Martin and Sorkine-Hornung, Cosserat Rods with "
          "Projective Dynamics, Figs. 9 and 11",
          false,
          perform,
          {"pd:fig9", "pd:fig11"}};
}

}  // namespace writhe::experiments::hanging_rod
