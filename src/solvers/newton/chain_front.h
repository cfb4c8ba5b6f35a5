// The fronts of which the elimination of a chain is made (chain_solve_kernel.cpp, ring_solve_kernel.cpp). Include only from
// *_kernel.cpp files.
//
// The unknowns in the order x0 q0 x1 q1 ... give a matrix of half-width 8. It is eliminated three unknowns at a time: x_i couples
// to (q_i, x_i+1), then q_i to (x_i+1, q_i+1), so that every elimination is the same front of 3 + 6 unknowns: a pivot block P, a
// panel of A over C, and what remains. Against one unknown at a time this needs one division, not three, in the chain of
// dependent operations.
//
// Both ends are eliminated at once, one in each lane of a register, until they meet: seen from the far end a segment looks the
// same but for the sign of ux and the order of its joint. That halves the number of dependent operations and doubles the work of
// each.
#pragma once

#include "math/pack.h"
#include "solvers/newton/chain_solve.h"
#include "writhe/vec.h"

namespace writhe::newton::WRITHE_ISA {

using writhe::WRITHE_ISA::Pack;

// Two doubles: lane 0 goes through the chain from its start, lane 1 from its end.
struct Pair {
  typedef double Vec __attribute__((vector_size(16)));
  Vec v;
  Pair() : v{0, 0} {}
  Pair(Vec vec) : v(vec) {}  // NOLINT: a register is a Pair
  explicit Pair(double s) : v{s, s} {}
  Pair(double near, double far) : v{near, far} {}
  friend Pair operator+(const Pair& a, const Pair& b) { return a.v + b.v; }
  friend Pair operator-(const Pair& a, const Pair& b) { return a.v - b.v; }
  friend Pair operator*(const Pair& a, const Pair& b) { return a.v * b.v; }
  friend Pair operator/(const Pair& a, const Pair& b) { return a.v / b.v; }
  friend Pair operator-(const Pair& a) { return -a.v; }
};

// Counts pivots that are not positive, from the changes of sign among the leading minors of a block. A minor that is zero counts
// as negative; the number is right all the same, unless it is the last of the three (docs/theory/rod.md).
struct Signs {
  typedef long long Mask __attribute__((vector_size(16)));  // -1 for true
  Mask sum{0, 0};
  WRITHE_FN void add(const Pair& first, const Pair& second, const Pair& third) {
    const Pair::Vec zero{0, 0};
    const Mask a = first.v > zero, b = second.v > zero, c = third.v > zero;
    sum += ~a + (a ^ b) + (b ^ c);
  }
  WRITHE_FN void add(double first, double second, double third) {
    const bool a = first > 0, b = second > 0, c = third > 0;
    sum[0] -= !a + (a != b) + (b != c);
  }
  WRITHE_FN void passed(int, int) const {}  // told after each segment which of them, from either end
  int count() const { return static_cast<int>(-(sum[0] + sum[1])); }
};

// Count: who is told of the leading minors (Signs, or PivotCount of chain_factor_kernel.cpp).
template <class T, class Count>
WRITHE_FN TSym3<T> invert(const TSym3<T>& p, Count& signs) {
  const T cxx = p.yy * p.zz - p.yz * p.yz, cxy = p.xz * p.yz - p.xy * p.zz, cxz = p.xy * p.yz - p.xz * p.yy;
  const T det = p.xx * cxx + p.xy * cxy + p.xz * cxz;
  const T minor = p.xx * p.yy - p.xy * p.xy;
  signs.add(p.xx, minor, det);
  const T f = T(1.0) / det;
  return {f * cxx, f * cxy, f * cxz, f * (p.xx * p.zz - p.xz * p.xz), f * (p.xy * p.xz - p.xx * p.yz), f * minor};
}

// The same on the free coordinates only (1 free, 0 prescribed): zero rows and columns for the others, which then take no part.
template <class T, class Count>
WRITHE_FN TSym3<T> invert_free(const TSym3<T>& p, const TVec3<T>& f, Count& signs) {
  const T one(1.0);
  const TSym3<T> s = invert(TSym3<T>{f.x * p.xx + (one - f.x), f.x * f.y * p.xy, f.x * f.z * p.xz, f.y * p.yy + (one - f.y),
                                     f.y * f.z * p.yz, f.z * p.zz + (one - f.z)},
                            signs);
  return {f.x * s.xx, f.x * f.y * s.xy, f.x * f.z * s.xz, f.y * s.yy, f.y * f.z * s.yz, f.z * s.zz};
}

WRITHE_FN bool all_free(const Vec3& f) { return f.x * f.y * f.z == 1; }
WRITHE_FN bool all_free(const TVec3<Pair>& f) {
  const Pair p = f.x * f.y * f.z;
  return p.v[0] * p.v[1] == 1;
}

template <class T, class Count>
WRITHE_FN TSym3<T> invert_where_free(const TSym3<T>& p, const TVec3<T>& f, Count& signs) {
  return all_free(f) ? invert(p, signs) : invert_free(p, f, signs);
}

// What remains on six unknowns after an elimination, [aa . ; ca cc], and the right-hand sides.
template <class T>
struct Remainder {
  TSym3<T> aa;
  TMat3<T> ca;
  TSym3<T> cc;
  TVec3<T> ra, rc;
};

// What an elimination leaves for the way back: L = panel P^-1 and z = P^-1 r.
template <class T>
struct Factor {
  TMat3<T> LA, LC;
  TVec3<T> z;
  WRITHE_FN TVec3<T> back(const TVec3<T>& a, const TVec3<T>& c) const { return z - (transpose(LA) * a + transpose(LC) * c); }
};

template <class T>
WRITHE_FN TMat3<T> minus(const TMat3<T>& a, const TMat3<T>& b) {
  return {a.r0 - b.r0, a.r1 - b.r1, a.r2 - b.r2};
}
// s - a b^T, known to be symmetric
template <class T>
WRITHE_FN TSym3<T> minus_outer(const TSym3<T>& s, const TMat3<T>& a, const TMat3<T>& b) {
  return {s.xx - dot(a.r0, b.r0), s.xy - dot(a.r0, b.r1), s.xz - dot(a.r0, b.r2),
          s.yy - dot(a.r1, b.r1), s.yz - dot(a.r1, b.r2), s.zz - dot(a.r2, b.r2)};
}
template <class T>
WRITHE_FN TMat3<T> minus_full(const TSym3<T>& s) {
  return {{-s.xx, -s.xy, -s.xz}, {-s.xy, -s.yy, -s.yz}, {-s.xz, -s.yz, -s.zz}};
}
template <class T>
WRITHE_FN TMat3<T> times(const T& f, const TMat3<T>& m) {
  return {f * m.r0, f * m.r1, f * m.r2};
}

// The border: unknowns that couple to both ends of a chain and come last. An open chain has none; see ring_solve_kernel.cpp for
// the other. It is told of every elimination, and on the way back of every block in the opposite order.
struct NoBorder {
  static constexpr int segments = 0;  // of which the unknowns belong to the border, at either end
  WRITHE_FN Remainder<Pair> begin(const ChainArrays&) const { return {}; }
  template <class T>
  WRITHE_FN void eliminate(const TSym3<T>&, const Factor<T>&) const {}
  WRITHE_FN NoBorder joined() const { return {}; }  // what it is in the middle, where the ends meet
  WRITHE_FN void meet() const {}                    // there, once the far end has been added
  WRITHE_FN void solve(const ChainArrays&, Signs&, double&) const {}
  WRITHE_FN void accept(const NoBorder&) const {}  // the solution
  template <class T>
  WRITHE_FN TVec3<T> back(const Factor<T>& f, const TVec3<T>& a, const TVec3<T>& c) const {
    return f.back(a, c);
  }
};

// Eliminates a pivot block of which the inverse is given; takes its share off the remainder, the border and the slope.
template <class T, class Border>
WRITHE_FN Factor<T> eliminate(const TSym3<T>& inverse, const TMat3<T>& A, const TMat3<T>& C, const TVec3<T>& r, Remainder<T>& s,
                              T& slope, Border& border) {
  Factor<T> f;
  f.LA = {inverse * A.r0, inverse * A.r1, inverse * A.r2};
  f.LC = {inverse * C.r0, inverse * C.r1, inverse * C.r2};
  f.z = inverse * r;
  s.aa = minus_outer(s.aa, f.LA, A);
  s.ca = minus(s.ca, TMat3<T>{A * f.LC.r0, A * f.LC.r1, A * f.LC.r2});
  s.cc = minus_outer(s.cc, f.LC, C);
  s.ra = s.ra - A * f.z;
  s.rc = s.rc - C * f.z;
  slope = slope - dot(r, f.z);
  border.eliminate(inverse, f);
  return f;
}

// Reads the chain: from its start (double), or from both ends (Pair). Step k of the far lane is segment n-1-k with its second
// node, and the joint before it.
template <class T>
struct Reader;

// The blocks of one segment.
struct Blocks {
  const double* p;
  WRITHE_FN Blocks(const ChainArrays& a, int i)
      : p(a.blocks + static_cast<long>(i / Pack::lanes) * (chain_factor_size * Pack::lanes) + i % Pack::lanes) {}
  WRITHE_FN double operator[](int r) const { return p[r * Pack::lanes]; }
};

template <>
struct Reader<double> {
  const ChainArrays& a;
  int i;
  Blocks own;
  WRITHE_FN Reader(const ChainArrays& arrays, int segment_) : a(arrays), i(segment_), own(arrays, segment_) {}
  WRITHE_FN double node(int r) const { return a.row(r)[i]; }
  WRITHE_FN double segment(int r) const { return a.row(r)[i]; }
  WRITHE_FN double block(int r) const { return own[r]; }
  WRITHE_FN double own_uu(int r) const { return own[block_uu + r]; }
  WRITHE_FN double next_uu(int r) const { return own[block_bb + r]; }
  WRITHE_FN double next_coupling(int row, int column) const { return own[block_ba + 3 * row + column]; }
  WRITHE_FN static double side() { return 1; }
};

template <>
struct Reader<Pair> {
  const ChainArrays& a;
  int i, j;  // segments of the two lanes
  Blocks near, far, before_far;
  WRITHE_FN Reader(const ChainArrays& arrays, int near_segment, int far_segment)
      : a(arrays),
        i(near_segment),
        j(far_segment),
        near(arrays, near_segment),
        far(arrays, far_segment),
        before_far(arrays, far_segment - 1) {}
  WRITHE_FN Pair node(int r) const { return {a.row(r)[i], a.row(r)[j + 1]}; }
  WRITHE_FN Pair segment(int r) const { return {a.row(r)[i], a.row(r)[j]}; }
  WRITHE_FN Pair block(int r) const { return {near[r], far[r]}; }
  // block_uu holds the first side of the segment's own joint; from the far end the joint before it comes in here with its second
  // side
  WRITHE_FN Pair own_uu(int r) const { return {near[block_uu + r], far[block_uu + r] + before_far[block_bb + r]}; }
  WRITHE_FN Pair next_uu(int r) const { return {near[block_bb + r], 0.0}; }
  WRITHE_FN Pair next_coupling(int row, int column) const {
    return {near[block_ba + 3 * row + column], before_far[block_ba + 3 * column + row]};
  }
  WRITHE_FN static Pair side() { return {1, -1}; }
};

template <class Get>
WRITHE_FN auto sym(const Get& get) -> TSym3<decltype(get(0))> {
  return {get(0), get(1), get(2), get(3), get(4), get(5)};
}
template <class Get>
WRITHE_FN auto vec(const Get& get) -> TVec3<decltype(get(0))> {
  return {get(0), get(1), get(2)};
}
template <class Get>
WRITHE_FN auto mat(const Get& get) -> TMat3<decltype(get(0, 0))> {
  return {{get(0, 0), get(0, 1), get(0, 2)}, {get(1, 0), get(1, 1), get(1, 2)}, {get(2, 0), get(2, 1), get(2, 2)}};
}

// A segment and its nearer node: what both eliminations need.
template <class T>
struct Front {
  TSym3<T> D, xx, uu;
  TMat3<T> ux;
  TVec3<T> gx, gq, free;
  explicit WRITHE_FN Front(const Reader<T>& r)
      : D(sym([&r](int c) { return r.node(row_node_matrix + c); })),
        xx(sym([&r](int c) { return r.block(block_xx + c); })),
        uu(sym([&r](int c) { return r.own_uu(c); })),
        ux(times(r.side(), mat([&r](int i, int j) { return r.block(block_ux + 3 * i + j); }))),
        gx(vec([&r](int c) { return r.node(row_gradient_x + c); })),
        gq(vec([&r](int c) { return r.segment(row_gradient_q + c); })),
        free(vec([&r](int c) { return r.node(row_free + c); })) {}
};

// Eliminates the nearer node x of a segment. `carry`, on (x, q), becomes the remainder on (q, farther node).
template <class T, class Count, class Border>
WRITHE_FN Factor<T> eliminate_node(const Front<T>& f, Remainder<T>& carry, Count& signs, T& slope, Border& border) {
  const TSym3<T> P = carry.aa + f.D + f.xx;
  const TSym3<T> inverse = invert_where_free(P, f.free, signs);
  Remainder<T> s{carry.cc + f.uu, transpose(f.ux), f.xx, carry.rc - f.gq, {}};
  const Factor<T> out = eliminate(inverse, minus(carry.ca, f.ux), minus_full(f.xx), carry.ra - f.gx, s, slope, border);
  carry = s;
  return out;
}

// Eliminates the orientation q after its nearer node. `carry`, on (q, x), becomes the remainder on (x, next orientation).
template <class T, class Count, class Border>
WRITHE_FN Factor<T> eliminate_rotation(const Reader<T>& r, Remainder<T>& carry, Count& signs, T& slope, Border& border) {
  const TSym3<T> inverse = invert(carry.aa, signs);
  Remainder<T> s{carry.cc, {}, sym([&r](int c) { return r.next_uu(c); }), carry.rc, {}};
  const Factor<T> out =
      eliminate(inverse, carry.ca, mat([&r](int i, int j) { return r.next_coupling(i, j); }), carry.ra, s, slope, border);
  carry = s;
  return out;
}

// Where the factor of a segment goes: of its nearer node, then of its orientation.
template <class T>
struct SegmentFactor {
  Factor<T>&node, &rotation;
};

// Of segment k from either end, over the blocks of the segments before them: a group of `lanes` segments lies interleaved, so it
// is free once the last of them has been read. That of the nodes goes to the near end, that of the orientations to the far one.
static_assert(sizeof(Factor<Pair>) == chain_factor_size * sizeof(double));
WRITHE_FN SegmentFactor<Pair> factor_at(const ChainArrays& a, int k) {
  auto* first = reinterpret_cast<Factor<Pair>*>(a.blocks);
  return {first[k - Pack::lanes], first[a.segments - 1 - k + Pack::lanes]};
}

template <class T, class Count, class Border>
WRITHE_FN void eliminate_segment(const SegmentFactor<T>& f, const Reader<T>& r, Remainder<T>& carry, Count& signs, T& slope,
                                 Border& border) {
  f.node = eliminate_node(Front<T>(r), carry, signs, slope, border);
  f.rotation = eliminate_rotation(r, carry, signs, slope, border);
}

// Orientation, then nearer node, from the unknowns ahead of them.
template <class T, class Border>
WRITHE_FN void back(const SegmentFactor<T>& f, TVec3<T>& x, TVec3<T>& q, Border& border) {
  q = border.back(f.rotation, x, q);
  x = border.back(f.node, q, x);
}

// Three blocks that only each other, and the border, are left to couple to.
struct Three {
  Vec3 first, second, third;
};
struct ThreeFactor {
  Factor<double> first, second, third;
  template <class Border>
  WRITHE_FN Three back(Border& border) const {
    const Vec3 c = border.back(third, Vec3{}, Vec3{}), b = border.back(second, c, Vec3{}), a = border.back(first, b, c);
    return {a, b, c};
  }
};

// The second and the third of them; `s` is what remains of both, `free` the third's coordinates.
template <class Count, class Border>
WRITHE_FN void eliminate_last_two(ThreeFactor& f, const Remainder<double>& s, const Vec3& free, Count& signs, double& slope,
                                  Border& border) {
  Remainder<double> last{s.cc, {}, {}, s.rc, {}}, nothing{};
  f.second = eliminate(invert(s.aa, signs), s.ca, Mat3{}, s.ra, last, slope, border);
  f.third = eliminate(invert_where_free(last.aa, free, signs), Mat3{}, Mat3{}, last.ra, nothing, slope, border);
}

// The segment c where the two ends meet, with all that was eliminated on either side: its node, its orientation, its other node.
template <class Count, class Border>
WRITHE_FN ThreeFactor eliminate_middle(const ChainArrays& a, int c, Remainder<double> near, const Remainder<double>& far,
                                       Count& signs, double& slope, Border& border) {
  const Front<double> f(Reader<double>{a, c});
  const Front<double> end(Reader<double>{a, c + 1});  // only for the node
  ThreeFactor out;
  out.first = eliminate_node(f, near, signs, slope, border);
  near.aa += far.cc;
  near.ra += far.rc;
  near.ca = minus(near.ca, times(-1.0, transpose(far.ca)));
  near.cc += far.aa + end.D;
  near.rc += far.ra - end.gx;
  border.meet();
  eliminate_last_two(out, near, end.free, signs, slope, border);
  return out;
}

// ---- the two lanes ---------------------------------------------------------------------------------------------------------
WRITHE_FN Vec3 lane(const TVec3<Pair>& v, int k) { return {v.x.v[k], v.y.v[k], v.z.v[k]}; }
WRITHE_FN Sym3 lane(const TSym3<Pair>& s, int k) { return {s.xx.v[k], s.xy.v[k], s.xz.v[k], s.yy.v[k], s.yz.v[k], s.zz.v[k]}; }
WRITHE_FN Remainder<double> lane(const Remainder<Pair>& r, int k) {
  return {lane(r.aa, k), {lane(r.ca.r0, k), lane(r.ca.r1, k), lane(r.ca.r2, k)}, lane(r.cc, k), lane(r.ra, k), lane(r.rc, k)};
}
WRITHE_FN TVec3<Pair> pair_of(const Vec3& near, const Vec3& far) { return {{near.x, far.x}, {near.y, far.y}, {near.z, far.z}}; }

WRITHE_FN void put(const ChainArrays& a, int row, int i, const Vec3& v) {
  a.row(row)[i] = v.x;
  a.row(row + 1)[i] = v.y;
  a.row(row + 2)[i] = v.z;
}
WRITHE_FN void put(const ChainArrays& a, int row, int i, int j, const TVec3<Pair>& v) {
  put(a, row, i, lane(v, 0));
  put(a, row, j, lane(v, 1));
}

// ---- the whole -------------------------------------------------------------------------------------------------------------
// Between the two ends one segment is left, or two; then the first goes the way of the near end.
constexpr WRITHE_FN int pairs_of(int segments) { return (segments - 1) / 2; }
constexpr WRITHE_FN bool has_extra(int segments) { return segments % 2 == 0; }

// What is left for the way back of the segments in between, and the border as they see it.
template <class Joined>
struct Centre {
  Factor<double> extra_node{}, extra_rotation{};
  ThreeFactor middle;
  Joined joined;
};

// Eliminates a chain from both ends to its middle, all but the border. factor_at(k): where the factor of the segments k goes.
template <class Border, class FactorAt, class Count>
WRITHE_FN auto eliminate_chain(Border& border, const ChainArrays& a, const FactorAt& factor_at, Count& signs, double& slope) {
  const int n = a.segments, pairs = pairs_of(n);
  Pair slopes(0.0);
  Remainder<Pair> carry = border.begin(a);
  for (int k = Border::segments; k < pairs; ++k) {
    eliminate_segment(factor_at(k), Reader<Pair>{a, k, n - 1 - k}, carry, signs, slopes, border);
    signs.passed(k, n - 1 - k);
  }
  Remainder<double> near = lane(carry, 0);
  slope = slopes.v[0] + slopes.v[1];
  Centre<decltype(border.joined())> out{.middle = {}, .joined = border.joined()};
  const SegmentFactor<double> extra{out.extra_node, out.extra_rotation};
  if (has_extra(n)) {
    eliminate_segment(extra, Reader<double>{a, pairs}, near, signs, slope, out.joined);
    signs.passed(pairs, pairs);
  }
  const int c = pairs + has_extra(n);
  out.middle = eliminate_middle(a, c, near, lane(carry, 1), signs, slope, out.joined);
  signs.passed(c, c);
  return out;
}

// See ChainKernel::solve.
template <class Border>
WRITHE_FN int solve_with(Border& border, const ChainArrays& a, double& slope) {
  const int n = a.segments, pairs = pairs_of(n), c = pairs + has_extra(n);
  Signs signs;
  auto centre = eliminate_chain(
      border, a, [&a](int k) { return factor_at(a, k); }, signs, slope);
  centre.joined.solve(a, signs, slope);
  if (signs.count() > 0) return signs.count();

  const Three m = centre.middle.back(centre.joined);
  put(a, row_step_x, c, m.first);
  put(a, row_step_q, c, m.second);
  put(a, row_step_x, c + 1, m.third);
  Vec3 x0 = m.first, q0 = m.second;
  if (has_extra(n)) {
    back(SegmentFactor<double>{centre.extra_node, centre.extra_rotation}, x0, q0, centre.joined);
    put(a, row_step_q, pairs, q0);
    put(a, row_step_x, pairs, x0);
  }
  border.accept(centre.joined);
  TVec3<Pair> x = pair_of(x0, m.third), q = pair_of(q0, m.second);
  for (int k = pairs - 1; k >= Border::segments; --k) {
    back(factor_at(a, k), x, q, border);
    put(a, row_step_q, k, n - 1 - k, q);
    put(a, row_step_x, k, n - k, x);
  }
  return 0;
}

}  // namespace writhe::newton::WRITHE_ISA
