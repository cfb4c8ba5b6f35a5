#include "output/svg_paint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "math/rotation.h"
#include "output/svg_text.h"

namespace writhe::output {

namespace {

constexpr double least_half_width = 0.8;    // px, so that a hair stays visible
constexpr double seam = 0.4;                // px that neighbours overlap, against hairlines of background between them
constexpr double stripe_half_angle = 0.26;  // rad
constexpr double stripe_least = 3.5;        // px of half width below which the stripe would be a smear

struct Axes {
  Vec3 d1, d2, d3;
};
Axes axes_of(const Quat& q) { return {rotate(q, Vec3{1, 0, 0}), rotate(q, Vec3{0, 1, 0}), rotate(q, Vec3{0, 0, 1})}; }

// Of unit length; that of a way too short to have one (px) is the other.
Point direction_or(Point way, Point other) {
  const double length = norm(way);
  return length > 1e-9 ? (1 / length) * way : other;
}

// Nothing when it would be too thin to see: renderers refuse a singular matrix.
std::string use(const std::string& id, const Color& color, Point x_axis, Point y_axis, Point origin) {
  if (norm(x_axis) < 0.05) return {};
  return fmt::format("<use xlink:href=\"#{}\" fill=\"{}\" transform=\"matrix({} {} {})\"/>\n", id, color.hex(), px(x_axis),
                     px(y_axis), px(origin));
}

// Part of the circumference taken by the stripe along d1, as angles from the line nearest to the viewer; the surface is seen
// between -seen and seen, at most 90 degrees.
struct StripeSpan {
  double from = 0, to = 0;  // rad, clipped to what is seen
  double nearest = 0;       // rad from d1 to the line nearest to the viewer
  double middle = 0;        // rad, not clipped
};

StripeSpan stripe_span(const Station& s, const Vec3& toward, double seen, std::optional<double> middle_before) {
  const Axes d = axes_of(s.q);
  // On the ellipse half1 cos, half2 sin the normal turns toward the viewer where cos/half1 and sin/half2 do.
  const double nearest = std::atan2(dot(d.d2, toward) * s.half1, dot(d.d1, toward) * s.half2);
  double middle = -nearest;
  if (middle_before) middle += 2 * pi * std::round((*middle_before - middle) / (2 * pi));
  const auto clipped = [&](double angle) { return std::clamp(angle, -seen, seen); };
  return {clipped(middle - stripe_half_angle), clipped(middle + stripe_half_angle), nearest, middle};
}

Vec3 on_surface(const Station& s, double angle_from_d1) {
  const Axes d = axes_of(s.q);
  return s.x + s.half1 * std::cos(angle_from_d1) * d.d1 + s.half2 * std::sin(angle_from_d1) * d.d2;
}

Color stripe_color(const Color& body) { return luminance(body) > 0.72 ? Color{0.16, 0.16, 0.2} : Color{1, 0.97, 0.88}; }

Color lit(const Color& color, const Vec3& normal, const Camera& camera) {
  const Vec3 light = light_direction();
  const Vec3 seen{dot(normal, camera.right), dot(normal, camera.up), dot(normal, camera.toward)};
  const double bright = matt(dot(seen, light));
  return bright < 1 ? mix(color, black, 1 - bright) : mix(color, white, std::min(1.0, bright - 1));
}

// Corners of a rectangular section in order around d3: ++, -+, --, +-.
std::array<Vec3, 4> corners(const Station& s) {
  const Axes d = axes_of(s.q);
  const Vec3 a = s.half1 * d.d1, b = s.half2 * d.d2;
  return {s.x + a + b, s.x - a + b, s.x - a - b, s.x + a - b};
}

}  // namespace

void Painter::add(const Piece& piece, SectionKind kind, const Color& color) {
  if (kind == SectionKind::box) {
    add_box(piece, color);
  } else {
    add_round(piece, color);
  }
}

std::string Painter::painted() {
  close_run();
  std::vector<std::size_t> order(m_items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return m_items[i].depth < m_items[j].depth; });
  std::string out;
  for (const std::size_t i : order) out += m_items[i].svg;
  return out;
}

