// When two moving edges cross. Their four ends lie in a plane where a cubic of time has a root; there the edges cross if both of
// them reach the point where their lines do. Edges that stay in one plane (flat scenes, parallel rods) cross where a node of one
// goes through the other, at the root of a quadratic.
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "measure/passing.h"

namespace writhe::measure {

namespace {

// Of an edge, as fraction: what belongs to it beyond its nodes, and what does not within those where the rod ends.
constexpr double slack = 1e-9;

double triple(const Vec3& a, const Vec3& b, const Vec3& c) { return dot(a, cross(b, c)); }
Vec3 mix(const Vec3& a, const Vec3& b, double t) { return a + t * (b - a); }

// ---- polynomials -----------------------------------------------------------------------------------------------------
using Cubic = std::array<double, 4>;  // in Bernstein's form over 0 to 1: its values at both ends are exact
bool is_minus(double value) { return value < 0; }

double value_at(const Cubic& b, double t) {
  const double s = 1 - t;
  return s * s * (s * b[0] + 3 * t * b[1]) + t * t * (3 * s * b[2] + t * b[3]);
}

// The change of sign between t0 and t1, where the signs are different.
double change_between(const Cubic& b, double t0, double t1, bool minus_at_t0) {
  for (int i = 0; i < 60 && t0 < t1; ++i) {
    const double t = 0.5 * (t0 + t1);
    (is_minus(value_at(b, t)) == minus_at_t0 ? t0 : t1) = t;
  }
  return 0.5 * (t0 + t1);
}

struct Times {
  std::array<double, 3> t;
  int count = 0;
};

// Where the slope is zero, between 0 and 1, in order.
Times turning_points(const Cubic& b) {
  const double c0 = b[1] - b[0], c1 = b[2] - b[1], c2 = b[3] - b[2];
  const double a = c0 - 2 * c1 + c2, half = c1 - c0, square = half * half - a * c0;
  Times out;
  if (!(square >= 0)) return out;
  const double q = -(half + std::copysign(std::sqrt(square), half));
  for (const double t : {a != 0 ? q / a : -1.0, q != 0 ? c0 / q : -1.0})
    if (t > 0 && t < 1) out.t[out.count++] = t;
  if (out.count == 2 && out.t[0] > out.t[1]) std::swap(out.t[0], out.t[1]);
  return out;
}

bool has_one_sign(const Cubic& b) {
  const auto minus = std::count_if(b.begin(), b.end(), is_minus);
  return minus == 0 || minus == 4;
}

// Zero counts as positive, always: what ends a step at zero and goes on has one change of sign in the two.
Times sign_changes(const Cubic& b) {
  Times out;
  if (has_one_sign(b)) return out;
  const Times turns = turning_points(b);
  double t0 = 0;
  bool before = is_minus(b[0]);
  for (int i = 0; i <= turns.count; ++i) {
    const double t1 = i < turns.count ? turns.t[i] : 1;
    const bool after = is_minus(i < turns.count ? value_at(b, t1) : b[3]);
    if (before != after) out.t[out.count++] = change_between(b, t0, t1, before);
    t0 = t1;
    before = after;
  }
  return out;
}

bool is_nothing(const Cubic& b, double noise) {
  return std::all_of(b.begin(), b.end(), [&](double value) { return std::abs(value) <= noise; });
}

// ---- the pair --------------------------------------------------------------------------------------------------------
bool reaches(const MovingEdge& edge, double s) {
  return s >= (edge.end0 ? slack : -slack) && s <= 1 - (edge.end1 ? slack : -slack);
}

double largest(std::initializer_list<Vec3> vectors) {
  double out = 0;
  for (const Vec3& v : vectors) out = std::max({out, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  return out;
}

class Pair {
 public:
  Pair(const MovingEdge& a, const MovingEdge& b, const Passing& as, std::vector<Passing>& found)
      : m_a(a), m_b(b), m_as(as), m_found(found) {
    const Vec3 o = a.from0;
    m_size = largest({a.from1 - o, a.to0 - o, a.to1 - o, b.from0 - o, b.from1 - o, b.to0 - o, b.to1 - o});
    // Of a difference of two positions.
    m_rounding = 1e-15 * (m_size + largest({a.from0, a.from1, a.to0, a.to1, b.from0, b.from1, b.to0, b.to1}));
  }

  void find() {
    const Vec3 u0 = m_a.from1 - m_a.from0, u1 = m_a.to1 - m_a.to0, v0 = m_b.from1 - m_b.from0, v1 = m_b.to1 - m_b.to0;
    const Vec3 w0 = m_b.from0 - m_a.from0, w1 = m_b.to0 - m_a.to0;
    const Cubic volume{triple(w0, u0, v0), (triple(w1, u0, v0) + triple(w0, u1, v0) + triple(w0, u0, v1)) / 3,
                       (triple(w0, u1, v1) + triple(w1, u0, v1) + triple(w1, u1, v0)) / 3, triple(w1, u1, v1)};
    const double noise = 10 * m_rounding * m_size * largest({u0, u1, v0, v1});
    if (is_nothing(volume, noise)) return in_plane(w0, w1, u0, u1, v0, v1);
    if (has_one_sign(volume)) return;
    const Times changes = sign_changes(volume), turns = turning_points(volume);
    for (int i = 0; i < changes.count; ++i) meet(changes.t[i], false);
    // Edges that go through each other in the moment in which they are parallel: no sign changes.
    for (int i = 0; i < turns.count; ++i)
      if (std::abs(value_at(volume, turns.t[i])) <= noise) meet(turns.t[i], true);
  }

 private:
  void add(double t, double s_a, double s_b) {
    Passing out = m_as;
    out.t = t;
    out.s_a = std::clamp(s_a, 0.0, 1.0);
    out.s_b = std::clamp(s_b, 0.0, 1.0);
    out.place = mix(mix(m_a.from0, m_a.to0, t), mix(m_a.from1, m_a.to1, t), out.s_a);
    m_found.push_back(out);
  }

  // Both lie in a plane at this time.
  void meet(double t, bool only_parallel) {
    const Vec3 a0 = mix(m_a.from0, m_a.to0, t), b0 = mix(m_b.from0, m_b.to0, t);
    const Vec3 u = mix(m_a.from1, m_a.to1, t) - a0, v = mix(m_b.from1, m_b.to1, t) - b0, w = b0 - a0;
    const Vec3 n = cross(u, v);
    const double nn = dot(n, n), uu = dot(u, u), vv = dot(v, v);
    if (nn <= 1e-16 * uu * vv) return meet_parallel(t, u, v, w);
    if (only_parallel) return;
    const double s_a = triple(w, v, n) / nn, s_b = triple(w, u, n) / nn;
    if (reaches(m_a, s_a) && reaches(m_b, s_b)) add(t, s_a, s_b);
  }

  // Parallel edges always lie in a plane; they meet where they lie on each other.
  void meet_parallel(double t, const Vec3& u, const Vec3& v, const Vec3& w) {
    const double uu = dot(u, u), vv = dot(v, v);
    if (!(uu > 0) || !(vv > 0)) return;
    if (norm(cross(w, u)) > 1e-6 * m_size * std::sqrt(uu)) return;
    const double b0 = dot(w, u) / uu, b1 = dot(w + v, u) / uu;
    const double low = std::max(0.0, std::min(b0, b1)), high = std::min(1.0, std::max(b0, b1));
    if (!(high - low > slack)) return;
    const double s_a = 0.5 * (low + high);
    add(t, s_a, (s_a - b0) / (b1 - b0));
  }

  // The unit normal of the plane that all of it stays in; of the two the one that does not depend on the motion.
  static Vec3 normal(const Vec3& w0, const Vec3& w1, const Vec3& u0, const Vec3& u1, const Vec3& v0, const Vec3& v1) {
    Vec3 best{0, 0, 0};
    for (const Vec3& n : {cross(u0, v0), cross(u1, v1), cross(u0, u1), cross(v0, v1), cross(u0, w0), cross(u1, w1),
                          cross(u0, w1 - w0), cross(v0, w1 - w0)})
      if (dot(n, n) > 1.001 * dot(best, best)) best = n;
    const double size = norm(best), most = largest({best});
    if (!(size > 0)) return best;
    const double sign = std::abs(best.z) > 0.5 * most ? best.z : std::abs(best.y) > 0.5 * most ? best.y : best.x;
    return best / std::copysign(size, sign);
  }

  void in_plane(const Vec3& w0, const Vec3& w1, const Vec3& u0, const Vec3& u1, const Vec3& v0, const Vec3& v1) {
    const Vec3 n = normal(w0, w1, u0, u1, v0, v1);
    if (n == Vec3{0, 0, 0}) return;
    through(n, m_a, u0, u1, w0, w1, [&](double t, double s) { add(t, s, 0); });
    through(n, m_a, u0, u1, w0 + v0, w1 + v1, [&](double t, double s) { add(t, s, 1); });
    through(n, m_b, v0, v1, -w0, -w1, [&](double t, double s) { add(t, 0, s); });
    through(n, m_b, v0, v1, u0 - w0, u1 - w1, [&](double t, double s) { add(t, 1, s); });
  }

  // A point that is at p0 and then p1 from the start of an edge along u0 and then u1, all in the plane of n.
  template <class Add>
  void through(const Vec3& n, const MovingEdge& edge, const Vec3& u0, const Vec3& u1, const Vec3& p0, const Vec3& p1,
               const Add& found) {
    const double g0 = triple(n, u0, p0), g1 = 0.5 * (triple(n, u0, p1) + triple(n, u1, p0)), g2 = triple(n, u1, p1);
    const Cubic area{g0, (g0 + 2 * g1) / 3, (2 * g1 + g2) / 3, g2};
    if (is_nothing(area, 10 * m_rounding * largest({u0, u1}))) return;
    const Times times = sign_changes(area);
    for (int i = 0; i < times.count; ++i) {
      const Vec3 u = mix(u0, u1, times.t[i]), p = mix(p0, p1, times.t[i]);
      const double s = dot(p, u) / dot(u, u);
      if (reaches(edge, s)) found(times.t[i], s);
    }
  }

  const MovingEdge &m_a, &m_b;
  const Passing& m_as;
  std::vector<Passing>& m_found;
  double m_size = 0, m_rounding = 0;  // m
};

}  // namespace

void crossings_of(const MovingEdge& a, const MovingEdge& b, Passing as, std::vector<Passing>& found) {
  Pair(a, b, as, found).find();
}

}  // namespace writhe::measure
