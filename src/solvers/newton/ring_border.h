// The border by which the elimination of a chain becomes that of a ring (ring_solve_kernel.cpp, chain_factor_kernel.cpp). Include
// only from *_kernel.cpp files.
//
// The ring is cut at its first node. That node, the first and the last orientation - x0, q0, ql, nine unknowns - are the border.
// Between segment 0 and segment n-1 lies an open chain, eliminated as every other, but that each front has one more panel: to the
// border unknowns at its own end, (x0, q0) or (x0, ql). When the ends have met, what is left of the border gets the joint between
// ql and q0 and is eliminated in three blocks. The pivots counted are therefore those of the whole matrix.
//
// Why not a correction of low rank to the solution of the open chain: cut open, a ring may be unstable that is not so closed, and
// pivots of the open chain would say nothing.
#pragma once

#include "solvers/newton/chain_front.h"

namespace writhe::newton::WRITHE_ISA {

// What an elimination leaves for the way back: P^-1 B^T with B the panel to n unknowns of the border.
template <class T, int n>
struct Panel {
  TVec3<T> column[n];
  WRITHE_FN TVec3<T> operator*(const T (&b)[n]) const {
    TVec3<T> sum = b[0] * column[0];
    for (int c = 1; c < n; ++c) sum += b[c] * column[c];
    return sum;
  }
};
static_assert(sizeof(Panel<Pair, 6>) == ring_panel_size * sizeof(double));

// n unknowns of the border while the chain is eliminated.
template <class T, int n>
struct Border {
  TVec3<T> pivot[n]{}, next[n]{};  // their coupling to the block that is eliminated next, and to the one after it
  T matrix[n][n]{};                // lower triangle
  T rhs[n]{};
  T solution[n]{};

  WRITHE_FN void eliminate(const TSym3<T>& inverse, const Factor<T>& f, Panel<T, n>& kept) {
    for (int c = 0; c < n; ++c) {
      kept.column[c] = inverse * pivot[c];
      for (int d = c; d < n; ++d) matrix[d][c] = matrix[d][c] - dot(pivot[d], kept.column[c]);
      rhs[c] = rhs[c] - dot(pivot[c], f.z);
    }
    for (int c = 0; c < n; ++c) {
      const TVec3<T> w = pivot[c];
      pivot[c] = next[c] - f.LA * w;
      next[c] = -(f.LC * w);
    }
  }
};

// The joint between ql and q0, by q0 twice and by ql and q0; its part by ql is in block_uu of the last segment.
struct ClosingJoint {
  Sym3 bb{};
  Mat3 ab{};
  ClosingJoint() = default;
  explicit WRITHE_FN ClosingJoint(const Blocks& last)
      : bb(sym([&last](int c) { return last[block_bb + c]; })),
        ab(mat([&last](int r, int c) { return last[block_ba + 3 * c + r]; })) {}
};

// The border in the middle of the chain: x0, q0, ql.
struct WholeBorder : Border<double, 9> {
  ClosingJoint closing;
  Border<double, 6> far{};  // the far end's part, until the ends meet
  Panel<double, 9> kept[5];
  int count = 0;

  // x0 is the first of both ends; the last three are ql.
  static WRITHE_FN int of_far(int c) { return c < 3 ? c : c + 3; }

  void eliminate(const Sym3& inverse, const Factor<double>& f) { Border::eliminate(inverse, f, kept[count++]); }
  // Nothing of the chain is left but the middle's orientation, eliminated next, and its farther node.
  void meet() {
    for (int c = 0; c < 6; ++c) {
      pivot[of_far(c)] += far.next[c];
      next[of_far(c)] += far.pivot[c];
    }
  }
  Vec3 back(const Factor<double>& f, const Vec3& a, const Vec3& c) { return f.back(a, c) - kept[--count] * solution; }

  WRITHE_FN Sym3 sym_at(int i) const {
    return {matrix[i][i], matrix[i + 1][i], matrix[i + 2][i], matrix[i + 1][i + 1], matrix[i + 2][i + 1], matrix[i + 2][i + 2]};
  }
  WRITHE_FN Mat3 mat_at(int i, int j) const {
    return mat([this, i, j](int r, int c) { return matrix[i + r][j + c]; });
  }
  WRITHE_FN Vec3 rhs_at(int i) const { return {rhs[i], rhs[i + 1], rhs[i + 2]}; }

