#include "contact/gap.h"

#include <array>
#include <cmath>

namespace writhe::contact {

namespace {

// A slope and how it changes.
struct Slope {
  double value, change;
};

// Between two places at which the gap falls and rises: Newton's method for its slope, held by the bracket.
template <class At>
double between(const At& at, double low, double high, double fall, double rise) {
  constexpr int most = 40;
  constexpr double near_enough = 1e-14;
  constexpr double near_for_newton = 1e-7;  // after such a step it errs by the square of it
  double u = low + (high - low) * fall / (fall - rise);
  for (int i = 0; i < most; ++i) {
    const Slope here = at(u);
    if (here.value == 0) break;
    (here.value < 0 ? low : high) = u;
    double next = here.change > 0 ? u - here.value / here.change : low;
    const bool is_newton = next > low && next < high;
    if (!is_newton) next = 0.5 * (low + high);
    const double moved = std::abs(next - u);
    u = next;
    if (moved <= (is_newton ? near_for_newton : near_enough)) break;
  }
  return u;
}

// Half the slope of the squared distance of a point.
struct HalfSlope {
  double k0, k1, k2, k3;
  HalfSlope(const Course& course, const Vec3& way)  // m, from where the span begins to the point
      : k0(-dot(way, course.slope)),
        k1(course.slope_slope - dot(way, course.bend)),
        k2(1.5 * course.slope_bend),
        k3(0.5 * course.bend_bend) {}
  double value(double u) const { return k0 + u * (k1 + u * (k2 + u * k3)); }
  Slope operator()(double u) const { return {value(u), k1 + u * (2 * k2 + u * (3 * k3))}; }
};

// Where that has its extrema, ascending: beyond and between them it goes one way. 1.5 bend.bend u^2 + 2 k2 u + k1 is its
// derivative.
struct Turns {
  std::array<double, 2> u;
  int count = 0;
};
Turns turns_of(const Course& course, const HalfSlope& slope) {
  const double cc = course.bend_bend, bc = course.slope_bend;
  if (cc == 0) return {};
  const double least = slope.k1 - 1.5 * bc * bc / cc;
  if (least >= 0) return {};
  const double middle = -bc / cc, half = std::sqrt(-least / (1.5 * cc));
  return {{middle - half, middle + half}, 2};
}

// slope: by u, of the sign of the gap's.
template <class At>
Lowest lowest(const Course& course, const Interval& interval, const Vec3& p, const Turns& turns, const At& slope) {
  const Tube& tube = course.tube;
  const double first = interval.from == 0 ? slope_at_knot(tube, p, false) : slope(interval.from).value;
  const double last = interval.to == 1 ? slope_at_knot(tube, p, true) : slope(interval.to).value;
  Lowest out;
  if (first >= 0 && interval.ends_from) out.add(interval.from, false);
  double begin = interval.from, fall = first;
  const auto go_on = [&](double u, double rise) {
    if (fall < 0 && rise >= 0) out.add(between(slope, begin, u, fall, rise), true);
    begin = u;
    fall = rise;
  };
  for (int i = 0; i < turns.count; ++i)
    if (turns.u[i] > interval.from && turns.u[i] < interval.to) go_on(turns.u[i], slope(turns.u[i]).value);
  go_on(interval.to, last);
  if (last < 0 && interval.ends_to) out.add(interval.to, false);
  return out;
}

}  // namespace

Course::Course(const Tube& of)
    : tube(of),
      start(of.at(0)),
      slope(of.x.at(of.span->slopes(0))),
      bend(of.x.at(of.span->bends())),
      slope_slope(dot(slope, slope)),
      slope_bend(dot(slope, bend)),
      bend_bend(dot(bend, bend)),
      is_even(of.span->smallest_radius == of.span->largest_radius) {}

Lowest lowest(const Course& course, const Interval& interval, const Vec3& p) {
  const HalfSlope half(course, p - course.start);
  const Turns turns = turns_of(course, half);
  if (course.is_even) return lowest(course, interval, p, turns, half);
  return lowest(course, interval, p, turns, [&](double u) {
    const GapSlope at = gap_slope(course.tube, p, u);
    return Slope{at.slope, at.bend};
  });
}

Nearest nearest_at(const Tube& tube, const Vec3& p, double radius, const Lowest::Place& place) {
  const Vec3 d = p - tube.at(place.u);
  Nearest out;
  out.inside = place.inside;
  out.u = place.u;
  out.distance = norm(d);
  out.gap = out.distance - radius - tube.radius_at(place.u);
  out.normal = out.distance > 0 ? d / out.distance : Vec3{};
  return out;
}

}  // namespace writhe::contact
