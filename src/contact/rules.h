// What a model says of contact once and for all: its spans, which rods touch which, and how stiffly. docs/theory/contact.md.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "contact/neighbours.h"
#include "contact/span.h"
#include "elastic/barrier.h"

namespace writhe::contact {

class Rules {
 public:
  explicit Rules(const Model& model);

  const Spans& spans() const { return m_spans; }
  // As rods touch each other: half of Contact::thickness is their radius, where the scene gives one. Numbered as spans().
  const Spans& tubes() const { return m_thick ? *m_thick : m_spans; }
  bool rods_touch() const { return m_rods_touch; }
  bool rods_touch(int a, int b) const;

  // m: below this gap they press. In proportion to the thinner of what meets.
  double activation(const Span& a, const Span& b) const;
  double activation(const Span& a) const { return activation_at_obstacle(a); }
  static double activation_at_obstacle(const Span& a);
  // press: N/m, a force per length that it has to hold in this step; it holds what is usual in any case.
  elastic::BarrierMaterial material(const Span& a, const Span& b, double press = 0) const;
  elastic::BarrierMaterial material(const Span& a, double press = 0) const;

  // Of two rods, or of one with itself.
  const Neighbourhood& neighbourhood(int a, int b) const { return m_neighbours.of(a, b); }

 private:
  Spans m_spans;
  std::optional<Spans> m_thick;
  bool m_rods_touch = false, m_self = false, m_all = false;
  std::vector<std::pair<int, int>> m_touching;  // ascending, with Between::pairs
  std::vector<double> m_press;                  // N/m, per rod: a force per length that is usual on it
  double m_stiffness = 0;                       // N/m^2, of the scene; 0: from what is usual
  Neighbours m_neighbours;
};

// N/m: a force per length that is usual on a rod. Between what loads it per length, and what bends it to a hundredth of the
// curvature that it can have at most, B/(100 r^3), at the geometric mean: contact of rods that only lie there and of knots differ
// by up to ten powers of ten, and the barrier holds both between nothing and all of its width.
double usual_press(const Model& model, int rod);

}  // namespace writhe::contact
