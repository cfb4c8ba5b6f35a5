// The elements of terms that act on the rods of an assembly, as parts of its vectors and matrices.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "assembly/assembly.h"
#include "terms/terms.h"

namespace writhe::assembly {

// How stiffly terms resist a block, for judging what rounding errors make of forces.
struct TermStiffness {
  double own = 0;       // N/m
  double anchored = 0;  // N: the same times the coordinates of what they are fixed to
  // N/m, of nodes whose coordinates are of this size (m): what is fixed far away errs as if it were so much stiffer.
  double at(double size) const { return std::max(own, anchored / size); }
};

class Coupling {
 public:
  // Without terms there are no elements, ever.
  explicit Coupling(std::shared_ptr<Terms> terms = {}) : m_terms(std::move(terms)) {}

  // The elements of this step. True when what they couple is not what it was: then the assembly has been told, and matrices of
  // its pattern have to be made anew. All dofs are of rods of the assembly, or prescribed.
  bool set(Assembly& assembly, std::span<const TermElement> elements);
  // The same with a pattern of those elements alone whose Hessian is not 0 where find_hessians was asked since then. Of what may
  // touch in a step little does: in a heap of 50 rods factors of all that may take 14 times the work. Where elements are the
  // same in every step the pattern is of all of them, as there a good order of elimination is worth more.
  bool set_sparse(Assembly& assembly, std::span<const TermElement> elements);

  bool empty() const { return m_elements.empty(); }
  // Whether some element may limit how far a way may be gone.
  bool is_guarded() const { return m_is_guarded; }
  // Whether all elements have a potential.
  bool has_potential() const { return m_has_potential; }
  // How to eliminate what is not coupled, where rods and what couples them allow it and the order has to be found in a hurry; or
  // null. A function of the elements.
  const linalg::Runs* runs() const { return m_has_runs ? &m_runs : nullptr; }
  // Pairs of different blocks; and those of terms that couple the same in every step.
  const std::vector<std::pair<int, int>>& pairs() const { return m_pairs; }
  const std::vector<std::pair<int, int>>& lasting_pairs() const { return m_lasting_pairs; }

  // Adds energy and largest force to the sums.
  void add_gradient(const State& at, Eigen::VectorXd& gradient, Sums& sums, const GradientDetail& detail = {}) const;
  // matrix: of the assembly's pattern, or any that has the pairs.
  void add_hessian(const State& at, Curvature curvature, linalg::BlockMatrix& matrix) const;
  // Keeps the Hessians of all elements for add_found. True as for `set`, which only happens after set_sparse.
  bool find_hessians(Assembly& assembly, const State& at, Curvature curvature);
  enum class Which { all, not_guards };
  void add_found(linalg::BlockMatrix& matrix, Which which = Which::all) const;
  // Where things are kept apart on the way, or may be: see Term. `first`: per element that has some, where its own begin.
  struct GapsOf {
    int element;
    std::size_t first;
  };
  void find_gaps(const State& from, const State& to, std::vector<GapsOf>& of, std::vector<Term::Gap>& gaps) const;
  // After set_sparse: the pattern has these elements, too. True when it is another.
  bool include(Assembly& assembly, std::span<const GapsOf> elements);
  // Blocks of an element of this step; -1: prescribed.
  std::span<const int> blocks(std::size_t k) const {
    return std::span(m_blocks).subspan(m_first[k], m_first[k + 1] - m_first[k]);
  }
  // work(blocks, value) of every element that acts: its blocks (-1: prescribed) and its value.
  template <class Work>
  void visit_values(const State& at, const Work& work) const {
    for (std::size_t k = 0; k < m_elements.size(); ++k)
      if (acts(k, at)) work(blocks(k), m_terms->of(m_elements[k]).value(m_elements[k].element, at));
  }
  // work(blocks, pairs) of every element that acts: its blocks (-1: prescribed) and Hessian, as Term has it.
  template <class Work>
  void visit_hessians(const State& at, Curvature curvature, const Work& work) const {
    each_hessian(at, curvature, [&](std::size_t k, std::span<const Mat3> pairs) { work(blocks(k), pairs); });
  }
  // Adds the forces of elements without a potential; their sizes as one number (N) is returned.
  double add_forces(const State& at, Eigen::VectorXd& forces) const;
  // work(row, column, block): what the derivative of the gradient has besides the Hessian; blocks that are not prescribed.
  template <class Work>
  void visit_circulation(const State& at, const Work& work) const {
    std::array<Mat3, Term::most_dofs * Term::most_dofs> all;
    for (std::size_t k = 0; k < m_elements.size(); ++k) {
      const Term& term = m_terms->of(m_elements[k]);
      if (term.has_potential()) continue;
      const std::span<const int> own = blocks(k);
      term.circulation(m_elements[k].element, at, std::span(all).first(own.size() * own.size()));
      for (std::size_t i = 0; i < own.size(); ++i)
        for (std::size_t j = 0; j < own.size(); ++j)
          if (own[i] >= 0 && own[j] >= 0) work(own[i], own[j], all[i * own.size() + j]);
    }
  }
  // See Term; the least over the elements, and a block on which that element acts: its first that is not prescribed.
  struct SafePart {
    double part = 1;
    int block = -1;  // -1: all of the way may be gone
  };
  SafePart safe_part(const State& from, const State& to) const;
  // What is gone of a way: all, or less than the elements allow, so that where it ends nothing is about to be passed.
  double part_to_go(const State& from, const State& to) const;
  // What terms themselves lead: see Term.
  void lead(double from, double to) const {
    for (const TermElement& element : m_elements) m_terms->of(element).lead(element.element, from, to);
  }
  // work(element's dofs, meeting, value) of what keeps apart what must not meet.
  template <class Work>
  void visit_meetings(const State& at, const Work& work) const {
    for (const TermElement& element : m_elements) {
      const Term& term = m_terms->of(element);
      if (!term.guards()) continue;
      if (const Term::Meeting meeting = term.meeting(element.element, at); meeting.rod >= 0 && meeting.left < 1)
        work(term.dofs(element.element), meeting, term.value(element.element, at));
    }
  }
  // work(meeting, drawn) of what keeps apart and is drawn out at least so many times: see Term.
  template <class Work>
  void visit_drawn(const State& at, double least, const Work& work) const {
    for (const TermElement& element : m_elements) {
      const Term& term = m_terms->of(element);
      if (!term.guards()) continue;
      if (const double drawn = term.drawn(element.element, at); drawn >= least) work(term.meeting(element.element, at), drawn);
    }
  }
  // m: of what terms are fixed to.
  double largest_coordinate() const;
  // Per block: of all that acts there.
  void add_stiffness(std::vector<TermStiffness>& stiffness) const;

