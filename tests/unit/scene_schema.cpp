// docs/scene.schema.json and the reader know the same keys, and the ready scenes are models.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/names.h"
#include "model/format_names.h"
#include "scene/scene_parts.h"
#include "scene_full.h"
#include "scene_support.h"
#include "writhe/load.h"
#include "writhe/model.h"

namespace writhe {
namespace {

using nlohmann::json;
using scene_file::KnownKeys;

json read_schema() {
  std::ifstream file(WRITHE_SOURCE_DIR "/docs/scene.schema.json");
  return json::parse(file);
}

// A rest shape is a centreline under another name: one entry for both.
std::string canonical(std::string path) {
  const std::string rest = "rods.*.rest(shape).shape";
  return path.starts_with(rest) ? "rods.*.centreline" + path.substr(rest.size()) : path;
}

// Collects the keys of every object of the schema, by the paths of KnownKeys, and checks that each object is closed.
class SchemaWalk {
 public:
  explicit SchemaWalk(const json& schema) : m_schema(schema) { walk(schema, ""); }
  const KnownKeys& keys() const { return m_keys; }

 private:
  void walk(const json& node, const std::string& path) {
    if (node.contains("$ref")) walk(m_schema.at(json::json_pointer(node["$ref"].get<std::string>().substr(1))), path);
    const json alternatives = node.value("oneOf", json::array());
    for (const json& alternative : alternatives) {
      const std::string title = alternative.value("title", "");
      walk(alternative, title.empty() ? path : path + "(" + title + ")");
    }
    if (node.contains("items")) walk(node["items"], path + "[]");
    if (node.contains("additionalProperties") && node["additionalProperties"].is_object()) {
      walk(node["additionalProperties"], path + ".*");
    }
    if (node.contains("properties")) walk_properties(node, path);
  }

  void walk_properties(const json& node, const std::string& path) {
    EXPECT_EQ(node.value("additionalProperties", json(true)), json(false)) << path;
    const json required = node.value("required", json::array());
    for (const auto& [key, value] : node["properties"].items()) {
      m_keys[canonical(path)][key] = std::find(required.begin(), required.end(), key) != required.end();
      walk(value, path.empty() ? key : path + "." + key);
    }
  }

