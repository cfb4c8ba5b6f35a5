// What all formats of shapes over time have in common: which frames they have, and that a resumed run leaves the same files.
#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "output/sink_formats.h"
#include "output_support.h"
#include "writhe/error.h"

namespace writhe::output {
namespace {

namespace fs = std::filesystem;
using test::contents;
using test::moved_state;
using test::record;
using test::record_all;

class Formats : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Sink> sink(const Model& model, const fs::path& folder) const {
    Scene scene = model.scene();
    scene.output.formats = {GetParam()};
    std::vector<std::unique_ptr<Sink>> sinks = format_sinks(scene, folder);
    EXPECT_EQ(sinks.size(), 1U);
    return std::move(sinks.at(0));
  }
  std::map<std::string, std::string> files_of_a_whole_run(const Model& model, int steps) const {
    const test::TemporaryFolder folder;
    record_all(*sink(model, folder.path()), model, steps);
    return contents(folder.path());
  }

  test::TemporaryFolder m_folder;
  const Model m_model{test::framed_scene()};  // steps of 0.003 s, frames on the steps 0, 4, 7, 10, 14, 17, 20, ...
};
INSTANTIATE_TEST_SUITE_P(All, Formats, testing::ValuesIn(format_names()), [](const auto& given) { return given.param; });

TEST_P(Formats, LeavesTheFilesItNames) {
  const std::vector<std::string> names = format_files(GetParam());
  for (const auto& [file, text] : files_of_a_whole_run(m_model, 5)) {
    const std::string top = *fs::path(file).begin();
    EXPECT_NE(std::find(names.begin(), names.end(), top), names.end()) << file;
  }
  record_all(*sink(m_model, m_folder.path()), m_model, 5);
  for (const std::string& name : names) EXPECT_TRUE(fs::exists(m_folder / name)) << name;
}

TEST_P(Formats, ARunThatIsResumedLeavesTheSameFiles) {
  const auto expected = files_of_a_whole_run(m_model, 18);
  for (const int stop : {0, 3, 7, 8, 17}) {
    const test::TemporaryFolder folder;
    std::string bookmark;
    {
      const std::unique_ptr<Sink> first = sink(m_model, folder.path());
      first->begin(m_model, moved_state(m_model, 0));
      record(*first, m_model, 0, stop);
      bookmark = first->bookmark();
      first->end(m_model, moved_state(m_model, stop));
      EXPECT_EQ(first->bookmark(), bookmark) << "the frame of the end must not count";
    }
    const std::unique_ptr<Sink> second = sink(m_model, folder.path());
    second->resume(m_model, moved_state(m_model, stop), bookmark);
    record(*second, m_model, stop, 18);
    second->end(m_model, moved_state(m_model, 18));
    EXPECT_TRUE(contents(folder.path()) == expected) << "stopped after step " << stop;
  }
}

TEST_P(Formats, ARunThatWasKilledAfterItsCheckpointLeavesTheSameFiles) {
  const auto expected = files_of_a_whole_run(m_model, 18);
  std::string bookmark;
  {
    const std::unique_ptr<Sink> first = sink(m_model, m_folder.path());
    first->begin(m_model, moved_state(m_model, 0));
    record(*first, m_model, 0, 5);
    bookmark = first->bookmark();
    record(*first, m_model, 5, 15);
  }
  const std::unique_ptr<Sink> second = sink(m_model, m_folder.path());
  second->resume(m_model, moved_state(m_model, 5), bookmark);
  record(*second, m_model, 5, 18);
  second->end(m_model, moved_state(m_model, 18));
  EXPECT_TRUE(contents(m_folder.path()) == expected);
}

TEST_P(Formats, FramesAfterTheCheckpointAreTakenBack) {
  std::string bookmark;
  {
    const std::unique_ptr<Sink> first = sink(m_model, m_folder.path());
    first->begin(m_model, moved_state(m_model, 0));
    record(*first, m_model, 0, 7);
    bookmark = first->bookmark();
    record(*first, m_model, 7, 15);
  }
  const std::unique_ptr<Sink> second = sink(m_model, m_folder.path());
  second->resume(m_model, moved_state(m_model, 7), bookmark);
  second->end(m_model, moved_state(m_model, 7));
  EXPECT_TRUE(contents(m_folder.path()) == files_of_a_whole_run(m_model, 7));
}

TEST_P(Formats, AShorterRunLeavesNothingOfALongerOne) {
  record_all(*sink(m_model, m_folder.path()), m_model, 30);
  record_all(*sink(m_model, m_folder.path()), m_model, 9);
  EXPECT_TRUE(contents(m_folder.path()) == files_of_a_whole_run(m_model, 9));
}

TEST_P(Formats, FilesThatWereRemovedAreMissedWhenTheRunIsResumed) {
  std::string bookmark;
  {
    const std::unique_ptr<Sink> first = sink(m_model, m_folder.path());
    first->begin(m_model, moved_state(m_model, 0));
    record(*first, m_model, 0, 15);
    bookmark = first->bookmark();
  }
  for (const std::string& name : format_files(GetParam())) fs::remove_all(m_folder / name);
  EXPECT_THROW(sink(m_model, m_folder.path())->resume(m_model, moved_state(m_model, 15), bookmark), Error);
}

TEST_P(Formats, ADamagedBookmarkIsRefused) {
  std::string bookmark;
  {
    const std::unique_ptr<Sink> first = sink(m_model, m_folder.path());
    first->begin(m_model, moved_state(m_model, 0));
    bookmark = first->bookmark();
  }
  const State state = moved_state(m_model, 0);
  EXPECT_THROW(sink(m_model, m_folder.path())->resume(m_model, state, bookmark.substr(0, bookmark.size() - 1)), Error);
  EXPECT_THROW(sink(m_model, m_folder.path())->resume(m_model, state, ""), Error);
}

TEST_P(Formats, WhatIsNotFiniteIsRefusedAndNotWritten) {
  const std::unique_ptr<Sink> spoilt = sink(m_model, m_folder.path());
  spoilt->begin(m_model, moved_state(m_model, 0));
  spoilt->bookmark();
  const auto before = contents(m_folder.path());
  State state = moved_state(m_model, 9);
  state.v[3].y = std::numeric_limits<double>::quiet_NaN();
  StepReport report;
  report.dt = 0.003;
  try {
    spoilt->write(m_model, state, report);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems()[0].value, "velocity of rope");
  }
  spoilt->bookmark();
  EXPECT_TRUE(contents(m_folder.path()) == before);
}

