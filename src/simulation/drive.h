// Loads and supports as functions of time, turned into forces per node and moments per orientation.
#pragma once

#include "model/loading.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe {

class Drive {
 public:
  explicit Drive(const Model& model);

  // The loading at `time`, the end of a step. Directions that depend on the rod (followers, drag across the rod) and the speed in
  // the wind's square law are taken from `state`, the start of the step: so every step has a potential, and a rod at rest the
  // exact load.
  const Loading& at(const Model& model, const State& state, double time);

 private:
  void add(const State& state, const ResolvedPlace& place, const ForceLoad& load, double factor);
  void add(const State& state, const ResolvedPlace& place, const MomentLoad& load, double factor);
  void add_drag(const Model& model, int segment, const Sym3& drag, const Vec3& velocity);

  Loading m_loading;
  bool m_has_moments = false, m_has_drag = false;  // what never comes stays zero and need not be cleared
};

}  // namespace writhe
