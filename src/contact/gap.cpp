#include "contact/gap.h"

#include <array>
#include <cmath>

namespace writhe::contact {

namespace {

// Between two places at which the gap falls and rises: Newton's method for its slope, held by the bracket.
double between(const Tube& tube, const Vec3& p, double low, double high, double fall, double rise) {
  constexpr int most = 40;
  constexpr double near_enough = 1e-14;
  double u = low + (high - low) * fall / (fall - rise);
  for (int i = 0; i < most; ++i) {
    const GapSlope at = gap_slope(tube, p, u);
    if (at.slope == 0) break;
    (at.slope < 0 ? low : high) = u;
    double next = at.bend > 0 ? u - at.slope / at.bend : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double moved = std::abs(next - u);
    u = next;
    if (moved <= near_enough) break;
  }
  return u;
}

// Where the slope of half the squared distance has its extrema, ascending: beyond and between them it goes one way. With
// c' = b + c u it is a cubic whose derivative is (b.b - d.c) + 3 b.c u + 3/2 c.c u^2, d from the begin of the span to the point.
struct Turns {
  std::array<double, 2> u;
  int count = 0;
};
Turns turns_of(const Tube& tube, const Vec3& p) {
  const Vec3 c = tube.x.at(tube.span->bends());
  const double cc = dot(c, c);
  if (cc == 0) return {};
  const Vec3 b = tube.x.at(tube.span->slopes(0));
  const double bc = dot(b, c), at_begin = dot(b, b) - dot(p - tube.at(0), c), least = at_begin - 1.5 * bc * bc / cc;
  if (least >= 0) return {};
  const double middle = -bc / cc, half = std::sqrt(-least / (1.5 * cc));
  return {{middle - half, middle + half}, 2};
}

}  // namespace

Lowest lowest(const Tube& tube, const Interval& interval, const Vec3& p) {
  const double first = interval.from == 0 ? slope_at_knot(tube, p, false) : gap_slope(tube, p, interval.from).slope;
  const double last = interval.to == 1 ? slope_at_knot(tube, p, true) : gap_slope(tube, p, interval.to).slope;
  Lowest out;
  if (first >= 0 && interval.ends_from) out.add(interval.from, false);
  double begin = interval.from, fall = first;
  const auto go_on = [&](double u, double rise) {
    if (fall < 0 && rise >= 0) out.add(between(tube, p, begin, u, fall, rise), true);
    begin = u;
    fall = rise;
  };
  const Turns turns = turns_of(tube, p);
  for (int i = 0; i < turns.count; ++i)
    if (turns.u[i] > interval.from && turns.u[i] < interval.to) go_on(turns.u[i], gap_slope(tube, p, turns.u[i]).slope);
  go_on(interval.to, last);
  if (last < 0 && interval.ends_to) out.add(interval.to, false);
  return out;
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
