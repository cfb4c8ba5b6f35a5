#include "measure/knots.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "math/rotation.h"
#include "measure/alexander.h"

namespace writhe::measure {

namespace {

// ---- shapes --------------------------------------------------------------------------------------------------------
struct Ball {
  Vec3 centre{0, 0, 0};
  double radius = 0;
};

// Around the mean of all points; without a radius where they are one.
Ball ball_around(const std::vector<Vec3>& points) {
  Ball ball;
  for (const Vec3& p : points) ball.centre += p / static_cast<double>(points.size());
  for (const Vec3& p : points) ball.radius = std::max(ball.radius, norm(p - ball.centre));
  if (ball.radius < 1e-12 * norm(ball.centre)) ball.radius = 0;
  return ball;
}

// Away from the middle, and a little to one side: the way out of a plane curve then leaves its plane.
Vec3 way_out(const Vec3& end, const Ball& ball) {
  const Vec3 aside{0.3e-3, 0.7e-3, 0.6e-3};
  return normalized((end - ball.centre) / ball.radius + aside);
}

// By Fary and Milnor a curve that turns by less than two whole turns in all is not knotted.
bool turns_too_little(const std::vector<Vec3>& polygon) {
  const std::size_t n = polygon.size();
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 before = polygon[i] - polygon[(i + n - 1) % n], after = polygon[(i + 1) % n] - polygon[i];
    sum += std::atan2(norm(cross(before, after)), dot(before, after));
  }
  return sum < 4 * pi - 1e-6;
}

// ---- reduction -----------------------------------------------------------------------------------------------------
// Six times the volume of a tetrahedron: on which side of a, b, c the point d lies.
double side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) { return dot(d - a, cross(b - a, c - a)); }

bool outside(const Vec3& low, const Vec3& high, const Vec3& p, const Vec3& q) {
  return std::max(p.x, q.x) < low.x || std::min(p.x, q.x) > high.x || std::max(p.y, q.y) < low.y || std::min(p.y, q.y) > high.y ||
         std::max(p.z, q.z) < low.z || std::min(p.z, q.z) > high.z;
}

class Triangle {
 public:
  Triangle(const Vec3& a, const Vec3& b, const Vec3& c)
      : m_a(a),
        m_b(b),
        m_c(c),
        m_low{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})},
        m_high{std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})},
        m_normal(cross(b - a, c - a)) {}

  // Also where that cannot be told.
  bool may_be_crossed(const Vec3& p, const Vec3& q) const {
    if (outside(m_low, m_high, p, q)) return false;
    const double sp = dot(p - m_a, m_normal), sq = dot(q - m_a, m_normal), size = size_with(p, q);
    const double rounding = 1e-14 * size * size * size;
    if (std::min(sp, sq) > rounding || std::max(sp, sq) < -rounding) return false;
    const double ab = side(p, q, m_a, m_b), bc = side(p, q, m_b, m_c), ca = side(p, q, m_c, m_a);
    return std::min({ab, bc, ca}) >= -rounding || std::max({ab, bc, ca}) <= rounding;
  }

 private:
  // The longest of the edges that a volume is made of, about.
  double size_with(const Vec3& p, const Vec3& q) const {
    const Vec3 across = m_high - m_low, edge = q - p;
    return std::max({across.x, across.y, across.z, std::abs(edge.x), std::abs(edge.y), std::abs(edge.z)});
  }

  Vec3 m_a, m_b, m_c, m_low, m_high, m_normal;
};

bool can_go(const std::vector<Vec3>& p, std::size_t i) {
  const std::size_t n = p.size(), before = (i + n - 1) % n, after = (i + 1) % n;
  const Triangle triangle(p[before], p[i], p[after]);
  // From the edge that begins two points on to the one that ends two points back: the others share a corner with the triangle,
  // and after shaken() lie in no plane with it.
  std::size_t k = (i + 2) % n;
  for (std::size_t count = 4; count < n; ++count) {
    const std::size_t next = k + 1 == n ? 0 : k + 1;
    if (triangle.may_be_crossed(p[k], p[next])) return false;
    k = next;
  }
  return true;
}

