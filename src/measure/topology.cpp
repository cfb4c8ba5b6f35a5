#include "measure/topology.h"

#include <cmath>

#include "math/rotation.h"

namespace writhe::measure {

namespace {

constexpr double turn = 2 * pi;

Quat taken_to(const Vec3& direction, const Quat& q) { return shortest_turn(rotate(q, Vec3{0, 0, 1}), direction) * q; }

// Of swing and twist, the twist: the bend of a relative rotation is the shortest turn of d3. -2 pi to 2 pi, as the sign says.
double twist_angle(const Quat& relative) { return 2 * std::atan2(relative.z, relative.w); }

// Without a length it has no direction of its own.
Vec3 direction_of(const Model& model, const State& state, int segment) {
  const Vec3 edge = state.x[model.segments().node1[segment]] - state.x[model.segments().node0[segment]];
  const double length = norm(edge);
  return length > 0 ? edge / length : rotate(state.q[segment], Vec3{0, 0, 1});
}

Curve curve_of(const Model& model, const std::vector<Vec3>& x, int rod) {
  const RodRange& range = model.rods()[rod];
  Curve curve;
  curve.closed = range.closed;
  for (int k = 0; k <= range.segment_count - (range.closed ? 1 : 0); ++k) curve.points.push_back(x[model.node_of(rod, k)]);
  return curve;
}

// rad, -2 pi to 2 pi: turn_between() with the whole turn that the signs of the frames tell.
double signed_turn(const Vec3& direction_a, const Quat& a, const Vec3& direction_b, const Quat& b) {
  return twist_angle(conj(taken_to(direction_a, a)) * taken_to(direction_b, b));
}

// The twist at each node of a rod. Inside it is that of the segments, a frame that sits there left out. Signs are continuous
// along the rod and over time, so that no turn gets lost.
class Twist {
 public:
  Twist(const Model& model, const State& state, const SegmentJoints& joints, int rod)
      : m_model(model), m_state(state), m_joints(joints), m_rod(model.rods()[rod]), m_index(rod) {}

  double total() const {
    const int first = m_rod.first_segment, last = first + m_rod.segment_count - 1;
    double sum = 0;
    for (int s = first; s < last; ++s) sum += between(s, s + 1, {1, 0, 0, 0});
    if (m_rod.closed) return sum + between(last, first, closing_turn());
    return sum + at_end(first, End::start) + at_end(last, End::end);
  }

 private:
  // How the closing joint sees the first frame turned. As built it is turned by the closing angle beyond what closes the
  // twist-free frame; any frames of the polygon as built miss to close that by their twist. Of both signs the joint takes the one
  // with which it is turned less (src/model/rod_shape.cpp).
  Quat closing_turn() const {
    const Vec3 d3{0, 0, 1};
    const auto q = m_model.segments().q_initial.begin() + m_rod.first_segment;
    const std::vector<Quat> built(q, q + m_rod.segment_count);
    const double gap = -turn * total_twist(curve_of(m_model, m_model.nodes().x_initial, m_index), built);
    const Quat closing = about_axis(d3, gap + m_model.scene().rods[m_index].closing_angle);
    const bool other = (conj(built.back()) * built.front() * closing).w < 0;
    return (other ? -closing : closing) * about_axis(d3, m_state.closing[m_index]);
  }

  double between(int a, int b, const Quat& turn_b) const {
    return signed_turn(direction_of(m_model, m_state, a), m_state.q[a], direction_of(m_model, m_state, b), m_state.q[b] * turn_b);
  }

  // From the frame of a clamp or junction to the segment, or from the segment to it; nothing at other ends.
  double at_end(int segment, End end) const {
    const int joint = (end == End::start ? m_joints.start : m_joints.end)[segment];
    if (joint < 0) return 0;
    const Quat frame = end_frame(m_model, m_state, segment, end, joint);
    const Vec3 held = rotate(frame, Vec3{0, 0, 1}), own = direction_of(m_model, m_state, segment);
    const Quat& q = m_state.q[segment];
    return end == End::start ? signed_turn(held, frame, own, q) : signed_turn(own, q, held, frame);
  }

  const Model& m_model;
  const State& m_state;
  const SegmentJoints& m_joints;
  const RodRange& m_rod;
  int m_index;
};

// Those of the frames that hold the ends, and of the segments at others.
EndTangents end_tangents(const Model& model, const State& state, const SegmentJoints& joints, const RodRange& rod) {
  const auto tangent = [&](int segment, End end) {
    const int joint = (end == End::start ? joints.start : joints.end)[segment];
    if (joint < 0) return direction_of(model, state, segment);
    return rotate(end_frame(model, state, segment, end, joint), Vec3{0, 0, 1});
  };
  return {tangent(rod.first_segment, End::start), tangent(rod.first_segment + rod.segment_count - 1, End::end)};
}

}  // namespace

double turn_between(const Vec3& direction_a, const Quat& a, const Vec3& direction_b, const Quat& b) {
  return std::remainder(signed_turn(direction_a, a, direction_b, b), turn);
}

double total_twist(const Curve& curve, const std::vector<Quat>& frames) {
  const int n = curve.edges();
  const auto direction = [&](int i) { return normalized(curve.end(i) - curve.start(i)); };
  double sum = 0;
  for (int i = 0; i + 1 < n; ++i) sum += turn_between(direction(i), frames[i], direction(i + 1), frames[i + 1]);
  if (curve.closed) sum += turn_between(direction(n - 1), frames[n - 1], direction(0), frames[0]);
  return sum / turn;
}

RodTopology rod_topology(const Model& model, const State& state, const SegmentJoints& joints, int rod) {
  const Curve curve = rod_curve(model, state, rod);
  RodTopology out;
  out.total_twist = Twist(model, state, joints, rod).total() / turn;
  out.writhe = curve.closed ? writhe(curve) : writhe(curve, end_tangents(model, state, joints, model.rods()[rod]));
  return out;
}

Curve rod_curve(const Model& model, const State& state, int rod) { return curve_of(model, state.x, rod); }

}  // namespace writhe::measure
