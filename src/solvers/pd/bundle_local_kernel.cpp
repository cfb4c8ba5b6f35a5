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

template <bool plain>
WRITHE_FN auto joint_value(const PQuat& q, const PVec3& bend, const PVec3& rest) {
  if constexpr (plain)
    return elastic::plain_joint_value(q, bend, rest);
  else
    return elastic::joint_value(q, bend, rest);
}

// What the joints add to, of each chain.
struct JointSums {
  Pack energy{}, anchored{};  // J; of joints to prescribed frames, of one chain the same in every lane
  Pack moment2{};
};

// Adds the moments of joints to prescribed frames to the gradient.
template <bool plain>
void add_anchors(const BundleArrays& a, const Pack& weight, JointSums& sums) {
  for (int k = 0; k < a.anchor_count; ++k) {
    const AnchorView anchor(a, k, a.point);
    const PQuat &first = anchor.frame_first ? anchor.frame : anchor.q, &second = anchor.frame_first ? anchor.q : anchor.frame;
    const auto value = joint_value<plain>(conj(first) * second, anchor.bend, anchor.rest);
    const PVec3 moment = weight * (anchor.frame_first ? value.moment_b : value.moment_a);
    const Pack parts[3] = {moment.x, moment.y, moment.z};
    for (int c = 0; c < 3; ++c) anchor.add(Rows{a.rows}, row_gradient_q + c, parts[c]);
    sums.anchored = sums.anchored + weight * value.energy;
    sums.moment2 = max(sums.moment2, dot(value.stress, value.stress));
  }
}

template <bool plain>
void add_joints(const BundleArrays& arrays, JointSums& sums) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  const Pack weight(joint_weight(plain));
  add_anchors<plain>(arrays, weight, sums);
  Pack energy(0.0), moment2 = sums.moment2;
  PVec3 before{};  // gradient of the joint before by its second segment
  // One ahead, so that the processor finds something to do that does not wait for the joint at hand.
  PQuat relative = relative_rotation(a, a.point, 0);
  for (int t = 0; t < a.tiles; ++t) {
    const auto joint = joint_value<plain>(relative, l.vec(row_bend, t), l.vec(row_bend_rest, t));
    if (t + 1 < a.tiles) relative = relative_rotation(a, a.point, t + 1);
    energy = energy + weight * joint.energy;
    moment2 = max(moment2, dot(joint.stress, joint.stress));
    PVec3 g = l.vec(row_gradient_q, t);
    if constexpr (plain)
      g = g + weight * (before + joint.moment_a);
    else
      g = g + (before + joint.moment_a);
    l.put(row_gradient_q, t, g);
    before = joint.moment_b;
  }
  // a strand begins where another ends
  if (!a.several) l.put(row_gradient_q, 0, l.vec(row_gradient_q, 0) + weight * from_previous_lane(before));
  sums.energy = energy;
  sums.moment2 = moment2;
}

// s D y of a node.
WRITHE_FN PVec3 node_matrix_times(const Rows& l, int t, bool bare, const Pack& s, const PVec3& y) {
  if (bare) return (s * l.scalar(row_node_matrix, t)) * y;
  return s * (l.sym(row_node_matrix, t) * y);
}

WRITHE_FN auto segment_value(const Rows& l, int t, const PVec3& dx, const PQuat& q) {
  return elastic::segment_value(dx, q, l.vec(row_stretch, t), l.vec(row_stretch_rest, t));
}

}  // namespace

void gather(const BundleArrays& arrays, const BundleSource& source) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  const auto copy = [&](const double* from, const long* first, int width, int row) {
    const double* lanes[Pack::lanes];
    for (int k = 0; k < Pack::lanes; ++k) lanes[k] = from + width * first[k];
    for (int t = 0; t < a.full_tiles; ++t)
      for (int c = 0; c < width; ++c) {
        double numbers[Pack::lanes];
        for (int k = 0; k < Pack::lanes; ++k) numbers[k] = lanes[k][width * t + c];
        l.put(row + c, t, Pack::load(numbers));
      }
  };
  copy(source.x, source.node, 3, row_x_prev);
  copy(source.v, source.node, 3, row_gradient_x);
  copy(source.force, source.node, 3, row_node_force);
  copy(source.q, source.segment, 4, row_q_prev);
  copy(source.w, source.segment, 3, row_gradient_q);
  if (source.moment) copy(source.moment, source.segment, 3, row_spin_moment);
}

