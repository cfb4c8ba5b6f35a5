// What is prescribed on both sides of a rod and leaves it no room: no step and no equilibrium can satisfy that.
#pragma once

#include <string>

#include "assembly/coupling.h"
#include "writhe/model.h"

namespace writhe::assembly {

// "a is crushed between the obstacles 'press' and 'floor'", of where the least is left; empty where nothing is crushed, or
// nothing of what does it moves.
std::string crushed(const Model& model, const Coupling& coupling, const State& at);

// "the obstacle 'press'" or "rod b" that is in the way of a rod there; empty where nothing presses.
std::string what_presses(const Model& model, const Coupling& coupling, const State& at);

// Where something presses as hard as there, and rods are drawn out: how many times, and how many times more than that rod is as a
// whole; 1 where nothing is, by less than `least` times.
struct Drawn {
  double times = 1, more = 1;
};
Drawn drawn_out(const Model& model, const Coupling& coupling, const State& at, double least);

}  // namespace writhe::assembly
