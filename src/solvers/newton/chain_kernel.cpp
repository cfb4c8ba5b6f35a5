// Compiled for each instruction set; see math/pack.h. No containers, no allocation.
#include "solvers/newton/chain_kernel.h"

#include "elastic/inertia.h"
#include "elastic/joint.h"
#include "elastic/segment.h"
#include "math/pack.h"

namespace writhe::newton {
namespace WRITHE_ISA {

using writhe::WRITHE_ISA::Pack;

namespace {

using PVec3 = TVec3<Pack>;
using PQuat = TQuat<Pack>;
using PSym3 = TSym3<Pack>;
using PMat3 = TMat3<Pack>;

// Reads and writes `lanes` consecutive indices of a chain.
struct Lanes {
  const ChainArrays& a;
  Pack scalar(int r, int i) const { return Pack::load(a.row(r) + i); }
  PVec3 vec(int r, int i) const { return {scalar(r, i), scalar(r + 1, i), scalar(r + 2, i)}; }
  PQuat quat(int r, int i) const { return {scalar(r, i), scalar(r + 1, i), scalar(r + 2, i), scalar(r + 3, i)}; }
  PSym3 sym(int r, int i) const {
    return {scalar(r, i), scalar(r + 1, i), scalar(r + 2, i), scalar(r + 3, i), scalar(r + 4, i), scalar(r + 5, i)};
  }
  void put(int r, int i, const Pack& v) const { v.store(a.row(r) + i); }
  void put(int r, int i, const PVec3& v) const {
    put(r, i, v.x);
    put(r + 1, i, v.y);
    put(r + 2, i, v.z);
  }
  void put(int r, int i, const PQuat& q) const {
    put(r, i, q.w);
    put(r + 1, i, q.x);
    put(r + 2, i, q.y);
    put(r + 3, i, q.z);
  }
};

double evaluate(const ChainArrays& a) {
  const Lanes l{a};
  const Pack inv_h(a.inv_h);
  Pack energy(0.0);
  for (int i = 0; i < a.padded; i += Pack::lanes) {
    const PQuat q = l.quat(row_q, i);

    const Pack length = l.scalar(row_length, i);
    const PVec3 d = (Pack(1.0) / length) * (l.vec(row_x, i + 1) - l.vec(row_x, i));
    const auto segment = elastic::segment_value(d, q, length, l.vec(row_stretch, i), l.vec(row_stretch_rest, i));

    const auto joint =
        elastic::joint_value(q, l.quat(row_q, i + 1), l.scalar(row_joint_length, i), l.vec(row_bend, i), l.vec(row_bend_rest, i));

    const auto spin = elastic::spin_value(l.quat(row_q_prev, i), q, inv_h, l.vec(row_spin_inertia, i), l.vec(row_spin_target, i));

    const PVec3 y = l.vec(row_x, i) - l.vec(row_x_prev, i);
    const PVec3 Dy = l.sym(row_node_matrix, i) * y;

    l.put(row_force, i + 1, segment.force);
    l.put(row_moment, i + 1, joint.moment_b);
    l.put(row_gradient_x, i, Dy - l.vec(row_node_force, i));
    l.put(row_gradient_q, i, segment.moment + joint.moment_a + spin.moment);
    l.put(row_segment_stress, i, segment.stress);
    l.put(row_joint_stress, i, joint.stress);
    energy = energy + segment.energy + joint.energy + spin.energy + dot(y, Pack(0.5) * Dy - l.vec(row_node_force, i));
  }
  return sum(energy);
}

void collect(const ChainArrays& a, ChainSums& sums) {
  const Lanes l{a};
  Pack force2(0.0), moment2(0.0), internal2(0.0), slope(0.0), turn(-1.0);
  for (int i = 0; i < a.padded; i += Pack::lanes) {
    const PVec3 own = l.vec(row_force, i + 1);
    const PVec3 gx = scale(l.vec(row_free, i), l.vec(row_gradient_x, i) + l.vec(row_force, i) - own);
    const PVec3 gq = l.vec(row_gradient_q, i) + l.vec(row_moment, i);
    l.put(row_gradient_x, i, gx);
    l.put(row_gradient_q, i, gq);
    const Pack length = l.scalar(row_length, i);
    force2 = max(force2, dot(gx, gx));
    moment2 = max(moment2, dot(gq, gq) / (length * length));
    internal2 = max(internal2, dot(own, own));
    turn = max(turn, -dot(l.quat(row_q, i), l.quat(row_q, i + 1)));
    slope = slope + dot(gx, l.vec(row_step_x, i)) + dot(gq, l.vec(row_step_q, i));
  }
  const double force = largest(force2), moment = largest(moment2);
  sums.force = __builtin_sqrt(force > moment ? force : moment);
  sums.internal = __builtin_sqrt(largest(internal2));
  sums.slope = sum(slope);
  sums.joint_cosine = -largest(turn);
}

void hessian(const ChainArrays& a, double geometric) {
  const Lanes l{a};
  const Pack inv_h(a.inv_h), g(geometric);
  double* out = a.blocks;
  const auto put = [&out](int r, const Pack& v) { v.store(out + r * Pack::lanes); };
  const auto put_sym = [&](int r, const PSym3& s) {
    put(r, s.xx), put(r + 1, s.xy), put(r + 2, s.xz), put(r + 3, s.yy), put(r + 4, s.yz), put(r + 5, s.zz);
  };
  const auto put_mat = [&](int r, const PMat3& m) {
    put(r, m.r0.x), put(r + 1, m.r0.y), put(r + 2, m.r0.z);
    put(r + 3, m.r1.x), put(r + 4, m.r1.y), put(r + 5, m.r1.z);
    put(r + 6, m.r2.x), put(r + 7, m.r2.y), put(r + 8, m.r2.z);
  };
  for (int i = 0; i < a.padded; i += Pack::lanes, out += chain_blocks * Pack::lanes) {
    const PQuat q = l.quat(row_q, i);
    const Pack length = l.scalar(row_length, i);
    const PVec3 d = (Pack(1.0) / length) * (l.vec(row_x, i + 1) - l.vec(row_x, i));
    const auto segment = elastic::segment_hessian(d, q, length, l.vec(row_stretch, i), g * l.vec(row_segment_stress, i));
    put_sym(block_xx, segment.xx);
    put_mat(block_ux, segment.ux);
    const auto joint = elastic::joint_hessian(q, l.quat(row_q, i + 1), l.scalar(row_joint_length, i), l.vec(row_bend, i),
                                              g * l.vec(row_joint_stress, i));
    const auto spin =
        elastic::spin_hessian(l.quat(row_q_prev, i), q, inv_h, l.vec(row_spin_inertia, i), l.vec(row_spin_target, i));
    put_sym(block_uu, segment.uu + joint.aa + spin);
    put_mat(block_ba, joint.ba);
    put_sym(block_bb, joint.bb);
  }
}

// ---- elimination ---------------------------------------------------------------------------------------------------
// The unknowns in the order x0 q0 x1 q1 ... give a matrix of half-width 8. It is eliminated three unknowns at a time: x_i couples
// to (q_i, x_i+1), then q_i to (x_i+1, q_i+1), so that every elimination is the same 3 + 6 front: P the pivot, B the 6x3 panel (A
// over C), S the remaining 6x6. Against one unknown at a time this needs one division, not three, in the chain of dependent
// operations.

Mat3 full(const Sym3& s) { return {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}; }

struct Pivot {
  Sym3 inverse;
  int not_positive;
};

// Inverse by cofactors; signs of the three pivots from the changes of sign among the leading minors.
WRITHE_FN Pivot invert(const Sym3& p) {
  const double cxx = p.yy * p.zz - p.yz * p.yz, cxy = p.xz * p.yz - p.xy * p.zz, cxz = p.xy * p.yz - p.xz * p.yy;
  const double det = p.xx * cxx + p.xy * cxy + p.xz * cxz;
  const double minor = p.xx * p.yy - p.xy * p.xy;
  const double f = 1 / det;
  Pivot out;
  out.inverse = {f * cxx, f * cxy, f * cxz, f * (p.xx * p.zz - p.xz * p.xz), f * (p.xy * p.xz - p.xx * p.yz), f * minor};
  const bool first = p.xx > 0, second = minor > 0, third = det > 0;
  out.not_positive = !first + (first != second) + (second != third);
  return out;
}

// The same on the free coordinates only (1 free, 0 prescribed): zero rows and columns for the others, which then take no part.
WRITHE_FN Pivot invert_free(const Sym3& p, const Vec3& f) {
  Pivot out = invert({f.x * p.xx + (1 - f.x), f.x * f.y * p.xy, f.x * f.z * p.xz, f.y * p.yy + (1 - f.y), f.y * f.z * p.yz,
                      f.z * p.zz + (1 - f.z)});
  Sym3& s = out.inverse;
  s = {f.x * s.xx, f.x * f.y * s.xy, f.x * f.z * s.xz, f.y * s.yy, f.y * f.z * s.yz, f.z * s.zz};
  return out;
}

// rows of m times the symmetric s
WRITHE_FN Mat3 times(const Mat3& m, const Sym3& s) { return {s * m.r0, s * m.r1, s * m.r2}; }
// a b^T
WRITHE_FN Mat3 outer(const Mat3& a, const Mat3& b) { return {b * a.r0, b * a.r1, b * a.r2}; }
WRITHE_FN Mat3 minus(const Mat3& a, const Mat3& b) { return {a.r0 - b.r0, a.r1 - b.r1, a.r2 - b.r2}; }
// s - a b^T, known to be symmetric
WRITHE_FN Sym3 minus_outer(const Sym3& s, const Mat3& a, const Mat3& b) {
  return {s.xx - dot(a.r0, b.r0), s.xy - dot(a.r0, b.r1), s.xz - dot(a.r0, b.r2),
          s.yy - dot(a.r1, b.r1), s.yz - dot(a.r1, b.r2), s.zz - dot(a.r2, b.r2)};
}

// What remains on the six unknowns after an elimination: [aa . ; ca cc] and the right-hand sides.
struct Remainder {
  Sym3 aa;
  Mat3 ca;
  Sym3 cc;
  Vec3 ra, rc;
};

WRITHE_FN void store(double* p, const Mat3& m) {
  p[0] = m.r0.x, p[1] = m.r0.y, p[2] = m.r0.z, p[3] = m.r1.x, p[4] = m.r1.y, p[5] = m.r1.z, p[6] = m.r2.x, p[7] = m.r2.y,
  p[8] = m.r2.z;
}
WRITHE_FN Mat3 load_mat(const double* p) { return {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, {p[6], p[7], p[8]}}; }
WRITHE_FN void store(double* p, const Vec3& v) { p[0] = v.x, p[1] = v.y, p[2] = v.z; }
WRITHE_FN Vec3 load_vec(const double* p) { return {p[0], p[1], p[2]}; }

// Eliminates the pivot block; `out` receives the panels L = B P^-1 (9 + 9) and z = P^-1 r (3).
WRITHE_FN void eliminate(const Pivot& pivot, const Mat3& A, const Mat3& C, const Vec3& r, Remainder& s, double* out,
                         double& slope) {
  const Mat3 LA = times(A, pivot.inverse), LC = times(C, pivot.inverse);
  const Vec3 z = pivot.inverse * r;
  s.aa = minus_outer(s.aa, LA, A);
  s.ca = minus(s.ca, outer(LC, A));
  s.cc = minus_outer(s.cc, LC, C);
  s.ra -= A * z;
  s.rc -= C * z;
  store(out, LA);
  store(out + 9, LC);
  store(out + 18, z);
  slope -= dot(r, z);
}

int solve(const ChainArrays& a, double& slope) {
  const int n = a.segments + 1;
  const long lanes = Pack::lanes;
  int not_positive = 0;
  slope = 0;
  // On (x_i, q_i), from all that is eliminated before.
  Remainder carry{{}, {}, {}, {}, {}};
  for (int i = 0; i < n; ++i) {
    const double* b = a.blocks + (i / lanes) * chain_blocks * lanes + i % lanes;
    const auto get = [b](int r) { return b[r * lanes]; };
    const auto sym = [&get](int r) { return Sym3{get(r), get(r + 1), get(r + 2), get(r + 3), get(r + 4), get(r + 5)}; };
    const auto mat = [&get](int r) {
      return Mat3{{get(r), get(r + 1), get(r + 2)}, {get(r + 3), get(r + 4), get(r + 5)}, {get(r + 6), get(r + 7), get(r + 8)}};
    };
    const auto at = [&a, i](int r) { return a.row(r)[i]; };
    const auto vec = [&at](int r) { return Vec3{at(r), at(r + 1), at(r + 2)}; };
    const int d = row_node_matrix;
    const Sym3 D = {at(d), at(d + 1), at(d + 2), at(d + 3), at(d + 4), at(d + 5)};
    double* out = a.factor + static_cast<long>(i) * chain_factor_size;

    const Sym3 xx = sym(block_xx);
    const Mat3 ux = mat(block_ux);
    const Vec3 free = vec(row_free);
    const Sym3 Px = carry.aa + D + xx;
    const Pivot px = free.x * free.y * free.z == 1 ? invert(Px) : invert_free(Px, free);
    Remainder s{carry.cc + sym(block_uu), transpose(ux), xx, carry.rc - vec(row_gradient_q), {}};
    eliminate(px, minus(carry.ca, ux), full({-xx.xx, -xx.xy, -xx.xz, -xx.yy, -xx.yz, -xx.zz}), carry.ra - vec(row_gradient_x), s,
              out, slope);

    const Pivot pq = invert(s.aa);
    carry = {s.cc, {}, sym(block_bb), s.rc, {}};
    eliminate(pq, s.ca, mat(block_ba), s.ra, carry, out + 21, slope);
    not_positive += px.not_positive + pq.not_positive;
  }
  if (not_positive > 0) return not_positive;

  Vec3 x_next{}, q_next{};
  for (int i = n - 1; i >= 0; --i) {
    const double* f = a.factor + static_cast<long>(i) * chain_factor_size;
    const auto back = [](const double* p, const Vec3& first, const Vec3& second) {
      return load_vec(p + 18) - (transpose(load_mat(p)) * first + transpose(load_mat(p + 9)) * second);
    };
    const Vec3 q = back(f + 21, x_next, q_next);
    const Vec3 x = back(f, q, x_next);
    a.row(row_step_x)[i] = x.x, a.row(row_step_x + 1)[i] = x.y, a.row(row_step_x + 2)[i] = x.z;
    a.row(row_step_q)[i] = q.x, a.row(row_step_q + 1)[i] = q.y, a.row(row_step_q + 2)[i] = q.z;
    x_next = x;
    q_next = q;
  }
  return 0;
}

// q turned by the rotation vector `step` (body), as q (1, step/2)/|(1, step/2)|: agrees with the exponential to second order,
// which is all that Newton's method asks of a retraction, and needs no sine.
WRITHE_FN PQuat turned(const PQuat& q, const PVec3& step) {
  const PVec3 half = Pack(0.5) * step;
  const Pack f = Pack(1.0) / sqrt(Pack(1.0) + dot(half, half));
  const PQuat r = q * PQuat{f, f * half.x, f * half.y, f * half.z};
  // one Newton step towards unit length, so that rounding does not add up
  const Pack s = Pack(1.5) - Pack(0.5) * dot(r, r);
  return {s * r.w, s * r.x, s * r.y, s * r.z};
}

void move(const ChainArrays& a, double scale_) {
  const Lanes l{a};
  const Pack s(scale_);
  for (int i = 0; i < a.padded; i += Pack::lanes) {
    l.put(row_x, i, l.vec(row_x_base, i) + s * l.vec(row_step_x, i));
    l.put(row_q, i, turned(l.quat(row_q_base, i), s * l.vec(row_step_q, i)));
  }
}

}  // namespace

extern const ChainKernel kernel;
const ChainKernel kernel = {HWY_STR(WRITHE_ISA), Pack::lanes, evaluate, collect, hessian, solve, move};

}  // namespace WRITHE_ISA
}  // namespace writhe::newton
