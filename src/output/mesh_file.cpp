#include "output/mesh_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "base/print_to.h"
#include "output/sink_file.h"
#include "writhe/error.h"

namespace writhe::output {

namespace {

static_assert(std::endian::native == std::endian::little, "the binary formats are written as the memory is");

using Point3 = std::array<float, 3>;

template <class T>
void append(std::string& out, const T& value) {
  const std::size_t at = out.size();
  out.resize(at + sizeof value);
  std::memcpy(out.data() + at, &value, sizeof value);
}

// Neighbouring triangles share the same bits, or the surface would not be closed.
std::vector<Point3> points_of(const TubeMesh& mesh, double scale) {
  std::vector<Point3> out;
  out.reserve(mesh.vertices.size());
  for (const Vec3& v : mesh.vertices) {
    const Vec3 x = scale * v;
    if (!(std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}) <= std::numeric_limits<float>::max()))
      throw Error("--scale", fmt::format("{}", scale),
                  "gives coordinates that are too large for a mesh file; take a smaller one");
    out.push_back({static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)});
  }
  return out;
}

Vec3 normal_of(const Point3& a, const Point3& b, const Point3& c) {
  const auto vec = [](const Point3& p) { return Vec3{p[0], p[1], p[2]}; };
  const Vec3 n = cross(vec(b) - vec(a), vec(c) - vec(a));
  const double length = norm(n);
  return length > 0 ? n / length : Vec3{};
}

std::string stl_text(const TubeMesh& mesh, const std::vector<Point3>& points) {
  std::string out = "Writhe";  // 80 bytes that do not begin with `solid`, which means text
  out.resize(80, ' ');
  append(out, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3 n = normal_of(points[a], points[b], points[c]);
    append(out, Point3{static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)});
    for (const std::uint32_t i : {a, b, c}) append(out, points[i]);
    append(out, std::uint16_t{0});
  }
  return out;
}

std::string obj_text(const TubeMesh& mesh, const std::vector<Point3>& points) {
  std::string out = "# Writhe: closed surfaces of rods\n";
  for (std::size_t r = 0; r < mesh.rods.size(); ++r) {
    const bool last = r + 1 == mesh.rods.size();
    const std::size_t vertices = last ? points.size() : mesh.rods[r + 1].first_vertex;
    const std::size_t triangles = last ? mesh.triangles.size() : mesh.rods[r + 1].first_triangle;
    print_to(out, "o {}\n", mesh.rods[r].name);
    for (std::size_t i = mesh.rods[r].first_vertex; i < vertices; ++i)
      print_to(out, "v {} {} {}\n", points[i][0], points[i][1], points[i][2]);
    for (std::size_t i = mesh.rods[r].first_triangle; i < triangles; ++i)
      print_to(out, "f {} {} {}\n", mesh.triangles[i][0] + 1, mesh.triangles[i][1] + 1, mesh.triangles[i][2] + 1);
  }
  return out;
}

std::string ply_text(const TubeMesh& mesh, const std::vector<Point3>& points) {
  std::string out = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment Writhe: closed surfaces of rods\nelement vertex {}\nproperty float x\n"
      "property float y\nproperty float z\nelement face {}\nproperty list uchar uint vertex_indices\nend_header\n",
      points.size(), mesh.triangles.size());
  for (const Point3& p : points) append(out, p);
  for (const auto& triangle : mesh.triangles) {
    append(out, std::uint8_t{3});
    append(out, triangle);
  }
  return out;
}

}  // namespace

void write_mesh(const TubeMesh& mesh, const std::filesystem::path& path, double scale) {
  const std::string ending = path.extension().string();
  const std::vector<Point3> points = points_of(mesh, scale);
  std::string text;
  if (ending == ".stl")
    text = stl_text(mesh, points);
  else if (ending == ".obj")
    text = obj_text(mesh, points);
  else if (ending == ".ply")
    text = ply_text(mesh, points);
  else
    throw Error("mesh", path.string(), "has no known ending; choose .stl, .obj or .ply");
  write_file(path, text);
}

}  // namespace writhe::output
