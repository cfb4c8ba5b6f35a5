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

// Of arc, ring and helix: the turns about the axis, and the length of the chords over that of the curve. Of a parabola 0 and 1:
// it turns by half a turn at most. Of lines 0 and 1 too: to cut the corners of a finer polyline is what few segments are for.
double turns_of(const Centreline& shape);
double chord_share(const Centreline& shape, int segments);

// Whether the end lies on the start (to 1e-6 of the length), so that the shape itself is a loop.
bool is_loop(const Centreline& shape);

}  // namespace writhe
