#include "cantilever_study.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/embedded.h"
#include "embedded_scene.h"
#include "study/convergence.h"
#include "writhe/simulation.h"

namespace writhe::experiments {

TipReference tip_reference(const std::string& embedded_json, const std::string& entry) {
  const auto json = nlohmann::json::parse(embedded_file(embedded_json)).at(entry);
  return {json.at("length_m").get<double>(), json.at("tip_x").get<double>(), json.at("tip_z").get<double>()};
}

std::string line_of_length(double length) { return fmt::format("rods.rod.centreline.line.to=[{}, 0, 0]", length); }

Vec3 settled_tip(const std::string& scene_file, const std::vector<std::string>& overrides) {
  Simulation simulation(Model(embedded_scene(scene_file, overrides)));
  const StepReport report = simulation.settle();
  if (!report.accepted()) throw std::runtime_error(fmt::format("the rod did not come to rest: {}", report.cause));
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
    const Vec3 tip = settled_tip(scene_file, all);
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

}  // namespace writhe::experiments
