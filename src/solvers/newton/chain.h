// One rod, an open chain or a ring: the incremental potential of a step on banded matrices.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/newton/chain_kernel.h"
#include "solvers/newton/chain_terms.h"
#include "solvers/newton/minimiser.h"
#include "solvers/step_material.h"

namespace writhe::newton {

class Chain final : public Minimiser {
 public:
  // joints: those of the rod, interior, to clamps, and the one that closes it.
  Chain(const Model& model, int rod, std::vector<int> joints);
  // With terms that have neither potential nor Hessian, which act on this rod alone.
  Chain(const Model& model, int rod, std::vector<int> joints, std::shared_ptr<NetStates> states, std::shared_ptr<Terms> terms);

  void couple(std::span<const TermElement> elements) override;
  void store(Configuration& next) const override;

 private:
  // A joint between a segment and a prescribed frame.
  struct Anchor {
    int joint = 0;             // in the model
    int segment = 0;           // in the chain
    bool frame_first = false;  // the frame is the joint's a
    Quat frame_q{};            // with its turn, at the end of the step
    Vec3 stiffness{}, rest{};  // N m^2 and 1/m, damping included
    Vec3 stress{};             // N m
  };
  // A joint between turned segments, at a corner of the rest shape: too few for the registers, which would carry the turns of all
  // joints. They see no joint there.
  struct Corner {
    int joint = 0;             // in the model
    int a = 0, b = 0;          // segments in the chain
    Quat turn_a{}, turn_b{};   // at the end of the step
    Vec3 stiffness{}, rest{};  // as those of an anchor
    Vec3 stress{};
  };

  void load_step(const State& state, const Loading& loading, double dt) override;
  void load_flight(const State& state, double dt) override;
  double evaluate_energy() override;
  void place(const Configuration& there) override;
  ChainSums evaluate() override;
  bool solve(double geometric, double inertia, double& slope) override;
  void set_base() override { m_rebase = true; }
  void move(double size) override;
  double work_along(double size) const override { return m_terms ? size * m_terms->work : 0; }
  bool leads_nearer(double size) override;
  void blame(StepReport& report) const override;

  void load_material();
  void load_prescribed_turns(const Loading& loading);
  void load_step_material(const StepMaterial& material);
  void copy_start();
  void give_back_copy();
  void assemble(double geometric);
  void scale_node_matrices(double factor);
  void load_terms();
  double find_forces_of_terms();
  void add_moments_of_terms();
  bool solve_with_terms(double& slope);
  void turn_closing_blocks();
  double evaluate_corners();
  void assemble_corners(double geometric);

  Vec3 vec(int row, int i) const;
  Quat quat(int row, int i) const;
  void put(int row, int i, const Vec3& v) const;
  void put(int row, int i, const Quat& q) const;
  void put_joint(int joint, const Vec3& stiffness, const Vec3& rest);

  int m_rod, m_node0 = 0, m_segment0 = 0, m_segments = 0;
  int m_nodes = 0;             // a ring has one less than an open chain: its last index is a copy of the first
  bool m_closed = false;       // a ring
  int m_closing_joint = -1;    // in the model; a ring that is clamped at its first node has none, nor one with a corner there
  Quat m_closing{1, 0, 0, 0};  // how that joint sees the first orientation, at the end of the step
  std::vector<int> m_joints;   // of the model, ascending
  std::vector<int> m_anchor_of_joint;  // from the first joint on; -1: an ordinary joint; -2 and less: corners 0, 1, ...
  std::vector<Anchor> m_anchors;
  std::vector<Corner> m_corners;
  std::vector<int> m_fixed;  // nodes of the chain with a prescribed coordinate

  bool m_rebase = false;        // the trial point is the base; made so with the next move, which leaves it
  bool m_plain = true;          // the material of the last step was the model's own
  double m_stiffest_joint = 0;  // N: stiffness over length squared

  struct Free {
    void operator()(double* p) const;
  };
  std::unique_ptr<double[], Free> m_memory;
  ChainArrays m_arrays;
  const ChainKernel& m_kernel;
  std::unique_ptr<ChainTerms> m_terms;  // null: none act on it
};

}  // namespace writhe::newton
