#include "contact/gap.h"

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

Nearest found_at(const Tube& tube, const Vec3& p, double radius, double u, bool inside) {
  Nearest out;
  out.found = true;
  out.inside = inside;
  out.u = u;
  const Vec3 d = p - tube.at(u);
  out.distance = norm(d);
  out.gap = out.distance - radius - tube.radius_at(u);
  out.normal = out.distance > 0 ? d / out.distance : Vec3{};
  return out;
}

}  // namespace

Nearest nearest(const Tube& tube, const Interval& interval, const Vec3& p, double radius) {
  const double first = interval.from == 0 ? slope_at_knot(tube, p, false) : gap_slope(tube, p, interval.from).slope;
  if (first >= 0) return interval.ends_from ? found_at(tube, p, radius, interval.from, false) : Nearest{};
  const double last = interval.to == 1 ? slope_at_knot(tube, p, true) : gap_slope(tube, p, interval.to).slope;
  if (last < 0) return interval.ends_to ? found_at(tube, p, radius, interval.to, false) : Nearest{};
  return found_at(tube, p, radius, between(tube, p, interval.from, interval.to, first, last), true);
}

}  // namespace writhe::contact
