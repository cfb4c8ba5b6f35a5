#include "solvers/newton/net.h"

#include <utility>

#include "elastic/inertia.h"

namespace writhe::newton {

using assembly::add_block;
using assembly::block;

Net::Net(const Model& model, const std::vector<int>& rods, std::vector<int> joints, std::shared_ptr<State> trial)
    : Minimiser(model),
      m_potential(model, rods, std::move(joints), std::move(trial)),
      m_matrix(m_potential.assembly().matrix()),
      m_factor(m_matrix),
      m_base_x(m_potential.nodes().size()),
      m_base_q(m_potential.assembly().orientations().size()),
      m_gradient(m_potential.assembly().size()),
      m_direction(Eigen::VectorXd::Zero(m_potential.assembly().size())) {
  m_length = m_potential.length();
  for (const auto& node : m_potential.nodes()) m_node_slots.push_back(m_matrix.slot(node.block, node.block));
  for (const auto& spin : m_potential.spins()) m_spin_slots.push_back(m_matrix.slot(spin.block, spin.block));
}

void Net::load_step(const State& state, const Loading& loading, double dt) {
  m_potential.load(state, loading, dt);
  m_load = m_potential.load_size();
  m_size = m_potential.size();
  m_rounding = m_potential.rounding();
}

void Net::load_flight(const State& state, double dt) {
  const assembly::Assembly& own = m_potential.assembly();
  m_direction.setZero();
  for (const auto& node : own.nodes()) add_block(m_direction, node.block, dt * state.v[node.index]);
  for (const auto& turn : own.orientations()) add_block(m_direction, turn.block, dt * state.w[turn.index]);
  m_direction = m_direction.cwiseProduct(own.free());
}

ChainSums Net::evaluate() {
  m_value = m_potential.evaluate(m_gradient);
  ChainSums sums;
  sums.energy = m_value.sums.energy;
  sums.internal = m_value.sums.internal;
  sums.moment = m_value.sums.moment;
  sums.joint_cosine = m_value.sums.joint_cosine;
  sums.joint_fold = m_value.sums.joint_fold;
  sums.force = m_value.residual.force;
  sums.slope = m_gradient.dot(m_direction);
  return sums;
}

bool Net::was_short() const {
  constexpr double short_enough = 1e-4;  // rad, or part of the shortest rod; steps of Newton's method shrink as their squares
  for (int b = 0; b < static_cast<int>(m_potential.blocks().size()); ++b)
    if (m_moved * norm(block(m_direction, b)) > short_enough * m_potential.blocks()[b].length) return false;
  return true;
}

bool Net::solve(double geometric, double& slope) {
  m_matrix.set_zero();
  m_potential.assembly().add_hessian(m_potential.trial(), m_potential.material(), geometric, m_matrix);
  for (std::size_t i = 0; i < m_node_slots.size(); ++i) m_matrix.add(m_node_slots[i], m_potential.nodes()[i].matrix);
  const double inv_h = m_potential.inv_h();
  for (std::size_t i = 0; i < m_spin_slots.size(); ++i) {
    const NetPotential::SpinTerm& spin = m_potential.spins()[i];
    const Quat& q = m_potential.trial().q[spin.index];
    const Vec3 excess = scale(spin.inertia, elastic::angular_rate(spin.q_prev, q, inv_h)) - spin.momentum;
    m_matrix.add(m_spin_slots[i], elastic::spin_hessian(spin.q_prev, q, inv_h, spin.inertia, geometric * excess));
  }
  if (!m_factor.factorise(m_matrix, m_potential.assembly().free()) || m_factor.negative() > 0) return false;
  m_direction = -m_factor.solve(m_gradient);
  slope = m_gradient.dot(m_direction);
  return true;
}

void Net::set_base() {
  const assembly::Assembly& own = m_potential.assembly();
  for (std::size_t i = 0; i < m_base_x.size(); ++i) m_base_x[i] = m_potential.trial().x[own.nodes()[i].index];
  for (std::size_t i = 0; i < m_base_q.size(); ++i) m_base_q[i] = m_potential.trial().q[own.orientations()[i].index];
}

void Net::move(double size) {
  const assembly::Assembly& own = m_potential.assembly();
  m_moved = size;
  for (std::size_t i = 0; i < m_base_x.size(); ++i) {
    const auto& at = own.nodes()[i];
    m_potential.trial().x[at.index] = m_base_x[i] + size * block(m_direction, at.block);
  }
  for (std::size_t i = 0; i < m_base_q.size(); ++i) {
    const auto& at = own.orientations()[i];
    m_potential.trial().q[at.index] = assembly::turned(m_base_q[i], size * block(m_direction, at.block));
  }
}

}  // namespace writhe::newton
