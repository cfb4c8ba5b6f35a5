#include "output/svg_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace writhe::output {

namespace {

std::string path(const std::vector<Point>& points, const char* closing) {
  std::string out;
  for (std::size_t i = 0; i < points.size(); ++i) out += (i == 0 ? "M" : "L") + px(points[i]);
  return out + closing;
}

// Length of the UTF-8 sequence that starts here, 1 for ASCII, 0 when it is broken.
std::size_t sequence_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const std::size_t n = byte(i) < 0x80                      ? 1
                        : byte(i) >= 0xf0 && byte(i) < 0xf5 ? 4
                        : byte(i) >= 0xe0                   ? 3
                        : byte(i) >= 0xc2                   ? 2
                                                            : 0;
  if (n == 0 || byte(i) >= 0xf5 || i + n > text.size()) return 0;
  for (std::size_t k = 1; k < n; ++k) {
    if ((byte(i + k) & 0xc0) != 0x80) return 0;
  }
  return n;
}

}  // namespace

std::string px(double value) {
  std::string out = fmt::format("{:.2f}", value);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out == "-0" ? "0" : out;
}

std::string px(Point p) { return px(p.x) + " " + px(p.y); }
std::string polygon(const std::vector<Point>& p) { return path(p, "Z"); }
std::string polyline(const std::vector<Point>& p) { return path(p, ""); }

std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t n = sequence_length(text, i);
    const char c = text[i];
    if (n > 1) {
      out += text.substr(i, n);
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (n == 1 && (c >= ' ' || c == '\t' || c == '\n')) {
      out += c;
    }
    i += std::max<std::size_t>(n, 1);
  }
  return out;
}

std::string text_at(Point p, std::string_view text, double size, Anchor anchor) {
  static constexpr const char* names[] = {"start", "middle", "end"};
  return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\">{}</text>\n", px(p.x), px(p.y), px(size),
                     names[static_cast<int>(anchor)], escaped(text));
}

double text_width(std::string_view text, double size) { return 0.56 * size * static_cast<double>(text.size()); }

std::string shortened(std::string_view text, double size, double room) {
  if (text_width(text, size) <= room) return std::string(text);
  constexpr std::string_view ellipsis = "…";
  std::size_t kept = text.size();
  const auto inside_character = [&] { return kept > 0 && (static_cast<unsigned char>(text[kept]) & 0xc0) == 0x80; };  // UTF-8
  do {
    --kept;
  } while (kept > 0 && (inside_character() || text_width(text.substr(0, kept), size) + text_width(ellipsis, size) > room));
  return std::string(text.substr(0, kept)) + std::string(ellipsis);
}

double round_below(double limit) {
  const double power = std::pow(10.0, std::floor(std::log10(limit)));
  for (const double factor : {5.0, 2.0}) {
    if (factor * power <= limit * (1 + 1e-12)) return factor * power;
  }
  return power;
}

std::string length_text(double metres) {
  if (metres >= 1e3) return short_number(metres * 1e-3) + " km";
  if (metres >= 0.1 * (1 - 1e-12)) return short_number(metres) + " m";
  if (metres >= 1e-3 * (1 - 1e-12)) return short_number(metres * 1e3) + " mm";
  return short_number(metres * 1e6) + " µm";
}

std::string short_number(double value, int digits) { return fmt::format("{:.{}g}", value == 0 ? 0.0 : value, digits); }

}  // namespace writhe::output
