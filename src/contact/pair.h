// Two spans that may touch, as an element of the contact term.
#pragma once

#include <array>
#include <bit>
#include <vector>

#include "contact/gap.h"
#include "contact/thinning.h"
#include "contact/touching.h"
#include "contact/zones.h"
#include "elastic/link.h"

namespace writhe::contact {

struct Pair {
  const Span* a = nullptr;
  const Span* b = nullptr;
  const Neighbourhood* near = nullptr;
  elastic::BarrierMaterial material;
  int count = 0;
  std::array<Dof, Touching::most> dofs{};
  std::array<signed char, 3> slot_a{}, slot_b{};  // which of the dofs a node of each is
  // Of each what counts against some of the other, in 255ths of u, rounded outwards.
  struct Counts {
    unsigned char from = 0, to = 255;
  };
  Counts counts_a, counts_b;
  bool whole = false;  // all of each counts against all of the other
};

Pair pair_of(const Span& a, const Span& b, const Neighbourhood& near, const elastic::BarrierMaterial& material);

// The points of both spans, each against the tube of the other with half of the length for which it stands. work(touching).
// within: m, gaps above are left out.
template <class Work>
void visit_touches(const Pair& pair, const Positions& x, double within, const Work& work);

// A lower bound of what part of the way from one place of the nodes to another may be gone so that no gap closes: 1 if all of it.
double safe_part(const Pair& pair, const Positions& from, const Positions& to, const Thinned& thinned = {});
// m: the most that any two of its points move against each other on a way.
double largest_approach(const Pair& pair, const Positions& from, const Positions& to);
// Whether curves, not tubes, cross or all but cross on the way.
bool is_passed(const Pair& pair, const Positions& from, const Positions& to);
// m: the smallest gap; `most` if it is no less.
double smallest_gap(const Pair& pair, const Positions& x, double most);

// ---- the rest is how -----------------------------------------------------------------------------------------------------

// Of a curve of the second degree, given as the points of its hull, the parts before and behind u, and between two.
inline Points before(const Points& x, double u) {
  const Vec3 a = x.a + u * (x.b - x.a), b = x.b + u * (x.c - x.b);
  return {x.a, a, a + u * (b - a)};
}
inline Points behind(const Points& x, double u) {
  const Vec3 a = x.a + u * (x.b - x.a), b = x.b + u * (x.c - x.b);
  return {a + u * (b - a), b, x.c};
}
inline Points part_of(const Points& x, double from, double to) {
  const Points rest = from > 0 ? behind(x, from) : x;
  return to < 1 ? before(rest, (to - from) / (1 - from)) : rest;
}

// The hull of what counts of a span.
inline Points hull_of(const Tube& tube, const Pair::Counts& counts) {
  return part_of(hull_of(*tube.span, tube.x), counts.from / 255.0, counts.to / 255.0);
}

// Whether a plane lies between two hulls with more than this on both sides together, m.
inline bool apart(const Points& a, const Points& b, double within) {
  const Vec3 way = (b.a - a.a) + (b.b - a.b) + (b.c - a.c);
  const double gap =
      std::min({dot(way, b.a), dot(way, b.b), dot(way, b.c)}) - std::max({dot(way, a.a), dot(way, a.b), dot(way, a.c)});
  return gap > 0 && gap * gap > within * within * dot(way, way);
}

// Some samples of a span that follow each other, as many as fill vector registers.
struct SampleBlock {
  static constexpr int most = 8;
  // Of those from the first one on.
  SampleBlock(const Span& span, int from);
  // The values of the span there, of points of the space.
  struct Places {
    std::array<double, most> x, y, z;
  };
  Places of(const Points& points) const;
  // Bit k: the k-th is in the block, and no plain look leaves it out. hull: of the other span. within: m, of the axes.
  unsigned near(const Places& at, const Points& hull, double within) const;
  // Likewise: it may be that less than `part` of the way can be gone. hull_move: m, of the points of the hull. sum: m, of the
  // radii.
  unsigned obstructed(const Places& at, const Places& end, const Points& hull, const Points& hull_move, double sum,
                      double part) const;

