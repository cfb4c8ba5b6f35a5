#include "contact/box_tree.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace writhe::contact {

namespace {

Box joined(const Box& a, const Box& b) {
  return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
          {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}

int widest(const Vec3& size) { return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2; }
std::array<double, 3> twice_the_centre(const Box& box) {
  return {box.low.x + box.high.x, box.low.y + box.high.y, box.low.z + box.high.z};
}

}  // namespace

// Halves by number along the widest extent, the first half right after its parent.
BoxTree::BoxTree(const std::vector<Box>& boxes) {
  std::vector<int> order(boxes.size());
  std::iota(order.begin(), order.end(), 0);
  m_nodes.reserve(2 * boxes.size());
  const auto build = [&](const auto& self, int begin, int end) -> void {
    const auto at = m_nodes.size();
    m_nodes.push_back({boxes[order[begin]], -1 - order[begin]});
    for (int k = begin + 1; k < end; ++k) m_nodes[at].box = joined(m_nodes[at].box, boxes[order[k]]);
    if (end - begin == 1) return;
    const int axis = widest(m_nodes[at].box.high - m_nodes[at].box.low), middle = begin + (end - begin) / 2;
    std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end, [&](int a, int b) {
      const double x = twice_the_centre(boxes[a])[axis], y = twice_the_centre(boxes[b])[axis];
      return x != y ? x < y : a < b;
    });
    self(self, begin, middle);
    m_nodes[at].other = static_cast<int>(m_nodes.size());
    self(self, middle, end);
  };
  if (!boxes.empty()) build(build, 0, static_cast<int>(boxes.size()));
}

}  // namespace writhe::contact
