// Obstacles in the header of a replay.
#pragma once

#include <span>

#include <nlohmann/json.hpp>

#include "output/obstacle_surface.h"

namespace writhe::output {

// Of each its name; whether it is a plane; points (Float32, x y z, m, as it stands in the scene) and corners of triangles
// (Uint32) in base64; and, where it moves, its pose at each of the times (s): w, x, y, z of its turn and its shift (m), one after
// the other.
nlohmann::ordered_json obstacles_header(const Model& model, const Ball& ball, std::span<const double> times);

}  // namespace writhe::output