  const json& m_schema;
  KnownKeys m_keys;
};

TEST(SceneSchema, SameKeysAsTheReader) {
  KnownKeys read;
  scene_file::parse_scene(test::full_scene, "full.yaml", {}, &read);
  KnownKeys reader;
  for (const auto& [path, keys] : read) reader[canonical(path)] = keys;

  const json schema = read_schema();
  const KnownKeys described = SchemaWalk(schema).keys();
  for (const auto& [path, keys] : reader) {
    ASSERT_TRUE(described.contains(path)) << "not in the schema: " << path;
    EXPECT_EQ(keys, described.at(path)) << path;
  }
  for (const auto& [path, keys] : described) EXPECT_TRUE(reader.contains(path)) << "not read: " << path;
}

// ... and every key is in the full scene, so that its test is one of every key.
TEST(SceneSchema, FullSceneHasEveryKey) {
  const Scene scene = parse_scene(test::full_scene, "full.yaml");
  const json schema = read_schema();
  const KnownKeys described = SchemaWalk(schema).keys();
  for (const auto& [path, keys] : described) {
    for (const auto& [key, required] : keys) {
      if (key == "obj") continue;  // needs a file, tested with one
      const std::string suffix = "." + key;
      const bool found = std::any_of(scene.locations.begin(), scene.locations.end(),
                                     [&](const auto& entry) { return entry.first == key || entry.first.ends_with(suffix); });
      EXPECT_TRUE(found) << path << "." << key;
    }
  }
}

TEST(SceneSchema, DefaultsAreThoseOfTheScene) {
  const json schema = read_schema();
  const Scene scene;
  const auto stated = [&](const std::string& pointer) { return schema.at(json::json_pointer(pointer + "/default")); };
  const std::string top = "/properties/";
  EXPECT_EQ(stated(top + "gravity"), json({scene.gravity.x, scene.gravity.y, scene.gravity.z}));
  EXPECT_EQ(stated(top + "damping/properties/mass"), scene.damping.mass);
  EXPECT_EQ(stated(top + "damping/properties/internal"), scene.damping.internal);
  EXPECT_EQ(stated(top + "time/properties/dt"), scene.dt);
  EXPECT_EQ(stated(top + "time/properties/until"), scene.until);
  EXPECT_EQ(stated(top + "solver/properties/method"), scene.solver.method);
  EXPECT_EQ(stated(top + "solver/properties/integrator"), "euler");
  EXPECT_EQ(scene.solver.integrator, Integrator::euler);
  EXPECT_EQ(stated(top + "solver/properties/tolerance"), scene.solver.tolerance);
  EXPECT_EQ(stated(top + "solver/properties/newton/properties/max_iterations"), scene.solver.newton.max_iterations);
  EXPECT_EQ(stated(top + "solver/properties/pd/properties/iterations"), scene.solver.pd.iterations);
  EXPECT_EQ(stated(top + "solver/properties/pd/properties/weights"), "consistent");
  EXPECT_EQ(scene.solver.pd.weights, Weights::consistent);
  EXPECT_EQ(stated(top + "solver/properties/pd/properties/coupling"), "coupled");
  EXPECT_EQ(scene.solver.pd.coupling, Coupling::coupled);
  EXPECT_EQ(stated(top + "solver/properties/pd/properties/metric"), "auto");
  EXPECT_EQ(scene.solver.pd.metric, Metric::automatic);
  EXPECT_EQ(stated(top + "solver/properties/pd/properties/acceleration"), "anderson");
  EXPECT_EQ(scene.solver.pd.acceleration, Acceleration::anderson);
  EXPECT_EQ(stated(top + "output/properties/interval"), scene.output.interval);
  EXPECT_EQ(stated(top + "output/properties/formats"), json(scene.output.formats));
  EXPECT_EQ(schema.at(json::json_pointer(top + "output/properties/formats/items/enum")), json(format_names()));
  EXPECT_EQ(stated(top + "output/properties/frame_interval"), scene.output.frame_interval);
  EXPECT_EQ(stated(top + "output/properties/checkpoint"), scene.output.checkpoint);
  const std::string picture = top + "output/properties/picture/properties/";
  EXPECT_EQ(stated(picture + "view"), scene.output.picture.view);
  EXPECT_EQ(stated(picture + "color"), scene.output.picture.color);
  EXPECT_EQ(stated(picture + "frames"), scene.output.picture.frames);
  EXPECT_EQ(stated(top + "output/properties/probes/items/properties/fields"), json(Probe{}.fields));
  EXPECT_EQ(stated("/$defs/axes"), Support{}.axes);
  EXPECT_EQ(stated("/$defs/section/properties/shear_factor"), Section{}.shear_factor);
  const Contact contact;
  EXPECT_EQ(stated(top + "contact/properties/self"), contact.self);
  EXPECT_EQ(stated(top + "contact/properties/between"), "none");
  EXPECT_EQ(contact.between, Contact::Between::none);
  const auto vector = [](const Vec3& v) { return json({v.x, v.y, v.z}); };
  const std::string obstacle = "/$defs/obstacle/properties/";
  EXPECT_EQ(stated(obstacle + "plane/properties/point"), vector(PlaneObstacle{}.point));
  EXPECT_EQ(stated(obstacle + "plane/properties/normal"), vector(PlaneObstacle{}.normal));
  EXPECT_EQ(stated(obstacle + "sphere/properties/centre"), vector(SphereObstacle{}.centre));
  EXPECT_EQ(stated(obstacle + "box/properties/centre"), vector(BoxObstacle{}.centre));
  EXPECT_EQ(stated(obstacle + "box/properties/x"), vector(BoxObstacle{}.x));
  EXPECT_EQ(stated(obstacle + "box/properties/y"), vector(BoxObstacle{}.y));
  EXPECT_EQ(stated(obstacle + "mesh/properties/scale"), MeshObstacle{}.scale);
  EXPECT_EQ(stated(obstacle + "mesh/properties/translate"), vector(MeshObstacle{}.translate));
  const std::string wind = "/$defs/load/oneOf/4/properties/wind/properties/";
  EXPECT_EQ(stated(wind + "density"), WindLoad{}.density);
  EXPECT_EQ(stated(wind + "coefficient"), WindLoad{}.coefficient);
}

// Each word of the schema is read, and none is read that the schema does not have: a refusal lists all that the reader knows.
TEST(SceneSchema, SameSolverWordsAsTheReader) {
  const json properties = read_schema().at(json::json_pointer("/properties/solver/properties"));
  const json of_pd = properties.at("pd").at("properties");
  for (const char* key : {"integrator", "weights", "coupling", "metric", "acceleration"}) {
    const bool of_all = properties.contains(key);
    const auto words = (of_all ? properties : of_pd).at(key).at("enum").get<std::vector<std::string>>();
    const std::string set = std::string(of_all ? "solver." : "solver.pd.") + key + "=";
    for (const std::string& word : words) EXPECT_EQ(test::refusal(test::small_scene, {set + word}), "accepted") << set + word;
    const std::string refusal = test::refusal(test::small_scene, {set + "other"});
    EXPECT_TRUE(refusal.ends_with("; choose one of " + list_of(words))) << refusal;
  }
}

// Every value of the schema tells what it is.
TEST(SceneSchema, EveryLeafIsDescribed) {
  const json schema = read_schema();
  const std::function<void(const json&, const std::string&)> walk = [&](const json& node, const std::string& path) {
    if (!node.is_object()) return;
    const json properties = node.value("properties", json::object());
    for (const auto& [key, value] : properties.items()) {
      const bool structured = value.contains("properties") || value.contains("items") || value.contains("enum");
      EXPECT_TRUE(value.contains("description") || value.contains("$ref") || structured) << path << "/" << key;
    }
    for (const auto& [key, value] : node.items()) walk(value, path + "/" + key);
  };
  walk(schema, "");
}

TEST(SceneReady, AllMakeAModel) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WRITHE_SOURCE_DIR "/scenes")) {
    if (entry.path().extension() != ".yaml") continue;
    ++count;
    EXPECT_NO_THROW({
      const Scene scene = load_scene(entry.path().string());
      EXPECT_FALSE(scene.title.empty()) << entry.path();
      EXPECT_FALSE(scene.output.probes.empty()) << entry.path();
      EXPECT_GT(Model(scene).segment_count(), 0) << entry.path();
    }) << entry.path();
  }
  EXPECT_GE(count, 9);
}

}  // namespace
}  // namespace writhe
