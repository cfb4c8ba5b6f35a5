// How far a way may be gone so that a gap does not close: conservative advancement (Mirtich 1996; Li, Kaufman, Jiang 2021).
// In a part t of the way a gap loses no more than t times what the two sides move against each other, so that much less than it
// may be gone, and then it is looked at again. docs/theory/contact.md, "Nothing passes".
#pragma once

#include <algorithm>

namespace writhe::contact {

// gap(t): m, after that part of the way. speed: m, the most that any two points of the two sides move against each other on all
// of it. most: the part beyond which nobody asks. Ends when the gap is about a tenth of what it was.
template <class Gap>
double advanced(double speed, double most, const Gap& gap) {
  constexpr double left_over = 0.1;
  constexpr int most_looks = 200;
  double now = gap(0);
  if (!(now > 0)) return 0;
  const double least = left_over * now;
  double t = 0;
  for (int i = 0; i < most_looks; ++i) {
    if ((most - t) * speed < now - least) return most;
    t += (now - least) / speed;
    now = gap(t);
    if (now < 2 * least) break;
  }
  return std::min(t, most);
}

}  // namespace writhe::contact
