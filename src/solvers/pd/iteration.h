// Algorithm 1 of the paper: local and global steps in turn, over nodes and orientations; what all parts share.
//
// Chains that are solved side by side know nothing of each other. Each has its own metric, guard, iterations and end; one that
// has ended stays where it is while the others go on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solvers/part.h"
#include "solvers/pd/bundle_kernel.h"
#include "solvers/pd/metric.h"

namespace writhe::pd {

class Iteration : public Part {
 public:
  explicit Iteration(const Model& model);
  StepReport minimise(const State& state, const Loading& loading, double dt) final;
  void leave_out(const std::vector<std::uint8_t>& rod_is_coupled) final;

 protected:
  // rod: of a ring or a net, any of its rods; they are left out together. length: m, of the longest.
  void add_chain(int rod, double length, const MetricChoice& choice);

  // The coefficients of this step's incremental potential, and the point it starts from: where everything would fly without
  // forces, with prescribed things in their new places. Sets the sizes below.
  virtual void load_step(const State& state, const Loading& loading, double dt, bool refreshed) = 0;
  // After load_step: whether no step can be taken from here; then the report says why.
  virtual bool refuses(StepReport& /*report*/) const { return false; }
  // See BundleKernel.
  virtual void move_nodes(int column, BundleSums& sums) = 0;
  virtual void find_moments(int column, BundleSums& sums) = 0;
  virtual void keep_point() = 0;  // as the best
  virtual void go_to_best() = 0;  // from a point that was looked at and refused: the step ends there
  virtual void
  balance_best() = 0;  // where nothing holds it: moves it as a whole, so that its momentum is right to the last digit
  virtual void turn(int column) = 0;
  virtual void take(int column) = 0;
  virtual void mix(int column) = 0;
  virtual void fall_back(int column, const double* merit, const double* limit) = 0;
  // Makes the metric anew, at the point, of the chains whose number is positive; false where it is constant.
  virtual bool renew_metric(const double* chains) = 0;
  // A chain's place while the arrays go on without it: of one that has ended, the best point; of one that does not turn with the
  // others, the point, which comes back into the column, too. Only of several chains.
  virtual void set_best_aside(int /*chain*/) {}
  virtual void put_best_back(int /*chain*/) {}
  virtual void set_point_aside(int /*chain*/) {}
  virtual void put_point_back(int /*chain*/, int /*column*/) {}
  virtual bool only_rounding(int chain) const { return residual(chain) <= m_rounding[chain]; }
  virtual BundleShape inspect() const = 0;  // of the point where the step ends
  // Rod and node with the largest remaining force, or one that is not finite, of a chain of the bundle.
  virtual void blame(int chain, StepReport& report) const = 0;

  const Model& model() const { return *m_model; }
  double residual(int chain) const { return std::max(m_sums.force[chain], m_sums.turning[chain]); }
  bool running(int chain) const { return m_progress[chain].running; }
  bool has_best(int chain) const;
  bool counts(int chain) const { return m_progress[chain].counts; }

  int m_chains = 0;                 // that are solved side by side
  double m_load[most_lanes]{};      // N: sum of the sizes of the applied forces
  double m_size[most_lanes]{};      // m: largest coordinate
  double m_rounding[most_lanes]{};  // N: forces below this are rounding errors
  double m_length[most_lanes]{};    // m: of the longest rod
  BundleHistory m_history{};

 private:
  // How far a chain has come in this step.
  struct Progress {
    bool counts = false;       // takes part in it
    bool running = false;      // and has not ended
    bool aside = false;        // ended, while others went on
    bool rose = false;         // the point looked at last was refused
    bool turned = false;       // into the point looked at
    bool gone = false;         // from the prediction
    bool moved = false;        // the best point is not the one of which the metric was made
    bool converged = false;    // when it ended
    int iterations = 0;        // that count
    int refused = 0;           // that do not
    double best = 0;           // J: potential of the best point
    double lowest = 0;         // J: of any so far
    double best_residual = 0;  // N
    double least = 0;          // N: residual of any point so far
    int stalls = 0;            // iterations since it last fell

    void note(double residual) {
      const bool falls = residual < 0.9 * least;
      stalls = falls ? 0 : stalls + 1;
      if (falls) least = residual;
    }
  };

  bool start(bool refreshed, double inv_h);
  bool iterate();
  void guard(int column);
  bool any_goes_on();
  void end(int chain);
  void set_ended_aside();
  void go_on(int column);
  bool finite() const;
  bool converged(int chain) const;
  double residual_limit(int chain) const;
  bool is_unloaded(int chain) const;
  StepReport finish();

  const Model* m_model;
  bool m_given_up = false;  // the step that is solved
  bool m_accelerated;
  std::vector<int> m_rods;  // of the chains
  std::vector<MetricChoice> m_choices;
  std::vector<std::uint8_t> m_left_out;
  Progress m_progress[most_lanes];
  BundleSums m_sums{};
  BundleSums m_best_sums{};   // at the best point
  BundleSums m_ended_sums{};  // where a chain has ended
};

}  // namespace writhe::pd
