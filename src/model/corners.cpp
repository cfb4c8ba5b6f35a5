#include "model/corners.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "math/rotation.h"
#include "model/centreline.h"
#include "model/rod_shape.h"

namespace writhe {

namespace {

constexpr double same_place = 1e-9;  // of the length
constexpr double degree = pi / 180;

const std::vector<Vec3>* points_of(const Centreline& shape) {
  if (const auto* polyline = std::get_if<PolylineShape>(&shape)) return &polyline->points;
  if (const auto* obj = std::get_if<ObjShape>(&shape)) return &obj->points;
  return nullptr;
}

struct Vertex {
  double at;    // m, along the polyline
  double turn;  // rad
};

// The inner points of a polyline; of a loop its first, which is its last, too.
std::vector<Vertex> vertices_of(const std::vector<Vec3>& points, bool loop) {
  std::vector<Vertex> out;
  const std::size_t sides = points.size() - 1;
  double at = 0;
  for (std::size_t i = 0; i < sides; ++i) {
    const Vec3 next = points[i + 1] - points[i];
    if (i > 0 || loop) {
      const Vec3 before = points[i > 0 ? i : sides] - points[i > 0 ? i - 1 : sides - 1];
      out.push_back({at, std::atan2(norm(cross(before, next)), dot(before, next))});
    }
    at += norm(next);
  }
  return out;
}

// The stress-free shape, and whether it is a loop. Null: straight.
struct RestOutline {
  const Centreline* shape = nullptr;
  bool loop = false;
};
RestOutline rest_outline(const Rod& rod) {
  if (std::holds_alternative<AsBuiltRest>(rod.rest)) return {&rod.centreline, is_closed(rod)};
  // A loop of its own in an open rod is one that is cut: its ends are no corner, and nothing closes them.
  if (const auto* own = std::get_if<ShapeRest>(&rod.rest)) return {&own->shape, is_closed(rod) && is_loop(own->shape)};
  return {};
}

// Segments of each leg.
std::vector<int> shared_out(const std::vector<double>& legs, int segments) {
  std::vector<int> out(legs.size(), 1);
  for (int left = segments - static_cast<int>(legs.size()); left > 0; --left) {
    std::size_t longest = 0;
    for (std::size_t k = 1; k < legs.size(); ++k)
      if (legs[k] * out[longest] > legs[longest] * out[k] * (1 + same_place)) longest = k;
    ++out[longest];
  }
  return out;
}

// The fractions at which legs begin and end.
std::vector<double> ends_of_legs(const Corners& corners) {
  std::vector<double> out{0};
  for (const double at : corners.at)
    if (at > 0) out.push_back(at);
  out.push_back(1);
  return out;
}

}  // namespace

Corners corners_of(const Centreline& shape, int segments, bool loop) {
  const std::vector<Vec3>* given = points_of(shape);
  if (!given) return {};
  const std::vector<Vec3> points = loop ? closed_points(*given, true) : *given;
  const std::vector<Vertex> vertices = vertices_of(points, loop);
  const double length = centreline_length(shape, loop);
  const double segment = length / segments * (1 - same_place);
  const int count = static_cast<int>(vertices.size());
  // Whether another point as near as this, m, on the side to which `step` leads turns by more than half as much.
  const auto has_company = [&](int i, int step, double near) {
    for (int k = 1; k < count; ++k) {
      const int other = i + step * k, wrapped = (other + count) % count;
      if (wrapped != other && !loop) return false;
      const double along = std::abs(vertices[wrapped].at - vertices[i].at);
      if ((wrapped == other ? along : length - along) >= near) return false;
      if (vertices[wrapped].turn > vertices[i].turn / 2) return true;
    }
    return false;
  };
  const auto is_corner = [&](int i) {
    const double turn = vertices[i].turn / degree * (1 - same_place), at = vertices[i].at;
    if (!(turn > CornerAngle::least)) return false;
    if (at > 0 && std::min(at, length - at) < segment / 2) return false;  // a loop has a node at its first point, too
    const double near = turn > CornerAngle::sharp ? segment / 2 : 2 * segment;
    return !has_company(i, 1, near) && !has_company(i, -1, near);
  };
  Corners out;
  for (int i = 0; i < count; ++i)
    if (is_corner(i)) out.at.push_back(vertices[i].at / length);
  return out;
}

NodePlaces node_places(const Rod& rod) {
  NodePlaces out;
  const RestOutline rest = rest_outline(rod);
  if (!rest.shape) return out;
  const Corners corners = corners_of(*rest.shape, rod.segments, rest.loop);
  if (!corners.any()) return out;
  const int segments = rod.segments;
  const auto off_even = [&](double at) { return std::abs(at * segments - std::round(at * segments)) > same_place * segments; };
  const std::vector<double> ends = ends_of_legs(corners);
  if (std::none_of(ends.begin(), ends.end(), off_even)) {
    for (std::size_t k = 1; k + 1 < ends.size(); ++k) out.corners.push_back(static_cast<int>(std::lround(ends[k] * segments)));
  } else {
    std::vector<double> legs;
    for (std::size_t k = 1; k < ends.size(); ++k) legs.push_back(ends[k] - ends[k - 1]);
    const std::vector<int> counts = shared_out(legs, segments);
    out.at.push_back(0);
    for (std::size_t k = 0; k < legs.size(); ++k) {
      for (int i = 1; i < counts[k]; ++i) out.at.push_back(ends[k] + legs[k] * i / counts[k]);
      out.at.push_back(ends[k + 1]);
      if (k + 1 < legs.size()) out.corners.push_back(static_cast<int>(out.at.size()) - 1);
    }
  }
  if (corners.at.front() == 0) out.corners.push_back(segments);
  return out;
}

void check_corners(const Rod& rod, const std::string& path, Problems& problems) {
  for (const char* key : {".centreline", ".rest", ".segments", ".closed"})
    if (problems.any_at(path + key) || problems.unread(path + key)) return;
  const RestOutline rest = rest_outline(rod);
  if (!rest.shape) return;
  const int legs = static_cast<int>(ends_of_legs(corners_of(*rest.shape, rod.segments, rest.loop)).size()) - 1;
  if (rod.segments >= legs) return;
  problems.add(
      path + ".segments", text_of(rod.segments),
      fmt::format("too few for the corners of the rest shape, each of which is to be a node; use at least {} segments, or "
                  "give a curve more points: where each turns by {} degrees or less there are no corners",
                  legs, CornerAngle::least));
}

}  // namespace writhe
