// The local steps: forces and moments of the elements, at the point of the iteration. Compiled for each instruction set; see
// math/pack.h. No containers, no allocation.
#include "elastic/inertia.h"
#include "elastic/joint.h"
#include "elastic/segment.h"
#include "solvers/pd/bundle_passes.h"

namespace writhe::pd::WRITHE_ISA {

namespace {

WRITHE_FN auto joint_value(bool plain, const PQuat& a, const PQuat& b, const PVec3& K, const PVec3& rest) {
  return plain ? elastic::plain_joint_value(a, b, K, rest) : elastic::joint_value(a, b, K, rest);
}

// Adds the moments of joints to prescribed frames to the gradient; returns their energy.
Pack add_anchors(const BundleArrays& a, double weight, Pack& moment2) {
  Pack energy(0.0);
  for (int k = 0; k < a.anchor_count; ++k) {
    const AnchorView anchor(a, k, a.point);
    const auto value = anchor.frame_first ? joint_value(a.published, anchor.frame, anchor.q, anchor.bend, anchor.rest)
                                          : joint_value(a.published, anchor.q, anchor.frame, anchor.bend, anchor.rest);
    const PVec3 moment = Pack(weight) * (anchor.frame_first ? value.moment_b : value.moment_a);
    const Pack parts[3] = {moment.x, moment.y, moment.z};
    for (int c = 0; c < 3; ++c) anchor.add(row_gradient_q + c, parts[c]);
    energy = energy + value.energy;
    moment2 = max(moment2, dot(value.stress, value.stress));
  }
  return energy;
}

// D y of a node.
WRITHE_FN PVec3 node_matrix_times(const Rows& l, int p, const PVec3& y) {
  return l.a.bare ? l.scalar(row_node_matrix, p) * y : l.sym(row_node_matrix, p) * y;
}

}  // namespace

void find_forces(const BundleArrays& arrays, BundleSums& sums) {
  const BundleArrays a = arrays;
  const Rows l{a};
  for (int p = 0; p < a.padded; p += Pack::lanes) {
    const PVec3 d = l.scalar(row_inverse_length, p) * (l.vec(a.point + point_x, p + a.shift) - l.vec(a.point + point_x, p));
    const auto segment = elastic::segment_value(d, l.quat(a.point + point_q, p), l.scalar(row_length, p), l.vec(row_stretch, p),
                                                l.vec(row_stretch_rest, p));
    l.put(row_force, p + a.shift, segment.force);
  }
  Pack force2(0.0), internal2(0.0);
  for (int p = 0; p < a.padded; p += Pack::lanes) {
    const PVec3 y = l.vec(a.point + point_x, p) - l.vec(row_x_prev, p), own = l.vec(row_force, p + a.shift);
    const PVec3 g = scale(l.vec(row_free, p), node_matrix_times(l, p, y) - l.vec(row_node_force, p) + l.vec(row_force, p) - own);
    l.put(row_gradient_x, p, g);
    force2 = max(force2, dot(g, g));
    internal2 = max(internal2, dot(own, own));
  }
  put_lanes(sums.force, sqrt(most(a, force2)));
  put_lanes(sums.internal, sqrt(most(a, internal2)));
}

// Three short passes and not one: a processor looks ahead over so many instructions, and these are independent of each other.
void find_moments(const BundleArrays& arrays, BundleSums& sums) {
  const BundleArrays a = arrays;
  const Rows l{a};
  const Pack inv_h(a.inv_h);
  // The paper's constants weigh bend and twist twice as much as the shear that balances them (docs/theory/pd.md).
  const double weight = a.published ? 2 : 1;
  Pack energy(0.0), moment2(0.0);
  for (int p = 0; p < a.padded; p += Pack::lanes) {
    const PVec3 x = l.vec(a.point + point_x, p);
    const PVec3 d = l.scalar(row_inverse_length, p) * (l.vec(a.point + point_x, p + a.shift) - x);
    const auto segment = elastic::segment_value(d, l.quat(a.point + point_q, p), l.scalar(row_length, p), l.vec(row_stretch, p),
                                                l.vec(row_stretch_rest, p));
    const PVec3 y = x - l.vec(row_x_prev, p);
    energy = energy + segment.energy + dot(y, Pack(0.5) * node_matrix_times(l, p, y) - l.vec(row_node_force, p));
    l.put(row_gradient_q, p, segment.moment);
  }
  for (int p = 0; p < a.padded; p += Pack::lanes) {
    const PQuat q = l.quat(a.point + point_q, p);
    const PQuat far = writhe::WRITHE_ISA::far_side(l.scalar(row_joint, p), l.quat(a.point + point_q, p + a.shift), q);
    const auto joint = joint_value(a.published, q, far, l.vec(row_bend, p), l.vec(row_bend_rest, p));
    energy = energy + joint.energy;
    l.put(row_moment, p + a.shift, Pack(weight) * joint.moment_b);
    l.put(row_gradient_q, p, l.vec(row_gradient_q, p) + Pack(weight) * joint.moment_a);
    moment2 = max(moment2, dot(joint.stress, joint.stress));
  }
  const Pack anchored = add_anchors(arrays, weight, moment2);
  Pack turning2(0.0);
  for (int p = 0; p < a.padded; p += Pack::lanes) {
    const auto spin = elastic::spin_value(l.quat(row_q_prev, p), l.quat(a.point + point_q, p), inv_h, l.vec(row_spin_inertia, p),
                                          l.vec(row_spin_momentum, p));
    energy = energy + spin.energy;
    const PVec3 g = l.vec(row_gradient_q, p) + l.vec(row_moment, p) + spin.moment;
    l.put(row_gradient_q, p, g);
    const PVec3 f = l.scalar(row_inverse_length, p) * g;
    turning2 = max(turning2, dot(f, f));
  }
  put_lanes(sums.energy, total(a, energy) + anchored);
  put_lanes(sums.moment, sqrt(most(a, moment2)));
  put_lanes(sums.turning, sqrt(most(a, turning2)));
}

void inspect(const BundleArrays& a, BundleShape& shape) {
  const Rows l{a};
  Pack turn(-1.0), fold(-1.0);
  const auto see = [&](const PQuat& r) {
    turn = max(turn, -r.w);
    fold = max(fold, -(r.w * r.w + r.z * r.z));
  };
  for (int p = 0; p < a.padded; p += Pack::lanes) {
    const PQuat q = l.quat(a.best + point_q, p);
    see(conj(q) * writhe::WRITHE_ISA::far_side(l.scalar(row_joint, p), l.quat(a.best + point_q, p + a.shift), q));
  }
  for (int k = 0; k < a.anchor_count; ++k) {
    const AnchorView anchor(a, k, a.best);
    see(conj(anchor.frame) * anchor.q);
  }
  put_lanes(shape.joint_cosine, -most(a, turn));
  put_lanes(shape.joint_fold, -most(a, fold));
}

}  // namespace writhe::pd::WRITHE_ISA
