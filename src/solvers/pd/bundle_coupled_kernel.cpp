// The refreshed metric: positions and turns together, made and factored anew in each step. docs/theory/pd.md, "Refreshed metric".
// Compiled for each instruction set; see math/pack.h. No containers, no allocation.
#include <type_traits>

#include "elastic/inertia.h"
#include "elastic/joint.h"
#include "elastic/segment.h"
#include "math/choose.h"
#include "math/unroll.h"
#include "solvers/pd/bundle_passes.h"

namespace writhe::pd::WRITHE_ISA {

namespace {

// An index has six unknowns, three of its node and three of its segment's turn; the matrix couples it with its neighbours only.
constexpr int unknowns = 6, half = 3;

WRITHE_FN double get(const double* p, double) { return *p; }
WRITHE_FN Pack get(const double* p, const Pack&) { return Pack::load(p); }
WRITHE_FN void put(double* p, double v) { *p = v; }
WRITHE_FN void put(double* p, const Pack& v) { v.store(p); }

// Where the numbers of an index are: of one chain, T is a number, in the lane of its strand; of several, a register.
template <class T>
struct IndexRows {
  const BundleArrays& a;
  WRITHE_FN int lane(int i) const { return a.several ? 0 : a.lane(i, 0); }
  template <int row_count>
  WRITHE_FN double* at(const TileRows<row_count>& l, int row, int i) const {
    return l.at(row, a.tile(i)) + lane(i);
  }
  WRITHE_FN T row(int r, int i) const { return get(at(Rows{a.rows}, r, i), T(0.0)); }
  WRITHE_FN T block(int r, int i) const { return get(at(Blocks{a.blocks}, r, i), T(0.0)); }
  WRITHE_FN double* factor_at(int r, int i) const {
    constexpr long width = std::is_same_v<T, double> ? 1 : Pack::lanes;
    return a.factor + (static_cast<long>(i) * factor_rows + r) * width;
  }
  WRITHE_FN T factor(int r, int i) const { return get(factor_at(r, i), T(0.0)); }
  WRITHE_FN void set_factor(int r, int i, const T& v) const { put(factor_at(r, i), v); }
};

WRITHE_FN void put_mat(const Blocks& l, int row, int t, const PMat3& m) {
  l.put(row, t, m.r0);
  l.put(row + 3, t, m.r1);
  l.put(row + 6, t, m.r2);
}

// Of every element the part of its Hessian that is never negative: without stresses, but with the tension of a segment, which
// draws its nodes into line. So the whole is positive definite, and hardly less than the Hessian anywhere. The tension is that at
// the start of the step: a wire that flies on unhindered is stretched, and that is not a tension it will have.
void find_blocks(const BundleArrays& arrays) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  const Blocks out{a.blocks};
  fill_halo(arrays, a.point);
  const Pack one(1.0), zero(0.0);
  const PVec3 none{};
  const PVec3 halo_prev = a.several ? none : from_next_lane(l.vec(row_x_prev, 0));
  for (int t = 0; t < a.tiles; ++t) {
    const PQuat q = l.quat(a.point + point_q, t);
    const PVec3 dx = l.vec(a.point + point_x, t + 1) - l.vec(a.point + point_x, t), stretch = l.vec(row_stretch, t);
    const auto segment = elastic::segment_hessian(dx, q, one, stretch, none);
    const PVec3 next_prev = t + 1 < a.tiles ? l.vec(row_x_prev, t + 1) : halo_prev;
    const PVec3 t_prev = rotate_back(l.quat(row_q_prev, t), next_prev - l.vec(row_x_prev, t));
    const Pack tension = stretch.z * (t_prev.z - l.scalar(row_stretch_rest + 2, t));
    const Pack line = l.scalar(row_inverse_length, t) * max(tension, zero);
    const PSym3& xx = segment.xx;
    out.put(block_xx, t, PSym3{xx.xx + line, xx.xy, xx.xz, xx.yy + line, xx.yz, xx.zz + line});
    put_mat(out, block_ux, t, segment.ux);

    const auto joint = elastic::joint_hessian(q, next_orientation(a, a.point, t, q), one, l.vec(row_bend, t), none);
    const PSym3 spin = elastic::spin_hessian(l.quat(row_q_prev, t), q, one, l.vec(row_spin_stiffness, t), none);
    out.put(block_uu, t, segment.uu + spin + joint.aa);
    out.put(block_bb, t, joint.bb);
    put_mat(out, block_ba, t, joint.ba);
  }
}

void add_anchors(const BundleArrays& a) {
  for (int k = 0; k < a.anchor_count; ++k) {
    const AnchorView anchor(a, k, a.point);
    const PVec3 none{};
    const auto joint = anchor.frame_first ? elastic::joint_hessian(anchor.frame, anchor.q, Pack(1.0), anchor.bend, none)
                                          : elastic::joint_hessian(anchor.q, anchor.frame, Pack(1.0), anchor.bend, none);
    const PSym3& own = anchor.frame_first ? joint.bb : joint.aa;
    const Pack parts[6] = {own.xx, own.xy, own.xz, own.yy, own.yz, own.zz};
    for (int r = 0; r < 6; ++r) anchor.add(Blocks{a.blocks}, block_uu + r, parts[r]);
  }
}

// Lower triangle of the diagonal block of an index, what is prescribed taken out.
template <class T>
WRITHE_FN void load_diagonal(const IndexRows<T>& l, int i, T (&S)[unknowns][unknowns]) {
  const bool last = i == l.a.segments;
  T f[half];
  for (int r = 0; r < half; ++r) f[r] = l.row(row_free + r, i);
  int entry = 0;  // of the upper triangle, row by row
  for (int r = 0; r < half; ++r)
    for (int c = r; c < half; ++c, ++entry) {
      T x = l.block(block_xx + entry, i);
      if (i > 0) x = x + l.block(block_xx + entry, i - 1);
      if (r == c || !l.a.bare) x = x + l.row(row_node_matrix + (l.a.bare ? 0 : entry), i);
      S[c][r] = f[r] * f[c] * x;
      S[half + c][half + r] = l.block(block_uu + entry, i);
      if (i > 0) S[half + c][half + r] = S[half + c][half + r] + l.block(block_bb + entry, i - 1);
      if (r == c) {
        S[r][r] = S[r][r] + (T(1.0) - f[r]);
        if (last) S[half + r][half + r] = T(1.0);
      }
    }
  for (int r = 0; r < half; ++r)
    for (int c = 0; c < half; ++c) S[half + r][c] = -(f[c] * l.block(block_ux + 3 * r + c, i));
}

// Which chains get their new factor, and which keep the one they have.
struct All {
  template <class T>
  WRITHE_FN T operator()(const T& made, const T& /*before*/) const {
    return made;
  }
};
struct Some {
  Pack chains;  // positive: gets it
  WRITHE_FN Pack operator()(const Pack& made, const Pack& before) const { return choose(chains, made, before); }
};

// L D L^T of the whole.
template <class T, class Which>
void factorise(const BundleArrays& arrays, const Which& which) {
  const BundleArrays a = arrays;
  const IndexRows<T> l{a};
  const auto set_factor = [&](int r, int i, const T& v) { l.set_factor(r, i, which(v, l.factor(r, i))); };
  T carry[unknowns][unknowns];  // what the indices before take off the diagonal block
  for (auto& row : carry)
    for (T& v : row) v = T(0.0);
  for (int i = 0; i <= a.segments; ++i) {
    T S[unknowns][unknowns], inverse[unknowns];
    load_diagonal(l, i, S);
    WRITHE_UNROLL
    for (int r = 0; r < unknowns; ++r) WRITHE_UNROLL
    for (int c = 0; c <= r; ++c) S[r][c] = S[r][c] - carry[r][c];
    int entry = 0;
    WRITHE_UNROLL
    for (int c = 0; c < unknowns; ++c) {
      T scaled[unknowns];
      T pivot = S[c][c];
      WRITHE_UNROLL
      for (int k = 0; k < c; ++k) {
        scaled[k] = S[c][k];  // L_ck D_k
        S[c][k] = S[c][k] * inverse[k];
        pivot = pivot - scaled[k] * S[c][k];
      }
      inverse[c] = T(1.0) / pivot;
      set_factor(factor_inverse + c, i, inverse[c]);
      WRITHE_UNROLL
      for (int k = 0; k < c; ++k) set_factor(factor_lower + entry++, i, S[c][k]);
      WRITHE_UNROLL
      for (int r = c + 1; r < unknowns; ++r) WRITHE_UNROLL
      for (int k = 0; k < c; ++k) S[r][c] = S[r][c] - S[r][k] * S[c][k];
    }
    if (i == a.segments) return;

    // Rows of the next index: its node by this one's node and turn, its turn by this one's turn.
    T V[unknowns][unknowns];
    T f[half], g[half];
    WRITHE_UNROLL
    for (int r = 0; r < half; ++r) {
      f[r] = l.row(row_free + r, i);
      g[r] = l.row(row_free + r, i + 1);
    }
    entry = 0;
    WRITHE_UNROLL
    for (int r = 0; r < half; ++r) WRITHE_UNROLL
    for (int c = r; c < half; ++c, ++entry) {
      const T x = -l.block(block_xx + entry, i);
      V[r][c] = g[r] * f[c] * x;
      if (r != c) V[c][r] = g[c] * f[r] * x;
    }
    WRITHE_UNROLL
    for (int r = 0; r < half; ++r) WRITHE_UNROLL
    for (int c = 0; c < half; ++c) {
      V[c][half + r] = g[c] * l.block(block_ux + 3 * r + c, i);
      V[half + r][c] = T(0.0);
      V[half + r][half + c] = i + 1 < a.segments ? l.block(block_ba + 3 * r + c, i) : T(0.0);
    }
    T Y[unknowns][unknowns];
    WRITHE_UNROLL
    for (int r = 0; r < unknowns; ++r) WRITHE_UNROLL
    for (int c = r < half ? 0 : half; c < unknowns; ++c) {
      T v = V[r][c];
      WRITHE_UNROLL
      for (int k = r < half ? 0 : half; k < c; ++k) v = v - Y[r][k] * S[c][k];
      Y[r][c] = v;
      V[r][c] = v * inverse[c];
    }
    WRITHE_UNROLL
    for (int r = 0; r < unknowns; ++r) WRITHE_UNROLL
    for (int c = 0; c <= r; ++c) {
      T v(0.0);
      WRITHE_UNROLL
      for (int k = r < half ? 0 : half; k < unknowns; ++k) v = v + Y[r][k] * (c < half || k >= half ? V[c][k] : T(0.0));
      carry[r][c] = v;
    }
    entry = 0;
    WRITHE_UNROLL
    for (int r = 0; r < unknowns; ++r) WRITHE_UNROLL
    for (int c = r < half ? 0 : half; c < unknowns; ++c) set_factor(factor_next + entry++, i, V[r][c]);
  }
}

// step = -size P^-1 gradient
template <class T>
void solve(const BundleArrays& arrays, double* column, const T& size) {
  const BundleArrays a = arrays;
  const IndexRows<T> l{a};
  const auto at = [&](int c, int i) { return l.at(Column{column}, column_step + c, i); };
  T z[unknowns], take[unknowns];
  WRITHE_UNROLL
  for (int c = 0; c < unknowns; ++c) take[c] = T(0.0);
  for (int i = 0; i <= a.segments; ++i) {
    int entry = 0;
    WRITHE_UNROLL
    for (int c = 0; c < unknowns; ++c) {
      T v = -(size * l.row(row_gradient_x + c, i)) - take[c];
      WRITHE_UNROLL
      for (int k = 0; k < c; ++k) v = v - l.factor(factor_lower + entry++, i) * z[k];
      z[c] = v;
      put(at(c, i), l.factor(factor_inverse + c, i) * v);
    }
    if (i == a.segments) break;
    entry = 0;
    WRITHE_UNROLL
    for (int r = 0; r < unknowns; ++r) {
      T v(0.0);
      WRITHE_UNROLL
      for (int c = r < half ? 0 : half; c < unknowns; ++c) v = v + l.factor(factor_next + entry++, i) * z[c];
      take[r] = v;
    }
  }
  T y[unknowns];
  for (int i = a.segments; i >= 0; --i) {
    T next[unknowns];
    WRITHE_UNROLL
    for (int c = 0; c < unknowns; ++c) next[c] = get(at(c, i), T(0.0));
    if (i < a.segments) {
      int entry = 0;
      WRITHE_UNROLL
      for (int r = 0; r < unknowns; ++r) WRITHE_UNROLL
      for (int c = r < half ? 0 : half; c < unknowns; ++c) next[c] = next[c] - l.factor(factor_next + entry++, i) * y[r];
    }
    WRITHE_UNROLL
    for (int c = unknowns - 1; c >= 0; --c) WRITHE_UNROLL
    for (int k = 0; k < c; ++k) next[k] = next[k] - l.factor(factor_lower + c * (c - 1) / 2 + k, i) * next[c];
    WRITHE_UNROLL
    for (int c = 0; c < unknowns; ++c) {
      y[c] = next[c];
      put(at(c, i), y[c]);
    }
  }
}

}  // namespace

void refresh(const BundleArrays& a, const double* chains) {
  find_blocks(a);
  add_anchors(a);
  if (!a.several)
    factorise<double>(a, All{});
  else if (chains)
    factorise<Pack>(a, Some{get_lanes(chains)});
  else
    factorise<Pack>(a, All{});
}

void solve_coupled(const BundleArrays& a, double* column, const Pack& size) {
  if (a.several)
    solve<Pack>(a, column, size);
  else
    solve<double>(a, column, first(size));
}

}  // namespace writhe::pd::WRITHE_ISA
