// Directions over all unknowns, each of which moves a few or many of them.
#pragma once

#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace writhe::statics {

// What they span, orthonormal in the mass (per unknown). Those that move little come first, and stay so. Takes as long as there
// are numbers in them where few of them move the same: many parts that spin, and a few motions of all.
std::vector<Eigen::SparseVector<double>> orthonormal_directions(std::vector<Eigen::SparseVector<double>> directions,
                                                                const Eigen::VectorXd& mass);

}  // namespace writhe::statics
