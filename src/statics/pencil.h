// Small motions of one connected part about an equilibrium: K x = eigenvalue M x.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace writhe::statics {

// On the unknowns of the part that supports leave free.
struct Pencil {
  std::vector<int> unknowns;            // of the assembly, ascending
  Eigen::SparseMatrix<double> tangent;  // N/m, N, N m; both triangles
  Eigen::SparseMatrix<double> damping;  // N s/m: by what flows past the rods, beside a tangent that is not symmetric; or empty
  Eigen::VectorXd mass;                 // kg, kg m^2; 0 for frames of junctions, which follow the rest
  Eigen::VectorXd rounding;             // per unknown, as the tangent: what rounding errors may make of its diagonal
  Eigen::MatrixXd neutral;              // columns: M^1/2 x of neutral motions, orthonormal
  bool symmetric = true;
  double softness = 0;  // 1/s^2: a guess at the size of its lowest eigenvalue
};

struct EigenPairs {
  Eigen::VectorXcd values;   // 1/s^2
  Eigen::MatrixXcd vectors;  // over the pencil's unknowns, those without mass too
};

// Called once a matrix is applied; what it throws ends the search.
using Tick = std::function<void()>;

// The lowest ones, neutral motions left out, ascending by real part, each as often as it is an eigenvalue; for a tangent that is
// not symmetric: the nearest to zero, as far as is known. Fewer than `count` where there are fewer. Nothing when the iteration
// fails.
std::optional<EigenPairs> lowest_pairs(const Pencil& pencil, int count, const Tick& tick = {});

// Of a symmetric tangent; neutral motions do not count. Nothing when it cannot be factored.
std::optional<int> count_negative(const Pencil& pencil);

}  // namespace writhe::statics
