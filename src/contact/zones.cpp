#include "contact/zones.h"

#include <algorithm>
#include <cmath>

namespace writhe::contact {

namespace {

// Where on a span an arc length is.
double parameter_of(const Span& span, double arc) {
  const double way = arc - span.start, growth = span.length1 - span.length0;
  const double root = std::sqrt(std::max(span.length0 * span.length0 + 2 * growth * way, 0.0));
  return std::clamp(2 * way / (span.length0 + root), 0.0, 1.0);
}

// Of two places along a rod, on the shorter way round if it is a ring.
double apart(double a, double b, double around) {
  const double way = std::abs(a - b);
  return around > 0 ? std::abs(way - around * std::round(way / around)) : way;
}

// The arc length, of all that are the same place of a ring, that is nearest to the middle of the span.
double brought_near(double arc, const Span& span, double around) {
  if (around == 0) return arc;
  const double middle = span.start + 0.5 * span.length();
  return arc + around * std::round((middle - arc) / around);
}

void cut_around(Parts& parts, const Span& span, double arc, double reach, double around) {
  if (reach <= 0) return;
  const double at = brought_near(arc, span, around);
  parts.cut(span, at - reach, at + reach);
  if (around > 0 && 2 * reach + span.length() > around) {  // a small ring: its far side as well
    parts.cut(span, at - reach - around, at + reach - around);
    parts.cut(span, at - reach + around, at + reach + around);
  }
}

}  // namespace

Parts::Parts(const Span& span) : m_parts{} { m_parts[0] = {0, 1, span.kind == Span::Kind::start, span.kind == Span::Kind::end}; }

void Parts::cut(const Span& span, double from, double to) {
  const double end = span.start + span.length();
  if (to <= span.start || from >= end) return;
  const double low = from <= span.start ? 0 : parameter_of(span, from), high = to >= end ? 1 : parameter_of(span, to);
  std::array<Interval, most> left{};
  int count = 0;
  for (const Interval& part : all()) {
    if (part.from < low) left[count++] = {part.from, std::min(part.to, low), part.ends_from, part.to > low || part.ends_to};
    if (part.to > high && count < most)
      left[count++] = {std::max(part.from, high), part.to, part.from < high || part.ends_from, part.ends_to};
    if (count == most) break;
  }
  m_parts = left;
  m_count = count;
}

Parts parts_of(const Span& span, double arc, const Neighbourhood& near, bool first) {
  Parts parts(span);
  if (near.same) cut_around(parts, span, arc, near.reach, near.around_a);
  const double around = first ? near.around_a : near.around_b, other_around = first ? near.around_b : near.around_a;
  for (const Meeting& meeting : near.meetings) {
    const double here = first ? meeting.at_a : meeting.at_b, there = first ? meeting.at_b : meeting.at_a;
    cut_around(parts, span, there, near.reach - apart(arc, here, around), other_around);
  }
  return parts;
}

namespace {
double middle(const Span& span) { return span.start + 0.5 * span.length(); }

// Whether all of both spans is nearer than `reach` by way of a place where the rods meet.
bool all_near(const Span& a, const Span& b, const Neighbourhood& near, const Meeting& meeting) {
  return apart(middle(a), meeting.at_a, near.around_a) + apart(middle(b), meeting.at_b, near.around_b) +
             0.5 * (a.length() + b.length()) <
         near.reach;
}
}  // namespace

bool may_touch(const Span& a, const Span& b, const Neighbourhood& near) {
  if (std::any_of(near.meetings.begin(), near.meetings.end(),
                  [&](const Meeting& meeting) { return all_near(a, b, near, meeting); }))
    return false;
  return !near.same || apart(middle(a), middle(b), near.around_a) + 0.5 * (a.length() + b.length()) > near.reach;
}

}  // namespace writhe::contact
