#include "solvers/newton/newton.h"

#include <algorithm>
#include <vector>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include "base/parallel.h"
#include "elastic/inertia.h"
#include "solvers/newton/chain.h"
#include "solvers/newton/midpoint.h"
#include "solvers/newton/net.h"

namespace writhe::newton {

namespace {

class NewtonSolver final : public Solver {
 public:
  NewtonSolver(const Model& model, int threads);
  StepReport step(State& state, const Loading& loading, double dt, Integrator integrator) override;

 private:
  StepReport step_euler(State& state, const Loading& loading, double dt);
  StepReport step_midpoint(State& state, const Loading& loading, double dt);
  void for_each_part(const auto& work);
  StepReport report() const;
  void finish(State& state, double dt) const;

  std::vector<std::unique_ptr<Part>> m_parts;
  std::vector<StepReport> m_reports;
  Configuration m_next;  // at the end of the step
  Midpoint m_midpoint;
  oneapi::tbb::global_control m_parallelism;  // more threads than cores are allowed when asked for
  oneapi::tbb::task_arena m_arena;
};

// The joints of each rod: interior ones and those to its clamps.
std::vector<std::vector<int>> joints_by_rod(const Model& model) {
  std::vector<std::vector<int>> out(model.rods().size());
  const Joints& joints = model.joints();
  for (int j = 0; j < model.joint_count(); ++j) {
    const int segment = joints.a[j] < model.segment_count() ? joints.a[j] : joints.b[j];
    out[model.segments().rod[segment]].push_back(j);
  }
  return out;
}

NewtonSolver::NewtonSolver(const Model& model, int threads)
    : m_midpoint(model),
      m_parallelism(oneapi::tbb::global_control::max_allowed_parallelism,
                    static_cast<std::size_t>(std::max(threads, oneapi::tbb::info::default_concurrency()))),
      m_arena(threads > 0 ? threads : oneapi::tbb::task_arena::automatic) {
  auto joints = joints_by_rod(model);
  std::shared_ptr<State> trial;  // of all nets
  for (const Component& component : model.components()) {
    const int rod = component.rods.front();
    if (component.kind == Component::Kind::net) {
      if (!trial) trial = std::make_shared<State>(model.initial_state());
      std::vector<int> own;
      for (const int r : component.rods) own.insert(own.end(), joints[r].begin(), joints[r].end());
      m_parts.push_back(std::make_unique<Net>(model, component.rods, std::move(own), trial));
    } else {
      m_parts.push_back(std::make_unique<Chain>(model, rod, std::move(joints[rod])));
    }
  }
  m_reports.resize(m_parts.size());
  m_next.x.resize(static_cast<std::size_t>(model.node_count()));
  m_next.q.resize(static_cast<std::size_t>(model.orientation_count()));
}

// Parts share nothing, so the result does not depend on who computes which.
void NewtonSolver::for_each_part(const auto& work) {
  const int count = static_cast<int>(m_parts.size());
  if (count == 1) return work(0);
  parallel_for(m_arena, count, work);
}

// The worst of two: a failure before success, then the larger residual against its limit.
StepReport merged(const StepReport& a, const StepReport& b) {
  const auto severity = [](const StepReport& r) { return r.residual / r.residual_limit; };
  const bool take_b = a.accepted() ? !b.accepted() || severity(b) > severity(a) : false;
  StepReport out = take_b ? b : a;
  out.iterations = std::max(a.iterations, b.iterations);
  return out;
}

StepReport NewtonSolver::report() const {
  StepReport all = m_reports[0];
  for (std::size_t i = 1; i < m_reports.size(); ++i) all = merged(all, m_reports[i]);
  return all;
}

StepReport NewtonSolver::step(State& state, const Loading& loading, double dt, Integrator integrator) {
  return integrator == Integrator::midpoint ? step_midpoint(state, loading, dt) : step_euler(state, loading, dt);
}

StepReport NewtonSolver::step_euler(State& state, const Loading& loading, double dt) {
  for_each_part([&](int i) { m_reports[i] = m_parts[i]->minimise(state, loading, dt); });
  StepReport all = report();
  if (!all.accepted()) return all;
  m_next.q = state.q;  // prescribed frames are no part's own
  for_each_part([&](int i) { m_parts[i]->store(m_next); });
  finish(state, dt);
  return all;
}

StepReport NewtonSolver::step_midpoint(State& state, const Loading& loading, double dt) {
  m_midpoint.begin(state, loading, dt);
  for_each_part([&](int i) { m_reports[i] = m_midpoint.find_middle(i, *m_parts[i]); });
  StepReport all = report();
  if (all.accepted()) m_midpoint.finish(state);
  return all;
}

// Rates of implicit Euler: those that lead from the start of the step to its end.
void NewtonSolver::finish(State& state, double dt) const {
  const double inv_h = 1 / dt;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    state.v[i] = inv_h * (m_next.x[i] - state.x[i]);
    state.x[i] = m_next.x[i];
  }
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    state.w[i] = elastic::angular_rate(state.q[i], m_next.q[i], inv_h);
    state.q[i] = m_next.q[i];
  }
}

}  // namespace

SolverInfo info() {
  SolverInfo row;
  row.name = "newton";
  row.title = "implicit geometrically exact rod";
  row.source = "docs/theory/rod.md";
  row.integrator = "implicit Euler, order 1; midpoint, order 2";
  row.integrators = {{Integrator::euler, 1, false}, {Integrator::midpoint, 2, true}};
  row.chains = row.rings = row.nets = true;
  row.notes = "the reference: exact Hessian, any stiffness, linear time on chains and rings";
  return row;
}

std::unique_ptr<Solver> make(const Model& model, int threads) { return std::make_unique<NewtonSolver>(model, threads); }

}  // namespace writhe::newton
