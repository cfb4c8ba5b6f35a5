#include "solvers/pd/iteration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "assembly/scales.h"

namespace writhe::pd {

namespace {
constexpr int most_refused = 40;  // turns half as large as the one before
constexpr int patience = 2;       // iterations in a row that hardly lessen the forces
}  // namespace

Iteration::Iteration(const Model& model)
    : m_model(&model), m_accelerated(model.scene().solver.pd.acceleration == Acceleration::anderson) {}

void Iteration::add_chain(int rod, double length, const MetricChoice& choice) {
  m_length[m_chains++] = length;
  m_rods.push_back(rod);
  m_choices.push_back(choice);
  m_left_out.push_back(0);
}

void Iteration::leave_out(const std::vector<std::uint8_t>& rod_is_coupled) {
  for (int i = 0; i < m_chains; ++i) m_left_out[i] = rod_is_coupled[m_rods[i]];
}

// Chains that want different metrics take turns: hardly ever, because those that share a bundle mostly want the same.
StepReport Iteration::minimise(const State& state, const Loading& loading, double dt) {
  std::fill_n(m_progress, most_lanes, Progress{});
  m_given_up = false;
  for (const bool refreshed : {false, true}) {
    if (!start(refreshed, 1 / dt)) continue;
    load_step(state, loading, dt, refreshed);
    if (StepReport report; refuses(report)) return report;
    if (!iterate()) break;
  }
  const StepReport report = finish();
  return m_given_up ? given_up() : report;
}

// The chains that want this metric; false where there are none.
bool Iteration::start(bool refreshed, double inv_h) {
  const PdSettings& settings = m_model->scene().solver.pd;
  const auto wants = [&](int i) { return m_left_out[i] == 0 && m_choices[i].refreshed(settings, inv_h) == refreshed; };
  bool any = false;
  for (int i = 0; i < m_chains; ++i) any = any || wants(i);
  if (!any) return false;
  set_ended_aside();
  m_history.kept = m_accelerated;
  m_history.filled = 0;
  for (auto& valid : m_history.valid) std::fill_n(valid, most_lanes, 0.0);
  std::fill_n(m_history.mixed, most_lanes, 0.0);
  std::fill_n(m_history.turn_size, most_lanes, m_chains == 1 ? 1.0 : 0.0);  // of one chain, in every lane
  for (int i = 0; i < m_chains; ++i) {
    Progress& own = m_progress[i];
    if (!wants(i)) continue;
    own.counts = own.running = true;
    own.best = own.lowest = own.best_residual = own.least = std::numeric_limits<double>::max();
    m_history.turn_size[i] = 1;
  }
  return true;
}

// An iteration moves the nodes, then turns the orientations; the nodes have the last word, which keeps the linear momentum to the
// last digit whatever the number of iterations. False where a force is not finite, and where it is given up.
bool Iteration::iterate() {
  for (int column = 0, last = 0;; last = column, column = (column + 1) % linalg::anderson_columns) {
    m_given_up = is_stopped();
    if (m_given_up) return false;
    move_nodes(column, m_sums);
    find_moments(column, m_sums);
    guard(last);
    if (!finite()) return false;
    if (!any_goes_on()) return true;
    go_on(column);
  }
}

// Goes back where the last turn raised the potential; where it did not, the point is the best. Where it rose by little more than
// its rounding errors, the forces that are left decide; so that many such rises do not add up, no mixed point may be more than
// that above the lowest.
void Iteration::guard(int column) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon(), most = std::numeric_limits<double>::max();
  constexpr double certain = 100, little = 1e6;     // rounding errors
  double merit[most_lanes]{}, limit[most_lanes]{};  // equal where nothing is looked at
  double renew[most_lanes]{};
  bool rises = false, renews = false;
  for (int i = 0; i < m_chains; ++i) {
    Progress& own = m_progress[i];
    if (!own.running) continue;
    merit[i] = std::isfinite(m_sums.energy[i]) ? m_sums.energy[i] : most;
    const double noise = epsilon * (std::abs(own.best) + m_sums.internal[i] * m_size[i]);
    const bool nearer = residual(i) < own.best_residual;
    limit[i] = own.best == most ? most / 2 : own.best + (nearer ? little : certain) * noise;
    if (m_history.mixed[i] > 0) limit[i] = std::min(limit[i], own.lowest + little * noise);
    own.rose = merit[i] > limit[i];
    if (own.rose) {
      rises = true;
      // Made of another point than the one gone back to, the metric may be what was wrong, and not the size of the turn.
      renew[i] = own.moved ? 1 : 0;
      renews = renews || own.moved;
    } else {
      own.best = merit[i];
      own.lowest = std::min(own.lowest, merit[i]);
      own.best_residual = residual(i);
      m_best_sums.take(m_sums, i);
    }
  }
  if (!rises) return keep_point();
  if (m_chains == 1)  // whose indices lie in all lanes
    for (double* of : {merit, limit, renew}) std::fill_n(of + 1, most_lanes - 1, of[0]);
  double before[most_lanes];
  std::copy_n(m_history.turn_size, most_lanes, before);
  fall_back(column, merit, limit);
  if (!renews || !renew_metric(renew)) return;
  for (int i = 0; i < most_lanes; ++i)
    if (renew[i] > 0) m_history.turn_size[i] = before[i];
}

