#include "solvers/newton/chain.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <new>

#include "assembly/scales.h"
#include "elastic/increment.h"
#include "elastic/joint.h"
#include "math/rotation.h"
#include "model/springs.h"
#include "model/strain.h"

namespace writhe::newton {

namespace {
constexpr Quat identity{1, 0, 0, 0};

Sym3 sym_block(const ChainArrays& a, int first, int i) {
  const auto at = [&](int r) { return a.block(first + r, i); };
  return {at(0), at(1), at(2), at(3), at(4), at(5)};
}
Mat3 mat_block(const ChainArrays& a, int first, int i) {
  const auto at = [&](int r) { return Vec3{a.block(first + r, i), a.block(first + r + 1, i), a.block(first + r + 2, i)}; };
  return {at(0), at(3), at(6)};
}
void put_block(const ChainArrays& a, int first, int i, std::initializer_list<double> entries) {
  for (const double entry : entries) a.block(first++, i) = entry;
}
void put_block(const ChainArrays& a, int first, int i, const Sym3& s) {
  put_block(a, first, i, {s.xx, s.xy, s.xz, s.yy, s.yz, s.zz});
}
void put_block(const ChainArrays& a, int first, int i, const Mat3& m) {
  put_block(a, first, i, {m.r0.x, m.r0.y, m.r0.z, m.r1.x, m.r1.y, m.r1.z, m.r2.x, m.r2.y, m.r2.z});
}
// C S C^T
Sym3 seen_through(const Mat3& C, const Sym3& S) {
  const Vec3 c0 = S * C.r0, c1 = S * C.r1, c2 = S * C.r2;
  return {dot(C.r0, c0), dot(C.r0, c1), dot(C.r0, c2), dot(C.r1, c1), dot(C.r1, c2), dot(C.r2, c2)};
}
}  // namespace

void Chain::Free::operator()(double* p) const { std::free(p); }  // NOLINT: pairs with aligned_alloc

Chain::Chain(const Model& model, int rod, std::vector<int> joints)
    : Minimiser(model), m_rod(rod), m_joints(std::move(joints)), m_kernel(chain_kernel()) {
  const RodRange& range = model.rods()[rod];
  m_node0 = range.first_node;
  m_segment0 = range.first_segment;
  m_segments = range.segment_count;
  m_nodes = range.node_count;
  m_closed = range.closed;
  m_length = range.length;

  ChainArrays& a = m_arrays;
  a.segments = m_segments;
  a.lanes = m_kernel.lanes;
  a.padded = (m_segments + 1 + a.lanes - 1) / a.lanes * a.lanes;
  a.stride = a.padded + std::max(a.lanes, 8);
  const std::size_t bytes = (static_cast<std::size_t>(a.numbers(m_closed)) * sizeof(double) + 63) / 64 * 64;
  m_memory.reset(static_cast<double*>(std::aligned_alloc(64, bytes)));
  if (!m_memory) throw std::bad_alloc();
  std::memset(m_memory.get(), 0, bytes);
  a.lay_out(m_memory.get());

  load_material();
}

Vec3 Chain::vec(int row, int i) const { return {m_arrays.row(row)[i], m_arrays.row(row + 1)[i], m_arrays.row(row + 2)[i]}; }
Quat Chain::quat(int row, int i) const {
  return {m_arrays.row(row)[i], m_arrays.row(row + 1)[i], m_arrays.row(row + 2)[i], m_arrays.row(row + 3)[i]};
}
void Chain::put(int row, int i, const Vec3& v) const {
  m_arrays.row(row)[i] = v.x;
  m_arrays.row(row + 1)[i] = v.y;
  m_arrays.row(row + 2)[i] = v.z;
}
void Chain::put(int row, int i, const Quat& q) const {
  m_arrays.row(row)[i] = q.w;
  put(row + 1, i, imag(q));
}

// What stays the same over all steps. Indices past the end get unit lengths and no stiffness, so that they add nothing.
void Chain::load_material() {
  const Segments& segments = model().segments();
  const Joints& joints = model().joints();
  for (int i = 0; i < m_arrays.stride; ++i) {
    m_arrays.row(row_length)[i] = 1;
    for (const int row : {row_q, row_q_base, row_q_prev}) put(row, i, identity);
  }
  for (int i = 0; i < m_segments; ++i) {
    m_arrays.row(row_length)[i] = segments.length[m_segment0 + i];
    put(row_stretch, i, segments.stiffness[m_segment0 + i]);
  }
  const int segment_count = model().segment_count();
  if (!m_joints.empty()) m_anchor_of_joint.assign(m_joints.back() - m_joints.front() + 1, -1);
  for (const int j : m_joints) {
    const bool frame_first = joints.a[j] >= segment_count;
    if (frame_first || joints.b[j] >= segment_count) {
      Anchor anchor;
      anchor.joint = j;
      anchor.frame_first = frame_first;
      anchor.segment = (frame_first ? joints.b[j] : joints.a[j]) - m_segment0;
      m_anchor_of_joint[j - m_joints.front()] = static_cast<int>(m_anchors.size());
      m_anchors.push_back(anchor);
    } else if (model().is_corner(j)) {
      m_anchor_of_joint[j - m_joints.front()] = -2 - static_cast<int>(m_corners.size());
      m_corners.push_back({.joint = j, .a = joints.a[j] - m_segment0, .b = joints.b[j] - m_segment0});
    } else {
      const int i = joints.a[j] - m_segment0;
      m_arrays.row(row_joint_length)[i] = joints.length[j];
      if (joints.closes[j] >= 0) m_closing_joint = j;
    }
    put_joint(j, joints.stiffness[j], joints.strain_rest[j]);
    m_stiffest_joint = std::max(m_stiffest_joint, joint_spring(model(), j));
  }
  for (int i = 0; i < m_nodes; ++i) {
    const int fixed = model().nodes().fixed[m_node0 + i];
    put(row_free, i, Vec3{fixed & fixed_x ? 0.0 : 1.0, fixed & fixed_y ? 0.0 : 1.0, fixed & fixed_z ? 0.0 : 1.0});
    if (fixed) m_fixed.push_back(i);
  }
}

void Chain::load_step(const State& state, const Loading& loading, double dt) {
  const Damping& damping = model().scene().damping;
  m_arrays.inv_h = 1 / dt;
  double stiffest = 0, heaviest = 0;
  m_size = m_load = 0;
  for (int i = 0; i < m_nodes; ++i) {
    const int k = m_node0 + i;
    const auto node = elastic::node_quadratic(model().nodes().mass[k], state.v[k], loading.force[k], loading.drag[k],
                                              loading.drag_force[k], damping.mass, dt);
    const Sym3& D = node.matrix;
    const double entries[6] = {D.xx, D.xy, D.xz, D.yy, D.yz, D.zz};
    for (int r = 0; r < 6; ++r) m_arrays.row(row_node_matrix + r)[i] = entries[r];
    put(row_node_force, i, node.force);
    put(row_x_prev, i, state.x[k]);
    put(row_x, i, state.x[k]);
    m_size = std::max({m_size, std::abs(state.x[k].x), std::abs(state.x[k].y), std::abs(state.x[k].z)});
    m_load += norm(loading.force[k]);
    heaviest = std::max({heaviest, D.xx, D.yy, D.zz});
  }
  for (int i = 0; i < m_segments; ++i) {
    const int s = m_segment0 + i;
    const auto spin = elastic::spin_quadratic(model().segments().inertia[s], state.w[s], loading.moment[s], damping.mass, dt);
    put(row_spin_inertia, i, spin.inertia);
    put(row_spin_momentum, i, spin.momentum);
    put(row_q_prev, i, state.q[s]);
    put(row_q, i, state.q[s]);
    stiffest = std::max(stiffest, segment_spring(model(), s));
    m_load += norm(loading.moment[s]) / m_length;
  }
  load_prescribed_turns(loading);
  // positions are known to a few parts in 1e16 of their size, orientations of 1
  const double damped = elastic::DampedStiffness(damping.internal, dt).factor;
  m_rounding = 8 * assembly::rounding_error(stiffest, m_stiffest_joint, m_size, damped, heaviest);
  load_step_material(StepMaterial(model(), state, loading, dt));

  // Prescribed coordinates move to their new place at once.
  for (const int i : m_fixed) {
    const Vec3 free = vec(row_free, i), x = vec(row_x_prev, i), to = loading.x_support[m_node0 + i];
    put(row_x, i, scale(free, x) + scale(Vec3{1, 1, 1} - free, to));
  }
  if (m_terms) load_terms();
}

// Orientations that are given: clamps as their joints see them, and the turn of the joint that closes a ring.
void Chain::load_prescribed_turns(const Loading& loading) {
  const Joints& joints = model().joints();
  for (Anchor& anchor : m_anchors) {
    const int j = anchor.joint, frame = (anchor.frame_first ? joints.a[j] : joints.b[j]) - model().segment_count();
    const Quat turn = anchor.frame_first ? joints.turn_a[j] : strain::turn_b(model(), loading.closing, j);
    anchor.frame_q = loading.q_support[frame] * turn;
  }
  for (Corner& corner : m_corners) {
    corner.turn_a = joints.turn_a[corner.joint];
    corner.turn_b = strain::turn_b(model(), loading.closing, corner.joint);
  }
  if (m_closing_joint >= 0) m_closing = strain::turn_b(model(), loading.closing, m_closing_joint);
}

void Chain::load_step_material(const StepMaterial& material) {
  if (material.plain() && m_plain) return;
  m_plain = material.plain();
  for (int i = 0; i < m_segments; ++i) {
    put(row_stretch, i, material.factor() * model().segments().stiffness[m_segment0 + i]);
    put(row_stretch_rest, i, material.segment_rest(m_segment0 + i));
  }
  for (const int j : m_joints) put_joint(j, material.factor() * model().joints().stiffness[j], material.joint_rest(j));
}

void Chain::put_joint(int joint, const Vec3& stiffness, const Vec3& rest) {
  const int index = m_anchor_of_joint[joint - m_joints.front()];
  if (index <= -2) {
    m_corners[-2 - index].stiffness = stiffness;
    m_corners[-2 - index].rest = rest;
    return;
  }
  if (index >= 0) {
    m_anchors[index].stiffness = stiffness;
    m_anchors[index].rest = rest;
    return;
  }
  const int i = model().joints().a[joint] - m_segment0;
  put(row_bend, i, stiffness);
  put(row_bend_rest, i, rest);
}

void Chain::load_flight(const State& state, double dt) {
  for (int i = 0; i < m_nodes; ++i) put(row_step_x, i, scale(vec(row_free, i), dt * state.v[m_node0 + i]));
  for (int i = 0; i < m_segments; ++i) put(row_step_q, i, dt * state.w[m_segment0 + i]);
}

void Chain::move(double size) {
  if (m_rebase) m_arrays.swap_trial_and_base();
  m_rebase = false;
  m_kernel.move(m_arrays, size);
}

// A ring's last index is its first node and, as the closing joint sees it, its first orientation.
void Chain::copy_start() {
  put(row_x, m_segments, vec(row_x, 0));
  put(row_q, m_segments, quat(row_q, 0) * m_closing);
}

// What the copy's gradients are to the unknowns it is made of. With q0 the copy q0 C turns as well, by the rotation vector seen
// from its own frame; so the moment comes back turned by C. The force stays, for the last segment's own node.
void Chain::give_back_copy() {
  put(row_force, 0, vec(row_force, m_segments));
  put(row_moment, 0, rotate(m_closing, vec(row_moment, m_segments)));
  put(row_moment, m_segments, Vec3{});
}

// Energy at the trial point, and all that adds up to the gradient.
double Chain::evaluate_energy() {
  put(row_moment, 0, Vec3{});
  if (m_closed) copy_start();
  const double work = m_terms ? find_forces_of_terms() : 0;
  double energy = m_kernel.evaluate(m_arrays) + work;
  if (m_closed) give_back_copy();
  if (m_terms) add_moments_of_terms();
  for (Anchor& anchor : m_anchors) {
    const Quat q = quat(row_q, anchor.segment);
    const double length = model().joints().length[anchor.joint];
    const auto value = anchor.frame_first ? elastic::joint_value(anchor.frame_q, q, length, anchor.stiffness, anchor.rest)
                                          : elastic::joint_value(q, anchor.frame_q, length, anchor.stiffness, anchor.rest);
    const Vec3& moment = anchor.frame_first ? value.moment_b : value.moment_a;
    put(row_moment, anchor.segment, vec(row_moment, anchor.segment) + moment);
    anchor.stress = value.stress;
    energy += value.energy;
  }
  return m_corners.empty() ? energy : energy + evaluate_corners();
}

double Chain::evaluate_corners() {
  double energy = 0;
  for (Corner& corner : m_corners) {
    const Quat a = quat(row_q, corner.a) * corner.turn_a, b = quat(row_q, corner.b) * corner.turn_b;
    const auto value = elastic::joint_value(a, b, model().joints().length[corner.joint], corner.stiffness, corner.rest);
    put(row_moment, corner.a, vec(row_moment, corner.a) + rotate(corner.turn_a, value.moment_a));
    put(row_moment, corner.b, vec(row_moment, corner.b) + rotate(corner.turn_b, value.moment_b));
    corner.stress = value.stress;
    energy += value.energy;
  }
  return energy;
}

ChainSums Chain::evaluate() {
  ChainSums sums;
  sums.energy = evaluate_energy();
  m_kernel.collect(m_arrays, sums);
  for (const Anchor& anchor : m_anchors) {
    const Quat r = conj(anchor.frame_q) * quat(row_q, anchor.segment);
    sums.moment = std::max(sums.moment, norm(anchor.stress));
    sums.joint_cosine = std::min(sums.joint_cosine, r.w);
    sums.joint_fold = std::min(sums.joint_fold, r.w * r.w + r.z * r.z);
  }
  for (const Corner& corner : m_corners) {
    const Quat r = conj(quat(row_q, corner.a) * corner.turn_a) * quat(row_q, corner.b) * corner.turn_b;
    sums.moment = std::max(sums.moment, norm(corner.stress));
    sums.joint_cosine = std::min(sums.joint_cosine, r.w);
    sums.joint_fold = std::min(sums.joint_fold, r.w * r.w + r.z * r.z);
  }
  return sums;
}

// The Hessian at the trial point.
void Chain::assemble(double geometric) {
  m_kernel.hessian(m_arrays, geometric);
  for (const Anchor& anchor : m_anchors) {
    const Quat q = quat(row_q, anchor.segment);
    const double length = model().joints().length[anchor.joint];
    const Vec3 stress = geometric * anchor.stress;
    const Sym3 own = anchor.frame_first ? elastic::joint_hessian(anchor.frame_q, q, length, anchor.stiffness, stress).bb
                                        : elastic::joint_hessian(q, anchor.frame_q, length, anchor.stiffness, stress).aa;
    put_block(m_arrays, block_uu, anchor.segment, sym_block(m_arrays, block_uu, anchor.segment) + own);
  }
  if (m_closing_joint >= 0) turn_closing_blocks();
  assemble_corners(geometric);
}

// The blocks of index a are those of the joint after it; that of a ring's last is the closing joint, by the first orientation.
void Chain::assemble_corners(double geometric) {
  for (const Corner& corner : m_corners) {
    const Quat a = quat(row_q, corner.a) * corner.turn_a, b = quat(row_q, corner.b) * corner.turn_b;
    const auto h =
        elastic::joint_hessian(a, b, model().joints().length[corner.joint], corner.stiffness, geometric * corner.stress);
    const Mat3 A = matrix(corner.turn_a), B = matrix(corner.turn_b);
    put_block(m_arrays, block_uu, corner.a, sym_block(m_arrays, block_uu, corner.a) + seen_through(A, h.aa));
    put_block(m_arrays, block_ba, corner.a, B * h.ba * transpose(A));
    put_block(m_arrays, block_bb, corner.a, seen_through(B, h.bb));
  }
}

// From rotations of the copy to those of the first orientation; see give_back_copy().
void Chain::turn_closing_blocks() {
  const int last = m_segments - 1;
  const Mat3 C = matrix(m_closing);
  put_block(m_arrays, block_ba, last, C * mat_block(m_arrays, block_ba, last));
  put_block(m_arrays, block_bb, last, seen_through(C, sym_block(m_arrays, block_bb, last)));
}

// Powers of two: what is scaled back has the same bits.
void Chain::scale_node_matrices(double factor) {
  for (int row = row_node_matrix; row < row_node_matrix + 6; ++row)
    for (int i = 0; i < m_nodes; ++i) m_arrays.row(row)[i] *= factor;
}

bool Chain::solve(double geometric, double inertia, double& slope) {
  assemble(geometric);
  if (inertia != 1) {
    scale_node_matrices(inertia);
    const double more = (inertia - 1) * m_arrays.inv_h * m_arrays.inv_h;
    for (int i = 0; i < m_segments; ++i) {
      const Vec3 J = vec(row_spin_inertia, i);
      put_block(m_arrays, block_uu, i, sym_block(m_arrays, block_uu, i) + Sym3{more * J.x, 0, 0, more * J.y, 0, more * J.z});
    }
  }
  const bool solved = m_terms ? solve_with_terms(slope) : (m_closed ? m_kernel.solve_ring : m_kernel.solve)(m_arrays, slope) == 0;
  if (inertia != 1) scale_node_matrices(1 / inertia);
  return solved;
}

void Chain::blame(StepReport& report) const {
  report.rod = m_rod;
  double worst = -1;
  for (int i = 0; i < m_nodes; ++i) {
    const double force = norm(vec(row_gradient_x, i)), moment = norm(vec(row_gradient_q, i)) / m_arrays.row(row_length)[i];
    const double size = std::max(force, moment);
    if (size > worst || !std::isfinite(size)) {
      worst = size;
      report.node = i;
      if (!std::isfinite(size)) return;
    }
  }
}

void Chain::place(const Configuration& there) {
  for (int i = 0; i < m_nodes; ++i) put(row_x, i, there.x[m_node0 + i]);
  for (int i = 0; i < m_segments; ++i) put(row_q, i, there.q[m_segment0 + i]);
}

void Chain::store(Configuration& next) const {
  for (int i = 0; i < m_nodes; ++i) next.x[m_node0 + i] = vec(row_x, i);
  for (int i = 0; i < m_segments; ++i) next.q[m_segment0 + i] = quat(row_q, i);
}

}  // namespace writhe::newton
