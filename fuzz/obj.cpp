// Whatever the bytes of an OBJ file: a line and a surface that can be used, or an Error that says why not.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "contact/obstacle_mesh.h"
#include "scene/scene_obj.h"
#include "writhe/error.h"
#include "writhe/vec.h"

namespace {

using namespace writhe;

void require(bool condition) {
  if (!condition) std::abort();  // the fuzzer keeps the input
}

void check_points(const std::vector<Vec3>& points) {
  for (const Vec3& point : points) require(finite(point));
}

// What a scene accepts: coordinates that can be squared and multiplied once more (src/model/check_contact.cpp).
bool is_near(const std::vector<Vec3>& points) {
  for (const Vec3& p : points)
    if (!(std::abs(p.x) <= 1e100 && std::abs(p.y) <= 1e100 && std::abs(p.z) <= 1e100)) return false;
  return true;
}

void check_surface(const scene_file::ObjSurface& surface) {
  check_points(surface.points);
  const int count = static_cast<int>(surface.points.size());
  for (const auto& triangle : surface.triangles)
    for (const int point : triangle) require(point >= 0 && point < count);
  if (!is_near(surface.points)) return;
  MeshObstacle mesh;
  mesh.points = surface.points;
  mesh.triangles = surface.triangles;
  const contact::ObstacleMesh shape(mesh);
  require(shape.left_out() <= static_cast<int>(surface.triangles.size()) && shape.open_edges() >= 0);
  for (const Vec3& at : {Vec3{0, 0, 0}, surface.points.front(), Vec3{0.3, -0.2, 0.5}}) {
    require(shape.distance(at) >= 0);  // also false for what is not a number
    require(!shape.contains(at) || shape.is_closed());
  }
}

// One problem, with the file it is in.
template <class Work>
void attempt(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    require(error.problems().size() == 1 && !error.problems()[0].message.empty() && error.problems()[0].where.file == "it.obj");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  attempt([&] { check_points(scene_file::obj_line(text, "it.obj", "field")); });
  attempt([&] { check_surface(scene_file::obj_surface(text, "it.obj", "field")); });
  return 0;
}