  // Closes the ring and eliminates the border. `told` of each elimination, as a border is.
  template <class Count, class Told>
  WRITHE_FN ThreeFactor close(const ChainArrays& a, Count& signs, double& slope, Told& told) {
    const Vec3 free = vec([&a](int c) { return a.row(row_free + c)[0]; });
    Remainder<double> s{sym_at(3) + closing.bb, minus(mat_at(6, 3), times(-1.0, closing.ab)), sym_at(6), rhs_at(3), rhs_at(6)};
    ThreeFactor f;
    f.first = writhe::newton::WRITHE_ISA::eliminate(invert_where_free(sym_at(0), free, signs), mat_at(3, 0), mat_at(6, 0),
                                                    rhs_at(0), s, slope, told);
    eliminate_last_two(f, s, Vec3{1, 1, 1}, signs, slope, told);
    return f;
  }

  void solve(const ChainArrays& a, Signs& signs, double& slope) {
    NoBorder none;
    const Three b = close(a, signs, slope, none).back(none);
    const double values[9] = {b.first.x,  b.first.y, b.first.z, b.second.x, b.second.y,
                              b.second.z, b.third.x, b.third.y, b.third.z};
    for (int c = 0; c < 9; ++c) solution[c] = values[c];
    put(a, row_step_x, 0, b.first);
    put(a, row_step_q, 0, b.second);
    put(a, row_step_q, a.segments - 1, b.third);
  }
};

// The border at the two ends, one in each lane: node and orientation of the segment at the end.
struct EndBorder : Border<Pair, 6> {
  static constexpr int segments = 1;
  ClosingJoint closing;  // read before the factor takes its place
  Panel<Pair, 6>* top;   // one past the last that is kept

  explicit WRITHE_FN EndBorder(double* panels) : top(reinterpret_cast<Panel<Pair, 6>*>(panels)) {}

  // Remainder on the first node and the first orientation of the chain in between.
  WRITHE_FN Remainder<Pair> begin(const ChainArrays& a) {
    closing = ClosingJoint(Blocks(a, a.segments - 1));
    const Reader<Pair> r{a, 0, a.segments - 1};
    const Front<Pair> f(r);
    const TMat3<Pair> xx = minus_full(f.xx);
    const TVec3<Pair> x[3] = {xx.r0, xx.r1, xx.r2}, ux[3] = {f.ux.r0, f.ux.r1, f.ux.r2};
    for (int c = 0; c < 3; ++c) {
      pivot[c] = x[c];
      pivot[3 + c] = ux[c];
      next[3 + c] = vec([&r, c](int row) { return r.next_coupling(row, c); });
    }
    put_sym(0, f.D + f.xx);
    put_sym(3, f.uu);
    for (int c = 0; c < 3; ++c) {
      matrix[3 + c][0] = -ux[c].x;
      matrix[3 + c][1] = -ux[c].y;
      matrix[3 + c][2] = -ux[c].z;
    }
    const Pair g[6] = {f.gx.x, f.gx.y, f.gx.z, f.gq.x, f.gq.y, f.gq.z};
    for (int c = 0; c < 6; ++c) rhs[c] = -g[c];
    return {f.xx, {}, sym([&r](int c) { return r.next_uu(c); }), {}, {}};
  }
  WRITHE_FN void put_sym(int i, const TSym3<Pair>& s) {
    matrix[i][i] = s.xx;
    matrix[i + 1][i] = s.xy;
    matrix[i + 2][i] = s.xz;
    matrix[i + 1][i + 1] = s.yy;
    matrix[i + 2][i + 1] = s.yz;
    matrix[i + 2][i + 2] = s.zz;
  }

  WRITHE_FN void eliminate(const TSym3<Pair>& inverse, const Factor<Pair>& f) { Border::eliminate(inverse, f, *top++); }
  WRITHE_FN TVec3<Pair> back(const Factor<Pair>& f, const TVec3<Pair>& a, const TVec3<Pair>& c) {
    return f.back(a, c) - *--top * solution;
  }

  // Both ends as one.
  WRITHE_FN WholeBorder joined() const {
    WholeBorder whole;
    whole.closing = closing;
    for (int c = 0; c < 6; ++c) {
      whole.pivot[c] = lane(pivot[c], 0);
      whole.next[c] = lane(next[c], 0);
      whole.far.pivot[c] = lane(pivot[c], 1);
      whole.far.next[c] = lane(next[c], 1);
      whole.rhs[c] += rhs[c].v[0];
      whole.rhs[WholeBorder::of_far(c)] += rhs[c].v[1];
      for (int d = c; d < 6; ++d) {
        whole.matrix[d][c] += matrix[d][c].v[0];
        whole.matrix[WholeBorder::of_far(d)][WholeBorder::of_far(c)] += matrix[d][c].v[1];
      }
    }
    return whole;
  }
  WRITHE_FN void accept(const WholeBorder& whole) {
    for (int c = 0; c < 6; ++c) solution[c] = Pair(whole.solution[c], whole.solution[WholeBorder::of_far(c)]);
  }
};

}  // namespace writhe::newton::WRITHE_ISA
