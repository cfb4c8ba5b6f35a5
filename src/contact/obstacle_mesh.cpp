#include "contact/obstacle_mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>

namespace writhe::contact {

namespace {

// Height over longest edge below which a triangle is its edges alone. A point above the middle of it is then wrong by half of
// that squared; a normal, which loses this many digits, would be wrong by as much as what is left of sixteen.
constexpr double thin = 1e-8;

Vec3 normal_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = cross(b - a, c - a);  // twice the area long
  const double longest2 = std::max({dot(b - a, b - a), dot(c - b, c - b), dot(a - c, a - c)}), twice_area = norm(n);
  return twice_area > thin * longest2 ? n / twice_area : Vec3{};
}

// By which points are one: their bits, but zero has one sign.
std::array<std::uint64_t, 3> place_of(const Vec3& x) {
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value + 0.0); };
  return {bits(x.x), bits(x.y), bits(x.z)};
}

std::array<double, 3> turned(const Vec3& x, int axis) {  // the axis first
  if (axis == 0) return {x.x, x.y, x.z};
  if (axis == 1) return {x.y, x.z, x.x};
  return {x.z, x.x, x.y};
}

}  // namespace

ObstacleMesh::ObstacleMesh(const MeshObstacle& mesh) {
  merge(mesh);
  weigh();
  plant();
}

void ObstacleMesh::merge(const MeshObstacle& mesh) {
  const auto place = [&](int i) { return place_of(mesh.points[i]); };
  std::vector<int> order(mesh.points.size()), merged(mesh.points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return place(a) < place(b); });
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || place(order[k]) != place(order[k - 1])) m_points.push_back(mesh.points[order[k]]);
    merged[order[k]] = static_cast<int>(m_points.size()) - 1;
  }
  std::set<std::array<int, 3>> known;
  for (const auto& [i, j, k] : mesh.triangles) {
    const std::array<int, 3> corner{merged[i], merged[j], merged[k]};
    std::array<int, 3> sorted = corner;
    std::sort(sorted.begin(), sorted.end());
    if (sorted[0] == sorted[1] || sorted[1] == sorted[2] || !known.insert(sorted).second)
      ++m_left_out;
    else
      m_faces.push_back({corner, normal_of(m_points[corner[0]], m_points[corner[1]], m_points[corner[2]])});
  }
  m_thin = static_cast<int>(
      std::count_if(m_faces.begin(), m_faces.end(), [](const Face& face) { return dot(face.normal, face.normal) == 0; }));
}

// Inclusion and exclusion: a triangle counts 1, and an edge and a corner what makes the weights of all that have it sum to 1.
void ObstacleMesh::weigh() {
  std::vector<Edge> sides;
  std::vector<int> sum_at(m_points.size(), 0);
  std::vector<char> used(m_points.size(), 0);
  for (const Face& face : m_faces)
    for (int k = 0; k < 3; ++k) {
      const int a = face.point[k], b = face.point[(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b)});
      ++sum_at[a];
      used[a] = 1;
    }
  m_weight.assign(m_faces.size(), 1);
  std::sort(sides.begin(), sides.end());
  for (std::size_t k = 0, next = 0; k < sides.size(); k = next) {
    while (next < sides.size() && sides[next] == sides[k]) ++next;
    const int triangles = static_cast<int>(next - k);
    m_open_edges += triangles % 2;
    if (triangles == 1) continue;
    m_edges.push_back(sides[k]);
    m_weight.push_back(1 - triangles);
    for (const int point : sides[k]) sum_at[point] += 1 - triangles;
  }
  for (int point = 0; point < static_cast<int>(m_points.size()); ++point) {
    if (used[point] == 0 || sum_at[point] == 1) continue;
    m_corners.push_back(point);
    m_weight.push_back(1 - sum_at[point]);
  }
}

void ObstacleMesh::plant() {
  std::vector<Box> boxes;
  for (int feature = 0; feature < feature_count(); ++feature) boxes.push_back(box_of_feature(feature));
  m_tree = BoxTree(boxes);
  boxes.resize(m_faces.size());
  m_face_tree = BoxTree(boxes);
}

Box ObstacleMesh::box_of_feature(int feature) const {
  if (feature < edge_begin()) {
    const auto& [a, b, c] = m_faces[feature].point;
    return Box::around(m_points[a], m_points[b], m_points[c]);
  }
  if (feature < corner_begin()) {
    const auto& [a, b] = m_edges[feature - edge_begin()];
    return Box::around(m_points[a], m_points[b], m_points[b]);
  }
  const Vec3& x = m_points[m_corners[feature - corner_begin()]];
  return {x, x};
}

Touch ObstacleMesh::touch(int feature, const Vec3& point) const {
  if (feature < edge_begin()) return touch_of_face(m_faces[feature], point);
  if (feature < corner_begin()) {
    const auto& [a, b] = m_edges[feature - edge_begin()];
    return touch_of_segment(point, m_points[a], m_points[b]);
  }
  return touch_of_point(point - m_points[m_corners[feature - corner_begin()]]);
}

