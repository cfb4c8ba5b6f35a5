// Centrelines as points equally spaced in arc length. The shapes must have passed check_centreline (model/check.h).
#pragma once

#include <vector>

#include "writhe/scene.h"
#include "writhe/vec.h"

namespace writhe {

// m. A closed polyline includes the side from its last point back to its first.
double centreline_length(const Centreline& shape, bool closed);

// The segments + 1 points that divide the centreline into pieces of equal arc length, its ends included. Closed, the last point
// is the first. The chords between these points are a little shorter than the pieces of a curve.
std::vector<Vec3> sample_centreline(const Centreline& shape, int segments, bool closed);

// The nodes of a rod along the centreline. Of arcs, rings and helices the segments are as long as the pieces of the curve and lie
// along its tangents at their middles, so that the rod has its length and turns as it does; the nodes then lie beside the curve
// by a fraction of about turn^2/24 of its radius, turn being that of a segment (docs/theory/shapes.md). Nodes that other rods
// `meet` (each of 0 ... segments once) lie on the curve: with one the rod is moved there, with none its start is, or the centre
// if it is closed; with two or more all nodes are on the curve, and the segments its chords. All other shapes: as
// sample_centreline.
std::vector<Vec3> lay_centreline(const Centreline& shape, int segments, bool closed, const std::vector<int>& met = {});

// Both are arcs, rings or helices of the same radius, turns and climb, wherever they lie.
bool same_screw(const Centreline& a, const Centreline& b);

// The points at these fractions of the arc length, which begin with 0, increase and end with 1.
std::vector<Vec3> points_at(const Centreline& shape, const std::vector<double>& fractions, bool closed);

// A closed polyline ends where it starts: its last point is the first one, or the first one follows.
std::vector<Vec3> closed_points(const std::vector<Vec3>& points, bool closed);

// Of arc, ring and helix: the turns about the axis. Of others 0: a parabola turns by half a turn at most, and to cut the corners
// of a finer polyline is what few segments are for.
double turns_of(const Centreline& shape);

// Whether the end lies on the start (to 1e-6 of the length), so that the shape itself is a loop; never a catenary, which would
// have a corner there.
bool is_loop(const Centreline& shape);

}  // namespace writhe
