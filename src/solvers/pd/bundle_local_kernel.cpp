// The local steps: forces and moments of the elements, at the point of the iteration. Compiled for each instruction set; see
// math/pack.h. No containers, no allocation.
#include "elastic/increment.h"
#include "elastic/inertia.h"
#include "elastic/joint.h"
#include "elastic/segment.h"
#include "math/retraction.h"
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
    for (int c = 0; c < 3; ++c) anchor.add(Rows{a.rows}, row_gradient_q + c, parts[c]);
    energy = energy + Pack(weight) * value.energy;
    moment2 = max(moment2, dot(value.stress, value.stress));
  }
  return energy;
}

// D y of a node.
WRITHE_FN PVec3 node_matrix_times(const Rows& l, int t, bool bare, const PVec3& y) {
  return bare ? l.scalar(row_node_matrix, t) * y : l.sym(row_node_matrix, t) * y;
}

// d = (x1 - x0)/l
WRITHE_FN auto segment_value(const Rows& l, int t, const PVec3& d, const PQuat& q) {
  return elastic::segment_value(d, q, l.scalar(row_length, t), l.vec(row_stretch, t), l.vec(row_stretch_rest, t));
}

}  // namespace

void predict(const BundleArrays& arrays, double damping, BundleStart& start) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  const Pack inv_h(a.inv_h), h(1 / a.inv_h), rate(damping);
  Pack size(0.0), load(0.0), moments(0.0), heaviest(0.0), stretch2(0.0);
  const auto larger = [](const Pack& so_far, const PVec3& v) {
    return max(so_far, max(max(max(v.x, -v.x), max(v.y, -v.y)), max(v.z, -v.z)));
  };
  PVec3 x = l.vec(row_x_prev, 0);
  const PVec3 halo = a.several ? PVec3{} : PVec3{from_next_lane(x)};
  for (int t = 0; t < a.tiles; ++t) {
    const Pack mass = l.scalar(row_mass, t), matrix = elastic::bare_node_matrix(mass, rate, inv_h);
    const PVec3 v = l.vec(row_gradient_x, t), force = l.vec(row_node_force, t);
    l.put(row_node_matrix, t, matrix);
    l.put(row_node_force, t, elastic::node_momentum_force(mass, v, inv_h) + force);
    l.put(a.point + point_x, t, x + h * v);

    const PVec3 w = l.vec(row_gradient_q, t), moment = l.vec(row_spin_momentum, t);
    const auto spin = elastic::spin_quadratic(l.vec(row_inertia, t), w, moment, rate, h);
    l.put(row_spin_inertia, t, spin.inertia);
    l.put(row_spin_momentum, t, spin.momentum);
    l.put(a.point + point_q, t, nearly_turned(l.quat(row_q_prev, t), h * w));

    const PVec3 next = t + 1 < a.tiles ? l.vec(row_x_prev, t + 1) : halo;
    const PVec3 d = l.scalar(row_inverse_length, t) * (next - x);
    stretch2 = max(stretch2, choose(l.scalar(row_stretch + 2, t), dot(d, d), Pack(0.0)));
    size = larger(size, x);
    load = load + sqrt(dot(force, force));
    moments = moments + sqrt(dot(moment, moment));
    heaviest = max(heaviest, matrix);
    x = next;
  }
  put_lanes(start.size, most(a, size));
  put_lanes(start.load, total(a, load));
  put_lanes(start.moment, total(a, moments));
  put_lanes(start.heaviest, most(a, heaviest));
  put_lanes(start.stretch2, most(a, stretch2));
}

void find_forces(const BundleArrays& arrays, BundleSums& sums) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  fill_halo(arrays, a.point);
  Pack force2(0.0), internal2(0.0);
  PVec3 before{};  // gradient of the segment before by its second node
  PVec3 x = l.vec(a.point + point_x, 0);
  for (int t = 0; t < a.tiles; ++t) {
    const PVec3 next = l.vec(a.point + point_x, t + 1);
    const PVec3 own = segment_value(l, t, l.scalar(row_inverse_length, t) * (next - x), l.quat(a.point + point_q, t)).force;
    const PVec3 y = x - l.vec(row_x_prev, t);
    const PVec3 g = scale(l.vec(row_free, t), node_matrix_times(l, t, a.bare, y) - l.vec(row_node_force, t) + before - own);
    l.put(row_gradient_x, t, g);
    force2 = max(force2, t > 0 ? dot(g, g) : Pack(0.0));
    internal2 = max(internal2, dot(own, own));
    before = own;
    x = next;
  }
  PVec3 g = l.vec(row_gradient_x, 0);
  if (!a.several) {  // a strand begins where another ends
    g = g + scale(l.vec(row_free, 0), from_previous_lane(before));
    l.put(row_gradient_x, 0, g);
  }
  put_lanes(sums.force, sqrt(most(a, max(force2, dot(g, g)))));
  put_lanes(sums.internal, sqrt(most(a, internal2)));
}