TEST_P(Formats, AFolderThatCannotBeWrittenIsNamed) {
  std::ofstream(m_folder / "file") << "not a folder";
  const std::unique_ptr<Sink> lost = sink(m_model, m_folder / "file");
  try {
    lost->begin(m_model, moved_state(m_model, 0));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find((m_folder / "file").string()), std::string::npos) << error.what();
  }
}

TEST(FormatSinks, ComeInTheOrderOfTheListAndOnce) {
  const test::TemporaryFolder folder;
  Scene scene;
  EXPECT_TRUE(format_sinks(scene, folder.path()).empty());
  scene.output.formats = {"obj", "vtk", "obj"};
  const auto sinks = format_sinks(scene, folder.path());
  ASSERT_EQ(sinks.size(), 2U);
  EXPECT_EQ(sinks[0]->name(), "vtk");
  EXPECT_EQ(sinks[1]->name(), "obj");
}

TEST(FormatSinks, AnUnknownFormatIsRefused) {
  Scene scene;
  scene.output.formats = {"vtkk"};
  try {
    format_sinks(scene, "somewhere");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.problems()[0].message.find("did you mean 'vtk'?"), std::string::npos);
  }
  EXPECT_THROW(format_files("png"), Error);
}

}  // namespace
}  // namespace writhe::output
