// A heavy cable that hangs between two points, as a chain of equal links. Derivation: docs/theory/shapes.md, "A slack cable".
#pragma once

#include <vector>

#include "writhe/scene.h"
#include "writhe/vec.h"

namespace writhe {

// Of the distance of the ends: a cable whose length is this near to it is straight.
inline constexpr double taut_catenary = 1e-14;

// The segments + 1 nodes, both ends among them, of the chain of equal links, each length/segments long, that is in equilibrium
// under its weight. Where that would fold by more than a quarter turn at a node it gets a rounder bottom instead, so that also
// a cable whose ends lie on one point is a loop with some width. It hangs in the plane of the ends and `up`; where they lie above
// each other, in that of `up` and a direction across it, x for z up. A single segment is the straight line. The shape must have
// passed check_centreline.
std::vector<Vec3> hang(const CatenaryShape& shape, int segments);

}  // namespace writhe
