#include "solvers/newton/chain.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "elastic/increment.h"
#include "elastic/joint.h"
#include "math/rotation.h"
#include "model/strain.h"

namespace writhe::newton {

namespace {
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int state_rows = 7;  // x and q
constexpr Quat identity{1, 0, 0, 0};

// Armijo's constant, and the shortest step tried before the search gives up.
constexpr double sufficient_decrease = 1e-4;
constexpr double shortest_step = 1e-7;
// Half the angle of a joint may not pass this: at a full turn (cosine -1) twist would jump.
constexpr double joint_cosine_limit = -0.95;
// A step that fails with a joint beyond these fails for that reason: 290 degrees of twist, 150 of bend.
constexpr double near_full_turn = -0.82, near_fold = 0.067;
}  // namespace

void Chain::Free::operator()(double* p) const { std::free(p); }  // NOLINT: pairs with aligned_alloc

Chain::Chain(const Model& model, int rod, std::vector<int> joints)
    : m_model(&model), m_rod(rod), m_joints(std::move(joints)), m_kernel(chain_kernel()) {
  const RodRange& range = model.rods()[rod];
  m_node0 = range.first_node;
  m_segment0 = range.first_segment;
  m_segments = range.segment_count;

  ChainArrays& a = m_arrays;
  a.segments = m_segments;
  a.lanes = m_kernel.lanes;
  a.padded = (m_segments + 1 + a.lanes - 1) / a.lanes * a.lanes;
  a.stride = a.padded + std::max(a.lanes, 8);
  const std::size_t rows = static_cast<std::size_t>(chain_rows) * a.stride,
                    blocks = static_cast<std::size_t>(chain_blocks) * a.padded,
                    factor = static_cast<std::size_t>(chain_factor_size) * (m_segments + 1);
  const std::size_t bytes = ((rows + blocks + factor) * sizeof(double) + 63) / 64 * 64;
  m_memory.reset(static_cast<double*>(std::aligned_alloc(64, bytes)));
  if (!m_memory) throw std::bad_alloc();
  std::memset(m_memory.get(), 0, bytes);
  a.rows = m_memory.get();
  a.blocks = a.rows + rows;
  a.factor = a.blocks + blocks;

  load_material();
}

std::size_t Chain::state_bytes() const { return sizeof(double) * state_rows * m_arrays.stride; }

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
  const Segments& segments = m_model->segments();
  const Joints& joints = m_model->joints();
  for (int i = 0; i < m_arrays.stride; ++i) {
    m_arrays.row(row_length)[i] = 1;
    for (const int row : {row_q, row_q_base, row_q_prev}) put(row, i, identity);
  }
  for (int i = 0; i < m_segments; ++i) {
    m_arrays.row(row_length)[i] = segments.length[m_segment0 + i];
    put(row_stretch, i, segments.stiffness[m_segment0 + i]);
  }
  const int segment_count = m_model->segment_count();
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
    } else {
      const int i = joints.a[j] - m_segment0;
      m_arrays.row(row_joint_length)[i] = joints.length[j];
    }
    put_joint(j, joints.stiffness[j], joints.strain_rest[j]);
    const Vec3& K = joints.stiffness[j];
    m_stiffest_joint = std::max(m_stiffest_joint, std::max({K.x, K.y, K.z}) / (joints.length[j] * joints.length[j]));
  }
  for (int i = 0; i <= m_segments; ++i) {
    const int fixed = m_model->nodes().fixed[m_node0 + i];
    put(row_free, i, Vec3{fixed & fixed_x ? 0.0 : 1.0, fixed & fixed_y ? 0.0 : 1.0, fixed & fixed_z ? 0.0 : 1.0});
    if (fixed) m_fixed.push_back(i);
  }
}

