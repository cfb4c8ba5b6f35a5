// Which spans may touch each other in a step: near linear, on several threads. docs/theory/contact.md, "Search".
#pragma once

#include <vector>

#include "base/parallel.h"
#include "contact/pair.h"
#include "contact/reach.h"
#include "contact/rules.h"
#include "contact/span_tree.h"

namespace writhe::contact {

// Of the i-th span.
Sweep sweep_of(const Rules& rules, const Reach& reach, int i);

// What it finds depends on what it is given alone: candidates, which are kept from step to step while no span has left the margin
// around where it was, are looked at once more each time.
class PairSearch {
 public:
  // Of the spans, in order: first ones ascending, and with each the second ones.
  void find(const Rules& rules, const Reach& reach, const Threads& threads, std::vector<Pair>& pairs);
  long trees() const { return m_trees; }  // how often all was searched

 private:
  // Of some of the spans, with those behind them; memory is kept.
  struct Piece {
    std::vector<int> begin;  // per span, and the end of the last: in the two that follow
    std::vector<int> others;
    std::vector<const Neighbourhood*> near;
    std::vector<int> chosen;        // which of these meet in this step
    std::vector<int> chosen_count;  // per span
    int first = 0;                  // of its pairs in the list of all
  };
  double farthest(const Rules& rules, const Threads& threads) const;
  void search(const Rules& rules, double margin, const Threads& threads);
  void collect(const Rules& rules, int p);
  void choose(int p);
  void write(const Rules& rules, int p, std::vector<Pair>& pairs) const;

  std::vector<Sweep> m_sweeps;  // per span
  std::vector<Sweep> m_kept;    // per span: as they were for the candidates, with the margin
  double m_margin = -1;         // of the largest radius of a span; below 0: there are no candidates
  long m_trees = 0, m_age = 0;  // steps since
  SpanTree m_tree;
  std::vector<Piece> m_pieces;
};

}  // namespace writhe::contact
