// One open chain: the incremental potential of a step, minimised by Newton's method.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solvers/newton/chain_kernel.h"
#include "solvers/newton/part.h"

namespace writhe::newton {

class Chain final : public Part {
 public:
  // joints: those of the rod, interior and to clamps.
  Chain(const Model& model, int rod, std::vector<int> joints);

  StepReport minimise(const State& state, const Loading& loading, double dt) override;
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

  void load_material();
  void load_step(const State& state, const Loading& loading, double dt);
  void load_damped_strains(const State& state, double dt);
  ChainSums predict(const State& state);
  double evaluate_energy();
  ChainSums evaluate();
  void assemble(double geometric);
  bool find_direction();
  bool search(ChainSums& sums);
  double residual_limit(const ChainSums& sums) const;
  const char* obstacle(const ChainSums& sums, const char* otherwise) const;
  void blame(StepReport& report, const char* cause) const;

  std::size_t state_bytes() const;
  Vec3 vec(int row, int i) const;
  Quat quat(int row, int i) const;
  void put(int row, int i, const Vec3& v) const;
  void put(int row, int i, const Quat& q) const;
  void put_joint(int joint, const Vec3& stiffness, const Vec3& rest);

  const Model* m_model;
  int m_rod, m_node0 = 0, m_segment0 = 0, m_segments = 0;
  std::vector<int> m_joints;           // of the model, ascending
  std::vector<int> m_anchor_of_joint;  // from the first joint on; -1: an ordinary joint
  std::vector<Anchor> m_anchors;
  std::vector<int> m_fixed;  // nodes of the chain with a prescribed coordinate

  double m_dt = 0;
  double m_load = 0;            // N: sum of the sizes of the applied forces; the weight, if that is all
  double m_size = 0;            // m: largest coordinate
  double m_rounding = 0;        // N: forces below this are rounding errors of the positions
  double m_stiffest_joint = 0;  // N: stiffness over length squared
  double m_slope = 0;           // J: of the potential along the search direction

  struct Free {
    void operator()(double* p) const;
  };
  std::unique_ptr<double[], Free> m_memory;
  ChainArrays m_arrays;
  const ChainKernel& m_kernel;
};

}  // namespace writhe::newton
