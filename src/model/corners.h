// Corners of a rest shape: where a polyline turns so sharply that no curve is meant. Nodes are put on them, and their joints are
// made of two half segments along their own legs (elastic/corner.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/problems.h"
#include "writhe/scene.h"

namespace writhe {

// A point of a polyline is a corner if it turns by more than `least`, unless the points around it say that a curve is meant:
// others that turn by more than half as much, within two segments' length. From `sharp` on they count within half a segment's
// length only; so near, or so near to an end, what is sharp is a bend that is too tight for the segments, and none either.
//
// Why not by the angle alone: the tight bends of a smooth curve that is given by points, and noise in points that were measured,
// turn by as much as a corner does. Why not by the mesh alone: a square of one segment a side has corners, too.
struct CornerAngle {
  static constexpr double least = 15, sharp = 45;  // degrees
};

struct Corners {
  std::vector<double> at;  // fractions of the length, increasing; 0 where a loop closes at one
  bool any() const { return !at.empty(); }
};
// Of shapes other than polylines there are none. `loop`: the shape is a closed one.
Corners corners_of(const Centreline& shape, int segments, bool loop);

// Where the nodes of a rod are, and which of them are corners of its rest shape.
struct NodePlaces {
  // Fractions of the length, segments + 1; empty: equally spaced. Between two corners segments are equally long, and all as even
  // as can be: each further one goes to where they are longest.
  std::vector<double> at;
  std::vector<int> corners;  // numbers of nodes, increasing; the last, not the first, where a loop closes at one
};
// Of the shape that the rod has without stress; the other one gets its nodes at the same fractions. The rod must have passed
// check_rod.
NodePlaces node_places(const Rod& rod);

// A problem where the rest shape has more legs than the rod has segments. The shape must be fine.
void check_corners(const Rod& rod, const std::string& path, Problems& problems);

}  // namespace writhe
