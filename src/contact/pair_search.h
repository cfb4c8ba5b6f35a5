// Which spans may touch each other in a step, and which obstacles: near linear, on several threads. docs/theory/contact.md,
// "Search".
#pragma once

#include <vector>

#include "base/parallel.h"
#include "contact/pair.h"
#include "contact/reach.h"
#include "contact/rules.h"
#include "contact/span_tree.h"

namespace writhe::contact {

// All places to which span i may come within the step.
Sweep sweep_of(const Rules& rules, const Reach& reach, int i);

class PairSearch {
 public:
  // Of the spans, in order: first ones ascending, and with each the second ones.
  void find(const Rules& rules, const Reach& reach, const Threads& threads, std::vector<Pair>& pairs);

 private:
  struct Found {
    int first, second;
    const Neighbourhood* near;
  };
  // What a piece of the spans finds; its memory is kept.
  struct Piece {
    std::vector<Found> found;
    int begin = 0;  // of its pairs in the list of all
  };
  void search(const Rules& rules, int begin, int end, Piece& piece) const;

  std::vector<Sweep> m_sweeps;  // per span
  SpanTree m_tree;
  std::vector<Piece> m_pieces;
};

}  // namespace writhe::contact
