// H step = -gradient on an open chain, in linear time. Compiled for each instruction set; see math/pack.h.
#include "solvers/newton/chain_front.h"
#include "solvers/newton/chain_solve.h"

namespace writhe::newton::WRITHE_ISA {

int solve(const ChainArrays& arrays, double& slope) {
  NoBorder none;
  return solve_with(none, arrays, slope);
}

}  // namespace writhe::newton::WRITHE_ISA
