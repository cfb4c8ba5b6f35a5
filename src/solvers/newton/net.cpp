#include "solvers/newton/net.h"

#include <utility>

namespace writhe::newton {

using assembly::add_block;
using assembly::block;

namespace {
Sym3 scaled(double f, const Sym3& s) { return {f * s.xx, f * s.xy, f * s.xz, f * s.yy, f * s.yz, f * s.zz}; }
}  // namespace

void Net::Tangent::renew(const NetPotential& potential) {
  matrix.take_pattern(potential.assembly().matrix());
  factor.renew(matrix, potential.coupling().runs());
  place(potential);
}

void Net::Tangent::place(const NetPotential& potential) {
  nodes.clear();
  spins.clear();
  for (const auto& node : potential.nodes()) nodes.push_back(matrix.slot(node.block, node.block));
  for (const auto& spin : potential.spins()) spins.push_back(matrix.slot(spin.block, spin.block));
}

Net::Net(const Model& model, RodsAndJoints own, std::shared_ptr<NetStates> states, std::shared_ptr<Terms> terms)
    : Minimiser(model),
      m_potential(model, std::move(own), std::move(states), std::move(terms)),
      m_tangent(m_potential),
      m_gradient(m_potential.assembly().size()),
      m_direction(Eigen::VectorXd::Zero(m_potential.assembly().size())) {
  m_length = m_potential.length();
}

void Net::couple(std::span<const TermElement> elements) {
  if (m_potential.couple_sparse(elements)) m_tangent.renew(m_potential);
  if (!m_potential.has_potential()) m_circulation.reserve(m_potential.assembly().size(), 1);
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

bool Net::solve(double geometric, double inertia, double& slope) {
  if (m_potential.find_hessian(geometric)) m_tangent.renew(m_potential);
  m_tangent.matrix.set_zero();
  m_potential.add_found_hessian(geometric, m_tangent.matrix);
  for (std::size_t i = 0; i < m_tangent.nodes.size(); ++i)
    m_tangent.matrix.add(m_tangent.nodes[i], scaled(inertia, m_potential.nodes()[i].matrix));
  for (std::size_t i = 0; i < m_tangent.spins.size(); ++i) {
    const NetPotential::SpinTerm& spin = m_potential.spins()[i];
    const Vec3 more = (inertia - 1) * m_potential.inv_h() * m_potential.inv_h() * spin.inertia;
    m_tangent.matrix.add(m_tangent.spins[i], m_potential.spin_hessian(spin, geometric) + Sym3{more.x, 0, 0, more.y, 0, more.z});
  }
  if (!m_tangent.factor.factorise(m_tangent.matrix, m_potential.assembly().free()) || m_tangent.factor.negative() > 0)
    return false;
  m_tangent.factor.solve(m_gradient, m_direction);
  m_direction = -m_direction;
  if (!m_potential.has_potential()) turn_direction();
  slope = m_gradient.dot(m_direction);
  return true;
}

void Net::turn_direction() {
  m_left = -m_gradient.dot(m_direction);
  m_circulation.clear();
  m_potential.coupling().visit_circulation(
      m_potential.trial(), [&](int row, int column, const Mat3& value) { m_circulation.add(3 * row, 3 * column, value); });
  m_circulation.turn(m_direction, [&](Eigen::VectorXd& v) { m_tangent.factor.solve(v, v); });
  m_potential.find_forces(m_forces);
  m_work = m_forces.dot(m_direction);
}

bool Net::leads_nearer(double size) {
  if (m_potential.has_potential()) return false;
  m_tangent.factor.solve(m_gradient, m_solved);
  return Circulation::leads_nearer(m_left, m_gradient.dot(m_solved), size);
}

void Net::set_base() {
  const assembly::Assembly& own = m_potential.assembly();
  for (const auto& node : own.nodes()) m_potential.base().x[node.index] = m_potential.trial().x[node.index];
  for (const auto& turn : own.orientations()) m_potential.base().q[turn.index] = m_potential.trial().q[turn.index];
}

void Net::move(double size) {
  m_moved = size;
  m_potential.assembly().move(m_potential.base(), m_direction, size, m_potential.trial());
}

double Net::longest_step() {
  if (m_potential.coupling().empty()) return 1;
  move(1);
  return m_potential.part_to_go();
}

}  // namespace writhe::newton
