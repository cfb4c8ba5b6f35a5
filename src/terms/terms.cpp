#include "terms/terms.h"

#include <algorithm>

namespace writhe {

void Terms::begin(const State& start, const ImplicitSolve& solve) {
  for (std::size_t i = 0; i < m_terms.size(); ++i) {
    const bool known = i < start.memory.size();
    m_terms[i]->begin(start, known ? std::span<const double>(start.memory[i]) : std::span<const double>(), solve);
  }
}

bool Terms::have_seen(const std::vector<Vec3>& end) const {
  return std::all_of(m_terms.begin(), m_terms.end(), [&end](const auto& term) { return term->has_seen(end); });
}

void Terms::remember(State& end) const {
  for (std::size_t i = 0; i < m_terms.size(); ++i) {
    m_kept.clear();
    m_terms[i]->remember(end, m_kept);
    if (m_kept.empty() && i >= end.memory.size()) continue;
    if (i >= end.memory.size()) end.memory.resize(i + 1);
    end.memory[i] = m_kept;
  }
}

}  // namespace writhe
