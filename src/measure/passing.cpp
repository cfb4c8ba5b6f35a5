#include "measure/passing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace writhe::measure {

namespace {

constexpr int leaf_size = 6;  // edges
constexpr int oldest = 32;    // calls: in so many steps rods move little, and to grow a tree costs as much as all else

double along(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

}  // namespace

PassingCheck::Box PassingCheck::Box::nowhere() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  return {{inf, inf, inf}, {-inf, -inf, -inf}};
}

void PassingCheck::Box::add(const Vec3& p) {
  low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
  high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
}

void PassingCheck::Box::add(const Box& other) {
  add(other.low);
  add(other.high);
}

bool PassingCheck::Box::meets(const Box& o) const {
  return low.x <= o.high.x && o.low.x <= high.x && low.y <= o.high.y && o.low.y <= high.y && low.z <= o.high.z &&
         o.low.z <= high.z;
}

std::vector<Edge> edges_of(const Model& model) {
  std::vector<Edge> out;
  out.reserve(model.segment_count());
  for (int s = 0; s < model.segment_count(); ++s) out.push_back({model.segments().node0[s], model.segments().node1[s]});
  return out;
}

PassingCheck::PassingCheck(std::vector<Edge> edges)
    : m_edges(std::move(edges)), m_boxes(m_edges.size()), m_order(m_edges.size()) {
  std::vector<int> count;
  for (const Edge& edge : m_edges) {
    for (const int node : {edge.node0, edge.node1}) {
      if (node >= static_cast<int>(count.size())) count.resize(node + 1, 0);
      ++count[node];
    }
  }
  for (const int edges_there : count) m_is_end.push_back(edges_there == 1 ? 1 : 0);
  std::iota(m_order.begin(), m_order.end(), 0);
}

// What all edges move together is left out, or the boxes of short edges in fast flight would all meet. A little wider than the
// edges, as rounding makes of those that just touch.
void PassingCheck::swept_boxes(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  Vec3 common{0, 0, 0};
  for (const Edge& edge : m_edges)
    common += (to[edge.node0] - from[edge.node0]) / static_cast<double>(std::max<std::size_t>(m_edges.size(), 1));
  for (std::size_t e = 0; e < m_edges.size(); ++e) {
    Box box = Box::nowhere();
    for (const int node : {m_edges[e].node0, m_edges[e].node1}) {
      box.add(from[node]);
      box.add(to[node] - common);
    }
    const Vec3 extent = box.high - box.low;
    const double size = std::max({extent.x, extent.y, extent.z, std::abs(box.low.x), std::abs(box.high.x), std::abs(box.low.y),
                                  std::abs(box.high.y), std::abs(box.low.z), std::abs(box.high.z)});
    if (!std::isfinite(size)) {  // whoever made that has told; no order is to depend on it
      m_boxes[e] = {};
      continue;
    }
    const double more = 1e-12 * size;
    box.low = box.low - Vec3{more, more, more};
    box.high += Vec3{more, more, more};
    m_boxes[e] = box;
  }
}

// Halves at the median of the middles along the longest side.
int PassingCheck::grow(int begin, int end) {
  const int here = static_cast<int>(m_branches.size());
  Box middles = Box::nowhere();
  for (int i = begin; i < end; ++i) middles.add(m_boxes[m_order[i]].low + m_boxes[m_order[i]].high);
  m_branches.push_back({Box::nowhere(), begin, end, -1});
  if (end - begin <= leaf_size) return here;
  const Vec3 extent = middles.high - middles.low;
  const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
  const int half = begin + (end - begin) / 2;
  const auto middle = [&](int e) { return along(m_boxes[e].low, axis) + along(m_boxes[e].high, axis); };
  std::nth_element(m_order.begin() + begin, m_order.begin() + half, m_order.begin() + end, [&](int a, int b) {
    const double ma = middle(a), mb = middle(b);
    return ma < mb || (ma == mb && a < b);
  });
  grow(begin, half);
  const int second = grow(half, end);
  m_branches[here].second = second;
  return here;
}

// Children come after their parents.
void PassingCheck::refit() {
  for (int i = static_cast<int>(m_branches.size()) - 1; i >= 0; --i) {
    Branch& branch = m_branches[i];
    branch.box = Box::nowhere();
    if (branch.second < 0) {
      for (int k = branch.begin; k < branch.end; ++k) branch.box.add(m_boxes[m_order[k]]);
    } else {
      branch.box.add(m_branches[i + 1].box);
      branch.box.add(m_branches[branch.second].box);
    }
  }
}

void PassingCheck::add_pair(int a, int b, std::vector<std::pair<int, int>>& pairs) const {
  const Edge &p = m_edges[a], &q = m_edges[b];
  if (p.node0 == q.node0 || p.node0 == q.node1 || p.node1 == q.node0 || p.node1 == q.node1) return;
  if (m_boxes[a].meets(m_boxes[b])) pairs.emplace_back(std::min(a, b), std::max(a, b));
}

void PassingCheck::within(int branch, std::vector<std::pair<int, int>>& pairs) const {
  const Branch& own = m_branches[branch];
  if (own.second >= 0) {
    within(branch + 1, pairs);
    within(own.second, pairs);
    return across(branch + 1, own.second, pairs);
  }
  for (int i = own.begin; i < own.end; ++i)
    for (int j = i + 1; j < own.end; ++j) add_pair(m_order[i], m_order[j], pairs);
}

// The larger one is opened first.
void PassingCheck::across(int a, int b, std::vector<std::pair<int, int>>& pairs) const {
  const Branch &one = m_branches[a], &two = m_branches[b];
  if (!one.box.meets(two.box)) return;
  if (one.second < 0 && two.second < 0) {
    for (int i = one.begin; i < one.end; ++i)
      for (int j = two.begin; j < two.end; ++j) add_pair(m_order[i], m_order[j], pairs);
  } else if (two.second < 0 || (one.second >= 0 && one.end - one.begin >= two.end - two.begin)) {
    across(a + 1, b, pairs);
    across(one.second, b, pairs);
  } else {
    across(a, b + 1, pairs);
    across(a, two.second, pairs);
  }
}

const std::vector<Passing>& PassingCheck::between(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  m_found.clear();
  m_pairs.clear();
  if (m_edges.empty()) return m_found;
  swept_boxes(from, to);
  if (m_age == 0) {
    m_branches.clear();
    grow(0, static_cast<int>(m_edges.size()));
  }
  m_age = (m_age + 1) % oldest;
  refit();
  within(0, m_pairs);
  const auto moving = [&](int e) {
    const auto [p, q] = m_edges[e];
    return MovingEdge{from[p], from[q], to[p], to[q], m_is_end[p] != 0, m_is_end[q] != 0};
  };
  for (const auto& [a, b] : m_pairs) crossings_of(moving(a), moving(b), {a, b, 0, 0, 0, {0, 0, 0}}, m_found);
  std::sort(m_found.begin(), m_found.end(), [](const Passing& p, const Passing& q) {
    return std::tie(p.t, p.edge_a, p.edge_b, p.s_a) < std::tie(q.t, q.edge_a, q.edge_b, q.s_a);
  });
  return m_found;
}

std::vector<Passing> passed_through(const std::vector<Edge>& edges, const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  return PassingCheck(edges).between(from, to);
}

}  // namespace writhe::measure
