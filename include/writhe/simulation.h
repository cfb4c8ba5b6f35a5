// The loop: supports and loads at the new time, one step of the solver, recording.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "writhe/model.h"
#include "writhe/reaction.h"
#include "writhe/state.h"
#include "writhe/step_report.h"

namespace writhe {

class Solver;
class Drive;
class Settling;
class StepClock;
class StepError;
class Correction;
class LeftOver;
struct Loading;
class Threads;
class Stop;
class StageWatch;

// Receives the initial state and every accepted step. Implementations live in src/output.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void begin(const Model& model, const State& state) = 0;
  // The state is up to date only where `reads` said so.
  virtual void write(const Model& model, const State& state, const StepReport& report) = 0;
  // Whether the state after this step is looked at: a method that holds it in a layout of its own need not bring it up to date
  // otherwise.
  virtual bool reads(const StepReport& /*report*/) const { return true; }
  virtual void end(const Model& model, const State& state) = 0;

  // For checkpoints. A sink without a name begins anew in a run that is resumed.
  virtual std::string name() const { return {}; }
  // Brings its files up to date and says what it needs to go on from here: bytes of its own.
  virtual std::string bookmark() { return {}; }
  // Instead of begin(): goes on from the bookmark and takes back what was written after it. Throws Error when the files do not
  // hold what the bookmark says. An empty one: the run had no such sink, so there should be no files of it.
  virtual void resume(const Model& model, const State& state, const std::string& /*bookmark*/) { begin(model, state); }
};

struct SimulationOptions {
  int threads = 0;       // 0: all cores. The result does not depend on it
  bool timings = false;  // StepReport::stages are measured
};

// How to come to rest: steps that grow, so that implicit Euler damps what moves.
struct SettleOptions {
  double speed = 1e-9;   // m/s: at rest below this
  double growth = 1.5;   // of the step, each time one is accepted
  double dt_min = 1e-5;  // s: a failing step is not shortened below this
  double dt_rest =
      1.0;  // s: at rest when slow in two such steps, or for eight times as long; before, it may only be starting to move
  double dt_max = 1e3;  // s
  int max_steps = 2000;
  double error = 1e-5;  // of the length of the rod: not at rest where the equilibrium is farther away (RestError::part)
};

// How far a state is from the equilibrium of its loads: by a step of Newton's method there.
struct RestError {
  std::optional<double> metres;  // largest displacement of a node; none where it cannot be told, and `cause` says why
  double part = 0;               // the same over the length of the shortest rod at the node, at most
  double known_to = 0;           // m: what rounding errors of forces make of it, about
  int rod = -1, node = -1;       // where `part` is largest
  int unstable = 0;              // motions that grow from that equilibrium; not counted where loads have no potential
  std::string cause;
};

class Simulation {
 public:
  // Throws Error when the method does not exist or does not support the scene.
  explicit Simulation(Model model, SimulationOptions options = {});
  // With a method of one's own (src/solvers/solver.h) instead of the one the scene names, made of the model where it stays.
  using MakeSolver = std::function<std::unique_ptr<Solver>(const Model&, const Threads&)>;
  Simulation(Model model, const MakeSolver& make_solver, SimulationOptions options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;

  const Model& model() const { return *m_model; }
  // Brought up to date here, if the method holds it in a layout of its own: by one thread at a time.
  const State& state() const { return filled(); }
  Energies energies() const;
  // What each support exerts on its rod in this state, inertia and damping included; docs/outputs.md says what exactly.
  std::vector<Reaction> reactions() const;

  void add_sink(Sink& sink);  // not owned; call before the first step

  // From now on a step ends in the middle, as a failed one with StepStatus::stopped, and run() and settle() with it, where
  // `wanted` is true; any thread that computes asks it, often. What is run or settled again goes on with the same bits.
  void stop_when(std::function<bool()> wanted);
  // One step. On failure the state is the one before the step.
  StepReport step(double dt);
  // Steps of the scene's dt until `time`; stops early when `go_on` returns false or a step fails (with Scene::adaptive, fails in
  // its shortest part too). With Scene::step_tolerance a step that errs by more fails. Returns the last report.
  StepReport run(double time, const std::function<bool(const StepReport&)>& go_on = {});
  // Steps until every node is slower than options.speed. `status` is not_converged when that takes too long. Always with implicit
  // Euler, which damps: Integrator::midpoint would never come to rest.
  StepReport settle(const SettleOptions& options = {}, const std::function<bool(const StepReport&)>& go_on = {});
  // Of the present state. Costs about as much as a step of `newton`.
  RestError error_at_rest();
  // The last settle() came to rest, and no step followed.
  bool at_rest() const;
  // Tells the sinks that no more steps follow; call it once, after the last step and the last checkpoint.
  void finish();

  // What a run needs to go on with the same bits, as the bytes of a file. Brings the files of the sinks up to date first; before
  // the first step, when they have not begun, a run that goes on from it begins them.
  std::string checkpoint();
  // Goes on from a checkpoint of the same scene; before the first step. Time step, method and outputs
  // may have changed. With `continue_files` the sinks go on in the files of that run; without, they begin anew. Throws Error when
  // the bytes are damaged or belong to another scene. `name`: of the file, for the message.
  void restore(const std::string& bytes, const std::string& name, bool continue_files = true);

 private:
  void begin();
  State& filled() const;
  bool takes_half(StepReport& report);
  bool may_be_undone() const;
  void keep_start();
  void take_back();
  void resume(Sink& sink, const std::string& bookmark);
  struct StepRules;
  StepReport step_to(double time, double dt, const StepRules& rules);
  StepReport advance(double time, double dt, const StepRules& rules);
  void tell_left_over(double dt, const StepRules& rules, StepReport& report);
  Correction& correction();
  const Loading& loading_at_rest(const State& state);
  bool balances(const SettleOptions& options);
  bool lead_to_balance(double part);

  std::unique_ptr<Model> m_model;
  mutable State m_state;  // of x, v, q, w what the method does not hold: see filled()
  std::unique_ptr<Threads> m_threads;
  std::unique_ptr<StageWatch> m_watch;
  std::unique_ptr<Stop> m_stop;
  std::unique_ptr<Drive> m_drive;
  std::unique_ptr<Solver> m_solver;
  std::vector<Sink*> m_sinks;
  State m_before;  // the step, where it may be undone
  std::unique_ptr<StepClock> m_clock;
  std::unique_ptr<StepError> m_error;
  std::unique_ptr<LeftOver> m_left_over;
  bool m_knows_forces = false;                                   // all that acts on the rods, so that a Correction can tell
  std::unique_ptr<Correction> m_correction;                      // once it is wanted
  const Loading* m_loading = nullptr;                            // of the step
  std::unique_ptr<Settling> m_settling;                          // while settle() is on its way
  std::vector<std::pair<std::string, std::string>> m_bookmarks;  // of sinks that go on, by name
  bool m_begun = false;
};

}  // namespace writhe
