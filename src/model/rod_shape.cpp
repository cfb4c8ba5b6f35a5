#include "model/rod_shape.h"

#include <numeric>
#include <utility>

#include "math/rotation.h"
#include "model/centreline.h"
#include "model/corners.h"

namespace writhe {

namespace {

constexpr Vec3 e1{1, 0, 0}, e3{0, 0, 1};

std::vector<Quat> twist_free_frames(const std::vector<Vec3>& points, const std::optional<Vec3>& d1) {
  const Vec3 first = normalized(points[1] - points[0]);
  std::vector<Quat> q(points.size() - 1);
  q[0] = frame_from(first, d1.value_or(any_orthogonal(first)));
  for (std::size_t i = 1; i < q.size(); ++i) q[i] = parallel_transport(q[i - 1], points[i + 1] - points[i]);
  return q;
}

// The turn from the twist-free frame b to the frame that arrives there from a around a loop, on the side of that frame.
Quat loop_gap(const Quat& a, const Quat& b, const Vec3& tangent_b) { return conj(b) * parallel_transport(a, tangent_b); }

// Twist-free frames at the points. Over a joint the frame turns at a constant rate, so a node between segments of rest lengths
// l0 and l1 lies at l0/(l0 + l1) of the turn.
std::vector<Quat> twist_free_nodes(const std::vector<Quat>& q, const std::vector<double>& length,
                                   const std::optional<Quat>& gap) {
  const std::size_t n = q.size();
  const auto part = [&](const Quat& a, const Quat& b, double la, double lb) { return fraction_of(conj(a) * b, la / (la + lb)); };
  std::vector<Quat> node(n + 1);
  for (std::size_t k = 1; k < n; ++k) node[k] = q[k - 1] * part(q[k - 1], q[k], length[k - 1], length[k]);
  if (gap) {
    node[n] = q[n - 1] * part(q[n - 1], q[0] * *gap, length[n - 1], length[0]);
    node[0] = node[n] * conj(*gap);
  } else {
    node[0] = n == 1 ? q[0] : q[0] * conj(part(q[0], q[1], length[0], length[1]));
    node[n] = n == 1 ? q[0] : q[n - 1] * part(q[n - 2], q[n - 1], length[n - 1], length[n - 2]);
  }
  return node;
}

void add_twist(RodShape& shape, const std::vector<double>& length, double total) {
  if (total == 0) return;
  const double rod_length = std::accumulate(length.begin(), length.end(), 0.0);
  const auto twisted = [&](const Quat& q, double s) { return q * about_axis(e3, total * (s / rod_length)); };
  double s = 0;
  shape.node[0] = twisted(shape.node[0], 0);
  for (std::size_t i = 0; i < length.size(); ++i) {
    shape.segment[i] = twisted(shape.segment[i], s + length[i] / 2);
    s += length[i];
    shape.node[i + 1] = twisted(shape.node[i + 1], s);
  }
}

// See rod_shape(). The sign is the side on which the closing joint is turned least: it chooses the number of whole turns.
Quat closing_turn(const RodShape& shape, const Quat& gap, double angle) {
  const double holonomy = gap.w < 0 ? 2 * std::atan2(-gap.z, -gap.w) : 2 * std::atan2(gap.z, gap.w);
  const Quat turn = about_axis(e3, holonomy + angle);
  const Quat joint = conj(shape.segment.back()) * shape.segment.front() * turn;
  return joint.w < 0 ? -turn : turn;
}

std::vector<Vec3> straight_points(const std::vector<double>& length) {
  std::vector<Vec3> points{{0, 0, 0}};
  for (const double l : length) points.push_back(points.back() + l * e3);
  return points;
}

std::vector<double> scaled(std::vector<double> lengths, double total) {
  const double factor = total / std::accumulate(lengths.begin(), lengths.end(), 0.0);
  for (double& l : lengths) l *= factor;
  return lengths;
}

std::vector<Vec3> nodes_of(const Centreline& shape, int segments, bool closed, const std::vector<int>& met,
                           const NodePlaces& places) {
  return places.at.empty() ? lay_centreline(shape, segments, closed, met) : points_at(shape, places.at, closed);
}

// The stress-free rod before its frames are known.
struct RestLine {
  std::vector<Vec3> points;
  std::vector<double> length;
  std::optional<Vec3> d1;
  bool loop = false;  // the rest shape itself is closed
};

// What a rest shape may follow.
struct Built {
  const Rod& rod;
  const std::vector<Vec3>& points;
  bool closed;
  const std::vector<int>& met;
  const NodePlaces& places;
};

RestLine rest_line(const StraightRest& rest, const Built& built) {
  std::vector<double> length = chord_lengths(built.points);
  if (rest.length) length = scaled(std::move(length), *rest.length);
  std::vector<Vec3> points = straight_points(length);
  return {std::move(points), std::move(length), e1, false};
}

RestLine rest_line(const AsBuiltRest&, const Built& built) {
  return {built.points, chord_lengths(built.points), built.rod.d1, built.closed};
}

// The rest shape of a closed rod may be open, an arc for example: a ring that is cut springs open to it. One that is the shape as
// built is divided as that is, so that the rod is without stress also where other rods meet it.
RestLine rest_line(const ShapeRest& rest, const Built& built) {
  const bool loop = is_loop(rest.shape);
  const std::vector<int> met = same_screw(rest.shape, built.rod.centreline) ? built.met : std::vector<int>{};
  std::vector<Vec3> points = nodes_of(rest.shape, built.rod.segments, loop, met, built.places);
  std::vector<double> length = chord_lengths(points);
  return {std::move(points), std::move(length), rest.d1, built.closed && loop};
}

Twist twist_of(double total, bool loop, double closing_angle) {
  return {total, loop ? std::optional<double>(closing_angle) : std::nullopt};
}

// The stress-free rod.
struct StressFree {
  std::vector<double> length;  // m, per segment
  RodShape shape;
};

// A stress-free loop is twisted evenly: its closing angle is its twist.
template <class Line>
StressFree stress_free(const Line& rest, const Built& built) {
  RestLine line = rest_line(rest, built);
  const double twist = built.rod.rest_twist;
  RodShape shape = rod_shape(std::move(line.points), line.length, line.d1, twist_of(twist, line.loop, twist));
  return {std::move(line.length), std::move(shape)};
}

// A frame that goes along the rod turns at a constant rate: about (curvature1, curvature2, twist), seen from itself. Segments
// have the frames of their middles, as along an arc or a helix (docs/theory/shapes.md).
StressFree stress_free(const CurvedRest& rest, const Built& built) {
  StressFree out{chord_lengths(built.points), {}};
  if (rest.length) out.length = scaled(std::move(out.length), *rest.length);
  const Vec3 rate{rest.curvature1, rest.curvature2, rest.twist};
  out.shape.points = {{0, 0, 0}};
  out.shape.node = {{1, 0, 0, 0}};
  for (const double l : out.length) {
    const Quat half = exp_rotation(l / 2 * rate);
    out.shape.segment.push_back(normalized(out.shape.node.back() * half));
    out.shape.node.push_back(normalized(out.shape.segment.back() * half));
    out.shape.points.push_back(out.shape.points.back() + l * rotate(out.shape.segment.back(), e3));
  }
  return out;
}

}  // namespace

std::vector<double> chord_lengths(const std::vector<Vec3>& points) {
  std::vector<double> out(points.size() - 1);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = norm(points[i + 1] - points[i]);
  return out;
}

RodShape rod_shape(std::vector<Vec3> points, const std::vector<double>& rest_length, const std::optional<Vec3>& d1,
                   const Twist& twist) {
  RodShape shape;
  shape.segment = twist_free_frames(points, d1);
  std::optional<Quat> gap;
  if (twist.closing_angle) gap = loop_gap(shape.segment.back(), shape.segment.front(), points[1] - points[0]);
  shape.node = twist_free_nodes(shape.segment, rest_length, gap);
  add_twist(shape, rest_length, twist.total);
  if (gap) {
    shape.loop = true;
    shape.closing_turn = closing_turn(shape, *gap, *twist.closing_angle);
    shape.node.back() = shape.node.front() * shape.closing_turn;
  }
  shape.points = std::move(points);
  return shape;
}

Quat RodGeometry::rest_closing() const {
  if (rest.loop) return conj(rest.segment.back()) * rest.segment.front() * rest.closing_turn;
  return rest.before(static_cast<int>(length.size())) * rest.after(0);  // an open rest shape goes on at the rate of its ends
}

bool is_closed(const Rod& rod) { return rod.closed || std::holds_alternative<RingShape>(rod.centreline); }

double twist_as_built(const Rod& rod) { return rod.initial_twist.value_or(is_closed(rod) ? rod.closing_angle : 0); }

RodGeometry rod_geometry(const Rod& rod, const std::vector<int>& met) {
  RodGeometry out;
  out.closed = is_closed(rod);
  NodePlaces places = node_places(rod);
  std::vector<Vec3> built = nodes_of(rod.centreline, rod.segments, out.closed, met, places);
  StressFree rest = std::visit(
      [&](const auto& r) {
        return stress_free(r, Built{rod, built, out.closed, met, places});
      },
      rod.rest);
  out.length = std::move(rest.length);
  out.corners = std::move(places.corners);
  out.rest = std::move(rest.shape);
  out.initial = rod_shape(std::move(built), out.length, rod.d1, twist_of(twist_as_built(rod), out.closed, rod.closing_angle));
  return out;
}

}  // namespace writhe
