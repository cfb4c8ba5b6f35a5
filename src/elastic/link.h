// A straight link between two points: a spring, or a tether, which only pulls. docs/theory/coupling.md, "Links".
//
// All of it by the way d = x_to - x_from from one end to the other (m): energy U(L) with L = |d|, gradient T n with the tension
// T = U' (N, positive: it pulls) and n = d/L, Hessian U'' n n^T + (T/L)(I - n n^T).
#pragma once

#include <algorithm>
#include <cmath>

#include "writhe/vec.h"

namespace writhe::elastic {

struct LinkMaterial {
  double stiffness = 0;     // N/m
  double rest_length = 0;   // m
  bool pulls_only = false;  // a tether
};

// Damping c (N s/m) in an implicit solve of the length h that starts at L_prev adds c/(2h) (L - L_prev)^2, which is a link of
// another stiffness and rest length, as it is for the strains of rods (DampedStiffness). A tether that is slack resists nothing,
// so the length from which it is slowed is no shorter than its own; and it never pushes, however fast it shortens. slowing: c/h,
// N/m.
inline LinkMaterial damped(const LinkMaterial& link, double slowing, double length_prev) {
  if (slowing == 0) return link;
  const double from = link.pulls_only ? std::max(length_prev, link.rest_length) : length_prev;
  const double k = link.stiffness + slowing;
  return {k, (link.stiffness * link.rest_length + slowing * from) / k, link.pulls_only};
}

struct LinkValue {
  double energy = 0;   // J
  double tension = 0;  // N
  double rise = 0;     // N/m: of the tension with the length
};
inline LinkValue link_value(double length, const LinkMaterial& link) {
  const double e = length - link.rest_length;
  if (link.pulls_only && (e < 0 || (e == 0 && link.rest_length > 0))) return {};
  return {0.5 * link.stiffness * e * e, link.stiffness * e, link.stiffness};
}

// The tension (N) of a link that lengthens at a rate (m/s), with damping (N s/m): nothing of a tether that is slack, and
// it never pushes.
inline double damped_tension(double length, double rate, const LinkMaterial& link, double damping) {
  if (!link.pulls_only) return link_value(length, link).tension + damping * rate;
  if (length <= link.rest_length) return 0;
  return std::max(0.0, link_value(length, link).tension + damping * rate);
}

// Midpoint rule: the mean tension (N) of a step of h between two lengths. `slowing`: N/m, damping over h/2, as `damped` has it in
// the middle. What is stored gives back its difference over the way; what is damped, c times the rate, as far as the link is
// taut. Of the two together a tether never pushes.
inline double mean_tension(double first, double last, const LinkMaterial& link, double slowing) {
  const LinkValue a = link_value(first, link), b = link_value(last, link);
  const double change = last - first;
  // Both are on one parabola but where a tether goes slack on the way.
  const bool even = a.rise == b.rise || change == 0;
  const double stored = even ? 0.5 * (a.tension + b.tension) : (b.energy - a.energy) / change;
  if (!link.pulls_only) return stored + 0.5 * slowing * change;
  const double taut = std::max(last, link.rest_length) - std::max(first, link.rest_length);
  return std::max(0.0, stored + 0.5 * slowing * taut);
}

// Midpoint rule: mean_tension as a function of the length in the middle, for ends that move along the link, so that it ends at 2
// L_mid - L_first; and the potential of which that is the derivative. Convex: the tension rises with the length. Where a tether
// goes slack or taut within the step, this lets Newton's method know how. (By repetition alone that is found only in steps short
// for the link, k h^2/m below about 2.) docs/theory/coupling.md, "Midpoint".
inline LinkValue mean_value(double middle, double first, const LinkMaterial& link, double slowing) {
  const LinkMaterial parabola = damped(link, slowing, first);
  const double k = link.stiffness, a = first - link.rest_length;  // m: stretched at the start, or slack by -a
  const double e = 2 * middle - first - link.rest_length;         // m: the same at the end
  // With no length at rest nothing is ever slack: e < 0 is an end beyond the other.
  if (!link.pulls_only || link.rest_length == 0 || (a >= 0 && e >= 0)) return link_value(middle, parabola);
  if (a > 0) {                    // goes slack; by `way` from the start to the end
    if (slowing >= k) return {};  // it would push before
    const double way = 2 * (first - middle), last = slowing * way < k * a ? way : k * a / slowing;  // beyond which it would
    const double energy =
        link_value(first - 0.5 * a, parabola).energy - 0.25 * k * a * a * std::log(last / a) + 0.25 * slowing * a * (last - a);
    if (last < way) return {energy, 0, 0};
    return {energy, 0.5 * a * (k * a / way - slowing), k * a * a / (way * way)};
  }
  if (e <= 0) return {};
  const double way = e - a, r = e / -a;  // becomes taut
  // e^2/2 + a e + a^2 log(1 + e/-a), without cancellation
  double stored = 0;
  if (r < 0.05) {
    double power = r * r * r;
    for (int n = 3; n < 13; ++n, power *= -r) stored += power / n;
    stored *= a * a;
  } else {
    stored = 0.5 * e * e + a * e + a * a * std::log1p(r);
  }
  return {0.25 * k * stored + 0.125 * slowing * e * e, 0.5 * e * (k * e / way + slowing),
          k * e * (e - 2 * a) / (way * way) + slowing};
}

// Hessian by d. across: N/m, tension over length, which resists motion across the link, or helps it where the link is pressed.
inline Sym3 link_hessian(const Vec3& n, double rise, double across) {
  const double a = rise - across;
  return {across + a * n.x * n.x, a * n.x * n.y, a * n.x * n.z, across + a * n.y * n.y, a * n.y * n.z, across + a * n.z * n.z};
}

}  // namespace writhe::elastic