// ---- round rods ------------------------------------------------------------------------------------------------------
Painter::Flat Painter::flatten(const Piece& piece) const {
  Flat f;
  f.a = m_camera.at(piece.a.x);
  f.b = m_camera.at(piece.b.x);
  const double length = norm(f.b - f.a);
  const Point along = direction_or(f.b - f.a, {1, 0});
  f.along = along;

  // The widest extent of the section across the piece.
  const Point side = normal_to(along);
  const Axes d = axes_of(piece.a.q);
  const double half =
      std::hypot(piece.a.half1 * dot(m_camera.direction(d.d1), side), piece.a.half2 * dot(m_camera.direction(d.d2), side));
  f.half_width = std::max(m_camera.scale * half, least_half_width);
  const Vec3 chord3 = piece.b.x - piece.a.x;
  f.slope = norm(chord3) > 0 ? m_camera.depth(chord3) / norm(chord3) : 0;

  // Half of the wedge between this piece and its neighbour; where the rod runs along the view its round ends close it instead.
  const auto wedge = [&](const Vec3& tangent) {
    const Point t = m_camera.direction(tangent);
    const double ahead = dot(t, along), aside = std::abs(dot(t, side));
    return ahead > aside ? std::min(f.half_width * aside / ahead, 0.6 * length) : 0.0;
  };
  f.over_a = piece.rod_starts ? 0 : wedge(piece.a.tangent);
  f.over_b = piece.rod_ends ? 0 : wedge(piece.b.tangent) + seam;
  return f;
}

// Goes on in the same line, colour and depth.
bool Painter::continues_run(const Piece& piece, const Flat& f, const Color& color) const {
  if (!m_run || m_run->last.rod != piece.rod || piece.rod_starts || m_run->color.hex() != color.hex()) return false;
  const Flat& run = m_run->flat;
  return norm(f.a - run.b) < 0.01 && std::abs(f.half_width - run.half_width) < 0.02 &&
         std::abs(dot(f.b - run.a, normal_to(run.along))) < 0.05 && dot(f.along, run.along) > 0.99 &&
         std::abs(m_camera.depth(piece.b.x - m_run->first.a.x)) * m_camera.scale < 0.5 * run.half_width;
}

void Painter::add_round(const Piece& piece, const Color& color) {
  const Flat f = flatten(piece);
  if (continues_run(piece, f, color)) {
    m_run->last = piece;
    m_run->flat.b = f.b;
    m_run->flat.over_b = f.over_b;
    m_run->flat.along = direction_or(f.b - m_run->flat.a, m_run->flat.along);
  } else {
    close_run();
    m_run = Run{piece, piece, f, color, {}};
  }
  if (f.half_width >= stripe_least) m_run->stripes += stripe(piece, f, color);
}

void Painter::close_run() {
  if (!m_run) return;
  const Run run = std::move(*m_run);
  m_run.reset();
  const Flat& f = run.flat;
  const ShadeTable::Shade shade = m_shades.shade(f.along, f.half_width);
  const Point across = (shade.flip ? -f.half_width : f.half_width) * normal_to(f.along);
  const Point from = f.a - f.over_a * f.along, to = f.b + f.over_b * f.along;

  // The far end bulges away from the viewer by the foreshortened radius.
  const Vec3 far_tangent = f.slope > 0 ? run.first.a.tangent : run.last.b.tangent;
  const double bulge = std::abs(m_camera.depth(far_tangent)) * f.half_width;
  std::string svg;
  if (bulge > 0.3) svg += use(shade.disc, run.color, bulge * f.along, across, f.slope > 0 ? f.a : f.b);
  svg += use(shade.rect, run.color, to - from, across, from) + run.stripes;
  m_items.push_back({m_camera.depth(0.5 * (run.first.a.x + run.last.b.x)), std::move(svg)});

  if (run.first.rod_starts && f.slope < 0) add_face(run.first.a, -run.first.a.tangent, f, run.color);
  if (run.last.rod_ends && f.slope > 0) add_face(run.last.b, run.last.b.tangent, f, run.color);
}

