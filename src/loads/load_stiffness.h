// What loads without a potential add to the tangent of an equilibrium: derivatives of -force by the unknowns, not symmetric.
// docs/theory/statics.md.
//
// Within a step in time moments and follower forces are a term (followers.h), and so, where it is long, is what wind and drag
// become (wind_term.h). Statics takes all of them where the rods are, with these blocks.
#pragma once

#include <span>
#include <vector>

#include "loads/drive.h"
#include "terms/dof.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::loads {

// Whether the direction of a load depends on the rod, so that it has no potential. At a clamp it does not: the clamp decides it.
bool is_directional(const Load& load);
bool is_directional(const Model& model, const ResolvedLoad& load);

// Of these, one that acts at a place: a moment or a follower force.
bool is_directional_at_place(const Model& model, const ResolvedLoad& load);

// The derivative of -(force, moment) of such a load, at `factor`, by what it depends on: at most most_place_blocks of them.
//
// The body components m of a moment in space change by m x delta; and the derivative of a body gradient g along a turn is its
// Hessian plus [g]x/2, which matters where loads balance g: there g = m.
inline constexpr int most_place_blocks = 4;
std::span<TangentBlock> place_stiffness(const ResolvedLoad& load, const State& state, double factor,
                                        std::span<TangentBlock, most_place_blocks> memory);

// The same of all loads of a model, at `load` times their ramps; wind and drag included, by the orientation of each segment.
void add_load_stiffness(const Model& model, const State& state, double load, double time, std::vector<TangentBlock>& blocks);

// N s/m: the derivative of -force of all that flows, also of a medium at rest, by the velocities of nodes that have none.
void add_flow_resistance(const Model& model, const State& state, double load, double time, std::vector<TangentBlock>& blocks);

}  // namespace writhe::loads
