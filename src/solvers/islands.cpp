#include "solvers/islands.h"

#include <algorithm>
#include <numeric>

namespace writhe {

Islands::Islands(const Model& model, std::shared_ptr<Terms> terms)
    : m_model(&model),
      m_terms(std::move(terms)),
      m_component_of_node(static_cast<std::size_t>(model.node_count())),
      m_component_of_rod(model.rods().size()),
      m_parent(model.components().size()),
      m_island_of(model.components().size(), -1),
      m_rod_is_coupled(model.rods().size()) {
  for (std::size_t c = 0; c < model.components().size(); ++c)
    for (const int rod : model.components()[c].rods) m_component_of_rod[rod] = static_cast<int>(c);
  for (int s = 0; s < model.segment_count(); ++s)
    for (const int node : {model.segments().node0[s], model.segments().node1[s]})
      m_component_of_node[node] = m_component_of_rod[model.segments().rod[s]];
}

int Islands::component_of(const Dof& dof) const {
  if (dof.kind == Dof::Kind::node) return m_component_of_node[dof.index];
  const int frame = dof.index - m_model->segment_count();
  return frame < 0 ? m_component_of_rod[m_model->segments().rod[dof.index]] : m_component_of_node[m_model->frames().node[frame]];
}

int Islands::root(int component) {
  while (m_parent[component] != component) component = m_parent[component] = m_parent[m_parent[component]];
  return component;
}

// The root of a set is its first component, so that islands come in an order that does not depend on that of the elements.
void Islands::find(const State& start, const ImplicitSolve& solve) {
  m_terms->begin(start, solve);
  std::iota(m_parent.begin(), m_parent.end(), 0);
  std::fill(m_island_of.begin(), m_island_of.end(), -1);
  std::fill(m_rod_is_coupled.begin(), m_rod_is_coupled.end(), 0);
  const auto for_each_element = [this](const auto& work) {
    for (std::size_t t = 0; t < m_terms->size(); ++t)
      for (int e = 0; e < (*m_terms)[t].element_count(); ++e)
        if (const std::span<const Dof> dofs = (*m_terms)[t].dofs(e); !dofs.empty())
          work(TermElement{static_cast<int>(t), e}, dofs);
  };
  constexpr int touched = 0;
  for_each_element([&](const TermElement&, std::span<const Dof> dofs) {
    int first = root(component_of(dofs[0]));
    m_island_of[component_of(dofs[0])] = touched;
    for (const Dof& dof : dofs.subspan(1)) {
      const int component = component_of(dof), other = root(component);
      m_island_of[component] = touched;
      m_parent[std::max(first, other)] = std::min(first, other);
      first = std::min(first, other);
    }
  });

  m_count = 0;
  for (int c = 0; c < static_cast<int>(m_parent.size()); ++c) {
    if (m_island_of[c] < 0) continue;
    const int r = root(c);
    if (r == c) {
      if (m_count == m_islands.size()) m_islands.emplace_back();
      m_islands[m_count].components.clear();
      m_islands[m_count].elements.clear();
      m_island_of[c] = static_cast<int>(m_count++);
    }
    m_island_of[c] = m_island_of[r];
    m_islands[m_island_of[c]].components.push_back(c);
    for (const int rod : m_model->components()[c].rods) m_rod_is_coupled[rod] = 1;
  }
  for_each_element([&](const TermElement& element, std::span<const Dof> dofs) {
    m_islands[m_island_of[component_of(dofs[0])]].elements.push_back(element);
  });
}

}  // namespace writhe
