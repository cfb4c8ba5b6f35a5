// Which components of a model are solved together in a step: those that terms couple. All others keep their own way.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "terms/terms.h"
#include "writhe/model.h"

namespace writhe {

class Islands {
 public:
  Islands(const Model& model, std::shared_ptr<Terms> terms);

  // Components, ascending, and the elements that act on them, in the order of the terms. One component alone is an island, too,
  // where an element acts on it: its own way does not know the term.
  struct Island {
    std::vector<int> components;
    std::vector<TermElement> elements;
  };

  // A step begins. Depends on the state and what it remembers alone, not on the steps before.
  void find(const State& start, const ImplicitSolve& solve);

  // In the order of their first components.
  std::span<const Island> all() const { return std::span(m_islands).first(m_count); }
  bool is_coupled(int component) const { return m_island_of[component] >= 0; }
  const std::vector<std::uint8_t>& rods_coupled() const { return m_rod_is_coupled; }  // per rod: 1, or 0
  Terms& terms() const { return *m_terms; }

 private:
  int component_of(const Dof& dof) const;
  int root(int component);

  const Model* m_model;
  std::shared_ptr<Terms> m_terms;
  std::vector<int> m_component_of_node, m_component_of_rod;
  std::vector<int> m_parent;     // per component: union and find
  std::vector<int> m_island_of;  // per component; -1: none
  std::vector<std::uint8_t> m_rod_is_coupled;
  std::vector<Island> m_islands;  // more than there are now: their memory is kept
  std::size_t m_count = 0;
};

}  // namespace writhe
