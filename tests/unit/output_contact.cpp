// Contact in files and pictures: forces at nodes, obstacles as surfaces that move, what is drawn and what it hides.
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include <gtest/gtest.h>

#include "contact/contacts.h"
#include "measure/node_fields.h"
#include "model/obstacle_pose.h"
#include "output/obstacle_surface.h"
#include "output/replay_obstacles.h"
#include "output/sink_columns.h"
#include "output/sink_vtk.h"
#include "output/statics_tables.h"
#include "output/svg_picture.h"
#include "output_support.h"
#include "output_svg_reader.h"
#include "support/scenes.h"

namespace writhe::output {
namespace {

constexpr double gravity = 9.81, radius = 0.005;  // m/s^2, m

// A press is felt at 16 places a segment, an eighth of a radius apart. Summed up with the hat of a node, whose slope jumps by
// 2/l, they differ from its integral by up to (2/l) (l/16)^2/8 of l.
constexpr double of_places = 1.0 / (4 * 16 * 16);

// Rests on a level floor, straight, a little into where it is pressed.
Scene on_a_floor() {
  Scene scene = test::Cord{.length = 0.2, .radius = radius, .segments = 20}.scene();
  scene.rods[0].name = "rod";
  scene.rods[0].centreline = LineShape{{0, 0, 1.01 * radius}, {0.2, 0, 1.01 * radius}};
  scene.gravity = {0, 0, -gravity};
  scene.obstacles.push_back({"floor", PlaneObstacle{{0, 0, 0}, {0, 0, 1}}, {}});
  return scene;
}

Motion along_y(double way) {
  Motion motion;
  motion.translate.keys = {{0, {0, 0, 0}}, {1, {0, way, 0}}};
  return motion;
}

// ---- forces at nodes ----------------------------------------------------------------------------------------------------
TEST(ContactAtNodes, IsEvenAlongARodThatIsPressedEvenlyAndAddsUp) {
  const Model model(on_a_floor());
  contact::Contacts contacts(model);
  contacts.read(model.initial_state());
  const std::span<const Vec3> along = contacts.along_rod(0);
  ASSERT_EQ(along.size(), 21U);
  const double even = contacts.on_rod(0).z / 0.2;  // N/m
  ASSERT_GT(even, 0);
  for (const Vec3& force : along) test::expect_near(force, Vec3{0, 0, even}, of_places * even);
  for (const double arc : {0.0, 0.013, 0.1, 0.2}) test::expect_near(contacts.at(0, arc), Vec3{0, 0, even}, of_places * even);
}

// Two rods that cross: equal and opposite, at the crossing alone, and by the trapezoidal rule what the rods do to each other.
TEST(ContactAtNodes, OfACrossingStandsWhereItIs) {
  Scene scene = test::Cord{.length = 0.2, .radius = radius, .segments = 20}.scene();
  scene.contact.between = Contact::Between::all;
  Rod other = scene.rods[0];
  other.name = "other";
  scene.rods[0].centreline = LineShape{{-0.083, 0, 0}, {0.117, 0, 0}};
  other.centreline = LineShape{{0, -0.1, 2.01 * radius}, {0, 0.1, 2.01 * radius}};
  scene.rods.push_back(other);
  const Model model(scene);
  contact::Contacts contacts(model);
  contacts.read(model.initial_state());
  ASSERT_LT(contacts.on_rod(0).z, 0);
  for (int rod = 0; rod < 2; ++rod) {
    Vec3 sum{};
    const std::span<const Vec3> along = contacts.along_rod(rod);
    for (std::size_t k = 0; k < along.size(); ++k) {
      const double s = 0.01 * static_cast<double>(k), crossing = rod == 0 ? 0.083 : 0.1;
      if (std::abs(s - crossing) > 0.02) {
        EXPECT_EQ(norm(along[k]), 0) << rod << " " << k;
      }
      sum += (k == 0 || k + 1 == along.size() ? 0.005 : 0.01) * along[k];
    }
    test::expect_near(sum, contacts.on_rod(rod), 1e-12 * norm(contacts.on_rod(0)));
  }
  test::expect_near(contacts.on_rod(0), -contacts.on_rod(1), 1e-15);
}

TEST(ContactAtNodes, OfARingIsTheSameWhereItCloses) {
  Scene scene = test::Cord{.length = 0.2, .radius = radius, .segments = 20}.scene();
  scene.rods[0].centreline = RingShape{{0, 0, 1.01 * radius}, {0, 0, 1}, {1, 0, 0}, 0.1};
  scene.obstacles.push_back({"floor", PlaneObstacle{}, {}});
  const Model model(scene);
  contact::Contacts contacts(model);
  contacts.read(model.initial_state());
  const std::span<const Vec3> along = contacts.along_rod(0);
  const double even = contacts.on_rod(0).z / model.rods()[0].length;
  ASSERT_GT(even, 0);
  EXPECT_EQ(along.front(), along.back());
  for (const Vec3& force : along) EXPECT_NEAR(force.z, even, 1e-9 * even);
  EXPECT_NEAR(contacts.at(0, -0.001).z, even, 1e-9 * even);
}

TEST(ContactAtNodes, IsInNodeFieldsAndInProbes) {
  Scene scene = on_a_floor();
  scene.output.probes = {{"middle", Place::parse("rod@0.43"), {"contact", "contact_force"}}};
  const Model model(scene);
  const State state = model.initial_state();
  contact::Contacts contacts(model);
  contacts.read(state);
  measure::NodeFields fields;
  measure::node_fields(model, state, measure::segment_joints(model), 0, fields, nullptr, &contacts);
  for (std::size_t k = 0; k < fields.size(); ++k) EXPECT_EQ(fields.contact[k], contacts.along_rod(0)[k]);
  measure::node_fields(model, state, measure::segment_joints(model), 0, fields);
  EXPECT_EQ(fields.contact[3], Vec3{});

  ProbeColumns columns(model);
  std::vector<double> values;
  columns.append(model, state, values);
  std::map<std::string, double> row;
  ASSERT_EQ(values.size(), columns.columns().size());
  for (std::size_t i = 0; i < values.size(); ++i) row[columns.columns()[i].name()] = values[i];
  const double force = contacts.on_rod(0).z;
  EXPECT_NEAR(row.at("middle.contact_z [N/m]"), force / 0.2, of_places * force / 0.2);
  EXPECT_EQ(row.at("middle.contact_x [N/m]"), 0);
  EXPECT_EQ(row.at("middle.contact_force_z [N]"), force);
  EXPECT_EQ(row.at("floor.force_z [N]"), -force);
}

TEST(ContactAtNodes, OfRodsThatTouchNothingIsNothing) {
  Scene scene = on_a_floor();
  scene.obstacles.clear();
  scene.output.probes = {{"middle", Place::parse("rod@0.5"), {"contact", "contact_force"}}};
  const Model model(scene);
  ProbeColumns columns(model);
  std::vector<double> values;
  columns.append(model, model.initial_state(), values);
  EXPECT_EQ(values, std::vector<double>(6, 0.0));
}

TEST(ContactAtNodes, IsInResultants) {
  const test::TemporaryFolder folder;
  const Model model(on_a_floor());
  write_resultants(folder / "resultants.csv", model, model.initial_state());
  const test::Table table = test::read_table(folder / "resultants.csv");
  contact::Contacts contacts(model);
  contacts.read(model.initial_state());
  ASSERT_EQ(table.rows.size(), 21U);
  EXPECT_EQ(table.number(7, "contact_z [N/m]"), contacts.along_rod(0)[7].z);
  Scene free = on_a_floor();
  free.obstacles.clear();
  write_resultants(folder / "free.csv", Model(free), Model(free).initial_state());
  EXPECT_EQ(test::text_of_file(folder / "free.csv").find("contact"), std::string::npos);
}

// ---- surfaces ------------------------------------------------------------------------------------------------------------
double volume_of(const ObstacleSurface& surface) {
  double volume = 0;
  for (const auto& t : surface.corners)
    volume += dot(surface.points[t[0]], cross(surface.points[t[1]], surface.points[t[2]])) / 6;
  return volume;
}

// Every edge once in either direction.
bool is_closed(const ObstacleSurface& surface) {
  std::map<std::pair<int, int>, int> edges;
  for (const auto& t : surface.corners)
    for (std::size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  return std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
    const auto back = edges.find({edge.first.second, edge.first.first});
    return edge.second == 1 && back != edges.end() && back->second == 1;
  });
}

// A solid turned the right way round has its volume; triangles inside a ball take up a little less.
TEST(ObstacleSurface, OfSolidsIsClosedAndTurnedOutwards) {
  const Obstacle ball{"ball", SphereObstacle{{1, 2, 3}, 0.5}, {}}, bar{"bar", CapsuleObstacle{{1, 0, 0}, {1, 0, 2}, 0.25}, {}},
      brick{"brick", BoxObstacle{{0, 1, 0}, {1, 2, 3}, {1, 1, 0}, {0, 1, 0}}, {}};
  const double round = 4 * pi / 3;
  for (const auto& [obstacle, volume] :
       {std::pair(ball, round * 0.125), {bar, round * 0.015625 + pi * 0.0625 * 2}, {brick, 6.0}}) {
    SCOPED_TRACE(obstacle.name);
    const ObstacleSurface surface = surface_of(obstacle, {});
    EXPECT_TRUE(is_closed(surface));
    EXPECT_NEAR(volume_of(surface), volume, 0.01 * volume);
    if (obstacle.name == "brick") {
      EXPECT_NEAR(volume_of(surface), volume, 1e-12);
    }
  }
}

TEST(ObstacleSurface, OfAPlaneIsASquareNextToTheRods) {
  const Vec3 normal = normalized(Vec3{1, 2, 3});
  const Ball rods{{5, 6, 7}, 2};
  const ObstacleSurface surface = surface_of({"wall", PlaneObstacle{{1, 0, 0}, 3.0 * normal}, {}}, rods);
  Vec3 middle{};
  for (const Vec3& x : surface.points) {
    EXPECT_NEAR(dot(x - Vec3{1, 0, 0}, normal), 0, 1e-12);
    middle += 0.25 * x;
  }
  EXPECT_NEAR(norm(cross(rods.middle - middle, normal)), 0, 1e-12);
  const Vec3 across = cross(surface.points[1] - surface.points[0], surface.points[2] - surface.points[0]);
  EXPECT_NEAR(dot(across, normal), 64, 1e-9);  // half edge 4 m
}

// ---- VTK -------------------------------------------------------------------------------------------------------------------
class VtkObstacles : public testing::Test {
 protected:
  std::map<std::string, std::string> files_of(const std::optional<Motion>& motion) {
    Scene scene = test::framed_scene();
    scene.obstacles.push_back({"brick", BoxObstacle{{0, 0, -5}, {1, 1, 1}}, motion});
    const Model model(scene);
    VtkSink sink(m_folder.path());
    test::record_all(sink, model, 8);
    return test::contents(m_folder.path());
  }
  const test::TemporaryFolder m_folder;
};

TEST_F(VtkObstacles, ThatStandAreInOneFileForAllFrames) {
  const auto files = files_of({});
  EXPECT_TRUE(files.contains("vtk/rods_000003.vtp"));
  EXPECT_TRUE(files.contains("vtk/obstacles_000000.vtp"));
  EXPECT_FALSE(files.contains("vtk/obstacles_000001.vtp"));
  std::size_t named = 0;
  const std::string& list = files.at("rods.pvd");
  for (std::size_t at = list.find("part=\"1\" file=\"vtk/obstacles_000000.vtp\""); at != std::string::npos;
       at = list.find("obstacles_000000", at + 30))
    ++named;
  EXPECT_EQ(named, 4U);
  EXPECT_NE(files.at("vtk/rods_000000.vtp").find("Name=\"contact\""), std::string::npos);
  EXPECT_NE(files.at("vtk/obstacles_000000.vtp").find("NumberOfPolys=\"12\""), std::string::npos);
}

TEST_F(VtkObstacles, ThatMoveAreInEveryFrame) {
  const auto files = files_of(along_y(1));
  for (int k = 0; k < 4; ++k) {
    const std::string name = "vtk/obstacles_00000" + std::to_string(k) + ".vtp";
    ASSERT_TRUE(files.contains(name));
    EXPECT_NE(files.at("rods.pvd").find(name), std::string::npos);
  }
  EXPECT_NE(files.at("vtk/obstacles_000000.vtp"), files.at("vtk/obstacles_000001.vtp"));
}

// What an earlier run left of a scene with obstacles would be shown with this one.
TEST_F(VtkObstacles, OfAnEarlierRunAreRemoved) {
  files_of(along_y(1));
  VtkSink sink(m_folder.path());
  test::record_all(sink, Model(test::framed_scene()), 8);
  EXPECT_FALSE(test::contents(m_folder.path()).contains("vtk/obstacles_000000.vtp"));
}

// ---- the page ----------------------------------------------------------------------------------------------------------------
TEST(ReplayObstacles, TellWhereTheyStandInEachFrame) {
  Scene scene = on_a_floor();
  Motion motion = along_y(2);
  motion.angle.keys = {{0, 0}, {1, pi / 2}};
  motion.axis = {0, 0, 1};
  scene.obstacles.push_back({"ball", SphereObstacle{{3, 0, 0}, 0.5}, motion});
  const Model model(scene);
  const std::vector<double> times{0, 0.5, 1};
  const nlohmann::ordered_json header = obstacles_header(model, {{0.1, 0, 0}, 0.1}, times);
  ASSERT_EQ(header.size(), 2U);
  EXPECT_EQ(header[0]["plane"], true);
  EXPECT_EQ(header[0]["poses"].size(), 0U);
  EXPECT_EQ(header[0]["points"].get<std::string>().size(), 64U);   // 4 points of 12 bytes in base64
  EXPECT_EQ(header[0]["corners"].get<std::string>().size(), 32U);  // 2 triangles of 12 bytes
  EXPECT_EQ(header[1]["name"], "ball");
  const std::vector<double> poses = header[1]["poses"];
  ASSERT_EQ(poses.size(), 21U);
  for (std::size_t k = 0; k < 3; ++k) {
    const double* p = poses.data() + 7 * k;
    const Pose own = pose_of(scene.obstacles[1], times[k]), shown{{p[0], p[1], p[2], p[3]}, {p[4], p[5], p[6]}};
    for (const Vec3& x : {Vec3{3, 0, 0}, {3.5, 0, 0}, {3, 0.3, 0.4}}) test::expect_near(shown.of_point(x), own.of_point(x), 1e-6);
  }
}

// ---- pictures ----------------------------------------------------------------------------------------------------------------
std::vector<test::SvgElement> picture_of(const Scene& scene, const std::string& view) {
  const Model model(scene);
  const State state = model.initial_state();
  PictureOptions options = picture_options(scene);
  options.view = parse_view(view, "");
  return test::read_svg(draw_svg(model, std::span(&state, 1), options));
}

// Arrows point away from the floor, and the legend has one more.
TEST(SvgContacts, AreArrowsInTheDirectionOfTheForce) {
  int arrows = 0;
  bool inside = false;
  int depth = 0;
  for (const test::SvgElement& element : picture_of(on_a_floor(), "xz")) {
    if (inside && element.depth <= depth) inside = false;
    if (element["class"] == "contact") {
      inside = true;
      depth = element.depth;
      continue;
    }
    if (!inside || element["fill"] != "") continue;  // shafts have no fill of their own
    const std::vector<double> n = test::numbers_in(element["d"]);
    ASSERT_EQ(n.size(), 4U);
    EXPECT_NEAR(n[0], n[2], 0.011);
    EXPECT_LT(n[3], n[1]) << "upwards";
    ++arrows;
  }
  EXPECT_EQ(arrows, 21);
}

TEST(SvgContacts, AreNotThereWhereNothingPresses) {
  Scene scene = on_a_floor();
  scene.rods[0].centreline = LineShape{{0, 0, 0.1}, {0.2, 0, 0.1}};
  for (const test::SvgElement& element : picture_of(scene, "xz"))
    EXPECT_FALSE(element["class"].starts_with("contact")) << element.name;
}

// Seen from above, the rod below the ball is painted before it, and the rod above it after.
TEST(SvgObstacles, HideWhatIsBehindThem) {
  for (const double height : {-0.2, 0.2}) {
    SCOPED_TRACE(height);
    Scene scene = test::Cord{.length = 0.1, .radius = radius, .segments = 8}.scene();
    scene.rods[0].centreline = LineShape{{-0.05, 0, height}, {0.05, 0, height}};
    scene.obstacles.push_back({"ball", SphereObstacle{{0, 0, 0}, 0.1}, {}});
    int ball = -1, rod = -1, k = 0;
    for (const test::SvgElement& element : picture_of(scene, "xy")) {
      if (element["class"] == "obstacle") ball = k;
      if (element["class"] == "shape" && rod < 0) rod = k;
      ++k;
    }
    ASSERT_GE(ball, 0);
    ASSERT_GE(rod, 0);
    EXPECT_EQ(rod < ball, height < 0);
  }
}

}  // namespace
}  // namespace writhe::output
