// --set path=value.
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "scene_support.h"

namespace writhe {
namespace {

using test::refusal;
using test::small_scene;

Scene with(const std::vector<std::string>& overrides) { return parse_scene(small_scene, "s.yaml", overrides); }

TEST(SceneOverride, ReplacesValues) {
  const Scene scene = with({"rods.rope.segments=200", "materials.rubber.young=2e6", "loads[0].force[2]=-3"});
  EXPECT_EQ(scene.rods.at(0).segments, 200);
  EXPECT_EQ(scene.materials.at(0).young, 2e6);
  EXPECT_EQ(std::get<ForceLoad>(scene.loads.at(0).kind).force, (Vec3{0, 0, -3}));
}

TEST(SceneOverride, LaterOnesWin) { EXPECT_EQ(with({"rods.rope.segments=2", "rods.rope.segments=3"}).rods.at(0).segments, 3); }

TEST(SceneOverride, AddsKeys) {
  const Scene scene = with({"supports[0].axes=xy", "rods.rope.d1=[0, 0, 1]", "title=a = b"});
  EXPECT_EQ(scene.supports.at(0).axes, "xy");
  EXPECT_EQ(scene.rods.at(0).d1, (Vec3{0, 0, 1}));
  EXPECT_EQ(scene.title, "a = b");
}

TEST(SceneOverride, AddsTheMapsOnTheWay) {
  const Scene scene = with({"solver.method=pd", "output.picture.view=iso", "output.picture.frames=3"});
  EXPECT_EQ(scene.solver.method, "pd");
  EXPECT_EQ(scene.output.picture.view, "iso");
  EXPECT_EQ(scene.output.picture.frames, 3);
}

TEST(SceneOverride, ReplacesWholeParts) {
  const Scene scene =
      with({"rods.rope.centreline={arc: {radius: 2, angle: 90 deg}}", "materials.steel={young: 2e11, density: 7850}"});
  EXPECT_EQ(std::get<ArcShape>(scene.rods.at(0).centreline).radius, 2);
  EXPECT_EQ(scene.materials.at(1).name, "steel");
}

TEST(SceneOverride, LocationIsTheOverride) {
  const Scene scene = with({"rods.rope.segments=200"});
  const Location& where = scene.locations.at("rods.rope.segments");
  EXPECT_EQ(where.file, "--set rods.rope.segments=200");
  EXPECT_EQ(where.line, 0);
  EXPECT_EQ(scene.locations.at("rods.rope.section").line, 9);
}

struct Wrong {
  std::string name, text, message;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

class WrongOverride : public testing::TestWithParam<Wrong> {};

TEST_P(WrongOverride, IsRefusedWithItsRemedy) {
  const Wrong& wrong = GetParam();
  EXPECT_EQ(refusal(small_scene, {wrong.text}), "--set " + wrong.text + ": " + wrong.message);
}

const std::string form = "expected path=value, such as rods.rope.segments=200 or supports[0].axes=xy";

const Wrong wrongs[] = {
    {"NoEquals", "rods.rope.segments", form},
    {"NoPath", "=3", form},
    {"EmptyStep", "rods..segments=3", form},
    {"LastDot", "rods.rope.=3", form},
    {"NoIndex", "supports[].axes=xy", form},
    {"OpenIndex", "supports[0.axes=xy", form},
    {"NegativeIndex", "supports[-1].axes=xy", form},
    {"IndexFirst", "[0].axes=xy", form},
    {"Slip", "rods.rope.segmnts=3", "rods.rope.segmnts: unknown key; did you mean 'segments'?"},
    {"SlipInMap", "dampin.mass=3", "dampin: unknown key; did you mean 'damping'?"},
    {"UnknownRod", "rods.rpoe.segments=3", "rods.rpoe: there is nothing of that name; did you mean 'rope'?"},
    {"UnknownMaterial", "materials.steel.young=3", "materials.steel: there is nothing of that name; known names: rubber"},
    {"WrongType", "rods.rope.segments=few", "rods.rope.segments: few: expected a whole number"},
    {"WrongPlaceInList", "loads[0].force[2]=down", "loads[0].force[2]: down: expected a number"},
    {"NoValue", "rods.rope.segments=", "rods.rope.segments: nothing: expected a whole number"},
    {"NoSuchItem", "supports[4].axes=xy", "supports[4]: the list ends with [0]; set the whole list to add to it"},
    {"HugeIndex", "supports[99999999999999999999].axes=xy", form},
    {"IndexOfMap", "rods[0].segments=3", "rods[0]: there is no list here; give a key instead"},
    {"KeyOfValue", "rods.rope.segments.many=3", "rods.rope.segments.many: there is no map here; set rods.rope.segments instead"},
    {"KeyOfList", "supports.axes=xy", "supports.axes: there is no map here; set supports instead"},
    {"Later", "bodies.mass=1", "bodies: not available in this version yet; remove it"},
    {"NotYaml", "gravity=[0, 0", "not YAML: a list that begins with [ is not closed with ] before this"},
};
INSTANTIATE_TEST_SUITE_P(All, WrongOverride, testing::ValuesIn(wrongs), [](const auto& i) { return i.param.name; });

TEST(SceneOverride, BytesThatAreNoTextAreNotShown) {
  EXPECT_EQ(refusal(small_scene, {"rods.a\x1b[31m=3"}), "--set rods.a?[31m=3: the byte 0x1b is not text; remove it");
  EXPECT_EQ(refusal(small_scene, {"title=a\x01"}), "--set title=a?: the byte 0x01 is not text; remove it");
  EXPECT_EQ(refusal(small_scene, {"title=a\xFF"}), "--set title=a?: the byte 0xff is not text; remove it");
}

TEST(SceneOverride, ProblemsOfFileAndOverridesComeTogether) {
  EXPECT_EQ(refusal(test::changed("1e6", "soft"), {"rods.rope.segments=1.5", "nonsense"}),
            "--set nonsense: " + form +
                "\n--set rods.rope.segments=1.5: rods.rope.segments: 1.5: expected a whole number, in digits only"
                "\ns.yaml:4:19: materials.rubber.young: soft: expected a number");
}

}  // namespace
}  // namespace writhe
