// Wind, and drag by a medium that flows, in long steps of implicit Euler: as a term without a potential, which adds to the force
// that the step knows from its start (Drive::of_step) what it has become where the step ends. docs/theory/coupling.md.
#pragma once

#include <array>
#include <vector>

#include "loads/flow.h"
#include "terms/term.h"
#include "writhe/model.h"

namespace writhe::loads {

class WindTerm final : public Term {
 public:
  explicit WindTerm(const Model& model);
  static bool is_needed(const Model& model);

  // Elements are the segments of those rods that the flow would move by more than a stated share of their length in this step.
  void begin(const State& start, std::span<const double> remembered, const ImplicitSolve& solve) override;
  bool has_potential() const override { return false; }
  bool has_hessian() const override { return false; }
  int element_count() const override { return static_cast<int>(m_elements.size()); }
  std::span<const Dof> dofs(int element) const override { return m_elements[element].dofs; }
  double stiffness(int /*element*/) const override { return 0; }
  Value value(int element, const State& at) const override;
  void hessian(int element, const State& at, Curvature curvature, std::span<Mat3> pairs) const override;
  void circulation(int element, const State& at, std::span<Mat3> blocks) const override;

 private:
  struct Element {
    int segment = 0;
    const ResolvedLoad* load = nullptr;
    double factor = 0;          // factor_of_step
    std::array<Dof, 3> dofs{};  // both nodes, the segment
    Vec3 x_start[2];
    HalfDrag known;  // what the step has of it already
  };
  bool is_carried_far(int rod, const State& start, double dt);
  void add_elements(int rod, const State& start, double dt);
  FlowForce force(const Element& element, const State& at) const;

  const Model* m_model;
  std::vector<std::vector<const ResolvedLoad*>> m_loads;  // per rod
  std::vector<Element> m_elements;
  std::vector<Vec3> m_pushed;  // N: on half a segment, of one rod
  double m_inv_h = 0;          // 1/s
};

}  // namespace writhe::loads
