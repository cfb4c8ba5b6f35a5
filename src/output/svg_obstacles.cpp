#include "output/svg_obstacles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "math/rotation.h"
#include "model/obstacle_pose.h"
#include "output/obstacle_surface.h"
#include "output/svg_text.h"

namespace writhe::output {

namespace {

constexpr const char* edge_ink = "#9aa1ab";
constexpr std::size_t most_triangles = 20000;  // of a mesh that is larger only some are drawn, evenly chosen

using Polygon = std::vector<Point>;  // px

// Sutherland and Hodgman 1974, for a convex frame.
Polygon clipped(Polygon shape, const Rect& frame) {
  const auto cut = [&shape](const auto& inside) {  // m above 0: inside
    Polygon out;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const Point a = shape[i], b = shape[(i + 1) % shape.size()];
      const double da = inside(a), db = inside(b);
      if (da >= 0) out.push_back(a);
      if ((da >= 0) != (db >= 0)) out.push_back(a + (da / (da - db)) * (b - a));
    }
    shape = std::move(out);
  };
  cut([&](Point p) { return p.x - frame.x0; });
  cut([&](Point p) { return frame.x1 - p.x; });
  cut([&](Point p) { return p.y - frame.y0; });
  cut([&](Point p) { return frame.y1 - p.y; });
  return shape;
}

// Andrew's monotone chain.
Polygon hull_of(Polygon points) {
  const auto turn = [](Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); };
  std::sort(points.begin(), points.end(), [](Point a, Point b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  Polygon out;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t begin = out.size();
    for (const Point p : points) {
      while (out.size() >= begin + 2 && turn(out[out.size() - 2], out.back(), p) <= 0) out.pop_back();
      out.push_back(p);
    }
    out.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return out;
}

void add_circle(Point centre, double radius, Polygon& out) {
  constexpr int corners = 72;
  for (int k = 0; k < corners; ++k)
    out.push_back(centre + Point{radius * std::cos(2 * pi * k / corners), radius * std::sin(2 * pi * k / corners)});
}

// Grey by how much a surface faces the viewer, 0 to 1.
std::string grey(double facing) {
  const int value = static_cast<int>(std::lround(208 + 30 * std::clamp(facing, 0.0, 1.0)));
  return fmt::format("#{0:02x}{0:02x}{1:02x}", value, std::min(value + 4, 255));
}

std::string filled(const Polygon& shape, const Rect& frame, const std::string& fill) {
  const Polygon seen = clipped(shape, frame);
  return seen.size() < 3 ? "" : fmt::format("<path fill=\"{}\" stroke=\"{}\" d=\"{}\"/>\n", fill, edge_ink, polygon(seen));
}

struct Drawer {
  const Camera& camera;
  const Rect& frame;
  const Pose& pose;

  Point at(const Vec3& x) const { return camera.at(pose.of_point(x)); }

  // Seen along itself a line with all that is below it; else a sheet.
  std::string operator()(const PlaneObstacle& plane) const {
    constexpr double edge_on = 0.05;
    const Vec3 normal = pose.of_direction(normalized(plane.normal));
    const double facing = dot(normal, camera.toward), far = 4 * (frame.width() + frame.height());
    const Point on = at(plane.point), n = camera.direction(normal);
    if (std::abs(facing) < edge_on) {
      const Point down = (-1 / norm(n)) * n, along = normal_to(down);
      const Point middle = on + dot(Point{(frame.x0 + frame.x1) / 2, (frame.y0 + frame.y1) / 2} - on, along) * along;
      return filled(
          {middle - far * along, middle + far * along, middle + far * along + far * down, middle - far * along + far * down},
          frame, grey(0.6));
    }
    return filled({{frame.x0, frame.y0}, {frame.x1, frame.y0}, {frame.x1, frame.y1}, {frame.x0, frame.y1}}, frame, "#f4f5f7");
  }
  std::string operator()(const SphereObstacle& sphere) const {
    Polygon circle;
    add_circle(at(sphere.centre), camera.scale * sphere.radius, circle);
    return filled(circle, frame, grey(0.7));
  }
  std::string operator()(const CapsuleObstacle& capsule) const {
    Polygon circles;
    for (const Vec3& end : {capsule.from, capsule.to}) add_circle(at(end), camera.scale * capsule.radius, circles);
    return filled(hull_of(circles), frame, grey(0.7));
  }
  std::string operator()(const BoxObstacle& box) const {
    const Vec3 x = normalized(box.x), y = normalized(box.y - dot(box.y, x) * x);
    const std::array<Vec3, 3> half{0.5 * box.size.x * x, 0.5 * box.size.y * y, 0.5 * box.size.z * cross(x, y)};
    std::string out;
    for (int k = 0; k < 3; ++k)
      for (const double side : {-1.0, 1.0}) {
        const Vec3 to_face = side * half[k], u = half[(k + 1) % 3], v = half[(k + 2) % 3], c = box.centre + to_face;
        const double facing = dot(pose.of_direction(normalized(to_face)), camera.toward);
        if (facing > 1e-9) out += filled({at(c + u + v), at(c + u - v), at(c - u - v), at(c - u + v)}, frame, grey(facing));
      }
    return out;
  }
  // The farthest first.
  std::string operator()(const MeshObstacle& mesh) const {
    std::vector<std::size_t> order;
    const std::size_t every = mesh.triangles.size() / most_triangles + 1;
    for (std::size_t i = 0; i < mesh.triangles.size(); i += every) order.push_back(i);
    const auto corner = [&](std::size_t i, int k) { return pose.of_point(mesh.points[mesh.triangles[i][k]]); };
    std::vector<double> depth(mesh.triangles.size());
    for (const std::size_t i : order)
      depth[i] = camera.depth(corner(i, 0)) + camera.depth(corner(i, 1)) + camera.depth(corner(i, 2));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return depth[a] < depth[b]; });
    std::string out = "<g stroke-width=\"0.3\">\n";
    for (const std::size_t i : order) {
      const Vec3 a = corner(i, 0), b = corner(i, 1), c = corner(i, 2), n = cross(b - a, c - a);
      const double twice_area = norm(n);
      if (twice_area > 0)
        out += filled({camera.at(a), camera.at(b), camera.at(c)}, frame, grey(std::abs(dot(n, camera.toward)) / twice_area));
    }
    return out + "</g>\n";
  }
};

