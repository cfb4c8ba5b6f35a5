// How far a state is from where its forces balance, in metres: a step of Newton's method on all that acts, from one
// factorisation. docs/theory/rod.md, "What is left over".
//
// A residual force does not tell: along a soft mode a force below any tolerance is centimetres away from balance. For any method
// that steps with the energies of src/elastic.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include "linalg/signed_factor.h"
#include "loads/loading.h"
#include "solvers/circulation.h"
#include "solvers/islands.h"
#include "solvers/net_potential.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe {

class Correction {
 public:
  explicit Correction(const Model& model);
  // False where the method steps with other energies (`pd` with the paper's weights): nothing can be told.
  static bool applies(const Scene& scene);

  // Of displacements of the nodes: the largest in m, and as a part of the length of the shortest rod at the node.
  struct Size {
    double metres = 0, part = 0;
    int node = -1;  // that has the largest part
  };

  struct Rest {
    Size left;         // to the equilibrium
    Size noise;        // what rounding errors of forces make of that, as far as known
    int unstable = 0;  // motions that grow from there; not counted with loads without a potential
  };
  // Of a state taken as an equilibrium under these loads. Nothing where it is singular or not finite.
  std::optional<Rest> of_rest(const State& state, const Loading& loading);
  // After of_rest: the state, moved by a part of that step.
  void move(const State& from, double part, State& to) const { m_potential.assembly().move(from, m_step, part, to); }
  // The largest turn (rad) or part of the length in that step.
  double longest() const;

  struct Step {
    double here = 0;        // m, to where the step would have ended
    double since_then = 0;  // m, to where the rod would be, or come, had the same forces been left over since the start
  };
  // Of an implicit Euler step that ended at `after`; elapsed: s, of the whole motion.
  std::optional<Step> of_step(const State& before, const Loading& loading, double dt, const State& after, double elapsed);

 private:
  void begin(const State& start, const Loading& loading, double dt);
  void put_trial(const State& state);
  bool factorise(double geometric);
  bool solve(const Eigen::VectorXd& forces, Eigen::VectorXd& step);
  int count_growing(State at, const Loading& loading);
  Size size_of(const Eigen::VectorXd& step) const;

  const Model& m_model;
  std::shared_ptr<Terms> m_terms;
  Islands m_islands;
  std::vector<TermElement> m_elements;
  NetPotential m_potential;
  linalg::BlockMatrix m_matrix;
  linalg::SignedFactor m_factor;
  Circulation m_circulation;  // of terms without a potential
  Eigen::VectorXd m_gradient, m_step, m_margin;
};

}  // namespace writhe
