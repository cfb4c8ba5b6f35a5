// Centrelines as points equally spaced in arc length. The shapes must have passed check_centreline (model/check.h).
#pragma once

#include <vector>

#include "writhe/scene.h"
#include "writhe/vec.h"

namespace writhe {

// m. A closed polyline includes the side from its last point back to its first.
double centreline_length(const Centreline& shape, bool closed);

// The segments + 1 points that divide the centreline into pieces of equal arc length, its ends included. Closed, the last point
// is the first. Segments are the chords between these points, so a little shorter than the pieces of a curve.
std::vector<Vec3> sample_centreline(const Centreline& shape, int segments, bool closed);

// Whether the end lies on the start (to 1e-6 of the length), so that the shape itself is a loop.
bool is_loop(const Centreline& shape);

}  // namespace writhe
