#include "output/svg_contacts.h"

#include <algorithm>

#include <fmt/format.h>

#include "output/svg_text.h"

namespace writhe::output {

namespace {

constexpr const char* contact_ink = "#c2410c";
constexpr double arrow_length = 15, longest_arrow = 1.5;  // px; of this, beyond which arrows are cut off
constexpr double least_distance = 5;                      // px, between arrows along a rod

std::string contact_arrow(Point from, Point way, double length) {
  const double head = std::min(5.0, 0.6 * length);
  const Point to = from + length * way, base = to - head * way, side = 0.45 * head * normal_to(way);
  return fmt::format("<path d=\"{}\"/><path fill=\"{}\" stroke=\"none\" d=\"{}\"/>\n", polyline({from, base}), contact_ink,
                     polygon({to, base + side, base - side}));
}

}  // namespace

ContactMarks::ContactMarks(const Model& model, std::span<const State> states) : m_model(model) {
  if (!contact::Contacts::any(model)) return;
  m_contacts.emplace(model);
  std::vector<double> pressing;
  for (const State& state : states) {
    m_contacts->read(state);
    for (int rod = 0; rod < static_cast<int>(model.rods().size()); ++rod)
      for (const Vec3& force : m_contacts->along_rod(rod))
        if (const double pressure = norm(force); pressure > 0) pressing.push_back(pressure);
  }
  m_scale = contact_scale(pressing);
}

std::string ContactMarks::draw(const State& state, const Camera& camera, const Hiding& hiding) {
  if (!(m_scale.usual > 0)) return {};
  m_contacts->read(state);
  std::string out;
  for (int r = 0; r < static_cast<int>(m_model.rods().size()); ++r) {
    const RodRange& rod = m_model.rods()[r];
    const std::span<const Vec3> forces = m_contacts->along_rod(r);
    std::optional<Point> last;
    for (int k = 0; k < static_cast<int>(forces.size()) - (rod.closed ? 1 : 0); ++k) {
      const double pressure = norm(forces[k]);
      const double size = arrow_length * std::min(pressure / m_scale.usual, longest_arrow);  // px, in space
      if (size < 1) continue;
      const Vec3 normal = forces[k] / pressure;
      const double radius = m_model.segments().half_extent[rod.first_segment + std::min(k, rod.segment_count - 1)].z;
      const Vec3 surface = state.x[m_model.node_of(r, k)] + radius * normal;
      if (hiding.hides(surface)) continue;
      const Point from = camera.at(surface), seen = camera.direction(normal);
      const double length = size * norm(seen);
      if (last && norm(from - *last) < least_distance) continue;
      last = from;
      if (length < 2)
        out += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"1.5\" fill=\"{}\" stroke=\"none\"/>\n", px(from.x), px(from.y),
                           contact_ink);
      else
        out += contact_arrow(from, (1 / norm(seen)) * seen, length);
    }
  }
  if (out.empty()) return {};
  return fmt::format("<g class=\"contact\" stroke=\"{}\" stroke-width=\"1.1\" fill=\"none\">\n{}</g>\n", contact_ink, out);
}

std::string ContactMarks::legend(double& x, double y) const {
  if (!(m_scale.usual > 0)) return {};
  const std::string text = fmt::format("contact, {:.2g} N/m", m_scale.usual);
  const Point from{x, y - 4};
  std::string out = fmt::format("<g class=\"contact-scale\" stroke=\"{}\" stroke-width=\"1.1\" fill=\"none\">{}</g>", contact_ink,
                                contact_arrow(from, {1, 0}, arrow_length)) +
                    text_at({x + arrow_length + 6, y}, text, 12, Anchor::start);
  x += arrow_length + 6 + text_width(text, 12);
  return out;
}

}  // namespace writhe::output
