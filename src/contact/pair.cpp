#include "contact/pair.h"

#include <algorithm>
#include <cmath>

namespace writhe::contact {

namespace {

// What counts of both: of one rod what is far enough along it from some of the other. Where rods meet it is found point by point.
void set_counts(Pair& pair) {
  const Neighbourhood& near = *pair.near;
  if (!near.meetings.empty()) return;
  pair.whole = !near.same;
  if (pair.whole) return;
  const Span &a = *pair.a, &b = *pair.b;
  const double half = 0.5 * (a.length() + b.length()), between = b.start + 0.5 * b.length() - a.start - 0.5 * a.length();
  const double way = near.around_a > 0 ? between - near.around_a * std::round(between / near.around_a) : between;
  if (near.around_a > 0 && near.around_a - std::abs(way) - half < near.reach)
    return;  // a small ring: near the other way round too
  pair.whole = std::abs(way) - half >= near.reach;
  const double behind = way + half, ahead = half - way;  // from where one begins to where the other ends
  if (pair.whole || (behind > near.reach && ahead > near.reach)) return;
  // Both count from arc lengths that are `reach` from the far end of the other.
  const auto parameter = [](const Span& span, double along) {
    const double growth = span.length1 - span.length0,
                 root = std::sqrt(std::max(span.length0 * span.length0 + 2 * growth * along, 0.0));
    return std::clamp(2 * along / (span.length0 + root), 0.0, 1.0);
  };
  const auto low = [](double u) { return static_cast<unsigned char>(std::max(std::floor(255 * u) - 1, 0.0)); };
  const auto high = [](double u) { return static_cast<unsigned char>(std::min(std::ceil(255 * u) + 1, 255.0)); };
  if (way > 0) {
    const double over = std::max(behind - near.reach, 0.0);  // m: of the first from its begin, of the second up to its end
    pair.counts_a.to = high(parameter(a, over));
    pair.counts_b.from = low(parameter(b, b.length() - over));
  } else {
    const double over = std::max(ahead - near.reach, 0.0);
    pair.counts_a.from = low(parameter(a, a.length() - over));
    pair.counts_b.to = high(parameter(b, over));
  }
}

}  // namespace

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
  set_counts(pair);
  return pair;
}

