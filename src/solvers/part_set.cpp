#include "solvers/part_set.h"

#include <algorithm>

#include <oneapi/tbb/info.h>

#include "elastic/inertia.h"

namespace writhe {

namespace {

// The worst of two: a failure before success, then the larger residual against its limit.
StepReport merged(const StepReport& a, const StepReport& b) {
  const auto severity = [](const StepReport& r) { return r.residual > 0 ? r.residual / r.residual_limit : 0.0; };
  const bool take_b = a.accepted() ? !b.accepted() || severity(b) > severity(a) : false;
  StepReport out = take_b ? b : a;
  out.iterations = std::max(a.iterations, b.iterations);
  out.converged = a.converged && b.converged;
  return out;
}

}  // namespace

PartSet::PartSet(const Model& model, int threads)
    : m_parallelism(oneapi::tbb::global_control::max_allowed_parallelism,
                    static_cast<std::size_t>(std::max(threads, oneapi::tbb::info::default_concurrency()))),
      m_arena(threads > 0 ? threads : oneapi::tbb::task_arena::automatic) {
  m_next.x.resize(static_cast<std::size_t>(model.node_count()));
  m_next.q.resize(static_cast<std::size_t>(model.orientation_count()));
}

StepReport PartSet::report() const {
  StepReport all = m_reports[0];
  for (std::size_t i = 1; i < m_reports.size(); ++i) all = merged(all, m_reports[i]);
  return all;
}

StepReport PartSet::step_euler(State& state, const Loading& loading, double dt) {
  StepReport all = for_each([&](Part& part, int) { return part.minimise(state, loading, dt); });
  if (!all.accepted()) return all;
  m_next.q = state.q;  // prescribed frames are no part's own
  run([&](int i) { m_parts[i]->store(m_next); });
  const double inv_h = 1 / dt;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    state.v[i] = inv_h * (m_next.x[i] - state.x[i]);
    state.x[i] = m_next.x[i];
  }
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    state.w[i] = elastic::angular_rate(state.q[i], m_next.q[i], inv_h);
    state.q[i] = m_next.q[i];
  }
  return all;
}

std::vector<std::vector<int>> joints_by_rod(const Model& model) {
  std::vector<std::vector<int>> out(model.rods().size());
  const Joints& joints = model.joints();
  for (int j = 0; j < model.joint_count(); ++j) {
    const int segment = joints.a[j] < model.segment_count() ? joints.a[j] : joints.b[j];
    out[model.segments().rod[segment]].push_back(j);
  }
  return out;
}

std::vector<int> joints_of(const Component& component, const std::vector<std::vector<int>>& by_rod) {
  std::vector<int> out;
  for (const int rod : component.rods) out.insert(out.end(), by_rod[rod].begin(), by_rod[rod].end());
  return out;
}

}  // namespace writhe
