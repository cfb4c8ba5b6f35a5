#include "solvers/newton/newton.h"

#include <algorithm>
#include <vector>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include "base/names.h"
#include "base/parallel.h"
#include "solvers/newton/chain.h"

namespace writhe::newton {

namespace {

class NewtonSolver final : public Solver {
 public:
  NewtonSolver(const Model& model, int threads);
  StepReport step(State& state, const Loading& loading, double dt) override;

 private:
  void for_each_chain(const auto& work);

  std::vector<Chain> m_chains;
  std::vector<StepReport> m_reports;
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
    : m_reports(model.rods().size()),
      m_parallelism(oneapi::tbb::global_control::max_allowed_parallelism,
                    static_cast<std::size_t>(std::max(threads, oneapi::tbb::info::default_concurrency()))),
      m_arena(threads > 0 ? threads : oneapi::tbb::task_arena::automatic) {
  auto joints = joints_by_rod(model);
  m_chains.reserve(model.rods().size());
  for (int rod = 0; rod < static_cast<int>(model.rods().size()); ++rod) m_chains.emplace_back(model, rod, std::move(joints[rod]));
}

// Chains share nothing, so the result does not depend on who computes which.
void NewtonSolver::for_each_chain(const auto& work) {
  const int count = static_cast<int>(m_chains.size());
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

StepReport NewtonSolver::step(State& state, const Loading& loading, double dt) {
  for_each_chain([&](int i) { m_reports[i] = m_chains[i].minimise(state, loading, dt); });
  StepReport report = m_reports[0];
  for (std::size_t i = 1; i < m_reports.size(); ++i) report = merged(report, m_reports[i]);
  if (!report.accepted()) return report;
  for_each_chain([&](int i) { m_chains[i].store(state); });
  return report;
}

}  // namespace

SolverInfo info() {
  SolverInfo row;
  row.name = "newton";
  row.title = "implicit geometrically exact rod";
  row.source = "docs/theory/rod.md";
  row.integrator = "implicit Euler, order 1";
  row.chains = true;
  row.notes = "the reference: exact Hessian, any stiffness, linear time; rings and nets not yet";
  return row;
}

std::unique_ptr<Solver> make(const Model& model, int threads) {
  std::vector<Problem> problems;
  for (const Component& component : model.components()) {
    if (component.kind == Component::Kind::chain) continue;
    std::vector<std::string> rods;
    for (const int rod : component.rods) rods.push_back(model.rods()[rod].name);
    const bool ring = component.kind == Component::Kind::ring;
    const std::string path = ring ? "rods." + rods.front() : "joints";
    problems.push_back({model.scene().where(path), path, ring ? "" : list_of(rods),
                        ring ? "newton does not solve closed rods yet; leave it open"
                             : "newton does not solve nets yet; remove the joints between these rods"});
  }
  if (!problems.empty()) throw Error(std::move(problems));
  return std::make_unique<NewtonSolver>(model, threads);
}

}  // namespace writhe::newton
