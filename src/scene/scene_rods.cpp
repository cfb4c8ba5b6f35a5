// Rods: centrelines, rest shapes, and the rest of a rod.
#include <utility>

#include "scene/scene_obj.h"
#include "scene/scene_parts.h"

namespace writhe::scene_file {

static void read(const Field& field, LineShape& out) {
  Keys keys(field);
  keys.required("from", out.from);
  keys.required("to", out.to);
}

static void read(const Field& field, PolylineShape& out) {
  Keys keys(field);
  keys.required("points", out.points);
}

static void read(const Field& field, ArcShape& out) {
  Keys keys(field);
  keys.required("radius", out.radius);
  keys.required("angle", Angle{out.angle});
  keys.optional("centre", out.centre);
  keys.optional("normal", out.normal);
  keys.optional("start", out.start);
}

static void read(const Field& field, RingShape& out) {
  Keys keys(field);
  keys.required("radius", out.radius);
  keys.optional("centre", out.centre);
  keys.optional("normal", out.normal);
  keys.optional("start", out.start);
}

static void read(const Field& field, HelixShape& out) {
  Keys keys(field);
  keys.required("radius", out.radius);
  keys.required("pitch", out.pitch);
  keys.required("turns", out.turns);
  keys.optional("centre", out.centre);
  keys.optional("axis", out.axis);
  keys.optional("start", out.start);
}

static void read(const Field& field, ParabolaShape& out) {
  Keys keys(field);
  keys.required("from", out.from);
  keys.required("to", out.to);
  keys.required("sag", out.sag);
  keys.optional("up", out.up);
}

static void read(const Field& field, CatenaryShape& out) {
  Keys keys(field);
  keys.required("from", out.from);
  keys.required("to", out.to);
  keys.required("length", out.length);
  keys.optional("up", out.up);
}

static void read(const Field& field, ObjShape& out) {
  if (!field.is_scalar() || field.value().text.empty()) return field.expected("the path of an OBJ file");
  out.file = field.value().text;
  out.points = read_obj_line(field, out.file);
}

static void read(const Field& field, Centreline& out) {
  Keys keys(field);
  keys.one_of(out, {"line", "polyline", "arc", "ring", "helix", "parabola", "obj", "catenary"});
}

static void read(const Field& field, StraightRest& out) {
  Keys keys(field);
  keys.optional("length", out.length);
}

// 1/m, about d1 and d2.
struct Curvatures {
  double &about1, &about2;
};

static std::string_view looks(const Curvatures&) { return looks(std::pair<double, double>{}); }

static void read(const Field& field, Curvatures out) {
  if (!field.is_list() || field.value().items.size() != 2) return field.expected(looks(out));
  const char* with_unit = "expected a number in 1/m, without the unit: 2 for a radius of 0.5 m";
  read(field.number_item(0), NumberIn{out.about1, with_unit});
  read(field.number_item(1), NumberIn{out.about2, with_unit});
}

static void read(const Field& field, Rest& out) {
  if (!field.is_map()) {
    const std::string& word = field.value().text;
    if (word == "straight") {
      out = StraightRest{};
    } else if (word == "as_built") {
      out = AsBuiltRest{};
    } else {
      field.expected("straight, as_built, {straight: {length: 0.9}}, {shape: {arc: {...}}} or {curvature: [2, 0]}");
    }
    return;
  }
  Keys keys(field);
  const std::string kind = keys.kind({"straight", "shape", "curvature"}, true);
  if (kind == "straight") keys.required("straight", out.emplace<StraightRest>());
  if (kind == "shape") {
    auto& rest = out.emplace<ShapeRest>();
    keys.required("shape", rest.shape);
    keys.optional("d1", rest.d1);
  }
  if (kind == "curvature") {
    auto& rest = out.emplace<CurvedRest>();
    keys.required("curvature", Curvatures{rest.curvature1, rest.curvature2});
    keys.optional("twist", NumberIn{rest.twist, "expected a number in rad/m, without the unit: 6.2832 for a turn a metre"});
    keys.optional("length", rest.length);
  }
}

// An angle whose default is not a number.
struct OptionalAngle {
  std::optional<double>& rad;
};

static void read(const Field& field, OptionalAngle out) { read(field, Angle{out.rad.emplace()}); }

void read(const Field& field, Rod& out) {
  Keys keys(field);
  keys.required("section", NameOf{out.section, "the name of a section"});
  keys.optional("material", NameOf{out.material, "the name of a material"});
  keys.required("centreline", out.centreline);
  keys.required("segments", out.segments);
  keys.optional("rest", out.rest);
  keys.optional("d1", out.d1);
  keys.optional("initial_twist", OptionalAngle{out.initial_twist});
  keys.optional("rest_twist", Angle{out.rest_twist});
  keys.optional("closed", out.closed);
  if (const bool is_ring = std::holds_alternative<RingShape>(out.centreline); is_ring && !out.closed)
    keys.refuse("closed", "a ring is closed; leave this out, or give an arc of 360 deg for a rod with two ends");
  keys.optional("closing_angle", Angle{out.closing_angle});
  keys.optional("closing_motion", out.closing_motion);
  keys.optional("taper", out.taper);
  keys.optional("velocity", out.velocity);
}

}  // namespace writhe::scene_file
