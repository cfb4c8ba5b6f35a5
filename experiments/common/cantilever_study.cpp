#include "cantilever_study.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "embedded_scene.h"
#include "illustrate.h"
#include "rest_study.h"
#include "study/convergence.h"

namespace writhe::experiments {

TipReference tip_reference(const std::string& embedded_json, const std::string& entry) {
  const auto json = embedded_reference(embedded_json).at(entry);
  return {json.at("length_m").get<double>(), json.at("tip_x").get<double>(), json.at("tip_z").get<double>()};
}

std::string line_of_length(double length) { return fmt::format("rods.rod.centreline.line.to=[{}, 0, 0]", length); }

Vec3 tip_of(const Simulation& simulation) {
  const Model& model = simulation.model();
  const RodRange& rod = model.rods().front();
  const std::vector<Vec3>& x = simulation.state().x;
  return (x[model.node_of(0, rod.segment_count)] - x[model.node_of(0, 0)]) / rod.length;
}

double MeshStudy::order_of_three_finest() const {
  const std::vector<double> resolutions(segments.begin(), segments.end());
  return study::convergence_order(std::span(resolutions).last(3), std::span(errors).last(3));
}

double MeshStudy::largest_out_of_plane() const {
  double largest = 0;
  for (const Vec3& tip : tips) largest = std::max(largest, std::abs(tip.y));
  return largest;
}

MeshStudy refine_cantilever(const std::string& scene_file, const Overrides& overrides, const TipReference& reference,
                            const std::vector<int>& segments, const study::Context& context) {
  MeshStudy out;
  for (const int count : segments) {
    context.progress(fmt::format("length {:.4g} m, {} segments", reference.length, count));
    std::vector<std::string> all = overrides ? overrides(count) : std::vector<std::string>{};
    all.push_back(fmt::format("rods.rod.segments={}", count));
    all.push_back(line_of_length(reference.length));
    const Vec3 tip = tip_of(out.finest.emplace(settled(scene_file, all)));
    out.segments.push_back(count);
    out.tips.push_back(tip);
    out.errors.push_back(std::hypot(tip.x - reference.tip_x, tip.z - reference.tip_z));
  }
  return out;
}

void measure_tips(study::Result& result, const MeshStudy& mesh_study, const std::string& label) {
  for (std::size_t i = 0; i < mesh_study.tips.size(); ++i) {
    result.measure(fmt::format("tip_x_{}_n{}", label, mesh_study.segments[i]), mesh_study.tips[i].x);
    result.measure(fmt::format("tip_z_{}_n{}", label, mesh_study.segments[i]), mesh_study.tips[i].z);
  }
  result.measure("order_" + label, mesh_study.order_of_three_finest());
}

void plot_cantilevers(study::Result& result, const std::vector<Cantilever>& rods) {
  std::vector<study::Series> shapes, errors;
  Points tips;
  for (const auto& [name, reference, mesh_study] : rods) {
    shapes.push_back(line(name, shape_xz(mesh_study.finest->state().x, reference.length)));
    errors.push_back(over_meshes(name, mesh_study.segments, mesh_study.errors));
    tips.emplace_back(reference.tip_x, reference.tip_z);
  }
  shapes.push_back(marks("tip, boundary value problem", std::move(tips)));
  result.plots.push_back({.title = fmt::format("At rest, {} segments", rods.front().mesh_study.segments.back()),
                          .x = {"x / length"},
                          .y = {"z / length"},
                          .series = std::move(shapes),
                          .equal = true});
  result.plots.push_back(error_plot("Convergence of the tip", "distance from the reference / length", std::move(errors), 2));
}

}  // namespace writhe::experiments