// Points and radii around which an obstacle lies; of a plane none.
struct Bounds {
  std::vector<std::pair<Vec3, double>> operator()(const PlaneObstacle&) const { return {}; }
  std::vector<std::pair<Vec3, double>> operator()(const SphereObstacle& s) const { return {{s.centre, s.radius}}; }
  std::vector<std::pair<Vec3, double>> operator()(const CapsuleObstacle& c) const {
    return {{c.from, c.radius}, {c.to, c.radius}};
  }
  std::vector<std::pair<Vec3, double>> operator()(const BoxObstacle& box) const {
    const Vec3 x = normalized(box.x), y = normalized(box.y - dot(box.y, x) * x), z = cross(x, y);
    std::vector<std::pair<Vec3, double>> out;
    out.reserve(8);
    for (int k = 0; k < 8; ++k)
      out.emplace_back(box.centre + ((k & 1 ? 0.5 : -0.5) * box.size.x) * x + ((k & 2 ? 0.5 : -0.5) * box.size.y) * y +
                           ((k & 4 ? 0.5 : -0.5) * box.size.z) * z,
                       0);
    return out;
  }
  std::vector<std::pair<Vec3, double>> operator()(const MeshObstacle& mesh) const {
    std::vector<std::pair<Vec3, double>> out;
    for (const Vec3& x : mesh.points) out.emplace_back(x, 0);
    return out;
  }
};

