#include "output/svg_marks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/at_place.h"
#include "output/svg_text.h"

namespace writhe::output {

namespace {

constexpr const char* ink = "#3a3f47";
constexpr double axis_length = 26;  // px, of an axis that lies in the picture
constexpr double label_size = 12;   // px

// What the rods do at a node.
struct NodeUse {
  bool starts = false, ends = false;
  double half1 = 0, half2 = 0;  // m, half widths along d1 and d2
};

std::vector<NodeUse> node_uses(const Model& model) {
  std::vector<NodeUse> out(model.node_count());
  const Segments& segments = model.segments();
  for (int s = 0; s < model.segment_count(); ++s) {
    NodeUse &first = out[segments.node0[s]], &second = out[segments.node1[s]];
    first.starts = true;
    second.ends = true;
    for (NodeUse* use : {&first, &second}) {
      use->half1 = std::max(use->half1, segments.half_extent[s].x);
      use->half2 = std::max(use->half2, segments.half_extent[s].y);
    }
  }
  return out;
}

std::string arrow(Point from, Point to, const char* color) {
  const Point d = (1 / std::max(norm(to - from), 1e-9)) * (to - from);
  const Point side = normal_to(d), base = to - 6.0 * d;
  return fmt::format("<path stroke=\"{0}\" stroke-width=\"1.4\" d=\"{1}\"/><path fill=\"{0}\" d=\"{2}\"/>\n", color,
                     polyline({from, base}), polygon({to, base + 2.8 * side, base - 2.8 * side}));
}

// Short strokes on the far side of the line from a to b.
std::string hatching(Point a, Point b, Point away) {
  const double length = norm(b - a);
  const int count = std::max(3, static_cast<int>(length / 5));
  const Point step = (1.0 / count) * (b - a);
  std::string out;
  for (int k = 0; k < count; ++k) {
    const Point from = a + (k + 0.9) * step;
    out += polyline({from, from + 6.0 * away - 0.8 * step});
  }
  return out;
}

std::string draw_clamp(const SupportMark& mark) {
  const double reach = std::max(mark.half_width + 10, 14.0);
  if (norm(mark.outward) < 0.5) {
    const double r = mark.half_width + 5;
    const std::vector<Point> block{mark.at + Point{-r, -r}, mark.at + Point{r, -r}, mark.at + Point{r, r},
                                   mark.at + Point{-r, r}};
    return fmt::format("<path class=\"clamp\" fill=\"#e6e8ec\" stroke=\"{0}\" d=\"{1}\"/><path stroke=\"{0}\" d=\"{2}\"/>\n", ink,
                       polygon(block), hatching(block[3], block[2], {0, 1}) + hatching(block[1], block[0], {0, -1}));
  }
  const Point side = normal_to(mark.outward);
  const Point a = mark.at - reach * side, b = mark.at + reach * side;
  const std::vector<Point> block{a, b, b + 8.0 * mark.outward, a + 8.0 * mark.outward};
  return fmt::format(
      "<path class=\"clamp\" fill=\"#e6e8ec\" d=\"{1}\"/><path stroke=\"{0}\" d=\"{2}\"/><path stroke=\"{0}\" "
      "stroke-width=\"1.8\" "
      "d=\"{3}\"/>\n",
      ink, polygon(block), hatching(a, b, mark.outward), polyline({a, b}));
}

std::string draw_pin(const SupportMark& mark) {
  const bool roller = mark.kind == SupportMark::Kind::roller;
  const double height = roller ? 9 : 12;
  const Point a = mark.at + Point{-7, height}, b = mark.at + Point{7, height};
  std::string out = fmt::format("<path class=\"pin\" fill=\"#e6e8ec\" stroke=\"{}\" d=\"{}\"/>", ink, polygon({mark.at, b, a}));
  if (roller) {
    for (const double x : {-3.5, 3.5}) {
      const Point centre = mark.at + Point{x, height + 2.5};
      out += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"2.2\" fill=\"#fff\" stroke=\"{}\"/>", px(centre.x), px(centre.y), ink);
    }
  }
  const double ground = height + (roller ? 5 : 0);
  const Point left = mark.at + Point{-10, ground}, right = mark.at + Point{10, ground};
  return out + fmt::format("<path stroke=\"{}\" d=\"{}\"/>\n", ink, polyline({left, right}) + hatching(left, right, {0, 0.8}));
}

}  // namespace

