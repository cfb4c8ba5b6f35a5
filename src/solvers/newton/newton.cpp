#include "solvers/newton/newton.h"

#include <vector>

#include "solvers/newton/chain.h"
#include "solvers/newton/midpoint.h"
#include "solvers/newton/net.h"
#include "solvers/part_set.h"

namespace writhe::newton {

namespace {

class NewtonSolver final : public Solver {
 public:
  NewtonSolver(const Model& model, int threads);
  StepReport step(State& state, const Loading& loading, double dt, Integrator integrator) override;

 private:
  PartSet m_parts;
  Midpoint m_midpoint;
};

NewtonSolver::NewtonSolver(const Model& model, int threads) : m_parts(model, threads), m_midpoint(model) {
  auto joints = joints_by_rod(model);
  std::shared_ptr<State> trial;  // of all nets
  for (const Component& component : model.components()) {
    const int rod = component.rods.front();
    if (component.kind == Component::Kind::net) {
      if (!trial) trial = std::make_shared<State>(model.initial_state());
      m_parts.add(std::make_unique<Net>(model, component.rods, joints_of(component, joints), trial));
    } else {
      m_parts.add(std::make_unique<Chain>(model, rod, std::move(joints[rod])));
    }
  }
}

StepReport NewtonSolver::step(State& state, const Loading& loading, double dt, Integrator integrator) {
  if (integrator == Integrator::euler) return m_parts.step_euler(state, loading, dt);
  m_midpoint.begin(state, loading, dt);
  StepReport all = m_parts.for_each([&](Part& part, int i) { return m_midpoint.find_middle(i, part); });
  if (all.accepted()) m_midpoint.finish(state);
  return all;
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
