// OBJ lines: our own reader takes them back, colours follow the field, rings close.
#include <gtest/gtest.h>

#include "output/sink_obj.h"
#include "output_support.h"
#include "writhe/load.h"

namespace writhe::output {
namespace {

class Obj : public testing::Test {
 protected:
  std::vector<std::string> frame(const Scene& scene, int steps, const std::string& name = "obj/rods_000000.obj") {
    ObjSink sink(m_folder.path());
    test::record_all(sink, Model(scene), steps);
    return test::lines_of(test::text_of_file(m_folder / name));
  }
  static std::vector<std::string> starting_with(const std::vector<std::string>& lines, const std::string& start) {
    std::vector<std::string> out;
    for (const std::string& line : lines) {
      if (line.starts_with(start)) out.push_back(line);
    }
    return out;
  }
  // The centreline that a scene reads from a frame.
  std::vector<Vec3> read_back(const std::string& name) const {
    std::ofstream(m_folder / "scene.yaml") << "writhe: 1\nsections: {s: {circle: {radius: 0.001}}}\n"
                                           << "materials: {m: {young: 1e6, poisson: 0.5, density: 1000}}\n"
                                           << "rods: {r: {section: s, material: m, segments: 6, centreline: {obj: " << name
                                           << "}}}\n";
    return std::get<ObjShape>(load_scene((m_folder / "scene.yaml").string()).rods.at(0).centreline).points;
  }

  test::TemporaryFolder m_folder;
};

TEST_F(Obj, OurOwnReaderTakesItBackToTheBit) {
  for (const char* color : {"none", "tension"}) {
    Scene scene = test::framed_scene();
    scene.output.picture.color = color;
    frame(scene, 4);
    EXPECT_EQ(read_back("obj/rods_000001.obj"), test::moved_state(Model(scene), 4).x) << color;
  }
}

TEST_F(Obj, ALongRodIsSeveralElementsAndOneLine) {
  Scene scene = test::framed_scene();
  scene.rods[0].segments = 2500;
  const auto lines = frame(scene, 0);
  EXPECT_EQ(starting_with(lines, "l ").size(), 3U);
  for (const std::string& line : lines) EXPECT_LT(line.size(), 20000U);
  EXPECT_EQ(read_back("obj/rods_000000.obj"), test::moved_state(Model(scene), 0).x);
}

TEST_F(Obj, TheCommentGivesTheTime) {
  EXPECT_NE(frame(test::framed_scene(), 4, "obj/rods_000001.obj").at(0).find("t = 0.012 s"), std::string::npos);
}

TEST_F(Obj, RodsHaveTheirNamesAndCountOn) {
  Scene scene = test::scene_of(test::rod("one", LineShape{{0, 0, 0}, {2, 0, 0}}, 2));
  scene.rods.push_back(test::rod("ring", RingShape{{0, 0, 1}, {0, 0, 1}, {1, 0, 0}, 0.1}, 4));
  const auto lines = frame(scene, 0);
  EXPECT_EQ(starting_with(lines, "o "), (std::vector<std::string>{"o one", "o ring"}));
  EXPECT_EQ(starting_with(lines, "v ").size(), 3U + 4);
  EXPECT_EQ(starting_with(lines, "vt "),
            (std::vector<std::string>{"vt 0 0", "vt 0.5 0", "vt 1 0", "vt 0 0", "vt 0.25 0", "vt 0.5 0", "vt 0.75 0", "vt 1 0"}));
  EXPECT_EQ(starting_with(lines, "l "), (std::vector<std::string>{"l 1/1 2/2 3/3", "l 4/4 5/5 6/6 7/7 4/8"}));
}

TEST_F(Obj, ColoursRunOverTheRangeOfTheField) {
  Scene scene = test::scene_of(test::rod("rope", LineShape{{0, 0, 0}, {2, 0, 0}}, 2));
  scene.output.picture.color = "speed";
  const Model model(scene);
  State state = model.initial_state();
  state.v[1] = {0, 3, 0};
  ObjSink sink(m_folder.path());
  sink.begin(model, state);
  const auto lines = test::lines_of(test::text_of_file(m_folder / "obj/rods_000000.obj"));
  EXPECT_NE(lines.at(1).find("speed, viridis from 0 to 3 m/s"), std::string::npos) << lines.at(1);
  const auto vertices = starting_with(lines, "v ");
  EXPECT_EQ(vertices.at(0), "v 0 0 0 0.2667 0.0039 0.3294");  // #440154, the dark end of viridis
  EXPECT_EQ(vertices.at(1), "v 1 0 0 0.9922 0.9059 0.1451");  // #fde725, its bright end
}

TEST_F(Obj, ANameWithASpaceStaysOneWord) {
  Scene scene = test::framed_scene();
  scene.rods[0].name = "my rope";
  scene.supports[0].at.rod = scene.rods[0].name;
  EXPECT_EQ(starting_with(frame(scene, 0), "o "), (std::vector<std::string>{"o my_rope"}));
}

}  // namespace
}  // namespace writhe::output
