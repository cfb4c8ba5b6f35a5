// Tubes around rods are closed, oriented, and as large as the rod; and the files hold them.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "math/rotation.h"
#include "output/mesh_file.h"
#include "output/tube_mesh.h"
#include "output_support.h"
#include "support/random_scenes.h"
#include "support/scenes.h"
#include "writhe/error.h"

namespace writhe::output {
namespace {

using test::Cord;
using Triangles = std::vector<std::array<std::uint32_t, 3>>;

// Every edge once in each direction, and no triangle without area.
void expect_closed(const std::vector<Vec3>& vertices, const Triangles& triangles) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const auto& t : triangles) {
    for (int i = 0; i < 3; ++i) ++edges[{t[i], t[(i + 1) % 3]}];
    ASSERT_GT(norm(cross(vertices[t[1]] - vertices[t[0]], vertices[t[2]] - vertices[t[0]])), 0);
  }
  for (const auto& [edge, count] : edges) {
    ASSERT_EQ(count, 1) << edge.first << " to " << edge.second;
    ASSERT_EQ(edges.count({edge.second, edge.first}), 1U) << edge.first << " to " << edge.second;
  }
}

// m^3; positive where the triangles face outwards.
double volume_of(const std::vector<Vec3>& vertices, const Triangles& triangles, std::size_t first, std::size_t end) {
  double six = 0;
  for (std::size_t i = first; i < end; ++i) {
    const auto& [a, b, c] = triangles[i];
    six += dot(vertices[a], cross(vertices[b], vertices[c]));
  }
  return six / 6;
}

// m^3: of every segment the area of its section, by its stiffness, times its length as it is.
double volume_of_rod(const Model& model, const State& state, int r) {
  const RodRange& rod = model.rods()[r];
  const Segments& segments = model.segments();
  double volume = 0;
  for (int s = rod.first_segment; s < rod.first_segment + rod.segment_count; ++s) {
    const double area = segments.stiffness[s].z / model.scene().materials[0].young;
    volume += area * norm(state.x[segments.node1[s]] - state.x[segments.node0[s]]);
  }
  return volume;
}

void expect_tube(const Scene& scene, double tolerance, const TubeOptions& options = {}) {
  const Model model(scene);
  const State state = model.initial_state();
  const TubeMesh mesh = tube_mesh(model, state, options);
  expect_closed(mesh.vertices, mesh.triangles);
  ASSERT_EQ(mesh.rods.size(), model.rods().size());
  for (std::size_t r = 0; r < mesh.rods.size(); ++r) {
    const std::size_t end = r + 1 < mesh.rods.size() ? mesh.rods[r + 1].first_triangle : mesh.triangles.size();
    const double expected = volume_of_rod(model, state, static_cast<int>(r));
    EXPECT_NEAR(volume_of(mesh.vertices, mesh.triangles, mesh.rods[r].first_triangle, end), expected, tolerance * expected)
        << mesh.rods[r].name;
  }
}

TEST(Tube, OfAStraightRodHasItsVolumeWithAnyNumberOfSides) {
  for (const int sides : {3, 8, 16, 64}) expect_tube(Cord{}.scene(), 1e-12, {.sides = sides});
}

TEST(Tube, OfACoilHasItsVolume) {
  Scene scene = Cord{.radius = 0.002, .segments = 60}.scene();
  scene.rods[0].centreline = HelixShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.02, 0.01, 3};
  expect_tube(scene, 0.01);
}

// Also where the end of the outline does not meet its start without a turn.
TEST(Tube, OfARingCloses) {
  for (const double angle : {0.0, 0.3, 2.0, pi, 20.0}) {
    SCOPED_TRACE(angle);
    Scene scene = Cord{.radius = 0.01, .segments = 40}.scene();
    scene.rods[0].centreline = RingShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.2};
    scene.rods[0].closing_angle = angle;
    expect_tube(scene, 0.01);
    scene.sections[0].shape = RectangleSection{0.02, 0.01};
    Model model(scene);
    const TubeMesh mesh = tube_mesh(model, model.initial_state());
    expect_closed(mesh.vertices, mesh.triangles);
  }
}

// A ring in space: carried around it, an outline comes back turned.
TEST(Tube, OfACurvedRingCloses) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const Scene scene = test::RandomScenes(seed).ring();
    Model model(scene);
    const TubeMesh mesh = tube_mesh(model, model.initial_state());
    expect_closed(mesh.vertices, mesh.triangles);
  }
}

TEST(Tube, OfARibbonThatIsTwistedHasItsVolume) {
  Scene scene = Cord{.segments = 20}.scene();
  scene.sections[0].shape = RectangleSection{0.03, 0.004};
  expect_tube(scene, 1e-12);
  scene.rods[0].initial_twist = 2 * pi;
  expect_tube(scene, 0.01);
  scene.sections[0].shape = EllipseSection{0.03, 0.004};
  expect_tube(scene, 0.01);
}

TEST(Tube, OfACornerHasItsVolume) {
  Scene scene = Cord{.radius = 0.01}.scene();
  scene.rods[0].centreline = PolylineShape{{{0, 0, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}, {0.8, 0.9, 0.3}}};
  scene.rods[0].segments = 24;
  expect_tube(scene, 0.01);
}