 private:
  bool take(Assembly& assembly, std::span<const TermElement> elements);
  bool take_pairs(Assembly& assembly);
  void add_pairs_of(std::size_t k, std::vector<std::pair<int, int>>& pairs) const;
  template <class Work>
  void each_hessian(const State& at, Curvature curvature, const Work& work) const {
    std::array<Mat3, Term::most_pairs> pairs;
    for (std::size_t k = 0; k < m_elements.size(); ++k) {
      if (!acts(k, at)) continue;
      m_terms->of(m_elements[k]).hessian(m_elements[k].element, at, curvature, pairs);
      work(k, std::span<const Mat3>(pairs).first(blocks(k).size() * (blocks(k).size() + 1) / 2));
    }
  }
  static void add_blocks(std::span<const int> own, const Mat3* pairs, linalg::BlockMatrix& matrix);
  bool acts(std::size_t k, const State& at) const { return m_terms->of(m_elements[k]).may_act(m_elements[k].element, at); }
  void add_to_pattern(std::size_t k);
  bool take_grown_pattern(Assembly& assembly);

  std::shared_ptr<Terms> m_terms;
  std::vector<TermElement> m_elements;
  std::vector<Dof> m_dofs;               // of all elements, one after the other
  std::vector<std::size_t> m_first{0};   // per element, into dofs and blocks; one more than elements
  std::vector<int> m_blocks;             // per dof; -1: prescribed
  std::vector<Dof> m_dofs_now;           // of the step that begins
  std::vector<std::size_t> m_first_now;  // likewise
  int m_segments = 0;                    // of the model: the first frame's orientation
  std::vector<std::pair<int, int>> m_pairs, m_pairs_now, m_lasting_pairs;
  struct Found {
    std::size_t element, first;  // of its pairs, in m_hessians
  };
  std::vector<Found> m_found;
  std::vector<Mat3> m_hessians;
  bool m_is_sparse = false, m_begins = false;  // since set_sparse nothing was found
  std::vector<std::uint8_t> m_in_pattern;      // per element, where it is sparse
  bool m_changing = false;                     // a term may couple others in the next step
  bool m_has_runs = false;
  bool m_has_potential = true, m_is_guarded = false;
  linalg::Runs m_runs;
};

}  // namespace writhe::assembly