std::string Painter::stripe(const Piece& piece, const Flat& f, const Color& color) const {
  const double seen = std::asin(1 - std::min(ShadeTable::outline / f.half_width, 0.5));  // leaves the outline free
  const StripeSpan a = stripe_span(piece.a, m_camera.toward, seen, std::nullopt);
  const StripeSpan b = stripe_span(piece.b, m_camera.toward, seen, a.middle);
  if (a.to - a.from < 1e-3 && b.to - b.from < 1e-3) return {};
  const auto point = [&](const Station& s, const StripeSpan& span, double angle) {
    return m_camera.at(on_surface(s, angle + span.nearest));
  };
  // Each long side reaches over the neighbours in its own direction, a little farther than the body does.
  const double more = seam + 0.12 * std::abs(f.slope) * f.half_width;
  const auto side = [&](Point from, Point to) {
    const Point d = to - from;
    const double unit = 1 / std::max(norm(d), 1e-9);
    const Point before = (piece.rod_starts ? 0 : std::min((f.over_a + more) * unit, 0.5)) * d;
    const Point after = (piece.rod_ends ? 0 : std::min((f.over_b + more) * unit, 0.5)) * d;
    return std::pair{from - before, to + after};
  };
  const auto [p0, p1] = side(point(piece.a, a, a.from), point(piece.b, b, b.from));
  const auto [p3, p2] = side(point(piece.a, a, a.to), point(piece.b, b, b.to));
  return fmt::format("<path class=\"s\" fill=\"{}\" d=\"{}\"/>\n", stripe_color(color).hex(), polygon({p0, p1, p2, p3}));
}

void Painter::add_face(const Station& station, const Vec3& outward, const Flat& f, const Color& color) {
  const ShadeTable::Shade shade = m_shades.shade(f.along, f.half_width);
  m_items.push_back({m_camera.depth(station.x),
                     use(shade.face, lit(mix(color, white, 0.25), outward, m_camera), std::abs(f.slope) * f.half_width * f.along,
                         f.half_width * normal_to(f.along), m_camera.at(station.x))});
}

// ---- rectangular rods --------------------------------------------------------------------------------------------------
void Painter::add_box(const Piece& piece, const Color& color) {
  const std::array<Vec3, 4> a = corners(piece.a), b = corners(piece.b);
  const Axes da = axes_of(piece.a.q), db = axes_of(piece.b.q);
  const Vec3 n1 = normalized(da.d1 + db.d1), n2 = normalized(da.d2 + db.d2);
  const std::array<Vec3, 4> normals{n2, -n1, -n2, n1};
  const bool wide_along_1 = piece.a.half1 >= piece.a.half2;

  std::string faces, edges;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t next = (k + 1) % 4;
    const std::vector<Point> quad{m_camera.at(a[k]), m_camera.at(b[k]), m_camera.at(b[next]), m_camera.at(a[next])};
    if (dot(normals[k], m_camera.toward) <= 0) continue;
    // The two broad faces differ, so that the rotation of the section can be told.
    const bool back = k == (wide_along_1 ? 2U : 1U);
    const std::string fill = lit(back ? mix(color, white, 0.5) : color, normals[k], m_camera).hex();
    faces += fmt::format("<path fill=\"{0}\" stroke=\"{0}\" d=\"{1}\"/>\n", fill, polygon(quad));
    edges += polyline({quad[0], quad[1]}) + polyline({quad[3], quad[2]});
  }
  const std::string dark = mix(color, black, 0.5).hex();
  if (!edges.empty()) faces += fmt::format("<path stroke=\"{}\" d=\"{}\"/>\n", dark, edges);
  m_items.push_back({m_camera.depth(0.5 * (piece.a.x + piece.b.x)), std::move(faces)});

  if (piece.rod_starts) add_box_end(piece.a, -piece.a.tangent, color);
  if (piece.rod_ends) add_box_end(piece.b, piece.b.tangent, color);
}

void Painter::add_box_end(const Station& station, const Vec3& outward, const Color& color) {
  std::vector<Point> outline;
  for (const Vec3& corner : corners(station)) outline.push_back(m_camera.at(corner));
  const bool seen = dot(outward, m_camera.toward) > 0;
  const std::string fill = seen ? lit(color, outward, m_camera).hex() : "none";
  m_items.push_back({m_camera.depth(station.x), fmt::format("<path fill=\"{}\" stroke=\"{}\" d=\"{}\"/>\n", fill,
                                                            mix(color, black, 0.5).hex(), polygon(outline))});
}

}  // namespace writhe::output