void predict(const BundleArrays& arrays, double damping, bool has_moments, BundleStart& start) {
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

    const PVec3 w = l.vec(row_gradient_q, t);
    PVec3 moment{};
    if (has_moments) moment = l.vec(row_spin_moment, t);
    const auto spin = elastic::spin_quadratic(l.vec(row_inertia, t), w, moment, rate, h);
    l.put(row_spin_stiffness, t, (inv_h * inv_h) * spin.inertia);
    l.put(row_spin_moment, t, inv_h * spin.momentum);
    l.put(a.point + point_q, t, nearly_turned(l.quat(row_q_prev, t), h * w));

    const PVec3 next = t + 1 < a.tiles ? l.vec(row_x_prev, t + 1) : halo;
    const PVec3 d = l.scalar(row_inverse_length, t) * (next - x);
    stretch2 = max(stretch2, choose(l.scalar(row_stretch + 2, t), dot(d, d), Pack(0.0)));
    size = larger(size, x);
    load = load + sqrt(dot(force, force));
    if (has_moments) moments = moments + sqrt(dot(moment, moment));
    heaviest = max(heaviest, matrix);
    x = next;
  }
  go_on_past_end(arrays, a.point);
  put_lanes(start.size, most(a, size));
  put_lanes(start.load, total(a, load));
  put_lanes(start.moment, total(a, moments));
  put_lanes(start.heaviest, most(a, heaviest));
  put_lanes(start.stretch2, most(a, stretch2));
}

void find_forces(const BundleArrays& arrays, const Column& out, BundleSums& sums) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  fill_halo(arrays, a.point);
  Pack internal2(0.0);
  PVec3 before{};  // gradient of the segment before by its second node
  PVec3 x = l.vec(a.point + point_x, 0);
  for (int t = 0; t < a.tiles; ++t) {
    const PVec3 next = l.vec(a.point + point_x, t + 1);
    const PVec3 own = segment_value(l, t, next - x, l.quat(a.point + point_q, t)).force;
    const PVec3 y = x - l.vec(row_x_prev, t);
    l.put(row_gradient_x, t, node_matrix_times(l, t, a.bare, Pack(1.0), y) - l.vec(row_node_force, t) + before - own);
    internal2 = max(internal2, dot(own, own));
    before = own;
    x = next;
  }
  // a strand begins where another ends
  if (!a.several) l.put(row_gradient_x, 0, l.vec(row_gradient_x, 0) + from_previous_lane(before));
  for (int k = 0; k < a.prescribed_count; ++k) {
    const int t = a.prescribed[k];
    l.put(row_gradient_x, t, scale(l.vec(row_free, t), l.vec(row_gradient_x, t)));
  }
  put_lanes(sums.force, sqrt(most(a, eliminate<false>(a, a.node_system_step, out))));
  put_lanes(sums.internal, sqrt(most(a, internal2)));
}

// Short passes and not one: a processor looks ahead over so many instructions, and what it finds there are other tiles.
void find_moments(const BundleArrays& arrays, int column, BundleSums& sums) {
  const BundleArrays a = arrays;
  const Rows l{a.rows};
  fill_node_halo(arrays, a.point);
  Pack energy(0.0);
  PVec3 x = l.vec(a.point + point_x, 0);
  for (int t = 0; t < a.tiles; ++t) {
    const PQuat q = l.quat(a.point + point_q, t);
    const PVec3 next = l.vec(a.point + point_x, t + 1);
    const auto segment = segment_value(l, t, next - x, q);
    const auto spin = elastic::spin_value(l.quat(row_q_prev, t), q, l.vec(row_spin_stiffness, t), l.vec(row_spin_moment, t));
    const PVec3 y = x - l.vec(row_x_prev, t);
    const PVec3 half_Dy = node_matrix_times(l, t, a.bare, Pack(0.5), y);
    energy = energy + segment.energy + spin.energy + dot(y, half_Dy - l.vec(row_node_force, t));
    l.put(row_gradient_q, t, segment.moment + spin.moment);
    x = next;
  }
  JointSums joints;
  if (a.published)
    add_joints<true>(arrays, joints);
  else
    add_joints<false>(arrays, joints);
  put_lanes(sums.energy, total(a, energy + joints.energy) + joints.anchored);
  put_lanes(sums.moment, sqrt(most(a, joints.moment2)));
  put_lanes(sums.turning, sqrt(most(a, eliminate<true>(a, 1, column_of(a, column)))));
}

void inspect(const BundleArrays& arrays, BundleShape& shape) {
  const BundleArrays a = arrays;
  fill_halo(arrays, a.best);
  Pack turn(-1.0), fold(-1.0);
  const auto see = [&](const PQuat& r) {
    turn = max(turn, -r.w);
    fold = max(fold, -(r.w * r.w + r.z * r.z));
  };
  // Not past the end of a chain, where an orientation stands still from which the last one may have turned by any angle.
  const Rows l{a.rows};
  for (int t = 0; t < a.tiles; ++t) {
    const PQuat q = l.quat(a.best + point_q, t), next = l.quat(a.best + point_q, t + 1);
    see(conj(q) * writhe::WRITHE_ISA::far_side(l.scalar(row_joint, t), next, q));
  }
  for (int k = 0; k < a.anchor_count; ++k) {
    const AnchorView anchor(arrays, k, a.best);
    see(conj(anchor.frame) * anchor.q);
  }
  put_lanes(shape.joint_cosine, -most(a, turn));
  put_lanes(shape.joint_fold, -most(a, fold));
}

}  // namespace writhe::pd::WRITHE_ISA
