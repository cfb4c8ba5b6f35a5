#include "writhe/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "assembly/end_forces.h"
#include "base/copy.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "contact/bad_start.h"
#include "contact/thinning.h"
#include "loads/drive.h"
#include "measure/measure.h"
#include "model/extent.h"
#include "model/motion.h"
#include "model/scene_digest.h"
#include "simulation/checkpoint.h"
#include "simulation/correction.h"
#include "simulation/left_over.h"
#include "simulation/settling.h"
#include "simulation/step_clock.h"
#include "simulation/step_error.h"
#include "solvers/solver.h"
#include "solvers/stage_watch.h"

namespace writhe {

namespace {

// Whatever a method did: no value that is not a number gets further than this.
void refuse_not_finite(const Model& model, const State& state, const Threads& threads, StepReport& report) {
  const std::optional<measure::Spoilt> spoilt = measure::first_not_finite(model, state, threads);
  if (!spoilt) return;
  report.status = StepStatus::not_finite;
  report.rod = spoilt->rod;
  report.node = spoilt->node;
  report.cause = "the method gave a value that is not finite; take a smaller time.dt, or look for a load or a size out of range";
}

void refuse_inaccurate(const Model& model, int node, double tolerance, StepReport& report) {
  report.status = StepStatus::not_converged;
  const AlongRod at = along_rod(model, node);
  report.rod = at.rod;
  report.node = at.number;
  report.cause = fmt::format(
      "the step errs by {:.2g} of the rod's length, and time.tolerance is {:.2g}; take a larger time.tolerance, or a smaller "
      "time.dt",
      report.error, tolerance);
}

}  // namespace

// How a step is taken and when it is kept.
struct Simulation::StepRules {
  Integrator integrator;
  bool refuses_errors;      // beyond Scene::step_tolerance
  bool tells_left = false;  // StepReport::left_over
  bool is_last = false;     // no step follows
};

Simulation::Simulation(Model model, SimulationOptions options)
    : Simulation(
          std::move(model), [](const Model& own, const Threads& threads) { return writhe::make_solver(own, threads); }, options) {
  m_knows_forces = Correction::applies(m_model->scene());
}

Simulation::Simulation(Model model, const MakeSolver& make_solver, SimulationOptions options)
    : m_model(std::make_unique<Model>(std::move(model))),
      m_state(m_model->initial_state()),
      m_threads(std::make_unique<Threads>(options.threads)),
      m_watch(std::make_unique<StageWatch>()),
      m_stop(std::make_unique<Stop>()),
      m_drive(std::make_unique<Drive>(*m_model, *m_threads, followers_of(m_model->scene()))),
      m_solver(make_solver(*m_model, *m_threads)),
      m_clock(std::make_unique<StepClock>()),
      m_error(std::make_unique<StepError>()),
      m_left_over(std::make_unique<LeftOver>()) {
  if (options.timings) m_watch->turn_on();
  m_solver->set_watch(*m_watch);
  m_solver->listen(*m_stop);
  contact::refuse_bad_start(*m_model, m_state, m_model->scene().until);
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

State& Simulation::filled() const {
  m_solver->fill(m_state);
  return m_state;
}

Energies Simulation::energies() const { return measure::energies(*m_model, filled()); }

std::vector<Reaction> Simulation::reactions() const {
  assembly::EndForces forces(*m_model);
  forces.update(filled());
  return forces.reactions();
}

void Simulation::stop_when(std::function<bool()> wanted) { m_stop->when(std::move(wanted)); }

void Simulation::add_sink(Sink& sink) { m_sinks.push_back(&sink); }

// ---- steps ---------------------------------------------------------------------------------------------------------
StepReport Simulation::step(double dt) {
  if (!(dt > 0) || !std::isfinite(dt)) throw Error("dt", std::to_string(dt), "a step must be positive and finite");
  m_settling.reset();
  return step_to(m_state.time + dt, dt, {m_model->scene().solver.integrator, false});
}

// Spoils m_state when it fails, unless the method holds it.
StepReport Simulation::advance(double time, double dt, const StepRules& rules) {
  StepReport report = m_drive->check_turns(*m_model, m_state, time);
  if (!report.accepted()) return report;
  const State& start = m_drive->reads_motion() ? filled() : m_state;
  const Loading& loading = m_drive->of_step(*m_model, start, time, rules.integrator);
  m_loading = &loading;
  m_watch->lap(&StageTimes::loads);
  report = m_solver->step(m_state, loading, dt, rules.integrator);
  if (!report.accepted()) return report;
  m_drive->place(*m_model, m_state, time, dt, rules.integrator);
  m_state.time = time;
  m_watch->lap(&StageTimes::update);
  if (!m_solver->holds_state()) refuse_not_finite(*m_model, m_state, *m_threads, report);
  const std::optional<double> tolerance = m_model->scene().step_tolerance;
  if (!report.accepted() || !tolerance) return report;
  const StepError::Estimate estimate = m_error->of(*m_model, m_before, filled(), dt, rules.integrator);
  report.error = estimate.error;
  if (rules.refuses_errors && !(estimate.error <= *tolerance)) refuse_inaccurate(*m_model, estimate.node, *tolerance, report);
  if (report.accepted()) m_error->remember(m_before, m_state, dt);
  return report;
}

StepReport Simulation::step_to(double time, double dt, const StepRules& rules) {
  begin();
  m_watch->start();
  keep_start();
  const bool choosy = rules.refuses_errors && m_model->scene().step_tolerance;
  const std::string memory = choosy ? m_solver->save() : std::string();  // a step that is refused has been taken by the solver
  m_watch->lap(&StageTimes::update);
  StepReport report = advance(time, dt, rules);
  m_watch->lap(&StageTimes::checks);
  if (!report.accepted()) take_back();
  if (!report.accepted() && choosy) m_solver->restore(memory);
  report.dt = dt;
  report.time = m_state.time;
  report.stages = m_watch->times();
  if (!report.accepted()) return report;
  if (!m_solver->holds_state()) report.max_speed = measure::max_speed(m_state, *m_threads);
  if (rules.tells_left && may_be_undone()) tell_left_over(dt, rules, report);
  m_watch->lap(&StageTimes::checks);
  for (Sink* sink : m_sinks) sink->write(*m_model, sink->reads(report) ? filled() : m_state, report);
  m_watch->lap(&StageTimes::outputs);
  report.stages = m_watch->times();
  m_watch->clear();
  return report;
}

// What a method holds it leaves as it was where a step fails; but a step that has been taken may still err by too much.
bool Simulation::may_be_undone() const { return !m_solver->holds_state() || m_model->scene().step_tolerance; }

void Simulation::keep_start() {
  if (!may_be_undone()) return;
  State::visit([this](const auto& from, auto& to) { copy(from, to, *m_threads); }, filled(), m_before);
}

void Simulation::take_back() {
  if (!may_be_undone()) return;
  m_state = m_before;
  m_solver->take(m_state);
}

void Simulation::begin() {
  if (m_begun) return;
  m_begun = true;
  for (Sink* sink : m_sinks) {
    const std::string name = sink->name();
    const auto own = std::find_if(m_bookmarks.begin(), m_bookmarks.end(), [&](const auto& mark) { return mark.first == name; });
    if (name.empty() || m_bookmarks.empty())
      sink->begin(*m_model, filled());
    else
      resume(*sink, own == m_bookmarks.end() ? "" : own->second);
  }
}

void Simulation::resume(Sink& sink, const std::string& bookmark) {
  try {
    sink.resume(*m_model, filled(), bookmark);
  } catch (const std::out_of_range&) {
    throw Error("--resume", sink.name(), "this part of the checkpoint is damaged; resume into another folder with --out");
  }
}

void Simulation::finish() {
  begin();
  for (Sink* sink : m_sinks) sink->end(*m_model, filled());
}

StepReport Simulation::run(double time, const std::function<bool(const StepReport&)>& go_on) {
  begin();
  m_settling.reset();
  const double dt = m_model->scene().dt;
  const Integrator integrator = m_model->scene().solver.integrator;
  const std::optional<double> tolerance = m_model->scene().step_tolerance;
  if (!((time - m_state.time) / dt < 1e15))
    throw Error("time.until", std::to_string(time), "is too many steps of time.dt away; take longer steps");
  const bool tells_left = m_solver->is_bounded() && m_knows_forces;
  StepReport report;
  report.time = m_state.time;
  while (time - m_state.time > StepClock::negligible(dt, time)) {
    m_clock->aim(m_state.time, dt, time);
    const double next = m_clock->next();
    if (!(next > m_state.time))
      throw Error("time.dt", std::to_string(dt), "is too short for times as late as this to differ; take a longer step");
    const bool is_last = !(time - next > StepClock::negligible(dt, time));
    report = step_to(next, m_clock->step(), {integrator, true, tells_left, is_last});
    if (report.accepted()) {
      m_clock->done(!tolerance || StepError::allows_longer(report.error, *tolerance, integrator));
      if (go_on && !go_on(report)) break;
    } else if (!takes_half(report)) {
      break;
    }
  }
  return report;
}

// Steps that are halved though nobody asked for it may make a run longer, but not without end.
bool Simulation::takes_half(StepReport& report) {
  const Scene& scene = m_model->scene();
  if (report.status == StepStatus::stopped) return false;
  if (scene.halves_steps()) return m_clock->halve();
  if (!report.shorter_helps || !scene.adaptive.value_or(true)) return false;
  if (!m_clock->is_laborious()) return m_clock->halve();
  report.cause += fmt::format(
      "; shorter steps have made the run {:.0f} times as long as time.dt asks for: only time.adaptive: true lets them go on",
      m_clock->shorter_for_one());
  return false;
}

namespace {

std::string why_not_balanced(const RestError& error) {
  return fmt::format(
      "hardly anything moves any more, but the forces do not balance: the equilibrium is about {:.2g} m away{}; take a smaller "
      "solver.tolerance, with pd more solver.pd.iterations, or writhe solve",
      *error.metres, error.unstable > 0 ? ", and not a stable one" : "");
}

struct StepCounts {
  int all, unconverged;
};

std::string why_not_settled(const Settling& settling, const StepCounts& steps, const SettleOptions& options, double last_change,
                            double now) {
  // first: they are kept short by that, too
  if (2 * steps.unconverged > steps.all)
    return fmt::format("the rod still moves after {} steps, of which {} used up solver.pd.iterations; raise it", steps.all,
                       steps.unconverged);
  if (settling.still_driven(now))
    return fmt::format("supports or loads change until t = {:.6g} s, and {} steps do not reach that; run to a time", last_change,
                       options.max_steps);
  return fmt::format(
      "the rod still moves after {} steps; add a support or damping, or run to a time with shorter steps (loads that turn with "
      "the rod need them)",
      options.max_steps);
}

}  // namespace

// ---- rest ----------------------------------------------------------------------------------------------------------
Correction& Simulation::correction() {
  if (!m_correction) m_correction = std::make_unique<Correction>(*m_model);
  return *m_correction;
}

void Simulation::tell_left_over(double dt, const StepRules& rules, StepReport& report) {
  if (m_left_over->wants(report, rules.is_last))
    if (const auto found = correction().of_step(m_before, *m_loading, dt, filled(), m_state.time))
      m_left_over->look(found->here, found->since_then, report);
  m_left_over->tell(report);
}

// Where nothing changes any more, in a second as now.
const Loading& Simulation::loading_at_rest(const State& state) {
  return m_drive->of_step(*m_model, state, state.time + 1, Integrator::euler);
}

RestError Simulation::error_at_rest() {
  RestError out;
  if (!m_knows_forces) {
    out.cause = Correction::applies(m_model->scene()) ? "the method is one of its own, and may have other forces"
                                                      : "the weights of the paper stand for another rod";
    return out;
  }
  const std::optional<Correction::Rest> rest = correction().of_rest(filled(), loading_at_rest(m_state));
  if (!rest) {
    out.cause = "the stiffness there is singular";
    return out;
  }
  out.metres = rest->left.metres;
  out.part = rest->left.part;
  out.known_to = rest->noise.metres;
  out.unstable = rest->unstable;
  if (rest->left.node >= 0) {
    const AlongRod at = along_rod(*m_model, rest->left.node);
    out.rod = at.rod;
    out.node = at.number;
  }
  return out;
}

namespace {
// Near enough, or as near as forces are known.
bool is_near(const Correction::Rest& rest, double part) {
  constexpr double rounding = 8;
  return rest.left.part <= part || rest.left.part <= rounding * rest.noise.part;
}
}  // namespace

// Nothing moves any more: whether the forces balance, too. If not, a state where they do is looked for nearby.
bool Simulation::balances(const SettleOptions& options) {
  if (!m_knows_forces) return true;
  const std::optional<Correction::Rest> rest = correction().of_rest(filled(), loading_at_rest(m_state));
  if (!rest || is_near(*rest, options.error)) return true;
  m_settling->doubt(rest->unstable == 0 && lead_to_balance(options.error));
  return false;
}

// Newton's method from a state along whose softest modes steps creep. False, with the state as it was, where it does not lead to
// a stable equilibrium nearby: the steps are slow only where they are near one, or about to leave one that is not stable. As in
// statics steps are not shortened: one that bends a rod stretches it, too, and the next one takes that out.
bool Simulation::lead_to_balance(double part) {
  constexpr int most = 30;
  constexpr double longest = 0.2;  // rad, or part of the length
  constexpr double far = 0.5;      // rad, or part of the length, in all
  constexpr double enough = 1e-2;  // of what is asked for: another step follows, by the method itself
  const State start = m_state;
  double lengths[2] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}, gone = 0;
  for (int k = 0; k < most; ++k) {
    const std::optional<Correction::Rest> rest = correction().of_rest(m_state, loading_at_rest(m_state));
    const double length = m_correction->longest();
    if (!rest || length > 2 * std::max(lengths[0], lengths[1]) || gone > far) break;
    if (k > 0 && rest->unstable == 0 && is_near(*rest, enough * part)) {
      std::fill(m_state.v.begin(), m_state.v.end(), Vec3{});
      std::fill(m_state.w.begin(), m_state.w.end(), Vec3{});
      m_solver->take(m_state);
      return true;
    }
    lengths[0] = std::exchange(lengths[1], length);
    const State from = m_state;
    const double size = std::min(1.0, longest / length);
    gone += size * length;
    m_correction->move(from, size, m_state);
  }
  m_state = start;
  return false;
}

StepReport Simulation::settle(const SettleOptions& options, const std::function<bool(const StepReport&)>& go_on) {
  begin();
  const Scene& scene = m_model->scene();
  if (!m_settling)
    m_settling =
        std::make_unique<Settling>(options, scene.dt, contact::last_change(*m_model), m_state.time, longest_rod(*m_model));
  StepReport report;
  report.time = m_state.time;
  int steps = 0, unconverged = 0;  // of this call
  while (!m_settling->confirmed()) {
    if (m_settling->at_rest()) {
      if (balances(options)) m_settling->confirm();
      continue;
    }
    if (m_settling->steps() >= options.max_steps) break;
    const double dt = m_settling->dt();
    report = step_to(m_state.time + dt, dt, {Integrator::euler, false});
    ++steps;
    if (!report.converged) ++unconverged;
    if (report.status == StepStatus::stopped) return report;  // as below
    if (!report.accepted() && !m_settling->shorten(options)) break;
    if (report.accepted()) {
      if (m_settling->accepted(options, report, filled())) m_solver->take(m_state);
    }
    if (report.accepted() && go_on && !go_on(report)) return report;  // a later call goes on where it was
  }
  if (m_settling->confirmed()) return report;
  if (m_settling->steps() >= options.max_steps) {
    report.status = StepStatus::not_converged;
    const RestError error = m_settling->doubted() ? error_at_rest() : RestError{};
    report.rod = error.rod;
    report.node = error.node;
    report.cause =
        error.metres ? why_not_balanced(error)
                     : why_not_settled(*m_settling, {steps, unconverged}, options, contact::last_change(*m_model), m_state.time);
  }
  m_settling.reset();
  return report;
}

bool Simulation::at_rest() const { return m_settling && m_settling->confirmed(); }

// ---- checkpoints ---------------------------------------------------------------------------------------------------
std::string Simulation::checkpoint() {
  Checkpoint out;
  out.scene = scene_digest(m_model->scene());
  out.method = m_model->scene().solver.method;
  out.settings = solver_digest(m_model->scene().solver);
  out.state = filled();
  out.clock = *m_clock;
  out.error = *m_error;
  out.left_over = *m_left_over;
  if (m_settling) out.settling = *m_settling;
  out.solver = m_solver->save();
  for (Sink* sink : m_sinks)
    if (const std::string name = sink->name(); m_begun && !name.empty()) out.bookmarks.emplace_back(name, sink->bookmark());
  return encode(out);
}

void Simulation::restore(const std::string& bytes, const std::string& name, bool continue_files) {
  if (m_begun) throw Error("--resume", name, "the run has begun already; restore a checkpoint before its first step");
  Checkpoint from = decode_checkpoint(bytes, name);
  check_belongs(from, *m_model, name);
  if (from.method == m_model->scene().solver.method) m_solver->restore(from.solver);
  m_state = std::move(from.state);
  m_solver->take(m_state);
  *m_clock = from.clock;
  *m_error = from.error;
  *m_left_over = from.left_over;
  // At rest by another method or tolerance is not at rest by this one.
  const bool rests_elsewhere =
      from.settling && from.settling->at_rest() && from.settings != solver_digest(m_model->scene().solver);
  if (from.settling && !rests_elsewhere) m_settling = std::make_unique<Settling>(*from.settling);
  if (continue_files) m_bookmarks = std::move(from.bookmarks);
}

}  // namespace writhe
