#include "contact/convex_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace writhe::contact {

namespace {

Vec3 nearest_in(const Box& box, const Vec3& point) {
  return {std::clamp(point.x, box.low.x, box.high.x), std::clamp(point.y, box.low.y, box.high.y),
          std::clamp(point.z, box.low.z, box.high.z)};
}

// Of the least value of direction . x over a box.
double lowest_along(const Vec3& direction, const Box& box) {
  const auto one = [](double d, double low, double high) { return d == 0 ? 0 : d * (d > 0 ? low : high); };
  return one(direction.x, box.low.x, box.high.x) + one(direction.y, box.low.y, box.high.y) +
         one(direction.z, box.low.z, box.high.z);
}

// m^2, least over the segment from a to b. The square of the distance is convex along it, and a parabola between the places where
// the plane of a face is crossed: the root of its slope is exact.
double least_square_distance(const Vec3& a, const Vec3& b, const Box& box) {
  const Vec3 way = b - a;
  const auto off = [&](double t) {
    const Vec3 x = a + t * way;
    return x - nearest_in(box, x);
  };
  const auto slope = [&](double t) { return dot(off(t), way); };
  double begin = 0, end = 1;
  const auto cut = [&](double from, double by, double plane) {
    const double t = (plane - from) / by;
    if (t > begin && t < end) (slope(t) < 0 ? begin : end) = t;
  };
  for (const Vec3& corner : {box.low, box.high}) {
    cut(a.x, way.x, corner.x);
    cut(a.y, way.y, corner.y);
    cut(a.z, way.z, corner.z);
  }
  const double first = slope(begin), last = slope(end);
  const Vec3 least = off(first >= 0 ? begin : last <= 0 ? end : begin + (end - begin) * first / (first - last));
  return dot(least, least);
}

Touch grown(Touch touch, double radius) {
  touch.distance -= radius;
  return touch;
}

}  // namespace

double distance_to_box(const Vec3& point, const Box& box) { return norm(point - nearest_in(box, point)); }

bool HalfSpace::meets(const Box& box) const { return !(lowest_along(m_normal, box) > dot(m_normal, m_point)); }

Box HalfSpace::bounds() const {
  constexpr double all = std::numeric_limits<double>::infinity();
  return {{-all, -all, -all}, {all, all, all}};
}

Touch Ball::touch(const Vec3& point) const { return grown(touch_of_point(point - m_centre), m_radius); }

bool Ball::meets(const Box& box) const { return !(distance_to_box(m_centre, box) > m_radius); }

Touch Capsule::touch(const Vec3& point) const { return grown(touch_of_segment(point, m_from, m_to), m_radius); }

bool Capsule::meets(const Box& box) const { return !(least_square_distance(m_from, m_to, box) > m_radius * m_radius); }

Brick::Brick(const BoxObstacle& box) : m_centre(box.centre), m_half(0.5 * box.size) {
  const Vec3 x = normalized(box.x), y = normalized(box.y - dot(box.y, x) * x);
  m_axes = {x, y, cross(x, y)};
}

Touch Brick::touch(const Vec3& point) const {
  const Vec3 local = m_axes * (point - m_centre);
  const auto beyond = [](double x, double half) { return x > half ? x - half : x < -half ? x + half : 0; };
  const Vec3 way{beyond(local.x, m_half.x), beyond(local.y, m_half.y), beyond(local.z, m_half.z)};
  const Vec3 out = transpose(m_axes) * way;
  switch ((way.x != 0) + (way.y != 0) + (way.z != 0)) {
    case 0:
      return touch_within(local);
    case 1: {
      const double distance = std::abs(way.x + way.y + way.z);
      return {distance, out / distance, {}};
    }
    case 2:
      return touch_of_line(out, way.x == 0 ? m_axes.r0 : way.y == 0 ? m_axes.r1 : m_axes.r2);
    default:
      return touch_of_point(out);
  }
}

// The nearest way out of it, through a face.
Touch Brick::touch_within(const Vec3& local) const {
  const Vec3 depth{m_half.x - std::abs(local.x), m_half.y - std::abs(local.y), m_half.z - std::abs(local.z)};
  const auto through = [](double d, double at, const Vec3& axis) { return Touch{-d, at < 0 ? -axis : axis, {}}; };
  if (depth.x <= depth.y && depth.x <= depth.z) return through(depth.x, local.x, m_axes.r0);
  if (depth.y <= depth.z) return through(depth.y, local.y, m_axes.r1);
  return through(depth.z, local.z, m_axes.r2);
}

double Brick::half_shadow(const Vec3& d) const {
  return m_half.x * std::abs(dot(d, m_axes.r0)) + m_half.y * std::abs(dot(d, m_axes.r1)) + m_half.z * std::abs(dot(d, m_axes.r2));
}

// Two bricks are apart if and only if they are along a normal of either's faces or across an edge of each.
bool Brick::meets(const Box& box) const {
  constexpr double rounding = 1e-14;  // of the sizes
  const Vec3 half = 0.5 * (box.high - box.low), way = m_centre - 0.5 * (box.low + box.high);
  const auto apart = [&](const Vec3& d) {
    const double reach = half_shadow(d) + half.x * std::abs(d.x) + half.y * std::abs(d.y) + half.z * std::abs(d.z);
    return std::abs(dot(d, way)) > reach * (1 + rounding) + rounding * (std::abs(way.x) + std::abs(way.y) + std::abs(way.z));
  };
  const std::array<Vec3, 3> edges{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}, own{m_axes.r0, m_axes.r1, m_axes.r2};
  if (std::any_of(edges.begin(), edges.end(), apart) || std::any_of(own.begin(), own.end(), apart)) return false;
  for (const Vec3& a : edges)
    for (const Vec3& b : own)
      if (apart(cross(a, b))) return false;
  return true;
}

Box Brick::bounds() const {
  const Vec3 half{half_shadow({1, 0, 0}), half_shadow({0, 1, 0}), half_shadow({0, 0, 1})};
  return {m_centre - half, m_centre + half};
}

}  // namespace writhe::contact
