// What holds rods: joints between them, supports and how they move.
#include "scene/scene_parts.h"

namespace writhe::scene_file {

void read(const Field& field, Junction& out) {
  Keys keys(field);
  keys.optional("name", UserName{out.name});
  keys.required("places", out.places);
}

static void read_value(const Field& field, double& out) { read(field, Angle{out}); }
static void read_value(const Field& field, Vec3& out) { read(field, out); }
static std::string_view key_of(const Track<double>&) { return "a key, such as [2, 90 deg]"; }
static std::string_view key_of(const Track<Vec3>&) { return "a key, such as [2, [0, 0, 0.1]]"; }

template <class T>
static void read_keys(const Field& field, Track<T>& out) {
  if (!field.is_list()) return field.expected(looks(out));
  const std::size_t count = field.value().items.size();
  if (count == 0) return field.problem("has no keys; give " + std::string(looks(out)) + ", or leave it out");
  out.keys.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Field key = field.item(i);
    if (!key.is_list() || key.value().items.size() != 2) {
      key.expected(key_of(out));
      continue;
    }
    read(key.item(0), out.keys[i].first);
    read_value(key.item(1), out.keys[i].second);
  }
}

void read(const Field& field, Track<double>& out) { read_keys(field, out); }
void read(const Field& field, Track<Vec3>& out) { read_keys(field, out); }

// The turn of a motion.
namespace {
struct Rotate {
  Motion& motion;
};
}  // namespace

static void read(const Field& field, Rotate out) {
  Keys keys(field);
  keys.required("axis", out.motion.axis);
  keys.optional("about", out.motion.about);
  keys.required("angle", out.motion.angle);
}

static void read(const Field& field, Easing& out) {
  read_word(field, out, "easing", {{"linear", Easing::linear}, {"smooth", Easing::smooth}, {"smoother", Easing::smoother}});
}

void read(const Field& field, MotionOf out) {
  Motion& motion = out.motion.emplace();
  Keys keys(field);
  keys.optional("translate", motion.translate);
  keys.optional("rotate", Rotate{motion});
  if (out.twists) keys.optional("twist", motion.twist);
  keys.optional("easing", motion.easing);
}

void read(const Field& field, Support& out) {
  Keys keys(field);
  const std::string kind = keys.kind({"clamp", "pin"}, true);
  if (kind.empty()) return;
  out.kind = kind == "clamp" ? Support::Kind::clamp : Support::Kind::pin;
  const bool clamp = out.kind == Support::Kind::clamp;
  keys.required(kind.c_str(), out.at);
  keys.optional("axes", out.axes);
  if (clamp) {
    keys.optional("tangent", out.tangent);
    keys.optional("d1", out.d1);
  }
  keys.optional("motion", MotionOf{out.motion, clamp});
}

}  // namespace writhe::scene_file
