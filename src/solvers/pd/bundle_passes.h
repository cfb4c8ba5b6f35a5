// What the kernels of a bundle share. Include only from *_kernel.cpp files.
#pragma once

#include "math/pack_rows.h"
#include "solvers/pd/bundle_kernel.h"

namespace writhe::pd::WRITHE_ISA {

using writhe::WRITHE_ISA::lane_numbers;
using writhe::WRITHE_ISA::last_lane;
using writhe::WRITHE_ISA::Pack;
using writhe::WRITHE_ISA::PMat3;
using writhe::WRITHE_ISA::PQuat;
using writhe::WRITHE_ISA::PSym3;
using writhe::WRITHE_ISA::PVec3;
static_assert(Pack::lanes <= most_lanes);

// The rows of a tile: of a bundle, of a column of its history, or of its blocks.
template <int row_count>
struct TilePlace {
  double* start;
  WRITHE_FN double* at(int r, int tile) const { return start + (static_cast<long>(tile) * row_count + r) * Pack::lanes; }
};
template <int row_count>
using TileRows = writhe::WRITHE_ISA::PackRows<TilePlace<row_count>>;
using Rows = TileRows<bundle_rows>;
using Column = TileRows<column_rows>;
using Blocks = TileRows<block_rows>;

WRITHE_FN Column column_of(const BundleArrays& a, int c) { return {a.columns + c * a.column_length()}; }

WRITHE_FN PVec3 from_next_lane(const PVec3& v) { return {from_next_lane(v.x), from_next_lane(v.y), from_next_lane(v.z)}; }
WRITHE_FN PVec3 from_previous_lane(const PVec3& v) {
  return {from_previous_lane(v.x), from_previous_lane(v.y), from_previous_lane(v.z)};
}

// Brings the places in the halo of a point up to date.
WRITHE_FN void fill_node_halo(const BundleArrays& a, int point) {
  if (a.several) return;
  const Rows l{a.rows};
  for (int r = point + point_x; r < point + point_x + 3; ++r) l.put(r, a.tiles, from_next_lane(l.scalar(r, 0)));
}
// And the orientations. What lies past the end of a chain is followed by itself.
WRITHE_FN void fill_halo(const BundleArrays& a, int point) {
  fill_node_halo(a, point);
  const Rows l{a.rows};
  for (int r = point + point_q; r < point + point_rows; ++r) {
    const Pack last = l.scalar(r, a.tiles - 1);
    l.put(r, a.tiles, a.several ? last : last_lane(last, from_next_lane(l.scalar(r, 0))));
  }
}
// Past its end a chain goes on with its last orientation, as it is when a step begins: so that there is hardly an angle, and not
// one without meaning.
WRITHE_FN void go_on_past_end(const BundleArrays& a, int point) {
  const Rows l{a.rows};
  const int end = a.segments - 1, first_past = a.tile(a.segments);
  if (a.several) return l.put(point + point_q, first_past, l.quat(point + point_q, end));
  const int tile = a.tile(end), lane = a.lane(end, 0);
  // Whole registers, because one that was written in pieces is slow to read.
  const Pack index = Pack(static_cast<double>(a.tiles)) * lane_numbers(), last_index(static_cast<double>(end));
  for (int r = point + point_q; r < point + point_rows; ++r) {
    const Pack last(l.at(r, tile)[lane]);
    for (int t = lane + 1 == Pack::lanes ? tile + 1 : 0; t < a.tiles; ++t)
      l.put(r, t, choose(index + Pack(static_cast<double>(t)) - last_index, last, l.scalar(r, t)));
  }
}

// The orientation after that of tile t, which is q; q itself where a clamp inside the rod stands between the two.
WRITHE_FN PQuat next_orientation(const BundleArrays& a, int point, int t, const PQuat& q) {
  const Rows l{a.rows};
  PQuat next = l.quat(point + point_q, t + 1);
  if (!a.whole) next = writhe::WRITHE_ISA::far_side(l.scalar(row_joint, t), next, q);
  return next;
}
// Of the joint after tile t.
WRITHE_FN PQuat relative_rotation(const BundleArrays& a, int point, int t) {
  const PQuat q = Rows{a.rows}.quat(point + point_q, t);
  return conj(q) * next_orientation(a, point, t, q);
}

// Over all indices of a chain: of one chain a single number, in every lane; of several, each lane has its own.
WRITHE_FN Pack total(const BundleArrays& a, const Pack& v) { return a.several ? v : Pack(sum(v)); }
WRITHE_FN Pack most(const BundleArrays& a, const Pack& v) { return a.several ? v : Pack(largest(v)); }

WRITHE_FN void put_lanes(double* lanes, const Pack& v) { v.store(lanes); }
WRITHE_FN Pack get_lanes(const double* lanes) { return Pack::load(lanes); }
WRITHE_FN double first(const Pack& v) { return writhe::WRITHE_ISA::hn::GetLane(v.v); }

// The first half of solving three tridiagonal systems strand by strand; see bundle_global_kernel.cpp. Returns the largest squared
// gradient of an index, over the square of a length for turns: a processor that waits for one index to be eliminated from the
// next has time for it.
template <bool turns>
WRITHE_FN Pack eliminate(const BundleArrays& a, int next, const Column& out) {
  const Rows l{a.rows};
  constexpr int gradient = turns ? row_gradient_q : row_gradient_x, step = turns ? column_step + 3 : column_step;
  constexpr int factor = int{turns ? row_turn_system : row_node_system} + strand_factor;
  const auto size2 = [&](int t, const PVec3& g) {
    if constexpr (!turns) return dot(g, g);
    const PVec3 f = l.scalar(row_inverse_length, t) * g;
    return dot(f, f);
  };
  PVec3 r = l.vec(gradient, 0);
  out.put(step, 0, r);
  Pack largest2 = size2(0, r);
  for (int t = 1; t < a.tiles; ++t) {
    const PVec3 g = l.vec(gradient, t);
    r = g - scale(l.vec(factor, t - 1, next), r);
    out.put(step, t, r);
    largest2 = max(largest2, size2(t, g));
  }
  return largest2;
}

// A joint to a prescribed frame, with the segment of the point at these rows.
struct AnchorView {
  bool several, frame_first;
  int tile, lane;
  PQuat frame, q;
  PVec3 bend, rest;

  WRITHE_FN AnchorView(const BundleArrays& a, int k, int point)
      : several(a.several), frame_first(a.anchors[k].frame_first), tile(a.anchors[k].tile), lane(a.anchors[k].lane) {
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
void gather(const BundleArrays& arrays, const BundleSource& source);
void predict(const BundleArrays& arrays, double damping, bool moments, BundleStart& start);
void refresh(const BundleArrays& arrays, const double* chains);
void solve_coupled(const BundleArrays& arrays, double* column, const Pack& size);  // step = -size P^-1 gradient
void find_forces(const BundleArrays& arrays, const Column& out, BundleSums& sums);
void find_moments(const BundleArrays& arrays, int column, BundleSums& sums);
void inspect(const BundleArrays& arrays, BundleShape& shape);

}  // namespace writhe::pd::WRITHE_ISA
