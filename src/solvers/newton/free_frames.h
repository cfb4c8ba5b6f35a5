// Free frames (the junctions of nets) have no inertia: where they are follows from the segments around them.
#pragma once

#include <vector>

#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::newton {

class FreeFrames {
 public:
  explicit FreeFrames(const Model& model);

  // Turns every free frame of `state` to where its joints are in balance, the segments as they are, starting from `near`. Before,
  // State::q of the frame is that of dt ago; its rate becomes that of the even turn between.
  //
  // Why not mirror a frame at its middle, as a segment: what has no inertia has no memory either, and an error in it would change
  // its sign with every step and never fade.
  void balance(const Model& model, const State& near, State& state, double dt) const;

 private:
  struct Frame {
    int orientation = 0;
    std::vector<int> joints;
  };
  std::vector<Frame> m_frames;
};

}  // namespace writhe::newton
