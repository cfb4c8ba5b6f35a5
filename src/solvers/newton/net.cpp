#include "solvers/newton/net.h"

#include <utility>

namespace writhe::newton {

using assembly::add_block;
using assembly::block;

namespace {
// Of a right-hand side: what may be left of it, along a plain direction and of what is found on the way to a foreseen one.
constexpr double left_over = 1e-3, left_on_the_way = 1e-3;
}  // namespace

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
  if (!m_tangent.prepare() || !m_tangent.solve(m_gradient, m_direction, left_over)) return false;
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
  m_circulation.turn(m_direction, [&](Eigen::VectorXd& v) { m_tangent.solve(v, v, 0); });
  m_potential.find_forces(m_forces);
  m_work = m_forces.dot(m_direction);
}

bool Net::leads_nearer(double size) {
  if (m_potential.has_potential()) return false;
  m_tangent.solve(m_gradient, m_solved, 0);
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

// The direction in which barriers that it runs into hold as well. It is taken if more of what it promises may be had.
bool Net::foresee(double geometric, double inertia, double& size, double& slope) {
  if (!m_potential.has_potential()) return false;
  if (m_potential.foresee(m_foresight)) m_tangent.renew();
  if (m_foresight.empty()) return false;
  m_plain = m_direction;
  move(0);
  const bool found = find_foreseen(geometric, inertia);
  const double foreseen_slope = m_gradient.dot(m_direction);
  if (found && foreseen_slope < 0) {
    const double part = longest_step();
    if (part * foreseen_slope < size * slope) {
      size = part;
      slope = foreseen_slope;
      return true;
    }
  }
  m_direction = m_plain;
  return false;
}

bool Net::find_foreseen(double geometric, double inertia) {
  constexpr int most_tries = 8;
  m_tangent.assemble(geometric, inertia, NetPotential::Which::not_guards);
  m_tangent.keep();
  m_right = m_gradient;
  m_foresight.take_off(m_right);
  for (int i = 0; i < most_tries && m_foresight.press(m_direction); ++i) {
    m_tangent.take_kept();
    m_foresight.add_hessian(m_tangent.matrix());
    m_sum = -m_right;
    m_foresight.add_force(m_sum);
    if (!m_tangent.prepare() || !m_tangent.solve(m_sum, m_direction, left_on_the_way)) return false;
  }
  return true;
}

}  // namespace writhe::newton
