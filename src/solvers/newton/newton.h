// `newton`: implicit steps by minimising the incremental potential to a stated residual. The reference for every other method.
#pragma once

#include <memory>

#include "solvers/solver.h"

namespace writhe::newton {

SolverInfo info();
std::unique_ptr<Solver> make(const Model& model, const Threads& threads, std::shared_ptr<Terms> terms);

}  // namespace writhe::newton
