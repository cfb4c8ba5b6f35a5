#include "contact/contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "contact/contact_term.h"
#include "model/at_place.h"

namespace writhe::contact {

Contacts::Contacts(const Model& model)
    : m_model(&model),
      m_term(std::make_unique<ContactTerm>(model)),
      m_on_rod(model.rods().size()),
      m_on_obstacle(model.scene().obstacles.size()) {
  for (const RodRange& rod : model.rods()) {
    m_arc.push_back(0);
    for (int k = 0; k < rod.segment_count; ++k) m_arc.push_back(m_arc.back() + model.segments().length[rod.first_segment + k]);
  }
  m_along.resize(m_arc.size());
}

Contacts::~Contacts() = default;

bool Contacts::any(const Model& model) { return ContactTerm::is_needed(model); }

void Contacts::read(const State& state) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  m_energy = 0;
  m_least_gap = infinity;
  m_presses.clear();
  std::fill(m_on_rod.begin(), m_on_rod.end(), Vec3{});
  std::fill(m_on_obstacle.begin(), m_on_obstacle.end(), Vec3{});
  m_term->look_at(state);
  for (int element = 0; element < m_term->element_count(); ++element) {
    const ContactTerm::Between between = m_term->between(element);
    m_term->visit(element, state, [&](const elastic::BarrierMaterial& material, const Touching& touch) {
      m_least_gap = std::min(m_least_gap, touch.gap);
      if (!(touch.gap > 0)) return;
      const elastic::BarrierValue barrier = elastic::barrier(touch.gap, material.activation, material.stiffness);
      m_energy += touch.weight * barrier.energy;
      const Span& own = touch.of_first || !between.b ? *between.a : *between.b;
      const Span* other = !between.b ? nullptr : touch.of_first ? between.b : between.a;
      Press press;
      press.rod = own.rod;
      press.arc = own.arc(touch.u);
      press.obstacle = between.obstacle;
      press.force = (touch.weight * barrier.pressure) * touch.normal;
      press.gap = touch.gap;
      press.at = touch.centre - (touch.radius + 0.5 * touch.gap) * touch.normal;
      m_on_rod[own.rod] += press.force;
      if (other) {
        press.other_rod = other->rod;
        press.other_arc = other->arc(touch.other_u);
        m_on_rod[other->rod] -= press.force;
      } else {
        m_on_obstacle[between.obstacle] -= press.force;
      }
      m_presses.push_back(press);
    });
  }
  spread_presses();
}

// Every rod before has one node more than segments.
std::size_t Contacts::first_of(int rod) const {
  return static_cast<std::size_t>(m_model->rods()[rod].first_segment) + static_cast<std::size_t>(rod);
}

std::span<const Vec3> Contacts::along_rod(int rod) const {
  return {m_along.data() + first_of(rod), static_cast<std::size_t>(m_model->rods()[rod].segment_count) + 1};
}

// The segment of the rod around an arc length, and how far along it. A ring goes on at its start.
Contacts::Along Contacts::segment_at(int rod, double arc) const {
  const RodRange& range = m_model->rods()[rod];
  const double* const first = m_arc.data() + first_of(rod);
  const double* const last = first + range.segment_count;
  if (range.closed) arc -= *last * std::floor(arc / *last);
  const double* const after = std::clamp(std::upper_bound(first, last, arc), first + 1, last);
  return {static_cast<std::size_t>(after - 1 - m_arc.data()), std::clamp((arc - after[-1]) / (*after - after[-1]), 0.0, 1.0)};
}

Vec3 Contacts::at(int rod, double arc) const {
  const Along place = segment_at(rod, arc);
  return lerp(m_along[place.segment], m_along[place.segment + 1], place.part);
}

void Contacts::spread(int rod, double arc, const Vec3& force) {
  const Along place = segment_at(rod, arc);
  m_along[place.segment] += (1 - place.part) * force;
  m_along[place.segment + 1] += place.part * force;
}

void Contacts::spread_presses() {
  std::fill(m_along.begin(), m_along.end(), Vec3{});
  for (const Press& press : m_presses) {
    spread(press.rod, press.arc, press.force);
    if (press.other_rod >= 0) spread(press.other_rod, press.other_arc, -press.force);
  }
  for (int r = 0; r < static_cast<int>(m_model->rods().size()); ++r) {
    const RodRange& rod = m_model->rods()[r];
    Vec3* const force = m_along.data() + first_of(r);
    const double* const length = m_model->segments().length.data() + rod.first_segment;
    const int n = rod.segment_count;
    if (rod.closed) force[0] = force[n] = force[0] + force[n];
    for (int k = 0; k <= n; ++k) {
      const double before = k > 0 ? length[k - 1] : rod.closed ? length[n - 1] : 0;
      const double after = k < n ? length[k] : rod.closed ? length[0] : 0;
      force[k] = (2 / (before + after)) * force[k];
    }
  }
}

std::vector<Contacts::Meeting> Contacts::meetings() const {
  std::map<std::array<int, 3>, Meeting> all;
  for (const Press& press : m_presses) {
    const bool turned = press.other_rod >= 0 && press.other_rod < press.rod;
    const int rod = turned ? press.other_rod : press.rod, other = turned ? press.rod : press.other_rod;
    Meeting& one =
        all.try_emplace({rod, other, press.obstacle}, Meeting{rod, other, press.obstacle, {}, 0, press.gap}).first->second;
    if (other != rod) one.force += turned ? -press.force : press.force;
    one.pressure += norm(press.force);
    one.least_gap = std::min(one.least_gap, press.gap);
  }
  std::vector<Meeting> out;
  out.reserve(all.size());
  for (const auto& [key, one] : all) out.push_back(one);
  return out;
}

}  // namespace writhe::contact