// The coefficients of this step's incremental potential, and the state it starts from.
void Chain::load_step(const State& state, const Loading& loading, double dt) {
  const Damping& damping = m_model->scene().damping;
  m_dt = dt;
  m_arrays.inv_h = 1 / dt;
  double stiffest = 0, heaviest = 0;
  m_size = m_load = 0;
  for (int i = 0; i <= m_segments; ++i) {
    const int k = m_node0 + i;
    const auto node = elastic::node_quadratic(m_model->nodes().mass[k], state.v[k], loading.force[k], loading.drag[k],
                                              loading.drag_force[k], damping.mass, dt);
    const Sym3& D = node.matrix;
    const double entries[6] = {D.xx, D.xy, D.xz, D.yy, D.yz, D.zz};
    for (int r = 0; r < 6; ++r) m_arrays.row(row_node_matrix + r)[i] = entries[r];
    put(row_node_force, i, node.force);
    put(row_x_prev, i, state.x[k]);
    m_size = std::max({m_size, std::abs(state.x[k].x), std::abs(state.x[k].y), std::abs(state.x[k].z)});
    m_load += norm(loading.force[k]);
    heaviest = std::max({heaviest, D.xx, D.yy, D.zz});
  }
  for (int i = 0; i < m_segments; ++i) {
    const int s = m_segment0 + i;
    const auto spin = elastic::spin_quadratic(m_model->segments().inertia[s], state.w[s], loading.moment[s], damping.mass, dt);
    put(row_spin_inertia, i, spin.inertia);
    put(row_spin_momentum, i, spin.momentum);
    put(row_q_prev, i, state.q[s]);
    const Vec3& C = m_model->segments().stiffness[s];
    stiffest = std::max(stiffest, std::max(C.x, C.z) / m_model->segments().length[s]);
    m_load += norm(loading.moment[s]) / m_model->rods()[m_rod].length;
  }
  for (Anchor& anchor : m_anchors) {
    const Joints& joints = m_model->joints();
    const int frame = (anchor.frame_first ? joints.a[anchor.joint] : joints.b[anchor.joint]) - m_model->segment_count();
    const Quat& turn = anchor.frame_first ? joints.turn_a[anchor.joint] : joints.turn_b[anchor.joint];
    anchor.frame_q = loading.q_support[frame] * turn;
  }
  // positions are known to a few parts in 1e16 of their size, orientations of 1
  const double damped = elastic::DampedStiffness(damping.internal, dt).factor;
  m_rounding = 8 * epsilon * (m_size * (stiffest * damped + heaviest) + m_stiffest_joint * damped);
  if (damping.internal > 0) load_damped_strains(state, dt);

  // Prescribed coordinates move to their new place at once.
  std::memcpy(m_arrays.row(row_x), m_arrays.row(row_x_prev), state_bytes());
  for (const int i : m_fixed) {
    const Vec3 free = vec(row_free, i), x = vec(row_x_prev, i), to = loading.x_support[m_node0 + i];
    put(row_x, i, scale(free, x) + scale(Vec3{1, 1, 1} - free, to));
  }
}

void Chain::load_damped_strains(const State& state, double dt) {
  const elastic::DampedStiffness damped(m_model->scene().damping.internal, dt);
  const Segments& segments = m_model->segments();
  for (int i = 0; i < m_segments; ++i) {
    const int s = m_segment0 + i;
    put(row_stretch, i, damped.factor * segments.stiffness[s]);
    put(row_stretch_rest, i, damped.rest(Vec3{}, strain::of_segment(*m_model, state, s)));
  }
  const Joints& joints = m_model->joints();
  for (const int j : m_joints) {
    put_joint(j, damped.factor * joints.stiffness[j], damped.rest(joints.strain_rest[j], strain::of_joint(*m_model, state, j)));
  }
}

