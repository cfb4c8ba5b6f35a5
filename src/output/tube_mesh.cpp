// A tube is a row of outlines. At the corner of two straight pieces the outline lies in the plane that halves the corner, and
// each piece is a prism cut off by such planes: its volume is the area of the section times its length, whatever the corner. The
// outline of a round section is a polygon of the circle's own area, not one inside the circle, for the same reason.
#include "output/tube_mesh.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "output/rod_curve.h"

namespace writhe::output {

namespace {

constexpr double twist_of_slice = 0.05;  // rad, of a section that is not round
constexpr int most_pieces = 32;          // of a segment
constexpr double sharpest = 0.25;        // cosine of half a corner; beyond that the outline is not drawn out any longer

struct Outline {
  std::vector<std::array<double, 2>> points;  // along d1 and d2, in half widths, counterclockwise
  bool round = true;                          // the same whichever way it is turned
};

Outline outline(const Model& model, int rod, int sides) {
  if (is_rectangular(model, rod)) return {{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}, false};
  Outline out;
  const double turn = 2 * pi / sides, size = std::sqrt(turn / std::sin(turn));
  for (int j = 0; j < sides; ++j) out.points.push_back({size * std::cos(j * turn), size * std::sin(j * turn)});
  const Vec3 half = model.segments().half_extent[model.rods()[rod].first_segment];
  out.round = half.x == half.y;
  return out;
}

// The places of the outlines; a ring repeats its first as its last.
std::vector<Station> stations(const RodCurve& curve, const TubeOptions& options, bool round) {
  std::vector<Station> out{curve.at(0, 0)};
  for (int i = 0; i < curve.segments(); ++i) {
    const double most = std::max(curve.bend(i) / options.bend_a_piece, round ? 0 : curve.twist(i) / twist_of_slice);
    const int pieces = static_cast<int>(std::ceil(std::clamp<double>(most, 1, most_pieces)));
    for (int k = 1; k <= pieces; ++k) out.push_back(curve.at(i, static_cast<double>(k) / pieces));
  }
  return out;
}

Vec3 unit(const Vec3& v, const Vec3& otherwise) {
  const double length = norm(v);
  return length > 0 ? v / length : otherwise;
}

class Tube {
 public:
  Tube(TubeMesh& mesh, const Model& model, const RodCurve& curve, const TubeOptions& options)
      : m_mesh(mesh),
        m_outline(outline(model, curve.rod(), options.sides)),
        m_stations(stations(curve, options, m_outline.round)) {
    for (std::size_t k = 0; k + 1 < m_stations.size(); ++k)
      m_direction.push_back(unit(m_stations[k + 1].x - m_stations[k].x, m_stations[k].tangent));
    find_axes(curve.closed());
    if (curve.closed())
      close();
    else
      cap();
  }

 private:
  std::size_t sides() const { return m_outline.points.size(); }
  std::size_t pieces() const { return m_direction.size(); }

  // d1 of each station, perpendicular to the piece before it. A round section is carried along without turning: nobody sees how
  // it is turned, and a twisted prism is thinner.
  void find_axes(bool closed) {
    const auto perpendicular = [](const Vec3& v, const Vec3& direction) { return v - dot(v, direction) * direction; };
    for (std::size_t k = 0; k < m_stations.size(); ++k) {
      const Vec3& along = m_direction[k == 0 ? 0 : k - 1];
      const Vec3 own = rotate(m_stations[k].q, Vec3{1, 0, 0});
      Vec3 axis = k == 0 || !m_outline.round ? own : m_axis.back();
      if (k > 1 && m_outline.round) axis = rotate(shortest_turn(m_direction[k - 2], along), axis);
      m_axis.push_back(unit(perpendicular(axis, along), any_orthogonal(along)));
    }
    if (closed && m_outline.round) spread_closing_turn();
  }

