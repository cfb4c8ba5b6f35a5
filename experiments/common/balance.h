// Whether the internal forces and moments of a state hold every part of the rods in balance: read off the strains, element by
// element, and not from what a solver calls its residual.
#pragma once

#include <vector>

#include "writhe/model.h"
#include "writhe/state.h"
#include "writhe/statics.h"

namespace writhe::experiments {

// The largest force and moment that nothing balances.
struct Unbalanced {
  double force = 0;   // N
  double moment = 0;  // N m
};

// At every node, segment and frame that is free.
Unbalanced unbalanced_parts(const Model& model, const State& state);

// Of all loads and reactions together, moments about the origin.
Unbalanced unbalanced_whole(const Model& model, const State& state, const std::vector<Reaction>& reactions);

// What a support exerts on its rod at the end of an implicit Euler step from `before` to `after`: what the elements and loads at
// its node and frame leave over of the change of momentum. A clamp's frame has no mass of its own.
Reaction reaction_of_step(const Model& model, const State& before, const State& after, int support);
// J: that reaction along the way of the support in the step.
double work_of_support(const Model& model, const State& before, const State& after, int support);

}  // namespace writhe::experiments
