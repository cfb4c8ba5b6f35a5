// What rods cannot enter, and which of them touch which.
#include <utility>

#include "scene/scene_obj.h"
#include "scene/scene_parts.h"

namespace writhe::scene_file {

static void read(const Field& field, PlaneObstacle& out) {
  Keys keys(field);
  keys.optional("point", out.point);
  keys.optional("normal", out.normal);
}

static void read(const Field& field, SphereObstacle& out) {
  Keys keys(field);
  keys.required("radius", out.radius);
  keys.optional("centre", out.centre);
}

static void read(const Field& field, BoxObstacle& out) {
  Keys keys(field);
  keys.required("size", out.size);
  keys.optional("centre", out.centre);
  keys.optional("x", out.x);
  keys.optional("y", out.y);
}

static void read(const Field& field, CapsuleObstacle& out) {
  Keys keys(field);
  keys.required("from", out.from);
  keys.required("to", out.to);
  keys.required("radius", out.radius);
}

namespace {

struct SurfaceFile {
  MeshObstacle& mesh;
};

constexpr std::string_view looks(const SurfaceFile&) { return "the path of an OBJ file"; }

void read(const Field& field, SurfaceFile out) {
  if (!field.is_scalar() || field.value().text.empty()) return field.expected(looks(out));
  out.mesh.file = field.value().text;
  ObjSurface surface = read_obj_surface(field, out.mesh.file);
  out.mesh.points = std::move(surface.points);
  out.mesh.triangles = std::move(surface.triangles);
}

}  // namespace

static void read(const Field& field, MeshObstacle& out) {
  Keys keys(field);
  keys.required("file", SurfaceFile{out});
  keys.optional("scale", out.scale);
  keys.optional("translate", out.translate);
  for (Vec3& point : out.points) point = out.scale * point + out.translate;
}

void read(const Field& field, Obstacle& out) {
  Keys keys(field);
  keys.required("name", UserName{out.name});
  keys.one_of(out.shape, {"plane", "sphere", "box", "capsule", "mesh"});
  keys.optional("motion", MotionOf{out.motion, false});
}

// ---- contact -------------------------------------------------------------------------------------------------------
namespace {

struct Between {
  Contact& contact;
};

struct RodPair {
  std::pair<std::string, std::string>& names;
};

void read(const Field& field, RodPair out) {
  if (!field.is_list() || field.value().items.size() != 2) return field.expected("two names of rods, such as [a, b]");
  writhe::scene_file::read(field.item(0), NameOf{out.names.first, "the name of a rod"});
  writhe::scene_file::read(field.item(1), NameOf{out.names.second, "the name of a rod"});
}

void read(const Field& field, Between out) {
  constexpr std::string_view known = "none, all or a list of pairs of rods, such as [[a, b], [a, c]]";
  Contact& contact = out.contact;
  if (field.is_list()) {
    contact.between = Contact::Between::pairs;
    contact.pairs.resize(field.value().items.size());
    for (std::size_t i = 0; i < contact.pairs.size(); ++i) read(field.item(i), RodPair{contact.pairs[i]});
    return;
  }
  const std::string& word = field.value().text;
  if (!field.is_scalar() || (word != "none" && word != "all")) return field.expected(known);
  contact.between = word == "all" ? Contact::Between::all : Contact::Between::none;
}

}  // namespace

void read(const Field& field, Contact& out) {
  Keys keys(field);
  keys.optional("self", out.self);
  keys.optional("between", Between{out});
  keys.optional("thickness", out.thickness);
  keys.optional("stiffness", out.stiffness);
}

}  // namespace writhe::scene_file
