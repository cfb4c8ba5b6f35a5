#include "solvers/newton/net.h"

#include <algorithm>
#include <utility>

#include "elastic/increment.h"
#include "elastic/inertia.h"
#include "model/strain.h"

namespace writhe::newton {

using assembly::add_block;
using assembly::block;

Net::Net(const Model& model, const std::vector<int>& rods, std::vector<int> joints, std::shared_ptr<State> trial)
    : Minimiser(model),
      m_assembly(model, rods, std::move(joints)),
      m_scales(model, m_assembly),
      m_levers(assembly::levers(model, m_assembly)),
      m_blocks(assembly::block_scales(model, m_assembly)),
      m_elastic(m_assembly.material()),
      m_damped(m_elastic),
      m_matrix(m_assembly.matrix()),
      m_factor(m_matrix),
      m_trial(std::move(trial)),
      m_base_x(m_assembly.nodes().size()),
      m_base_q(m_assembly.orientations().size()),
      m_nodes(m_assembly.nodes().size()),
      m_spins(m_assembly.segments().size()),
      m_gradient(m_assembly.size()),
      m_direction(Eigen::VectorXd::Zero(m_assembly.size())) {
  m_length = m_scales.length;
  for (std::size_t i = 0; i < m_nodes.size(); ++i)
    m_nodes[i].slot = m_matrix.slot(m_assembly.nodes()[i].block, m_assembly.nodes()[i].block);
  for (std::size_t i = 0; i < m_spins.size(); ++i) {
    m_spins[i].block = m_assembly.block_of_orientation(m_assembly.segments()[i]);
    m_spins[i].slot = m_matrix.slot(m_spins[i].block, m_spins[i].block);
  }
}

void Net::load_step(const State& state, const Loading& loading, double dt) {
  m_inv_h = 1 / dt;
  m_load = 0;
  m_size = assembly::largest_coordinate(state, m_assembly);
  load_nodes(state, loading, dt);
  load_spins(state, loading, dt);
  load_material(StepMaterial(model(), state, loading, dt));
  double heaviest = 0;
  for (const NodeTerm& node : m_nodes) heaviest = std::max({heaviest, node.matrix.xx, node.matrix.yy, node.matrix.zz});
  m_damped_factor = elastic::DampedStiffness(model().scene().damping.internal, dt).factor;
  m_rounding = m_scales.rounding(m_size, m_damped_factor, heaviest);

  // Prescribed things move to their new places at once.
  for (const auto& turn : m_assembly.orientations()) m_trial->q[turn.index] = state.q[turn.index];
  for (const auto& node : m_assembly.nodes()) {
    const Vec3 free = block(m_assembly.free(), node.block);
    m_trial->x[node.index] = scale(free, state.x[node.index]) + scale(Vec3{1, 1, 1} - free, loading.x_support[node.index]);
  }
  for (const int j : m_assembly.joints()) {
    for (const int side : {model().joints().a[j], model().joints().b[j]}) {
      const int frame = side - model().segment_count();
      if (frame >= 0 && model().frames().prescribed[frame]) m_trial->q[side] = loading.q_support[frame];
    }
    if (const int ring = model().joints().closes[j]; ring >= 0) m_trial->closing[ring] = loading.closing[ring];
  }
}

void Net::load_nodes(const State& state, const Loading& loading, double dt) {
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    const int k = m_assembly.nodes()[i].index;
    const auto quadratic = elastic::node_quadratic(model().nodes().mass[k], state.v[k], loading.force[k], loading.drag[k],
                                                   loading.drag_force[k], model().scene().damping.mass, dt);
    m_nodes[i].matrix = quadratic.matrix;
    m_nodes[i].force = quadratic.force;
    m_nodes[i].x_prev = state.x[k];
    m_load += norm(loading.force[k]);
  }
}

void Net::load_spins(const State& state, const Loading& loading, double dt) {
  for (std::size_t i = 0; i < m_spins.size(); ++i) {
    const int s = m_assembly.segments()[i];
    const auto quadratic =
        elastic::spin_quadratic(model().segments().inertia[s], state.w[s], loading.moment[s], model().scene().damping.mass, dt);
    m_spins[i].inertia = quadratic.inertia;
    m_spins[i].momentum = quadratic.momentum;
    m_spins[i].q_prev = state.q[s];
    m_load += norm(loading.moment[s]) / m_length;
  }
}

void Net::load_material(const StepMaterial& material) {
  if (material.plain() && m_plain) return;
  m_plain = material.plain();
  for (std::size_t i = 0; i < m_assembly.segments().size(); ++i) {
    m_damped.stretch[i] = material.factor() * m_elastic.stretch[i];
    m_damped.stretch_rest[i] = material.segment_rest(m_assembly.segments()[i]);
  }
  for (std::size_t i = 0; i < m_assembly.joints().size(); ++i) {
    m_damped.bend[i] = material.factor() * m_elastic.bend[i];
    m_damped.bend_rest[i] = material.joint_rest(m_assembly.joints()[i]);
  }
}

void Net::load_flight(const State& state, double dt) {
  m_direction.setZero();
  for (const auto& node : m_assembly.nodes()) add_block(m_direction, node.block, dt * state.v[node.index]);
  for (const auto& turn : m_assembly.orientations()) add_block(m_direction, turn.block, dt * state.w[turn.index]);
  m_direction = m_direction.cwiseProduct(m_assembly.free());
}