void Chain::put_joint(int joint, const Vec3& stiffness, const Vec3& rest) {
  const int index = m_anchor_of_joint[joint - m_joints.front()];
  if (index >= 0) {
    m_anchors[index].stiffness = stiffness;
    m_anchors[index].rest = rest;
    return;
  }
  const int i = m_model->joints().a[joint] - m_segment0;
  put(row_bend, i, stiffness);
  put(row_bend_rest, i, rest);
}

// The search starts where the rod would fly without forces, or where it is if that costs less.
ChainSums Chain::predict(const State& state) {
  std::memcpy(m_arrays.row(row_x_base), m_arrays.row(row_x), state_bytes());
  for (int i = 0; i <= m_segments; ++i) put(row_step_x, i, scale(vec(row_free, i), m_dt * state.v[m_node0 + i]));
  for (int i = 0; i < m_segments; ++i) put(row_step_q, i, m_dt * state.w[m_segment0 + i]);
  const double here = evaluate_energy();
  m_kernel.move(m_arrays, 1);
  const ChainSums there = evaluate();
  if (there.energy <= here) return there;
  m_kernel.move(m_arrays, 0);
  return evaluate();
}

// Energy at the trial point, and all that adds up to the gradient.
double Chain::evaluate_energy() {
  put(row_moment, 0, Vec3{});
  double energy = m_kernel.evaluate(m_arrays);
  for (Anchor& anchor : m_anchors) {
    const Quat q = quat(row_q, anchor.segment);
    const double length = m_model->joints().length[anchor.joint];
    const auto value = anchor.frame_first ? elastic::joint_value(anchor.frame_q, q, length, anchor.stiffness, anchor.rest)
                                          : elastic::joint_value(q, anchor.frame_q, length, anchor.stiffness, anchor.rest);
    const Vec3& moment = anchor.frame_first ? value.moment_b : value.moment_a;
    put(row_moment, anchor.segment, vec(row_moment, anchor.segment) + moment);
    anchor.stress = value.stress;
    energy += value.energy;
  }
  return energy;
}

// Energy and gradient at the trial point.
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
  return sums;
}

// The Hessian at the trial point.
void Chain::assemble(double geometric) {
  m_kernel.hessian(m_arrays, geometric);
  const auto add = [this](int block, int i, const Sym3& s) {
    const double entries[6] = {s.xx, s.xy, s.xz, s.yy, s.yz, s.zz};
    for (int r = 0; r < 6; ++r) m_arrays.block(block + r, i) += entries[r];
  };
  for (const Anchor& anchor : m_anchors) {
    const Quat q = quat(row_q, anchor.segment);
    const double length = m_model->joints().length[anchor.joint];
    const Vec3 stress = geometric * anchor.stress;
    const Sym3 own = anchor.frame_first ? elastic::joint_hessian(anchor.frame_q, q, length, anchor.stiffness, stress).bb
                                        : elastic::joint_hessian(q, anchor.frame_q, length, anchor.stiffness, stress).aa;
    add(block_uu, anchor.segment, own);
  }
}

// Solves for the search direction. Where the exact Hessian is not positive definite (a rod about to buckle) the geometric part is
// left out, which makes it so: the direction is then one of steepest descent in the elastic metric.
bool Chain::find_direction() {
  for (const double geometric : {1.0, 0.0}) {
    assemble(geometric);
    if (m_kernel.solve(m_arrays, m_slope) == 0) return true;
  }
  return false;
}

// Goes along the direction until the potential falls enough. Near the minimum its differences drown in rounding; there the slope
// along the direction, which is known to full accuracy, decides.
bool Chain::search(ChainSums& sums) {
  std::memcpy(m_arrays.row(row_x_base), m_arrays.row(row_x), state_bytes());
  const ChainSums start = sums;
  const double noise = 100 * epsilon * (std::abs(start.energy) + start.internal * m_size);
  for (double size = 1; size > shortest_step;) {
    m_kernel.move(m_arrays, size);
    sums = evaluate();
    const bool falls = sums.energy <= start.energy + sufficient_decrease * size * m_slope;
    const bool levels = sums.energy <= start.energy + noise && std::abs(sums.slope) <= 0.9 * std::abs(m_slope);
    if ((falls || levels) && sums.joint_cosine > joint_cosine_limit) return true;
    const double secant = m_slope / (m_slope - sums.slope);
    size *= std::isfinite(secant) ? std::clamp(secant, 0.1, 0.5) : 0.1;
  }
  return false;
}

