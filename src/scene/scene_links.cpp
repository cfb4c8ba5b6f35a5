// Links between rods: springs and tethers.
#include "scene/scene_parts.h"

namespace writhe::scene_file {

namespace {

// The two ends, each a place or a point.
struct Ends {
  Link& link;
};

std::string_view looks(const Ends&) { return "two ends, such as [a.end, b.start] or [a.end, [0, 0, 1]]"; }

void read_end(const Field& field, std::variant<Place, Vec3>& out) {
  if (field.is_list())
    read(field, out.emplace<Vec3>());
  else
    read(field, out.emplace<Place>());
}

void read(const Field& field, Ends out) {
  if (!field.is_list() || field.value().items.size() != 2) return field.expected(looks(out));
  read_end(field.item(0), out.link.from);
  read_end(field.item(1), out.link.to);
}

}  // namespace

void read(const Field& field, Link& out) {
  Keys keys(field);
  const std::string kind = keys.kind({"spring", "tether"});
  out.kind = kind == "tether" ? Link::Kind::tether : Link::Kind::spring;
  if (!kind.empty()) keys.optional(kind.c_str(), Ends{out});
  keys.optional("name", UserName{out.name});
  keys.required("stiffness", out.stiffness);
  keys.optional("rest_length", out.rest_length);
  keys.optional("damping", out.damping);
  keys.optional("ramp", out.ramp);
}

}  // namespace writhe::scene_file