ChainSums Net::evaluate() {
  m_gradient.setZero();
  const assembly::Sums elastic_sums = m_assembly.add_gradient(*m_trial, m_damped, m_gradient);
  ChainSums sums;
  sums.energy = elastic_sums.energy;
  sums.internal = elastic_sums.internal;
  sums.moment = elastic_sums.moment;
  sums.joint_cosine = elastic_sums.joint_cosine;
  sums.joint_fold = elastic_sums.joint_fold;
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    const auto& at = m_assembly.nodes()[i];
    const Vec3 y = m_trial->x[at.index] - m_nodes[i].x_prev;
    const Vec3 Dy = m_nodes[i].matrix * y;
    add_block(m_gradient, at.block, Dy - m_nodes[i].force);
    sums.energy += dot(y, 0.5 * Dy - m_nodes[i].force);
  }
  for (std::size_t i = 0; i < m_spins.size(); ++i) {
    const int s = m_assembly.segments()[i];
    const auto spin = elastic::spin_value(m_spins[i].q_prev, m_trial->q[s], m_inv_h, m_spins[i].inertia, m_spins[i].momentum);
    add_block(m_gradient, m_spins[i].block, spin.moment);
    sums.energy += spin.energy;
  }
  m_gradient = m_gradient.cwiseProduct(m_assembly.free());
  const assembly::Residual residual = assembly::largest_force(m_gradient, m_assembly.free(), m_levers);
  sums.force = residual.force;
  m_worst = residual.block;
  m_only_rounding = sums.force <= m_rounding && finds_only_rounding();
  sums.slope = m_gradient.dot(m_direction);
  return sums;
}

// Block by block, as Scales::rounding does for the stiffest of them.
bool Net::finds_only_rounding() const {
  const auto is = [&](int at, double heaviest) {
    const assembly::BlockScale& own = m_blocks[at];
    const double force = norm(block(m_gradient, at)) / own.lever;
    return force <= 8 * assembly::rounding_error(own.stretch, own.bend, m_size, m_damped_factor, heaviest);
  };
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    const Sym3& D = m_nodes[i].matrix;
    if (!is(m_assembly.nodes()[i].block, std::max({D.xx, D.yy, D.zz}))) return false;
  }
  return std::all_of(m_assembly.orientations().begin(), m_assembly.orientations().end(),
                     [&](const auto& turn) { return is(turn.block, 0); });
}

bool Net::was_short() const {
  constexpr double short_enough = 1e-4;  // rad, or part of the shortest rod; steps of Newton's method shrink as their squares
  for (int b = 0; b < static_cast<int>(m_blocks.size()); ++b)
    if (m_moved * norm(block(m_direction, b)) > short_enough * m_blocks[b].length) return false;
  return true;
}

bool Net::solve(double geometric, double& slope) {
  m_matrix.set_zero();
  m_assembly.add_hessian(*m_trial, m_damped, geometric, m_matrix);
  for (const NodeTerm& node : m_nodes) m_matrix.add(node.slot, node.matrix);
  for (std::size_t i = 0; i < m_spins.size(); ++i) {
    const SpinTerm& spin = m_spins[i];
    const Quat& q = m_trial->q[m_assembly.segments()[i]];
    const Vec3 excess = scale(spin.inertia, elastic::angular_rate(spin.q_prev, q, m_inv_h)) - spin.momentum;
    m_matrix.add(spin.slot, elastic::spin_hessian(spin.q_prev, q, m_inv_h, spin.inertia, geometric * excess));
  }
  if (!m_factor.factorise(m_matrix, m_assembly.free()) || m_factor.negative() > 0) return false;
  m_direction = -m_factor.solve(m_gradient);
  slope = m_gradient.dot(m_direction);
  return true;
}

void Net::set_base() {
  for (std::size_t i = 0; i < m_base_x.size(); ++i) m_base_x[i] = m_trial->x[m_assembly.nodes()[i].index];
  for (std::size_t i = 0; i < m_base_q.size(); ++i) m_base_q[i] = m_trial->q[m_assembly.orientations()[i].index];
}

void Net::move(double size) {
  m_moved = size;
  for (std::size_t i = 0; i < m_base_x.size(); ++i) {
    const auto& at = m_assembly.nodes()[i];
    m_trial->x[at.index] = m_base_x[i] + size * block(m_direction, at.block);
  }
  for (std::size_t i = 0; i < m_base_q.size(); ++i) {
    const auto& at = m_assembly.orientations()[i];
    m_trial->q[at.index] = assembly::turned(m_base_q[i], size * block(m_direction, at.block));
  }
}

void Net::blame(StepReport& report) const {
  const assembly::Culprit at = assembly::culprit(model(), m_assembly, m_worst);
  report.rod = at.rod;
  report.node = at.node;
}

void Net::store(Configuration& next) const {
  for (const auto& at : m_assembly.nodes()) next.x[at.index] = m_trial->x[at.index];
  for (const auto& at : m_assembly.orientations()) next.q[at.index] = m_trial->q[at.index];
}

}  // namespace writhe::newton