namespace {

// Of a gap: a way ends where less than the first is left, and never goes below the second.
constexpr double left_over = 0.2, least_left = 0.1;

Points between(const Points& a, const Points& b, double t) {
  return {a.a + t * (b.a - a.a), a.b + t * (b.b - a.b), a.c + t * (b.c - a.c)};
}
Points less(const Vec3& p, const Points& x) { return {p - x.a, p - x.b, p - x.c}; }
Points less(const Points& x, const Points& y) { return {x.a - y.a, x.b - y.b, x.c - y.c}; }
double length2(const Vec3& v) { return dot(v, v); }
// m: the largest of the three.
double largest(const Points& x) { return std::sqrt(std::max({length2(x.a), length2(x.b), length2(x.c)})); }

// The first t, of those up to `most`, at which a + 2 b t + c t^2 is 0; `most` if there is none. 0 where it is not above 0 at 0.
double first_zero(double a, double b, double c, double most) {
  if (!(a > 0)) return 0;
  if (a + 2 * most * std::min(b, 0.0) + most * most * std::min(c, 0.0) > 0) return most;
  const double root = b * b - a * c;
  if (c > 0 && (b >= 0 || root < 0)) return most;
  return std::min(most, b > 0 ? (b + std::sqrt(root)) / -c : a / (std::sqrt(root) - b));
}

// A point against a part of a curve, from one to the other: `way` leads there, `move` is how that changes all along. The part t
// of it, up to `most`, that may be gone with all of the square of the distance above this one, m^2: as far as no value of the
// quartic (way + t move)^2 falls below it.
double clear(const Points& way, const Points& move, double least2, double most) {
  const Quartic at = square(way), rise = product(way, move), bend = square(move);
  for (int i = 0; i < 5; ++i) most = std::min(most, first_zero(at[i] - least2, rise[i], bend[i], most));
  return most;
}

// A ball that goes straight and a span, each point of which does so too.
struct Approach {
  const Tube* tube;   // of the span where the way begins
  Points to;          // m: its nodes where the way ends
  Points move;        // m: of the ball against the hull of the span
  Vec3 p, moved;      // m: the ball, and what it goes
  double radius = 0;  // m
};

// Where the ball is nearest in an interval of a tube, its ends as well: a bound for every point of it.
Nearest nearest_of(const Course& course, const Interval& part, const Vec3& p, double radius) {
  Nearest out = nearest_at(course.tube, p, radius, {part.from, false});
  const auto take = [&](const Nearest& at) {
    if (at.gap < out.gap) out = at;
  };
  take(nearest_at(course.tube, p, radius, {part.to, false}));
  visit_nearest(course, part, p, radius, take);
  return out;
}

// Looks where the ball is nearest and goes on as far as is clear from there, or at least as far as the largest speed lets a gap
// close; and once more, until the gap is less than a fifth of what it was.
double advance(const Approach& ball, const Interval& part, double most) {
  constexpr int most_looks = 200;
  const double speed = largest(ball.move);
  double t = 0, gap = 0;
  for (int i = 0; i < most_looks; ++i) {
    Tube there = *ball.tube;
    if (t > 0) there.x = between(there.x, ball.to, t);
    const Course course(there);
    const Vec3 p = ball.p + t * ball.moved;
    const Nearest at = nearest_of(course, part, p, ball.radius);
    if (i == 0) {
      if (!(at.gap > 0)) return 0;
      gap = at.gap;
    } else if (at.gap < left_over * gap) {
      break;
    }
    const double slow = (at.gap - least_left * gap) / speed, rest = most - t;
    if (rest < slow) return most;
    double far = slow;
    if (course.is_even) {
      const Points way = less(p, hull_of(*there.span, there.x));
      const double sum = ball.radius + there.span->largest_radius + left_over * gap;
      double safe = rest;
      if (at.u > part.from) safe = clear(part_of(way, part.from, at.u), part_of(ball.move, part.from, at.u), sum * sum, safe);
      if (at.u < part.to) safe = clear(part_of(way, at.u, part.to), part_of(ball.move, at.u, part.to), sum * sum, safe);
      far = std::max(far, safe);
    }
    if (far >= rest) return most;
    t += far;
  }
  return std::min(t, most);
}

double safe_side(const Pair& pair, const Tube& points, const Points& points_to, const Tube& other, const Points& other_to,
                 bool first, double part) {
  const Pair::Counts &own = first ? pair.counts_a : pair.counts_b, &others = first ? pair.counts_b : pair.counts_a;
  const double from = others.from / 255.0, to = others.to / 255.0;
  const Points hull = hull_of(*other.span, other.x), hull_move = less(hull_of(*other.span, other_to), hull);
  const int count = points.span->sample_count();
  for (int k = 0; k < count; ++k) {
    const Span::Sample sample = points.span->sample(k);
    if (255 * sample.u < own.from || 255 * sample.u > own.to) continue;
    const Span::Weights weights = points.span->weights(sample.u);
    Approach ball{&other, other_to, {}, points.x.at(weights), {}, points.radius.at(weights)};
    ball.moved = points_to.at(weights) - ball.p;
    ball.move = less(ball.moved, hull_move);
    const Points way = part_of(less(ball.p, hull), from, to);
    const double sum = ball.radius + other.span->largest_radius, end = std::min(length2(way.a), length2(way.c));
    if (end > sum * sum && clear(way, part_of(ball.move, from, to), (1 - left_over) * sum * sum + left_over * end, part) >= part)
      continue;  // keeps a fifth of its gap, about
    const Parts pieces = pair.whole ? Parts(*other.span) : parts_of(*other.span, points.span->arc(sample.u), *pair.near, first);
    for (const Interval& piece : pieces.all()) part = std::min(part, advance(ball, piece, part));
  }
  return part;
}

// m: the most that any two points of two hulls move against each other.
double largest_speed(const Points& a, const Points& b) {
  return std::max({largest(less(a.a, b)), largest(less(a.b, b)), largest(less(a.c, b))});
}

}  // namespace

double safe_part(const Pair& pair, const Positions& from, const Positions& to) {
  const Tube a = tube_of(*pair.a, from), b = tube_of(*pair.b, from);
  const Points a_to = points_of(*pair.a, to), b_to = points_of(*pair.b, to);
  const double speed =
      largest_speed(less(hull_of(*pair.a, a_to), hull_of(*pair.a, a.x)), less(hull_of(*pair.b, b_to), hull_of(*pair.b, b.x)));
  // All that is farther apart keeps a sixth of its distance.
  const double near = a.span->largest_radius + b.span->largest_radius + 1.2 * speed;
  if (speed == 0 || apart(hull_of(a, pair.counts_a), hull_of(b, pair.counts_b), near)) return 1;
  const double part = safe_side(pair, a, a_to, b, b_to, true, 1);
  return pair.a == pair.b ? part : safe_side(pair, b, b_to, a, a_to, false, part);
}

double smallest_gap(const Pair& pair, const Positions& x, double most) {
  double least = most;
  visit_touches(pair, x, most, [&](const Touching& touch) { least = std::min(least, touch.gap); });
  return least;
}

}  // namespace writhe::contact
