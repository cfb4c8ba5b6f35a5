#include "measure/node_fields.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "model/at_place.h"
#include "model/strain.h"

namespace writhe::measure {

namespace {

// What lives on one side of a node, in body components of `frame`.
struct Values {
  Quat frame;
  double radius;
  Vec3 strain, force;      // of the segment
  Vec3 curvature, moment;  // of the joint
};

Quat mean_frame(const Quat& a, const Quat& b) {
  const Quat c = same_side(b, a);
  return normalized(Quat{a.w + c.w, a.x + c.x, a.y + c.y, a.z + c.z});
}

// The same vectors seen from another frame.
Values seen_from(const Quat& frame, const Values& v) {
  const Quat turn = conj(frame) * v.frame;
  return {frame, v.radius, rotate(turn, v.strain), rotate(turn, v.force), rotate(turn, v.curvature), rotate(turn, v.moment)};
}

class RodReader {
 public:
  RodReader(const Model& model, const State& state, const SegmentJoints& joints, int rod)
      : m_model(model), m_state(state), m_joints(joints), m_rod(model.rods()[rod]) {}

  Values at(int k) const {
    const int n = m_rod.segment_count;
    const bool seam = k == 0 || k == n;
    const int first = m_rod.first_segment;
    if (seam && !m_rod.closed) return k == 0 ? side(first, End::start) : side(first + n - 1, End::end);
    const int before = first + (k + n - 1) % n, after = first + k % n;
    const Values a = side(before, End::end), b = side(after, End::start);
    const bool one_joint = m_joints.end[before] == m_joints.start[after];
    const bool corner = one_joint && m_model.is_corner(m_joints.end[before]);         // each side has the frame of its leg
    if (one_joint && !seam && !corner) return blend(a, b, before, after, one_joint);  // both have the frame of the joint
    const Quat frame = !seam ? mean_frame(a.frame, b.frame) : k == 0 ? b.frame : a.frame;
    return blend(seen_from(frame, a), seen_from(frame, b), before, after, one_joint);
  }

 private:
  Values side(int segment, End end) const {
    Values out{end_frame(m_model, m_state, m_joints, segment, end),
               m_model.segments().half_extent[segment].z,
               segment_strain(m_model, m_state, segment),
               segment_force(m_model, m_state, segment),
               {0, 0, 0},
               {0, 0, 0}};
    // An end without a joint takes the values of the nearest, as a Gauge does.
    const int here = (end == End::start ? m_joints.start : m_joints.end)[segment];
    const int joint = here >= 0 ? here : (end == End::start ? m_joints.end : m_joints.start)[segment];
    if (joint < 0) return out;
    const Joints& joints = m_model.joints();
    const Quat turn = joints.a[joint] == segment ? joints.turn_a[joint] : strain::turn_b(m_model, m_state, joint);
    out.curvature = rotate(turn, joint_strain(m_model, m_state, joint));
    out.moment = rotate(turn, joint_moment(m_model, m_state, joint));
    return out;
  }

  // Values of segments are linear between the middles of the two; the values of one joint are the same from both sides.
  Values blend(const Values& a, const Values& b, int before, int after, bool one_joint) const {
    const std::vector<double>& length = m_model.segments().length;
    const double t = length[before] / (length[before] + length[after]);
    const double u = one_joint ? 0 : 0.5;
    return {a.frame,
            (1 - t) * a.radius + t * b.radius,
            lerp(a.strain, b.strain, t),
            lerp(a.force, b.force, t),
            lerp(a.curvature, b.curvature, u),
            lerp(a.moment, b.moment, u)};
  }

  const Model& m_model;
  const State& m_state;
  const SegmentJoints& m_joints;
  const RodRange& m_rod;
};

template <class T>
bool all_finite(const std::vector<T>& values) {
  return std::all_of(values.begin(), values.end(), [](const T& value) { return finite(value); });
}

}  // namespace

void NodeFields::resize(std::size_t count) {
  for (std::vector<double>* values : {&arc_length, &radius}) values->resize(count);
  for (std::vector<Vec3>* values : {&position, &velocity, &strain, &curvature, &force, &moment, &contact}) values->resize(count);
  frame.resize(count);
}

void node_fields(const Model& model, const State& state, const SegmentJoints& joints, int rod, NodeFields& out,
                 const RodEnds* ends, const contact::Contacts* contacts) {
  const RodRange& range = model.rods()[rod];
  const RodReader reader(model, state, joints, rod);
  out.resize(static_cast<std::size_t>(range.segment_count) + 1);
  double arc_length = 0;
  for (int k = 0; k <= range.segment_count; ++k) {
    const int node = model.node_of(rod, k);
    const Values values = reader.at(k);
    out.arc_length[k] = arc_length;
    out.radius[k] = values.radius;
    out.position[k] = state.x[node];
    out.velocity[k] = state.v[node];
    out.frame[k] = values.frame;
    out.strain[k] = values.strain;
    out.curvature[k] = values.curvature;
    out.force[k] = values.force;
    out.moment[k] = values.moment;
    out.contact[k] = contacts ? contacts->along_rod(rod)[k] : Vec3{};
    if (k < range.segment_count) arc_length += model.segments().length[range.first_segment + k];
  }
  if (!ends || range.closed) return;
  const auto& [start, end] = ends->of[rod];
  out.force.front() = start.force;
  out.moment.front() = start.moment;
  out.force.back() = end.force;
  out.moment.back() = end.moment;
}

double scalar_at(const NodeFields& fields, Field field, std::size_t k) {
  switch (field) {
    case Field::tension:
      return fields.force[k].z;
    case Field::curvature:
      return std::hypot(fields.curvature[k].x, fields.curvature[k].y);
    case Field::twist:
      return fields.curvature[k].z;
    case Field::speed:
      return norm(fields.velocity[k]);
    default:
      return 0;
  }
}

std::string_view not_finite(const NodeFields& fields) {
  if (!all_finite(fields.position)) return "position";
  if (!all_finite(fields.velocity)) return "velocity";
  if (!all_finite(fields.frame)) return "frame";
  if (!all_finite(fields.strain)) return "strain";
  if (!all_finite(fields.curvature)) return "curvature";
  if (!all_finite(fields.force)) return "force";
  if (!all_finite(fields.moment)) return "moment";
  if (!all_finite(fields.contact)) return "contact";
  return {};
}

}  // namespace writhe::measure
