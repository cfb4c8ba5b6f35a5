// Where the spans are that may meet one: a tree of boxes over all of them, built anew in every step. docs/theory/contact.md,
// "Search".
//
// Spans lie in the order of a space-filling curve, eight to a block, blocks eight to a block, and so on. The order is an old one
// while it is still good: what is found does not depend on it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "contact/span_tree_kernel.h"

namespace writhe::contact {

class SpanTree {
 public:
  void build(const std::vector<Sweep>& sweeps, const Threads& threads);
  // All pairs of different spans that may meet: with each the spans behind it, ascending.
  void find(const Threads& threads);
  std::span<const int> behind(int i) const { return std::span(m_behind).subspan(m_begin[i], m_begin[i + 1] - m_begin[i]); }

 private:
  void lay_out(int count);
  void sort(const std::vector<Sweep>& sweeps);
  double enclose(int level, const Threads& threads);

  struct Keyed {
    std::uint64_t key;
    int span;
  };
  std::vector<std::vector<double>> m_boxes;  // per level
  std::vector<double> m_tubes;
  std::vector<int> m_order;  // spans; what fills up the last block is -1
  std::vector<Keyed> m_keyed, m_spare;
  SpanBlocks m_blocks;
  // What a piece of the blocks finds: a lower and a higher span each. Its memory is kept.
  struct Piece {
    std::vector<int> pairs;
    int count = 0;
  };
  void search(int piece);

  std::vector<Piece> m_pieces;
  std::vector<int> m_begin, m_behind;    // per span where its list begins, and the end of the last; all lists
  double m_size = 0, m_size_sorted = 0;  // m: of all blocks of spans
};

}  // namespace writhe::contact
