// Elimination of a chain and of a ring; see chain_kernel.h for the arrays. Include only from *_kernel.cpp files.
#pragma once

#include "solvers/newton/chain_kernel.h"

#ifndef WRITHE_ISA
#define WRITHE_ISA native
#endif

namespace writhe::newton::WRITHE_ISA {

int solve(const ChainArrays& arrays, double& slope);
int solve_ring(const ChainArrays& arrays, double& slope);
ChainPivots factor(const ChainArrays& arrays, const ChainFactor& kept);
void solve_factored(const ChainFactor& kept, const double* right, double* solution);
void solve_several(const ChainFactor& kept, const double* right, double* solution);

}  // namespace writhe::newton::WRITHE_ISA
