// What can be read off a state: strains, internal forces and moments, energies, values at a place of a rod.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.h"
#include "measure/rod_ends.h"
#include "writhe/model.h"
#include "writhe/state.h"
#include "writhe/step_report.h"

namespace writhe::measure {

// ---- elements ------------------------------------------------------------------------------------------------------
// Shear along d1 and d2 and stretch along d3 of a segment (dimensionless, body components).
Vec3 segment_strain(const Model& model, const State& state, int segment);
// Shear forces along d1 and d2 and tension along d3 (N, body components); tension is positive when the segment is pulled.
Vec3 segment_force(const Model& model, const State& state, int segment);
// Relative rotation of a joint from a to b, seen through its turns.
Quat joint_rotation(const Model& model, const State& state, int joint);
// Curvatures about d1 and d2 and twist about d3 (1/m), as they are, not relative to the rest shape; of a corner of the rest shape
// without the turn that it has there. Components in the joint's frame, at a corner turned from those of its legs.
Vec3 joint_strain(const Model& model, const State& state, int joint);
// Bending moments about d1 and d2 and torque about d3 (N m, components in the joint's frame).
Vec3 joint_moment(const Model& model, const State& state, int joint);

// Gravity counts with its ramp at the state's time.
Energies energies(const Model& model, const State& state);

struct LinkState {
  double length = 0;   // m
  double tension = 0;  // N, positive: it pulls; damping included
  double energy = 0;   // J
};
LinkState link_state(const ResolvedLink& link, const State& state);
// A tether that does not pull.
bool is_slack(const ResolvedLink& link, const State& state);

// Space components. Angular: about the origin, of the nodes' motion and of the segments' own rotation.
struct Momentum {
  Vec3 linear{};   // kg m/s
  Vec3 angular{};  // kg m^2/s
};
Momentum momentum(const Model& model, const State& state);

// ---- which joint holds which end of a segment -----------------------------------------------------------------------
// Joints run along the rod: a comes before b.
struct SegmentJoints {
  std::vector<int> start, end;  // per segment; -1: a free or pinned end has no joint
};
SegmentJoints segment_joints(const Model& model);

enum class End { start, end };
// The material frame at an end of a segment: half way to the neighbour, all the way to a frame that sits on the node, and the
// segment's own where it has no joint. At a corner of the rest shape each segment has its own, that of its leg. Unit, continuous
// in sign with the segment's orientation.
Quat end_frame(const Model& model, const State& state, const SegmentJoints& joints, int segment, End end);
Quat end_frame(const Model& model, const State& state, int segment, End end, int joint);  // joint: at that end, or -1

// ---- scalar fields over the segments -------------------------------------------------------------------------------
enum class Field { none, tension, curvature, twist, speed };
// Throws Error when there is no such field; `name_of_key` stands in the message.
Field parse_field(std::string_view name, const std::string& name_of_key);
std::string_view field_name(Field field);
std::string_view field_unit(Field field);
// One value a segment: tension (N); curvature (1/m) and twist (rad/m), averaged over the joints at its ends; speed of its
// middle (m/s). `none` gives zeros.
std::vector<double> segment_field(const Model& model, const State& state, const SegmentJoints& joints, Field field);

// Largest speed of a node, m/s.
double max_speed(const State& state, const Threads& threads = 1);

// The first node along a rod whose position, velocity or segment is not finite.
struct Spoilt {
  int rod, node;
};
std::optional<Spoilt> first_not_finite(const Model& model, const State& state, const Threads& threads = 1);

// ---- at a place ----------------------------------------------------------------------------------------------------
// A place together with the joints around it. Moments live at nodes, forces in the middle of segments: each is interpolated
// linearly between the two next to the place. At the ends of a rod they are those of `ends`, and without `ends` those of the
// nearest segment and joint, which are of first order there; so are strains at an end without a joint.
class Gauge {
 public:
  Gauge(const Model& model, const ResolvedPlace& place);

  const ResolvedPlace& place() const { return m_place; }
  Vec3 position(const State& state) const;             // m, space
  Vec3 velocity(const State& state) const;             // m/s, space
  Quat frame(const Model&, const State& state) const;  // unit, body to space; at a clamp the clamp's
  // N, body: shear along d1 and d2, tension.
  Vec3 force(const Model&, const State& state, const RodEnds* ends = nullptr) const;
  // N m, body: bending about d1 and d2, torque; acts on the part before.
  Vec3 moment(const Model&, const State& state, const RodEnds* ends = nullptr) const;
  Vec3 strain(const Model&, const State& state) const;  // 1/m, body: curvatures about d1 and d2, twist; as they are

 private:
  struct Sides {
    Vec3 before{}, after{};
  };
  Sides beside(const Model&, const State&, Vec3 (*value)(const Model&, const State&, int)) const;

  Vec3 nearest_force(const Model&, const State& state) const;

  ResolvedPlace m_place;
  int m_segment = 0;                // around the place
  double m_along = 0;               // of it, 0 to 1
  int m_before = -1, m_after = -1;  // joints at the ends of the segment around the place
  double m_weight_after = 0;
  // At a corner: the joint between the segments around the place, or the two halves at a clamp or junction; else -1.
  int m_corner_from = -1, m_corner_to = -1;
  bool m_first = false, m_last = false;  // the segment is that of an open rod's start, or end
};

}  // namespace writhe::measure
