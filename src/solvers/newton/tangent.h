// The matrix of a step of Newton's method of a net, and how systems with it are solved: by a sparse factor, or, of many rods that
// touch, by conjugate gradients. docs/theory/contact.md, "Solving".
#pragma once

#include <utility>
#include <vector>

#include <Eigen/Core>

#include "linalg/block_matrix.h"
#include "linalg/conjugate_gradients.h"
#include "linalg/signed_factor.h"
#include "solvers/net_potential.h"

namespace writhe::newton {

class Tangent {
 public:
  Tangent(const NetPotential& potential, int rods);
  // A step begins.
  void begin() { m_gave_up = false; }
  // The pattern is another.
  void renew();

  // The matrix at the trial point, with or without what guards. inertia: see Minimiser::solve.
  void assemble(double geometric, double inertia, NetPotential::Which which = NetPotential::Which::all);
  linalg::BlockMatrix& matrix() { return m_matrix; }
  // It as it is, to come back to.
  void keep() { m_kept = m_matrix.lower().coeffs(); }
  void take_kept() { m_matrix.set(m_kept); }
  // What solves with it. False where it is seen not to be positive definite; may_not: where it is by its making, and only what
  // gradients build on is not, a factor is found instead.
  bool prepare(bool may_not = true);
  // out: a first guess in. False as above, as gradients may see it late. must: where they do not get there a factor does, and in
  // all that follows of the step.
  bool solve(const Eigen::VectorXd& right, Eigen::VectorXd& out, bool must = true);

 private:
  bool goes_by_gradients() const;
  bool factorise();
  bool factorise_rods();
  void find_rods();

  const NetPotential* m_potential;
  int m_rod_count;
  linalg::BlockMatrix m_matrix;
  linalg::SignedFactor m_factor;
  std::vector<linalg::BlockMatrix::Slot> m_nodes, m_spins;  // in the order of the potential's terms
  std::vector<char> m_coupled;                              // per block
  bool m_is_factor_stale = true, m_is_many = false, m_gave_up = false;

  // Of the rods alone, with what touches does to each of them.
  struct Copy {
    linalg::BlockMatrix::Slot from, to;
  };
  linalg::BlockMatrix m_rods;
  linalg::SignedFactor m_rods_factor;
  std::vector<std::pair<int, int>> m_rods_pairs;
  std::vector<Copy> m_copies;
  linalg::ConjugateGradients m_gradients;
  Eigen::VectorXd m_masked;
  Eigen::ArrayXd m_kept;
};

}  // namespace writhe::newton
