#include "assembly/coupling.h"

#include <algorithm>

namespace writhe::assembly {

bool Coupling::set(Assembly& assembly, std::span<const TermElement> elements) {
  m_elements.assign(elements.begin(), elements.end());
  m_dofs_now.clear();
  m_first_now.assign(1, 0);
  bool changing = false;
  m_has_potential = true;
  m_is_guarded = false;
  for (const TermElement& element : elements) {
    m_is_guarded = m_is_guarded || m_terms->of(element).guards();
    m_has_potential = m_has_potential && m_terms->of(element).has_potential();
    const std::span<const Dof> own = m_terms->of(element).dofs(element.element);
    m_dofs_now.insert(m_dofs_now.end(), own.begin(), own.end());
    m_first_now.push_back(m_dofs_now.size());
    changing = changing || !m_terms->of(element).couples_the_same();
  }
  if (m_dofs_now == m_dofs && m_first_now == m_first && changing == m_changing) return false;
  m_changing = changing;
  m_dofs = m_dofs_now;  // not swapped: the next step will want as much memory
  m_first = m_first_now;
  m_segments = assembly.model().segment_count();
  m_blocks.clear();
  for (const Dof& dof : m_dofs) m_blocks.push_back(assembly.block_of(dof));

  m_pairs_now.clear();
  for (std::size_t k = 0; k < m_elements.size(); ++k) {
    const std::span<const int> own = blocks(k);
    for (std::size_t i = 0; i < own.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (own[i] >= 0 && own[j] >= 0) m_pairs_now.emplace_back(std::max(own[i], own[j]), std::min(own[i], own[j]));
  }
  std::sort(m_pairs_now.begin(), m_pairs_now.end());
  m_pairs_now.erase(std::unique(m_pairs_now.begin(), m_pairs_now.end()), m_pairs_now.end());
  const bool has_runs = changing && !m_pairs_now.empty() && assembly.is_chains();
  if (m_pairs_now == m_pairs && has_runs == m_has_runs) return false;
  m_pairs = m_pairs_now;
  m_has_runs = has_runs;
  if (m_has_runs) assembly.find_runs(m_pairs, m_runs);
  assembly.couple(m_pairs);
  return true;
}

void Coupling::add_gradient(const State& at, Eigen::VectorXd& gradient, Sums& sums, const GradientDetail& detail) const {
  for (std::size_t k = 0; k < m_elements.size(); ++k) {
    if (!acts(k, at)) continue;
    const Term::Value value = m_terms->of(m_elements[k]).value(m_elements[k].element, at);
    sums.energy += value.energy;
    sums.internal = std::max(sums.internal, value.force);
    const std::span<const int> own = blocks(k);
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own[i] >= 0) {
        add_block(gradient, own[i], value.gradient[i]);
        if (detail.sizes) (*detail.sizes)[own[i]] += norm(value.gradient[i]);
      } else if (detail.prescribed) {
        (*detail.prescribed)[m_dofs[m_first[k] + i].index - m_segments] += value.gradient[i];
      }
    }
  }
}

double Coupling::add_forces(const State& at, Eigen::VectorXd& forces) const {
  double sizes = 0;
  for (std::size_t k = 0; k < m_elements.size(); ++k) {
    const Term& term = m_terms->of(m_elements[k]);
    if (term.has_potential()) continue;
    const Term::Value value = term.value(m_elements[k].element, at);
    sizes += value.force;
    const std::span<const int> own = blocks(k);
    for (std::size_t i = 0; i < own.size(); ++i)
      if (own[i] >= 0) add_block(forces, own[i], -1.0 * value.gradient[i]);
  }
  return sizes;
}

void Coupling::add_hessian(const State& at, Curvature curvature, linalg::BlockMatrix& matrix) const {
  visit_hessians(at, curvature, [&](std::span<const int> own, std::span<const Mat3> pairs) {
    for (std::size_t i = 0, p = 0; i < own.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j, ++p)
        if (own[i] >= 0 && own[j] >= 0) matrix.add(matrix.slot(own[i], own[j]), pairs[p]);
  });
}

Coupling::SafePart Coupling::safe_part(const State& from, const State& to) const {
  SafePart out;
  for (std::size_t k = 0; k < m_elements.size(); ++k) {
    const double part = m_terms->of(m_elements[k]).safe_part(m_elements[k].element, from, to);
    if (!(part < out.part)) continue;
    const std::span<const int> own = blocks(k);
    const auto at = std::find_if(own.begin(), own.end(), [](int block) { return block >= 0; });
    out = {part, at != own.end() ? *at : 0};
  }
  return out;
}

double Coupling::part_to_go(const State& from, const State& to) const {
  constexpr double margin = 0.9;
  const double part = safe_part(from, to).part;
  return part < 1 ? margin * part : 1;
}

double Coupling::largest_coordinate() const {
  double largest = 0;
  for (const TermElement& element : m_elements) largest = std::max(largest, m_terms->of(element).coordinate(element.element));
  return largest;
}

void Coupling::add_stiffness(std::vector<TermStiffness>& stiffness) const {
  for (std::size_t k = 0; k < m_elements.size(); ++k) {
    const Term& term = m_terms->of(m_elements[k]);
    const double own = term.stiffness(m_elements[k].element), anchored = own * term.coordinate(m_elements[k].element);
    for (const int block : blocks(k))
      if (block >= 0) stiffness[block] = {stiffness[block].own + own, stiffness[block].anchored + anchored};
  }
}

}  // namespace writhe::assembly
