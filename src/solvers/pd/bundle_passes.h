// What the kernels of a bundle share. Include only from *_kernel.cpp files.
#pragma once

#include "math/pack_rows.h"
#include "solvers/pd/bundle_kernel.h"

namespace writhe::pd::WRITHE_ISA {

using writhe::WRITHE_ISA::Pack;
using writhe::WRITHE_ISA::PMat3;
using writhe::WRITHE_ISA::PQuat;
using writhe::WRITHE_ISA::PSym3;
using writhe::WRITHE_ISA::PVec3;
using Rows = writhe::WRITHE_ISA::PackRows<BundleArrays>;
static_assert(Pack::lanes <= most_lanes);

// Over all indices of a chain: of one chain a single number, in every lane; of several, each lane has its own.
WRITHE_FN Pack total(const BundleArrays& a, const Pack& v) { return a.several() ? v : Pack(sum(v)); }
WRITHE_FN Pack most(const BundleArrays& a, const Pack& v) { return a.several() ? v : Pack(largest(v)); }

WRITHE_FN void put_lanes(double* lanes, const Pack& v) { v.store(lanes); }
WRITHE_FN Pack get_lanes(const double* lanes) { return Pack::load(lanes); }
WRITHE_FN double first(const Pack& v) { return writhe::WRITHE_ISA::hn::GetLane(v.v); }

// A joint to a prescribed frame, with the segment of the point at these rows.
struct AnchorView {
  const BundleArrays& a;
  int segment;
  bool frame_first;
  PQuat frame, q;
  PVec3 bend, rest;

  WRITHE_FN AnchorView(const BundleArrays& arrays, int k, int point)
      : a(arrays), segment(arrays.anchors[k].segment), frame_first(arrays.anchors[k].frame_first) {
    const double* rows = arrays.anchors[k].rows;
    const auto own = [&](int r) { return Pack::load(rows + static_cast<long>(r) * arrays.lanes); };
    frame = {own(anchor_frame), own(anchor_frame + 1), own(anchor_frame + 2), own(anchor_frame + 3)};
    bend = {own(anchor_bend), own(anchor_bend + 1), own(anchor_bend + 2)};
    rest = {own(anchor_bend_rest), own(anchor_bend_rest + 1), own(anchor_bend_rest + 2)};
    const auto at = [&](int r) {
      const double* p = arrays.row(point + point_q + r) + arrays.at(segment, 0);
      return arrays.several() ? Pack::load(p) : Pack(*p);
    };
    q = {at(0), at(1), at(2), at(3)};
  }
  // Adds to a row at the segment.
  WRITHE_FN void add(int row, const Pack& v) const {
    double* p = a.row(row) + a.at(segment, 0);
    if (a.several())
      (Pack::load(p) + v).store(p);
    else
      *p += first(v);
  }
};

// The passes; see BundleKernel. A pass works on a copy of the arrays' description: the compiler then knows that what is stored
// does not change it, and need not read it again.
void refresh(const BundleArrays& a);
void solve_coupled(const BundleArrays& a, double* step, const Pack& size);  // step = -size P^-1 gradient
void find_forces(const BundleArrays& a, BundleSums& sums);
void find_moments(const BundleArrays& a, BundleSums& sums);
void inspect(const BundleArrays& a, BundleShape& shape);

}  // namespace writhe::pd::WRITHE_ISA
