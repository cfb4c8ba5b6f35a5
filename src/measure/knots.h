// Which knot a rod is tied in. docs/theory/topology.md says how it is found and what it can tell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/gauss.h"

namespace writhe::measure {

struct Knot {
  // "unknot", "3_1 trefoil", "4_1 figure-eight", "5_1", ... or "unknown" with a reason. Knots that have the polynomial of another
  // one with fewer crossings bear its name; left and right ones bear the same.
  std::string name;
  std::int64_t determinant = 1;  // |Alexander polynomial at -1|; 0 where it was not found or is too large for a number
  int crossings = 0;             // of the drawing that was looked at; 0 is certain to be an unknot
};

// Of a closed polygon, or of an open one whose ends are led straight out of it and joined far away.
Knot knot_of(const Curve& curve);

// ---- what it is made of, for tests ---------------------------------------------------------------------------------
// The curve itself, or an open one joined outside of the sphere around it.
std::vector<Vec3> closed_far_outside(const Curve& curve);
// The same knot with fewer points: a point is taken out where no other edge crosses the triangle that it spans with its
// neighbours.
std::vector<Vec3> reduced(std::vector<Vec3> polygon);

}  // namespace writhe::measure
