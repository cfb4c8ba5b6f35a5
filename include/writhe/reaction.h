// What a support exerts on what it holds.
#pragma once

#include "writhe/vec.h"

namespace writhe {

// Space components, the moment about the node. src/assembly/end_forces.h says how it is found; docs/outputs.md what it contains.
struct Reaction {
  int support = 0;  // of Model::supports
  Vec3 force{};     // N; zero along axes that are not held
  Vec3 moment{};    // N m; zero for pins
};

}  // namespace writhe
