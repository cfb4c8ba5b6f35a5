// Which parts of a rod count against a point of it, or of a rod joined to it: those more than pi r of arc length away, as a rod
// can bend no tighter than to its own radius. By arc length and not by a number of segments, so that the mesh does not matter.
// docs/theory/contact.md, "Neighbours".
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/gap.h"

namespace writhe::contact {

// Places at which two rods (or one, with itself) are one: a point at arc length a of the first is nearer than `reach` to one at b
// of the second where |a - at_a| + |b - at_b| < reach. m, rest.
struct Meeting {
  double at_a = 0, at_b = 0;
};

// How two rods are left out of contact near each other.
struct Neighbourhood {
  double reach = 0;                   // m, of arc length
  bool same = false;                  // one rod: then every point of it is where it meets itself
  double around_a = 0, around_b = 0;  // m: lengths of those that are rings, else 0
  std::vector<Meeting> meetings;
};

// What is left of a span, in order.
class Parts {
 public:
  explicit Parts(const Span& span);
  void cut(const Span& span, double from, double to);  // arc lengths, m
  std::span<const Interval> all() const { return std::span(m_parts).first(m_count); }
  bool empty() const { return m_count == 0; }

 private:
  static constexpr int most = 6;
  std::array<Interval, most> m_parts;
  int m_count = 1;
};

// The parts of `span` that count against the point at `arc` of the other rod (or the same). first: the point is on the first of
// the two rods of the neighbourhood.
Parts parts_of(const Span& span, double arc, const Neighbourhood& near, bool first);
// Whether there is a point on either span for which some of the other is left.
bool may_touch(const Span& a, const Span& b, const Neighbourhood& near);

}  // namespace writhe::contact