// Short passes and not one: a processor looks ahead over so many instructions, and what it finds there are other tiles.
void find_moments(const BundleArrays& arrays, BundleSums& sums) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  fill_halo(arrays, a.point);
  const Pack inv_h(a.inv_h);
  const double weight = joint_weight(a.published);
  Pack energy(0.0), moment2(0.0);
  PVec3 x = l.vec(a.point + point_x, 0);
  for (int t = 0; t < a.tiles; ++t) {
    const PQuat q = l.quat(a.point + point_q, t);
    const PVec3 next = l.vec(a.point + point_x, t + 1);
    const auto segment = segment_value(l, t, l.scalar(row_inverse_length, t) * (next - x), q);
    const auto spin =
        elastic::spin_value(l.quat(row_q_prev, t), q, inv_h, l.vec(row_spin_inertia, t), l.vec(row_spin_momentum, t));
    const PVec3 y = x - l.vec(row_x_prev, t);
    energy =
        energy + segment.energy + spin.energy + dot(y, Pack(0.5) * node_matrix_times(l, t, a.bare, y) - l.vec(row_node_force, t));
    l.put(row_gradient_q, t, segment.moment + spin.moment);
    x = next;
  }
  PVec3 before{};  // gradient of the joint before by its second segment
  PQuat q = l.quat(a.point + point_q, 0);
  for (int t = 0; t < a.tiles; ++t) {
    const PQuat next = l.quat(a.point + point_q, t + 1);
    const PQuat far = writhe::WRITHE_ISA::far_side(l.scalar(row_joint, t), next, q);
    const auto joint = joint_value(a.published, q, far, l.vec(row_bend, t), l.vec(row_bend_rest, t));
    energy = energy + Pack(weight) * joint.energy;
    moment2 = max(moment2, dot(joint.stress, joint.stress));
    l.put(row_gradient_q, t, l.vec(row_gradient_q, t) + Pack(weight) * (before + joint.moment_a));
    before = joint.moment_b;
    q = next;
  }
  if (!a.several) l.put(row_gradient_q, 0, l.vec(row_gradient_q, 0) + Pack(weight) * from_previous_lane(before));
  const Pack anchored = add_anchors(arrays, weight, moment2);
  Pack turning2(0.0);
  for (int t = 0; t < a.tiles; ++t) {
    const PVec3 f = l.scalar(row_inverse_length, t) * l.vec(row_gradient_q, t);
    turning2 = max(turning2, dot(f, f));
  }
  put_lanes(sums.energy, total(a, energy) + anchored);
  put_lanes(sums.moment, sqrt(most(a, moment2)));
  put_lanes(sums.turning, sqrt(most(a, turning2)));
}

void inspect(const BundleArrays& arrays, BundleShape& shape) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  fill_halo(arrays, a.best);
  Pack turn(-1.0), fold(-1.0);
  const auto see = [&](const PQuat& r) {
    turn = max(turn, -r.w);
    fold = max(fold, -(r.w * r.w + r.z * r.z));
  };
  for (int t = 0; t < a.tiles; ++t) {
    const PQuat q = l.quat(a.best + point_q, t);
    see(conj(q) * writhe::WRITHE_ISA::far_side(l.scalar(row_joint, t), l.quat(a.best + point_q, t + 1), q));
  }
  for (int k = 0; k < a.anchor_count; ++k) {
    const AnchorView anchor(arrays, k, a.best);
    see(conj(anchor.frame) * anchor.q);
  }
  put_lanes(shape.joint_cosine, -most(a, turn));
  put_lanes(shape.joint_fold, -most(a, fold));
}

}  // namespace writhe::pd::WRITHE_ISA
