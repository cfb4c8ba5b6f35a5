// Whether rods are thick enough to touch something, now that segments have their lengths.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/model_builder.h"

namespace writhe {

namespace {

// Of a segment, in radii. Contact is summed up every eighth of a radius.
constexpr double longest = 1e5;

bool touches_rods(const Contact& contact, const std::string& name) {
  if (contact.self || contact.between == Contact::Between::all) return true;
  return std::any_of(contact.pairs.begin(), contact.pairs.end(),
                     [&](const auto& pair) { return pair.first == name || pair.second == name; });
}

}  // namespace

void ModelBuilder::check_contact_sizes() {
  const Contact& contact = m_scene.contact;
  const bool meets_obstacles = !m_scene.obstacles.empty();
  for (std::size_t i = 0; i < m_scene.rods.size(); ++i) {
    const Rod& rod = m_scene.rods[i];
    if (!meets_obstacles && !touches_rods(contact, rod.name)) continue;
    const RodRange& range = m_model.m_rods[i];
    double radii = 0;
    for (int s = range.first_segment; s < range.first_segment + range.segment_count; ++s) {
      const double own = m_model.m_segments.half_extent[s].z;
      const double radius = meets_obstacles ? own : contact.thickness ? *contact.thickness / 2 : own;
      radii = std::max(radii, m_model.m_segments.length[s] / radius);
    }
    const std::string path = path_of("rods", rod.name, i);
    if (std::isinf(radii))
      m_problems.add(path + ".section", rod.section,
                     fmt::format("has radius 0, and rods touch {} with their radius; give the section its radius",
                                 meets_obstacles ? "obstacles" : "each other"));
    else if (radii > longest)
      m_problems.add(
          path + ".segments", text_of(rod.segments),
          fmt::format("a segment is {:.2g} radii long, and where rods touch {} is the most; take more segments, or check "
                      "the radius (m)",
                      radii, longest));
  }
  m_problems.throw_if_any();
}

}  // namespace writhe
