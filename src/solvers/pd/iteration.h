// Algorithm 1 of the paper: local and global steps in turn, over nodes and orientations; what all parts share.
#pragma once

#include <algorithm>

#include "solvers/part.h"
#include "solvers/pd/bundle_kernel.h"

namespace writhe::pd {

class Iteration : public Part {
 public:
  explicit Iteration(const Model& model);
  StepReport minimise(const State& state, const Loading& loading, double dt) final;

 protected:
  // The coefficients of this step's incremental potential, and the point it starts from: where everything would fly without
  // forces, with prescribed things in their new places. Sets the sizes below.
  virtual void load_step(const State& state, const Loading& loading, double dt) = 0;
  // See BundleKernel.
  virtual void move_nodes(int column, BundleSums& sums) = 0;
  virtual void find_moments(int column, BundleSums& sums) = 0;
  virtual void keep_point() = 0;  // as the best
  virtual void go_to_best() = 0;  // from a point that was not looked at
  virtual void
  balance_best() = 0;  // where nothing holds it: moves it as a whole, so that its momentum is right to the last digit
  virtual void turn(int column) = 0;
  virtual void take(int column) = 0;
  virtual void mix(int column) = 0;
  virtual void fall_back(int column, const double* merit, const double* limit) = 0;
  // Makes the metric anew, at the point; false where it is constant.
  virtual bool renew_metric() = 0;
  virtual bool only_rounding(int chain) const { return residual(chain) <= m_rounding[chain]; }
  virtual BundleShape inspect() const = 0;
  // Rod and node with the largest remaining force, or one that is not finite, of a chain of the bundle.
  virtual void blame(int chain, StepReport& report) const = 0;

  const Model& model() const { return *m_model; }
  double residual(int chain) const { return std::max(m_sums.force[chain], m_sums.turning[chain]); }

  int m_chains = 1;                 // that are solved side by side
  double m_load[most_lanes]{};      // N: sum of the sizes of the applied forces
  double m_size[most_lanes]{};      // m: largest coordinate
  double m_rounding[most_lanes]{};  // N: forces below this are rounding errors
  double m_length[most_lanes]{};    // m: of the longest rod
  BundleHistory m_history{};

 private:
  void start();
  double residual_limit(int chain) const;
  bool finite() const;
  bool converged(int iterations) const;
  bool guard(int column);
  StepReport finish(int iterations) const;

  const Model* m_model;
  bool m_accelerated;
  BundleSums m_sums{};
  double m_best[most_lanes]{};           // J: potential of the best point
  double m_lowest[most_lanes]{};         // J: of any so far
  double m_best_residual[most_lanes]{};  // N
  BundleSums m_best_sums{};              // at the best point
  bool m_moved = false;                  // the best point is not the one of which the metric was made
};

}  // namespace writhe::pd
