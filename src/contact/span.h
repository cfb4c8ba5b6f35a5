// The smooth curve on which contact acts: the quadratic B-spline of a rod's nodes, with the radius as a fourth coordinate.
// docs/theory/contact.md, "The curve".
//
// It passes through the middles of segments along them, and through the ends of the rod, and has one tangent everywhere. A span
// belongs to a node and reaches from the middle of the segment before it to the middle of the one after; at the ends of an open
// rod there is half a segment, straight. On a span the curve is sum_k weight_k(u) x[node_k], u in [0, 1].
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "writhe/model.h"
#include "writhe/state.h"
#include "writhe/vec.h"

namespace writhe::contact {

// m, space.
struct Box {
  Vec3 low{}, high{};
  static Box around(const Vec3& a, const Vec3& b, const Vec3& c) {
    return {{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})},
            {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})}};
  }
  Box grown(double by) const { return {low - Vec3{by, by, by}, high + Vec3{by, by, by}}; }
  bool meets(const Box& other) const {
    return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y && other.low.y <= high.y &&
           low.z <= other.high.z && other.low.z <= high.z;
  }
};

struct Span {
  enum class Kind : unsigned char { start, inner, end };

  // Of nodes (or what goes with them) at u, or of their derivatives by u. A span at an end has no third node; its weight is 0.
  using Weights = std::array<double, 3>;
  Weights weights(double u) const {
    if (kind == Kind::start) return {1 - 0.5 * u, 0.5 * u, 0};
    if (kind == Kind::end) return {0.5 - 0.5 * u, 0.5 + 0.5 * u, 0};
    const double v = 1 - u, first = 0.5 * v * v, last = 0.5 * u * u;
    return {first, 1 - first - last, last};
  }
  Weights slopes(double u) const {
    if (kind != Kind::inner) return {-0.5, 0.5, 0};
    return {u - 1, 1 - 2 * u, u};
  }
  Weights bends() const { return kind == Kind::inner ? Weights{1, -2, 1} : Weights{0, 0, 0}; }

  int node_count() const { return kind == Kind::inner ? 3 : 2; }
  double arc(double u) const { return start + length0 * u + 0.5 * (length1 - length0) * u * u; }  // m, rest
  double arc_slope(double u) const { return length0 + (length1 - length0) * u; }                  // m
  double length() const { return 0.5 * (length0 + length1); }                                     // m, rest

  // Where the curve is summed up: evenly in u, each point with its share of the rest length; at an end of a rod there is one on
  // the end itself.
  struct Sample {
    double u = 0, weight = 0;  // m
  };
  int sample_count() const { return samples + (kind == Kind::inner ? 0 : 1); }
  Sample sample(int k) const;

  int rod = 0;
  std::array<int, 3> node{};                       // of the model; the last is the second once more where there are two
  std::array<double, 3> radius{};                  // m, of these
  double smallest_radius = 0, largest_radius = 0;  // m: on the span
  double start = 0;                 // m: rest arc length along the rod where it begins; in a ring it may be below 0
  double length0 = 0, length1 = 0;  // m: rest arc length by u, at both ends
  int samples = 1;                  // parts of equal u
  Kind kind = Kind::inner;
};

// Values at the three nodes of a span (the third counts for nothing where there are two).
template <class T>
struct Triple {
  T a, b, c;
  T at(const Span::Weights& w) const { return w[0] * a + w[1] * b + w[2] * c; }
};
using Points = Triple<Vec3>;

// m, of nodes: as they are, or mirrored at where they were (of the middle of a step: at its end).
struct Positions {
  const std::vector<Vec3>* x = nullptr;
  const std::vector<Vec3>* start = nullptr;  // null: as they are
  Vec3 operator[](int node) const { return start ? 2.0 * (*x)[node] - (*start)[node] : (*x)[node]; }
};

inline Points points_of(const Span& span, const Positions& x) { return {x[span.node[0]], x[span.node[1]], x[span.node[2]]}; }

// Three points in whose hull the span lies.
inline Points hull_of(const Span& span, const Points& x) {
  if (span.kind == Span::Kind::start) return {x.a, 0.75 * x.a + 0.25 * x.b, 0.5 * (x.a + x.b)};
  if (span.kind == Span::Kind::end) return {0.5 * (x.a + x.b), 0.25 * x.a + 0.75 * x.b, x.b};
  return {0.5 * (x.a + x.b), x.b, 0.5 * (x.b + x.c)};
}
// Around the curve, without its radius.
inline Box box_of(const Span& span, const Points& x) {
  const Points hull = hull_of(span, x);
  return Box::around(hull.a, hull.b, hull.c);
}

// Every span of every rod, rod by rod and along each.
class Spans {
 public:
  // given: m, the radius of every rod in place of its own.
  explicit Spans(const Model& model, std::optional<double> given = {});

  int count() const { return static_cast<int>(m_spans.size()); }
  const Span& operator[](int i) const { return m_spans[i]; }
  int first_of(int rod) const { return m_first[rod]; }  // of rods() + 1: the end

 private:
  std::vector<Span> m_spans;
  std::vector<int> m_first;
};

}  // namespace writhe::contact
