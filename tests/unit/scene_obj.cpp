// Centrelines from OBJ files.
#include <filesystem>
#include <fstream>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "scene_support.h"

namespace writhe {
namespace {

using Points = std::vector<Vec3>;

class SceneObj : public testing::Test {
 protected:
  void SetUp() override {
    m_folder = std::filesystem::temp_directory_path() / ("writhe-scene-obj-" + std::to_string(::getpid()));
    std::filesystem::create_directories(m_folder / "curves");
    std::ofstream(scene_file()) << test::changed("line: {from: [0, 0, 0], to: [1, 0, 0]}", "obj: curves/rope.obj");
  }
  void TearDown() override { std::filesystem::remove_all(m_folder); }

  std::string scene_file() const { return (m_folder / "s.yaml").string(); }
  std::string obj_file() const { return (m_folder / "curves" / "rope.obj").string(); }

  Points points_of(const std::string& obj) const {
    std::ofstream(obj_file(), std::ios::binary) << obj;
    const auto shape = std::get<ObjShape>(load_scene(scene_file()).rods.at(0).centreline);
    EXPECT_EQ(shape.file, "curves/rope.obj");
    return shape.points;
  }
  // The message after the name of the OBJ file and the field.
  std::string refusal_of(const std::string& obj) const {
    try {
      points_of(obj);
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_EQ(text.substr(0, obj_file().size()), obj_file());
      return text.substr(obj_file().size());
    }
    return "accepted";
  }

  std::filesystem::path m_folder;
};

const std::string three = "v 0 0 0\nv 1 0 0\nv 1 2 0\n";
const Points in_order{{0, 0, 0}, {1, 0, 0}, {1, 2, 0}};
const Points reversed{{1, 2, 0}, {1, 0, 0}, {0, 0, 0}};

TEST_F(SceneObj, VerticesAlone) { EXPECT_EQ(points_of("# a curve\no rope\n" + three), in_order); }

TEST_F(SceneObj, OneElement) {
  EXPECT_EQ(points_of(three + "l 1 2 3\n"), in_order);
  EXPECT_EQ(points_of(three + "l 3 2 1\n"), reversed);
}

TEST_F(SceneObj, UnusedVerticesAreLeftOut) { EXPECT_EQ(points_of("v 9 9 9\n" + three + "l 2 3 4\n"), in_order); }

TEST_F(SceneObj, PiecesInAnyOrderAndDirection) {
  EXPECT_EQ(points_of(three + "l 2 3\nl 1 2\n"), in_order);
  EXPECT_EQ(points_of(three + "l 1 2\nl 3 2\n"), in_order);
  EXPECT_EQ(points_of(three + "l 2 1\nl 2 3\n"), reversed) << "the first piece gives the direction";
}

TEST_F(SceneObj, OtherWaysToWriteIt) {
  EXPECT_EQ(points_of("v 0 0 0 1.0\r\nv\t1e0 0 0\r\n  v 1 +2 0 # end\r\nvn 0 0 1\r\nl 1/1 2/2 3\r\n"), in_order);
  EXPECT_EQ(points_of(three + "l -3 -2 -1"), in_order);
}

TEST_F(SceneObj, WrongLines) {
  const std::string field = ": rods.rope.centreline.obj: ";
  EXPECT_EQ(refusal_of("v 0 0\n"), ":1" + field + "expected `v x y z` with three numbers");
  EXPECT_EQ(refusal_of("\nv 0 0 1,5\n"), ":2" + field + "expected `v x y z` with three numbers");
  EXPECT_EQ(refusal_of("v 0 nan 1\n"), ":1" + field + "expected `v x y z` with three numbers");
  EXPECT_EQ(refusal_of(three + "l 1\n"), ":4" + field + "expected `l` with two or more vertex numbers");
  EXPECT_EQ(refusal_of(three + "l 1 4\n"), ":4" + field + "number 2 after `l` is not that of a vertex above; there are 3");
  EXPECT_EQ(refusal_of(three + "l 0 1\n"), ":4" + field + "number 1 after `l` is not that of a vertex above; there are 3");
  EXPECT_EQ(refusal_of(three + "l -4 1\n"), ":4" + field + "number 1 after `l` is not that of a vertex above; there are 3");
  EXPECT_EQ(refusal_of(three + "f 1 2 3\n"),
            ":4" + field + "only vertices (v) and lines (l) make a centreline; export the curve without faces");
}

TEST_F(SceneObj, NotOneLine) {
  const std::string field = ": rods.rope.centreline.obj: ";
  EXPECT_EQ(refusal_of(three + "v 5 5 5\nl 1 2\nl 3 4\n"), ":6" + field + "a second line starts here; keep one line in the file");
  EXPECT_EQ(refusal_of(three + "v 5 5 5\nl 1 2 3\nl 2 4\n"),
            ":6" + field + "three lines meet in vertex 2; a centreline has no branches");
  EXPECT_EQ(refusal_of(three + "l 1 2 2 3\n"), ":4" + field + "joins vertex 2 to itself; remove one");
  const std::string closes = "the line closes on itself; remove its last edge and set `closed: true` for the rod";
  EXPECT_EQ(refusal_of(three + "l 1 2 3\nl 3 1\n"), ":5" + field + closes);
  EXPECT_EQ(refusal_of(three + "l 1 2 1\n"), ":4" + field + closes);
}

TEST_F(SceneObj, MissingFilePointsAtTheScene) {
  std::filesystem::remove(obj_file());
  try {
    load_scene(scene_file());
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              scene_file() + ":11:23: rods.rope.centreline.obj: curves/rope.obj: no such file; check the path");
  }
}

}  // namespace
}  // namespace writhe