std::string draw_links(const Model& model, const State& state, const Camera& camera) {
  std::string out;
  for (const ResolvedLink& link : model.links()) {
    const Point from = camera.at(position_of(state, link.from)), to = camera.at(position_of(state, link.to));
    const bool spring = link.link.kind == Link::Kind::spring;
    std::vector<Point> line{from};
    const double length = norm(to - from);
    if (spring && length > 1) {
      constexpr double pitch = 6, half = 3;  // px
      const int waves = std::clamp(static_cast<int>(length / pitch), 1, 200);
      const Point side = normal_to((1 / length) * (to - from));
      for (int k = 0; k < waves; ++k)
        line.push_back(from + ((k + 0.5) / waves) * (to - from) + (k % 2 == 0 ? half : -half) * side);
    }
    line.push_back(to);
    out += fmt::format("<path class=\"link\" stroke=\"{}\" stroke-width=\"1.2\"{} d=\"{}\"/>\n", ink,
                       measure::is_slack(link, state) ? " stroke-dasharray=\"4 3\"" : "", polyline(line));
    for (const auto& [end, at] : {std::pair(&link.from, from), std::pair(&link.to, to)})
      if (!end->place)
        out += fmt::format("<circle class=\"anchor\" cx=\"{}\" cy=\"{}\" r=\"2.5\" fill=\"{}\"/>\n", px(at.x), px(at.y), ink);
  }
  return out;
}

std::vector<SupportMark> support_marks(const Model& model, const State& state, const Camera& camera) {
  std::vector<SupportMark> out;
  const std::vector<NodeUse> uses = node_uses(model);
  std::vector<bool> clamped(model.node_count(), false);
  for (int f = 0; f < model.frame_count(); ++f) {
    if (!model.frames().is_prescribed(f)) continue;
    const int node = model.frames().node[f];
    clamped[node] = true;
    const NodeUse& use = uses[node];
    const Quat q = state.q[model.segment_count() + f];
    Point outward{};
    if (use.starts != use.ends) outward = camera.direction(rotate(q, Vec3{0, 0, use.ends ? 1.0 : -1.0}));
    const double seen = norm(outward);
    outward = seen > 0.3 ? (1 / seen) * outward : Point{};
    const auto across = [&](const Vec3& axis) {
      const Point d = camera.direction(rotate(q, axis));
      return norm(outward) > 0 ? std::abs(dot(d, normal_to(outward))) : norm(d);
    };
    const double half_width = std::hypot(use.half1 * across({1, 0, 0}), use.half2 * across({0, 1, 0}));
    out.push_back({SupportMark::Kind::clamp, node, camera.at(state.x[node]), outward, camera.scale * half_width});
  }
  for (int node = 0; node < model.node_count(); ++node) {
    const auto fixed = model.nodes().fixed[node];
    if (fixed == 0 || clamped[node]) continue;
    const auto kind = fixed == fixed_all ? SupportMark::Kind::pin : SupportMark::Kind::roller;
    out.push_back({kind, node, camera.at(state.x[node]), {}, camera.scale * std::max(uses[node].half1, uses[node].half2)});
  }
  return out;
}

std::string draw_support(const SupportMark& mark) {
  return mark.kind == SupportMark::Kind::clamp ? draw_clamp(mark) : draw_pin(mark);
}

