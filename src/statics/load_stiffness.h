// What loads that turn with the rod add to the tangent: derivatives of -force by the unknowns. docs/theory/statics.md.
#pragma once

#include <functional>
#include <vector>

#include <Eigen/SparseCore>

#include "assembly/assembly.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::statics {

// Whether the direction of a load depends on the rod, so that it has no potential.
bool is_directional(const Load& load);

using Entries = std::vector<Eigen::Triplet<double>>;

// Moments and follower forces, at `load` times their ramps. `elastic`: gradient of the elastic energy.
void add_load_stiffness(const Model& model, const assembly::Assembly& assembly, const State& state, double load, double time,
                        const Eigen::VectorXd& elastic, Entries& entries);

// Wind and drag, which depend on the orientation of each segment, by differences of `loads` (per unknown, at a state).
void add_wind_stiffness(const Model& model, const assembly::Assembly& assembly, const State& state,
                        const std::function<Eigen::VectorXd(const State&)>& loads, Entries& entries);

}  // namespace writhe::statics
