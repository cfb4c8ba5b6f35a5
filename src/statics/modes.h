// The lowest eigenvalues of the tangent in the mass of the model, and their modes, by Spectra on our own factorisation.
#pragma once

#include <optional>
#include <vector>

#include "statics/equilibrium.h"
#include "statics/neutral.h"

namespace writhe::statics {

// At an equilibrium; neutral motions are left out. Ascending by eigenvalue. Fewer than `count` where there are fewer; nothing
// when the iteration fails. Leaves the motions of `freedom` held, and the tangent shifted: factor it again.
std::optional<std::vector<Mode>> lowest_modes(Equilibrium& equilibrium, const State& state, const Where& where,
                                              const Freedom& freedom, int count);

// With loads that turn with the rod the signs of a factorisation say nothing; so many of the lowest eigenvalues are looked at.
inline constexpr int most_examined = 12;

// How many of the eigenvalues let their motion grow.
int count_growing(const std::vector<Mode>& modes);

}  // namespace writhe::statics
