#include "output/svg_shade.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "output/svg_text.h"

namespace writhe::output {

namespace {

constexpr int light_classes = 16;      // from light along the viewer's eye to light most from the side
constexpr double width_ratio = 1.5;    // between neighbouring width classes
constexpr double outline_dark = 0.55;  // of black
constexpr int flat_class = -1;

double largest_side() { return std::hypot(light_direction().x, light_direction().y); }

int width_class(double half_width) {
  if (half_width < ShadeTable::thin) return flat_class;
  return std::max(0, static_cast<int>(std::lround(std::log(half_width / ShadeTable::thin) / std::log(width_ratio))));
}

double outline_share(int width) {
  return std::clamp(ShadeTable::outline / (ShadeTable::thin * std::pow(width_ratio, width)), 0.0, 0.35);
}

struct Veil {
  bool light;    // white, else black
  double alpha;  // opacity
};

// What to lay over the plain colour at y across the rod, light coming with the component `side` along +y.
Veil veil(double y, double side) {
  const double cosine = y * side + std::sqrt(std::max(0.0, 1 - y * y)) * std::sqrt(1 - side * side);
  const double gloss = 0.38 * std::pow(std::max(cosine, 0.0), 26);
  const double bright = matt(cosine) + gloss;
  return bright < 1 ? Veil{false, 1 - bright} : Veil{true, std::min(1.0, bright - 1)};
}

std::string stop(double y, const Veil& v) {
  return fmt::format("<stop offset=\"{}\" stop-color=\"{}\" stop-opacity=\"{:.2f}\"/>", px((y + 1) / 2),
                     v.light ? "#fff" : "#000", v.alpha);
}

std::string gradient(int number, double rim, double side) {
  std::string out =
      fmt::format("<linearGradient id=\"g{}\" gradientUnits=\"userSpaceOnUse\" x1=\"0\" y1=\"-1\" x2=\"0\" y2=\"1\">", number);
  const double inner = 1 - rim;
  out += stop(-1, {false, outline_dark}) + stop(-inner, {false, outline_dark});
  for (int k = -6; k <= 6; ++k) out += stop(inner * k / 6.0, veil(inner * k / 6.0, side));
  out += stop(inner, {false, outline_dark}) + stop(1, {false, outline_dark});
  return out + "</linearGradient>\n";
}

}  // namespace

Vec3 light_direction() { return normalized(Vec3{-0.35, 0.62, 0.80}); }

double matt(double cosine) { return 0.52 + 0.54 * std::max(cosine, 0.0); }

ShadeTable::Shade ShadeTable::shade(Point along, double half_width) {
  const Vec3 light = light_direction();
  const double side = dot(normal_to(along), Point{light.x, -light.y});
  const int width = width_class(half_width);
  const int level =
      width == flat_class ? 0 : static_cast<int>(std::lround((light_classes - 1) * std::abs(side) / largest_side()));
  const auto [entry, is_new] = m_used.try_emplace({width, level}, static_cast<int>(m_used.size()));
  (void)is_new;
  const std::string number = std::to_string(entry->second);
  return {"r" + number, "d" + number, "f" + number, side < 0};
}

std::string ShadeTable::definitions() const {
  std::string out;
  for (const auto& [key, number] : m_used) {
    const auto [width, level] = key;
    const std::string rect = "<rect y=\"-1\" width=\"1\" height=\"2\"", disc = "<circle r=\"1\"";
    const bool flat = width == flat_class;
    const double rim = flat ? 0 : outline_share(width);
    std::string over = "/>";
    if (!flat) {
      out += gradient(number, rim, largest_side() * level / (light_classes - 1));
      over = fmt::format(" fill=\"url(#g{})\"/>", number);
    }
    const auto layered = [&](const std::string& shape) { return shape + "/>" + (flat ? "" : shape + over); };
    out += fmt::format("<g id=\"r{}\">{}</g>\n<g id=\"d{}\">{}</g>\n", number, layered(rect), number, layered(disc));
    out += fmt::format("<g id=\"f{}\">{}/><circle r=\"1\" fill=\"#000\" fill-opacity=\"{}\"/><circle r=\"{}\"/></g>\n", number,
                       disc, px(outline_dark), px(1 - rim));
  }
  return out;
}

}  // namespace writhe::output
