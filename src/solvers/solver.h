// What every method is to the simulation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.h"
#include "base/stop.h"
#include "loads/loading.h"
#include "solvers/features.h"
#include "solvers/stage_watch.h"
#include "terms/terms.h"
#include "writhe/model.h"
#include "writhe/state.h"
#include "writhe/step_report.h"

namespace writhe {

class Solver {
 public:
  virtual ~Solver() = default;
  // One step of dt; the integrator is one of SolverInfo::integrators. What is prescribed may be left as it was: the simulation
  // puts it where it belongs. On failure the state is left as it was and the report says why.
  virtual StepReport step(State& state, const Loading& loading, double dt, Integrator integrator) = 0;
  StepReport step(State& state, const Loading& loading, double dt) { return step(state, loading, dt, Integrator::euler); }

  // A method may hold what moves in a layout of its own from step to step, and leave the state behind in x, v, q, w and memory of
  // what is free. What is prescribed (fixed coordinates, frames of clamps, closings) stays in the state: `step` writes the fixed
  // coordinates there as any method does, the simulation the frames and closings, and `fill` leaves all of it alone. Such a
  // method sees to what is looked at after every step: no value that is not finite, and StepReport::max_speed; and where a step
  // fails, what it holds is what it was.
  virtual bool holds_state() const { return false; }
  // Brings the state up to date; before anybody reads it.
  virtual void fill(State& /*state*/) const {}
  // The state is no longer what was held (it was resumed, stopped, taken back): the next step starts from this.
  virtual void take(const State& /*state*/) {}

  // Whether a step may be accepted before it has converged, because its cost is bounded.
  virtual bool is_bounded() const { return false; }

  // Told the time at the ends of its stages: StageTimes::coupling, solve and update.
  void set_watch(StageWatch& watch) { m_watch = &watch; }

  // A step ends in the middle, with StepStatus::stopped, where this wants it; it stays as long as the method. One that does not
  // listen ends its steps as always.
  virtual void listen(const Stop& /*stop*/) {}

  // What the method carries from step to step besides the State, for checkpoints: bytes of its own, of the same model.
  virtual std::string save() const { return {}; }
  // Throws Error when the bytes are not its own.
  virtual void restore(const std::string& /*bytes*/) {}

 protected:
  StageWatch& watch() { return *m_watch; }

 private:
  StageWatch m_off;
  StageWatch* m_watch = &m_off;
};

// A property of the contract suite (tests/contract) that a method does not have, and why.
struct Exemption {
  std::string property;
  std::string reason;
};

struct IntegratorInfo {
  Integrator kind = Integrator::euler;
  int order = 1;                        // in time
  bool keeps_angular_momentum = false;  // to the tolerance of the solver; otherwise to its order
};

// A method with settings of its own that are not the usual ones, as the contract suite takes it: a row of its own.
struct SolverVariant {
  std::string name;          // the suite appends it to that of the method
  std::string field, value;  // what selects it: `solver.pd.weights`, `published`
  std::string title;         // what it is
  SolverSettings settings;   // the same as `field` and `value`; method, tolerance and iterations are not part of it
  std::function<bool(const SolverSettings&)> chosen;  // by these settings, whatever they say besides
  Features features;
  std::vector<Exemption> exemptions{};  // besides those of the method
};

// One row of the table of methods (`writhe solvers`, README).
struct SolverInfo {
  std::string name;
  std::string title;
  std::string source;      // paper
  std::string integrator;  // and its order in time
  int order = 1;           // the same, as a number; of the first of `integrators`
  std::vector<IntegratorInfo> integrators{{}};
  Features features{};
  std::string notes;
  // Of the length: how far the result of a scene that is moved, turned or mirrored may differ from the result moved likewise.
  double symmetry_tolerance = 1e-8;
  std::vector<Exemption> exemptions;
  std::vector<SolverVariant> variants{};
};

const std::vector<SolverInfo>& solver_table();
// Throws Error when the method does not exist, or with everything that the model needs and the method has not got. The model has
// to stay where it is.
std::unique_ptr<Solver> make_solver(const Model& model, const Threads& threads);
// What becomes of moments and follower forces with the method and the settings of a scene: Drive has to know.
Followers followers_of(const Scene& scene);
// All terms that steps with the method and the settings of a scene have.
std::shared_ptr<Terms> step_terms_of(const Model& model);
// With these terms instead of those that the scene asks for.
std::unique_ptr<Solver> make_solver(const Model& model, const Threads& threads, std::shared_ptr<Terms> terms);

}  // namespace writhe
