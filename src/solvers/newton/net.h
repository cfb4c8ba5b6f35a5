// A net of rods: the incremental potential on any graph, factored sparsely. Slower for a segment than a chain, for any shape.
#pragma once

#include <memory>
#include <vector>

#include "linalg/signed_factor.h"
#include "solvers/net_potential.h"
#include "solvers/newton/minimiser.h"

namespace writhe::newton {

class Net final : public Minimiser {
 public:
  // See NetPotential.
  Net(const Model& model, const std::vector<int>& rods, std::vector<int> joints, std::shared_ptr<State> trial);

  void store(Configuration& next) const override { m_potential.store(next); }

 private:
  void load_step(const State& state, const Loading& loading, double dt) override;
  void load_flight(const State& state, double dt) override;
  double evaluate_energy() override { return evaluate().energy; }
  ChainSums evaluate() override;
  bool solve(double geometric, double& slope) override;
  void set_base() override;
  void move(double size) override;
  bool only_rounding(const ChainSums&) const override { return m_value.only_rounding; }
  bool was_short() const override;
  void blame(StepReport& report) const override { m_potential.blame(m_value.residual.block, report); }

  NetPotential m_potential;
  NetPotential::Value m_value;  // at the trial point
  linalg::BlockMatrix m_matrix;
  linalg::SignedFactor m_factor;
  std::vector<linalg::BlockMatrix::Slot> m_node_slots, m_spin_slots;  // in the order of the potential's terms
  std::vector<Vec3> m_base_x;                                         // in the order of the assembly
  std::vector<Quat> m_base_q;
  Eigen::VectorXd m_gradient, m_direction;
  double m_moved = 0;  // part of the direction that was gone last
};

}  // namespace writhe::newton
