// Two spans that may touch, as an element of the contact term.
#pragma once

#include <array>
#include <vector>

#include "contact/gap.h"
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
};

Pair pair_of(const Span& a, const Span& b, const Neighbourhood& near, const elastic::BarrierMaterial& material);

// The points of both spans, each against the tube of the other with half of the length for which it stands. work(touching).
// within: m, gaps above are left out.
template <class Work>
void visit_touches(const Pair& pair, const Positions& x, double within, const Work& work);

// A lower bound of what part of the way from one place of the nodes to another may be gone so that no gap closes: 1 if all of it.
double safe_part(const Pair& pair, const Positions& from, const Positions& to);
// m: the smallest gap; `most` if it is no less.
double smallest_gap(const Pair& pair, const Positions& x, double most);

// ---- the rest is how -----------------------------------------------------------------------------------------------------

// A ball in which a span lies with its tube, for leaving out what is far.
struct Cover {
  Vec3 centre{};
  double radius = 0;
};
inline Cover cover_of(const Tube& tube) {
  const Points hull = hull_of(*tube.span, tube.x);
  const Vec3 centre = 0.25 * (hull.a + hull.b) + 0.25 * (hull.b + hull.c);
  return {centre, std::sqrt(std::max({dot(hull.a - centre, hull.a - centre), dot(hull.b - centre, hull.b - centre),
                                      dot(hull.c - centre, hull.c - centre)})) +
                      tube.span->largest_radius};
}

template <class Work>
void visit_side(const Pair& pair, const Tube& points, const Tube& other, bool first, double within, const Work& work) {
  const Cover cover = cover_of(other);
  for (int k = 0; k < points.span->sample_count(); ++k) {
    const Span::Sample sample = points.span->sample(k);
    const Span::Weights weights = points.span->weights(sample.u);
    const Vec3 p = points.x.at(weights);
    const double radius = points.radius.at(weights), reach = cover.radius + radius + within;
    const Vec3 to_cover = p - cover.centre;
    if (dot(to_cover, to_cover) > reach * reach) continue;
    const Parts parts = parts_of(*other.span, points.span->arc(sample.u), *pair.near, first);
    for (const Interval& part : parts.all())
      visit_nearest(other, part, p, radius, [&](const Nearest& at) {
        if (at.gap < within) work(sample, weights, at);
      });
  }
}

template <class Work>
void visit_touches(const Pair& pair, const Positions& x, double within, const Work& work) {
  const Tube a = tube_of(*pair.a, x), b = tube_of(*pair.b, x);
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
