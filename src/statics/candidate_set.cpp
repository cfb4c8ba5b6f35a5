#include "statics/candidate_set.h"

#include <algorithm>
#include <utility>

namespace writhe::statics {

PartCandidates::Work CandidateSet::work(const State& state, const Eigen::VectorXd& forces,
                                        const Coefficients& coefficients) const {
  PartCandidates::Work sum;
  for (std::size_t p = 0; p < m_parts.size(); ++p) {
    if (own(coefficients, p).isZero(0)) continue;
    const PartCandidates::Work one = m_parts[p]->work(state, forces, own(coefficients, p));
    sum.done += one.done;
    sum.most += one.most;
  }
  return sum;
}

// Blocks of different components lie anyhow: those of nodes before those of turns.
Eigen::SparseVector<double> CandidateSet::direction(const State& state, const Coefficients& coefficients, int size) const {
  if (m_parts.size() == 1) return m_parts.front()->direction(state, coefficients, size);
  std::vector<std::pair<int, Vec3>> motions;  // by block
  for (std::size_t p = 0; p < m_parts.size(); ++p) {
    if (own(coefficients, p).isZero(0)) continue;
    for (const PartCandidates::Unknown& unknown : m_parts[p]->unknowns())
      motions.emplace_back(unknown.block, m_parts[p]->motion_of(state, unknown, own(coefficients, p)));
  }
  std::sort(motions.begin(), motions.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Eigen::SparseVector<double> out(size);
  out.reserve(3 * static_cast<Eigen::Index>(motions.size()));
  for (const auto& [block, v] : motions) {
    out.insertBack(3 * block) = v.x;
    out.insertBack(3 * block + 1) = v.y;
    out.insertBack(3 * block + 2) = v.z;
  }
  return out;
}

std::vector<std::size_t> CandidateSet::moving(const State& state, const Coefficients& coefficients) const {
  std::vector<std::size_t> out;
  for (std::size_t p = 0; p < m_parts.size(); ++p)
    if (m_parts[p]->moves(state, own(coefficients, p))) out.push_back(p);
  return out;
}

std::string CandidateSet::name(const State& state, const Coefficients& coefficients) const {
  const std::vector<std::size_t> found = moving(state, coefficients);
  const std::size_t first = found.empty() ? 0 : found.front();
  const std::string out = m_parts[first]->name(own(coefficients, first));
  return found.size() > 1 ? out + ", and what is linked to it with it" : out;
}

int CandidateSet::rod(const State& state, const Coefficients& coefficients) const {
  const std::vector<std::size_t> found = moving(state, coefficients);
  return m_parts[found.empty() ? 0 : found.front()]->rod();
}

}  // namespace writhe::statics
