#include "contact/pair_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace writhe::contact {

namespace {

constexpr int spans_of_piece = 256;  // some 50 us of work
// Of the radius: how far things may move while candidates are kept. More makes more candidates, which are looked at in each step.
constexpr double kept_margin = 0.25;
// Of that margin, a step: where spans move more, candidates would not be kept for long enough to pay, and there is no margin.
constexpr double worth_keeping = 0.3;
constexpr double used_margin = 0.9;  // what is left is far above rounding

Vec3 centre(const Box& box) { return 0.5 * (box.low + box.high); }
Box halfway(const Box& a, const Box& b) { return {0.5 * (a.low + b.low), 0.5 * (a.high + b.high)}; }
double half_diagonal(const Box& box) { return 0.5 * norm(box.high - box.low); }

// m: of a point from the segment from a to b.
double off(const Vec3& point, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double whole = dot(along, along), s = dot(point - a, along);
  return norm(point - a - (whole > 0 ? std::clamp(s / whole, 0.0, 1.0) : 0.0) * along);
}

Sweep grown(Sweep sweep, double by) {
  for (int k = 0; k < 3; ++k) {
    sweep.box[k] -= by;
    sweep.box[k + 3] += by;
  }
  sweep.tube[6] += by;
  return sweep;
}

// m: by how much a sweep must be grown to hold another; below 0 where it is larger than that.
double excess(const Sweep& held, const Sweep& by) {
  double most = held.tube[6] - by.tube[6];
  for (int k = 0; k < 3; ++k) most = std::max({most, by.box[k] - held.box[k], held.box[k + 3] - by.box[k + 3]});
  const auto from = [](const Sweep& s) { return Vec3{s.tube[0], s.tube[1], s.tube[2]}; };
  const auto to = [](const Sweep& s) { return Vec3{s.tube[0] + s.tube[3], s.tube[1] + s.tube[4], s.tube[2] + s.tube[5]}; };
  const double moved = std::max(norm(from(held) - from(by)), norm(to(held) - to(by)));
  return std::max(most, moved + held.tube[6] - by.tube[6]);
}

}  // namespace

// Wherever its nodes are in their boxes, a span lies in the hull of three boxes, at the middles of two segments and at the node
// between, and never takes more than half of the last: of the line between the middles of the first two it stays within the
// largest half diagonal and half of what the third one's middle is off it.
Sweep sweep_of(const Rules& rules, const Reach& reach, int i) {
  const Span& span = rules.tubes()[i];
  const Box &a = reach.box(span.node[0]), &b = reach.box(span.node[1]), &c = reach.box(span.node[2]);
  const double within = span.largest_radius + 0.5 * rules.activation(span);
  const Box box = reach.box_of(span).grown(within);
  const Box first = span.kind == Span::Kind::start ? a : halfway(a, b);
  const Box last = span.kind == Span::Kind::start ? halfway(a, b) : span.kind == Span::Kind::end ? b : halfway(b, c);
  const Vec3 from = centre(first), to = centre(last);
  double radius = std::max(half_diagonal(first), half_diagonal(last));
  if (span.kind == Span::Kind::inner) radius = std::max(radius, half_diagonal(b)) + 0.5 * off(centre(b), from, to);
  const Vec3 way = to - from;
  return {{box.low.x, box.low.y, box.low.z, box.high.x, box.high.y, box.high.z},
          {from.x, from.y, from.z, way.x, way.y, way.z, within + radius, static_cast<double>(i),
           1 / std::max(dot(way, way), 1e-300)}};
}

// How far the one that went farthest is from where its candidates were looked for, over its share of a margin of 1.
double PairSearch::farthest(const Rules& rules, const Threads& threads) const {
  return threads.largest(rules.tubes().count(), [&](int begin, int end) {
    double most = 0;
    for (int i = begin; i < end; ++i) {
      const double share = rules.tubes()[i].largest_radius, out = excess(m_sweeps[i], m_kept[i]) + m_margin * share;
      most = std::max(most, out / share);
      if (!(out <= 1e300)) return 1e300;  // not a number
    }
    return most;
  });
}