// Ends the chains that have come to their end; false if they all have.
bool Iteration::any_goes_on() {
  const int budget = m_model->scene().solver.pd.iterations;
  bool any = false;
  for (int i = 0; i < m_chains; ++i) {
    Progress& own = m_progress[i];
    if (!own.running) continue;
    own.moved = !own.rose && (own.moved || own.turned);
    own.gone = own.gone || (own.turned && !own.rose);
    if (!own.rose) own.note(residual(i));
    // A step must get somewhere: until one has been taken, turns that are refused do not count.
    const bool again = own.rose && !own.gone && own.iterations > 0 && own.refused < most_refused;
    if ((own.iterations == budget && !again) || (!own.rose && converged(i))) {
      end(i);
      continue;
    }
    any = true;
    own.turned = !own.rose;
    own.iterations += again ? -1 : 1;  // back to looking at the prediction
    own.refused += again ? 1 : 0;
  }
  return any;
}

void Iteration::end(int chain) {
  Progress& own = m_progress[chain];
  if (own.rose) {
    go_to_best();
    m_sums.take(m_best_sums, chain);
  }
  own.converged = converged(chain) || only_rounding(chain);
  own.running = false;
  m_ended_sums.take(m_sums, chain);
}

// So that chains can go on without those that have ended, which turn no further.
void Iteration::set_ended_aside() {
  for (int i = 0; i < m_chains; ++i) {
    Progress& own = m_progress[i];
    if (!own.counts || own.running || own.aside) continue;
    set_best_aside(i);
    own.aside = true;
    m_history.turn_size[i] = 0;
  }
}

// To the next point: those that did not go back turn. Columns are counted whether anybody turns or not, so that which of them a
// chain mixes does not depend on its neighbours.
void Iteration::go_on(int column) {
  set_ended_aside();
  m_history.filled = std::min(m_history.filled + 1, m_accelerated ? linalg::anderson_columns : 1);
  const auto goes_back = [&](int i) { return m_progress[i].running && m_progress[i].rose; };
  bool any = false;
  for (int i = 0; i < m_chains; ++i) any = any || (m_progress[i].running && m_progress[i].turned);
  if (!any) return;
  for (int i = 0; i < m_chains; ++i)
    if (goes_back(i)) set_point_aside(i);
  turn(column);
  if (m_accelerated)
    mix(column);
  else
    take(column);
  for (int i = 0; i < m_chains; ++i) {
    if (!goes_back(i)) continue;
    put_point_back(i, column);
    m_history.valid[column][i] = 0;
  }
}

bool Iteration::has_best(int chain) const { return m_progress[chain].best != std::numeric_limits<double>::max(); }

bool Iteration::finite() const {
  for (int i = 0; i < m_chains; ++i)
    if (m_progress[i].running && !has_best(i)) return false;
  return true;
}

// Moments count by the force that makes them over the length of the rod; they matter only where there are hardly any forces.
double Iteration::residual_limit(int chain) const {
  return m_model->scene().solver.tolerance *
         (m_load[chain] + std::max(m_sums.internal[chain], m_sums.moment[chain] / m_length[chain]));
}

// Nor stressed by supports: then the limit above is itself a part of rounding errors.
bool Iteration::is_unloaded(int chain) const {
  return m_load[chain] == 0 && std::max(m_sums.internal[chain], m_sums.moment[chain] / m_length[chain]) <= m_rounding[chain];
}

// The prediction knows nothing of the loads. In a strung wire they are less than the limit, and in a fine stiff rod, or one far
// from the origin, each is less than what rounding may make of a force, though all together move the rod: so the prediction is
// the answer only where neither tells of a load. After that the limit decides; and where rounding keeps the forces above it, that
// they fall no further.
bool Iteration::converged(int chain) const {
  const Progress& own = m_progress[chain];
  const bool met = residual(chain) <= residual_limit(chain), rounding = only_rounding(chain);
  return own.iterations == 0 ? met && rounding : met || (rounding && own.stalls >= patience);
}

// A chain that has used up its iterations is accepted: the next step goes on from there.
StepReport Iteration::finish() {
  StepReport report;
  if (std::none_of(m_progress, m_progress + m_chains, [](const Progress& own) { return own.counts; })) return report;
  for (int i = 0; i < m_chains; ++i) {
    const Progress& own = m_progress[i];
    if (own.counts && !own.running) m_sums.take(m_ended_sums, i);
    if (own.aside) put_best_back(i);
  }
  balance_best();
  const BundleShape shape = inspect();
  const auto fail = [&](int chain, StepStatus status, std::string cause) {
    report.status = status;
    report.cause = std::move(cause);
    blame(chain, report);
  };
  double worst = -1;
  for (int i = 0; i < m_chains; ++i) {
    const Progress& own = m_progress[i];
    if (!own.counts) continue;
    report.iterations = std::max(report.iterations, own.iterations);
    report.converged = report.converged && own.converged;
    if (!report.accepted()) continue;
    const double left = is_unloaded(i) && only_rounding(i) ? 0 : residual(i), severity = left / residual_limit(i);
    if (severity > worst) {
      worst = severity;
      report.residual = left;
      report.residual_limit = residual_limit(i);
    }
    if (!std::isfinite(residual(i)) || !has_best(i))
      fail(i, StepStatus::not_finite, "a force is not finite; look for a load or a size out of range, or take a smaller time.dt");
    else if (own.running)
      continue;  // another one was not finite, before this one had come to its end
    else if (shape.joint_cosine[i] < assembly::joint_cosine_limit)
      fail(i, StepStatus::not_converged, assembly::coarse_joint(shape.joint_cosine[i], shape.joint_fold[i]));
    else if (const char* coarse = assembly::coarse_joint(shape.joint_cosine[i], shape.joint_fold[i]); coarse && !own.converged)
      fail(i, StepStatus::not_converged,
           std::string("the step used up solver.pd.iterations; raise it, or take a smaller time.dt (") + coarse + ")");
  }
  return report;
}

}  // namespace writhe::pd
