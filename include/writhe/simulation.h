// The loop: supports and loads at the new time, one step of the solver, recording.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "writhe/model.h"
#include "writhe/state.h"
#include "writhe/step_report.h"

namespace writhe {

class Solver;
class Drive;

// Receives the initial state and every accepted step. Implementations live in src/io.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void begin(const Model& model, const State& state) = 0;
  virtual void write(const Model& model, const State& state, const StepReport& report) = 0;
  virtual void end(const Model& model, const State& state) = 0;
};

struct SimulationOptions {
  int threads = 0;  // 0: all cores. The result does not depend on it
};

// How to come to rest: steps that grow, so that implicit Euler damps what moves.
struct SettleOptions {
  double speed = 1e-9;   // m/s: at rest below this
  double growth = 1.5;   // of the step, each time one is accepted
  double dt_min = 1e-5;  // s: a failing step is not shortened below this
  double dt_rest = 1.0;  // s: a rod that is slow in shorter steps may only be starting to move
  double dt_max = 1e3;   // s
  int max_steps = 2000;
};

class Simulation {
 public:
  // Throws Error when the method does not exist or does not support the scene.
  explicit Simulation(Model model, SimulationOptions options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;

  const Model& model() const { return *m_model; }
  const State& state() const { return m_state; }
  Energies energies() const;

  void add_sink(Sink& sink);  // not owned; call before the first step

  // One step. On failure the state is the one before the step.
  StepReport step(double dt);
  // Steps of the scene's dt until `time`; stops early when `go_on` returns false or a step fails. Returns the last report.
  StepReport run(double time, const std::function<bool(const StepReport&)>& go_on = {});
  // Steps until every node is slower than options.speed. `status` is not_converged when that takes too long.
  StepReport settle(const SettleOptions& options = {}, const std::function<bool(const StepReport&)>& go_on = {});
  // Tells the sinks that no more steps follow; call it once, after the last step.
  void finish();

 private:
  void begin();
  StepReport step_to(double time, double dt);

  std::unique_ptr<Model> m_model;
  State m_state;
  std::unique_ptr<Drive> m_drive;
  std::unique_ptr<Solver> m_solver;
  std::vector<Sink*> m_sinks;
  bool m_begun = false;
};

}  // namespace writhe
