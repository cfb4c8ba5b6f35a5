#include "solvers/newton/chain_terms.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "solvers/newton/chain.h"

namespace writhe::newton {

Chain::Chain(const Model& model, int rod, std::vector<int> joints, std::shared_ptr<NetStates> states,
             std::shared_ptr<Terms> terms)
    : Chain(model, rod, std::move(joints)) {
  m_terms = std::make_unique<ChainTerms>();
  m_terms->states = std::move(states);
  m_terms->terms = std::move(terms);
  const int size = 6 * m_arrays.stride;
  m_terms->direction.setZero(size);
  m_terms->solved.setZero(size);
  m_terms->circulation.reserve(size, m_arrays.stride);
  ChainFactor& factor = m_terms->factor;
  factor.segments = m_segments;
  factor.stride = m_arrays.stride;
  factor.ring = m_closed;
  m_terms->factor_memory.resize(static_cast<std::size_t>(factor.numbers()) + 2);
  double* memory = m_terms->factor_memory.data();
  factor.lay_out(memory + (reinterpret_cast<std::uintptr_t>(memory) % 16 == 0 ? 0 : 1));  // 16-byte aligned
}

void Chain::couple(std::span<const TermElement> elements) {
  m_terms->elements.assign(elements.begin(), elements.end());
  std::vector<ChainTerms::Acting>& acting = m_terms->acting;
  acting.clear();
  m_terms->slots.clear();
  m_terms->slot_of_node.assign(static_cast<std::size_t>(m_segments) + 1, -1);
  m_terms->slot_of_segment.assign(static_cast<std::size_t>(m_segments), -1);
  for (const TermElement& element : elements) {
    for (const Dof& dof : m_terms->terms->of(element).dofs(element.element)) {
      const bool node = dof.kind == Dof::Kind::node;
      const int index = dof.index - (node ? m_node0 : m_segment0);
      int& slot = (node ? m_terms->slot_of_node : m_terms->slot_of_segment)[index];
      if (slot < 0) {
        slot = static_cast<int>(acting.size());
        acting.push_back({dof, index, {}, {}});
      }
      m_terms->slots.push_back(slot);
    }
  }
}

void Chain::load_terms() {
  for (ChainTerms::Acting& one : m_terms->acting)
    if (one.dof.kind == Dof::Kind::node) one.own_load = vec(row_node_force, one.index);
  find_forces_of_terms();
  for (const ChainTerms::Acting& one : m_terms->acting)
    m_load += norm(one.force) / (one.dof.kind == Dof::Kind::node ? 1 : m_length);
}

// At the trial point. Forces on nodes become part of their loads, so that the gradient has them. Returns their work from the
// start of the step on (J), which the energy then has as well and which has to be added to it: what they do is no potential.
double Chain::find_forces_of_terms() {
  State& trial = m_terms->states->trial;
  for (ChainTerms::Acting& one : m_terms->acting) {
    one.force = {};
    if (one.dof.kind == Dof::Kind::node)
      trial.x[one.dof.index] = vec(row_x, one.index);
    else
      trial.q[one.dof.index] = quat(row_q, one.index);
  }
  auto slot = m_terms->slots.begin();
  for (const TermElement& element : m_terms->elements) {
    const Term& term = m_terms->terms->of(element);
    const Term::Value value = term.value(element.element, trial);
    for (std::size_t i = 0; i < term.dofs(element.element).size(); ++i, ++slot) {
      ChainTerms::Acting& one = m_terms->acting[*slot];
      one.force = one.force - value.gradient[i];
    }
  }
  double work = 0;
  for (const ChainTerms::Acting& one : m_terms->acting) {
    if (one.dof.kind != Dof::Kind::node) continue;
    put(row_node_force, one.index, one.own_load + one.force);
    work += dot(one.force, vec(row_x, one.index) - vec(row_x_prev, one.index));
  }
  return work;
}

void Chain::add_moments_of_terms() {
  for (const ChainTerms::Acting& one : m_terms->acting)
    if (one.dof.kind == Dof::Kind::orientation) put(row_moment, one.index, vec(row_moment, one.index) - one.force);
}

// The Hessian is assembled.
bool Chain::solve_with_terms(double& slope) {
  ChainTerms& own = *m_terms;
  const ChainPivots pivots = m_kernel.factor(m_arrays, own.factor);
  if (!pivots.good() || pivots.negative > 0) return false;
  const int stride = m_arrays.stride;
  const double* gradient = m_arrays.row(row_gradient_x);
  const auto along = [&](const Eigen::VectorXd& v) {  // gradient . v
    double sum = 0;
    for (int row = 0; row < 6; ++row)
      for (int i = 0; i < (row < 3 ? m_nodes : m_segments); ++i) sum += gradient[row * stride + i] * v[row * stride + i];
    return sum;
  };
  m_kernel.solve_factored(own.factor, gradient, own.direction.data());
  own.direction = -own.direction;
  own.left = -along(own.direction);

  const auto place = [&](const Dof& dof) {
    return dof.kind == Dof::Kind::node ? dof.index - m_node0 : 3 * stride + dof.index - m_segment0;
  };
  std::array<Mat3, Term::most_dofs * Term::most_dofs> blocks;
  own.circulation.clear();
  for (const TermElement& element : own.elements) {
    const Term& term = own.terms->of(element);
    const std::span<const Dof> dofs = term.dofs(element.element);
    term.circulation(element.element, own.states->trial, std::span(blocks).first(dofs.size() * dofs.size()));
    for (std::size_t i = 0; i < dofs.size(); ++i)
      for (std::size_t j = 0; j < dofs.size(); ++j)
        own.circulation.add(place(dofs[i]), place(dofs[j]), blocks[i * dofs.size() + j]);
  }
  own.circulation.turn(own.direction, [&](Eigen::VectorXd& v) { m_kernel.solve_factored(own.factor, v.data(), v.data()); });

  own.work = 0;
  for (const ChainTerms::Acting& one : own.acting) {
    const int at = place(one.dof);
    own.work += dot(one.force, Vec3{own.direction[at], own.direction[at + stride], own.direction[at + 2 * stride]});
  }
  for (int row = 0; row < 6; ++row)
    std::copy_n(own.direction.data() + row * stride, stride, m_arrays.row(row_step_x) + row * stride);
  slope = along(own.direction);
  return true;
}

bool Chain::leads_nearer(double size) {
  if (!m_terms) return false;
  const int stride = m_arrays.stride;
  const double* gradient = m_arrays.row(row_gradient_x);
  m_kernel.solve_factored(m_terms->factor, gradient, m_terms->solved.data());
  double left = 0;
  for (int row = 0; row < 6; ++row)
    for (int i = 0; i < (row < 3 ? m_nodes : m_segments); ++i)
      left += gradient[row * stride + i] * m_terms->solved[row * stride + i];
  return Circulation::leads_nearer(m_terms->left, left, size);
}

}  // namespace writhe::newton
