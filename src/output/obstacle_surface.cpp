#include "output/obstacle_surface.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "math/rotation.h"

namespace writhe::output {

namespace {

constexpr int meridians = 48;       // around a ball or a capsule
constexpr int parallels = 12;       // from a pole to the equator
constexpr double plane_extent = 2;  // half edge of what is drawn of a plane, in radii of the ball

struct Builder {
  const Ball& ball;

  ObstacleSurface operator()(const PlaneObstacle& plane) const {
    const Vec3 n = normalized(plane.normal), u = any_orthogonal(n), v = cross(n, u);
    const Vec3 middle = ball.middle - dot(ball.middle - plane.point, n) * n;
    const double half = plane_extent * ball.radius;
    return {
        {middle - half * u - half * v, middle + half * u - half * v, middle + half * u + half * v, middle - half * u + half * v},
        {{0, 1, 2}, {0, 2, 3}}};
  }
  ObstacleSurface operator()(const SphereObstacle& sphere) const {
    return capsule(sphere.centre, sphere.centre, {0, 0, 1}, sphere.radius);
  }
  ObstacleSurface operator()(const CapsuleObstacle& c) const {
    const Vec3 axis = c.to - c.from;
    return capsule(c.from, c.to, norm(axis) > 0 ? normalized(axis) : Vec3{0, 0, 1}, c.radius);
  }
  // Corner k is on the side of x, y and z where bits 0, 1 and 2 are set.
  ObstacleSurface operator()(const BoxObstacle& box) const {
    const Vec3 x = normalized(box.x), y = normalized(box.y - dot(box.y, x) * x), z = cross(x, y);
    ObstacleSurface out;
    for (int k = 0; k < 8; ++k)
      out.points.push_back(box.centre + ((k & 1 ? 0.5 : -0.5) * box.size.x) * x + ((k & 2 ? 0.5 : -0.5) * box.size.y) * y +
                           ((k & 4 ? 0.5 : -0.5) * box.size.z) * z);
    constexpr std::array<std::array<std::int32_t, 4>, 6> faces{
        {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
    for (const std::array<std::int32_t, 4>& f : faces) {
      out.corners.push_back({f[0], f[1], f[2]});
      out.corners.push_back({f[0], f[2], f[3]});
    }
    return out;
  }
  ObstacleSurface operator()(const MeshObstacle& mesh) const {
    ObstacleSurface out{mesh.points, {}};
    for (const std::array<int, 3>& t : mesh.triangles) out.corners.push_back({t[0], t[1], t[2]});
    return out;
  }

 private:
  // A pole, rings up to the other pole. A ball has one ring on its equator, a capsule two.
  static ObstacleSurface capsule(const Vec3& from, const Vec3& to, const Vec3& axis, double radius) {
    ObstacleSurface out;
    const Vec3 u = any_orthogonal(axis), v = cross(axis, u);
    out.points.push_back(from - radius * axis);
    const auto add_ring = [&](const Vec3& centre, int step) {  // of parallels, from the equator, upwards
      const double up = 0.5 * pi * step / parallels;
      for (int k = 0; k < meridians; ++k) {
        const double turn = 2 * pi * k / meridians;
        out.points.push_back(centre + radius * (std::sin(up) * axis + std::cos(up) * (std::cos(turn) * u + std::sin(turn) * v)));
      }
    };
    for (int step = 1 - parallels; step <= 0; ++step) add_ring(from, step);
    for (int step = norm(to - from) > 0 ? 0 : 1; step < parallels; ++step) add_ring(to, step);
    out.points.push_back(to + radius * axis);
    const int top = static_cast<int>(out.points.size()) - 1;
    for (int first = 1; first < top; first += meridians)
      for (int k = 0; k < meridians; ++k) {
        const int a = first + k, b = first + (k + 1) % meridians;
        if (first == 1) out.corners.push_back({0, b, a});
        if (first + meridians == top) {
          out.corners.push_back({a, b, top});
        } else {
          out.corners.push_back({a, b, b + meridians});
          out.corners.push_back({a, b + meridians, a + meridians});
        }
      }
    return out;
  }
};

}  // namespace

Ball ball_of_start(const Model& model) {
  const std::vector<Vec3> nodes = model.initial_state().x;
  Vec3 low = nodes.front(), high = low;
  for (const Vec3& x : nodes) {
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
  }
  return {0.5 * (low + high), 0.5 * norm(high - low)};
}

ObstacleSurface surface_of(const Obstacle& obstacle, const Ball& ball) { return std::visit(Builder{ball}, obstacle.shape); }

}  // namespace writhe::output
