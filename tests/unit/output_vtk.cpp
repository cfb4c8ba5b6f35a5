// VTK files: the times of the frames, the bits of the arrays. tests/outputs/read_vtk.py reads them with VTK itself.
#include <array>
#include <cstring>

#include <gtest/gtest.h>

#include "output/base64.h"
#include "output/sink_vtk.h"
#include "output_support.h"

namespace writhe::output {
namespace {

std::string base64(const std::string& bytes) {
  std::string out;
  append_base64(bytes, out);
  return out;
}

TEST(Base64, TestVectorsOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, AllBytes) {
  EXPECT_EQ(base64({'\xff', '\xfe', '\xfb'}), "//77");
  EXPECT_EQ(base64({'\x00', '\x10', '\x83'}), "ABCD");
  std::string out = "before:";
  append_base64("foo", out);
  EXPECT_EQ(out, "before:Zm9v");
}

class Vtk : public testing::Test {
 protected:
  // The numbers of an array in a file: after their size in bytes.
  template <class Number>
  static std::vector<Number> array(const std::string& file, const std::string& name) {
    const std::size_t at = file.find("Name=\"" + name + "\"");
    EXPECT_NE(at, std::string::npos) << name;
    const std::size_t start = file.find('>', at) + 1;
    const std::string bytes = decoded(file.substr(start, file.find('<', start) - start));
    std::uint64_t size = 0;
    std::memcpy(&size, bytes.data(), sizeof size);
    EXPECT_EQ(size, bytes.size() - sizeof size);
    std::vector<Number> out((bytes.size() - sizeof size) / sizeof(Number));
    if (!out.empty()) std::memcpy(out.data(), bytes.data() + sizeof size, out.size() * sizeof(Number));
    return out;
  }

  test::TemporaryFolder m_folder;

 private:
  static std::string decoded(const std::string& text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    unsigned bits = 0;
    int count = 0;
    for (const char c : text) {
      if (c == '=') break;
      bits = bits << 6 | static_cast<unsigned>(digits.find(c));
      count += 6;
      if (count < 8) continue;
      count -= 8;
      out += static_cast<char>(bits >> count & 255);
    }
    return out;
  }
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST_F(Vtk, FramesAreTheStartTheMultiplesAndTheEnd) {
  const Model model(test::framed_scene());  // dt 0.003, a frame every 0.01
  VtkSink sink(m_folder.path());
  test::record_all(sink, model, 8);
  const std::string list = test::text_of_file(m_folder / "rods.pvd");
  EXPECT_EQ(count(list, "<DataSet"), 4U);
  const std::array<double, 4> times{0, 0.012, 0.021, 0.024};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string file = "vtk/rods_00000" + std::to_string(i) + ".vtp";
    EXPECT_EQ(count(list, "file=\"" + file + "\""), 1U);
    EXPECT_NEAR(array<double>(test::text_of_file(m_folder / file), "TimeValue").at(0), times[i], 1e-12);
  }
}

TEST_F(Vtk, TheEndIsNotWrittenTwice) {
  VtkSink sink(m_folder.path());
  test::record_all(sink, Model(test::framed_scene()), 7);  // ends on a frame
  EXPECT_EQ(count(test::text_of_file(m_folder / "rods.pvd"), "<DataSet"), 3U);
}

TEST_F(Vtk, EveryStepIsAFrameWithoutAnInterval) {
  Scene scene = test::framed_scene();
  scene.output.frame_interval = 0;
  VtkSink sink(m_folder.path());
  test::record_all(sink, Model(scene), 7);
  EXPECT_EQ(count(test::text_of_file(m_folder / "rods.pvd"), "<DataSet"), 8U);
}

TEST_F(Vtk, PositionsKeepAllTheirBits) {
  const Model model(test::framed_scene());
  VtkSink sink(m_folder.path());
  test::record_all(sink, model, 4);
  const auto points = array<double>(test::text_of_file(m_folder / "vtk/rods_000001.vtp"), "Points");
  const State state = test::moved_state(model, 4);
  ASSERT_EQ(points.size(), 3 * state.x.size());
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    EXPECT_EQ(points[3 * i], state.x[i].x);
    EXPECT_EQ(points[3 * i + 1], state.x[i].y);
    EXPECT_EQ(points[3 * i + 2], state.x[i].z);
  }
}

TEST_F(Vtk, RodsAreLinesAndShareNoPoints) {
  Scene scene = test::framed_scene();
  scene.rods.push_back(test::rod("ring", RingShape{{0, 0, 1}, {0, 0, 1}, {1, 0, 0}, 0.1}, 4));
  VtkSink sink(m_folder.path());
  test::record_all(sink, Model(scene), 0);
  const std::string file = test::text_of_file(m_folder / "vtk/rods_000000.vtp");
  EXPECT_EQ(array<std::int64_t>(file, "offsets"), (std::vector<std::int64_t>{7, 7 + 5}));
  EXPECT_EQ(array<std::int64_t>(file, "connectivity"), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(array<std::int64_t>(file, "rod"), (std::vector<std::int64_t>{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1}));
  const auto points = array<double>(file, "Points");
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(points[3 * 7 + c], points[3 * 11 + c]) << "a ring ends where it starts";
}

TEST_F(Vtk, OtherFilesInItsFolderAreLeftAlone) {
  std::filesystem::create_directory(m_folder / "vtk");
  for (const char* name : {"vtk/notes.txt", "vtk/rods_final.vtp", "vtk/rods_000001.vtp.bak"}) {
    std::ofstream(m_folder / name) << "mine";
  }
  std::ofstream(m_folder / "vtk/rods_000077.vtp") << "of an earlier run";
  VtkSink sink(m_folder.path());
  test::record_all(sink, Model(test::framed_scene()), 2);
  for (const char* name : {"vtk/notes.txt", "vtk/rods_final.vtp", "vtk/rods_000001.vtp.bak"}) {
    EXPECT_EQ(test::text_of_file(m_folder / name), "mine");
  }
  EXPECT_FALSE(std::filesystem::exists(m_folder / "vtk/rods_000077.vtp"));
}

}  // namespace
}  // namespace writhe::output
