// H step = -gradient on a ring, in linear time. Compiled for each instruction set; see math/pack.h.
#include "solvers/newton/chain_solve.h"
#include "solvers/newton/ring_border.h"

namespace writhe::newton::WRITHE_ISA {

int solve_ring(const ChainArrays& arrays, double& slope) {
  EndBorder ends(arrays.panels);
  return solve_with(ends, arrays, slope);
}

}  // namespace writhe::newton::WRITHE_ISA
