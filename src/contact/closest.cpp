#include "contact/closest.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace writhe::contact {

namespace {

constexpr double flatness = 0.005;  // of the radius: how far a piece may lie off its chord
constexpr int most_pieces = 64;     // of a span

// A part of a span as good as straight: arc length, place and radius at both ends.
struct Piece {
  double arc0, arc1;
  Vec3 x0, x1;
  double radius0, radius1;
};

// A curve of the second degree leaves its chord by an eighth of its second derivative.
int piece_count(const Tube& tube) {
  const double bend = norm(tube.x.at(tube.span->bends())) / 8;
  const double count = std::ceil(std::sqrt(bend / (flatness * tube.span->smallest_radius)));
  return static_cast<int>(std::clamp(count, 1.0, static_cast<double>(most_pieces)));
}

Piece piece_of(const Tube& tube, int k, int count) {
  const double u0 = static_cast<double>(k) / count, u1 = static_cast<double>(k + 1) / count;
  return {tube.span->arc(u0), tube.span->arc(u1), tube.at(u0), tube.at(u1), tube.radius_at(u0), tube.radius_at(u1)};
}

// Fractions along two pieces.
struct Spot2 {
  double s, t;
};

// A convex part of the unit square of these fractions. Each cut adds a corner at most.
class Patch {
 public:
  Patch() : m_corners{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}}, m_count(4) {}

  int count() const { return m_count; }
  Spot2 corner(int i) const { return m_corners[i % m_count]; }

  // What has ds * s + dt * t >= least.
  Patch cut(double ds, double dt, double least) const {
    Patch out;
    out.m_count = 0;
    const auto excess = [&](const Spot2& p) { return ds * p.s + dt * p.t - least; };
    for (int i = 0; i < m_count; ++i) {
      const Spot2 p = corner(i), q = corner(i + 1);
      const double a = excess(p), b = excess(q);
      if (a >= 0) out.add(p);
      if ((a >= 0) != (b >= 0)) out.add({p.s + a / (a - b) * (q.s - p.s), p.t + a / (a - b) * (q.t - p.t)});
    }
    return out;
  }

 private:
  void add(const Spot2& p) {
    if (m_count < most) m_corners[m_count++] = p;
  }
  static constexpr int most = 16;
  std::array<Spot2, most> m_corners;
  int m_count;
};

// The nearest places of two pieces, in what the neighbourhood leaves of them.
class Search {
 public:
  Search(const Piece& a, const Piece& b, Closest& best) : m_a(a), m_b(b), m_best(best) {
    m_along_a = a.x1 - a.x0;
    m_along_b = b.x1 - b.x0;
    m_way = a.x0 - b.x0;
    m_arc_a = a.arc1 - a.arc0;
    m_arc_b = b.arc1 - b.arc0;
  }

  void run(const Neighbourhood& near) const {
    if (near.same)
      beyond_itself(near);
    else
      beyond_meetings(Patch(), near, 0);
  }

 private:
  Vec3 way(const Spot2& p) const { return m_way + p.s * m_along_a - p.t * m_along_b; }

  // Arc lengths apart by the reach or more, along a ring on either way round.
  void beyond_itself(const Neighbourhood& near) const {
    const double least = m_b.arc0 - m_a.arc1, most = m_b.arc1 - m_a.arc0;  // of the second behind the first
    if (near.around_a == 0) {
      if (most > near.reach) beyond_meetings(at_distance(near.reach, most), near, 0);
      if (least < -near.reach) beyond_meetings(at_distance(least, -near.reach), near, 0);
      return;
    }
    for (int turn = -2; turn <= 1; ++turn) {
      const double from = std::max(turn * near.around_a + near.reach, least),
                   to = std::min((turn + 1) * near.around_a - near.reach, most);
      if (from < to) beyond_meetings(at_distance(from, to), near, 0);
    }
  }

  // Where the arc length of the second less that of the first is between.
  Patch at_distance(double from, double to) const {
    const double offset = m_b.arc0 - m_a.arc0;
    return Patch().cut(-m_arc_a, m_arc_b, from - offset).cut(m_arc_a, -m_arc_b, offset - to);
  }

