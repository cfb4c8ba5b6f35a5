// USD text: names, times, wraps, and the same file with little memory. tests/outputs/read_usd.mjs reads it with USD readers.
#include <gtest/gtest.h>

#include "output/sink_store.h"
#include "output/usd_stage.h"
#include "output_support.h"
#include "writhe/error.h"

namespace writhe::output {
namespace {

using Names = std::vector<std::string>;

TEST(UsdNames, AreWhatUsdAcceptsAndEachItsOwn) {
  EXPECT_EQ(usd_names({"rope", "Rope_2"}), (Names{"rope", "Rope_2"}));
  EXPECT_EQ(usd_names({"my-rope", "2nd", "a+b"}), (Names{"my_rope", "_2nd", "a_b"}));
  EXPECT_EQ(usd_names({"a-b", "a+b", "a_b"}), (Names{"a_b", "a_b_2", "a_b_3"}));
  EXPECT_EQ(usd_names({"a-b", "a_b_2", "a+b"}), (Names{"a_b", "a_b_2", "a_b_3"}));
  EXPECT_EQ(usd_names({"\xC3\xA4"}), (Names{"__"}));
  EXPECT_EQ(usd_names({""}), (Names{"_"}));
}

class Usd : public testing::Test {
 protected:
  std::string stage_of(const Scene& scene, int steps) {
    StoreSink sink = usd_sink();
    test::record_all(sink, Model(scene), steps);
    return test::text_of_file(m_folder / "rods.usda");
  }
  StoreSink usd_sink() const {
    return {m_folder.path(),
            {[this](const Model& model, FrameStore& store) { write_usd_stage(model, store, m_folder / "rods.usda"); }}};
  }
  static bool has_line(const std::string& text, const std::string& line) {
    for (const std::string& candidate : test::lines_of(text)) {
      const std::size_t start = candidate.find_first_not_of(' ');
      if (start != std::string::npos && candidate.substr(start) == line) return true;
    }
    return false;
  }
  // What stands before the colon in the time samples of an attribute.
  static Names times_of(const std::string& text, const std::string& attribute) {
    Names out;
    bool inside = false;
    for (const std::string& line : test::lines_of(text)) {
      if (inside && line == "        }") break;
      if (inside) out.push_back(line.substr(12, line.find(':') - 12));
      if (line.ends_with(" " + attribute + ".timeSamples = {")) inside = true;
    }
    return out;
  }

  test::TemporaryFolder m_folder;
};

// Two samples of one time code, or none a second, would be no valid file.
TEST_F(Usd, RareFramesCountInSeconds) {
  Scene scene = test::framed_scene();
  scene.dt = 0.5;
  scene.output.frame_interval = 1e10;
  const std::string text = stage_of(scene, 5);
  EXPECT_TRUE(has_line(text, "timeCodesPerSecond = 1"));
  EXPECT_EQ(times_of(text, "points"), (Names{"0", "2.5"}));
}

TEST_F(Usd, FramesCountTheMultiplesOfTheInterval) {
  Scene scene = test::framed_scene();
  scene.dt = 0.01;
  scene.output.frame_interval = 0.04;
  const std::string text = stage_of(scene, 30);  // 0.28 / 0.04 is not 7 in floating point
  EXPECT_TRUE(has_line(text, "timeCodesPerSecond = 25"));
  EXPECT_TRUE(has_line(text, "startTimeCode = 0"));
  EXPECT_TRUE(has_line(text, "endTimeCode = 7.5"));
  for (const char* attribute : {"points", "velocities", "normals", "extent", "primvars:tension", "primvars:frame"}) {
    EXPECT_EQ(times_of(text, attribute), (Names{"0", "1", "2", "3", "4", "5", "6", "7", "7.5"})) << attribute;
  }
}

TEST_F(Usd, TimesOfSmallStepsHaveNoExponent) {
  Scene scene = test::framed_scene();
  scene.output.frame_interval = 1;
  scene.dt = 1e-6;
  EXPECT_EQ(times_of(stage_of(scene, 1), "points"), (Names{"0", "0.000001"}));
}

TEST_F(Usd, OpenRodsEndAndRingsCloseWithoutARepeatedPoint) {
  Scene scene = test::framed_scene();
  scene.rods.push_back(test::rod("my-ring", RingShape{{0, 0, 1}, {0, 0, 1}, {1, 0, 0}, 0.1}, 4));
  const std::string text = stage_of(scene, 0);
  const std::string rope = text.substr(0, text.find("def BasisCurves \"my_ring\""));
  const std::string ring = text.substr(rope.size());
  EXPECT_TRUE(has_line(rope, "uniform token wrap = \"nonperiodic\""));
  EXPECT_TRUE(has_line(rope, "int[] curveVertexCounts = [7]"));
  EXPECT_TRUE(has_line(ring, "uniform token wrap = \"periodic\""));
  EXPECT_TRUE(has_line(ring, "int[] curveVertexCounts = [4]"));
  EXPECT_TRUE(has_line(ring, "displayName = \"my-ring\""));
}

TEST_F(Usd, LittleMemoryGivesTheSameFile) {
  Scene scene = test::framed_scene();
  scene.rods.push_back(test::rod("second", LineShape{{0, 0, 2}, {1, 0, 2}}, 3));
  const Model model(scene);
  const std::string text = stage_of(scene, 20);
  FrameStore store = FrameStore::open_to_read(m_folder / "frames.bin");
  for (const std::size_t memory : {0, 3000, 20000}) {
    write_usd_stage(model, store, m_folder / "again.usda", memory);
    EXPECT_TRUE(test::text_of_file(m_folder / "again.usda") == text) << memory;
  }
}

TEST_F(Usd, WhatAFloatCannotHoldIsRefusedAndTheOldFileStays) {
  const Model model(test::framed_scene());
  std::ofstream(m_folder / "rods.usda") << "old";
  StoreSink sink = usd_sink();
  State state = model.initial_state();
  sink.begin(model, state);
  state.time = 1;
  state.v[2].x = 1e39;
  EXPECT_THROW(sink.end(model, state), Error);
  EXPECT_EQ(test::text_of_file(m_folder / "rods.usda"), "old");
  EXPECT_FALSE(std::filesystem::exists(m_folder / "rods.usda.writhe-tmp"));
}

TEST_F(Usd, NamesThatWouldBreakTheTextAreEscaped) {
  Scene scene = test::framed_scene();
  scene.rods[0].name = "a\"b\\c\nd";
  scene.supports[0].at.rod = scene.rods[0].name;
  EXPECT_TRUE(has_line(stage_of(scene, 0), R"(displayName = "a\"b\\c d")"));
}

}  // namespace
}  // namespace writhe::output
