// The gap between a point of one rod, with the tube's radius around it, and the tube around a span of another; how it changes
// with the nodes of both. docs/theory/contact.md, "Gap".
//
// Over u in [0, 1] the gap of the ball of radius r at p is g(u) = |p - c(u)| - r - radius(u), and its minimum is what keeps
// apart. Where the minimum lies inside, it moves along with the nodes but its first-order change does not count (the envelope
// theorem).
#pragma once

#include "contact/span.h"

namespace writhe::contact {

// A part of a span. What is cut off there (or the end of a rod) is an end that may itself be nearest; where the curve goes on,
// the minimum beyond belongs to the next span, and counts there.
struct Interval {
  double from = 0, to = 1;
  bool ends_from = false, ends_to = false;
};

// The span as points and radii: what one evaluation needs of it.
struct Tube {
  const Span* span = nullptr;
  Points x{};
  Triple<double> radius{};

  Vec3 at(double u) const { return x.at(span->weights(u)); }
  double radius_at(double u) const { return radius.at(span->weights(u)); }
};
inline Tube tube_of(const Span& span, const Positions& x) {
  return {&span, points_of(span, x), {span.radius[0], span.radius[1], span.radius[2]}};
}

// Where a tube is nearest to a ball, nearer than on either side of it.
struct Nearest {
  bool inside = false;  // of the interval: it slides along where the nodes move
  double u = 0;
  double distance = 0;  // m, from the curve
  double gap = 0;       // m
  Vec3 normal{};        // unit, from the curve to the point
};

// The way the gap changes along u, and how that changes.
struct GapSlope {
  double distance, slope, bend;  // m, m, m: |p - c|, dg/du, d2g/du2
  Vec3 normal;
};
inline GapSlope gap_slope(const Tube& tube, const Vec3& p, double u) {
  const Span::Weights slopes = tube.span->slopes(u), bends = tube.span->bends();
  const Vec3 d = p - tube.at(u), along = tube.x.at(slopes), bend = tube.x.at(bends);
  const double distance = norm(d);
  const Vec3 n = distance > 0 ? d / distance : Vec3{};
  const double straight = dot(n, along);
  return {distance, -straight - tube.radius.at(slopes),
          (dot(along, along) - straight * straight) / distance - dot(n, bend) - tube.radius.at(bends), n};
}

// The slope at a knot, or at an end of the rod. Two spans that meet in a knot must find the same sign there, or a minimum next to
// it would count twice or not at all: so it is made of the two nodes between which it lies and nothing else.
inline double slope_at_knot(const Tube& tube, const Vec3& p, bool last) {
  const Span& span = *tube.span;
  const bool inner = span.kind == Span::Kind::inner;
  const Vec3 a = last && inner ? tube.x.b : tube.x.a, b = last && inner ? tube.x.c : tube.x.b;
  const double ra = last && inner ? tube.radius.b : tube.radius.a, rb = last && inner ? tube.radius.c : tube.radius.b;
  Vec3 at = 0.5 * (a + b);
  if (span.kind == Span::Kind::start && !last) at = a;
  if (span.kind == Span::Kind::end && last) at = b;
  const Vec3 d = p - at;
  return -dot(d, b - a) - (rb == ra ? 0 : (rb - ra) * norm(d));  // times the distance, and twice that of a span at an end
}

// The places of an interval where the gap of a point is least, in order. There may be two inside, where a span is bent more
// tightly than the point is far from it: one on either leg, and a maximum between.
struct Lowest {
  struct Place {
    double u = 0;
    bool inside = false;
  };
  std::array<Place, 3> place;
  int count = 0;
  void add(double u, bool inside) { place[count++] = {u, inside}; }
};

// A tube as a polynomial of u, for many points: c(u) = start + slope u + bend u^2/2. Where its radius is the same everywhere,
// half the slope of the squared distance has the sign of dg/du and is a cubic, which needs no root.
struct Course {
  explicit Course(const Tube& of);

  Tube tube;
  Vec3 start, slope, bend;                    // m
  double slope_slope, slope_bend, bend_bend;  // m^2: products
  bool is_even;                               // of one radius
};
Lowest lowest(const Course& course, const Interval& interval, const Vec3& p);
Nearest nearest_at(const Tube& tube, const Vec3& p, double radius, const Lowest::Place& place);

// work(nearest) of each.
template <class Work>
void visit_nearest(const Course& course, const Interval& interval, const Vec3& p, double radius, const Work& work) {
  const Lowest places = lowest(course, interval, p);
  for (int i = 0; i < places.count; ++i) work(nearest_at(course.tube, p, radius, places.place[i]));
}
template <class Work>
void visit_nearest(const Tube& tube, const Interval& interval, const Vec3& p, double radius, const Work& work) {
  visit_nearest(Course(tube), interval, p, radius, work);
}

}  // namespace writhe::contact
