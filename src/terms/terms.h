// The terms of a model.
#pragma once

#include <compare>
#include <memory>
#include <utility>
#include <vector>

#include "terms/term.h"
#include "writhe/model.h"

namespace writhe {

// An element of one of several terms.
struct TermElement {
  int term = 0, element = 0;
  friend auto operator<=>(const TermElement&, const TermElement&) = default;
};

class Terms {
 public:
  void add(std::unique_ptr<Term> term) { m_terms.push_back(std::move(term)); }
  bool empty() const { return m_terms.empty(); }
  std::size_t size() const { return m_terms.size(); }
  Term& operator[](std::size_t i) { return *m_terms[i]; }
  const Term& operator[](std::size_t i) const { return *m_terms[i]; }
  Term& of(const TermElement& element) { return *m_terms[element.term]; }
  const Term& of(const TermElement& element) const { return *m_terms[element.term]; }

  void begin(const State& start, const ImplicitSolve& solve);
  void remember(State& end) const;                     // into its memory
  bool have_seen(const std::vector<Vec3>& end) const;  // see Term::has_seen

 private:
  std::vector<std::unique_ptr<Term>> m_terms;
  mutable std::vector<double> m_kept;  // of one term, on its way into a state
};

}  // namespace writhe
