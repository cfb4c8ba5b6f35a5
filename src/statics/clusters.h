// Which motions of components cost no energy where terms couple them.
//
// Of each component what its supports allow and its own elements do not resist is known; the work of terms on it says what is
// left. Only motions on which terms do work are combined, and only with those to which terms tie them: so many components take
// little longer than each by itself. docs/theory/statics.md, "Neutral motions".
#pragma once

#include <cstddef>
#include <vector>

#include <Eigen/Core>

namespace writhe::statics {

constexpr int rigid_motions = 6;

// Of a component.
struct PartMotions {
  Eigen::MatrixXd free;   // columns: what its supports allow and its elements do not resist, of unit size
  Eigen::MatrixXd rigid;  // columns: how it moves in the rigid motions of all components together
};

// The work of terms that reach the same components.
struct Tie {
  std::vector<std::size_t> parts;  // ascending
  std::vector<Eigen::RowVectorXd>
      work;  // over the coefficients of these components, one after the other; 1: the most it could be
};

// Motions of some components together, orthonormal.
struct Cluster {
  std::vector<std::size_t> parts;  // ascending
  Eigen::MatrixXd motions;         // columns: coefficients of these components, one after the other
  bool tied = false;               // by terms; otherwise of one component, and terms do no work on them
};

// Those that no term touches come first.
std::vector<Cluster> find_clusters(const std::vector<PartMotions>& parts, const std::vector<Tie>& ties, double negligible);

}  // namespace writhe::statics
