#include "assembly/coupling.h"

#include <algorithm>

namespace writhe::assembly {

// False where they are those of the step before.
bool Coupling::take(Assembly& assembly, std::span<const TermElement> elements) {
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
  m_lasting_pairs.clear();
  for (std::size_t k = 0; k < m_elements.size(); ++k)
    if (m_terms->of(m_elements[k]).couples_the_same()) add_pairs_of(k, m_lasting_pairs);
  std::sort(m_lasting_pairs.begin(), m_lasting_pairs.end());
  m_lasting_pairs.erase(std::unique(m_lasting_pairs.begin(), m_lasting_pairs.end()), m_lasting_pairs.end());
  return true;
}

void Coupling::add_pairs_of(std::size_t k, std::vector<std::pair<int, int>>& pairs) const {
  const std::span<const int> own = blocks(k);
  for (std::size_t i = 0; i < own.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (own[i] >= 0 && own[j] >= 0) pairs.emplace_back(std::max(own[i], own[j]), std::min(own[i], own[j]));
}

bool Coupling::take_pairs(Assembly& assembly) {
  std::sort(m_pairs_now.begin(), m_pairs_now.end());
  m_pairs_now.erase(std::unique(m_pairs_now.begin(), m_pairs_now.end()), m_pairs_now.end());
  const bool has_runs = m_changing && !m_pairs_now.empty() && assembly.is_chains();
  if (m_pairs_now == m_pairs && has_runs == m_has_runs) return false;
  m_pairs = m_pairs_now;
  m_has_runs = has_runs;
  if (m_has_runs) assembly.find_runs(m_pairs, m_runs);
  assembly.couple(m_pairs);
  return true;
}

bool Coupling::set(Assembly& assembly, std::span<const TermElement> elements) {
  m_is_sparse = false;
  if (!take(assembly, elements)) return false;
  m_pairs_now.clear();
  for (std::size_t k = 0; k < m_elements.size(); ++k) add_pairs_of(k, m_pairs_now);
  return take_pairs(assembly);
}

bool Coupling::set_sparse(Assembly& assembly, std::span<const TermElement> elements) {
  const bool others = take(assembly, elements);
  m_is_sparse = m_begins = m_changing;
  if (m_is_sparse) m_in_pattern.assign(m_elements.size(), 0);
  if (m_is_sparse || !others) return false;
  m_pairs_now.clear();
  for (std::size_t k = 0; k < m_elements.size(); ++k) add_pairs_of(k, m_pairs_now);
  return take_pairs(assembly);
}

void Coupling::add_to_pattern(std::size_t k) {
  if (!m_is_sparse || m_in_pattern[k] != 0) return;
  m_in_pattern[k] = 1;
  add_pairs_of(k, m_pairs_now);
}

// In a step the pattern only grows: what touches at one iterate and not at the next would change it to and fro. It begins anew
// with each step, so that it follows from the state where that starts.
bool Coupling::take_grown_pattern(Assembly& assembly) {
  if (!m_is_sparse || (m_pairs_now.empty() && !m_begins)) return false;
  if (!m_begins) m_pairs_now.insert(m_pairs_now.end(), m_pairs.begin(), m_pairs.end());
  m_begins = false;
  return take_pairs(assembly);
}

bool Coupling::find_hessians(Assembly& assembly, const State& at, Curvature curvature) {
  m_found.clear();
  m_hessians.clear();
  m_pairs_now.clear();
  each_hessian(at, curvature, [&](std::size_t k, std::span<const Mat3> pairs) {
    const bool is_zero = std::all_of(pairs.begin(), pairs.end(),
                                     [](const Mat3& m) { return dot(m.r0, m.r0) + dot(m.r1, m.r1) + dot(m.r2, m.r2) == 0; });
    if (is_zero) return;
    m_found.push_back({k, m_hessians.size()});
    m_hessians.insert(m_hessians.end(), pairs.begin(), pairs.end());
    add_to_pattern(k);
  });
  return take_grown_pattern(assembly);
}

bool Coupling::include(Assembly& assembly, std::span<const GapsOf> elements) {
  m_pairs_now.clear();
  for (const GapsOf& of : elements) add_to_pattern(of.element);
  return take_grown_pattern(assembly);
}

void Coupling::find_gaps(const State& from, const State& to, std::vector<GapsOf>& of, std::vector<Term::Gap>& gaps) const {
  of.clear();
  gaps.clear();
  for (std::size_t k = 0; k < m_elements.size(); ++k) {
    const Term& term = m_terms->of(m_elements[k]);
    if (!term.guards()) continue;
    const std::size_t first = gaps.size();
    term.find_gaps(m_elements[k].element, from, to, gaps);
    if (gaps.size() > first) of.push_back({static_cast<int>(k), first});
  }
}

void Coupling::add_blocks(std::span<const int> own, const Mat3* pairs, linalg::BlockMatrix& matrix) {
  for (std::size_t i = 0, p = 0; i < own.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j, ++p)
      if (own[i] >= 0 && own[j] >= 0) matrix.add(matrix.slot(own[i], own[j]), pairs[p]);
}

void Coupling::add_found(linalg::BlockMatrix& matrix, Which which) const {
  for (const Found& found : m_found)
    if (which == Which::all || !m_terms->of(m_elements[found.element]).guards())
      add_blocks(blocks(found.element), &m_hessians[found.first], matrix);
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
  visit_hessians(at, curvature,
                 [&](std::span<const int> own, std::span<const Mat3> pairs) { add_blocks(own, pairs.data(), matrix); });
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
