#include "output/rod_curve.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "math/rotation.h"

namespace writhe::output {

namespace {
constexpr double kink = 0.9;  // rad: a sharper bend between two segments is drawn as a corner
}

bool is_rectangular(const Model& model, int rod) {
  const Scene& scene = model.scene();
  const auto section = std::find_if(scene.sections.begin(), scene.sections.end(),
                                    [&](const Section& s) { return s.name == scene.rods[rod].section; });
  return section != scene.sections.end() && std::holds_alternative<RectangleSection>(section->shape);
}

RodCurve::RodCurve(const Model& model, const State& state, const measure::SegmentJoints& joints, int rod)
    : m_model(model), m_state(state), m_joints(joints), m_rod(model.rods()[rod]), m_index(rod) {
  const int n = m_rod.segment_count;
  for (int i = 0; i < n; ++i) {
    m_x.push_back(state.x[model.segments().node0[segment(i)]]);
    m_chord.push_back(chord_of(i));
  }
  m_x.push_back(state.x[model.segments().node1[segment(n - 1)]]);
}

double RodCurve::bend(int i) const { return std::max(bend_at(i, i - 1), bend_at(i, i + 1)); }

double RodCurve::twist(int i) const {
  const Quat turn = conj(frame(i, 0)) * frame(i, 1);
  return std::abs(2 * std::atan2(turn.z, std::abs(turn.w)));
}

Vec3 RodCurve::chord_of(int i) const {
  const Segments& s = m_model.segments();
  return m_state.x[s.node1[segment(i)]] - m_state.x[s.node0[segment(i)]];
}

// -1: an open end.
int RodCurve::neighbour(int i) const {
  if (i >= 0 && i < segments()) return i;
  return m_rod.closed ? (i + segments()) % segments() : -1;
}

double RodCurve::bend_at(int i, int other) const {
  const int j = neighbour(other);
  if (j < 0) return 0;
  return std::atan2(norm(cross(m_chord[i], m_chord[j])), dot(m_chord[i], m_chord[j]));
}

// Slope of the curve at an end of segment i, per segment length (Catmull and Rom, 1974). An open end gets no curvature beyond
// that of its segment, a kink and a corner of the rest shape none at all.
Vec3 RodCurve::slope(int i, bool at_end) const {
  const int j = neighbour(at_end ? i + 1 : i - 1);
  if (j >= 0) return inner_slope(i, j);
  const int k = neighbour(at_end ? i - 1 : i + 1);
  return k < 0 ? m_chord[i] : 1.5 * m_chord[i] - 0.5 * inner_slope(i, k);
}
Vec3 RodCurve::inner_slope(int i, int j) const {
  const std::vector<double>& length = m_model.segments().length;
  const double li = length[segment(i)], lj = length[segment(j)];
  const int before = segment(neighbour(i + 1) == j ? i : j);
  const int joint = m_joints.end[before];
  const bool corner = joint >= 0 && m_model.is_corner(joint);
  return corner || bend_at(i, j) > kink ? m_chord[i] : (li / (li + lj)) * (m_chord[i] + m_chord[j]);
}

Quat RodCurve::frame(int i, int end) const {
  return measure::end_frame(m_model, m_state, m_joints, segment(i), end == 0 ? measure::End::start : measure::End::end);
}

// Between the frames at the ends of the segment through the one in its middle.
Quat RodCurve::frame_at(int i, double t) const {
  const Quat middle = m_state.q[segment(i)];
  const Quat end = frame(i, t < 0.5 ? 0 : 1);
  return middle * fraction_of(conj(middle) * same_side(end, middle), std::abs(2 * t - 1));
}

Vec3 RodCurve::half_extent(int i, double t) const {
  const std::vector<Vec3>& half = m_model.segments().half_extent;
  const int j = neighbour(t < 0.5 ? i - 1 : i + 1);
  const Vec3 here = half[segment(i)];
  return j < 0 ? here : here + 0.5 * std::abs(2 * t - 1) * (half[segment(j)] - here);
}

// Cubic Hermite.
Station RodCurve::at(int i, double t) const {
  const Vec3 m0 = slope(i, false), m1 = slope(i, true), d = m_chord[i];
  const double t2 = t * t, t3 = t2 * t;
  Station s;
  s.x = m_x[i] + (t3 - 2 * t2 + t) * m0 + (3 * t2 - 2 * t3) * d + (t3 - t2) * m1;
  if (t == 1) s.x = m_x[i + 1];
  const Vec3 tangent = (3 * t2 - 4 * t + 1) * m0 + (6 * t - 6 * t2) * d + (3 * t2 - 2 * t) * m1;
  s.q = frame_at(i, t);
  const double speed = norm(tangent);
  s.tangent = speed > 0 ? tangent / speed : rotate(s.q, Vec3{0, 0, 1});
  const Vec3 half = half_extent(i, t);
  s.half1 = half.x;
  s.half2 = half.y;
  return s;
}

}  // namespace writhe::output
