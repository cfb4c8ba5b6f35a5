// Whether rods went through each other or themselves between two states: their centrelines, every node moving straight and
// evenly. It looks at nothing but positions, and so can judge any method. docs/theory/topology.md has the test.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "writhe/model.h"
#include "writhe/vec.h"

namespace writhe::measure {

struct Edge {
  int node0, node1;
};
// Of all rods: edge s is segment s.
std::vector<Edge> edges_of(const Model& model);

struct Passing {
  int edge_a, edge_b;  // a < b
  double t;            // of the step, 0 to 1
  double s_a, s_b;     // where along the edges, 0 to 1
  Vec3 place;          // m
};

// Keeps its memory from call to call.
class PassingCheck {
 public:
  explicit PassingCheck(std::vector<Edge> edges);

  // Every crossing of two edges that share no node, in the order of t. The ends of a rod (nodes of one edge) are not passed
  // where another slips round them. States that follow each other (`to` is the next `from`) miss nothing between them.
  const std::vector<Passing>& between(const std::vector<Vec3>& from, const std::vector<Vec3>& to);

 private:
  struct Box {
    Vec3 low{0, 0, 0}, high{0, 0, 0};
    static Box nowhere();
    void add(const Vec3& p);
    void add(const Box& other);
    bool meets(const Box& other) const;
  };
  // Of a tree of boxes over the edges m_order[begin] ... m_order[end - 1]; a leaf has no children, and the first child of another
  // follows it.
  struct Branch {
    Box box;
    int begin, end, second;
  };
  void swept_boxes(const std::vector<Vec3>& from, const std::vector<Vec3>& to);
  int grow(int begin, int end);
  void refit();
  void within(int branch, std::vector<std::pair<int, int>>& pairs) const;
  void across(int a, int b, std::vector<std::pair<int, int>>& pairs) const;
  void add_pair(int a, int b, std::vector<std::pair<int, int>>& pairs) const;

  std::vector<Edge> m_edges;
  std::vector<std::uint8_t> m_is_end;  // per node: of one edge only
  std::vector<Box> m_boxes;            // per edge
  std::vector<int> m_order;
  std::vector<Branch> m_branches;
  int m_age = 0;  // calls since the tree was grown; what is found does not depend on it
  std::vector<std::pair<int, int>> m_pairs;
  std::vector<Passing> m_found;
};

std::vector<Passing> passed_through(const std::vector<Edge>& edges, const std::vector<Vec3>& from, const std::vector<Vec3>& to);

// ---- one pair --------------------------------------------------------------------------------------------------------
// Two edges, each from node to node, before and after.
struct MovingEdge {
  Vec3 from0, from1, to0, to1;
  bool end0 = false, end1 = false;  // a rod ends there
};
// Adds a crossing for each time; edge_a and edge_b are left as given.
void crossings_of(const MovingEdge& a, const MovingEdge& b, Passing as, std::vector<Passing>& found);

}  // namespace writhe::measure
