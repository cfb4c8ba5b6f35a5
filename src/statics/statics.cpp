#include "writhe/statics.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "assembly/end_forces.h"
#include "contact/bad_start.h"
#include "measure/measure.h"
#include "simulation/checkpoint.h"
#include "statics/modes.h"
#include "statics/path.h"

namespace writhe {

using statics::Equilibrium;

class Statics::Work {
 public:
  explicit Work(Model own) : model(std::move(own)), state(model.initial_state()) {}

  // Sinks get the last equilibrium of each time: with the loads on as their beginning, and after a perturbation the one it led
  // to.
  void hold(const StaticPoint& point);
  void deliver();

  Model model;
  State state;
  std::unique_ptr<Equilibrium> equilibrium;
  statics::Where where;
  statics::Freedom freedom;
  std::vector<Sink*> sinks;
  std::optional<StaticPoint> held;  // not delivered yet
  State held_state;
  bool begun = false;
};

void Statics::Work::hold(const StaticPoint& point) {
  where = {point.load, point.time};  // what load() and reactions() speak of while the path is followed
  if (held && held->time != point.time) deliver();
  held = point;
  held_state = state;
}

void Statics::Work::deliver() {
  if (!begun) {
    begun = true;
    for (Sink* sink : sinks) sink->begin(model, held ? held_state : state);
  } else if (held) {
    StepReport report;
    report.time = held->time;
    report.iterations = held->iterations;
    report.residual = held->residual;
    report.residual_limit = held->residual_limit;
    for (Sink* sink : sinks) sink->write(model, held_state, report);
  }
  held.reset();
}

Statics::Statics(Model model) : m_work(std::make_unique<Work>(std::move(model))) {
  contact::refuse_bad_start(m_work->model, m_work->state, m_work->model.scene().until);
}
Statics::~Statics() = default;
Statics::Statics(Statics&&) noexcept = default;

const Model& Statics::model() const { return m_work->model; }
const State& Statics::state() const { return m_work->state; }
double Statics::load() const { return m_work->where.load; }
Energies Statics::energies() const { return measure::energies(m_work->model, m_work->state); }

void Statics::restore(const std::string& bytes, const std::string& name) {
  Checkpoint from = decode_checkpoint(bytes, name);
  check_belongs(from, m_work->model, name);
  m_work->state = std::move(from.state);
}

void Statics::add_sink(Sink& sink) { m_work->sinks.push_back(&sink); }

StaticReport Statics::solve(const StaticOptions& options) {
  Work& work = *m_work;
  work.equilibrium = std::make_unique<Equilibrium>(work.model, options.tolerance);
  const auto seen = [&](const StaticPoint& point) { work.hold(point); };
  statics::Path path(work.model, *work.equilibrium, work.state, options, seen);
  StaticReport report = path.run();
  work.where = path.where();
  work.freedom = path.freedom();
  work.deliver();
  for (Sink* sink : work.sinks) sink->end(work.model, work.state);
  return report;
}

Stability Statics::stability() const {
  Stability out;
  Work& work = *m_work;
  if (!work.equilibrium) return out;
  for (const statics::NeutralMotion& motion : work.freedom.neutral) out.neutral.push_back(motion.name);
  work.equilibrium->factorise(work.state, work.where);  // may be singular: it is assembled
  std::optional<int> growing;
  if (!work.equilibrium->symmetric()) {
    const std::optional<statics::Growing> found = statics::count_growing(*work.equilibrium, work.state);
    if (found) growing = found->count;
    if (found) out.examined = found->examined;
  } else if (const std::optional<Equilibrium::Signs> signs = work.equilibrium->signs(work.state)) {
    growing = signs->negative;
    if (signs->uncertain > 0)
      out.neutral.push_back(fmt::format("{} that nothing resists at first, as far as rounding errors tell",
                                        signs->uncertain == 1 ? "a motion" : fmt::format("{} motions", signs->uncertain)));
  }
  out.negative = growing.value_or(0);
  out.balance = !growing              ? Balance::undetermined
                : *growing > 0        ? Balance::unstable
                : out.neutral.empty() ? Balance::stable
                                      : Balance::neutral;
  return out;
}

std::vector<Mode> Statics::modes(int count, const std::function<bool()>& go_on) const {
  Work& work = *m_work;
  if (!work.equilibrium) return {};
  const auto fail = [count](const char* message) -> Error { return {"modes", std::to_string(count), message}; };
  work.equilibrium->factorise(work.state, work.where);  // may be singular: it is assembled
  auto modes = statics::lowest_modes(*work.equilibrium, work.state, count, [&] {
    if (go_on && !go_on()) throw fail("stopped before they were found");
  });
  if (!modes) throw fail("the iteration for the eigenvalues failed; ask for another number of modes");
  return std::move(*modes);
}

std::vector<Reaction> Statics::reactions() const {
  if (!m_work->equilibrium) return {};
  assembly::EndForces forces(m_work->model);
  forces.update(m_work->state, m_work->where.load);
  return forces.reactions();
}

}  // namespace writhe