std::string draw_axes(const Camera& camera, double& x, double y) {
  struct Axis {
    Vec3 direction;
    const char* name;
    const char* color;
  };
  const Axis axes[] = {{{1, 0, 0}, "x", "#b5443c"}, {{0, 1, 0}, "y", "#3f8f4f"}, {{0, 0, 1}, "z", "#3a6ab0"}};
  double left = 0;
  for (const Axis& axis : axes) left = std::min(left, axis_length * camera.direction(axis.direction).x);
  const Point origin{x - left + (left < 0 ? 10 : 2), y};
  std::string out;
  double right = origin.x;
  for (const Axis& axis : axes) {
    const Point d = camera.direction(axis.direction);
    if (norm(d) < 0.05) continue;
    const Point tip = origin + axis_length * d;
    const Point text = origin + (axis_length + 9) * d + Point{0, 4};
    out += arrow(origin, tip, axis.color) + fmt::format("<g fill=\"{}\">", axis.color) +
           text_at(text, axis.name, label_size, Anchor::middle) + "</g>";
    right = std::max(right, tip.x + 14);
  }
  x = right;
  return out;
}

std::string draw_scale_bar(const Camera& camera, double& x, double y) {
  const double metres = round_below(150 / camera.scale);
  const double width = metres * camera.scale;
  const Point a{x, y}, b{x + width, y};
  x += width;
  return fmt::format(
             "<path id=\"scale\" stroke=\"{}\" stroke-width=\"1.4\" d=\"{}\"/>", ink,
             polyline({a + Point{0, -4}, a + Point{0, 4}}) + polyline({a, b}) + polyline({b + Point{0, -4}, b + Point{0, 4}})) +
         text_at(0.5 * (a + b) + Point{0, -7}, length_text(metres), label_size, Anchor::middle);
}

std::string draw_gravity(const Camera& camera, const Vec3& gravity, double& x, double y) {
  const double size = norm(gravity);
  if (!(size > 0)) return {};
  const Point d = camera.direction(gravity / size);
  if (norm(d) < 0.2) return {};
  const Point middle{x + 14, y - 10};
  x += 34;
  return arrow(middle - 15.0 * d, middle + 15.0 * d, ink) + text_at(middle + Point{9, 4}, "g", label_size, Anchor::start);
}

// ---- legend ----------------------------------------------------------------------------------------------------------
void ColorScale::include(double value) {
  least = m_empty ? value : std::min(least, value);
  most = m_empty ? value : std::max(most, value);
  m_empty = false;
}

bool ColorScale::constant() const { return !(most - least > 2e-3 * std::max(std::abs(least), std::abs(most))); }

Color ColorScale::at(double value) const { return viridis(constant() ? 0.5 : (value - least) / (most - least)); }

std::string legend_gradient() {
  std::string out = "<linearGradient id=\"legend\">";
  for (int k = 0; k <= 8; ++k) out += fmt::format("<stop offset=\"{}\" stop-color=\"{}\"/>", px(k / 8.0), viridis(k / 8.0).hex());
  return out + "</linearGradient>\n";
}

std::string draw_legend(const ColorScale& scale, double right, double y) {
  constexpr double width = 190, height = 10;
  const double left = right - width, range = scale.most - scale.least;
  std::string out = fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"url(#legend)\" stroke=\"{}\" stroke-width=\"0.6\"/>\n", px(left),
      px(y - height), px(width), px(height), ink);
  out +=
      text_at({left, y - height - 6}, fmt::format("{} [{}]", measure::field_name(scale.field), measure::field_unit(scale.field)),
              label_size, Anchor::start);
  const auto tick = [&](double at, double value) {
    out += fmt::format("<path stroke=\"{}\" d=\"{}\"/>", ink, polyline({{at, y}, {at, y + 4}})) +
           text_at({at, y + 15}, short_number(value), 11, Anchor::middle);
  };
  if (scale.constant()) {
    tick(left + width / 2, scale.least);
    return out;
  }
  double step = round_below(range / 2);
  if (range / step > 4.5) step *= 2;
  for (double k = std::ceil(scale.least / step - 1e-9); k * step <= scale.most + 1e-9 * range; ++k) {
    tick(left + width * (k * step - scale.least) / range, k * step);
  }
  return out;
}

}  // namespace writhe::output
