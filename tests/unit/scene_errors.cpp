// What a wrong scene file is told: place, field, value and remedy, to the letter.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "scene_support.h"

namespace writhe {
namespace {

using test::changed;
using test::refusal;
using test::small_scene;

struct Wrong {
  std::string name;
  std::string piece, replacement;  // in the small scene
  std::string message;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

class WrongScene : public testing::TestWithParam<Wrong> {};

TEST_P(WrongScene, IsRefusedWithItsRemedy) {
  const Wrong& wrong = GetParam();
  EXPECT_EQ(refusal(changed(wrong.piece, wrong.replacement)), wrong.message);
}

const std::string octal = "a number does not start with 0 (YAML would read octal digits); write ";
const std::string digits = "expected a number; write the decimals after one point and no marks between digits";

const Wrong numbers[] = {
    {"TrailingLetter", "1e6", "1e6x", "s.yaml:4:19: materials.rubber.young: 1e6x: expected a number"},
    {"Octal", "1300", "010", "s.yaml:4:47: materials.rubber.density: 010: " + octal + "10"},
    {"NegativeOctal", "-9.81", "-009.81", "s.yaml:2:17: gravity[2]: -009.81: " + octal + "-9.81"},
    {"Zeros", "1300", "00", "s.yaml:4:47: materials.rubber.density: 00: " + octal + "0"},
    {"ZerosBeforePoint", "1300", "00.5", "s.yaml:4:47: materials.rubber.density: 00.5: " + octal + "0.5"},
    {"OctalSegments", "segments: 100", "segments: 0100", "s.yaml:12:15: rods.rope.segments: 0100: " + octal + "100"},
    {"Nan", "1e6", ".nan", "s.yaml:4:19: materials.rubber.young: .nan: must be finite; give a number"},
    {"PlainNan", "1e6", "nan", "s.yaml:4:19: materials.rubber.young: nan: must be finite; give a number"},
    {"Infinity", "1e6", "-.inf", "s.yaml:4:19: materials.rubber.young: -.inf: must be finite; give a number"},
    {"TooLarge", "1e6", "1e999",
     "s.yaml:4:19: materials.rubber.young: 1e999: too large or too small for a number; check the exponent"},
    {"TwoSigns", "1e6", "+-1", "s.yaml:4:19: materials.rubber.young: +-1: expected a number"},
    {"Hexadecimal", "1e6", "0x10", "s.yaml:4:19: materials.rubber.young: 0x10: expected a number in decimal digits"},
    {"Underscore", "1e6", "1_000", "s.yaml:4:19: materials.rubber.young: 1_000: " + digits},
    {"Unit", "0.005", "5 mm",
     "s.yaml:6:27: sections.cord.circle.radius: 5 mm: expected a number in SI units (m, s, kg, N, Pa), without the unit: 0.005 "
     "for 5 mm"},
    {"Quoted", "1e6", "\"1e6\"", "s.yaml:4:19: materials.rubber.young: \"1e6\": expected a number; write it without quotes"},
    {"Nothing", "1e6", "", "s.yaml:4:19: materials.rubber.young: nothing: expected a number"},
    {"Fraction", "segments: 100", "segments: 10.5",
     "s.yaml:12:15: rods.rope.segments: 10.5: expected a whole number, in digits only"},
    {"Exponent", "segments: 100", "segments: 1e2",
     "s.yaml:12:15: rods.rope.segments: 1e2: expected a whole number, in digits only"},
    {"LargeInteger", "segments: 100", "segments: 3000000000",
     "s.yaml:12:15: rods.rope.segments: 3000000000: too large for a whole number"},
    {"ListForInteger", "segments: 100", "segments: [1, 2]",
     "s.yaml:12:15: rods.rope.segments: a list of 2: expected a whole number"},
    {"ShortVector", "[0, 0, -9.81]", "[0, -9.81]",
     "s.yaml:2:10: gravity: a list of 2: expected three numbers, such as [0, 0, 1]"},
    {"WordInVector", "-9.81]", "down]", "s.yaml:2:17: gravity[2]: down: expected a number"},
};
INSTANTIATE_TEST_SUITE_P(Numbers, WrongScene, testing::ValuesIn(numbers), [](const auto& i) { return i.param.name; });

const Wrong words[] = {
    {"Yes", "segments: 100", "segments: 100\n    closed: yes", "s.yaml:13:13: rods.rope.closed: yes: expected true or false"},
    {"On", "rope.end}", "rope.end, follower: on}", "s.yaml:16:49: loads[0].follower: on: expected true or false"},
    {"QuotedBool", "segments: 100", "segments: 100\n    closed: \"true\"",
     "s.yaml:13:13: rods.rope.closed: \"true\": expected true or false"},
    {"AngleWithoutUnit", "segments: 100", "segments: 100\n    initial_twist: \"90\"",
     "s.yaml:13:20: rods.rope.initial_twist: \"90\": has no unit; write 90 deg, 1.57 rad or 0.25 turns"},
    {"AngleUnit", "segments: 100", "segments: 100\n    rest_twist: 90 grad",
     "s.yaml:13:17: rods.rope.rest_twist: 90 grad: unknown unit 'grad'; use rad, deg or turns"},
    {"AngleNumber", "segments: 100", "segments: 100\n    closing_angle: 0x5 deg",
     "s.yaml:13:20: rods.rope.closing_angle: 0x5 deg: expected a number in decimal digits"},
    {"Place", "rope.start", "rope.strat",
     "s.yaml:14:13: supports[0].clamp: rope.strat: is not a place; write rod.start, rod.end, rod@0.25 (fraction of the length, 0 "
     "to 1) or rod.node[12] with the rod's name"},
    {"RestWord", "segments: 100", "segments: 100\n    rest: bent",
     "s.yaml:13:11: rods.rope.rest: bent: expected straight, as_built, {straight: {length: 0.9}}, {shape: {arc: {...}}} or "
     "{curvature: [2, 0]}"},
    {"NameOfRod", "  rope:", "  ro.pe:",
     "s.yaml:8:3: rods.ro.pe: ro.pe: a name is one word without any of . @ [ ] ( ) { } = : , ; / \\ # and quotes"},
    {"EmptyName", "  cord: {", "  \"\": {",
     "s.yaml:6:7: sections.: a name is one word without any of . @ [ ] ( ) { } = : , ; / \\ # and quotes"},
    {"Integrator", "writhe: 1", "writhe: 1\nsolver: {integrator: eulr}",
     "s.yaml:2:22: solver.integrator: eulr: no such integrator; choose one of euler and midpoint"},
    {"Weights", "writhe: 1", "writhe: 1\nsolver: {pd: {weights: exact}}",
     "s.yaml:2:24: solver.pd.weights: exact: no such weights; choose one of consistent and published"},
    {"Coupling", "writhe: 1", "writhe: 1\nsolver: {pd: {coupling: none}}",
     "s.yaml:2:25: solver.pd.coupling: none: no such coupling; choose one of coupled and separate"},
    {"Acceleration", "writhe: 1", "writhe: 1\nsolver: {pd: {acceleration: false}}",
     "s.yaml:2:29: solver.pd.acceleration: false: no such acceleration; choose one of anderson and none"},
    {"EmptyWord", "writhe: 1", "writhe: 1\nsolver: {pd: {weights: \"\"}}",
     "s.yaml:2:24: solver.pd.weights: \"\": no such weights; choose one of consistent and published"},
    {"NothingForAWord", "writhe: 1", "writhe: 1\nsolver: {pd: {acceleration: }}",
     "s.yaml:2:29: solver.pd.acceleration: nothing: expected one of anderson and none"},
    {"ListForAWord", "writhe: 1", "writhe: 1\nsolver: {pd: {coupling: [coupled]}}",
     "s.yaml:2:25: solver.pd.coupling: a list of 1: expected one of coupled and separate"},
    {"WordForIterations", "writhe: 1", "writhe: 1\nsolver: {pd: {iterations: many}}",
     "s.yaml:2:27: solver.pd.iterations: many: expected a whole number"},
};
INSTANTIATE_TEST_SUITE_P(Words, WrongScene, testing::ValuesIn(words), [](const auto& i) { return i.param.name; });

const Wrong keys[] = {
    {"MovedToItsMethod", "writhe: 1", "writhe: 1\nsolver: {method: pd, iterations: 3}",
     "s.yaml:2:22: solver.iterations: has moved to solver.pd.iterations; write pd: {iterations: ...}"},
    {"MovedToNewton", "writhe: 1", "writhe: 1\nsolver: {max_iterations: 3}",
     "s.yaml:2:10: solver.max_iterations: has moved to solver.newton.max_iterations; write newton: {max_iterations: ...}"},
    {"UnknownOfAMethod", "writhe: 1", "writhe: 1\nsolver: {pd: {iteration: 3}}",
     "s.yaml:2:15: solver.pd.iteration: unknown key; did you mean 'iterations'?"},
    {"UnknownAtTop", "gravity:", "gravty:", "s.yaml:2:1: gravty: unknown key; did you mean 'gravity'?"},
    {"UnknownInRod", "material: rubber", "materail: rubber",
     "s.yaml:10:5: rods.rope.materail: unknown key; did you mean 'material'?"},
    {"UnlikeAnyKey", "radius: 0.005", "radius: 0.005, thickness: 1",
     "s.yaml:6:34: sections.cord.circle.thickness: unknown key; known keys: radius"},
    {"DecimalComma", "density: 1300", "density: 1300,5",
     "s.yaml:4:52: materials.rubber.5: unknown key; a comma ends a value in braces, so write decimals with a point"},
    {"Merge", "radius: 0.005", "radius: 0.005, <<: {}",
     "s.yaml:6:34: sections.cord.circle.<<: merging maps is not supported; repeat the keys"},
    {"Doubled", "    segments: 100", "    segments: 100\n    segments: 200",
     "s.yaml:13:5: rods.rope.segments: 200: given twice, first in line 12; remove one of them"},
    {"DoubledName", "  cord: {circle: {radius: 0.005}}", "  cord: {circle: {radius: 0.005}}\n  cord: {circle: {radius: 1}}",
     "s.yaml:7:3: sections.cord: a map: given twice, first in line 6; give one of them another name"},
    {"DoubledAtTop",
     "loads:", "supports: []\nloads:", "s.yaml:15:1: supports: a list of 0: given twice, first in line 13; remove one of them"},
    {"Missing", "    segments: 100\n", "", "s.yaml:8:3: rods.rope.segments: missing; give a whole number"},
    {"MissingVector", "from: [0, 0, 0], ", "",
     "s.yaml:11:24: rods.rope.centreline.line.from: missing; give three numbers, such as [0, 0, 1]"},
    {"MissingPlace", ", at: rope.end", "",
     "s.yaml:16:5: loads[0].at: missing; give a place, such as rope.start, rope.end, rope@0.25 or rope.node[12]"},
    {"MissingPart", "sections:\n  cord: {circle: {radius: 0.005}}\n", "",
     "s.yaml:1:1: sections: missing; give a map from names to values, such as {rope: {...}}"},
    {"NoVersion", "writhe: 1\n", "", "s.yaml:1:1: writhe: missing; give `writhe: 1`, the version of the format, at the top"},
    {"OtherVersion", "writhe: 1\ngravity:", "writhe: 2\ngravty:",
     "s.yaml:1:9: writhe: 2: this program reads version 1 only; write `writhe: 1` and bring the scene up to it"},
    {"NoKind", "circle: {radius: 0.005}", "shear_factor: 1",
     "s.yaml:6:9: sections.cord: give one of circle, tube, rectangle, ellipse and stiffness"},
    {"SlipInKind", "{force:", "{forse:", "s.yaml:16:6: loads[0].forse: unknown key; did you mean 'force'?"},
    {"TwoKinds", "rope.end}", "rope.end, moment: [0, 0, 1]}",
     "s.yaml:16:5: loads[0]: only one of force and moment can be given; remove the others"},
    {"KeyOfOtherKind", "{clamp: rope.start}", "{pin: rope.start, tangent: [1, 0, 0]}",
     "s.yaml:14:23: supports[0].tangent: unknown key; known keys: pin, axes and motion"},
    {"EmptyList", "loads:\n  - {force: [0, 0, -1], at: rope.end}\n", "loads:\n", "s.yaml:15:1: loads: nothing: expected a list"},
    {"WordForMap", "{line: {from: [0, 0, 0], to: [1, 0, 0]}}", "line",
     "s.yaml:11:17: rods.rope.centreline: line: expected a map of keys"},
    {"LaterBodies", "loads:", "bodies: {}\nloads:", "s.yaml:15:1: bodies: not available in this version yet; remove it"},
    {"LaterAttach", "loads:", "attach: []\nloads:", "s.yaml:15:1: attach: not available in this version yet; remove it"},
    {"LaterMeshes", "loads:", "meshes: {}\nloads:", "s.yaml:15:1: meshes: not available in this version yet; remove it"},
};
INSTANTIATE_TEST_SUITE_P(Keys, WrongScene, testing::ValuesIn(keys), [](const auto& i) { return i.param.name; });

const Wrong syntax[] = {
    {"OpenBracket", "-9.81]", "-9.81", "s.yaml:3:10: not YAML: a list that begins with [ is not closed with ] before this"},
    {"TwoColons", "gravity: [", "gravity: a: [",
     "s.yaml:2:11: not YAML: no key can stand here; put text with a colon into quotes, and a blank after the colon of the key "
     "before it"},
    {"BracketInPlace", "rope.start}", "rope.node[1]}",
     "s.yaml:14:22: not YAML: a map that begins with { is not closed with } before this; inside braces, write \"rope.node[3]\" "
     "with quotes"},
    {"ClosingBracket", "[0, 0, -9.81]", "[0, 0, -9.81}",
     "s.yaml:2:22: not YAML: this bracket closes none that is open; give every [ its ] and every { its }"},
    {"UnknownAlias", "1e6", "*e", "s.yaml:4:19: not YAML: this alias (*) has no anchor (&) before it"},
    {"Tab", "    segments", "\tsegments", "s.yaml:12:2: not YAML: this line is indented with a tab; use blanks"},
    {"Indentation", "    segments", "   segments",
     "s.yaml:12:4: not YAML: this line does not stand under the keys that it follows; indent the keys of a map alike"},
    {"ItemAfterKey", "gravity: [", "gravity: - [",
     "s.yaml:2:10: not YAML: no item of a list can stand here; begin a line with its dash"},
    {"AliasInItself", "supports:\n  -", "supports: &a\n  - *a\n  -",
     "s.yaml:14:5: an alias inside its own anchor never ends; write the value out"},
    {"OpenQuote", "at: rope.end}\n", "at: rope.end}\ntitle: \"A rope\n",
     "s.yaml:17:8: the text that starts here has no closing \""},
    {"SecondDocument", "loads:", "---\nloads:", "s.yaml:15:1: a second document starts here; keep one scene in a file"},
    {"Tag", "1e6", "!!float 1e6", "s.yaml:4:19: tag:yaml.org,2002:float: tags have no meaning in a scene; remove it"},
    {"ListAsKey", "loads:", "? [1]\n: 2\nloads:", "s.yaml:15:3: a key must be a word; write `key: value`"},
    {"ControlCharacter", "writhe: 1", "writhe: 1\ntitle: \"a\\eb\"",
     "s.yaml:2:8: a?b: contains the control character 0x1b; remove it"},
    {"NotUtf8", "writhe: 1", "writhe: 1\ntitle: a\xC3(", "s.yaml:2:9: 0xc3: this byte is not text; save the file as UTF-8"},
    {"Binary", "writhe: 1", std::string("writhe: 1\n") + '\0', "s.yaml:2:1: 0x00: this byte is not text; save the file as UTF-8"},
};
INSTANTIATE_TEST_SUITE_P(Syntax, WrongScene, testing::ValuesIn(syntax), [](const auto& i) { return i.param.name; });

TEST(SceneErrors, SmallSceneIsRight) { EXPECT_EQ(refusal(small_scene), "accepted"); }

TEST(SceneErrors, AllProblemsInTheOrderOfTheFile) {
  std::string text = changed("1e6", "soft");
  text.replace(text.find("100"), 3, "few");
  text += "damping: {mas: 1}\n";
  EXPECT_EQ(refusal(text),
            "s.yaml:4:19: materials.rubber.young: soft: expected a number\n"
            "s.yaml:12:15: rods.rope.segments: few: expected a whole number\n"
            "s.yaml:17:11: damping.mas: unknown key; did you mean 'mass'?");
}

// What could not be read does not hide what was read and makes no sense.
TEST(SceneErrors, ReadingProblemsDoNotHideTheOthers) {
  std::string text = changed("1e6", "-1e6");
  text.replace(text.find("0.005"), 5, "-0.005");
  text.replace(text.find("rope.start"), 10, "q.start");
  text += "dampin: {mass: 1}\n";
  EXPECT_EQ(refusal(text),
            "s.yaml:4:19: materials.rubber.young: -1000000: Young's modulus (Pa) must be a finite number greater than 0\n"
            "s.yaml:6:27: sections.cord.circle.radius: -0.005: the radius (m) must be a finite number greater than 0\n"
            "s.yaml:14:13: supports[0].clamp: q.start: there is no rod 'q'; known rods: rope\n"
            "s.yaml:17:1: dampin: unknown key; did you mean 'damping'?");
}

// A value that could not be read is not there; what refers to it must not be blamed. Each scene has one problem.
TEST(SceneErrors, WhatFollowsFromAProblemIsNotToldAgain) {
  const Wrong cases[] = {
      {"MisspeltList", "materials:", "materals:", "s.yaml:3:1: materals: unknown key; did you mean 'materials'?"},
      {"MisspeltSection", "{circle:", "{circel:", "s.yaml:6:10: sections.cord.circel: unknown key; did you mean 'circle'?"},
      {"MisspeltPoisson", "poisson:", "poison:", "s.yaml:4:24: materials.rubber.poison: unknown key; did you mean 'poisson'?"},
      {"MisspeltRequired", "segments:", "segmnets:", "s.yaml:12:5: rods.rope.segmnets: unknown key; did you mean 'segments'?"},
      {"MergedRequired", "{young: 1e6, ", "{<<: {}, ",
       "s.yaml:4:12: materials.rubber.<<: merging maps is not supported; repeat the keys"},
      {"MisspeltSupport", "{clamp:", "{clmap:", "s.yaml:14:6: supports[0].clmap: unknown key; did you mean 'clamp'?"},
      {"NodesOfUnreadSegments", "segments: 100\nsupports:\n  - {clamp: rope.start}",
       "segments: 1e2\nsupports:\n  - {clamp: \"rope.node[100]\"}",
       "s.yaml:12:15: rods.rope.segments: 1e2: expected a whole number, in digits only"},
      {"TwistOfUnreadSegments", "segments: 100", "segments: 1e2\n    initial_twist: 5 turns",
       "s.yaml:12:15: rods.rope.segments: 1e2: expected a whole number, in digits only"},
      {"ClosingAngleOfUnreadClosed", "segments: 100", "segments: 100\n    closed: yes\n    closing_angle: 1",
       "s.yaml:13:13: rods.rope.closed: yes: expected true or false"},
      {"RampAfterUnreadPoint", "at: rope.end}", "at: rope.end, ramp: [[x, 0], [-1, 1]]}",
       "s.yaml:16:47: loads[0].ramp[0][0]: x: expected a number"},
      {"LineFromUnreadStart", "from: [0, 0, 0], to: [1, 0, 0]", "from: [0, 0, z], to: [0, 0, 0]",
       "s.yaml:11:38: rods.rope.centreline.line.from[2]: z: expected a number"},
  };
  for (const Wrong& wrong : cases) EXPECT_EQ(refusal(changed(wrong.piece, wrong.replacement)), wrong.message) << wrong.name;
}

TEST(SceneErrors, ManyProblemsAreCounted) {
  std::string points;
  for (int i = 0; i < 250; ++i) points += "[0, 0], ";
  try {
    parse_scene(changed("line: {from: [0, 0, 0], to: [1, 0, 0]}", "polyline: {points: [" + points + "]}"), "s.yaml");
    FAIL() << "accepted";
  } catch (const Error& error) {
    ASSERT_EQ(error.problems().size(), 101u);
    EXPECT_EQ(error.problems().back().text(), "s.yaml: and 150 more problems");
  }
}

// What is not in the file has no line, but a message about it still names the file.
TEST(SceneErrors, WhatIsNotThereBelongsToTheFile) {
  const Scene scene = parse_scene(small_scene, "s.yaml");
  EXPECT_EQ(scene.where("damping.mass").file, "s.yaml");
  EXPECT_EQ(scene.where("damping.mass").line, 0);
  EXPECT_EQ(scene.where("rods.rope.closed").line, 8);
}

TEST(SceneErrors, NoSceneAtAll) {
  EXPECT_EQ(refusal(""), "s.yaml:1: holds no scene; start it with `writhe: 1`");
  EXPECT_EQ(refusal("# nothing\n"), "s.yaml:1: holds no scene; start it with `writhe: 1`");
  EXPECT_EQ(refusal("- a\n- b\n"), "s.yaml:1: holds no scene; start it with `writhe: 1`");
}

TEST(SceneErrors, Utf16) {
  const std::string message = "s.yaml: is UTF-16 text; save the file as UTF-8";
  EXPECT_EQ(refusal(std::string("\xFF\xFEw\0r\0", 6)), message);
  EXPECT_EQ(refusal(std::string("\xFE\xFF\0w\0r", 6)), message);
}

TEST(SceneErrors, DeepNesting) {
  const std::string message = "lists and maps are nested more than 64 deep; no scene needs that";
  // The map of the scene is the first level.
  EXPECT_EQ(refusal("title: " + std::string(64, '[') + std::string(64, ']')), "s.yaml:1:71: " + message);
  EXPECT_NE(refusal("title: " + std::string(100'000, '[')).find(message), std::string::npos);
  EXPECT_NE(refusal("title: " + std::string(100'000, '{')).find(message), std::string::npos);
  std::string dashes;
  for (int i = 0; i < 100'000; ++i) dashes += "- ";
  EXPECT_NE(refusal(dashes).find(message), std::string::npos);
}

// Each level stands for ten of the one before: a billion values in ten lines.
TEST(SceneErrors, BillionLaughs) {
  std::string text = "writhe: 1\na0: &a0 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) text += before + ", ";
    text += "]\n";
  }
  EXPECT_NE(refusal(text).find("more than 2000000 values; put long lists of points into an OBJ file"), std::string::npos);
}

// An anchor inside an anchor inside ... keeps a copy each.
TEST(SceneErrors, NestedAnchorsCountTheirCopies) {
  std::string text = "writhe: 1\nt: ";
  for (int i = 0; i < 60; ++i) text += "&a" + std::to_string(i) + " [";
  for (int i = 0; i < 50'000; ++i) text += "0,";
  text += std::string(60, ']');
  EXPECT_NE(refusal(text).find("more than 2000000 values"), std::string::npos);
}

// ---- files ---------------------------------------------------------------------------------------------------------

class SceneFiles : public testing::Test {
 protected:
  void SetUp() override {
    m_folder = std::filesystem::temp_directory_path() / ("writhe-scene-files-" + std::to_string(::getpid()));
    std::filesystem::create_directories(m_folder);
  }
  void TearDown() override { std::filesystem::remove_all(m_folder); }

  std::string path(const std::string& name) const { return (m_folder / name).string(); }

  static std::string refused(const std::string& path) {
    try {
      load_scene(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }

  std::filesystem::path m_folder;
};

TEST_F(SceneFiles, GoodFileIsRead) {
  std::ofstream(path("s.yaml")) << small_scene;
  EXPECT_EQ(load_scene(path("s.yaml")).rods.at(0).segments, 100);
}

TEST_F(SceneFiles, MissingFile) { EXPECT_EQ(refused(path("none.yaml")), path("none.yaml") + ": no such file; check the path"); }

TEST_F(SceneFiles, Folder) { EXPECT_EQ(refused(path("")), path("") + ": this is a folder; give the file in it"); }

TEST_F(SceneFiles, PathThroughAFile) {
  std::ofstream(path("s.yaml")) << small_scene;
  EXPECT_EQ(refused(path("s.yaml/x")), path("s.yaml/x") + ": no such file; check the path");
}

TEST_F(SceneFiles, UnreadableFile) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  std::ofstream(path("s.yaml")) << small_scene;
  std::filesystem::permissions(path("s.yaml"), std::filesystem::perms::none);
  EXPECT_EQ(refused(path("s.yaml")), path("s.yaml") + ": cannot be opened (Permission denied); check who may read it");
}

// A hole of 200 MB: it is refused by its size, without being read.
TEST_F(SceneFiles, TooLargeFile) {
  std::ofstream(path("large.yaml")) << "x";
  std::filesystem::resize_file(path("large.yaml"), 200'000'000);
  EXPECT_EQ(refused(path("large.yaml")), path("large.yaml") + ": larger than 16 MB; is this the file you meant?");
}

TEST_F(SceneFiles, EndlessDevice) { EXPECT_EQ(refused("/dev/zero"), "/dev/zero: this is a pipe or a device; give a file"); }

}  // namespace
}  // namespace writhe
