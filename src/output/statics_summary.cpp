#include "output/statics_summary.h"

#include <cmath>
#include <utility>

#include "measure/measure.h"

namespace writhe::output {

namespace {

Json crossings_json(const std::vector<Crossing>& crossings) {
  Json out = Json::array();
  for (const Crossing& c : crossings)
    out.push_back(
        {{"load", c.load}, {"time", c.time}, {"width", c.width}, {"negative_before", c.before}, {"negative_after", c.after}});
  return out;
}

Json modes_json(const std::vector<Mode>& modes) {
  Json out = Json::array();
  for (const Mode& mode : modes) {
    Json one = {{"eigenvalue", mode.eigenvalue}, {"frequency", mode.frequency}};
    if (mode.frequency > 0) one["period"] = 1 / mode.frequency;
    if (mode.growth != 0) one["growth_rate"] = mode.growth;
    out.push_back(std::move(one));
  }
  return out;
}

Json statics_json(const Model& model, const State& state, const StaticResult& result) {
  const StaticReport& report = result.report;
  Json out = {{"status", text_of(report.status)}, {"load", report.load}, {"time", report.time}};
  if (result.stability) {
    out["balance"] = text_of(result.stability->balance);
    out["negative"] = result.stability->negative;
    out["neutral"] = result.stability->neutral;
    if (result.stability->examined > 0) out["examined"] = result.stability->examined;
    if (result.fastest) out["growth_rate"] = result.fastest->growth;
    if (result.fastest && result.fastest->frequency > 0) out["flutter_frequency"] = result.fastest->frequency;
  }
  out["points"] = report.points;
  out["iterations"] = report.iterations;
  out["residual"] = report.residual;
  out["residual_limit"] = report.residual_limit;
  out["perturbed"] = report.perturbed;
  out["jumps"] = report.jumps;
  out["crossings"] = crossings_json(report.crossings);
  out["reactions"] = json_of(model, state, result.reactions);
  out["modes"] = modes_json(result.modes);
  if (!result.modes_cause.empty()) out["modes_cause"] = result.modes_cause;
  return out;
}

}  // namespace

std::string_view text_of(StaticStatus status) {
  switch (status) {
    case StaticStatus::converged:
      return "converged";
    case StaticStatus::interrupted:
      return "interrupted";
    case StaticStatus::mechanism:
      return "mechanism";
    case StaticStatus::limit_point:
      return "limit_point";
    case StaticStatus::not_converged:
      return "not_converged";
    default:
      return "not_finite";
  }
}

std::string_view text_of(Balance balance) {
  switch (balance) {
    case Balance::stable:
      return "stable";
    case Balance::neutral:
      return "neutral";
    case Balance::undetermined:
      return "undetermined";
    default:
      return "unstable";
  }
}

Outcome outcome_of(StaticStatus status) {
  if (status == StaticStatus::converged) return Outcome::finished;
  return status == StaticStatus::interrupted ? Outcome::interrupted : Outcome::failed;
}

void write_static_summary(const std::filesystem::path& path, const std::string& version, const std::string& cause,
                          const Model& model, const State& state, const StaticResult& result) {
  Json summary = summary_head(version, model.scene(), outcome_of(result.report.status), cause);
  summary["method"] = "statics";
  summary["wall_seconds"] = result.wall_seconds;
  summary["statics"] = statics_json(model, state, result);
  add_end_state(model, state, {measure::energies(model, model.initial_state()), result.energies, {}, result.overlaps}, summary);
  write_summary(path, std::move(summary));
}

}  // namespace writhe::output
