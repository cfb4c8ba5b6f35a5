// From the unloaded rods to the last equilibrium: puts the loads on, then follows supports and ramps in time.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "statics/equilibrium.h"
#include "statics/neutral.h"

namespace writhe::statics {

class Path {
 public:
  // `state` is where it starts and is always the last equilibrium found. `seen` is called after each, `in_time` when the loads
  // are on.
  Path(const Model& model, Equilibrium& equilibrium, State& state, const StaticOptions& options,
       std::function<void(const StaticPoint&, bool in_time)> seen);

  StaticReport run();
  const Where& where() const { return m_where; }
  const Freedom& freedom() const { return m_freedom; }

 private:
  // A stretch of the path; s from 0 to 1 along it.
  struct Stage {
    Where from, to;
    Where at(double s) const {
      return {from.load + s * (to.load - from.load), s == 1 ? to.time : from.time + s * (to.time - from.time)};
    }
  };
  struct Arc;

  bool find_mechanism();
  bool put_loads_on();
  bool is_smooth(const Stage& stage, const Eigen::VectorXd& from, double step, double target, const State& found);
  bool is_near(const State& predicted, const State& found, double foreseen) const;
  bool settle_at(const State& state, const Where& where, const Solved& solved);
  bool follow(const Stage& stage);
  bool follow_arc(const Stage& stage);
  bool step_arc(const Stage& stage, Arc& arc, double length);
  bool advance_arc(const Stage& stage, Arc& arc);
  bool end_arc(const Stage& stage, Arc& arc);
  bool turns_back(const Stage& stage, double s);

  Eigen::VectorXd tangent(const Stage& stage, double s, const State& state);
  std::optional<Solved> predict_and_correct(const Stage& stage, double s, const Eigen::VectorXd& tangent, double target,
                                            State& trial);
  static constexpr int most_corrections = 12;
  std::string reached() const;
  double dot(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const;

  void hold_neutral(const State& state, const Where& where);
  bool accept(const State& state, const Where& where, const Solved& solved);
  void locate_crossings(const Stage& stage, double s, const State& start, const Eigen::VectorXd& tangent, double target,
                        int before);
  void perturb();
  bool fail(StaticStatus status, const Residual& at, std::string cause);

  const Model& m_model;
  Equilibrium& m_equilibrium;
  State& m_state;
  const StaticOptions& m_options;
  std::function<void(const StaticPoint&, bool)> m_seen;
  Where m_where;
  bool m_in_time = false;
  int m_negative = 0;
  Freedom m_freedom;
  Eigen::VectorXd m_weights;  // per unknown: what makes the size of a step independent of the mesh
  StaticReport m_report;
};

}  // namespace writhe::statics
