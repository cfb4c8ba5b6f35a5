#include "statics/pins.h"

#include <cmath>
#include <utility>

#include "linalg/dense.h"

namespace writhe::statics {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// How a motion moves what is free of a component: m, turns times the component's length.
void append_motion(const PartCandidates& part, const State& state, const VectorXd& free, const VectorXd& coefficients,
                   VectorXd& out, Index& row) {
  for (const PartCandidates::Unknown& unknown : part.unknowns()) {
    const Vec3 motion = part.motion_of(state, unknown, coefficients);
    const double counts = unknown.is_node ? 1 : part.length(), own[3] = {motion.x, motion.y, motion.z};
    for (int i = 0; i < 3; ++i)
      if (free[3 * unknown.block + i] != 0) out[row++] = counts * own[i];
  }
}

// The unknowns that it goes by, of one component after the other, and where each component begins.
std::vector<int> free_unknowns(const CandidateSet& set, const VectorXd& free, std::vector<Index>& begin) {
  std::vector<int> out;
  for (const auto& part : set.parts()) {
    begin.push_back(static_cast<Index>(out.size()));
    for (const PartCandidates::Unknown& unknown : part->unknowns())
      for (int i = 3 * unknown.block; i < 3 * unknown.block + 3; ++i)
        if (free[i] != 0) out.push_back(i);
  }
  return out;
}

}  // namespace

// Pivots of a QR decomposition. Combinations may not move anything: a straight rod that is turned about its axis and spun back.
// Of a tied cluster what is held already is taken out first, so that both together are regular.
std::vector<Motion> Pins::hold(std::vector<Motion> motions, const CandidateSet& set, const Cluster& cluster) {
  std::vector<Index> begin;
  const std::vector<int> at = free_unknowns(set, m_free, begin);
  const auto size = static_cast<Index>(at.size());
  const auto for_each_held = [&](const auto& work) {
    if (!cluster.tied) return;
    for (std::size_t k = 0; k < cluster.parts.size(); ++k)
      if (const Held& held = m_held[cluster.parts[k]]; held.basis.cols() > 0) work(held, begin[k]);
  };
  std::vector<Motion> kept;
  MatrixXd basis(size, static_cast<Index>(motions.size()));  // of those kept, orthonormal
  for (Motion& motion : motions) {
    VectorXd column(size);
    Index row = 0;
    for (std::size_t k = 0; k < set.parts().size(); ++k)
      append_motion(*set.parts()[k], m_state, m_free, motion.coefficients.segment(candidates * static_cast<Index>(k), candidates),
                    column, row);
    const auto own = basis.leftCols(static_cast<Index>(kept.size()));
    for (int twice = 0; twice < 2; ++twice) {
      for_each_held([&](const Held& held, Index first) {
        auto part = column.segment(first, held.basis.rows());
        part -= held.basis * (held.basis.transpose() * part).eval();
      });
      column -= own * (own.transpose() * column).eval();
    }
    if (column.norm() < 1e-6 * std::sqrt(static_cast<double>(size))) continue;  // candidates are of size 1 an unknown
    basis.col(static_cast<Index>(kept.size())) = column.normalized();
    kept.push_back(std::move(motion));
  }
  if (kept.empty()) return kept;
  basis.conservativeResize(Eigen::NoChange, static_cast<Index>(kept.size()));
  MatrixXd left = basis;  // with what is held already added so that it is zero at the pins there
  for_each_held([&](const Held& held, Index first) {
    const auto count = static_cast<Index>(held.pins.size());
    MatrixXd there(count, count), value(count, left.cols());
    for (Index p = 0; p < count; ++p) {
      there.row(p) = held.basis.row(held.pins[static_cast<std::size_t>(p)]);
      value.row(p) = left.row(first + held.pins[static_cast<std::size_t>(p)]);
    }
    left.middleRows(first, held.basis.rows()) -= held.basis * linalg::solve(there, value);
  });
  std::vector<Index> pins = linalg::PivotedQr(left.transpose()).order();
  pins.resize(kept.size());
  for (std::size_t m = 0; m < kept.size(); ++m) kept[m].pin = at[static_cast<std::size_t>(pins[m])];
  if (!cluster.tied) m_held[cluster.parts.front()] = {std::move(basis), std::move(pins)};
  return kept;
}

}  // namespace writhe::statics