  int first, count;
  std::array<std::array<double, most>, 3> weights;
};

template <class Work>
void visit_side(const Pair& pair, const Tube& points, const Tube& other, bool first, double within, const Work& work) {
  const Pair::Counts &own = first ? pair.counts_a : pair.counts_b, &others = first ? pair.counts_b : pair.counts_a;
  const Points hull = hull_of(other, others);
  const Course course(other);
  const double sum = points.span->largest_radius + other.span->largest_radius + within;
  const auto visit = [&](const Span::Sample& sample) {
    if (255 * sample.u < own.from || 255 * sample.u > own.to) return;
    const Span::Weights weights = points.span->weights(sample.u);
    const Vec3 p = points.x.at(weights);
    const double radius = points.radius.at(weights);
    const Parts parts = pair.whole ? Parts(*other.span) : parts_of(*other.span, points.span->arc(sample.u), *pair.near, first);
    for (const Interval& part : parts.all())
      visit_nearest(course, part, p, radius, [&](const Nearest& at) {
        if (at.gap < within) work(sample, weights, at);
      });
  };
  const int count = points.span->sample_count();
  for (int k = 0; k < count; k += SampleBlock::most) {
    const SampleBlock block(*points.span, k);
    for (unsigned left = block.near(block.of(points.x), hull, sum); left != 0; left &= left - 1)
      visit(points.span->sample(k + std::countr_zero(left)));
  }
}

// False: no two of its points are nearer than that.
inline bool may_touch(const Pair& pair, const Tube& a, const Tube& b, double within) {
  return !apart(hull_of(a, pair.counts_a), hull_of(b, pair.counts_b), pair.a->largest_radius + pair.b->largest_radius + within);
}
inline bool may_touch(const Pair& pair, const Positions& x, double within) {
  return may_touch(pair, tube_of(*pair.a, x), tube_of(*pair.b, x), within);
}

template <class Work>
void visit_touches(const Pair& pair, const Positions& x, double within, const Work& work) {
  const Tube a = tube_of(*pair.a, x), b = tube_of(*pair.b, x);
  if (!may_touch(pair, a, b, within)) return;
  const auto side = [&](const Tube& points, const Tube& other, const auto& own, const auto& others, bool first) {
    visit_side(pair, points, other, first, within,
               [&](const Span::Sample& sample, const Span::Weights& weights, const Nearest& at) {
                 Touching touch;
                 touch.gap = at.gap;
                 touch.weight = 0.5 * sample.weight;
                 touch.normal = at.normal;
                 touch.centre = points.x.at(weights);
                 touch.radius = points.radius.at(weights);
                 touch.u = sample.u;
                 touch.other_u = at.u;
                 touch.of_first = first;
                 touch.curvature = elastic::link_hessian(at.normal, 0, 1 / at.distance);
                 const Span::Weights across_weights = other.span->weights(at.u), slopes = other.span->slopes(at.u);
                 for (int i = 0; i < points.span->node_count(); ++i) touch.coefficient[own[i]] += weights[i];
                 for (int i = 0; i < other.span->node_count(); ++i) touch.coefficient[others[i]] -= across_weights[i];
                 if (at.inside) {
                   const GapSlope slope = gap_slope(other, points.x.at(weights), at.u);
                   const Vec3 along = other.x.at(slopes);
                   touch.bend = slope.bend;
                   touch.along = (1 / at.distance) * (along - dot(along, at.normal) * at.normal);
                   for (int i = 0; i < other.span->node_count(); ++i) touch.slope[others[i]] += slopes[i];
                 }
                 work(touch);
               });
  };
  side(a, b, pair.slot_a, pair.slot_b, true);
  if (pair.a != pair.b) side(b, a, pair.slot_b, pair.slot_a, false);
}

}  // namespace writhe::contact
