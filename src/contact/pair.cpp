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

// ---- blocks of samples -----------------------------------------------------------------------------------------------
//
// The curve of a span as Bezier's of the second degree has the points of its hull. The product of two such has, as a curve of the
// fourth degree, the five values below; it lies between the least and the largest of them. Loops over the block become vector
// instructions.

SampleBlock::SampleBlock(const Span& span, int from) : first(from), count(std::min(most, span.sample_count() - from)) {
  const double h = 1.0 / span.samples, shift = span.kind == Span::Kind::inner ? 0.5 : 0;  // as Span::sample
  std::array<double, most> u;
  for (int k = 0; k < most; ++k) u[k] = (from + k + shift) * h;
  const auto set = [&](const auto& of) {
    for (int k = 0; k < most; ++k) {
      const Span::Weights w = of(u[k]);
      for (int i = 0; i < 3; ++i) weights[i][k] = w[i];
    }
  };
  if (span.kind == Span::Kind::inner)
    set([](double at) {
      const double v = 1 - at, low = 0.5 * v * v, high = 0.5 * at * at;
      return Span::Weights{low, 1 - low - high, high};
    });
  else
    set([&](double at) { return span.weights(at); });
}

SampleBlock::Places SampleBlock::of(const Points& points) const {
  Places out;
  const auto set = [&](std::array<double, most>& to, double a, double b, double c) {
    for (int k = 0; k < most; ++k) to[k] = weights[0][k] * a + weights[1][k] * b + weights[2][k] * c;
  };
  set(out.x, points.a.x, points.b.x, points.c.x);
  set(out.y, points.a.y, points.b.y, points.c.y);
  set(out.z, points.a.z, points.b.z, points.c.z);
  return out;
}

namespace {

// Of a gap: a way ends where less than the first is left, and never goes below the second.
constexpr double left_over = 0.2, least_left = 0.1;

double smaller(double a, double b) { return a < b ? a : b; }

unsigned bits_of(const std::array<double, SampleBlock::most>& excess, int count) {
  unsigned out = 0;
  for (int k = 0; k < count; ++k) out |= excess[k] > 0 ? 0u : 1u << k;
  return out;
}

}  // namespace

unsigned SampleBlock::near(const Places& at, const Points& hull, double within) const {
  const double near2 = within * within;
  std::array<double, most> excess;
  for (int k = 0; k < most; ++k) {
    const double ax = at.x[k] - hull.a.x, ay = at.y[k] - hull.a.y, az = at.z[k] - hull.a.z;
    const double bx = at.x[k] - hull.b.x, by = at.y[k] - hull.b.y, bz = at.z[k] - hull.b.z;
    const double cx = at.x[k] - hull.c.x, cy = at.y[k] - hull.c.y, cz = at.z[k] - hull.c.z;
    const double aa = ax * ax + ay * ay + az * az, ab = ax * bx + ay * by + az * bz, ac = ax * cx + ay * cy + az * cz;
    const double bb = bx * bx + by * by + bz * bz, bc = bx * cx + by * cy + bz * cz, cc = cx * cx + cy * cy + cz * cz;
    excess[k] = smaller(smaller(smaller(aa, cc), smaller(ab, bc)), (ac + 2 * bb) * (1.0 / 3)) - near2;
  }
  return bits_of(excess, count);
}