// Moments count by the force that makes them over the length of the rod; they matter only where there are hardly any forces.
double Chain::residual_limit(const ChainSums& sums) const {
  const double internal = std::max(sums.internal, sums.moment / m_model->rods()[m_rod].length);
  return m_model->scene().solver.tolerance * (m_load + internal);
}

// What stands in the way, and what to do about it. A rod that is too coarse for how it bends or twists comes first: no step is
// short enough for that.
const char* Chain::obstacle(const ChainSums& sums, const char* otherwise) const {
  if (sums.joint_cosine < near_full_turn) return "a joint is twisted by almost a full turn; use more segments";
  if (sums.joint_fold < near_fold) return "a joint is folded almost flat; use more segments";
  return otherwise;
}

StepReport Chain::minimise(const State& state, const Loading& loading, double dt) {
  load_step(state, loading, dt);
  StepReport report;
  ChainSums sums = predict(state);
  double before = 0;  // N: residual of the previous iteration
  const auto stop = [&](StepStatus status, const char* cause) {
    report.status = status;
    report.residual = sums.force;
    report.residual_limit = residual_limit(sums);
    if (status != StepStatus::accepted) blame(report, obstacle(sums, cause));
    return report;
  };
  for (;; ++report.iterations) {
    if (!std::isfinite(sums.energy) || !std::isfinite(sums.force))
      return stop(StepStatus::not_finite,
                  "a force is not finite; look for a load or a size out of range, or take a smaller time.dt");
    // The limit is a part of the largest force in the rod, and a strung wire's tension dwarfs the weight of a node: so the
    // prediction, which knows nothing of the loads, is never taken for the answer unless nothing is left but rounding.
    const double limit = report.iterations > 0 ? residual_limit(sums) : std::min(residual_limit(sums), m_rounding);
    if (sums.force <= limit) return stop(StepStatus::accepted, "");
    const bool stalled = report.iterations > 0 && sums.force > 0.5 * before;
    if (stalled && sums.force <= m_rounding) return stop(StepStatus::accepted, "");
    before = sums.force;
    if (report.iterations == m_model->scene().solver.max_iterations)
      return stop(StepStatus::not_converged,
                  "Newton's method used all its iterations; take a smaller time.dt, or a larger solver.max_iterations");
    if (!find_direction())
      return stop(StepStatus::not_converged, "the stiffness matrix is not positive definite; take a smaller time.dt");
    if (!search(sums) && sums.force > m_rounding)
      return stop(StepStatus::not_converged, "no step lowers the energy; take a smaller time.dt");
  }
}

// Names the node with the largest remaining force.
void Chain::blame(StepReport& report, const char* cause) const {
  report.rod = m_rod;
  report.cause = cause;
  double worst = -1;
  for (int i = 0; i <= m_segments; ++i) {
    const double force = norm(vec(row_gradient_x, i)), moment = norm(vec(row_gradient_q, i)) / m_arrays.row(row_length)[i];
    const double size = std::max(force, moment);
    if (size > worst || !std::isfinite(size)) {
      worst = size;
      report.node = i;
      if (!std::isfinite(size)) return;
    }
  }
}

void Chain::store(Configuration& next) const {
  for (int i = 0; i <= m_segments; ++i) next.x[m_node0 + i] = vec(row_x, i);
  for (int i = 0; i < m_segments; ++i) next.q[m_segment0 + i] = quat(row_q, i);
}

}  // namespace writhe::newton
