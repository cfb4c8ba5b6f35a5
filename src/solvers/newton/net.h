// A net of rods: the incremental potential on any graph, factored sparsely. Slower for a segment than a chain, for any shape.
#pragma once

#include <memory>
#include <vector>

#include "assembly/assembly.h"
#include "assembly/scales.h"
#include "linalg/signed_factor.h"
#include "solvers/newton/minimiser.h"
#include "solvers/step_material.h"

namespace writhe::newton {

class Net final : public Minimiser {
 public:
  // joints: those of the rods. `trial`: of the whole model, shared by all nets; each uses its own nodes and orientations.
  Net(const Model& model, const std::vector<int>& rods, std::vector<int> joints, std::shared_ptr<State> trial);

  void store(Configuration& next) const override;

 private:
  void load_step(const State& state, const Loading& loading, double dt) override;
  void load_flight(const State& state, double dt) override;
  double evaluate_energy() override { return evaluate().energy; }
  ChainSums evaluate() override;
  bool solve(double geometric, double& slope) override;
  void set_base() override;
  void move(double size) override;
  bool only_rounding(const ChainSums&) const override { return m_only_rounding; }
  bool was_short() const override;
  void blame(StepReport& report) const override;

  void load_nodes(const State& state, const Loading& loading, double dt);
  void load_spins(const State& state, const Loading& loading, double dt);
  void load_material(const StepMaterial& material);
  bool finds_only_rounding() const;

  struct NodeTerm {
    Sym3 matrix;         // N/m
    Vec3 force, x_prev;  // N, m
    linalg::BlockMatrix::Slot slot;
  };
  struct SpinTerm {
    Vec3 inertia, momentum;  // kg m^2, kg m^2/s
    Quat q_prev;
    int block;
    linalg::BlockMatrix::Slot slot;
  };

  assembly::Assembly m_assembly;
  assembly::Scales m_scales;
  std::vector<double> m_levers;
  std::vector<assembly::BlockScale> m_blocks;
  assembly::ElementMaterial m_elastic, m_damped;
  linalg::BlockMatrix m_matrix;
  linalg::SignedFactor m_factor;
  std::shared_ptr<State> m_trial;
  std::vector<Vec3> m_base_x;  // in the order of the assembly
  std::vector<Quat> m_base_q;
  std::vector<NodeTerm> m_nodes;
  std::vector<SpinTerm> m_spins;  // segments; frames have no inertia
  double m_inv_h = 0;
  bool m_plain = true;  // the material of the last step was the model's own
  Eigen::VectorXd m_gradient, m_direction;
  int m_worst = -1;              // block with the largest remaining force
  double m_damped_factor = 1;    // on every stiffness in this step
  bool m_only_rounding = false;  // at the trial point
  double m_moved = 0;            // part of the direction that was gone last
};

}  // namespace writhe::newton
