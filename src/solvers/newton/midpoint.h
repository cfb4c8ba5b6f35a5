// The second-order step of `newton`: docs/theory/rod.md, "Midpoint".
//
// The middle minimises the incremental potential of half a step with two changes that depend on the middle itself: the stress is
// that of the mean strain of both ends, and the spin balances over the whole step. Both are given to the part as loads and
// strains to add, and found by repetition: each is of second order in the turn of a step, so a few times suffice.
#pragma once

#include <vector>

#include "solvers/newton/free_frames.h"
#include "solvers/part.h"

namespace writhe::newton {

class Midpoint {
 public:
  explicit Midpoint(const Model& model);

  // Before the parts of a step. `loading`: loads in the middle of the step, supports where the middle has them; both arguments
  // have to stay until finish().
  void begin(const State& state, const Loading& loading, double dt);
  // Several parts may do so at once.
  StepReport find_middle(int component, Part& part);
  // After all parts: the state at the end of the step, but for what is prescribed.
  void finish(State& state) const;

 private:
  // Elements of one component; nodes and segments are contiguous in each rod.
  struct Elements {
    std::vector<int> rods, joints, frames;
  };
  void begin(const Elements& own);
  void predict(const Elements& own);
  double correct(const Elements& own);
  void mirror(const Elements& own);
  double rounding(const Elements& own) const;
  template <class Work>
  void for_each_segment(const Elements& own, const Work& work) const;
  template <class Work>
  void for_each_node(const Elements& own, const Work& work) const;

  const Model* m_model;
  std::vector<Elements> m_components;
  FreeFrames m_free_frames;

  const State* m_start = nullptr;
  const Loading* m_given = nullptr;
  double m_half = 0;  // s
  Loading m_loading;  // given to the parts
  Configuration m_found;
  State m_middle, m_end;                             // x, q and closing only
  std::vector<Vec3> m_start_segment, m_start_joint;  // strains
};

}  // namespace writhe::newton
