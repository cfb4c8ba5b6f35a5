#include "io/sink_summary.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "io/sink_columns.h"
#include "io/sink_file.h"
#include "simulation/checkpoint.h"
#include "simulation/measure.h"

namespace writhe::io {

namespace {

using Json = nlohmann::ordered_json;

const char* text_of(SummarySink::Outcome outcome) {
  switch (outcome) {
    case SummarySink::Outcome::interrupted:
      return "interrupted";
    case SummarySink::Outcome::failed:
      return "failed";
    default:
      return "finished";
  }
}

Json json_of(const Vec3& v) { return {v.x, v.y, v.z}; }

Json json_of(const Energies& e) {
  return {{"kinetic", e.kinetic},
          {"stretch_shear", e.stretch_shear},
          {"bend_twist", e.bend_twist},
          {"gravity", e.gravity},
          {"total", e.total()}};
}

Json rods_json(const Model& model, const State& state) {
  Json out = Json::array();
  for (const RodRange& rod : model.rods()) {
    const Vec3 start = state.x[model.segments().node0[rod.first_segment]];
    const Vec3 end = state.x[model.segments().node1[rod.first_segment + rod.segment_count - 1]];
    out.push_back({{"name", rod.name},
                   {"segments", rod.segment_count},
                   {"closed", rod.closed},
                   {"rest_length", rod.length},
                   {"mass", rod.mass},
                   {"end_to_end", norm(end - start)},
                   {"start", json_of(start)},
                   {"end", json_of(end)}});
  }
  return out;
}

Json probes_json(const Model& model, const State& state) {
  const ProbeColumns probes(model);
  std::vector<double> values;
  probes.append(model, state, values);
  Json out = Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Column& column = probes.columns()[i];
    out[column.probe][column.quantity] = values[i];
  }
  return out;
}

// Takes out every number that JSON cannot hold and notes its path.
void remove_not_finite(Json& json, const std::string& path, Json& omitted) {
  const auto bad = [](const Json& item) { return item.is_number_float() && !std::isfinite(item.get<double>()); };
  if (json.is_object()) {
    for (auto it = json.begin(); it != json.end();) {
      const std::string key = path.empty() ? it.key() : path + "." + it.key();
      if (bad(it.value())) {
        omitted.push_back(key + ": not finite");
        it = json.erase(it);
      } else {
        remove_not_finite(it.value(), key, omitted);
        ++it;
      }
    }
  } else if (json.is_array()) {
    if (std::any_of(json.begin(), json.end(), bad)) {
      omitted.push_back(path + ": not finite");
      json = Json::array();
      return;
    }
    for (std::size_t i = 0; i < json.size(); ++i) remove_not_finite(json[i], path + "[" + std::to_string(i) + "]", omitted);
  }
}

}  // namespace

void SummarySink::set_outcome(Outcome outcome, std::string cause) {
  m_outcome = outcome;
  m_cause = std::move(cause);
}

void SummarySink::begin(const Model& model, const State& state) {
  m_begun = std::chrono::steady_clock::now();
  m_totals.energies_start = measure::energies(model, state);
  m_totals.time_start = state.time;
}

std::string SummarySink::bookmark() {
  Totals totals = m_totals;
  totals.wall_seconds = wall_seconds();
  ByteWriter out;
  out.put(totals);
  return out.bytes();
}

void SummarySink::resume(const Model&, const State&, const std::string& bookmark) {
  m_begun = std::chrono::steady_clock::now();
  ByteReader(bookmark).get(m_totals);
  ++m_totals.resumes;
}

double SummarySink::wall_seconds() const {
  return m_totals.wall_seconds + std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begun).count();
}

void SummarySink::write(const Model&, const State&, const StepReport& report) {
  ++m_totals.steps;
  m_totals.iterations += report.iterations;
  // A method without a stopping rule gives no limit.
  if (report.residual_limit > 0)
    m_totals.residual_ratio = std::max(m_totals.residual_ratio, report.residual / report.residual_limit);
}

void SummarySink::end(const Model& model, const State& state) {
  const Scene& scene = model.scene();

  Json summary = {{"writhe", m_version}, {"title", scene.title}, {"outcome", text_of(m_outcome)}};
  if (!m_cause.empty()) summary["cause"] = m_cause;
  summary["method"] = scene.solver.method;
  summary["dt"] = scene.dt;
  summary["steps"] = m_totals.steps;
  summary["time"] = {{"start", m_totals.time_start}, {"end", state.time}, {"simulated", state.time - m_totals.time_start}};
  summary["wall_seconds"] = wall_seconds();
  summary["resumes"] = m_totals.resumes;
  const auto steps = static_cast<double>(std::max<std::int64_t>(m_totals.steps, 1));
  summary["iterations"] = {{"total", m_totals.iterations}, {"mean", static_cast<double>(m_totals.iterations) / steps}};
  summary["largest_residual_ratio"] = m_totals.residual_ratio;
  summary["state_hash"] = fmt::format("{:016x}", state_hash(state));
  summary["energies"] = {{"start", json_of(m_totals.energies_start)}, {"end", json_of(measure::energies(model, state))}};
  summary["rods"] = rods_json(model, state);
  summary["probes"] = probes_json(model, state);

  Json omitted = Json::array();
  remove_not_finite(summary, "", omitted);
  if (!omitted.empty()) summary["omitted"] = omitted;
  // A title in a broken encoding must not cost the results: replaced, not refused.
  write_file(m_path, summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace writhe::io
