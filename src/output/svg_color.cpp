#include "output/svg_color.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace writhe::output {

namespace {

constexpr Color rgb(int hex) { return {((hex >> 16) & 255) / 255.0, ((hex >> 8) & 255) / 255.0, (hex & 255) / 255.0}; }

// Every eighth of matplotlib's viridis (S. van der Walt and N. Smith, 2015, CC0).
constexpr std::array<Color, 9> viridis_stops{rgb(0x440154), rgb(0x472d7b), rgb(0x3b528b), rgb(0x2c728e), rgb(0x21918c),
                                             rgb(0x28ae80), rgb(0x5ec962), rgb(0xaddc30), rgb(0xfde725)};

constexpr std::array<Color, 8> rod_colors{rgb(0x3f78b5), rgb(0xd9793a), rgb(0x4c9a6a), rgb(0xb8527d),
                                          rgb(0x7f6fb8), rgb(0xb59a3c), rgb(0x4a9aa8), rgb(0x8a6b57)};

int byte(double channel) { return static_cast<int>(std::lround(255 * std::clamp(channel, 0.0, 1.0))); }

}  // namespace

std::string Color::hex() const { return fmt::format("#{:02x}{:02x}{:02x}", byte(r), byte(g), byte(b)); }

Color mix(const Color& a, const Color& b, double t) {
  return {a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

double luminance(const Color& c) { return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b; }

Color viridis(double t) {
  const double position = std::clamp(t, 0.0, 1.0) * (viridis_stops.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(position), viridis_stops.size() - 2);
  return mix(viridis_stops[i], viridis_stops[i + 1], position - static_cast<double>(i));
}

Color rod_color(int rod) { return rod_colors[static_cast<std::size_t>(rod) % rod_colors.size()]; }

}  // namespace writhe::output
