// Compiled for each instruction set; see math/pack.h. No containers, no allocation.
#include "solvers/newton/chain_kernel.h"

#include "elastic/inertia.h"
#include "elastic/joint.h"
#include "elastic/segment.h"
#include "math/pack_rows.h"
#include "math/retraction.h"
#include "solvers/newton/chain_solve.h"

namespace writhe::newton {
namespace WRITHE_ISA {

using writhe::WRITHE_ISA::Pack;

namespace {

using writhe::WRITHE_ISA::PMat3;
using writhe::WRITHE_ISA::PQuat;
using writhe::WRITHE_ISA::PSym3;
using writhe::WRITHE_ISA::PVec3;
// By the index of the first of the register's lanes.
struct ChainPlace {
  const ChainArrays& a;
  WRITHE_FN double* at(int r, int i) const { return a.row(r) + i; }
};
using Lanes = writhe::WRITHE_ISA::PackRows<ChainPlace>;

// The far side of the joint after a segment. Where there is none (past the end, at a clamp inside the rod) its length is 0: then
// the segment itself, at unit length.
struct FarSide {
  PQuat q;
  Pack length;
};
WRITHE_FN FarSide far_side(const Lanes& l, int i, const PQuat& q) {
  const Pack length = l.scalar(row_joint_length, i);
  return {writhe::WRITHE_ISA::far_side(length, l.quat(row_q, i + 1), q), choose(length, length, Pack(1.0))};
}

double evaluate(const ChainArrays& a) {
  const Lanes l{a};
  const Pack inv_h(a.inv_h);
  Pack energy(0.0);
  for (int i = 0; i < a.padded; i += Pack::lanes) {
    const PQuat q = l.quat(row_q, i);

    const Pack length = l.scalar(row_length, i);
    const PVec3 d = (Pack(1.0) / length) * (l.vec(row_x, i + 1) - l.vec(row_x, i));
    const auto segment = elastic::segment_value(d, q, length, l.vec(row_stretch, i), l.vec(row_stretch_rest, i));

    const FarSide far = far_side(l, i, q);
    const auto joint = elastic::joint_value(q, far.q, far.length, l.vec(row_bend, i), l.vec(row_bend_rest, i));

    const auto spin =
        elastic::spin_value(l.quat(row_q_prev, i), q, inv_h, l.vec(row_spin_inertia, i), l.vec(row_spin_momentum, i));

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
  Pack force2(0.0), moment2(0.0), internal2(0.0), slope(0.0), turn(-1.0), bending2(0.0), fold(-1.0);
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
    const PVec3 m = l.vec(row_joint_stress, i);
    bending2 = max(bending2, dot(m, m));
    const PQuat q = l.quat(row_q, i);
    const PQuat r = conj(q) * far_side(l, i, q).q;
    turn = max(turn, -r.w);
    fold = max(fold, -(r.w * r.w + r.z * r.z));
    slope = slope + dot(gx, l.vec(row_step_x, i)) + dot(gq, l.vec(row_step_q, i));
  }
  const double force = largest(force2), moment = largest(moment2);
  sums.force = __builtin_sqrt(force > moment ? force : moment);
  sums.internal = __builtin_sqrt(largest(internal2));
  sums.slope = sum(slope);
  sums.moment = __builtin_sqrt(largest(bending2));
  sums.joint_cosine = -largest(turn);
  sums.joint_fold = -largest(fold);
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
  for (int i = 0; i < a.padded; i += Pack::lanes, out += chain_factor_size * Pack::lanes) {
    const PQuat q = l.quat(row_q, i);
    const Pack length = l.scalar(row_length, i);
    const PVec3 d = (Pack(1.0) / length) * (l.vec(row_x, i + 1) - l.vec(row_x, i));
    const auto segment = elastic::segment_hessian(d, q, length, l.vec(row_stretch, i), g * l.vec(row_segment_stress, i));
    put_sym(block_xx, segment.xx);
    put_mat(block_ux, segment.ux);
    const FarSide far = far_side(l, i, q);
    const auto joint = elastic::joint_hessian(q, far.q, far.length, l.vec(row_bend, i), g * l.vec(row_joint_stress, i));
    const PQuat q_prev = l.quat(row_q_prev, i);
    const PVec3 J = l.vec(row_spin_inertia, i);
    const PVec3 excess = scale(J, elastic::angular_rate(q_prev, q, inv_h)) - l.vec(row_spin_momentum, i);
    const auto spin = elastic::spin_hessian(q_prev, q, inv_h, J, g * excess);
    put_sym(block_uu, segment.uu + joint.aa + spin);
    put_mat(block_ba, joint.ba);
    put_sym(block_bb, joint.bb);
  }
}

void move(const ChainArrays& a, double scale_) {
  const Lanes l{a};
  const Pack s(scale_);
  for (int i = 0; i < a.padded; i += Pack::lanes) {
    l.put(row_x, i, l.vec(row_x_base, i) + s * l.vec(row_step_x, i));
    l.put(row_q, i, nearly_turned(l.quat(row_q_base, i), s * l.vec(row_step_q, i)));
  }
}

}  // namespace

extern const ChainKernel kernel;
const ChainKernel kernel = {HWY_STR(WRITHE_ISA), Pack::lanes, evaluate,       collect,       hessian, solve,
                            solve_ring,          factor,      solve_factored, solve_several, move};

}  // namespace WRITHE_ISA
}  // namespace writhe::newton
