// What an implicit method solves on its own: a connected part of the model, several such side by side, or an island of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/stop.h"
#include "loads/loading.h"
#include "terms/terms.h"
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
  // The next minimise, and that one alone, may begin its search here, and not where all would fly without forces: for a step that
  // is solved several times with loads that hardly differ. `near` lasts as long; prescribed things have their new places in it.
  virtual void begin_near(const Configuration& /*near*/) {}
  // Writes where the step ended: its own nodes and orientations, and no others.
  virtual void store(Configuration& next) const = 0;

  // Of an island, when a step begins: the elements of terms that act on it.
  virtual void couple(std::span<const TermElement> /*elements*/) {}
  // Of rods side by side, when a step begins: which of the model's rods are solved elsewhere in this step (1). They take no part
  // in what follows, and the others do not notice.
  virtual void leave_out(const std::vector<std::uint8_t>& /*rod_is_coupled*/) {}

  // Whose wish ends a step in the middle; stays as long as the part.
  void listen(const Stop* stop) { m_stop = stop; }

 protected:
  bool is_stopped() const { return m_stop && m_stop->wanted(); }
  static StepReport given_up() {
    StepReport report;
    report.status = StepStatus::stopped;
    report.cause = "stopped in the middle of a step";
    return report;
  }

 private:
  const Stop* m_stop = nullptr;
};

}  // namespace writhe