// Planes, then the others by their middles.
std::vector<std::size_t> back_to_front(const Model& model, double time, const Camera& camera) {
  const std::vector<Obstacle>& all = model.scene().obstacles;
  std::vector<std::size_t> out(all.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  const auto key = [&](std::size_t i) {
    const bool solid = !std::holds_alternative<PlaneObstacle>(all[i].shape);
    return std::pair(solid, solid ? camera.depth(pose_of(all[i], time).of_point(centre_of(all[i]))) : 0);
  };
  std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return out;
}

// How much nearer to the viewer the triangle is at a point of the picture than `depth`; below 0 beside it.
double nearer(const std::array<Point, 3>& at, const std::array<double, 3>& depth, Point p, double than) {
  const Point u = at[1] - at[0], v = at[2] - at[0], w = p - at[0];
  const double area = u.x * v.y - u.y * v.x;
  const double b = (w.x * v.y - w.y * v.x) / area, c = (u.x * w.y - u.y * w.x) / area;
  if (!(b >= 0 && c >= 0 && b + c <= 1)) return -1;  // of one that is seen edge on, too
  return (1 - b - c) * depth[0] + b * depth[1] + c * depth[2] - than;
}

bool is_in(const Rect& box, Point p) { return p.x >= box.x0 && p.x <= box.x1 && p.y >= box.y0 && p.y <= box.y1; }

}  // namespace

Hiding::Hiding(const Model& model, double time, const Camera& camera) : m_camera(camera) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const Obstacle& obstacle : model.scene().obstacles) {
    if (std::holds_alternative<PlaneObstacle>(obstacle.shape)) continue;
    const ObstacleSurface surface = surface_of(obstacle, {});
    if (surface.corners.size() > most_triangles) continue;
    const Pose pose = pose_of(obstacle, time);
    Solid solid{{infinity, infinity, -infinity, -infinity}, {}};
    for (const std::array<std::int32_t, 3>& corners : surface.corners) {
      Triangle triangle{{}, {}, {infinity, infinity, -infinity, -infinity}};
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 x = pose.of_point(surface.points[corners[k]]);
        triangle.at[k] = camera.direction(x);
        triangle.depth[k] = camera.depth(x);
        triangle.box.include(triangle.at[k], 0);
        solid.box.include(triangle.at[k], 0);
      }
      solid.triangles.push_back(triangle);
    }
    m_solids.push_back(std::move(solid));
  }
}

bool Hiding::hides(const Vec3& x) const {
  const Point p = m_camera.direction(x);
  const double depth = m_camera.depth(x);
  for (const Solid& solid : m_solids) {
    if (!is_in(solid.box, p)) continue;
    for (const Triangle& triangle : solid.triangles)
      if (is_in(triangle.box, p) && nearer(triangle.at, triangle.depth, p, depth) > 0) return true;
  }
  return false;
}

std::string draw_obstacles(const Model& model, double time, const Camera& camera, const Rect& frame) {
  std::string out;
  for (const std::size_t i : back_to_front(model, time, camera)) {
    const Obstacle& obstacle = model.scene().obstacles[i];
    const Pose pose = pose_of(obstacle, time);
    out += "<g class=\"obstacle\" stroke-width=\"1\">\n" + std::visit(Drawer{camera, frame, pose}, obstacle.shape) + "</g>\n";
  }
  return out;
}

void include_obstacles(const Model& model, double time, const Camera& camera, Rect& extent) {
  constexpr double much_larger = 2;
  const double widest = much_larger * std::max(extent.width(), extent.height());
  for (const Obstacle& obstacle : model.scene().obstacles) {
    const Pose pose = pose_of(obstacle, time);
    Rect wider = extent;
    for (const auto& [point, radius] : std::visit(Bounds{}, obstacle.shape))
      wider.include(camera.direction(pose.of_point(point)), radius);
    if (std::max(wider.width(), wider.height()) <= widest) extent = wider;
  }
}

}  // namespace writhe::output
