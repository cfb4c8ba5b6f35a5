#include "contact/contacts.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "contact/contact_term.h"

namespace writhe::contact {

Contacts::Contacts(const Model& model)
    : m_term(std::make_unique<ContactTerm>(model)),
      m_on_rod(model.rods().size()),
      m_on_obstacle(model.scene().obstacles.size()) {}

Contacts::~Contacts() = default;

bool Contacts::any(const Model& model) { return ContactTerm::is_needed(model); }

void Contacts::read(const State& state) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  m_energy = 0;
  m_least_gap = infinity;
  m_presses.clear();
  std::fill(m_on_rod.begin(), m_on_rod.end(), Vec3{});
  std::fill(m_on_obstacle.begin(), m_on_obstacle.end(), Vec3{});
  m_term->begin(state, {}, {state.time, infinity});
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
  for (const auto& [key, one] : all) out.push_back(one);
  return out;
}

}  // namespace writhe::contact
