#include "solvers/pd/pd.h"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
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
  PdSolver(const Model& model, const Threads& threads, std::shared_ptr<Terms> terms);
  void listen(const Stop& stop) override { m_parts.listen(stop); }
  StepReport step(State& state, const Loading& loading, double dt, Integrator) override {
    return m_parts.step_euler(state, loading, dt, watch());
  }
  bool is_bounded() const override { return true; }

 private:
  std::unique_ptr<Part> make_net(std::span<const int> components);

  const Model* m_model;
  std::shared_ptr<Terms> m_terms;
  std::vector<std::vector<int>> m_joints;  // by rod
  std::shared_ptr<NetStates> m_states;     // of all nets; once there is one
  PartSet m_parts;
};

void check_metric(const Scene& scene) {
  if (scene.solver.pd.metric != Metric::refreshed || !MetricChoice::constant_only(scene.solver.pd)) return;
  throw Error({{scene.where("solver.pd.metric"), "solver.pd.metric", "refreshed",
                "does not go with weights: published or coupling: separate, which are the paper's; choose constant or auto"}});
}

// Chains that are equal in layout and want the same metric in steps of the scene, as many as a register has lanes, become one
// part; what is left over, parts of their own.
PdSolver::PdSolver(const Model& model, const Threads& threads, std::shared_ptr<Terms> terms)
    : m_model(&model),
      m_terms(std::move(terms)),
      m_joints(joints_by_rod(model)),
      m_parts(model, m_terms, threads, [this](std::span<const int> own, bool) { return make_net(own); }) {
  check_metric(model.scene());
  std::map<std::pair<Bundle::Layout, bool>, std::vector<int>> waiting;  // components
  const auto add = [&](std::vector<int> components) {
    std::vector<int> rods;
    std::vector<std::vector<int>> own;
    for (const int component : components) {
      rods.push_back(model.components()[component].rods.front());
      own.push_back(m_joints[rods.back()]);
    }
    m_parts.add(std::make_unique<Bundle>(model, std::move(rods), std::move(own)), std::move(components));
  };
  const std::size_t lanes = static_cast<std::size_t>(bundle_kernel().lanes);
  for (int c = 0; c < static_cast<int>(model.components().size()); ++c) {
    const Component& component = model.components()[c];
    const int rod = component.rods.front();
    const auto is_corner = [&](int joint) { return model.is_corner(joint); };  // a bundle has no joints between turned segments
    if (component.kind != Component::Kind::chain || std::any_of(m_joints[rod].begin(), m_joints[rod].end(), is_corner)) {
      m_parts.add(make_net(std::span(&c, 1)), {c});
      continue;
    }
    const bool refreshed =
        MetricChoice(model, m_joints[rod], slow_chain).refreshed(model.scene().solver.pd, 1 / model.scene().dt);
    std::vector<int>& equal = waiting[{Bundle::layout(model, rod, m_joints[rod]), refreshed}];
    equal.push_back(c);
    if (lanes > 1 && equal.size() == lanes) add(std::exchange(equal, {}));
  }
  for (const auto& [layout, components] : waiting)
    for (const int component : components) add({component});
}

std::unique_ptr<Part> PdSolver::make_net(std::span<const int> components) {
  if (!m_states) m_states = std::make_shared<NetStates>(*m_model);
  return std::make_unique<Net>(*m_model, rods_and_joints(*m_model, components, m_joints), m_states, m_terms);
}

constexpr std::initializer_list<Feature> features{Feature::chains, Feature::rings,   Feature::nets,
                                                  Feature::links,  Feature::corners, Feature::followers};

template <class Value>
SolverVariant variant(const char* name, Value PdSettings::*key, Value value, const char* field, const char* word,
                      const char* title) {
  SolverVariant out{name, std::string("solver.pd.") + field, word, title, {}, {}, features};
  out.settings.pd.*key = value;
  out.chosen = [=](const SolverSettings& settings) { return settings.pd.*key == value; };
  return out;
}

std::vector<SolverVariant> variants() {
  SolverVariant published = variant("published", &PdSettings::weights, Weights::published, "weights", "published",
                                    "the paper's constants: one stiffness for bend and twist, too stiff");
  published.features = {Feature::chains};  // the paper has neither rings nor junctions nor corners, and its constants no net
  return {variant("constant", &PdSettings::metric, Metric::constant, "metric", "constant",
                  "the matrix is factored once, whatever the rod"),
          variant("refreshed", &PdSettings::metric, Metric::refreshed, "metric", "refreshed",
                  "the matrix is made anew in each step, positions and turns together"),
          variant("separate", &PdSettings::coupling, Coupling::separate, "coupling", "separate",
                  "as in the paper, bend and twist travel one segment an iteration"),
          published,
          variant("plain", &PdSettings::acceleration, Acceleration::none, "acceleration", "none", "the iterates as they come")};
}

}  // namespace

SolverInfo info() {
  SolverInfo row;
  row.name = "pd";
  row.title = "Cosserat rods with Projective Dynamics";
  row.source = "docs/theory/pd.md";
  row.integrator = "implicit Euler, order 1";
  row.features = features;
  row.notes = "at most a fixed number of cheap iterations a step; more of them, nearer to newton";
  row.variants = variants();
  return row;
}

std::unique_ptr<Solver> make(const Model& model, const Threads& threads, std::shared_ptr<Terms> terms) {
  return std::make_unique<PdSolver>(model, threads, std::move(terms));
}

}  // namespace writhe::pd
