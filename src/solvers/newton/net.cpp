#include "solvers/newton/net.h"

#include <utility>

namespace writhe::newton {

using assembly::add_block;
using assembly::block;

Net::Net(const Model& model, RodsAndJoints own, std::shared_ptr<NetStates> states, std::shared_ptr<Terms> terms)
    : Minimiser(model),
      m_potential(model, std::move(own), std::move(states), std::move(terms)),
      m_tangent(m_potential, m_potential.assembly().rod_count()),
      m_gradient(m_potential.assembly().size()),
      m_direction(Eigen::VectorXd::Zero(m_potential.assembly().size())) {
  m_length = m_potential.length();
}

void Net::couple(std::span<const TermElement> elements) {
  if (m_potential.couple_sparse(elements)) m_tangent.renew();
  m_tangent.begin();
  if (!m_potential.has_potential()) m_circulation.reserve(m_potential.assembly().size(), 1);
}

void Net::load_step(const State& state, const Loading& loading, double dt) {
  m_potential.load(state, loading, dt);
  m_pause = 0;
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
  if (m_potential.find_hessian(geometric)) m_tangent.renew();
  m_tangent.assemble(geometric, inertia);
  m_direction.setZero();
  m_geometric = geometric;
  m_inertia_factor = inertia;
  if (!m_tangent.prepare(geometric > 0) || !m_tangent.solve(m_gradient, m_direction)) return false;
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
  m_circulation.turn(m_direction, [&](Eigen::VectorXd& v) { m_tangent.solve(v, v); });
  m_potential.find_forces(m_forces);
  m_work = m_forces.dot(m_direction);
}

bool Net::leads_nearer(double size) {
  if (m_potential.has_potential()) return false;
  m_tangent.solve(m_gradient, m_solved);
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

// The direction in which barriers that it runs into hold as well. It is taken if more of what it promises may be had; where it
// was not, a few others are not asked for.
void Net::foresee(double& size, double& slope) {
  constexpr int few = 2;
  if (!m_potential.has_potential() || m_pause-- > 0) return;
  if (m_potential.foresee(m_foresight)) m_tangent.renew();
  if (m_foresight.empty()) return;
  m_plain = m_direction;
  move(0);
  const bool found = find_foreseen();
  const double foreseen_slope = m_gradient.dot(m_direction);
  if (found && foreseen_slope < 0) {
    const double part = longest_step();
    if (part * foreseen_slope < size * slope) {
      size = part;
      slope = foreseen_slope;
      return;
    }
  }
  m_direction = m_plain;
  m_pause = few;
}

bool Net::find_foreseen() {
  constexpr int most_tries = 8, first_tries = 3;
  constexpr double settled = 0.05;  // of all pressures
  m_tangent.assemble(m_geometric, m_inertia_factor, NetPotential::Which::not_guards);
  m_tangent.keep();
  m_right = m_gradient;
  m_foresight.take_off(m_right);
  double changed = m_foresight.press(m_direction), before = changed;
  for (int i = 0; i < most_tries && changed > settled && (i < first_tries || changed < before); ++i) {
    m_tangent.take_kept();
    m_foresight.add_hessian(m_tangent.matrix());
    m_sum = -m_right;
    m_foresight.add_force(m_sum);
    if (!m_tangent.prepare() || !m_tangent.solve(m_sum, m_direction, false)) return false;
    before = std::exchange(changed, m_foresight.press(m_direction));
  }
  return true;
}

}  // namespace writhe::newton