void PairSearch::search(const Rules& rules, double margin, const Threads& threads) {
  const int count = rules.tubes().count();
  m_margin = margin;
  m_age = 0;
  ++m_trees;
  m_kept.resize(m_sweeps.size());
  threads.for_each_chunk(count, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) m_kept[i] = grown(m_sweeps[i], margin * rules.tubes()[i].largest_radius);
  });
  m_tree.build(m_kept, threads);
  m_tree.find(threads);
  threads.for_each(static_cast<int>(m_pieces.size()), [&](int p) { collect(rules, p); });
}

// Of those that the tree finds, what the rules say may touch.
void PairSearch::collect(const Rules& rules, int p) {
  const Spans& spans = rules.tubes();
  const int end = std::min(spans.count(), (p + 1) * spans_of_piece);
  Piece& piece = m_pieces[p];
  piece.begin.clear();
  piece.others.clear();
  piece.near.clear();
  for (int i = p * spans_of_piece; i < end; ++i) {
    piece.begin.push_back(static_cast<int>(piece.others.size()));
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
      if (!touch || !may_touch(spans[i], spans[j], *near)) return;
      piece.others.push_back(j);
      piece.near.push_back(near);
    };
    add(i);
    for (const int j : m_tree.behind(i)) add(j);
  }
  piece.begin.push_back(static_cast<int>(piece.others.size()));
}

// Of the candidates, what meets in this step.
void PairSearch::choose(int p) {
  Piece& piece = m_pieces[p];
  const int spans = static_cast<int>(piece.begin.size()) - 1;
  piece.chosen.resize(piece.others.size());
  piece.chosen_count.resize(static_cast<std::size_t>(spans));
  if (m_margin == 0 && m_age == 0) {  // found just now as they are
    std::iota(piece.chosen.begin(), piece.chosen.end(), 0);
    for (int k = 0; k < spans; ++k) piece.chosen_count[k] = piece.begin[k + 1] - piece.begin[k];
    return;
  }
  int sum = 0;
  for (int k = 0; k < spans; ++k) {
    const int begin = piece.begin[k], count = piece.begin[k + 1] - begin;
    int* const chosen = piece.chosen.data() + sum;
    const int found = span_kernel().choose(m_sweeps.data(), p * spans_of_piece + k, piece.others.data() + begin, count, chosen);
    for (int m = 0; m < found; ++m) chosen[m] += begin;
    piece.chosen_count[k] = found;
    sum += found;
  }
  piece.chosen.resize(static_cast<std::size_t>(sum));
}

void PairSearch::write(const Rules& rules, int p, std::vector<Pair>& pairs) const {
  const Spans& spans = rules.tubes();
  const Piece& piece = m_pieces[p];
  int at = 0;
  for (std::size_t k = 0; k < piece.chosen_count.size(); ++k) {
    const Span& a = spans[p * spans_of_piece + static_cast<int>(k)];
    for (int m = 0; m < piece.chosen_count[k]; ++m, ++at) {
      const int which = piece.chosen[at];
      const Span& b = spans[piece.others[which]];
      pairs[piece.first + at] = pair_of(a, b, *piece.near[which], rules.material(a, b));
    }
  }
}

void PairSearch::find(const Rules& rules, const Reach& reach, const Threads& threads, std::vector<Pair>& pairs) {
  const int count = rules.tubes().count(), pieces = (count + spans_of_piece - 1) / spans_of_piece;
  m_sweeps.resize(static_cast<std::size_t>(count));
  m_pieces.resize(static_cast<std::size_t>(pieces));
  threads.for_each_chunk(count, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) m_sweeps[i] = sweep_of(rules, reach, i);
  });
  ++m_age;
  if (m_margin < 0) {
    search(rules, kept_margin, threads);
  } else if (const double moved = farthest(rules, threads); moved > used_margin * m_margin) {
    search(rules, moved <= worth_keeping * kept_margin * static_cast<double>(m_age) ? kept_margin : 0, threads);
  }
  threads.for_each(pieces, [&](int p) { choose(p); });
  int sum = 0;
  for (Piece& piece : m_pieces) {
    piece.first = sum;
    sum += static_cast<int>(piece.chosen.size());
  }
  pairs.resize(static_cast<std::size_t>(sum));
  threads.for_each(pieces, [&](int p) { write(rules, p, pairs); });
}

}  // namespace writhe::contact