  // Around each meeting a square on its corner is left out: what remains lies beyond one of its four sides.
  void beyond_meetings(const Patch& patch, const Neighbourhood& near, std::size_t next) const {
    if (patch.count() == 0) return;
    for (; next < near.meetings.size(); ++next) {
      const Meeting& meeting = near.meetings[next];
      const double a = m_a.arc0 - meeting.at_a, b = m_b.arc0 - meeting.at_b;
      if (away(a, m_arc_a) + away(b, m_arc_b) >= near.reach) continue;
      for (const double sa : {-1.0, 1.0})
        for (const double sb : {-1.0, 1.0})
          beyond_meetings(patch.cut(sa * m_arc_a, sb * m_arc_b, near.reach - sa * a - sb * b), near, next + 1);
      return;
    }
    nearest_in(patch);
  }
  // Least distance from 0 of what begins at `from` and is so long.
  static double away(double from, double length) { return from > 0 ? from : std::max(-(from + length), 0.0); }

  // The square of the distance is convex: where it is least inside, or else on an edge.
  void nearest_in(const Patch& patch) const {
    const double aa = dot(m_along_a, m_along_a), bb = dot(m_along_b, m_along_b), ab = dot(m_along_a, m_along_b);
    const double a = -dot(m_way, m_along_a), b = dot(m_way, m_along_b), whole = aa * bb - ab * ab;
    if (whole > 1e-12 * aa * bb) {
      const Spot2 still{(a * bb + ab * b) / whole, (aa * b + ab * a) / whole};
      if (is_in(patch, still)) return take(still);
    }
    for (int i = 0; i < patch.count(); ++i) {
      const Spot2 p = patch.corner(i), q = patch.corner(i + 1);
      const Vec3 from = way(p), along = way(q) - from;
      const double length2 = dot(along, along);
      const double part = length2 > 0 ? std::clamp(-dot(from, along) / length2, 0.0, 1.0) : 0;
      take({p.s + part * (q.s - p.s), p.t + part * (q.t - p.t)});
    }
  }

  static bool is_in(const Patch& patch, const Spot2& at) {
    for (int i = 0; i < patch.count(); ++i) {
      const Spot2 p = patch.corner(i), q = patch.corner(i + 1);
      if ((q.s - p.s) * (at.t - p.t) - (q.t - p.t) * (at.s - p.s) < 0) return false;
    }
    return true;
  }

  void take(const Spot2& at) const {
    const auto mixed = [](double from, double to, double part) { return from + part * (to - from); };
    const double distance = norm(way(at)), radius_a = mixed(m_a.radius0, m_a.radius1, at.s),
                 radius_b = mixed(m_b.radius0, m_b.radius1, at.t), gap = distance - radius_a - radius_b;
    if (!(gap < m_best.gap)) return;
    m_best = {gap, distance, std::min(radius_a, radius_b), mixed(m_a.arc0, m_a.arc1, at.s), mixed(m_b.arc0, m_b.arc1, at.t)};
  }

  const Piece &m_a, &m_b;
  Closest& m_best;
  Vec3 m_along_a, m_along_b, m_way;
  double m_arc_a, m_arc_b;
};

// Not nearer than this: the middles, less what the ends are away from them.
double least_gap(const Piece& a, const Piece& b) {
  const double apart = norm(0.5 * (a.x0 + a.x1) - 0.5 * (b.x0 + b.x1));
  return apart - 0.5 * (norm(a.x1 - a.x0) + norm(b.x1 - b.x0)) - std::max(a.radius0, a.radius1) - std::max(b.radius0, b.radius1);
}

}  // namespace

Closest closest_of(const Tube& a, const Tube& b, const Neighbourhood& near, double most) {
  Closest best;
  best.gap = most;
  const int count_a = piece_count(a), count_b = piece_count(b);
  for (int i = 0; i < count_a; ++i) {
    const Piece one = piece_of(a, i, count_a);
    for (int j = 0; j < count_b; ++j) {
      const Piece other = piece_of(b, j, count_b);
      if (least_gap(one, other) < best.gap) Search(one, other, best).run(near);
    }
  }
  if (!(best.gap < most)) best.gap = std::numeric_limits<double>::infinity();
  return best;
}

}  // namespace writhe::contact
