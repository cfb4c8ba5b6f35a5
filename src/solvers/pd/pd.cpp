#include "solvers/pd/pd.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "solvers/part_set.h"
#include "solvers/pd/bundle.h"
#include "solvers/pd/net.h"
#include "writhe/error.h"

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

// The paper has neither rings nor junctions.
void check_weights(const Model& model, const Component& component) {
  const Scene& scene = model.scene();
  if (scene.solver.weights == Weights::consistent || component.kind == Component::Kind::chain) return;
  throw Error({{scene.where("solver.weights"), "solver.weights", "published",
                "is for open rods, and '" + model.rods()[component.rods.front()].name +
                    "' is part of a ring or a net; choose consistent"}});
}

void check_metric(const Scene& scene) {
  if (scene.solver.metric != Metric::refreshed || !MetricChoice::constant_only(scene.solver)) return;
  throw Error({{scene.where("solver.metric"), "solver.metric", "refreshed",
                "does not go with weights: published or coupling: separate, which are the paper's; choose constant or auto"}});
}

// Chains that are equal in layout, as many as a register has lanes, become one part; what is left over, parts of their own.
PdSolver::PdSolver(const Model& model, int threads) : m_parts(model, threads) {
  check_metric(model.scene());
  auto joints = joints_by_rod(model);
  std::shared_ptr<State> trial;  // of all nets
  std::map<Bundle::Layout, std::vector<int>> waiting;
  const auto add = [&](std::vector<int> rods) {
    std::vector<std::vector<int>> own;
    own.reserve(rods.size());
    for (const int r : rods) own.push_back(std::move(joints[r]));
    m_parts.add(std::make_unique<Bundle>(model, std::move(rods), std::move(own)));
  };
  const std::size_t lanes = static_cast<std::size_t>(bundle_kernel().lanes);
  for (const Component& component : model.components()) {
    check_weights(model, component);
    const int rod = component.rods.front();
    if (component.kind != Component::Kind::chain) {
      if (!trial) trial = std::make_shared<State>(model.initial_state());
      m_parts.add(std::make_unique<Net>(model, component.rods, joints_of(component, joints), trial));
      continue;
    }
    std::vector<int>& equal = waiting[Bundle::layout(model, rod, joints[rod])];
    equal.push_back(rod);
    if (lanes > 1 && equal.size() == lanes) add(std::exchange(equal, {}));
  }
  for (const auto& [layout, rods] : waiting)
    for (const int rod : rods) add({rod});
}

template <class Value>
SolverSettings with(Value SolverSettings::*key, Value value) {
  SolverSettings settings;
  settings.*key = value;
  return settings;
}

std::vector<SolverVariant> variants() {
  SolverVariant published{"published", "weights: published", "the paper's constants: one stiffness for bend and twist, too stiff",
                          with(&SolverSettings::weights, Weights::published)};
  published.rings = published.nets = false;
  return {{"constant", "metric: constant", "the matrix is factored once, whatever the rod",
           with(&SolverSettings::metric, Metric::constant)},
          {"refreshed", "metric: refreshed", "the matrix is made anew in each step, positions and turns together",
           with(&SolverSettings::metric, Metric::refreshed)},
          {"separate", "coupling: separate", "as in the paper, bend and twist travel one segment an iteration",
           with(&SolverSettings::coupling, Coupling::separate)},
          published,
          {"plain", "acceleration: none", "the iterates as they come", with(&SolverSettings::acceleration, Acceleration::none)}};
}

}  // namespace

SolverInfo info() {
  SolverInfo row;
  row.name = "pd";
  row.title = "Cosserat rods with Projective Dynamics";
  row.source = "docs/theory/pd.md";
  row.integrator = "implicit Euler, order 1";
  row.chains = row.rings = row.nets = true;
  row.notes = "at most a fixed number of cheap iterations a step; more of them, nearer to newton";
  row.variants = variants();
  return row;
}

std::unique_ptr<Solver> make(const Model& model, int threads) { return std::make_unique<PdSolver>(model, threads); }

}  // namespace writhe::pd
