// Rings and nets: any graph of rods, its metric factored sparsely. Slower for a segment than a bundle, for any shape.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "linalg/signed_factor.h"
#include "solvers/circulation.h"
#include "solvers/net_potential.h"
#include "solvers/pd/iteration.h"
#include "solvers/pd/metric.h"

namespace writhe::pd {

class Net final : public Iteration {
 public:
  // See NetPotential.
  Net(const Model& model, RodsAndJoints own, std::shared_ptr<NetStates> states, std::shared_ptr<Terms> terms);

  void couple(std::span<const TermElement> elements) override;
  void store(Configuration& next) const override {
    if (counts(0)) m_potential.store(next);
  }

 private:
  // Positions and orientations, in the order of the assembly.
  struct Point {
    std::vector<Vec3> x;
    std::vector<Quat> q;
  };

  void load_step(const State& state, const Loading& loading, double dt, bool refreshed) override;
  bool refuses(StepReport& report) const override {
    if (!m_potential.has_led()) m_potential.report_blocked(report);
    return !m_potential.has_led();
  }
  void move_nodes(int column, BundleSums& sums) override;
  void find_moments(int column, BundleSums& sums) override;
  void keep_point() override;
  void go_to_best() override {
    put(m_best_point);
    m_value = m_best_value;
  }
  void turn(int column) override;
  void take(int column) override;
  void mix(int column) override;
  void fall_back(int column, const double* merit, const double* limit) override;
  bool renew_metric(const double* chains) override;
  bool only_rounding(int) const override { return m_value.only_rounding; }
  BundleShape inspect() const override;
  void blame(int, StepReport& report) const override { m_potential.blame(std::max(m_value.residual.block, 0), report); }

  void get(Point& point) const;        // of the trial state
  void put(const Point& point) const;  // into it
  void stay_safe(const Point& from) const;
  void fly(const State& state, double dt);
  void fly_under_loads();
  void balance_best() override {
    if (m_flies) fly_under_loads();
  }
  bool update_levels(const State& state);
  bool update_majorant();
  void find_tensions(const State& state);
  void factorise();
  void add_nodes();
  void add_turns();
  void add_terms();
  void turn_step();
  double work_from_best() const;

  // Of all elements of terms, one after the other: the blocks they act on, and Hessians.
  struct Majorant {
    std::vector<int> blocks;
    std::vector<Mat3> pairs;
    friend bool operator==(const Majorant&, const Majorant&) = default;
  };
  struct Column {
    Eigen::VectorXd step;  // F
    Point result;          // G
  };

  NetPotential m_potential;
  NetPotential::Value m_value;       // where the moments were found
  NetPotential::Value m_best_value;  // at the best point
  struct Factored {
    linalg::BlockMatrix matrix;
    linalg::SignedFactor factor;
    explicit Factored(linalg::BlockMatrix pattern) : matrix(std::move(pattern)), factor(matrix) {}
    void renew(linalg::BlockMatrix pattern) {
      matrix = std::move(pattern);
      factor.renew(matrix);
    }
  };
  Factored m_constant, m_refreshed;  // metrics: nodes and turns apart, and together
  bool m_flies = false;              // in this step: nothing holds it, and the metric is the refreshed one
  bool m_is_refreshed = false;
  Eigen::VectorXd m_is_node;   // per unknown: 1 of a node, 0 of an orientation
  Eigen::VectorXd m_gradient;  // by the nodes before they moved, by the orientations after
  Eigen::VectorXd m_evaluated, m_solved;
  Point m_best_point, m_mixed;
  Point m_before;  // the nodes moved
  std::vector<Column> m_columns;
  double m_metric_dt = 0;
  // With loads that have no potential: as they are at the best point, and what they, each held fast at the best point of its
  // time, have done on the way there and on to the point that is looked at.
  Eigen::VectorXd m_best_forces;
  Circulation m_circulation;
  Eigen::VectorXd m_product;
  double m_done = 0, m_doing = 0;                    // J
  std::vector<int> m_drag_levels, m_stretch_levels;  // see metric.h
  std::vector<double> m_tensions;                    // N/m, per segment
  Majorant m_majorant, m_majorant_now;               // of terms: what the constant metric was made with
};

}  // namespace writhe::pd
