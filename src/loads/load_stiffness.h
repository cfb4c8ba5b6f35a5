// What loads without a potential add to the tangent of an equilibrium: derivatives of -force by the unknowns, not symmetric.
// docs/theory/statics.md.
//
// Within a step in time such loads are forces that are known when it starts (Drive::of_step), so that every step has a potential;
// statics takes them where the rods are, with these blocks.
#pragma once

#include <functional>
#include <vector>

#include "loads/drive.h"
#include "terms/dof.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::loads {

// Whether the direction of a load depends on the rod, so that it has no potential.
bool is_directional(const Load& load);

// Moments and follower forces, at `load` times their ramps. moment_of: gradient of the elastic energy at an orientation, N m,
// body.
void add_load_stiffness(const Model& model, const State& state, double load, double time,
                        const std::function<Vec3(int orientation)>& moment_of, std::vector<TangentBlock>& blocks);

// Wind and drag, which depend on the orientation of each segment, by differences; at `load` times their ramps.
void add_wind_stiffness(const Model& model, Drive& drive, const State& state, double load, double time,
                        std::vector<TangentBlock>& blocks);

}  // namespace writhe::loads
