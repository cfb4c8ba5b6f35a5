#include "timed_steps.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "harness.h"
#include "writhe/writhe.h"

namespace writhe::bench {

namespace {

// Short turns: neighbours that share this core's clock or cache come and go within tenths of a second.
constexpr int readings_a_turn = 20;

class TimedScene {
 public:
  TimedScene(const std::string& name, const Scene& scene, const Timing& timing)
      : m_name(name),
        m_model(scene),
        m_timing(timing),
        m_times(static_cast<std::size_t>(timing.steps / timing.steps_a_reading), std::numeric_limits<double>::infinity()) {}
  void start_run() {
    m_simulation.emplace(m_model, SimulationOptions{.threads = 1});
    m_next = m_times.begin();
  }
  // False at the end of the run.
  bool take_turn() {
    for (int k = 0; k < readings_a_turn && m_next != m_times.end(); ++k, ++m_next) take_reading(*m_next);
    return m_next != m_times.end();
  }
  double microseconds_a_step() const {
    std::vector<double> taken;
    std::copy_if(m_times.begin(), m_times.end(), std::back_inserter(taken), [](double time) { return std::isfinite(time); });
    if (4 * taken.size() < m_times.size())
      throw std::runtime_error(fmt::format("{}: most steps need less than {} iterations", m_name, iterations()));
    return median(taken);
  }

 private:
  void take_reading(double& time) {
    bool full = true;
    const double start = cpu_seconds();
    for (int k = 0; k < m_timing.steps_a_reading; ++k) full = step().iterations == iterations() && full;
    const double seconds = cpu_seconds() - start;
    if (full || !m_timing.only_full) time = std::min(time, 1e6 * seconds / m_timing.steps_a_reading);
  }
  StepReport step() {
    StepReport report = m_simulation->step(m_model.scene().dt);
    if (!report.accepted()) throw std::runtime_error(m_name + ": " + report.cause);
    return report;
  }
  int iterations() const { return m_model.scene().solver.pd.iterations; }

  std::string m_name;
  Model m_model;
  Timing m_timing;
  std::optional<Simulation> m_simulation;
  std::vector<double> m_times;  // us a step, of each reading; infinite where it is left out
  std::vector<double>::iterator m_next;
};

}  // namespace

std::vector<double> time_steps(const std::string& name, const std::vector<Scene>& scenes, const Timing& timing) {
  std::vector<TimedScene> timed;
  timed.reserve(scenes.size());
  for (const Scene& scene : scenes) timed.emplace_back(name, scene, timing);
  for (int k = 0; k < timing.runs; ++k) {
    for (TimedScene& scene : timed) scene.start_run();
    for (bool more = true; more;) {
      more = false;
      for (TimedScene& scene : timed) more = scene.take_turn() || more;
    }
  }
  std::vector<double> out;
  out.reserve(timed.size());
  for (const TimedScene& scene : timed) out.push_back(scene.microseconds_a_step());
  return out;
}

}  // namespace writhe::bench
