#include "model/centreline.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "math/rotation.h"
#include "model/catenary.h"

namespace writhe {

namespace {

// Each shape answers two questions: how long it is, and where its points are. Curves of constant speed
// (line, circle, helix) are the image of equal steps of their parameter.

struct LineCurve {
  Vec3 from, to;
  double length() const { return norm(to - from); }
  Vec3 at(double t) const { return t < 1 ? from + t * (to - from) : to; }
};

// Circle, arc and helix: turns by `angle` about `axis` while climbing `height` along it.
struct HelixCurve {
  Vec3 centre, axis, start;  // axis and start are unit and orthogonal
  double radius, angle, height;

  HelixCurve(const Vec3& c, const Vec3& a, const Vec3& s, double r, double turn, double climb)
      : centre(c), axis(normalized(a)), radius(r), angle(turn), height(climb) {
    start = normalized(s - dot(s, axis) * axis);
  }
  double length() const { return std::hypot(radius * angle, height); }
  Vec3 at(double t) const {
    const Vec3 side = cross(axis, start);
    return centre + radius * (std::cos(t * angle) * start + std::sin(t * angle) * side) + (t * height) * axis;
  }
};

HelixCurve curve(const ArcShape& s) { return {s.centre, s.normal, s.start, s.radius, s.angle, 0}; }
HelixCurve curve(const RingShape& s) { return {s.centre, s.normal, s.start, s.radius, 2 * pi, 0}; }
// A negative number of turns is a left-handed helix that climbs as well.
HelixCurve curve(const HelixShape& s) {
  return {s.centre, s.axis, s.start, s.radius, 2 * pi * s.turns, s.pitch * std::abs(s.turns)};
}
LineCurve curve(const LineShape& s) { return {s.from, s.to}; }

// p(t) = from + t d - 4 sag t (1 - t) up, t in [0, 1]. Its velocity is d - 4 sag (1 - 2t) up; with p the part of d across up and
// w(t) = d.up - 4 sag (1 - 2t) the speed is sqrt(p^2 + w^2), and w is linear in t.
struct ParabolaCurve {
  Vec3 from, to, up;
  double sag;
  double across;  // p, m; positive
  double along;   // d.up, m

  explicit ParabolaCurve(const ParabolaShape& s) : from(s.from), to(s.to), up(normalized(s.up)), sag(s.sag) {
    along = dot(to - from, up);
    across = norm(to - from - along * up);
  }
  double slope(double t) const { return along - 4 * sag * (1 - 2 * t); }
  double speed(double t) const { return std::hypot(across, slope(t)); }
  Vec3 point(double t) const { return from + t * (to - from) - (4 * sag * t * (1 - t)) * up; }

  // Arc length over [0, t]: t/(w1 - w0) times the integral of sqrt(p^2 + w^2) dw, which is [w r + p^2 asinh(w/p)]/2, r the speed.
  // Both differences are written as multiples of w1 - w0, so that nothing cancels for a sag near zero.
  double arclength(double t) const {
    const double w0 = slope(0), w1 = slope(t), r = speed(0) + speed(t);
    const double sum2 = (w0 + w1) * (w0 + w1);
    const double wr = (r * r + sum2) / (2 * r);
    const double y = (r * r - sum2) / (2 * r * across * across);
    const double x = (w1 - w0) * y;
    const double asinh_ratio = std::abs(x) < 1e-4 ? 1 - x * x / 6 : std::asinh(x) / x;
    return t / 2 * (wr + across * across * y * asinh_ratio);
  }
  double length() const { return arclength(1); }

