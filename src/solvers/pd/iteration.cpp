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
}

Iteration::Iteration(const Model& model)
    : m_model(&model), m_accelerated(model.scene().solver.acceleration == Acceleration::anderson) {}

// An iteration moves the nodes, then turns the orientations; the nodes have the last word, which keeps the linear momentum to the
// last digit whatever the number of iterations.
StepReport Iteration::minimise(const State& state, const Loading& loading, double dt) {
  load_step(state, loading, dt);
  start();
  const int budget = m_model->scene().solver.iterations;
  int iterations = 0, column = 0, last = 0, refused = 0;
  bool turned = false, gone = false;  // gone: from the prediction
  for (;; ++iterations) {
    move_nodes(column, m_sums);
    find_moments(column, m_sums);
    const bool fell_back = guard(last);
    m_moved = fell_back ? false : m_moved || turned;
    gone = gone || (turned && !fell_back);
    turned = false;
    // A step must get somewhere: until one has been taken, turns that are refused do not count.
    const bool again = fell_back && !gone && iterations > 0 && refused < most_refused;
    if ((iterations == budget && !again) || !finite() || (!fell_back && converged(iterations))) {
      if (fell_back && finite()) {
        go_to_best();
        m_sums = m_best_sums;
      }
      keep_point();
      balance_best();
      return finish(iterations);
    }
    if (again) {
      ++refused;
      iterations -= 2;  // and looks at the prediction as it did before
    }
    if (fell_back) continue;
    keep_point();
    turn(column);
    turned = true;
    if (m_accelerated)
      mix(column);
    else
      take(column);
    last = column;
    column = (column + 1) % linalg::anderson_columns;
  }
}

void Iteration::start() {
  m_history.kept = m_accelerated;
  m_history.filled = 0;
  m_moved = false;
  for (int i = 0; i < most_lanes; ++i) {
    for (auto& valid : m_history.valid) valid[i] = 0;
    m_history.mixed[i] = 0;
    m_history.turn_size[i] = 1;
    m_best[i] = m_lowest[i] = m_best_residual[i] = std::numeric_limits<double>::max();
  }
}

// Goes back where the last turn raised the potential. Where it rose by little more than its rounding errors, the forces that are
// left decide; so that many such rises do not add up, no mixed point may be more than that above the lowest.
bool Iteration::guard(int column) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon(), most = std::numeric_limits<double>::max();
  constexpr double certain = 100, little = 1e6;  // rounding errors
  double merit[most_lanes], limit[most_lanes];
  bool rises = false;
  for (int i = 0; i < m_chains; ++i) {
    merit[i] = std::isfinite(m_sums.energy[i]) ? m_sums.energy[i] : most;
    const double noise = epsilon * (std::abs(m_best[i]) + m_sums.internal[i] * m_size[i]);
    const bool nearer = residual(i) < m_best_residual[i];
    limit[i] = m_best[i] == most ? most / 2 : m_best[i] + (nearer ? little : certain) * noise;
    if (m_history.mixed[i] > 0) limit[i] = std::min(limit[i], m_lowest[i] + little * noise);
    if (merit[i] <= limit[i]) {
      m_best[i] = merit[i];
      m_lowest[i] = std::min(m_lowest[i], merit[i]);
      m_best_residual[i] = residual(i);
      m_best_sums.take(m_sums, i);
    }
    rises = rises || merit[i] > limit[i];
  }
  if (rises) {
    if (m_chains == 1)  // whose indices lie in all lanes
      for (double* of : {merit, limit}) std::fill_n(of + 1, most_lanes - 1, of[0]);
    const BundleHistory before = m_history;
    fall_back(column, merit, limit);
    // Made of another point than the one gone back to, the metric may be what was wrong, and not the size of the turn.
    if (m_moved && renew_metric()) {
      std::copy_n(before.turn_size, most_lanes, m_history.turn_size);
      for (auto& valid : m_history.valid) std::fill_n(valid, most_lanes, 0.0);
    }
  }
  return rises;
}

bool Iteration::finite() const {
  return std::none_of(m_best, m_best + m_chains, [](double merit) { return merit == std::numeric_limits<double>::max(); });
}

// Moments count by the force that makes them over the length of the rod; they matter only where there are hardly any forces.
double Iteration::residual_limit(int chain) const {
  return m_model->scene().solver.tolerance *
         (m_load[chain] + std::max(m_sums.internal[chain], m_sums.moment[chain] / m_length[chain]));
}

// The prediction knows nothing of the loads, and in a strung wire they are a small part of the forces: so it is not taken for the
// answer unless nothing is left but rounding.
bool Iteration::converged(int iterations) const {
  for (int i = 0; i < m_chains; ++i)
    if (!only_rounding(i) && !(iterations > 0 && residual(i) <= residual_limit(i))) return false;
  return true;
}

// A step that has used up its iterations is accepted: the next one goes on from there.
StepReport Iteration::finish(int iterations) const {
  StepReport report;
  report.iterations = iterations;
  report.converged = converged(iterations);
  const BundleShape shape = inspect();
  const auto fail = [&](int chain, StepStatus status, std::string cause) {
    report.status = status;
    report.cause = std::move(cause);
    blame(chain, report);
  };
  double worst = -1;
  for (int i = 0; i < m_chains && report.accepted(); ++i) {
    const double severity = only_rounding(i) ? 0 : residual(i) / residual_limit(i);
    if (severity > worst) {
      worst = severity;
      report.residual = only_rounding(i) ? 0 : residual(i);
      report.residual_limit = residual_limit(i);
    }
    if (!std::isfinite(residual(i)) || m_best[i] == std::numeric_limits<double>::max())
      fail(i, StepStatus::not_finite, "a force is not finite; look for a load or a size out of range, or take a smaller time.dt");
    else if (shape.joint_cosine[i] < assembly::joint_cosine_limit)
      fail(i, StepStatus::not_converged, assembly::coarse_joint(shape.joint_cosine[i], shape.joint_fold[i]));
    else if (const char* coarse = assembly::coarse_joint(shape.joint_cosine[i], shape.joint_fold[i]); coarse && !report.converged)
      fail(i, StepStatus::not_converged,
           std::string("the step used up solver.iterations; raise it, or take a smaller time.dt (") + coarse + ")");
  }
  return report;
}

}  // namespace writhe::pd