TEST(Tube, OfEveryRodOfANetIsItsOwn) {
  const Scene scene = test::RandomScenes(3).net();
  const Model model(scene);
  const TubeMesh mesh = tube_mesh(model, model.initial_state());
  expect_closed(mesh.vertices, mesh.triangles);
  EXPECT_EQ(mesh.rods.size(), model.rods().size());
}

// ---- files -------------------------------------------------------------------------------------------------------------
class MeshFile : public testing::Test {
 protected:
  MeshFile() : m_model(two_rods()), m_mesh(tube_mesh(m_model, m_model.initial_state(), {.sides = 5})) {}
  static Scene two_rods() {
    Scene scene = Cord{.segments = 3}.scene();
    scene.rods.push_back(scene.rods[0]);
    scene.rods[1].name = "other";
    scene.rods[1].centreline = LineShape{{0, 0.5, 0}, {0, 0.5, 2}};
    return scene;
  }
  std::string written(const std::string& name, double scale = 1) {
    write_mesh(m_mesh, m_folder / name, scale);
    return test::text_of_file(m_folder / name);
  }
  void expect_near(const Vec3& a, const Vec3& b) { EXPECT_LT(norm(a - b), 1e-6 * (1 + norm(b))); }

  test::TemporaryFolder m_folder;
  Model m_model;
  TubeMesh m_mesh;
};

template <class T>
T at(const std::string& bytes, std::size_t place) {
  T value;
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

TEST_F(MeshFile, StlHoldsTheTrianglesWithTheirNormalsInMillimetres) {
  const std::string bytes = written("rods.stl", 1000);
  ASSERT_EQ(bytes.size(), 84 + 50 * m_mesh.triangles.size());
  EXPECT_NE(bytes.substr(0, 5), "solid");
  EXPECT_EQ(at<std::uint32_t>(bytes, 80), m_mesh.triangles.size());
  for (std::size_t i = 0; i < m_mesh.triangles.size(); ++i) {
    const auto vec = [&](int k) {
      const auto v = at<std::array<float, 3>>(bytes, 84 + 50 * i + 12 * static_cast<std::size_t>(k));
      return Vec3{v[0], v[1], v[2]};
    };
    for (int k = 0; k < 3; ++k) expect_near(vec(k + 1), 1000.0 * m_mesh.vertices[m_mesh.triangles[i][k]]);
    EXPECT_GT(dot(vec(0), cross(vec(2) - vec(1), vec(3) - vec(1))), 0);
    EXPECT_NEAR(norm(vec(0)), 1, 1e-5);
  }
}

TEST_F(MeshFile, ObjHoldsAnObjectARod) {
  std::istringstream in(written("rods.obj"));
  std::vector<std::string> objects;
  std::size_t vertices = 0, faces = 0;
  for (std::string word; in >> word;) {
    if (word == "o") {
      in >> word;
      objects.push_back(word);
    } else if (word == "v") {
      Vec3 v;
      in >> v.x >> v.y >> v.z;
      expect_near(v, m_mesh.vertices.at(vertices++));
    } else if (word == "f") {
      for (const std::uint32_t index : m_mesh.triangles.at(faces)) {
        std::uint32_t read = 0;
        in >> read;
        EXPECT_EQ(read, index + 1);
      }
      ++faces;
    } else {
      std::getline(in, word);
    }
  }
  EXPECT_EQ(objects, (std::vector<std::string>{"rod", "other"}));
  EXPECT_EQ(vertices, m_mesh.vertices.size());
  EXPECT_EQ(faces, m_mesh.triangles.size());
}

TEST_F(MeshFile, PlyHoldsVerticesAndFaces) {
  const std::string bytes = written("rods.ply"), end = "end_header\n";
  EXPECT_NE(bytes.find("element vertex " + std::to_string(m_mesh.vertices.size()) + "\n"), std::string::npos);
  EXPECT_NE(bytes.find("element face " + std::to_string(m_mesh.triangles.size()) + "\n"), std::string::npos);
  const std::size_t start = bytes.find(end) + end.size(), faces = start + 12 * m_mesh.vertices.size();
  ASSERT_EQ(bytes.size(), faces + 13 * m_mesh.triangles.size());
  for (std::size_t i = 0; i < m_mesh.vertices.size(); ++i) {
    const auto v = at<std::array<float, 3>>(bytes, start + 12 * i);
    expect_near({v[0], v[1], v[2]}, m_mesh.vertices[i]);
  }
  for (std::size_t i = 0; i < m_mesh.triangles.size(); ++i) {
    EXPECT_EQ(bytes[faces + 13 * i], 3);
    EXPECT_EQ((at<std::array<std::uint32_t, 3>>(bytes, faces + 13 * i + 1)), m_mesh.triangles[i]);
  }
}

TEST_F(MeshFile, WhatItCannotWriteIsRefused) {
  EXPECT_THROW(written("rods.3mf"), Error);
  EXPECT_THROW(written("rods.stl", 1e300), Error);
  EXPECT_THROW(written("no/folder/rods.stl"), Error);
}

}  // namespace
}  // namespace writhe::output
