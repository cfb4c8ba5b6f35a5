// Candidates for neutral motions of components that terms tie together, or of one alone. Coefficients are those of the
// components, one after the other: what is coupled need not move as one body, and the terms say which combinations cost nothing.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "statics/part_candidates.h"

namespace writhe::statics {

class CandidateSet {
 public:
  explicit CandidateSet(std::vector<std::shared_ptr<const PartCandidates>> parts) : m_parts(std::move(parts)) {}

  int count() const { return candidates * static_cast<int>(m_parts.size()); }  // of coefficients
  const std::vector<std::shared_ptr<const PartCandidates>>& parts() const { return m_parts; }

  using Coefficients = Eigen::Ref<const Eigen::VectorXd>;
  // As for one component; sums over them.
  PartCandidates::Work work(const State& state, const Eigen::VectorXd& forces, const Coefficients& coefficients) const;
  // Of what moves.
  Eigen::SparseVector<double> direction(const State& state, const Coefficients& coefficients, int size) const;
  // Of what moves in this state: a component may be part of a combination that leaves it where it is (a straight clamped rod that
  // turns about itself and spins back).
  std::string name(const State& state, const Coefficients& coefficients) const;
  int rod(const State& state, const Coefficients& coefficients) const;
  double length() const { return m_parts.front()->length(); }

 private:
  std::vector<std::size_t> moving(const State& state, const Coefficients& coefficients) const;  // components
  auto own(const Coefficients& coefficients, std::size_t part) const {
    return coefficients.segment(candidates * static_cast<Eigen::Index>(part), candidates);
  }

  std::vector<std::shared_ptr<const PartCandidates>> m_parts;
};

}  // namespace writhe::statics
