// Links between places of rods, or a place and a fixed point, as a term.
#pragma once

#include <vector>

#include "elastic/link.h"
#include "terms/term.h"
#include "writhe/model.h"

namespace writhe {

class LinkTerm final : public Term {
 public:
  explicit LinkTerm(const Model& model);

  void begin(const State& start, std::span<const double> remembered, const ImplicitSolve& solve) override;
  bool couples_the_same() const override { return true; }
  int element_count() const override { return static_cast<int>(m_links.size()); }
  std::span<const Dof> dofs(int element) const override;
  double stiffness(int element) const override { return m_links[element].now.stiffness; }
  double coordinate(int element) const override { return m_links[element].anchor; }
  Value value(int element, const State& state) const override;
  void hessian(int element, const State& state, Curvature curvature, std::span<Mat3> pairs) const override;
  double take_mean(int element, const State& start, const State& middle, const State& end) override;

 private:
  // The way from end to end is the sum of weight * position over the dofs, from `first` on, and `fixed`.
  struct Link {
    int first = 0, count = 0;
    Vec3 fixed{};               // m
    double anchor = 0;          // m: its largest coordinate
    elastic::LinkMaterial own;  // in this step
    elastic::LinkMaterial now;  // the same with its damping
    double slowing = 0;         // N/m: damping over the length of the implicit solve
    double start = 0;           // m: length at the start of the step
    // Midpoint rule, see take_mean: what a tether that turns is longer at both ends, in the mean, than in the middle, m; and by
    // how much its mean tension is more than that of one which does not turn, N.
    double turned = 0, excess = 0;
  };
  elastic::LinkValue at(const Link& link, double length) const {
    return m_middle ? elastic::mean_value(length + link.turned, link.start, link.own, link.slowing)
                    : elastic::link_value(length, link.now);
  }
  Vec3 way(const Link& link, const State& at) const;

  const Model* m_model;
  bool m_middle = false;  // lengths are those in the middle of the step
  std::vector<Link> m_links;
  std::vector<Dof> m_dofs;
  std::vector<double> m_weights;
};

}  // namespace writhe
