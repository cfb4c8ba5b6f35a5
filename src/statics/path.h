// From the unloaded rods to the last equilibrium: puts the loads on, then follows supports and ramps in time.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "statics/equilibrium.h"
#include "statics/neutral.h"

namespace writhe::statics {

// Why an equilibrium was not found.
const char* cause_of(const Solved& solved);

class Path {
 public:
  // `state` is where it starts and is always the last equilibrium found. `seen` is called after each.
  Path(const Model& model, Equilibrium& equilibrium, State& state, StaticOptions options,
       std::function<void(const StaticPoint&)> seen);

  StaticReport run();
  const Where& where() const { return m_where; }
  const Freedom& freedom() const { return m_freedom; }

 private:
  // A stretch of the path between two keys; s from 0 to 1 along it.
  struct Stage {
    Where from, to;
    double share = 1;  // of the whole time
    Where at(double s) const {
      return {from.load + s * (to.load - from.load), s == 1 ? to.time : from.time + s * (to.time - from.time)};
    }
    double width(double ds) const { return ds * (to.load - from.load + to.time - from.time); }
  };
  // An equilibrium that may become the next point.
  struct Found {
    double s = 0;
    State state;
    Solved solved;
    Freedom freedom;
    int negative = 0;
  };
  // What came of looking for one.
  enum class Attempt {
    found,
    lost,      // there is none near
    released,  // a motion that was neutral no longer is: what is near the last point is no equilibrium
    driven,    // a mechanism
    stopped,
  };
  struct Arc;

  // path.cpp: the stages
  bool put_loads_on();
  bool begin_near();
  Attempt put_loads_on_at_once(const State& built);
  bool follow_time(double begin, double end);
  bool follow(const Stage& stage);
  bool fail_lost(const Stage& stage, double s);
  bool fail_too_many();

  // path_point.cpp: one point after the other
  void hold(const Freedom& freedom);
  void factorise(const State& state, const Where& where);
  int count_negative(const Found& found, const Where& where);
  Attempt hold_own(Found& found, const Where& where);
  Attempt hold_own_and_count(Found& found, const Where& where);
  Attempt attempt(const Stage& stage, double s, const Eigen::VectorXd& along, double target, Found& found);
  Attempt advance(const Stage& stage, double s, const Eigen::VectorXd& along, double& step, Found& found);
  Attempt fall_until_caught(const Where& where, Found& found, int& iterations);
  Attempt fall(const State& from, const Where& where, Found& found) { return fall(from, where, found, m_options.max_iterations); }
  Attempt fall(const State& from, const Where& where, Found& found, int most);  // iterations of a search
  bool accept(const Where& where, Found&& found);
  std::optional<State> pushed(const Where& where);
  void perturb();
  bool report(Attempt attempt, const Found& found, const Where& where);
  bool fail(StaticStatus status, const Residual& at, std::string cause);
  bool fail_mechanism(const Mechanism& driven, const std::string& when);
  std::string reached() const;

  Eigen::VectorXd tangent(const Stage& stage, double s, const State& state);
  bool is_smooth(const Stage& stage, const Eigen::VectorXd& from, double step, double target, const State& found);
  bool does_work(const Stage& stage, double s, double target, const State& found);
  bool is_near(const State& predicted, const State& found, double foreseen) const;
  double dot(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const;

  // path_crossing.cpp. Finds the equilibrium at a part p of the step from the last point; false when it does not.
  using Probe = std::function<bool(double p, Found& found)>;
  bool locate_crossings(const Stage& stage, double s, double size, const Probe& probe, Found& end);
  bool bracket(double size, const Probe& probe, double& low, Found& before, double& high, Found& beyond);

  // path_arc.cpp
  bool follow_arc(const Stage& stage);
  bool begin_arc(const Stage& stage, double& s);
  Arc arc_at(const Stage& stage, double s, const State& state, const Arc* before);
  Attempt step_arc(const Stage& stage, const Arc& arc, double length, Found& found);
  Attempt advance_arc(const Stage& stage, const Arc& arc, double& step, Found& found);
  Attempt end_arc(const Stage& stage, const Arc& arc, Found& found);
  bool turns_back(const Stage& stage, double s);
  const char* turned_back(const Arc& arc, Attempt came, const Found& found, const State& begin) const;

  static constexpr int most_corrections = 12;
  // Of a stage: so far the path goes at first where a motion stops being neutral. What is near the last point is no equilibrium
  // then, however small the loads, and the less of them is on the less is jumped over.
  static constexpr double release_step = 0.01;

  const Model& m_model;
  Equilibrium& m_equilibrium;
  State& m_state;
  StaticOptions m_options;
  std::function<void(const StaticPoint&)> m_seen;
  Where m_where;
  bool m_in_time = false;
  int m_negative = 0;
  double m_crossed = 0;  // where on its stage the last crossing is
  Freedom m_freedom;
  Eigen::VectorXd m_weights;  // per unknown: what makes the size of a step independent of the mesh
  StaticReport m_report;
};

}  // namespace writhe::statics
