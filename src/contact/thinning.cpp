#include "contact/thinning.h"

#include <algorithm>

#include "contact/contact_term.h"
#include "model/motion.h"

namespace writhe::contact {

namespace {
// Of the activation. Nearer the barrier presses a thousand times as hard as is usual; where it begins it presses as is usual.
constexpr double too_near = 0.05, begins = 0.5;
constexpr double radii_a_second = 10;
}  // namespace

bool Thinning::begins_too_near(double gap, double activation) { return gap < too_near * activation; }

void Thinning::see(const Between& between, double gap, double activation, double radius) {
  if (!begins_too_near(gap, activation)) return;
  const One seen{between, begins * activation - gap, radii_a_second * radius};
  const auto at = std::lower_bound(m_all.begin(), m_all.end(), between,
                                   [](const One& one, const Between& wanted) { return one.between < wanted; });
  if (at == m_all.end() || at->between != between) {
    m_all.insert(at, seen);
    return;
  }
  at->least = std::max(at->least, seen.least);
  at->rate = std::min(at->rate, seen.rate);
}

double Thinning::of(const Between& between, double time) const {
  const auto at = std::lower_bound(m_all.begin(), m_all.end(), between,
                                   [](const One& one, const Between& wanted) { return one.between < wanted; });
  if (at == m_all.end() || at->between != between) return 0;
  return std::clamp(at->least - at->rate * time, 0.0, at->least);
}

double Thinning::last() const {
  double last = 0;
  for (const One& one : m_all) last = std::max(last, one.least / one.rate);
  return last;
}

double last_change(const Model& model) {
  const double led = writhe::last_change(model.scene());
  return ContactTerm::is_needed(model) ? std::max(led, ContactTerm(model).thinning().last()) : led;
}

}  // namespace writhe::contact
