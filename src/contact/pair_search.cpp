#include "contact/pair_search.h"

#include <algorithm>
#include <cmath>

namespace writhe::contact {

namespace {

constexpr int spans_of_piece = 256;  // some 50 us of work

Vec3 centre(const Box& box) { return 0.5 * (box.low + box.high); }
Box halfway(const Box& a, const Box& b) { return {0.5 * (a.low + b.low), 0.5 * (a.high + b.high)}; }
double half_diagonal(const Box& box) { return 0.5 * norm(box.high - box.low); }

// m: of a point from the segment from a to b.
double off(const Vec3& point, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double whole = dot(along, along), s = dot(point - a, along);
  return norm(point - a - (whole > 0 ? std::clamp(s / whole, 0.0, 1.0) : 0.0) * along);
}

}  // namespace

// Wherever its nodes are in their boxes, a span lies in the hull of three boxes, at the middles of two segments and at the node
// between, and never takes more than half of the last: of the line between the middles of the first two it stays within the
// larger half diagonal and half of what the third one's middle is off it.
Sweep sweep_of(const Rules& rules, const Reach& reach, int i) {
  const Span& span = rules.tubes()[i];
  const Box &a = reach.box(span.node[0]), &b = reach.box(span.node[1]), &c = reach.box(span.node[2]);
  const double within = span.largest_radius + 0.5 * rules.activation(span);
  Sweep sweep;
  sweep.box = reach.box_of(span).grown(within);
  const Box first = span.kind == Span::Kind::start ? a : halfway(a, b);
  const Box last = span.kind == Span::Kind::start ? halfway(a, b) : span.kind == Span::Kind::end ? b : halfway(b, c);
  sweep.from = centre(first);
  sweep.to = centre(last);
  sweep.radius = within + std::max(half_diagonal(first), half_diagonal(last));
  if (span.kind == Span::Kind::inner)
    sweep.radius = within + std::max({half_diagonal(first), half_diagonal(b), half_diagonal(last)}) +
                   0.5 * off(centre(b), sweep.from, sweep.to);
  return sweep;
}

void PairSearch::search(const Rules& rules, int begin, int end, Piece& piece) const {
  const Spans& spans = rules.tubes();
  piece.found.clear();
  for (int i = begin; i < end; ++i) {
    // Others of one rod follow each other, and have the same rules.
    int rod = -1;
    bool touch = false;
    const Neighbourhood* near = nullptr;
    const auto add = [&](int j) {
      if (spans[j].rod != rod) {
        rod = spans[j].rod;
        touch = rules.rods_touch(spans[i].rod, rod);
        if (touch) near = &rules.neighbourhood(spans[i].rod, rod);
      }
      if (touch && may_touch(spans[i], spans[j], *near)) piece.found.push_back({i, j, near});
    };
    add(i);
    for (const int j : m_tree.behind(i)) add(j);
  }
}

void PairSearch::find(const Rules& rules, const Reach& reach, const Threads& threads, std::vector<Pair>& pairs) {
  const Spans& spans = rules.tubes();
  const int count = spans.count(), pieces = (count + spans_of_piece - 1) / spans_of_piece;
  m_sweeps.resize(static_cast<std::size_t>(count));
  m_pieces.resize(static_cast<std::size_t>(pieces));
  threads.for_each_chunk(count, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) m_sweeps[i] = sweep_of(rules, reach, i);
  });
  m_tree.build(m_sweeps, threads);
  m_tree.find(threads);
  threads.for_each(pieces,
                   [&](int p) { search(rules, p * spans_of_piece, std::min(count, (p + 1) * spans_of_piece), m_pieces[p]); });
  int sum = 0;
  for (Piece& piece : m_pieces) {
    piece.begin = sum;
    sum += static_cast<int>(piece.found.size());
  }
  pairs.resize(static_cast<std::size_t>(sum));
  threads.for_each(pieces, [&](int p) {
    int at = m_pieces[p].begin;
    for (const Found& found : m_pieces[p].found) {
      const Span &a = spans[found.first], &b = spans[found.second];
      pairs[at++] = pair_of(a, b, *found.near, rules.material(a, b));
    }
  });
}

}  // namespace writhe::contact
