// States near a given one: what is true of all of them is a property of the rods and their loads, no accident of a shape.
#pragma once

#include <vector>

#include "assembly/assembly.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::statics {

struct Shaken {
  std::vector<State> states;    // the state itself, and some near it
  std::vector<State> opposite;  // each of them the other way, where asked for
};
// The same in every run. Each connected part is bent smoothly by about a hundredth of its
// extent, its segments turned along with it and twisted, so that strains do not depend on the mesh. What is held stays.
Shaken shaken(const Model& model, const assembly::Assembly& assembly, const State& state, bool both_ways);

}  // namespace writhe::statics
