// Boxes that stay where they are, in a binary tree: which of them meet a box, which is nearest to a point.
#pragma once

#include <limits>
#include <vector>

#include "contact/convex_shapes.h"
#include "contact/span.h"

namespace writhe::contact {

class BoxTree {
 public:
  BoxTree() = default;
  explicit BoxTree(const std::vector<Box>& boxes);

  Box bounds() const { return m_nodes.empty() ? Box{} : m_nodes[0].box; }

  // visit(i) for each box that meets `box`, in no order.
  template <class Visit>
  void for_each_in(const Box& box, const Visit& visit) const {
    walk([&](const Box& here) { return here.meets(box); }, visit);
  }

  // The least distance(i) (m, no less than that of the i-th box from the point); infinite without boxes.
  template <class Distance>
  double nearest(const Vec3& point, const Distance& distance) const {
    double least = std::numeric_limits<double>::infinity();
    walk([&](const Box& here) { return distance_to_box(point, here) < least; },
         [&](int i) { least = std::min(least, distance(i)); }, &point);
    return least;
  }

 private:
  struct Node {
    Box box;
    int other = 0;  // the second child of two, the first is the next node; in a leaf -1 - its box
  };

  // Whatever is in boxes that are `wanted`; of two children the one nearer to `from` first, where there is a point.
  template <class Wanted, class Visit>
  void walk(const Wanted& wanted, const Visit& visit, const Vec3* from = nullptr) const {
    if (m_nodes.empty()) return;
    int todo[64];  // halves of halves: no deeper than the bits of a number
    int count = 0;
    todo[count++] = 0;
    while (count > 0) {
      const int at = todo[--count];
      const Node& node = m_nodes[at];
      if (!wanted(node.box)) continue;
      if (node.other < 0) {
        visit(-1 - node.other);
        continue;
      }
      const bool swapped =
          from != nullptr && distance_to_box(*from, m_nodes[node.other].box) < distance_to_box(*from, m_nodes[at + 1].box);
      todo[count++] = swapped ? at + 1 : node.other;
      todo[count++] = swapped ? node.other : at + 1;
    }
  }

  std::vector<Node> m_nodes;
};

}  // namespace writhe::contact
