// A thin strip between two clamps that are brought together by a fifth of its length: 20,000 times as far as it takes to buckle
// it. Every mesh has to follow the same branch, from the straight strip over the crossing to the bent one (`perturb`), and,
// pushed sideways by a small force, without any crossing. Other branches lie near: the straight one, with a hundred negative
// eigenvalues and ten thousand times the load, is reached by the first long step that is believed.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../common/embedded_scene.h"
#include "../common/illustrate.h"
#include "../common/static_study.h"
#include "study/registry.h"

namespace writhe::experiments::strip_buckling {

namespace {

using study::Expectation;

const std::string folder = "experiments/strip-buckling/";
const std::vector<int> meshes{40, 60, 80, 100, 150};
constexpr int coarse = 20;
constexpr double shortening = 0.2;     // of the length, at t = 1 s
constexpr double imperfection = 1e-3;  // N, sideways on the middle; Euler's load is 19 N

struct Pressed {
  double load = 0;                 // of Euler's, 4 pi^2 EI/L^2
  std::optional<double> critical;  // shortening at the first crossing over 4 pi^2 EI/(EA L^2) of the length
  std::vector<State> path;
};

double euler_load(const Model& model) {
  const double length = model.rods()[0].length;
  return 4 * std::numbers::pi * std::numbers::pi * model.joints().stiffness[0].x / (length * length);
}

// Nothing when the path was lost, or left the branch.
std::optional<Pressed> press(int segments, double sideways) {
  Pressed out;
  Watch watch([&out](const Model&, const State& state) { out.path.push_back(state); });
  StaticOptions options;
  options.perturb = sideways == 0;
  try {
    const Equilibrated strip = equilibrate(
        folder + "scene.yaml",
        {fmt::format("rods.strip.segments={}", segments), fmt::format("loads[0].force=[0, 0, {}]", sideways)}, options, &watch);
    const Model& model = strip.statics.model();
    out.load = strip.statics.reactions()[0].force.x / euler_load(model);
    if (!strip.report.crossings.empty()) {
      const double stretch = model.segments().stiffness[0].z;
      out.critical = shortening * instability_time(strip.report) * stretch / euler_load(model);
    }
    if (strip.report.jumps > 0 || strip.statics.stability().negative > 0) return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
  return out;
}

struct Family {
  int failed = 0;
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;  // loads of the meshes
  std::optional<Pressed> coarsest, finest;
};

Family press_all(double sideways, const study::Context& context) {
  Family out;
  for (const int segments : meshes) {
    context.progress(fmt::format("{} segments, {} N sideways", segments, sideways));
    std::optional<Pressed> pressed = press(segments, sideways);
    if (!pressed) {
      ++out.failed;
      continue;
    }
    out.smallest = std::min(out.smallest, pressed->load);
    out.largest = std::max(out.largest, pressed->load);
    if (segments == meshes.back()) out.finest = std::move(pressed);
  }
  out.coarsest = press(coarse, sideways);
  if (!out.coarsest) ++out.failed;
  return out;
}

void measure(study::Result& result, const Family& family, const std::string& suffix, double exact) {
  result.measure("failed" + suffix, family.failed);
  if (!family.finest || !family.coarsest) return;
  result.measure("spread" + suffix, (family.largest - family.smallest) / family.finest->load);
  result.measure("coarse_ratio" + suffix, family.coarsest->load / family.finest->load);
  result.measure("load_ratio" + suffix, family.finest->load / exact);
}

void illustrate(study::Result& result, const Family& straight, const Family& bent, const nlohmann::json& reference) {
  if (!straight.finest || !bent.finest) return;
  const Model model(embedded_scene(folder + "scene.yaml", {fmt::format("rods.strip.segments={}", meshes.back())}));
  const double length = model.rods()[0].length;
  const auto height = [length](const State& state) { return std::abs(state.x[state.x.size() / 2].z) / length; };
  study::Plot heights = empty_plot("Height of the middle", {"shortening / length"}, {"height / length"});
  const auto along = [&](const Family& family) {
    Points out;
    for (const State& state : family.finest->path) out.emplace_back(1 - state.x.back().x / length, height(state));
    return out;
  };
  heights.series = {marked_line("left where it is unstable", along(straight)), marked_line("pushed sideways", along(bent))};
  result.plots.push_back(std::move(heights));
  Points loads;
  for (const auto& [key, value] : reference.at("load").items()) loads.emplace_back(std::stod(key), value.get<double>());
  study::Plot load = empty_plot("Load at the end", {"shortening / length"}, {"load / Euler's"});
  load.series = {dashed("elastica", loads), marks("150 segments", {{shortening, straight.finest->load}})};
  result.plots.push_back(std::move(load));
  Snapshots drawn({0, 0.1, 0.25, 0.5, 0.75, 1});
  for (const State& state : straight.finest->path) drawn.take(state);
  draw(result, "The clamps are brought together by a fifth of the length", model, drawn.states());
}

void perform(study::Result& result, const study::Context& context) {
  const auto reference = embedded_reference(folder + "reference.json");
  const double exact = reference.at("load").at("0.2").get<double>();
  for (const std::string suffix : {"", "_imperfect"}) {
    result.expect("failed" + suffix, Expectation::at_most(0, "every mesh follows the buckled branch to its end"));
    result.expect("spread" + suffix, Expectation::at_most(0.01, "the same branch on every mesh"));
    result.expect("coarse_ratio" + suffix, Expectation::within(1, 0.02, "the same branch on 20 segments"));
    result.expect("load_ratio" + suffix, Expectation::within(1, 0.005, "elliptic integrals, " + folder + "reference.py"));
  }
  result.expect("critical_ratio", Expectation::within(1, 0.01, "4 pi^2 EI/(EA L^2) of the length, Euler"));
  result.notes = {
      "failed: of the meshes of 20, 40, 60, 80, 100 and 150 segments; spread: of the loads at a shortening of a fifth of the "
      "length, 40 "
      "segments and more, over that of 150; coarse_ratio: load of 20 segments over that of 150; load_ratio: load of 150 segments "
      "over the "
      "elastica's; imperfect: pushed sideways by 1 mN at the middle instead of perturbed"};
  const Family straight = press_all(0, context), bent = press_all(imperfection, context);
  measure(result, straight, "", exact);
  measure(result, bent, "_imperfect", exact);
  if (straight.finest && straight.finest->critical) result.measure("critical_ratio", *straight.finest->critical);
  illustrate(result, straight, bent, reference);
}

}  // namespace

study::Experiment experiment() {
  return {"strip-buckling", "A clamped strip pressed together far beyond buckling, on six meshes",
          "elastica by elliptic integrals, Timoshenko and Gere, Theory of Elastic Stability, ch. 2", false, perform};
}

}  // namespace writhe::experiments::strip_buckling
