// What is wrong with where rods and obstacles begin, and what is worth a warning. docs/scene.md, "Bad starts".
#pragma once

#include <vector>

#include "writhe/error.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::contact {

// Of a radius: what rods and obstacles may be in each other to begin with. The thickness of such a pair begins at its distance.
inline constexpr double most_depth_share = 15.0 / 16;

struct StartReport {
  std::vector<Problem> errors, warnings;
};
// until: s, to which what is held is followed on its way between obstacles.
StartReport look_at_start(const Model& model, const State& start, double until);

// Throws Error with all that is wrong.
void refuse_bad_start(const Model& model, const State& start, double until);

}  // namespace writhe::contact
