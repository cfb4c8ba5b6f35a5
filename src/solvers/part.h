// A connected part of the model: what an implicit method solves on its own.
#pragma once

#include <vector>

#include "model/loading.h"
#include "writhe/model.h"
#include "writhe/state.h"
#include "writhe/step_report.h"

namespace writhe {

// Where everything is, without how it moves; numbered as in State.
struct Configuration {
  std::vector<Vec3> x;
  std::vector<Quat> q;
};

class Part {
 public:
  virtual ~Part() = default;
  // Minimises the incremental potential of an implicit Euler step (docs/theory/rod.md, "Time"), in arrays of its own.
  virtual StepReport minimise(const State& state, const Loading& loading, double dt) = 0;
  // Writes where the step ended: its own nodes and orientations, and no others.
  virtual void store(Configuration& next) const = 0;
};

}  // namespace writhe
