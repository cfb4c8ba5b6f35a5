#include "contact/pair.h"

#include <algorithm>

#include "contact/advance.h"

namespace writhe::contact {

Pair pair_of(const Span& a, const Span& b, const Neighbourhood& near, const elastic::BarrierMaterial& material) {
  Pair pair;
  pair.a = &a;
  pair.b = &b;
  pair.near = &near;
  pair.material = material;
  for (int i = 0; i < a.node_count(); ++i) {
    pair.slot_a[i] = static_cast<signed char>(i);
    pair.dofs[pair.count++] = Dof::node(a.node[i]);
  }
  for (int i = 0; i < b.node_count(); ++i) {
    int slot = 0;
    while (slot < a.node_count() && a.node[slot] != b.node[i]) ++slot;
    if (slot == a.node_count()) pair.dofs[slot = pair.count++] = Dof::node(b.node[i]);
    pair.slot_b[i] = static_cast<signed char>(slot);
  }
  return pair;
}

namespace {

// Of all of an interval, not only of what counts there: a bound for every point of it.
double least_gap(const Tube& tube, const Interval& part, const Vec3& p, double radius) {
  const auto gap = [&](double u) { return norm(p - tube.at(u)) - radius - tube.radius_at(u); };
  double least = std::min(gap(part.from), gap(part.to));
  visit_nearest(tube, part, p, radius, [&](const Nearest& at) { least = std::min(least, at.gap); });
  return least;
}

Points between(const Points& a, const Points& b, double t) {
  return {a.a + t * (b.a - a.a), a.b + t * (b.b - a.b), a.c + t * (b.c - a.c)};
}

// m: the most that a point and a tube move against each other, what moves in common taken off: the point against the hull of the
// tube.
double speed_of(const Points& hull, const Points& hull_to, const Vec3& moved) {
  return std::max({norm(moved - (hull_to.a - hull.a)), norm(moved - (hull_to.b - hull.b)), norm(moved - (hull_to.c - hull.c))});
}

double advance(const Tube& tube, const Points& tube_to, const Interval& part, const Vec3& p, const Vec3& moved, double radius,
               double speed, double most) {
  return advanced(speed, most, [&](double t) {
    Tube there = tube;
    there.x = between(tube.x, tube_to, t);
    return least_gap(there, part, p + t * moved, radius);
  });
}

double safe_side(const Pair& pair, const Tube& points, const Points& points_to, const Tube& other, const Points& other_to,
                 bool first, double part) {
  const Cover cover = cover_of(other);
  const Points hull = hull_of(*other.span, other.x), hull_to = hull_of(*other.span, other_to);
  for (int k = 0; k < points.span->sample_count(); ++k) {
    const Span::Sample sample = points.span->sample(k);
    const Span::Weights weights = points.span->weights(sample.u);
    const Vec3 p = points.x.at(weights), moved = points_to.at(weights) - p;
    const double radius = points.radius.at(weights), speed = speed_of(hull, hull_to, moved);
    if (norm(p - cover.centre) - cover.radius - radius > 1.2 * part * speed) continue;  // keeps a sixth of its distance at least
    const Parts pieces = parts_of(*other.span, points.span->arc(sample.u), *pair.near, first);
    for (const Interval& piece : pieces.all())
      part = std::min(part, advance(other, other_to, piece, p, moved, radius, speed, part));
  }
  return part;
}

}  // namespace

double safe_part(const Pair& pair, const Positions& from, const Positions& to) {
  const Tube a = tube_of(*pair.a, from), b = tube_of(*pair.b, from);
  const Points a_to = points_of(*pair.a, to), b_to = points_of(*pair.b, to);
  const double part = safe_side(pair, a, a_to, b, b_to, true, 1);
  return pair.a == pair.b ? part : safe_side(pair, b, b_to, a, a_to, false, part);
}

double smallest_gap(const Pair& pair, const Positions& x, double most) {
  double least = most;
  visit_touches(pair, x, most, [&](const Touching& touch) { least = std::min(least, touch.gap); });
  return least;
}

}  // namespace writhe::contact
