#include "writhe/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "simulation/drive.h"
#include "simulation/measure.h"
#include "solvers/solver.h"

namespace writhe {

Simulation::Simulation(Model model, SimulationOptions options)
    : m_model(std::make_unique<Model>(std::move(model))),
      m_state(m_model->initial_state()),
      m_drive(std::make_unique<Drive>(*m_model)),
      m_solver(make_solver(*m_model, options.threads)) {}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

Energies Simulation::energies() const { return measure::energies(*m_model, m_state); }

void Simulation::add_sink(Sink& sink) { m_sinks.push_back(&sink); }

StepReport Simulation::step(double dt) {
  if (!(dt > 0) || !std::isfinite(dt)) throw Error("dt", std::to_string(dt), "a step must be positive and finite");
  return step_to(m_state.time + dt, dt);
}

StepReport Simulation::step_to(double time, double dt) {
  begin();
  const Loading& loading = m_drive->at(*m_model, m_state, time);  // supports and loads at the end of the step
  StepReport report = m_solver->step(m_state, loading, dt);
  report.dt = dt;
  report.time = report.accepted() ? time : m_state.time;
  if (!report.accepted()) return report;
  m_state.time = time;
  report.max_speed = measure::max_speed(m_state);
  for (Sink* sink : m_sinks) sink->write(*m_model, m_state, report);
  return report;
}

void Simulation::begin() {
  if (m_begun) return;
  m_begun = true;
  for (Sink* sink : m_sinks) sink->begin(*m_model, m_state);
}

StepReport Simulation::run(double time, const std::function<bool(const StepReport&)>& go_on) {
  begin();
  const double dt = m_model->scene().dt;
  // Whole steps from where the run starts, so that times do not drift with the sum of many dt.
  const double start = m_state.time;
  const double count = std::ceil((time - start) / dt - 1e-9);
  if (!(count < 1e15)) throw Error("time.until", std::to_string(time), "is too many steps of time.dt away; take longer steps");
  const auto steps = static_cast<long long>(count);
  StepReport report;
  report.time = start;
  for (long long k = 1; k <= steps; ++k) {
    const double end = k == steps ? time : start + static_cast<double>(k) * dt;
    report = step_to(end, end - m_state.time);
    if (!report.accepted() || (go_on && !go_on(report))) break;
  }
  return report;
}

// When the last ramp has ended: before that, a rod at rest may only be waiting.
static double last_change(const Scene& scene) {
  double last = 0;
  const auto look = [&last](const Ramp& ramp) {
    if (!ramp.points.empty()) last = std::max(last, ramp.points.back().first);
  };
  look(scene.gravity_ramp);
  for (const Load& load : scene.loads) look(load.ramp);
  return last;
}

// Long steps damp whatever moves. Two things call for shorter ones: a step that fails, and, in steps long enough for statics,
// motion that does not die down (a follower load, whose direction lags one step behind, can swing to and fro for ever).
StepReport Simulation::settle(const SettleOptions& options, const std::function<bool(const StepReport&)>& go_on) {
  constexpr int patience = 4;
  double dt = m_model->scene().dt, dt_max = options.dt_max;
  const double loads_rest = last_change(m_model->scene());
  double moved_before = std::numeric_limits<double>::infinity();
  std::vector<Vec3> v_before(m_state.v.size());
  int strikes = 0, slow = 0;
  StepReport report;
  for (int k = 0; k < options.max_steps; ++k) {
    report = step(dt);
    if (!report.accepted()) {
      if (dt <= options.dt_min) return report;
      dt = std::max(dt / 4, options.dt_min);
      continue;
    }
    if (go_on && !go_on(report)) return report;
    // slow in two long steps: neither passing a turning point nor about to start
    const bool long_step = dt >= std::min(options.dt_rest, dt_max);
    slow = long_step && report.max_speed < options.speed && m_state.time >= loads_rest ? slow + 1 : 0;
    if (slow == 2) return report;
    const double moved = report.max_speed * dt;  // m
    double along = 0;
    for (std::size_t i = 0; i < v_before.size(); ++i) along += dot(v_before[i], m_state.v[i]);
    strikes = long_step && along < 0 && moved > 0.9 * moved_before ? strikes + 1 : 0;
    moved_before = moved;
    v_before = m_state.v;
    if (strikes == patience) {
      strikes = 0;
      dt_max = std::max(dt / 3, m_model->scene().dt);
    }
    dt = std::min(dt * options.growth, dt_max);
  }
  report.status = StepStatus::not_converged;
  report.rod = report.node = -1;
  report.cause = "the rod still moves after " + std::to_string(options.max_steps) +
                 " steps; add damping, or run to a time with shorter steps (loads that turn with the rod need them)";
  return report;
}

void Simulation::finish() {
  begin();
  for (Sink* sink : m_sinks) sink->end(*m_model, m_state);
}

}  // namespace writhe
