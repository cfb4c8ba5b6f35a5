// How far what moves is expected to come in a step. Contact looks for what may touch within that, and afterwards whether all has
// stayed there; what has not is looked for once more, farther. So a step that was accepted has seen everything that could be
// passed. docs/theory/contact.md, "What is looked at".
#pragma once

#include <span>
#include <vector>

#include "contact/rules.h"
#include "terms/term.h"
#include "writhe/model.h"

namespace writhe::contact {

class Reach {
 public:
  explicit Reach(const Model& model, const Rules& rules);

  // From the start of a step; see Term::begin for `tried`.
  void begin(const State& start, const ImplicitSolve& solve);
  // Where a node may come.
  const Box& box(int node) const { return m_boxes[node]; }
  // Around a span, without its radius, wherever it may come.
  Box box_of(const Span& span) const;
  // Whether all nodes are where they were expected to come at most.
  bool holds(const std::vector<Vec3>& x) const;

 private:
  std::vector<double> m_margin;  // m, per node: at rest
  std::vector<Box> m_boxes;      // per node
};

}  // namespace writhe::contact
