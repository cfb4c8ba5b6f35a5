#include "solvers/pd/pd.h"

#include <map>
#include <utility>
#include <vector>

#include "solvers/part_set.h"
#include "solvers/pd/bundle.h"

namespace writhe::pd {

namespace {

class PdSolver final : public Solver {
 public:
  PdSolver(const Model& model, int threads);
  StepReport step(State& state, const Loading& loading, double dt, Integrator) override {
    return m_parts.step_euler(state, loading, dt);
  }

 private:
  PartSet m_parts;
};

// Chains that are equal in layout, as many as a register has lanes, become one part; what is left over, parts of their own.
PdSolver::PdSolver(const Model& model, int threads) : m_parts(model, threads) {
  auto joints = joints_by_rod(model);
  std::map<Bundle::Layout, std::vector<int>> waiting;
  const auto add = [&](std::vector<int> rods) {
    std::vector<std::vector<int>> own;
    for (const int r : rods) own.push_back(std::move(joints[r]));
    m_parts.add(std::make_unique<Bundle>(model, std::move(rods), std::move(own)));
  };
  const std::size_t lanes = static_cast<std::size_t>(bundle_kernel().lanes);
  for (const Component& component : model.components()) {
    if (component.kind != Component::Kind::chain) continue;
    const int rod = component.rods.front();
    std::vector<int>& equal = waiting[Bundle::layout(model, rod, joints[rod])];
    equal.push_back(rod);
    if (lanes > 1 && equal.size() == lanes) add(std::exchange(equal, {}));
  }
  for (const auto& [layout, rods] : waiting)
    for (const int rod : rods) add({rod});
}

}  // namespace

SolverInfo info() {
  SolverInfo row;
  row.name = "pd";
  row.title = "Cosserat rods with Projective Dynamics";
  row.source = "docs/theory/pd.md";
  row.integrator = "implicit Euler, order 1";
  row.chains = true;
  // The forces left over at the tolerance are larger than what a step of Newton's method leaves.
  row.symmetry_tolerance = 1e-7;
  row.notes = "a fixed number of cheap iterations a step";
  return row;
}

std::unique_ptr<Solver> make(const Model& model, int threads) { return std::make_unique<PdSolver>(model, threads); }

}  // namespace writhe::pd
