// Motions of a connected part that may be neutral: its six rigid motions and the spin of all its segments about their own axes.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "assembly/assembly.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::statics {

// Columns of a matrix of candidates: the spin first, so that a reduced basis names it and rotations before translations.
enum Candidate : int { spin = 0, rotation = 1, translation = 4, candidates = 7 };

// Where a rod meets a frame.
struct Arm {
  int frame;
  Vec3 d3;  // of the rod, as the frame sees it
};
using ArmsByRod = std::vector<std::vector<Arm>>;

// Once for all parts, so that each looks at no more than its own.
ArmsByRod find_arms(const Model& model);

// A connected part and its candidates. Rows are unknowns, then what is prescribed; displacements in m, turns in rad times the
// part's length, so that rows and columns are of one size.
class PartCandidates {
 public:
  // Rotations are about the middle of the part in this state, so that their numbers do not depend on where it is.
  PartCandidates(const Model& model, const assembly::Assembly& assembly, const Component& component, const ArmsByRod& arms,
                 const State& state);

  // Coefficients of the combinations that supports allow.
  Eigen::MatrixXd allowed(const State& state, const Eigen::VectorXd& free) const;
  // What forces (per unknown, N and N m) do on a combination of unit size, and the most it could be.
  struct Work {
    double done = 0, most = 0;  // N m per m
  };
  Work work(const State& state, const Eigen::VectorXd& forces, const Eigen::Ref<const Eigen::VectorXd>& coefficients) const;
  Eigen::SparseVector<double> direction(const State& state, const Eigen::Ref<const Eigen::VectorXd>& coefficients,
                                        int size) const;
  bool moves(const State& state, const Eigen::Ref<const Eigen::VectorXd>& coefficients) const;
  std::string name(const Eigen::Ref<const Eigen::VectorXd>& coefficients) const;
  // Coefficients (columns) of its turns about the axes through a point, and of its shifts along them.
  Eigen::MatrixXd rigid(const Vec3& about) const;
  const Vec3& centre() const { return m_centre; }
  int rod() const { return m_rod; }
  double length() const { return m_length; }

  // What is not prescribed, by block.
  struct Unknown {
    int block;
    bool is_node;
    std::size_t entry;
  };
  const std::vector<Unknown>& unknowns() const { return m_unknowns; }
  // The size of a motion, for combinations of unit size, and a little more: one that should be none is a rounding error.
  double size_of(const Unknown& unknown, const Vec3& motion) const {
    constexpr double least = 1e-2;
    return norm(motion) + least / (unknown.is_node ? 1 : m_length);
  }
  // m, or rad in the body: how an unknown moves in a combination of candidates.
  Vec3 motion_of(const State& state, const Unknown& unknown, const Eigen::Ref<const Eigen::VectorXd>& coefficients) const;

 private:
  void find_spins(const Model& model, const Component& component, const ArmsByRod& arms);
  Vec3 node_row(const State& state, int node, int column) const;
  Vec3 turn_row(const State& state, std::size_t k, int column) const;

  struct Entry {
    int index;  // node or orientation
    int block;  // -1: prescribed
  };
  std::vector<Entry> m_nodes, m_turns;
  std::vector<Unknown> m_unknowns;
  std::vector<Vec3> m_spin;  // per turn: axis of the spin, body
  Vec3 m_centre{};
  double m_length = 0;
  int m_rod;
  std::string m_name;
};

}  // namespace writhe::statics