// Above the inside its plane is nearest, else one of its edges, whichever corner they end at.
Touch ObstacleMesh::touch_of_face(const Face& face, const Vec3& point) const {
  const Vec3 corner[3] = {m_points[face.point[0]], m_points[face.point[1]], m_points[face.point[2]]};
  bool above = dot(face.normal, face.normal) > 0;
  for (int k = 0; k < 3 && above; ++k) above = dot(cross(corner[(k + 1) % 3] - corner[k], point - corner[k]), face.normal) >= 0;
  if (above) {
    const double height = dot(point - corner[0], face.normal);
    return {std::abs(height), height < 0 ? -face.normal : face.normal, {}};
  }
  Touch nearest = touch_of_segment(point, corner[0], corner[1]);
  for (int k = 1; k < 3; ++k)
    if (const Touch other = touch_of_segment(point, corner[k], corner[(k + 1) % 3]); other.distance < nearest.distance)
      nearest = other;
  return nearest;
}

void ObstacleMesh::find(const Box& box, std::vector<int>& features) const {
  const auto begin = static_cast<std::ptrdiff_t>(features.size());
  m_tree.for_each_in(box, [&](int feature) {
    if (feature >= edge_begin() || plane_meets(m_faces[feature], box)) features.push_back(feature);
  });
  std::sort(features.begin() + begin, features.end());
}

bool ObstacleMesh::plane_meets(const Face& face, const Box& box) const {
  constexpr double rounding = 1e-14;  // of the distance from the triangle
  const Vec3 n = face.normal, half = 0.5 * (box.high - box.low), way = 0.5 * (box.low + box.high) - m_points[face.point[0]];
  const double reach = half.x * std::abs(n.x) + half.y * std::abs(n.y) + half.z * std::abs(n.z);
  return !(std::abs(dot(n, way)) > reach + rounding * norm(way));
}

double ObstacleMesh::distance(const Vec3& point) const {
  return m_face_tree.nearest(point, [&](int face) { return touch_of_face(m_faces[face], point).distance; });
}

// By the triangles that a ray meets. Seen along it an edge is on one side of the point or the other, and every triangle that has
// it sees it on the same: so the ray meets an even number of all on its line, also through an edge or a corner. What is left to
// rounding is where a triangle seen edge on lies along it, so three rays vote.
bool ObstacleMesh::contains(const Vec3& point) const {
  if (!is_closed()) return false;
  return is_odd_along(0, point) + is_odd_along(1, point) + is_odd_along(2, point) >= 2;
}

namespace {

// Seen along the ray: whether the edge from a to b is passed on the way from p towards positive u. First the lower one, or
// the other triangle of the edge might decide otherwise.
struct Seen {
  double u, v;
};
double doubled_area(const Seen& p, const Seen& a, const Seen& b) { return (a.u - p.u) * (b.v - p.v) - (a.v - p.v) * (b.u - p.u); }
bool passes(const Seen& p, Seen a, Seen b) {
  if ((a.v > p.v) == (b.v > p.v)) return false;
  if (a.v > b.v) std::swap(a, b);
  if (p.u < std::min(a.u, b.u)) return true;
  if (p.u > std::max(a.u, b.u)) return false;
  return doubled_area(p, a, b) > 0;
}

}  // namespace

bool ObstacleMesh::is_odd_along(int axis, const Vec3& point) const {
  constexpr double far = std::numeric_limits<double>::infinity();
  const std::array<double, 3> from = turned(point, axis);
  const double depth = from[0];
  const Seen p{from[1], from[2]};
  Box ray{point, point};
  (axis == 0 ? ray.high.x : axis == 1 ? ray.high.y : ray.high.z) = far;
  bool odd = false;
  m_face_tree.for_each_in(ray, [&](int f) {
    std::array<double, 3> at{};
    std::array<Seen, 3> seen{};
    for (int k = 0; k < 3; ++k) {
      const std::array<double, 3> x = turned(m_points[m_faces[f].point[k]], axis);
      at[k] = x[0];
      seen[k] = {x[1], x[2]};
    }
    bool met = false;
    for (int k = 0; k < 3; ++k) met = met != passes(p, seen[k], seen[(k + 1) % 3]);
    if (!met) return;
    const double a = doubled_area(p, seen[1], seen[2]), b = doubled_area(p, seen[2], seen[0]),
                 c = doubled_area(p, seen[0], seen[1]);
    const double all = a + b + c, low = std::min({at[0], at[1], at[2]}), high = std::max({at[0], at[1], at[2]});
    const double where = all == 0 ? 0.5 * (low + high) : (a * at[0] + b * at[1] + c * at[2]) / all;
    if (std::clamp(where, low, high) > depth) odd = !odd;
  });
  return odd;
}

}  // namespace writhe::contact
