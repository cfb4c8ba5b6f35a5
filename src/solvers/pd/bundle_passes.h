// What the kernels of a bundle share. Include only from *_kernel.cpp files.
#pragma once

#include "math/pack_rows.h"
#include "solvers/pd/bundle_kernel.h"

namespace writhe::pd::WRITHE_ISA {

using writhe::WRITHE_ISA::Pack;
using writhe::WRITHE_ISA::PQuat;
using writhe::WRITHE_ISA::PVec3;
using Rows = writhe::WRITHE_ISA::PackRows<BundleArrays>;
static_assert(Pack::lanes <= most_lanes);

// Over all indices of a chain: of one chain a single number, in every lane; of several, each lane has its own.
WRITHE_FN Pack total(const BundleArrays& a, const Pack& v) { return a.several() ? v : Pack(sum(v)); }
WRITHE_FN Pack most(const BundleArrays& a, const Pack& v) { return a.several() ? v : Pack(largest(v)); }

WRITHE_FN void put_lanes(double* lanes, const Pack& v) { v.store(lanes); }
WRITHE_FN Pack get_lanes(const double* lanes) { return Pack::load(lanes); }
WRITHE_FN double first(const Pack& v) { return writhe::WRITHE_ISA::hn::GetLane(v.v); }

// The passes; see BundleKernel.
void find_forces(const BundleArrays& a, BundleSums& sums);
void find_moments(const BundleArrays& a, BundleSums& sums);
void inspect(const BundleArrays& a, BundleShape& shape);

}  // namespace writhe::pd::WRITHE_ISA
