// A number for all that decides how a scene moves: rods, what holds them, what acts on them. Two scenes with the same one can go
// on from each other's states. Left out: title, time, solver and output, which a run may change on its way.
#pragma once

#include <cstdint>

#include "writhe/scene.h"

namespace writhe {

std::uint64_t scene_digest(const Scene& scene);
// Of the method and its settings: what decides where a step ends.
std::uint64_t solver_digest(const SolverSettings& v);

}  // namespace writhe
