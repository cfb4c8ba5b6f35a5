// Materials by name: their numbers are sound, a rod finds them, a scene can change them.
#include "model/material_presets.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "base/names.h"
#include "model/check.h"
#include "model/problems.h"
#include "scene_support.h"
#include "writhe/model.h"

namespace writhe {
namespace {

using test::changed;
using test::refusal;

constexpr double pi = 3.14159265358979323846;

TEST(MaterialPresets, EachIsSoundAndHasASource) {
  for (const MaterialPreset& preset : material_presets()) {
    const Scene scene;
    Problems problems(scene);
    check_material(preset.material, "materials." + preset.material.name, problems);
    EXPECT_FALSE(problems.any()) << preset.material.name;
    EXPECT_FALSE(preset.what.empty()) << preset.material.name;
    EXPECT_GT(preset.source.size(), 20u) << preset.material.name;
    EXPECT_EQ(material_preset(preset.material.name), &preset.material);
  }
}

TEST(MaterialPresets, ThoseThatAreDocumented) {
  EXPECT_EQ(list_of(material_preset_names()), "steel, copper, nylon, silicone, suture and hair");
  EXPECT_EQ(material_preset("unobtainium"), nullptr);
  EXPECT_EQ(material_preset(""), nullptr);
}

// EA of a circle of 5 mm: the numbers of the preset reach the model.
double stretch_stiffness(const std::string& text) { return Model(parse_scene(text, "s.yaml")).segments().stiffness.at(0).z; }
const double area = pi * 0.005 * 0.005;

TEST(MaterialPresets, ARodNamesOne) {
  EXPECT_NEAR(stretch_stiffness(changed("material: rubber", "material: steel")), 210e9 * area, 1e-6 * 210e9 * area);
}

TEST(MaterialPresets, TheSceneComesFirst) {
  std::string text = changed("material: rubber", "material: steel");
  text.replace(text.find("  rubber:"), 9, "  steel:");
  EXPECT_NEAR(stretch_stiffness(text), 1e6 * area, 1e-6 * 1e6 * area);
}

Material first_material(const std::string& keys) {
  return parse_scene(changed("{young: 1e6, poisson: 0.5, density: 1300}", keys), "s.yaml").materials.at(0);
}

TEST(MaterialPresets, AMaterialStartsFromOne) {
  const Material plain = first_material("{preset: steel}");
  EXPECT_EQ(plain.name, "rubber");
  EXPECT_EQ(plain.young, 210e9);
  EXPECT_EQ(plain.density, 7850);
  EXPECT_EQ(plain.poisson, 0.3);
  const Material lighter = first_material("{density: 7800, preset: steel}");
  EXPECT_EQ(lighter.young, 210e9);
  EXPECT_EQ(lighter.density, 7800);
}

TEST(MaterialPresets, PoissonAndShearReplaceEachOther) {
  const Material sheared = first_material("{preset: steel, shear: 8e10}");
  EXPECT_FALSE(sheared.poisson.has_value());
  EXPECT_EQ(sheared.shear, 8e10);
  const Material hair = first_material("{preset: hair, poisson: 0.4}");
  EXPECT_EQ(hair.poisson, 0.4);
  EXPECT_FALSE(hair.shear.has_value());
}

TEST(MaterialPresets, WrongNamesGetAHint) {
  EXPECT_EQ(refusal(changed("{young: 1e6, poisson: 0.5, density: 1300}", "{preset: stel, density: 1}")),
            "s.yaml:4:20: materials.rubber.preset: stel: there is no such preset; did you mean 'steel'?");
  EXPECT_EQ(refusal(changed("{young: 1e6, poisson: 0.5, density: 1300}", "{preset: [steel]}")),
            "s.yaml:4:20: materials.rubber.preset: a list of 1: expected the name of a preset, such as steel");
  EXPECT_EQ(refusal(changed("{young: 1e6, poisson: 0.5, density: 1300}", "{poisson: 0.5, density: 1300}")),
            "s.yaml:4:11: materials.rubber.young: missing; give a number");
}

std::string model_refusal(const std::string& text) {
  try {
    Model(parse_scene(text, "s.yaml"));
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MaterialPresets, AnUnknownMaterialTellsWhatThereIs) {
  EXPECT_EQ(model_refusal(changed("material: rubber", "material: wood")),
            "s.yaml:10:15: rods.rope.material: wood: there is no such material; those of the scene: rubber; presets: steel, "
            "copper, nylon, silicone, suture and hair");
  EXPECT_EQ(model_refusal(changed("material: rubber", "material: cooper")),
            "s.yaml:10:15: rods.rope.material: cooper: there is no such material; did you mean 'copper'?");
  EXPECT_EQ(model_refusal(changed("    material: rubber\n", "")),
            "s.yaml:8:3: rods.rope.material: a section given by its dimensions needs a material; name one; those of the scene: "
            "rubber; presets: steel, copper, nylon, silicone, suture and hair");
}

}  // namespace
}  // namespace writhe
