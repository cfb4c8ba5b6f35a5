// Loads and supports as functions of time, turned into forces per node and moments per orientation.
#pragma once

#include "base/parallel.h"
#include "loads/acting.h"
#include "loads/loading.h"
#include "writhe/model.h"
#include "writhe/state.h"
#include "writhe/step_report.h"

namespace writhe {

class Drive {
 public:
  explicit Drive(const Model& model, const Threads& threads = 1, Followers followers = Followers::lag);

  // The loading of a step from `state` to `time`, where its implicit solve ends.
  // Loads act with the mean of their ramps over the step, so that its momentum changes by the whole impulse, also by one that
  // begins and ends between two steps; wind by the mean of the squares (loads::factor_of_step).
  // euler: supports at the end of the step; directions that depend on the rod (drag across the rod, followers that lag) and the
  // speed in the wind's square law are taken from the start: so they have a potential, and a rod at rest the exact load.
  // midpoint: directions of loads as the rates of the start predict them in the middle, which is second order (the wind's speed
  // is still that of the start); supports half way to where they end, so that the mirrored end meets them.
  const Loading& of_step(const Model& model, const State& state, double time, Integrator integrator);
  // Whether `of_step` looks at more of the state than what is prescribed.
  bool reads_motion() const { return m_reads_motion; }
  // All of it at `time`, on a rod that is in `state`.
  const Loading& at(const Model& model, const State& state, double time);

  // What a step up to `time` may not do: a support, or a ring's closing, that turns by more than a quarter turn, which
  // orientations at the ends of a step could not tell from another. Not accepted then, with rod, node and cause.
  StepReport check_turns(const Model& model, const State& state, double time) const;
  // The prescribed part of a state at `time`, the end of a step that `of_step` described: nodes and frames that are led, closings
  // of rings, and their rates. euler: those of the way through the step. midpoint: of the motion around the end; mirrored as the
  // others they would swing for ever about the right ones after a jerk.
  void place(const Model& model, State& state, double time, double dt, Integrator integrator) const;

 private:
  // Where a support that moves is at the end of the step.
  struct Held {
    Vec3 x{};
    Quat q{1, 0, 0, 0};  // of a clamp's frame
  };
  Held held_at(const Model& model, const ResolvedSupport& support, double time) const;
  void move_supports(const Model& model, const State& state, double time, Integrator integrator);
  const State& seen_by_loads(const Model& model, const State& state, double half, Integrator integrator);
  void add_loads(const Model& model, const State& state, double from, double to, Followers followers);
  void add(const State& state, const ResolvedPlace& place, const ForceLoad& load, double factor);
  void add(const State& state, const ResolvedPlace& place, const MomentLoad& load, double factor);
  template <class Work>
  void for_each_segment(const Model& model, const std::vector<int>& rods, const Work& work) const;
  void add_drag(const Model& model, int segment, const loads::HalfDrag& half);

  Threads m_threads;
  Followers m_followers;  // in of_step
  Loading m_loading;
  std::vector<int> m_moving;                       // of Model::supports
  std::vector<Held> m_held;                        // the same, at the end of the step
  std::vector<int> m_driven_rings;                 // of Model::rods
  State m_predicted;                               // in the middle of the step: q and v only
  bool m_reads_motion = false;                     // a load depends on where the rods are, or on how fast
  bool m_rods_share_nodes = false;                 // loads along several of them are added one after the other
  bool m_has_moments = false, m_has_drag = false;  // what never comes stays zero and need not be cleared
};

}  // namespace writhe
