// Forces and moments at the ends of rods, as the balance there has them: src/assembly/end_forces.h finds them.
#pragma once

#include <array>
#include <vector>

#include "writhe/vec.h"

namespace writhe::measure {

struct RodEnds {
  // Body components along the axes of measure::end_frame, signs as everywhere along the rod: what the part after exerts on the
  // part before. At a start that is minus what holds or pulls the rod there.
  struct One {
    Vec3 force{};   // N: shear along d1 and d2, tension along d3
    Vec3 moment{};  // N m: bending about d1 and d2, torque about d3
  };
  std::vector<std::array<One, 2>> of;  // per rod: at its start and its end; zeros for rings
};

}  // namespace writhe::measure
