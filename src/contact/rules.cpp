#include "contact/rules.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "math/rotation.h"

namespace writhe::contact {

namespace {
// Of the sum of radii. Where a barrier is half closed two rods are so half this much too far apart.
constexpr double activation_share = 0.0075;
constexpr double least_load_share = 1e-6;  // of what bends, where nothing loads the rod

// N: force on the rod, all of it, the most that its loads come to. Loads on a rod count for all of it.
double load_on(const Model& model, int rod) {
  const Scene& scene = model.scene();
  double sum = norm(scene.gravity) * model.rods()[rod].mass;
  for (const ResolvedLoad& load : model.loads()) {
    if (const auto* force = std::get_if<ForceLoad>(&load.load.kind); force && load.at.rod == rod) sum += norm(force->force);
    if (const auto* line = std::get_if<LineLoad>(&load.load.kind))
      if (std::find(load.rods.begin(), load.rods.end(), rod) != load.rods.end())
        sum += norm(line->force_per_length) * model.rods()[rod].length;
  }
  return sum;
}
}  // namespace

double usual_press(const Model& model, int rod) {
  const RodRange& range = model.rods()[rod];
  double bends = 0;
  for (int s = range.first_segment; s < range.first_segment + range.segment_count; ++s) {
    const double radius = model.segments().half_extent[s].z;
    bends = std::max(bends, 0.01 * 0.25 * model.segments().stiffness[s].z / radius);  // B = EA r^2/4
  }
  const double loads = load_on(model, rod) / range.length;
  return std::sqrt(bends * std::max(loads, least_load_share * bends));
}

Rules::Rules(const Model& model)
    : m_spans(model),
      m_rods_touch(model.scene().contact.rods_touch()),
      m_self(model.scene().contact.self),
      m_all(model.scene().contact.between == Contact::Between::all),
      m_stiffness(model.scene().contact.stiffness.value_or(0)) {
  for (int rod = 0; rod < static_cast<int>(model.rods().size()); ++rod) m_press.push_back(usual_press(model, rod));
  if (!m_rods_touch) return;
  if (const std::optional<double> thickness = model.scene().contact.thickness) m_thick.emplace(model, *thickness / 2);
  if (model.scene().contact.between == Contact::Between::pairs) {
    const auto index = [&](const std::string& name) {
      const auto& rods = model.rods();
      return static_cast<int>(std::find_if(rods.begin(), rods.end(), [&](const RodRange& r) { return r.name == name; }) -
                              rods.begin());
    };
    for (const auto& [a, b] : model.scene().contact.pairs) m_touching.push_back(std::minmax({index(a), index(b)}));
    std::sort(m_touching.begin(), m_touching.end());
  }
  m_neighbours = Neighbours(model, tubes());
}

bool Rules::rods_touch(int a, int b) const {
  if (a == b) return m_self;
  return m_all || std::binary_search(m_touching.begin(), m_touching.end(), std::make_pair(std::min(a, b), std::max(a, b)));
}

double Rules::activation(const Span& a, const Span& b) const {
  return activation_share * (a.smallest_radius + b.smallest_radius);
}

double Rules::activation_at_obstacle(const Span& a) { return 2 * activation_share * a.smallest_radius; }

// Half the activation deep the pressure is half of stiffness times activation.
elastic::BarrierMaterial Rules::material(const Span& a, const Span& b, double press) const {
  const double width = activation(a, b);
  return {width, m_stiffness > 0 ? m_stiffness : 2 * std::max({m_press[a.rod], m_press[b.rod], press}) / width};
}

elastic::BarrierMaterial Rules::material(const Span& a, double press) const {
  const double width = activation(a);
  return {width, m_stiffness > 0 ? m_stiffness : 2 * std::max(m_press[a.rod], press) / width};
}

}  // namespace writhe::contact