unsigned SampleBlock::obstructed(const Places& at, const Places& end, const Points& hull, const Points& hull_move, double sum,
                                 double part) const {
  constexpr double third = 1.0 / 3;
  std::array<double, most> excess;
  for (int k = 0; k < most; ++k) {
    const double ax = at.x[k] - hull.a.x, ay = at.y[k] - hull.a.y, az = at.z[k] - hull.a.z;
    const double bx = at.x[k] - hull.b.x, by = at.y[k] - hull.b.y, bz = at.z[k] - hull.b.z;
    const double cx = at.x[k] - hull.c.x, cy = at.y[k] - hull.c.y, cz = at.z[k] - hull.c.z;
    const double mx = end.x[k] - at.x[k], my = end.y[k] - at.y[k], mz = end.z[k] - at.z[k];
    const double ux = mx - hull_move.a.x, uy = my - hull_move.a.y, uz = mz - hull_move.a.z;
    const double vx = mx - hull_move.b.x, vy = my - hull_move.b.y, vz = mz - hull_move.b.z;
    const double wx = mx - hull_move.c.x, wy = my - hull_move.c.y, wz = mz - hull_move.c.z;
    const double aa = ax * ax + ay * ay + az * az, ab = ax * bx + ay * by + az * bz, ac = ax * cx + ay * cy + az * cz;
    const double bb = bx * bx + by * by + bz * bz, bc = bx * cx + by * cy + bz * cz, cc = cx * cx + cy * cy + cz * cz;
    const double au = ax * ux + ay * uy + az * uz, av = ax * vx + ay * vy + az * vz, aw = ax * wx + ay * wy + az * wz;
    const double bu = bx * ux + by * uy + bz * uz, bv = bx * vx + by * vy + bz * vz, bw = bx * wx + by * wy + bz * wz;
    const double cu = cx * ux + cy * uy + cz * uz, cv = cx * vx + cy * vy + cz * vz, cw = cx * wx + cy * wy + cz * wz;
    const double uu = ux * ux + uy * uy + uz * uz, uv = ux * vx + uy * vy + uz * vz, uw = ux * wx + uy * wy + uz * wz;
    const double vv = vx * vx + vy * vy + vz * vz, vw = vx * wx + vy * wy + vz * wz, ww = wx * wx + wy * wy + wz * wz;
    // What is left of each value at the end of the way, or less.
    const double two = 2 * part, all = part * part;
    const double v0 = aa + two * smaller(au, 0), v4 = cc + two * smaller(cw, 0);
    const double v1 = ab + part * smaller(av + bu, 0) + all * smaller(uv, 0);
    const double v3 = bc + part * smaller(bw + cv, 0) + all * smaller(vw, 0);
    const double v2 = third * (ac + 2 * bb + part * smaller(aw + 4 * bv + cu, 0) + all * smaller(uw + 2 * vv, 0));
    const double limit = (1 - left_over) * sum * sum + left_over * smaller(aa, cc);
    const double clear = smaller(smaller(smaller(v0, v4), smaller(v1, v3)), v2) - limit;
    excess[k] = smaller(clear, smaller(aa, cc) - sum * sum) + 0 * (uu + ww);  // what moves without end is not a number
  }
  return bits_of(excess, count);
}

namespace {

Points between(const Points& a, const Points& b, double t) {
  return {a.a + t * (b.a - a.a), a.b + t * (b.b - a.b), a.c + t * (b.c - a.c)};
}
Points less(const Vec3& p, const Points& x) { return {p - x.a, p - x.b, p - x.c}; }
Points less(const Points& x, const Points& y) { return {x.a - y.a, x.b - y.b, x.c - y.c}; }
using Quartic = std::array<double, 5>;
Quartic product(const Points& a, const Points& b) {
  return {dot(a.a, b.a), 0.5 * (dot(a.a, b.b) + dot(a.b, b.a)), (dot(a.a, b.c) + 4 * dot(a.b, b.b) + dot(a.c, b.a)) / 6,
          0.5 * (dot(a.b, b.c) + dot(a.c, b.b)), dot(a.c, b.c)};
}

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
  const Quartic at = product(way, way), rise = product(way, move), bend = product(move, move);
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
  Thinned thinned;
};

// Where the ball is nearest in an interval of a tube, its ends as well: a bound for every point of it. Of a tube of one radius
// squares of distances tell.
Nearest nearest_of(const Course& course, const Interval& part, const Vec3& p, double radius) {
  const Lowest lows = lowest(course, part, p);
  const auto nearest = [&](const auto& measure) {
    Lowest::Place out{part.from, false};
    double least = measure(out);
    const auto take = [&](const Lowest::Place& place) {
      if (const double now = measure(place); now < least) {
        least = now;
        out = place;
      }
    };
    take({part.to, false});
    for (int i = 0; i < lows.count; ++i) take(lows.place[i]);
    return nearest_at(course.tube, p, radius, out);
  };
  if (!course.is_even) return nearest([&](const Lowest::Place& at) { return nearest_at(course.tube, p, radius, at).gap; });
  const Vec3 way = p - course.start;
  return nearest([&](const Lowest::Place& at) { return length2(way - at.u * (course.slope + 0.5 * at.u * course.bend)); });
}

