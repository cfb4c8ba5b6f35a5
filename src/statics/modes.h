// The lowest eigenvalues of the Hessian in the mass of the model, and their modes, by Spectra on our own factorisation.
#pragma once

#include <vector>

#include "statics/equilibrium.h"
#include "statics/neutral.h"

namespace writhe::statics {

// At an equilibrium; neutral motions are left out. Ascending. Fewer than `count` where there are fewer.
std::vector<Mode> lowest_modes(Equilibrium& equilibrium, const State& state, const Where& where, const Freedom& freedom,
                               int count);

}  // namespace writhe::statics
