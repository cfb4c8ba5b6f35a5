// Free motions about an equilibrium, from the eigenvalues of its tangent in the mass of the model, part by part.
#pragma once

#include <optional>
#include <vector>

#include "statics/equilibrium.h"
#include "statics/pencil.h"

namespace writhe::statics {

// About the state at which the tangent was assembled last; neutral motions are left out. Ascending by eigenvalue. Fewer than
// `count` where there are fewer; nothing when the iteration fails.
std::optional<std::vector<Mode>> lowest_modes(const Equilibrium& equilibrium, const State& state, int count,
                                              const Tick& tick = {});

struct Growing {
  int count = 0;     // eigenvalues that let their motion grow
  int examined = 0;  // how many of the lowest were looked at, of each part with loads that turn with it; 0: there is none
};
// Of the same tangent. Nothing when eigenvalues were not found.
std::optional<Growing> count_growing(const Equilibrium& equilibrium, const State& state);

}  // namespace writhe::statics
