// Moments and follower forces within an implicit step, as a term without a potential: their direction is that of the rod where
// the step ends (midpoint: in its middle). docs/theory/coupling.md.
#pragma once

#include <vector>

#include "loads/load_stiffness.h"
#include "terms/term.h"
#include "writhe/model.h"

namespace writhe::loads {

class FollowerTerm final : public Term {
 public:
  explicit FollowerTerm(const Model& model);
  static bool is_needed(const Model& model);

  void begin(const State& start, std::span<const double> remembered, const ImplicitSolve& solve) override;
  bool couples_the_same() const override { return true; }
  bool has_potential() const override { return false; }
  bool has_hessian() const override { return false; }
  int element_count() const override { return static_cast<int>(m_loads.size()); }
  std::span<const Dof> dofs(int element) const override;
  double stiffness(int /*element*/) const override { return 0; }
  Value value(int element, const State& at) const override;
  void hessian(int element, const State& at, Curvature curvature, std::span<Mat3> pairs) const override;
  void circulation(int element, const State& at, std::span<Mat3> blocks) const override;

 private:
  struct Own {
    const ResolvedLoad* load = nullptr;
    double length = 0;  // m, of its rod
    double factor = 0;  // mean of its ramp over the step
    std::vector<Dof> dofs;
    std::vector<double> weights;  // per dof: its share of the force or moment; 0: of no share, the force depends on it
    std::vector<Quat> q_start;    // per dof, of a moment: where the step starts
  };
  // An implicit Euler step of inertia J that turns by 2a changes J w by the moment over cos a (elastic/inertia.h, spin_value): a
  // moment counts by cos a, so that its impulse arrives whole about an axis that stays, and exact at rest, where a = 0. The turn
  // is what the midpoint rule, which balances momentum itself, has as none.
  Quat turn(const Own& own, std::size_t dof, const State& at) const {
    return m_euler ? conj(own.q_start[dof]) * at.q[own.dofs[dof].index] : Quat{1, 0, 0, 0};
  }

  std::vector<Own> m_loads;
  bool m_euler = true;
};

}  // namespace writhe::loads
