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
static_assert(Pack::lanes <= most_lanes);

// The rows of a tile: of a bundle, of a column of its history, or of its blocks.
template <int row_count>
struct TileRows {
  double* start;
  WRITHE_FN double* at(int r, int tile) const { return start + (static_cast<long>(tile) * row_count + r) * Pack::lanes; }
  WRITHE_FN Pack scalar(int r, int tile) const { return Pack::load(at(r, tile)); }
  WRITHE_FN PVec3 vec(int r, int t) const { return {scalar(r, t), scalar(r + 1, t), scalar(r + 2, t)}; }
  WRITHE_FN PQuat quat(int r, int t) const { return {scalar(r, t), scalar(r + 1, t), scalar(r + 2, t), scalar(r + 3, t)}; }
  WRITHE_FN PSym3 sym(int r, int t) const {
    return {scalar(r, t), scalar(r + 1, t), scalar(r + 2, t), scalar(r + 3, t), scalar(r + 4, t), scalar(r + 5, t)};
  }
  WRITHE_FN void put(int r, int t, const Pack& v) const { v.store(at(r, t)); }
  WRITHE_FN void put(int r, int t, const PVec3& v) const {
    put(r, t, v.x);
    put(r + 1, t, v.y);
    put(r + 2, t, v.z);
  }
  WRITHE_FN void put(int r, int t, const PQuat& q) const {
    put(r, t, q.w);
    put(r + 1, t, q.x);
    put(r + 2, t, q.y);
    put(r + 3, t, q.z);
  }
  WRITHE_FN void put(int r, int t, const PSym3& s) const {
    put(r, t, s.xx);
    put(r + 1, t, s.xy);
    put(r + 2, t, s.xz);
    put(r + 3, t, s.yy);
    put(r + 4, t, s.yz);
    put(r + 5, t, s.zz);
  }
};
using Rows = TileRows<bundle_rows>;
using Column = TileRows<column_rows>;
using Blocks = TileRows<block_rows>;

WRITHE_FN Column column_of(const BundleArrays& a, int c) { return {a.columns + c * a.column_length()}; }

WRITHE_FN PVec3 from_next_lane(const PVec3& v) { return {from_next_lane(v.x), from_next_lane(v.y), from_next_lane(v.z)}; }
WRITHE_FN PVec3 from_previous_lane(const PVec3& v) {
  return {from_previous_lane(v.x), from_previous_lane(v.y), from_previous_lane(v.z)};
}

// Brings the halo of a point up to date.
WRITHE_FN void fill_halo(const BundleArrays& a, int point) {
  if (a.several) return;
  const Rows l{a.rows};
  for (int r = 0; r < point_rows; ++r) l.put(point + r, a.tiles, from_next_lane(l.scalar(point + r, 0)));
}

// Over all indices of a chain: of one chain a single number, in every lane; of several, each lane has its own.
WRITHE_FN Pack total(const BundleArrays& a, const Pack& v) { return a.several ? v : Pack(sum(v)); }
WRITHE_FN Pack most(const BundleArrays& a, const Pack& v) { return a.several ? v : Pack(largest(v)); }

WRITHE_FN void put_lanes(double* lanes, const Pack& v) { v.store(lanes); }
WRITHE_FN Pack get_lanes(const double* lanes) { return Pack::load(lanes); }
WRITHE_FN double first(const Pack& v) { return writhe::WRITHE_ISA::hn::GetLane(v.v); }

// A joint to a prescribed frame, with the segment of the point at these rows.
struct AnchorView {
  bool several, frame_first;
  int tile, lane;
  PQuat frame, q;
  PVec3 bend, rest;

  WRITHE_FN AnchorView(const BundleArrays& a, int k, int point)
      : several(a.several),
        frame_first(a.anchors[k].frame_first),
        tile(a.tile(a.anchors[k].segment)),
        lane(a.lane(a.anchors[k].segment, 0)) {
    const double* rows = a.anchors[k].rows;
    const auto own = [&](int r) { return Pack::load(rows + r * Pack::lanes); };
    frame = {own(anchor_frame), own(anchor_frame + 1), own(anchor_frame + 2), own(anchor_frame + 3)};
    bend = {own(anchor_bend), own(anchor_bend + 1), own(anchor_bend + 2)};
    rest = {own(anchor_bend_rest), own(anchor_bend_rest + 1), own(anchor_bend_rest + 2)};
    const Rows l{a.rows};
    const auto at = [&](int r) {
      const double* p = l.at(point + point_q + r, tile);
      return several ? Pack::load(p) : Pack(p[lane]);
    };
    q = {at(0), at(1), at(2), at(3)};
  }
  // Adds to a row at the segment.
  template <int row_count>
  WRITHE_FN void add(const TileRows<row_count>& l, int row, const Pack& v) const {
    double* p = l.at(row, tile);
    if (several)
      (Pack::load(p) + v).store(p);
    else
      p[lane] += first(v);
  }
};

// The passes; see BundleKernel. A pass works on a copy of the arrays' description: the compiler then knows that what is stored
// does not change it, and need not read it again.
void predict(const BundleArrays& arrays, double damping, BundleStart& start);
void refresh(const BundleArrays& arrays);
void solve_coupled(const BundleArrays& arrays, double* column, const Pack& size);  // step = -size P^-1 gradient
void find_forces(const BundleArrays& arrays, BundleSums& sums);
void find_moments(const BundleArrays& arrays, BundleSums& sums);
void inspect(const BundleArrays& arrays, BundleShape& shape);

}  // namespace writhe::pd::WRITHE_ISA
