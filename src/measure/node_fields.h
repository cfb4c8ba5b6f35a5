// Every value of a rod at its nodes: what curves in files carry.
#pragma once

#include <string_view>
#include <vector>

#include "contact/contacts.h"
#include "measure/measure.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::measure {

// One entry a node along the rod, k = 0 ... segment_count; a ring repeats its first node. Body components are along d1, d2, d3 of
// `frame`. Segments have forces and strains, joints have moments and curvatures: at a node they are those of Gauge, and where
// two sides differ (at a clamp or junction inside the rod) their mean. The two ends of a ring see the one node where it closes in
// the frames of either side, which differ by the closing angle.
struct NodeFields {
  std::vector<double> arc_length;  // m, rest
  std::vector<double> radius;      // m, mean radius of the section
  std::vector<Vec3> position;      // m, space
  std::vector<Vec3> velocity;      // m/s, space
  std::vector<Quat> frame;         // unit, body to space
  std::vector<Vec3> strain;        // shear along d1 and d2, stretch along d3; 0 at rest, body
  std::vector<Vec3> curvature;     // 1/m: about d1 and d2, and twist about d3, as they are, body
  std::vector<Vec3> force;         // N: shear along d1 and d2, tension along d3, body
  std::vector<Vec3> moment;        // N m: bending about d1 and d2, torque about d3, body; acts on the part before
  std::vector<Vec3> contact;       // N/m, space, of rest length: what presses on the rod, as Contacts::along_rod has it

  std::size_t size() const { return position.size(); }
  void resize(std::size_t count);
};

// Replaces what `out` holds; its memory is used again. `ends`: of this state, see Gauge. `contacts`: read from this state, or
// null where nothing touches.
void node_fields(const Model& model, const State& state, const SegmentJoints& joints, int rod, NodeFields& out,
                 const RodEnds* ends = nullptr, const contact::Contacts* contacts = nullptr);

// A scalar at node k, in field_unit(field); curvature without its direction. `none` is 0.
double scalar_at(const NodeFields& fields, Field field, std::size_t k);

// The name of the first array that holds a value that is not finite; empty when all are.
std::string_view not_finite(const NodeFields& fields);

}  // namespace writhe::measure