// Looks where the ball is nearest and goes on as far as is clear from there, or at least as far as the largest speed lets a gap
// close; and once more, until the gap is less than a fifth of what it was.
double advance(const Approach& ball, const Interval& part, double most) {
  constexpr int most_looks = 200;
  const bool is_steady = ball.thinned.from == ball.thinned.to;
  const double speed = largest(ball.move) + std::abs(ball.thinned.to - ball.thinned.from);
  double t = 0, gap = 0;
  for (int i = 0; i < most_looks; ++i) {
    Tube there = *ball.tube;
    if (t > 0) there.x = between(there.x, ball.to, t);
    const Course course(there);
    const Vec3 p = ball.p + t * ball.moved;
    const Nearest at = nearest_of(course, part, p, ball.radius);
    const double now = at.gap + ball.thinned.at(t);
    if (i == 0) {
      if (!(now > 0)) return 0;
      gap = now;
    } else if (now < left_over * gap) {
      break;
    }
    const double slow = (now - least_left * gap) / speed, rest = most - t;
    if (rest < slow) return most;
    double far = slow;
    if (course.is_even && is_steady) {
      const Points way = less(p, hull_of(*there.span, there.x));
      const double sum = ball.radius + there.span->largest_radius - ball.thinned.to + left_over * gap;
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
                 bool first, const Thinned& thinned, double part) {
  const Pair::Counts &own = first ? pair.counts_a : pair.counts_b, &others = first ? pair.counts_b : pair.counts_a;
  const double from = others.from / 255.0, to = others.to / 255.0;
  const Points hull = hull_of(*other.span, other.x), hull_move = less(hull_of(*other.span, other_to), hull);
  const Points part_hull = part_of(hull, from, to), part_move = part_of(hull_move, from, to);
  const auto look = [&](const Span::Sample& sample) {
    if (255 * sample.u < own.from || 255 * sample.u > own.to) return;
    const Span::Weights weights = points.span->weights(sample.u);
    Approach ball{&other, other_to, {}, points.x.at(weights), {}, points.radius.at(weights), thinned};
    ball.moved = points_to.at(weights) - ball.p;
    ball.move = less(ball.moved, hull_move);
    const Parts pieces = pair.whole ? Parts(*other.span) : parts_of(*other.span, points.span->arc(sample.u), *pair.near, first);
    for (const Interval& piece : pieces.all()) part = std::min(part, advance(ball, piece, part));
  };
  const double sum = points.span->largest_radius + other.span->largest_radius - std::min(thinned.from, thinned.to);
  const int count = points.span->sample_count();
  for (int k = 0; k < count; k += SampleBlock::most) {
    const SampleBlock block(*points.span, k);
    unsigned left = block.obstructed(block.of(points.x), block.of(points_to), part_hull, part_move, sum, part);
    for (; left != 0; left &= left - 1) look(points.span->sample(k + std::countr_zero(left)));
  }
  return part;
}

// m: the most that any two points of two hulls move against each other.
double largest_speed(const Points& a, const Points& b) {
  return std::max({largest(less(a.a, b)), largest(less(a.b, b)), largest(less(a.c, b))});
}

}  // namespace

double largest_approach(const Pair& pair, const Positions& from, const Positions& to) {
  const auto move = [&](const Span& span) {
    return less(hull_of(span, points_of(span, to)), hull_of(span, points_of(span, from)));
  };
  return largest_speed(move(*pair.a), move(*pair.b));
}

double safe_part(const Pair& pair, const Positions& from, const Positions& to, const Thinned& thinned) {
  const Tube a = tube_of(*pair.a, from), b = tube_of(*pair.b, from);
  const Points a_to = points_of(*pair.a, to), b_to = points_of(*pair.b, to);
  const double speed = largest_approach(pair, from, to) + std::abs(thinned.to - thinned.from);
  // All that is farther apart keeps a sixth of its distance.
  if (speed == 0 || !may_touch(pair, a, b, 1.2 * speed)) return 1;
  const double part = safe_side(pair, a, a_to, b, b_to, true, thinned, 1);
  return pair.a == pair.b ? part : safe_side(pair, b, b_to, a, a_to, false, thinned, part);
}

bool is_passed(const Pair& pair, const Positions& from, const Positions& to) {
  constexpr double most = 0.98;  // of the radii, that what slides round may lose on its straight way
  const double thinned = most * (pair.a->smallest_radius + pair.b->smallest_radius);
  return safe_part(pair, from, to, {thinned, thinned}) < 1;
}

double smallest_gap(const Pair& pair, const Positions& x, double most) {
  double least = most;
  visit_touches(pair, x, most, [&](const Touching& touch) { least = std::min(least, touch.gap); });
  return least;
}

}  // namespace writhe::contact