  // The parameter at an arc length: Newton's method kept inside a shrinking bracket (the arc length grows with t).
  double parameter(double s, double low) const {
    double high = 1, t = low;
    for (int i = 0; i < 200; ++i) {
      const double miss = arclength(t) - s;
      (miss > 0 ? high : low) = t;
      double next = t - miss / speed(t);
      if (!(next > low && next < high)) next = (low + high) / 2;
      if (std::abs(next - t) <= 1e-15 || next == low || next == high) return next;
      t = next;
    }
    return t;
  }
};

double polyline_length(const std::vector<Vec3>& points) {
  double length = 0;
  for (std::size_t i = 1; i < points.size(); ++i) length += norm(points[i] - points[i - 1]);
  return length;
}

constexpr double meets = 1e-6;  // of the length: ends this near are one point

template <class Curve>
std::vector<Vec3> sample_even(const Curve& c, int segments) {
  std::vector<Vec3> out(segments + 1);
  for (int i = 0; i <= segments; ++i) out[i] = c.at(static_cast<double>(i) / segments);
  return out;
}

// The helix about the same axis with the same turn and climb a segment, so much wider that its chords are as long as the pieces
// of the given one. A chord of the radius R has the parts 2 R sin(turn/2) along the tangent of its middle across the axis, and
// the climb; the piece of the curve has r turn and the climb. Both therefore point the same way.
HelixCurve widened(HelixCurve c, int segments) {
  const double half = c.angle / segments / 2;  // rad; at most an eighth of a turn (check_turns)
  c.radius *= half / std::sin(half);
  return c;
}

std::vector<Vec3> sample_parabola(const ParabolaCurve& c, int segments) {
  const double length = c.length();
  std::vector<Vec3> out(segments + 1);
  double t = 0;
  for (int i = 1; i < segments; ++i) {
    t = c.parameter(length * i / segments, t);
    out[i] = c.point(t);
  }
  out.front() = c.from;
  out.back() = c.to;
  return out;
}

std::vector<Vec3> sample_polyline(const std::vector<Vec3>& points, int segments) {
  const double length = polyline_length(points);
  std::vector<Vec3> out(segments + 1);
  std::size_t side = 1;
  double start = 0, side_length = norm(points[1] - points[0]);  // of the side from points[side - 1]
  for (int i = 1; i < segments; ++i) {
    const double s = length * i / segments;
    while (side + 1 < points.size() && start + side_length < s) {
      start += side_length;
      ++side;
      side_length = norm(points[side] - points[side - 1]);
    }
    const double t = std::min(1.0, (s - start) / side_length);
    out[i] = points[side - 1] + t * (points[side] - points[side - 1]);
  }
  out.front() = points.front();
  out.back() = points.back();
  return out;
}

// The same at given fractions of the arc length.
struct PointsAt {
  const std::vector<double>& fractions;
  bool closed;

  std::vector<Vec3> operator()(const PolylineShape& s) const { return on_polyline(closed_points(s.points, closed)); }
  std::vector<Vec3> operator()(const ObjShape& s) const { return on_polyline(closed_points(s.points, closed)); }
  // on the links of the chain that hangs there
  std::vector<Vec3> operator()(const CatenaryShape& s) const {
    return on_polyline(hang(s, static_cast<int>(fractions.size()) - 1));
  }
  std::vector<Vec3> operator()(const ParabolaShape& s) const {
    const ParabolaCurve c(s);
    const double length = c.length();
    double t = 0;
    return each([&](double fraction) { return c.point(t = c.parameter(length * fraction, t)); }, c.from, c.to);
  }
  template <class Shape>
  std::vector<Vec3> operator()(const Shape& s) const {
    const auto c = curve(s);
    return each([&](double fraction) { return c.at(fraction); }, c.at(0), c.at(1));
  }

