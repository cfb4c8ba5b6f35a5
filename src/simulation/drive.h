// Loads and supports as functions of time, turned into forces per node and moments per orientation.
#pragma once

#include "model/loading.h"
#include "writhe/model.h"
#include "writhe/state.h"
#include "writhe/step_report.h"

namespace writhe {

class Drive {
 public:
  explicit Drive(const Model& model);

  // The loading at `time`, the end of a step. Directions that depend on the rod (followers, drag across the rod) and the speed in
  // the wind's square law are taken from `state`, the start of the step: so every step has a potential, and a rod at rest the
  // exact load.
  const Loading& at(const Model& model, const State& state, double time);

  // What a step up to `time` may not do: a support, or a ring's closing, that turns by more than a quarter turn, which
  // orientations at the ends of a step could not tell from another. Not accepted then, with rod, node and cause.
  StepReport check_turns(const Model& model, const State& state, double time) const;
  // The prescribed part of a state at the end of a step that `at` described: frames of clamps and closings of rings.
  void place(const Model& model, State& state, double dt) const;

 private:
  void move_supports(const Model& model, double time);
  void add(const State& state, const ResolvedPlace& place, const ForceLoad& load, double factor);
  void add(const State& state, const ResolvedPlace& place, const MomentLoad& load, double factor);
  void add_drag(const Model& model, int segment, const Sym3& drag, const Vec3& velocity);

  Loading m_loading;
  std::vector<int> m_moving;                       // of Model::supports
  std::vector<int> m_driven_rings;                 // of Model::rods
  bool m_has_moments = false, m_has_drag = false;  // what never comes stays zero and need not be cleared
};

}  // namespace writhe