// Every point moved by up to 1e-7 of the size, so that no four of them lie in a plane, and what touches is apart by more than
// rounding can tell. Rods are thicker.
void shake(std::vector<Vec3>& polygon) {
  const double size = 1e-7 * ball_around(polygon).radius;
  std::uint64_t seed = 1;
  const auto next = [&] {  // Knuth, The Art of Computer Programming 2, 3.3.4
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return size * (static_cast<double>(seed >> 11) * 0x1p-52 - 1);
  };
  for (Vec3& p : polygon) {
    const double x = next(), y = next(), z = next();
    p += Vec3{x, y, z};
  }
}

// ---- the knot ------------------------------------------------------------------------------------------------------
constexpr std::size_t most_crossings = 120;  // a determinant takes the cube of it, 2 ms

// Evenly over half a sphere, in no direction that a scene would have.
std::vector<Vec3> directions() {
  constexpr int count = 12;
  std::vector<Vec3> out;
  for (int i = 0; i < count; ++i) {
    const double z = (i + 0.57) / count, angle = 0.31 + 2.39996322972865332 * i;  // the golden angle
    const double r = std::sqrt(1 - z * z);
    out.push_back(Vec3{r * std::cos(angle), r * std::sin(angle), z});
  }
  return out;
}

// Fewest crossings first.
std::vector<Drawing> drawings_of(const std::vector<Vec3>& polygon) {
  std::vector<Drawing> out;
  for (const Vec3& direction : directions())
    if (std::optional<Drawing> drawing = drawing_of(polygon, direction)) out.push_back(std::move(*drawing));
  std::stable_sort(out.begin(), out.end(),
                   [](const Drawing& a, const Drawing& b) { return a.crossings.size() < b.crossings.size(); });
  return out;
}

Knot unknown(const std::string& reason) { return {"unknown (" + reason + ")", 0, 0}; }

Knot named(const AlexanderValues& values, int crossings) {
  // Modulo a prime of 61 bits a large one is as good as random.
  const std::int64_t determinant = values.determinant < (std::int64_t{1} << 40) ? values.determinant : 0;
  std::string name = knot_name(values);
  if (name.empty()) name = determinant > 0 ? fmt::format("unknown (determinant {})", determinant) : "unknown (large determinant)";
  return {std::move(name), determinant, crossings};
}

}  // namespace

std::vector<Vec3> closed_far_outside(const Curve& curve) {
  std::vector<Vec3> out = curve.points;
  const Ball ball = ball_around(out);
  if (curve.closed || !(ball.radius > 0)) return out;
  constexpr int chords = 6;  // of half a circle at most: none comes nearer than 0.96 of its radius
  const double far = 4 * ball.radius;
  const Vec3 first = out.front() + far * way_out(out.front(), ball), last = out.back() + far * way_out(out.back(), ball);
  const Vec3 from = normalized(last - ball.centre), to = normalized(first - ball.centre);
  const Quat arc = shortest_turn(from, to);
  out.push_back(last);
  for (int i = 1; i < chords; ++i)
    out.push_back(ball.centre + far * rotate(fraction_of(arc, static_cast<double>(i) / chords), from));
  out.push_back(first);
  return out;
}

std::vector<Vec3> reduced(std::vector<Vec3> polygon) {
  shake(polygon);
  bool again = true;
  while (again) {
    again = false;
    for (std::size_t i = 0; i < polygon.size() && polygon.size() > 3;) {
      if (can_go(polygon, i)) {
        polygon.erase(polygon.begin() + static_cast<std::ptrdiff_t>(i));
        again = true;
      } else {
        ++i;
      }
    }
  }
  return polygon;
}

Knot knot_of(const Curve& curve) {
  if (!std::all_of(curve.points.begin(), curve.points.end(), [](const Vec3& p) { return finite(p); }))
    return unknown("it is not finite");
  std::vector<Vec3> polygon = closed_far_outside(curve);
  if (polygon.size() < 6 || !(ball_around(polygon).radius > 0) || turns_too_little(polygon))
    return {"unknot", 1, 0};  // no knot has fewer than six edges
  polygon = reduced(std::move(polygon));
  if (polygon.size() < 6) return {"unknot", 1, 0};
  std::optional<AlexanderValues> before;
  for (const Drawing& drawing : drawings_of(polygon)) {
    if (drawing.crossings.size() > most_crossings) return unknown(fmt::format("{} crossings", drawing.crossings.size()));
    const int count = static_cast<int>(drawing.crossings.size());
    if (count < 3) return {"unknot", 1, count};
    const AlexanderValues values = alexander_values(drawing);
    if (before && *before == values) return named(values, count);
    before = values;
  }
  return unknown("it touches itself");
}

}  // namespace writhe::measure