  template <class Point>
  std::vector<Vec3> each(const Point& point, const Vec3& first, const Vec3& last) const {
    std::vector<Vec3> out{first};
    for (std::size_t i = 1; i + 1 < fractions.size(); ++i) out.push_back(point(fractions[i]));
    out.push_back(last);
    return out;
  }
  std::vector<Vec3> on_polyline(const std::vector<Vec3>& points) const {
    const double length = polyline_length(points);
    std::size_t side = 1;
    double start = 0, side_length = norm(points[1] - points[0]);  // of the side from points[side - 1]
    const auto point = [&](double fraction) {
      // Rounding must not cut a corner by 1e-16: a place that is one, to 1e-12 of the length, is the point itself.
      while (side + 1 < points.size() && start + side_length < length * (fraction - 1e-12)) {
        start += side_length;
        ++side;
        side_length = norm(points[side] - points[side - 1]);
      }
      const double t = (length * fraction - start) / side_length;
      return t > 1 - 1e-12 * length / side_length ? points[side] : points[side - 1] + t * (points[side] - points[side - 1]);
    };
    return each(point, points.front(), points.back());
  }
};

struct Length {
  bool closed;
  double operator()(const PolylineShape& s) const { return polyline_length(closed_points(s.points, closed)); }
  double operator()(const ObjShape& s) const { return polyline_length(closed_points(s.points, closed)); }
  double operator()(const ParabolaShape& s) const { return ParabolaCurve(s).length(); }
  double operator()(const CatenaryShape& s) const { return s.length; }
  template <class Shape>
  double operator()(const Shape& s) const {
    return curve(s).length();
  }
};

// The curve of an arc, a ring or a helix.
struct AsHelix {
  std::optional<HelixCurve> operator()(const ArcShape& s) const { return curve(s); }
  std::optional<HelixCurve> operator()(const RingShape& s) const { return curve(s); }
  std::optional<HelixCurve> operator()(const HelixShape& s) const { return curve(s); }
  template <class Shape>
  std::optional<HelixCurve> operator()(const Shape&) const {
    return std::nullopt;
  }
};

struct Sample {
  int segments;
  bool closed;
  std::vector<Vec3> operator()(const PolylineShape& s) const {
    return sample_polyline(closed_points(s.points, closed), segments);
  }
  std::vector<Vec3> operator()(const ObjShape& s) const { return sample_polyline(closed_points(s.points, closed), segments); }
  std::vector<Vec3> operator()(const ParabolaShape& s) const { return sample_parabola(ParabolaCurve(s), segments); }
  std::vector<Vec3> operator()(const CatenaryShape& s) const { return hang(s, segments); }
  template <class Shape>
  std::vector<Vec3> operator()(const Shape& s) const {
    return sample_even(curve(s), segments);
  }
};

}  // namespace

std::vector<Vec3> closed_points(const std::vector<Vec3>& points, bool closed) {
  std::vector<Vec3> out = points;
  if (!closed) return out;
  if (norm(out.back() - out.front()) <= meets * polyline_length(out)) out.pop_back();
  out.push_back(out.front());
  return out;
}

double centreline_length(const Centreline& shape, bool closed) { return std::visit(Length{closed}, shape); }

std::vector<Vec3> sample_centreline(const Centreline& shape, int segments, bool closed) {
  std::vector<Vec3> points = std::visit(Sample{segments, closed}, shape);
  if (closed) points.back() = points.front();
  return points;
}

std::vector<Vec3> points_at(const Centreline& shape, const std::vector<double>& fractions, bool closed) {
  std::vector<Vec3> points = std::visit(PointsAt{fractions, closed}, shape);
  if (closed) points.back() = points.front();
  return points;
}

double turns_of(const Centreline& shape) {
  const std::optional<HelixCurve> helix = std::visit(AsHelix{}, shape);
  return helix ? std::abs(helix->angle) / (2 * pi) : 0;
}

std::vector<Vec3> lay_centreline(const Centreline& shape, int segments, bool closed, const std::vector<int>& met) {
  const std::optional<HelixCurve> helix = std::visit(AsHelix{}, shape);
  if (!helix || met.size() > 1) return sample_centreline(shape, segments, closed);
  std::vector<Vec3> points = sample_even(widened(*helix, segments), segments);
  if (!closed || !met.empty()) {
    const int anchor = met.empty() ? 0 : met.front();
    const Vec3 on_curve = helix->at(static_cast<double>(anchor) / segments), shift = on_curve - points[anchor];
    for (Vec3& p : points) p += shift;
    points[anchor] = on_curve;
  }
  if (closed) points.back() = points.front();
  return points;
}

bool same_screw(const Centreline& a, const Centreline& b) {
  const std::optional<HelixCurve> one = std::visit(AsHelix{}, a), other = std::visit(AsHelix{}, b);
  return one && other && one->radius == other->radius && one->angle == other->angle && one->height == other->height;
}

bool is_loop(const Centreline& shape) {
  if (std::holds_alternative<CatenaryShape>(shape)) return false;
  const std::vector<Vec3> ends = sample_centreline(shape, 1, false);
  return norm(ends[1] - ends[0]) <= meets * centreline_length(shape, false);
}

}  // namespace writhe
