// Energy, gradient and Hessian of the elastic elements of a set of rods, as vectors and a sparse matrix: any graph of rods.
//
// Three unknowns a block: the position of a node, or the turn of an orientation that is not prescribed (body components,
// q -> q exp(delta/2)). Blocks are numbered along the rods, a node before its segment.
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "linalg/block_matrix.h"
#include "linalg/signed_factor.h"
#include "math/rotation.h"
#include "terms/dof.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::assembly {

// What an evaluation finds on its way.
struct Sums {
  double energy = 0;        // J
  double internal = 0;      // N: largest force in a segment
  double moment = 0;        // N m: largest moment in a joint
  double joint_cosine = 1;  // smallest cosine of half the angle of a joint; -1 is a full turn
  double joint_fold = 1;    // smallest squared cosine of half the bend of a joint; 0 is folded flat
};

// Stiffnesses and strains without stress, element by element in the order of an Assembly.
struct ElementMaterial {
  std::vector<Vec3> stretch, stretch_rest;  // segments: N, 1
  std::vector<Vec3> bend, bend_rest;        // joints: N m^2, 1/m
};

// What a gradient can tell besides; each where it is given.
struct GradientDetail {
  std::vector<double>* sizes = nullptr;     // per block: sizes of what the elements add there are added, N and N m
  std::vector<Vec3>* prescribed = nullptr;  // per frame of the model: the gradient at prescribed ones is added, N m, body
};

// The gradient of one element, by the blocks it acts on; prescribed ones left out. N and N m.
struct ElementForces {
  int count = 0;
  int block[3]{};
  Vec3 force[3]{};
};

class Assembly {
 public:
  struct Unknown {
    int index;  // of a node, or of an orientation
    int block;
  };

  // joints: every joint of the model with a segment of these rods.
  Assembly(const Model& model, const std::vector<int>& rods, std::vector<int> joints);
  // All rods of the model.
  explicit Assembly(const Model& model);

  const Model& model() const { return *m_model; }
  const std::vector<Unknown>& nodes() const { return m_nodes; }
  const std::vector<Unknown>& orientations() const { return m_orientations; }  // segments and free frames
  const std::vector<int>& segments() const { return m_segments; }
  const std::vector<int>& joints() const { return m_joints; }
  int size() const { return 3 * m_blocks; }
  int rod_count() const { return static_cast<int>(m_rod_start.size()) - 1; }
  // Per unknown: 1 where it is free, 0 where a support holds a coordinate.
  const Eigen::VectorXd& free() const { return m_free; }
  // Block of a node or an orientation; -1 where it is prescribed or not of these rods.
  int block_of_node(int node) const { return find(m_nodes, node); }
  int block_of_orientation(int orientation) const { return find(m_orientations, orientation); }
  int block_of(const Dof& dof) const {
    return dof.kind == Dof::Kind::node ? block_of_node(dof.index) : block_of_orientation(dof.index);
  }

  ElementMaterial material() const;  // of the model, undamped
  // Pairs of blocks besides those of elements that the matrix is to have; instead of those given before.
  void couple(const std::vector<std::pair<int, int>>& pairs);
  const linalg::BlockMatrix& matrix() const { return m_pattern; }  // zero
  // Pairs of blocks that its own elements join.
  std::span<const std::pair<int, int>> own_couplings() const { return std::span(m_couplings).first(m_own_couplings); }
  // Whether every rod is a chain of its own: open, and with no element that reaches another.
  bool is_chains() const { return m_is_chains; }
  // Of such rods: what can be eliminated along them, and in which order, before the blocks that these pairs couple.
  void find_runs(const std::vector<std::pair<int, int>>& pairs, linalg::Runs& runs) const;

  // Adds the gradient of the elastic energy; coordinates that are held have theirs too.
  Sums add_gradient(const State& state, const ElementMaterial& material, Eigen::VectorXd& gradient,
                    const GradientDetail& detail = {}) const;
  // The terms of that gradient, element by element.
  void visit_gradients(const State& state, const ElementMaterial& material,
                       const std::function<void(const ElementForces&)>& visit) const;
  // Adds the Hessian; what the stresses multiply (the geometric part) by the factor `geometric`.
  void add_hessian(const State& state, const ElementMaterial& material, double geometric, linalg::BlockMatrix& matrix) const;
  // to = from + scale * step, of these unknowns.
  void move(const State& from, const Eigen::VectorXd& step, double scale, State& to) const;

 private:
  struct SegmentSlots {
    int x0, x1, q;  // blocks
    linalg::BlockMatrix::Slot x0x0, x1x1, x1x0, qq, qx0, qx1;
  };
  struct JointSlots {
    int a, b;  // blocks; -1: prescribed
    linalg::BlockMatrix::Slot aa, bb, ba;
  };
  static int find(const std::vector<Unknown>& sorted, int index);
  auto segment_value(const State& state, const ElementMaterial& material, std::size_t k) const;
  auto joint_value(const State& state, const ElementMaterial& material, std::size_t k) const;
  void number(const std::vector<int>& rods);
  void find_elements();
  bool own_couplings_are_those_of_chains() const;
  void place_elements();

  const Model* m_model;
  int m_blocks = 0;
  // A node and its segment, or what else follows before the next node, is a place.
  std::vector<int> m_place_start, m_rod_start;  // per place its first block, per rod its first place; one more than there are
  bool m_is_chains = false;
  std::vector<Unknown> m_nodes, m_orientations;  // ascending
  std::vector<int> m_segments, m_joints;         // of the model
  std::vector<SegmentSlots> m_segment_slots;
  std::vector<JointSlots> m_joint_slots;
  std::vector<std::pair<int, int>> m_couplings;  // of elements, then those of terms
  std::size_t m_own_couplings = 0;
  linalg::BlockMatrix m_pattern{0, {}};
  Eigen::VectorXd m_free;
};

// q turned by the rotation vector `step` (rad, body).
inline Quat turned(const Quat& q, const Vec3& step) { return normalized(q * exp_rotation(step)); }

// A block of a vector of unknowns.
inline Vec3 block(const Eigen::VectorXd& v, int i) { return {v[3 * i], v[3 * i + 1], v[3 * i + 2]}; }
inline void add_block(Eigen::VectorXd& v, int i, const Vec3& a) {
  v[3 * i] += a.x;
  v[3 * i + 1] += a.y;
  v[3 * i + 2] += a.z;
}

}  // namespace writhe::assembly
