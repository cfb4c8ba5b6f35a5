// Open chains: one, or several equal ones side by side in the lanes of a register.
#pragma once

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "solvers/pd/iteration.h"
#include "solvers/pd/metric.h"
#include "solvers/step_material.h"

namespace writhe::pd {

struct Tridiagonal;

class Bundle final : public Iteration {
 public:
  // How a chain is built up. Those that are equal in this can lie side by side, whatever they are made of.
  struct Layout {
    int segments = 0;
    std::vector<int> anchors;  // joints to prescribed frames: segment, from 1 on, negative where the frame comes second
    bool operator<(const Layout& other) const { return std::tie(segments, anchors) < std::tie(other.segments, other.anchors); }
  };
  static Layout layout(const Model& model, int rod, const std::vector<int>& joints);

  // joints: of each rod. One rod, or as many as bundle_kernel() has lanes.
  Bundle(const Model& model, std::vector<int> rods, std::vector<std::vector<int>> joints);

  void store(Configuration& next) const override;

  int factorisations() const { return m_factorisations; }  // of the constant metric, so far

 private:
  void load_step(const State& state, const Loading& loading, double dt, bool refreshed) override;
  void move_nodes(int column, BundleSums& sums) override { m_kernel.move_nodes(m_arrays, column, sums); }
  void find_moments(int column, BundleSums& sums) override { m_kernel.find_moments(m_arrays, column, sums); }
  void keep_point() override { std::swap(m_arrays.point, m_arrays.best); }
  void go_to_best() override {}  // it is what is stored
  void balance_best() override;
  void turn(int column) override { m_kernel.turn(m_arrays, column, m_history); }
  void take(int column) override { m_kernel.take(m_arrays, column); }
  void mix(int column) override { m_kernel.mix(m_arrays, column, m_history); }
  void fall_back(int column, const double* merit, const double* limit) override {
    m_kernel.fall_back(m_arrays, column, merit, limit, m_history);
  }
  bool renew_metric(const double* chains) override;
  void set_best_aside(int chain) override { copy_place(place_aside(chain), place_in_tiles(m_arrays.best, chain)); }
  void put_best_back(int chain) override { copy_place(place_in_tiles(m_arrays.best, chain), place_aside(chain)); }
  void set_point_aside(int chain) override { copy_place(place_aside(chain), place_in_tiles(m_arrays.point, chain)); }
  void put_point_back(int chain, int column) override;
  BundleShape inspect() const override;
  void blame(int chain, StepReport& report) const override;

  // One chain of the bundle.
  struct Chain {
    int rod, node0, segment0;
    std::vector<int> joints;                          // of the model
    std::vector<int> fixed;                           // nodes with a prescribed coordinate
    bool drags = false;                               // in this step
    bool flies = false;                               // in this step: nothing holds it, and the metric is the refreshed one
    double stiffest_segment = 0, stiffest_joint = 0;  // N/m, N: stiffness over length squared
  };

  void allocate();
  void load_material();
  void clear_past_ends();
  void gather(const State& state, const Loading& loading);
  void gather(int chain, int i, const State& state, const Loading& loading);
  double add_drag(int chain, const Loading& loading);
  void fly_under_loads(int chain, int point);
  void place_prescribed(int chain, const Loading& loading);
  void set_stretch_levels(int chain);
  void set_sizes(const BundleStart& start, double dt);
  void load_frames(int chain, const Loading& loading);
  void load_step_material(const StepMaterial& material);
  void put_joint(int chain, int place, const Vec3& stiffness, const Vec3& rest);
  Vec3 stretch_stiffness(int segment) const;
  Vec3 bend_stiffness(int joint) const;

  void set_level(int& level, int now);
  void factorise();
  void factorise_nodes(int chain);
  void factorise_turns(int chain);
  void factorise_system(int chain, int system, int c, Tridiagonal& matrix);

  // A point of one of several chains, wherever it is kept: its first number, and from a tile to the next.
  struct Place {
    double* first;
    long stride;
  };
  Place place_in_tiles(int point, int chain) const { return {m_arrays.rows + point * m_arrays.lanes + chain, bundle_rows}; }
  Place place_aside(int chain) const { return {m_aside + chain, point_rows}; }
  Place place_in_column(int column, int chain) const;
  void copy_place(const Place& to, const Place& from) const;

  // Numbers of index i of a chain.
  double& cell(int row, int i, int chain) const;
  Vec3 vec(int row, int i, int chain) const;
  Quat quat(int row, int i, int chain) const;
  void put(int row, int i, int chain, const Vec3& v) const;
  void put(int row, int i, int chain, const Quat& q) const;

  std::vector<Chain> m_members;
  std::vector<long> m_places;  // per index: where its first number is
  std::vector<BundleAnchor> m_anchors;
  std::vector<int> m_prescribed;       // see BundleArrays
  std::vector<int> m_anchor_of_joint;  // by place in Chain::joints; -1: between segments
  bool m_published;
  Coupling m_coupling;
  bool m_plain = true;  // the material of the last step was the model's own

  // What the metric was made for: the step, and how far drag (per node and coordinate) and stretch (per segment) exceed what they
  // usually are.
  double m_metric_dt = 0;
  bool m_stale = true;
  int m_factorisations = 0;
  std::vector<int> m_drag_levels, m_stretch_levels;
  bool m_stretched = false;  // a segment has a level

  struct Free {
    void operator()(double* p) const;
  };
  std::unique_ptr<double[], Free> m_memory;
  double* m_aside = nullptr;  // of several chains, places of those that the arrays go on without: [tiles][point_rows][lanes]
  BundleArrays m_arrays;
  const BundleKernel& m_kernel;
};

}  // namespace writhe::pd
