#include "output/sink_summary.h"

#include <algorithm>

#include "assembly/end_forces.h"
#include "base/bytes.h"
#include "measure/measure.h"

namespace writhe::output {

void SummarySink::set_outcome(Outcome outcome, std::string cause) {
  m_outcome = outcome;
  m_cause = std::move(cause);
}

void SummarySink::begin(const Model& model, const State& state) {
  m_begun = std::chrono::steady_clock::now();
  m_totals.energies_start = measure::energies(model, state);
  m_totals.time_start = state.time;
  m_winding_start = winding_json(model, state);
}

std::string SummarySink::bookmark() {
  Totals totals = m_totals;
  totals.wall_seconds = wall_seconds();
  ByteWriter out;
  out.put(totals);
  out.put(m_winding_start.dump());
  return out.bytes();
}

void SummarySink::resume(const Model&, const State&, const std::string& bookmark) {
  m_begun = std::chrono::steady_clock::now();
  ByteReader in(bookmark);
  in.get(m_totals);
  std::string winding;
  in.get(winding);
  m_winding_start = Json::parse(winding, nullptr, false);
  ++m_totals.resumes;
}

double SummarySink::wall_seconds() const {
  return m_totals.wall_seconds + std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begun).count();
}

void SummarySink::write(const Model&, const State&, const StepReport& report) {
  ++m_totals.steps;
  m_totals.iterations += report.iterations;
  if (!report.converged) ++m_totals.unconverged;
  if (report.left_over) m_totals.left_over = std::max(m_totals.left_over, *report.left_over);
  if (report.drift) m_totals.drift = std::max(m_totals.drift, *report.drift);
  // A method without a stopping rule gives no limit.
  if (report.residual_limit > 0)
    m_totals.residual_ratio = std::max(m_totals.residual_ratio, report.residual / report.residual_limit);
}

void SummarySink::end(const Model& model, const State& state) {
  const Scene& scene = model.scene();
  Json summary = summary_head(m_version, scene, m_outcome, m_cause);
  summary["method"] = scene.solver.method;
  summary["dt"] = scene.dt;
  summary["steps"] = m_totals.steps;
  summary["unconverged_steps"] = m_totals.unconverged;
  if (m_totals.drift >= 0) {
    summary["largest_left_over_m"] = m_totals.left_over;
    summary["largest_drift_m"] = m_totals.drift;
  }
  if (m_rest) {
    summary["error_at_rest_m"] = m_rest->metres ? Json(*m_rest->metres) : Json();
    if (!m_rest->cause.empty()) summary["error_at_rest_cause"] = m_rest->cause;
    if (m_rest->metres) summary["unstable_motions"] = m_rest->unstable;
  }
  if (m_passed) summary["pass_through"] = json_of(model, *m_passed);
  summary["time"] = {{"start", m_totals.time_start}, {"end", state.time}, {"simulated", state.time - m_totals.time_start}};
  summary["wall_seconds"] = wall_seconds();
  if (m_stages) StageTimes::visit([&](const char* name, double s) { summary["stages"][name] = s; }, *m_stages);
  summary["resumes"] = m_totals.resumes;
  const auto steps = static_cast<double>(std::max<std::int64_t>(m_totals.steps, 1));
  summary["iterations"] = {{"total", m_totals.iterations}, {"mean", static_cast<double>(m_totals.iterations) / steps}};
  summary["largest_residual_ratio"] = m_totals.residual_ratio;
  if (!model.supports().empty()) {
    assembly::EndForces forces(model);
    forces.update(state);
    summary["reactions"] = json_of(model, state, forces.reactions());
  }
  m_overlaps = contact::ignored_overlaps(model, state);
  add_end_state(model, state, {m_totals.energies_start, measure::energies(model, state), m_winding_start, m_overlaps}, summary);
  write_summary(m_path, std::move(summary));
}

}  // namespace writhe::output
