// Contact as a term: rods against themselves, each other and obstacles. docs/theory/contact.md.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "contact/impact.h"
#include "contact/pair_search.h"
#include "contact/passage.h"
#include "contact/reach.h"
#include "contact/rules.h"
#include "contact/thinning.h"
#include "contact/wall.h"
#include "contact/wall_search.h"
#include "terms/term.h"
#include "writhe/model.h"

namespace writhe::contact {

// Its elements are pairs of spans and then spans at obstacles, in order; which, depends on the start of the step alone.
class ContactTerm final : public Term {
 public:
  explicit ContactTerm(const Model& model, const Threads& threads = Threads(1));
  static bool is_needed(const Model& model);
  static int place_among_terms(const Model& model);  // and in State::memory

  void begin(const State& start, std::span<const double> remembered, const ImplicitSolve& solve) override;
  void remember(const State& /*end*/, std::vector<double>& memory) const override { m_impact.write(memory); }
  // As the step that ended here had it, for those that look on: with barriers as stiff as they were.
  void look_at(const State& end);
  bool has_seen(const std::vector<Vec3>& end) const override { return m_reach.holds(end); }
  int element_count() const override { return static_cast<int>(m_pairs.size() + m_walls.size()); }
  std::span<const Dof> dofs(int element) const override;
  double stiffness(int element) const override;
  double coordinate(int element) const override;
  bool may_act(int element, const State& at) const override;
  Value value(int element, const State& at) const override;
  void hessian(int element, const State& at, Curvature curvature, std::span<Mat3> pairs) const override;
  bool guards() const override { return true; }
  double safe_part(int element, const State& from, const State& to) const override;
  void find_gaps(int element, const State& from, const State& to, std::vector<Gap>& gaps) const override;
  bool ends_safely(int, const State&, const State&) const override { return true; }  // safe parts are those of the end
  bool is_passed(int element, const std::vector<Vec3>& start, const std::vector<Vec3>& end) const override;
  void lead(int element, double from, double to) override;
  Meeting meeting(int element, const State& at) const override;
  double drawn(int element, const State& at) const override;
  double take_mean(int element, const State& start, const State& middle, const State& end) override;

  // What an element is of: a pair of spans, or a span and an obstacle.
  struct Between {
    const Span* a;
    const Span* b;  // null: an obstacle
    int obstacle;   // -1: none
  };
  Between between(int element) const;
  const Thinning& thinning() const { return m_thinning; }
  // work(material, touching) of every point of an element that presses.
  template <class Work>
  void visit(int element, const State& at, const Work& work) const {
    visit(element, at, 0, work);
  }
  // The same of every point that would press if its gap were smaller by so much, m.
  template <class Work>
  void visit(int element, const State& at, double closer, const Work& work) const;

 private:
  // Where an obstacle goes in this step.
  struct Way {
    Vec3 centre_from{}, centre_to{};  // m
    Quat turn_from{1, 0, 0, 0}, turn_to{1, 0, 0, 0};
    Vec3 centre{};  // m, as it stands in the scene
    bool moves = false;
    Pose at(double part) const;
  };
  // How far along that the element takes it, where a way begins and ends.
  struct Led {
    double from = 0, to = 1;
  };

  const Pair* pair_at(int element) const { return element < static_cast<int>(m_pairs.size()) ? &m_pairs[element] : nullptr; }
  int wall_index(int element) const { return element - static_cast<int>(m_pairs.size()); }
  std::span<const int> features_of(const Wall& wall) const {
    return std::span(m_features).subspan(wall.first, wall.feature_count);
  }
  void find(const State& start, const ImplicitSolve& solve);
  void stiffen();
  void find_pairs();
  void find_walls();
  void find_thinning(const State& start);
  void thin(double from, double to);
  Thinning::Between thinned_between(int element) const;
  Thinned thinned(int element) const;  // where it is led from, and to
  bool is_added(int element) const { return !m_is_added.empty() && m_is_added[element] != 0; }
  Passage passage_of(int element, const Touching& touch, const State& middle) const;
  Positions ends(const State& at) const { return {&at.x, m_middle ? &m_start : nullptr}; }
  Share share() const { return m_middle ? Share{0.5, 2} : Share{}; }

  const Model* m_model;
  Threads m_threads;
  Rules m_rules;
  Reach m_reach;
  Impact m_impact;
  std::vector<Impact::Way> m_moving;  // per obstacle
  std::vector<ObstacleShape> m_shapes;
  Roots m_roots;
  std::vector<Way> m_ways;   // per obstacle
  std::vector<Box> m_boxes;  // per span
  PairSearch m_pair_search;
  WallSearch m_wall_search;
  std::vector<Passing> m_passing;  // per obstacle
  std::vector<Pair> m_pairs;
  std::vector<Wall> m_walls;
  std::vector<Led> m_led;  // per element
  Thinning m_thinning;
  std::vector<Thinned> m_thinned;  // per element, in this step; empty: none is
  std::vector<int> m_features;
  // With the midpoint rule: per node where the step began, and per element what is added to its gradient, N (see take_mean).
  std::vector<Vec3> m_start;
  using Added = std::array<Vec3, Touching::most>;
  std::vector<Added> m_added;
  std::vector<char> m_is_added;
  bool m_middle = false;
};

template <class Work>
void ContactTerm::visit(int element, const State& at, double closer, const Work& work) const {
  const double more = thinned(element).to;
  if (const Pair* pair = pair_at(element)) {
    visit_touches(*pair, ends(at), pair->material.activation + closer - more, [&](Touching& touch) {
      touch.gap += more;
      work(pair->material, touch);
    });
    return;
  }
  const Wall& wall = m_walls[wall_index(element)];
  const Placed obstacle{&m_shapes[wall.obstacle], m_ways[wall.obstacle].at(m_led[element].to)};
  visit_touches(wall, features_of(wall), obstacle, ends(at), wall.material.activation + closer - more, [&](Touching& touch) {
    touch.gap += more;
    work(wall.material, touch);
  });
}

}  // namespace writhe::contact
