// `pd`: implicit steps by local and global steps with a constant matrix: Projective Dynamics of Cosserat rods, with the weights
// that follow from the energy. docs/theory/pd.md.
#pragma once

#include <memory>

#include "solvers/solver.h"

namespace writhe::pd {

SolverInfo info();
std::unique_ptr<Solver> make(const Model& model, const Threads& threads, std::shared_ptr<Terms> terms);

}  // namespace writhe::pd
