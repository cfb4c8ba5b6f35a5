// Twist, writhe and link of rods: docs/theory/topology.md says what is meant for rings, held and free ends.
#pragma once

#include <vector>

#include "measure/gauss.h"
#include "measure/measure.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::measure {

// The angle (rad, -pi to pi, right-handed about the curve) by which the frame b is turned from the frame a, a being carried along
// the curve from its direction there to that at b by the shortest turn. Frames need not point along the curve (shear): each is
// first taken to its direction likewise. Directions are unit.
double turn_between(const Vec3& direction_a, const Quat& a, const Vec3& direction_b, const Quat& b);

// Turns, of one frame an edge: their twist about the curve, whole turns between two edges left out.
double total_twist(const Curve& curve, const std::vector<Quat>& frames);

struct RodTopology {
  double total_twist = 0;  // turns, of the material frame about the centreline, all of them
  double writhe = 0;       // turns
  double link() const { return total_twist + writhe; }
};
// Quadratic in the number of segments.
RodTopology rod_topology(const Model& model, const State& state, const SegmentJoints& joints, int rod);

// The polygon of a rod's nodes.
Curve rod_curve(const Model& model, const State& state, int rod);

}  // namespace writhe::measure
