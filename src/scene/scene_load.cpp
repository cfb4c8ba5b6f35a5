// From the text of a scene file to a Scene: the top of the reading.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text_file.h"
#include "model/check.h"
#include "scene/scene_parts.h"
#include "scene/yaml_override.h"
#include "writhe/load.h"

namespace writhe {
namespace scene_file {
namespace {

constexpr int format_version = 1;

struct Gravity {
  Vec3& vector;
  Ramp& ramp;
};

void read(const Field& field, Gravity out) {
  if (!field.is_map()) return read(field, out.vector);
  Keys keys(field);
  keys.required("vector", out.vector);
  keys.optional("ramp", out.ramp);
}

struct Time {
  double& dt;
  double& until;
  std::optional<bool>& adaptive;
  std::optional<double>& tolerance;
};

void read(const Field& field, Time out) {
  Keys keys(field);
  keys.optional("dt", out.dt);
  keys.optional("until", out.until);
  keys.optional("adaptive", out.adaptive);
  keys.optional("tolerance", out.tolerance);
}

struct Version {};

std::string_view looks(const Version&) { return "`writhe: 1`, the version of the format, at the top"; }

// A scene of another version is read no further: its keys may mean something else.
void read(const Field& field, Version) {
  if (field.is_scalar() && field.value().text == std::to_string(format_version)) return;
  field.problem(
      fmt::format("this program reads version {0} only; write `writhe: {0}` and bring the scene up to it", format_version));
  field.reading().throw_problems();
}

// What the Model would refuse in the part that could be read. Nothing when problems were left out: what they spoil is not known.
void check_the_rest(const Scene& scene, Reading& reading) {
  if (reading.full()) return;
  Problems found(scene, reading.problems());
  check_scene(SceneIndex(scene), found);
  for (const Problem& problem : found.list()) reading.add(problem);
}

}  // namespace

void read(const Field& field, Scene& out) {
  Keys keys(field);
  keys.required("writhe", Version{});
  keys.optional("title", out.title);
  keys.optional("gravity", Gravity{out.gravity, out.gravity_ramp});
  keys.optional("materials", Named<Material>{out.materials});
  keys.required("sections", Named<Section>{out.sections});
  keys.required("rods", Named<Rod>{out.rods});
  keys.optional("joints", out.joints);
  keys.optional("supports", out.supports);
  keys.optional("loads", out.loads);
  keys.optional("links", out.links);
  keys.optional("obstacles", out.obstacles);
  keys.optional("contact", out.contact);
  keys.optional("damping", out.damping);
  keys.optional("time", Time{out.dt, out.until, out.adaptive, out.step_tolerance});
  keys.optional("solver", out.solver);
  keys.optional("output", out.output);
  for (const char* key : {"bodies", "attach", "meshes"}) keys.unavailable(key);
}

Scene parse_scene(const std::string& text, const std::string& name, const std::vector<std::string>& overrides,
                  KnownKeys* known_keys) {
  Value root = parse_yaml(text, name);
  if (root.kind != Value::Kind::map) {
    throw Error(
        std::vector<Problem>{{{name, std::max(root.mark.line, 1), 0}, "", "", "holds no scene; start it with `writhe: 1`"}});
  }
  Reading reading;
  reading.known_keys = known_keys;
  reading.sources.push_back(name);
  for (const std::string& text_of_override : overrides) {
    reading.sources.push_back(override_name(text_of_override));
    apply_override(root, text_of_override, static_cast<int>(reading.sources.size()) - 1, reading);
  }
  Scene scene;
  read(Field(reading, root), scene);
  scene.locations = std::move(reading.locations);
  scene.locations.emplace("", Location{name, 0, 0});  // of what the file does not have
  if (reading.any()) check_the_rest(scene, reading);
  reading.throw_problems();
  return scene;
}

}  // namespace scene_file

Scene parse_scene(const std::string& text, const std::string& name, const std::vector<std::string>& overrides) {
  return scene_file::parse_scene(text, name, overrides, nullptr);
}

Scene load_scene(const std::string& path, const std::vector<std::string>& overrides) {
  return parse_scene(read_text_file(path, max_scene_bytes), path, overrides);
}

}  // namespace writhe