  // The first axis, carried around the ring, has turned by an angle of which a whole number of sides does not matter; the rest is
  // spread over the ring.
  void spread_closing_turn() {
    const Vec3 first = rotate(shortest_turn(m_direction[0], m_direction.back()), m_axis[0]);
    const double side = 2 * pi / static_cast<double>(sides());
    const double turn = angle_about(m_direction.back(), first, m_axis.back());
    const double rest = turn - side * std::round(turn / side);
    for (std::size_t k = 1; k < m_axis.size(); ++k)
      m_axis[k] =
          rotate(about_axis(m_direction[k - 1], -rest * static_cast<double>(k) / static_cast<double>(pieces())), m_axis[k]);
  }
  static double angle_about(const Vec3& axis, const Vec3& from, const Vec3& to) {
    return std::atan2(dot(axis, cross(from, to)), dot(from, to));
  }
  // Vertices at station k, in the plane between the pieces before and after it. Returns the first.
  std::uint32_t add_outline(std::size_t k, const Vec3& after) {
    const Station& s = m_stations[k];
    const Vec3& before = m_direction[k == 0 ? 0 : k - 1];
    const Vec3 middle = unit(before + after, before), e1 = m_axis[k], e2 = cross(before, e1);
    const double lean = std::max(dot(before, middle), sharpest);
    const auto index = static_cast<std::uint32_t>(m_mesh.vertices.size());
    for (const auto& [p1, p2] : m_outline.points) {
      const Vec3 r = (s.half1 * p1) * e1 + (s.half2 * p2) * e2;
      m_mesh.vertices.push_back(s.x + r - (dot(r, middle) / lean) * before);
    }
    return index;
  }

  // shift: the side of `b` that meets the first one of `a`. The side of a twisted prism is a saddle: with one diagonal a ribbon
  // would be hollowed out on both sides, so it gets a vertex in its middle.
  void connect(std::uint32_t a, std::uint32_t b, std::size_t shift = 0) {
    const auto n = static_cast<std::uint32_t>(sides()), s = static_cast<std::uint32_t>(shift);
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t next = (j + 1) % n, b0 = b + (j + s) % n, b1 = b + (next + s) % n;
      if (m_outline.round) {
        m_mesh.triangles.push_back({a + j, a + next, b1});
        m_mesh.triangles.push_back({a + j, b1, b0});
      } else {
        add_saddle({a + j, a + next, b1, b0});
      }
    }
  }

  void add_saddle(const std::array<std::uint32_t, 4>& corners) {
    const auto middle = static_cast<std::uint32_t>(m_mesh.vertices.size());
    Vec3 sum{};
    for (const std::uint32_t corner : corners) sum = sum + m_mesh.vertices[corner];
    m_mesh.vertices.push_back(0.25 * sum);
    for (std::size_t i = 0; i < 4; ++i) m_mesh.triangles.push_back({corners[i], corners[(i + 1) % 4], middle});
  }

  void cap() {
    std::vector<std::uint32_t> first;
    for (std::size_t k = 0; k < m_stations.size(); ++k) first.push_back(add_outline(k, m_direction[std::min(k, pieces() - 1)]));
    for (std::size_t k = 0; k < pieces(); ++k) connect(first[k], first[k + 1]);
    const auto n = static_cast<std::uint32_t>(sides());
    for (const std::size_t k : {std::size_t{0}, pieces()}) {
      const auto centre = static_cast<std::uint32_t>(m_mesh.vertices.size());
      m_mesh.vertices.push_back(m_stations[k].x);
      for (std::uint32_t j = 0; j < n; ++j) {
        const std::uint32_t here = first[k] + j, next = first[k] + (j + 1) % n;
        if (k == 0)
          m_mesh.triangles.push_back({centre, next, here});
        else
          m_mesh.triangles.push_back({centre, here, next});
      }
    }
  }

  // The last station is the first again: only its place in the turn of the outline may be another.
  void close() {
    std::vector<std::uint32_t> first;
    for (std::size_t k = 1; k <= pieces(); ++k) first.push_back(add_outline(k, m_direction[k % pieces()]));
    for (std::size_t k = 0; k + 1 < pieces(); ++k) connect(first[k], first[k + 1]);
    const Vec3 carried = rotate(shortest_turn(m_direction.back(), m_direction[0]), m_axis.back());
    const double turn = angle_about(m_direction[0], m_axis[1], carried);
    const auto n = static_cast<int>(sides());
    const int shift = static_cast<int>(std::lround(turn * n / (2 * pi)));
    connect(first.back(), first.front(), static_cast<std::size_t>((shift + n) % n));
  }

  TubeMesh& m_mesh;
  const Outline m_outline;
  const std::vector<Station> m_stations;
  std::vector<Vec3> m_direction;  // of the pieces, unit
  std::vector<Vec3> m_axis;       // d1 of the stations, unit
};

}  // namespace

TubeMesh tube_mesh(const Model& model, const State& state, const TubeOptions& options) {
  TubeMesh mesh;
  const measure::SegmentJoints joints = measure::segment_joints(model);
  for (int r = 0; r < static_cast<int>(model.rods().size()); ++r) {
    mesh.rods.push_back({model.rods()[r].name, mesh.vertices.size(), mesh.triangles.size()});
    Tube(mesh, model, RodCurve(model, state, joints, r), options);
  }
  return mesh;
}

}  // namespace writhe::output
