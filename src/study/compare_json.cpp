#include "study/compare_json.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "model/extent.h"
#include "study/provenance.h"
#include "writhe/model.h"

namespace writhe::study {

using nlohmann::ordered_json;

namespace {

constexpr std::size_t most_points_of_a_page = 300'000;  // about 10 MB of text

ordered_json number(const std::optional<double>& value) { return value ? ordered_json(*value) : ordered_json(nullptr); }

void put_outcome(ordered_json& out, const ComparedRun& run) {
  out["state"] = run.path.complete() ? "done" : "failed";
  if (!run.path.complete()) out["cause"] = run.path.cause;
  out["error"] = number(run.error ? std::optional(run.error->largest) : std::nullopt);
  out["error_m"] = number(run.error ? std::optional(run.error->largest_m) : std::nullopt);
  out["error_end"] = number(run.error ? std::optional(run.error->end) : std::nullopt);
  out["error_rms"] = number(run.error ? std::optional(run.error->rms) : std::nullopt);
  out["seconds"] = run.path.seconds;
  out["steps"] = run.path.steps;
  out["unconverged"] = run.path.unconverged;
}

void put_runs(ordered_json& out, const char* series, const std::vector<ComparedRun>& runs) {
  if (runs.size() < 2) return;
  for (const ComparedRun& run : runs) {
    if (run.resolution == Resolution{}) continue;
    ordered_json entry{{"series", series}, {"dt", run.dt}, {"segments", run.segments}};
    put_outcome(entry, run);
    out.push_back(std::move(entry));
  }
}

ordered_json to_json(const Compared& method, bool at_rest) {
  const Scene& scene = method.contender.scene;
  ordered_json out{{"name", method.contender.name}, {"method", scene.solver.method}, {"settings", method.contender.settings}};
  put_outcome(out, method.scene);
  const bool complete = method.scene.path.complete();
  out["step_us"] = number(complete ? std::optional(1e6 * method.seconds_a_step()) : std::nullopt);
  out["speed"] = number(complete && !at_rest ? std::optional(method.speed()) : std::nullopt);
  out["order_time"] = number(method.order_time);
  out["order_mesh"] = number(method.order_mesh);
  ordered_json own{{"series", "scene"}, {"dt", method.scene.dt}, {"segments", method.scene.segments}};
  put_outcome(own, method.scene);
  out["runs"] = ordered_json::array({std::move(own)});
  put_runs(out["runs"], "time", method.time);
  put_runs(out["runs"], "mesh", method.mesh);
  return out;
}

ordered_json to_json(const Reference& reference, const Scene& scene) {
  const auto dt_of = [&](Resolution r) { return at_resolution(scene, r).dt; };
  const auto segments_of = [&](Resolution r) { return segment_count(at_resolution(scene, r)); };
  ordered_json out{{"method", "newton"},
                   {"integrator", reference.integrator == Integrator::midpoint ? "midpoint" : "euler"},
                   {"dt", dt_of(reference.resolution)},
                   {"segments", segments_of(reference.resolution)},
                   {"error", number(reference.error())},
                   {"error_time", number(reference.error_time)},
                   {"error_mesh", number(reference.error_mesh)},
                   {"wanted", reference.wanted},
                   {"sufficient", reference.sufficient},
                   {"seconds", reference.seconds},
                   {"runs", reference.runs},
                   {"note", reference.note},
                   {"levels", ordered_json::array()}};
  for (const ReferenceLevel& level : reference.levels)
    out["levels"].push_back({{"dt", dt_of(level.resolution)},
                             {"segments", segments_of(level.resolution)},
                             {"seconds", level.seconds},
                             {"change_time", number(level.change_time)},
                             {"change_mesh", number(level.change_mesh)}});
  return out;
}

// [time][rod][node][x, y, z], m, of these shapes. In decimals far below what a page shows of differences:
// half the size of the full numbers.
ordered_json shapes_of(const Trajectory& path, const Model& coarse, const std::vector<std::size_t>& which) {
  const double decimals = std::pow(10, 8 - std::floor(std::log10(longest_rod(coarse))));
  const auto rounded = [&](double x) { return std::round(x * decimals) / decimals; };
  ordered_json out = ordered_json::array();
  for (const std::size_t k : which) {
    if (k >= path.shapes.size()) break;  // failed before
    ordered_json rods = ordered_json::array();
    std::size_t next = 0;
    for (const RodRange& rod : coarse.rods()) {
      ordered_json nodes = ordered_json::array();
      for (int n = rod.closed ? 1 : 0; n <= rod.segment_count; ++n, ++next) {
        const Vec3& x = path.shapes[k][next];
        nodes.push_back({rounded(x.x), rounded(x.y), rounded(x.z)});
      }
      rods.push_back(std::move(nodes));
    }
    out.push_back(std::move(rods));
  }
  return out;
}

// Indices of shapes: all, or evenly spread ones, the last among them, where all would be too many.
std::vector<std::size_t> shapes_for_a_page(const Comparison& comparison) {
  const std::size_t shapes = comparison.reference.path.shapes.size(), points = comparison.reference.path.shapes.front().size();
  const std::size_t paths = 1 + comparison.methods.size();
  const std::size_t count =
      std::clamp<std::size_t>(most_points_of_a_page / (points * paths), std::min<std::size_t>(shapes, 2), shapes);
  std::vector<std::size_t> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = count == 1 ? shapes - 1 : i * (shapes - 1) / (count - 1);
  return out;
}

}  // namespace

ordered_json to_json(const Comparison& comparison, const CompareHeading& heading) {
  const Scene& scene = comparison.methods.front().contender.scene;
  const bool at_rest = comparison.sampling.times.empty();
  const Model model(scene);
  ordered_json out{{"format", 1},
                   {"program", program_json()},
                   {"machine", machine_json()},
                   {"scene", {{"path", heading.path}, {"title", scene.title}, {"overrides", heading.overrides}}},
                   {"until", at_rest ? ordered_json(nullptr) : ordered_json(scene.until)},
                   {"dt", scene.dt},
                   {"segments", model.segment_count()},
                   {"length", longest_rod(model)},
                   {"threads", heading.threads},
                   {"interrupted", comparison.interrupted},
                   {"reference", to_json(comparison.reference, scene)},
                   {"methods", ordered_json::array()}};
  for (const Compared& method : comparison.methods) out["methods"].push_back(to_json(method, at_rest));
  return out;
}

ordered_json shapes_json(const Comparison& comparison) {
  const Scene& scene = comparison.methods.front().contender.scene;
  const Model coarse(at_resolution(scene, {comparison.sampling.coarsest, 0}));
  const std::vector<std::size_t> which = shapes_for_a_page(comparison);
  ordered_json out{{"view", scene.output.picture.view}, {"times", ordered_json::array()}, {"rods", ordered_json::array()}};
  if (!comparison.sampling.times.empty())
    for (const std::size_t k : which) out["times"].push_back(comparison.sampling.times[k]);
  for (const RodRange& rod : coarse.rods())
    out["rods"].push_back({{"name", rod.name},
                           {"closed", rod.closed},
                           {"radius", coarse.segments().half_extent[static_cast<std::size_t>(rod.first_segment)].z}});
  out["reference"] = shapes_of(comparison.reference.path, coarse, which);
  out["methods"] = ordered_json::object();
  for (const Compared& method : comparison.methods)
    out["methods"][method.contender.name] = shapes_of(method.scene.path, coarse, which);
  return out;
}

}  // namespace writhe::study
