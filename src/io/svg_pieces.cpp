#include "io/svg_pieces.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace writhe::io {

namespace {

constexpr double bend_a_piece = 0.10;   // rad
constexpr double twist_a_piece = 0.15;  // rad
constexpr double kink = 0.9;            // rad: a sharper bend between two segments is drawn as a corner
constexpr int most_cuts = 12;           // of one segment

// One rod as a curve: nodes 0..N in order (a ring repeats its first node), segment i between nodes i and i + 1.
class Curve {
 public:
  Curve(const Model& model, const State& state, const measure::SegmentJoints& joints, const RodRange& rod, int rod_index)
      : m_model(model), m_state(state), m_joints(joints), m_rod(rod), m_index(rod_index) {
    const int n = rod.segment_count;
    for (int i = 0; i < n; ++i) {
      m_x.push_back(state.x[model.segments().node0[rod.first_segment + i]]);
      m_chord.push_back(chord_of(i));
    }
    m_x.push_back(state.x[model.segments().node1[rod.first_segment + n - 1]]);
  }

  int segments() const { return m_rod.segment_count; }
  int segment(int i) const { return m_rod.first_segment + i; }

  // Pieces that segment i deserves.
  int cuts(int i, const Camera& camera) const {
    const double bend = std::max(bend_at(i, i - 1), bend_at(i, i + 1));
    const Quat turn = conj(frame(i, 0)) * frame(i, 1);
    const double twist = std::abs(2 * std::atan2(turn.z, std::abs(turn.w)));
    const double thickness = std::max({2 * m_model.segments().half_extent[segment(i)].z, 1.5 / camera.scale, 1e-300});
    const double deep = std::abs(camera.depth(m_chord[i])) / thickness;
    const double most = std::max({bend / bend_a_piece, twist / twist_a_piece, deep, 1.0});
    return static_cast<int>(std::ceil(std::min<double>(most, most_cuts)));
  }

  // From node i to node i + span, in `count` pieces (more than one only when span is 1).
  void cut(int i, int span, int count, std::vector<Piece>& out) const {
    if (span > 1) {
      out.push_back(piece(at(i, 0), at(i + span - 1, 1), i + span / 2, i == 0, i + span == segments()));
      return;
    }
    Station before = at(i, 0);
    for (int k = 1; k <= count; ++k) {
      const Station after = at(i, static_cast<double>(k) / count);
      out.push_back(piece(before, after, i, i == 0 && k == 1, i + 1 == segments() && k == count));
      before = after;
    }
  }

 private:
  Vec3 chord_of(int i) const {
    const Segments& s = m_model.segments();
    return m_state.x[s.node1[segment(i)]] - m_state.x[s.node0[segment(i)]];
  }

  Piece piece(const Station& a, const Station& b, int i, bool first, bool last) const {
    return {a, b, m_index, segment(i), first && !m_rod.closed, last && !m_rod.closed};
  }

  // -1: an open end.
  int neighbour(int i) const {
    if (i >= 0 && i < segments()) return i;
    return m_rod.closed ? (i + segments()) % segments() : -1;
  }

  double bend_at(int i, int other) const {
    const int j = neighbour(other);
    if (j < 0) return 0;
    return std::atan2(norm(cross(m_chord[i], m_chord[j])), dot(m_chord[i], m_chord[j]));
  }

  // Slope of the curve at an end of segment i, per segment length (Catmull and Rom, 1974). An open end gets no curvature beyond
  // that of its segment, a kink none at all.
  Vec3 slope(int i, bool at_end) const {
    const int j = neighbour(at_end ? i + 1 : i - 1);
    if (j >= 0) return inner_slope(i, j);
    const int k = neighbour(at_end ? i - 1 : i + 1);
    return k < 0 ? m_chord[i] : 1.5 * m_chord[i] - 0.5 * inner_slope(i, k);
  }
  Vec3 inner_slope(int i, int j) const {
    const std::vector<double>& length = m_model.segments().length;
    const double li = length[segment(i)], lj = length[segment(j)];
    return bend_at(i, j) > kink ? m_chord[i] : (li / (li + lj)) * (m_chord[i] + m_chord[j]);
  }

  Quat frame(int i, int end) const {
    return measure::end_frame(m_model, m_state, m_joints, segment(i), end == 0 ? measure::End::start : measure::End::end);
  }

  // Between the frames at the ends of the segment through the one in its middle.
  Quat frame_at(int i, double t) const {
    const Quat middle = m_state.q[segment(i)];
    const Quat end = frame(i, t < 0.5 ? 0 : 1);
    return middle * fraction_of(conj(middle) * same_side(end, middle), std::abs(2 * t - 1));
  }

  Vec3 half_extent(int i, double t) const {
    const std::vector<Vec3>& half = m_model.segments().half_extent;
    const int j = neighbour(t < 0.5 ? i - 1 : i + 1);
    const Vec3 here = half[segment(i)];
    return j < 0 ? here : here + 0.5 * std::abs(2 * t - 1) * (half[segment(j)] - here);
  }

  // Cubic Hermite at t in [0, 1] of segment i.
  Station at(int i, double t) const {
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

  const Model& m_model;
  const State& m_state;
  const measure::SegmentJoints& m_joints;
  const RodRange& m_rod;
  int m_index;
  std::vector<Vec3> m_x, m_chord;
};

}  // namespace

std::vector<Piece> cut_into_pieces(const Model& model, const State& state, const measure::SegmentJoints& joints,
                                   const Camera& camera, int budget) {
  std::vector<Curve> curves;
  for (std::size_t r = 0; r < model.rods().size(); ++r) {
    curves.emplace_back(model, state, joints, model.rods()[r], static_cast<int>(r));
  }
  double wanted = 0;
  for (const Curve& curve : curves) {
    for (int i = 0; i < curve.segments(); ++i) wanted += curve.cuts(i, camera);
  }
  const double share = std::min(1.0, budget / std::max(wanted, 1.0));
  const int span = std::max(1, (model.segment_count() + budget - 1) / std::max(budget, 1));

  std::vector<Piece> out;
  for (const Curve& curve : curves) {
    for (int i = 0; i < curve.segments(); i += span) {
      const int count = std::max(1, static_cast<int>(share * curve.cuts(i, camera)));
      curve.cut(i, std::min(span, curve.segments() - i), count, out);
    }
  }
  return out;
}

}  // namespace writhe::io
