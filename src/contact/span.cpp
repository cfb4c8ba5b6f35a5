#include "contact/span.h"

namespace writhe::contact {

namespace {
// Of the radius, between samples: where rods cross at a right angle and touch by 1% of the radius each, what presses is some 0.4
// radii long, and its sum over samples ripples by less than 1%.
constexpr double spacing = 0.125;
constexpr double most_samples = 1e6;  // what a model lets touch has fewer; a rod without a radius would have no end of them
}  // namespace

Span::Sample Span::sample(int k) const {
  const double h = 1.0 / samples;
  if (kind == Kind::inner) {
    const double u = (k + 0.5) * h;
    return {u, h * arc_slope(u)};
  }
  const bool at_end = k == 0 || k == samples;
  const double u = k * h;
  return {u, (at_end ? 0.5 : 1) * h * arc_slope(u)};
}

Spans::Spans(const Model& model, std::optional<double> given) {
  const Segments& segments = model.segments();
  for (int rod = 0; rod < static_cast<int>(model.rods().size()); ++rod) {
    m_first.push_back(count());
    const RodRange& range = model.rods()[rod];
    const int n = range.segment_count;
    const auto length = [&](int k) { return segments.length[range.first_segment + (k + n) % n]; };
    const auto own_radius = [&](int k) { return given.value_or(segments.half_extent[range.first_segment + (k + n) % n].z); };
    const auto radius = [&](int k) {  // of the k-th node
      if (range.closed) return 0.5 * (own_radius(k - 1) + own_radius(k));
      return k == 0 ? own_radius(0) : k == n ? own_radius(n - 1) : 0.5 * (own_radius(k - 1) + own_radius(k));
    };
    const auto add = [&](Span::Kind kind, int first, double start, double length0, double length1) {
      Span span;
      span.kind = kind;
      span.rod = rod;
      for (int i = 0; i < 3; ++i) {
        const int k = first + std::min(i, span.node_count() - 1);
        span.node[i] = model.node_of(rod, range.closed ? (k + n) % n : k);
        span.radius[i] = radius(range.closed ? (k + n) % n : k);
      }
      span.smallest_radius = std::min({span.radius[0], span.radius[1], span.radius[2]});
      span.largest_radius = std::max({span.radius[0], span.radius[1], span.radius[2]});
      span.start = start;
      span.length0 = length0;
      span.length1 = length1;
      span.samples =
          std::max(1, static_cast<int>(std::min(std::ceil(span.length() / (spacing * span.smallest_radius)), most_samples)));
      m_spans.push_back(span);
    };
    double arc = 0;
    if (!range.closed) add(Span::Kind::start, 0, 0, 0.5 * length(0), 0.5 * length(0));
    if (range.closed) add(Span::Kind::inner, -1, -0.5 * length(-1), length(-1), length(0));
    for (int k = 1; k < n; ++k) {
      arc += length(k - 1);
      add(Span::Kind::inner, k - 1, arc - 0.5 * length(k - 1), length(k - 1), length(k));
    }
    if (!range.closed) add(Span::Kind::end, n - 1, arc + 0.5 * length(n - 1), 0.5 * length(n - 1), 0.5 * length(n - 1));
  }
  m_first.push_back(count());
}

}  // namespace writhe::contact
