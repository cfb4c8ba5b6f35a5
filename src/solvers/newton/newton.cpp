#include "solvers/newton/newton.h"

#include <span>
#include <utility>
#include <vector>

#include "solvers/newton/chain.h"
#include "solvers/newton/midpoint.h"
#include "solvers/newton/net.h"
#include "solvers/part_set.h"

namespace writhe::newton {

namespace {

class NewtonSolver final : public Solver {
 public:
  NewtonSolver(const Model& model, const Threads& threads, std::shared_ptr<Terms> terms);
  void listen(const Stop& stop) override { m_parts.listen(stop); }
  StepReport step(State& state, const Loading& loading, double dt, Integrator integrator) override;

 private:
  std::unique_ptr<Part> make_net(std::span<const int> components);
  std::unique_ptr<Part> make_island(std::span<const int> components, bool light);

  const Model* m_model;
  std::shared_ptr<Terms> m_terms;
  std::vector<std::vector<int>> m_joints;  // by rod
  std::shared_ptr<NetStates> m_states;     // of all nets; once there is one
  PartSet m_parts;
  Midpoint m_midpoint;
};

NewtonSolver::NewtonSolver(const Model& model, const Threads& threads, std::shared_ptr<Terms> terms)
    : m_model(&model),
      m_terms(std::move(terms)),
      m_joints(joints_by_rod(model)),
      m_parts(model, m_terms, threads, [this](std::span<const int> own, bool light) { return make_island(own, light); }),
      m_midpoint(model, threads) {
  for (int c = 0; c < static_cast<int>(model.components().size()); ++c) {
    const Component& component = model.components()[c];
    const int rod = component.rods.front();
    if (component.kind == Component::Kind::net)
      m_parts.add(make_net(std::span(&c, 1)), {c});
    else
      m_parts.add(std::make_unique<Chain>(model, rod, m_joints[rod]), {c});
  }
}

// One chain stays a chain where what acts on it adds nothing to its Hessian.
std::unique_ptr<Part> NewtonSolver::make_island(std::span<const int> components, bool light) {
  const Component& first = m_model->components()[components.front()];
  if (!light || first.kind == Component::Kind::net) return make_net(components);
  if (!m_states) m_states = std::make_shared<NetStates>(*m_model);
  return std::make_unique<Chain>(*m_model, first.rods.front(), m_joints[first.rods.front()], m_states, m_terms);
}

std::unique_ptr<Part> NewtonSolver::make_net(std::span<const int> components) {
  if (!m_states) m_states = std::make_shared<NetStates>(*m_model);
  return std::make_unique<Net>(*m_model, rods_and_joints(*m_model, components, m_joints), m_states, m_terms);
}

StepReport NewtonSolver::step(State& state, const Loading& loading, double dt, Integrator integrator) {
  if (integrator == Integrator::euler) return m_parts.step_euler(state, loading, dt, watch());
  const auto solve = [&](const std::vector<Vec3>*& end) {
    watch().lap(&StageTimes::coupling);
    m_midpoint.begin(state, loading, dt);
    const StepReport report = m_parts.for_each([&](const Piece& piece) { return m_midpoint.find_middle(piece, *m_terms); });
    end = &m_midpoint.end_of_nodes();
    watch().lap(&StageTimes::solve);
    return report;
  };
  const StepReport all = m_parts.step(state, loading, dt / 2, integrator, solve);
  if (!all.accepted()) return all;
  m_midpoint.finish(state);
  m_parts.end(state);
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
  row.features = {Feature::chains,  Feature::rings,   Feature::nets,      Feature::links,
                  Feature::contact, Feature::corners, Feature::followers, Feature::midpoint};
  row.notes = "the reference: exact Hessian, any stiffness, linear time on chains and rings";
  return row;
}

std::unique_ptr<Solver> make(const Model& model, const Threads& threads, std::shared_ptr<Terms> terms) {
  return std::make_unique<NewtonSolver>(model, threads, std::move(terms));
}

}  // namespace writhe::newton
