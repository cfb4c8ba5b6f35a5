// The second-order step of `newton`: docs/theory/rod.md, "Midpoint".
//
// The middle minimises the incremental potential of half a step with two changes that depend on the middle itself: the stress is
// that of the mean strain of both ends, and the spin balances over the whole step. Both are given to the part as loads and
// strains to add, and found by repetition: each is of second order in the turn of a step, so a few times suffice.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "solvers/newton/free_frames.h"
#include "solvers/part_set.h"

namespace writhe::newton {

class Midpoint {
 public:
  Midpoint(const Model& model, const Threads& threads);

  // Before the parts of a step. `loading`: loads in the middle of the step, supports where the middle has them; both arguments
  // have to stay until finish().
  void begin(const State& state, const Loading& loading, double dt);
  // Several pieces may do so at once.
  StepReport find_middle(const Piece& piece, Terms& terms);
  // After all parts: where nodes end, m.
  const std::vector<Vec3>& end_of_nodes() const { return m_end.x; }
  // After all parts: the state at the end of the step, but for what is prescribed.
  void finish(State& state) const;

 private:
  // Elements of one component; nodes and segments are contiguous in each rod.
  struct Elements {
    std::vector<int> rods, joints, frames;
  };
  using Components = std::span<const int>;
  void take(const Loading& loading);  // as that given to the parts
  void begin(Components own);
  void predict(Components own);
  // What a correction changed: a force, or a moment over the length of its element (N), and the node in the model where most.
  struct Change {
    double by = 0;
    int node = -1;
    int too_far = -1;  // node in the model of a segment that half a step turns by nearly half a turn, beyond which turns are lost
    void see(double other, int at) {
      if (other <= by || std::isnan(by)) return;  // what is not a number stays
      by = other;
      node = at;
    }
  };
  Change correct(const Piece& piece, Terms& terms);
  void mirror(Components own);
  double rounding(const Piece& piece, const Terms& terms) const;
  const TermElement* first_passed(const Piece& piece, const Terms& terms) const;
  void fail(int node, const std::string& what, StepReport& report) const;
  template <class Work>
  void for_each_segment(Components own, const Work& work) const;
  template <class Work>
  void for_each_node(Components own, const Work& work) const;
  template <class Work>
  void for_each(Components own, std::vector<int> Elements::*kind, const Work& work) const;

  const Model* m_model;
  Threads m_threads;
  std::vector<Elements> m_elements;  // per component
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
