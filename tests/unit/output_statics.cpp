// What `writhe solve` writes: path.csv, resultants.csv, modes.csv, its summary.json.
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "math/rotation.h"
#include "model/labels.h"
#include "output/statics_path.h"
#include "output/statics_summary.h"
#include "output/statics_tables.h"
#include "output_support.h"
#include "writhe/error.h"

namespace writhe::output {
namespace {

using test::read_table;
using test::Table;
using test::TemporaryFolder;

// Along x, with a pin and a clamp that turns and twists.
Scene driven_scene() {
  Scene scene = test::scene_of(test::rod("rope", LineShape{{0, 0, 0}, {1, 0, 0}}, 4));
  scene.supports = {test::pin("rope.start"), test::clamp("rope.end")};
  Motion motion;
  motion.axis = {0, 0, 1};
  motion.angle.keys = {{0, 0}, {2, 1}};
  motion.twist.keys = {{0, 0}, {2, 6}};
  scene.supports[1].motion = motion;
  scene.loads.push_back({ForceLoad{Place::parse("rope@0.5"), {1, 2, 3}, false}, Ramp{{{0, 0}, {2, 1}}}});
  scene.loads.push_back({LineLoad{"rope", {0, 0, -1}}, {}});
  scene.loads.push_back({MomentLoad{Place::parse("rope@0.5"), {0, 0, 7}, true}, {}});
  scene.loads.push_back({ForceLoad{Place::parse("rope@0.5"), {0, 1, 0}, false}, {}});
  return scene;
}

std::string header_of(const Scene& scene) {
  const TemporaryFolder folder;
  PathFile path(folder / "path.csv", Model(scene));
  path.close();
  return test::lines_of(test::text_of_file(folder / "path.csv")).at(0);
}

Table path_of(const Model& model, const std::vector<std::pair<StaticPoint, State>>& points,
              const std::vector<Reaction>& reactions) {
  const TemporaryFolder folder;
  PathFile path(folder / "path.csv", model);
  const Energies energies{0, 0.25, 0.5, -2};
  for (const auto& [point, state] : points) path.add({model, state, point, energies, reactions});
  path.close();
  return read_table(folder / "path.csv");
}

// ---- names -----------------------------------------------------------------------------------------------------------
TEST(StaticOutput, SupportsAndLoadsHaveDifferentNames) {
  const Scene scene = driven_scene();
  EXPECT_EQ(support_labels(scene), (std::vector<std::string>{"pin rope.start", "clamp rope.end"}));
  EXPECT_EQ(load_labels(scene),
            (std::vector<std::string>{"force rope@0.5", "line rope", "moment rope@0.5", "force rope@0.5 #2"}));
}

// ---- path.csv --------------------------------------------------------------------------------------------------------
TEST(StaticOutput, PathNamesEveryColumnWithItsUnit) {
  EXPECT_EQ(header_of(driven_scene()),
            "point,load [1],time [s],iterations,residual [N],negative,elastic [J],gravity [J],"
            "pin rope.start.x [m],pin rope.start.y [m],pin rope.start.z [m],"
            "pin rope.start.force_x [N],pin rope.start.force_y [N],pin rope.start.force_z [N],"
            "clamp rope.end.x [m],clamp rope.end.y [m],clamp rope.end.z [m],"
            "clamp rope.end.force_x [N],clamp rope.end.force_y [N],clamp rope.end.force_z [N],"
            "clamp rope.end.moment_x [N m],clamp rope.end.moment_y [N m],clamp rope.end.moment_z [N m],"
            "clamp rope.end.angle [rad],clamp rope.end.twist [rad],clamp rope.end.torque [N m],"
            "force rope@0.5.dx [m],force rope@0.5.dy [m],force rope@0.5.dz [m],"
            "force rope@0.5.force_x [N],force rope@0.5.force_y [N],force rope@0.5.force_z [N],"
            "moment rope@0.5.dx [m],moment rope@0.5.dy [m],moment rope@0.5.dz [m],"
            "moment rope@0.5.moment_x [N m],moment rope@0.5.moment_y [N m],moment rope@0.5.moment_z [N m],"
            "force rope@0.5 #2.dx [m],force rope@0.5 #2.dy [m],force rope@0.5 #2.dz [m],"
            "force rope@0.5 #2.force_x [N],force rope@0.5 #2.force_y [N],force rope@0.5 #2.force_z [N]");
}

TEST(StaticOutput, PathTellsThePointAndTheReactions) {
  const Model model(driven_scene());
  State state = model.initial_state();
  state.x.front() = {0, 0, 0.5};
  const StaticPoint first{.load = 0.5, .time = 0, .iterations = 4, .residual = 1e-7, .residual_limit = 1e-6, .negative = 2};
  const StaticPoint second{.load = 1, .time = 1, .iterations = 5, .residual = 0, .residual_limit = 0, .negative = 0};
  // Given in another order than the supports have.
  const std::vector<Reaction> reactions{{1, {4, 5, 6}, {7, 8, 9}}, {0, {1, 2, 3}, {}}};
  const Table table = path_of(model, {{first, state}, {second, state}}, reactions);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].at("point"), "1");
  EXPECT_EQ(table.rows[1].at("point"), "2");
  EXPECT_EQ(table.rows[0].at("iterations"), "4");
  EXPECT_EQ(table.rows[0].at("negative"), "2");
  EXPECT_EQ(table.number(0, "load [1]"), 0.5);
  EXPECT_EQ(table.number(0, "residual [N]"), 1e-7);
  EXPECT_EQ(table.number(1, "time [s]"), 1);
  EXPECT_EQ(table.number(0, "elastic [J]"), 0.75);
  EXPECT_EQ(table.number(0, "gravity [J]"), -2);
  test::expect_near(table.vector(0, "pin rope.start.", " [m]"), {0, 0, 0.5}, 0);
  test::expect_near(table.vector(0, "pin rope.start.force_", " [N]"), {1, 2, 3}, 0);
  test::expect_near(table.vector(0, "clamp rope.end.", " [m]"), {1, 0, 0}, 1e-15);
  test::expect_near(table.vector(0, "clamp rope.end.force_", " [N]"), {4, 5, 6}, 0);
  test::expect_near(table.vector(0, "clamp rope.end.moment_", " [N m]"), {7, 8, 9}, 0);
}

TEST(StaticOutput, PathTellsHowFarAClampIsDrivenAndItsTorque) {
  const Model model(driven_scene());
  State state = model.initial_state();
  const Quat quarter = exp_rotation(Vec3{0, 0, pi / 2});  // d3 of the clamp from x to y
  Quat& frame = state.q[model.segment_count() + model.supports()[1].frame];
  frame = quarter * frame;
  StaticPoint point;
  point.load = 1;
  point.time = 0.5;
  const Table table = path_of(model, {{point, state}}, {{1, {}, {7, 8, 9}}});
  EXPECT_NEAR(table.number(0, "clamp rope.end.angle [rad]"), 0.25, 1e-15);
  EXPECT_NEAR(table.number(0, "clamp rope.end.twist [rad]"), 1.5, 1e-15);
  EXPECT_NEAR(table.number(0, "clamp rope.end.torque [N m]"), 8, 1e-12);
}

TEST(StaticOutput, PathTellsLoadsAsTheyAre) {
  const Model model(driven_scene());
  State state = model.initial_state();
  for (Vec3& x : state.x) x += Vec3{0.1, 0.2, 0.3};
  // The whole rod turns by a quarter about y: d3, at first along x, points along -z.
  for (Quat& q : state.q) q = exp_rotation(Vec3{0, pi / 2, 0}) * q;
  StaticPoint point;
  point.load = 0.8;
  point.time = 1;  // the ramp is half way
  const Table table = path_of(model, {{point, state}}, {});
  test::expect_near(table.vector(0, "force rope@0.5.d", " [m]"), {0.1, 0.2, 0.3}, 1e-15);
  test::expect_near(table.vector(0, "force rope@0.5.force_", " [N]"), {0.4, 0.8, 1.2}, 1e-15);
  test::expect_near(table.vector(0, "force rope@0.5 #2.force_", " [N]"), {0, 0.8, 0}, 1e-15);
  test::expect_near(table.vector(0, "moment rope@0.5.moment_", " [N m]"), {0, 0, -5.6}, 1e-12);
}

TEST(StaticOutput, PathTellsTheClosingOfADrivenRing) {
  Rod ring = test::rod("ring", RingShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.1}, 12, AsBuiltRest{});
  ring.initial_twist = ring.closing_angle = 0.5;
  ring.closing_motion.keys = {{0, 0}, {1, 3}};
  const Model model(test::scene_of(ring));
  State state = model.initial_state();
  const Table before = path_of(model, {{StaticPoint{}, state}}, {});
  state.closing[0] = 0.01;
  const Table after = path_of(model, {{StaticPoint{}, state}}, {});
  EXPECT_NEAR(before.number(0, "ring.closing_angle [rad]"), 0.5, 1e-15);
  EXPECT_NEAR(after.number(0, "ring.closing_angle [rad]"), 0.51, 1e-15);
  // All of the hundredth is taken up by the closing joint.
  const int joint = model.joint_count() - 1;
  const double expected = model.joints().stiffness[joint].z * 0.01 / model.joints().length[joint];
  const double change = after.number(0, "ring.closing_torque [N m]") - before.number(0, "ring.closing_torque [N m]");
  EXPECT_NEAR(change, expected, 1e-3 * expected);
}

TEST(StaticOutput, PathRefusesWhatIsNotFinite) {
  const TemporaryFolder folder;
  const Model model(driven_scene());
  const State state = model.initial_state();
  PathFile path(folder / "path.csv", model);
  const std::vector<Reaction> reactions{{0, {0, std::numeric_limits<double>::quiet_NaN(), 0}, {}}};
  try {
    path.add({model, state, StaticPoint{}, Energies{}, reactions});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems()[0].value, "pin rope.start.force_y [N]");
  }
  path.close();
  EXPECT_EQ(read_table(folder / "path.csv").rows.size(), 0U);
}

// ---- resultants.csv --------------------------------------------------------------------------------------------------
TEST(StaticOutput, ResultantsAreThoseOfAPulledAndTwistedRod) {
  Scene scene = test::scene_of(test::rod("rope", LineShape{{0, 0, 0}, {1, 0, 0}}, 4));
  scene.rods.push_back(test::rod("other", LineShape{{0, 1, 0}, {2, 1, 0}}, 2));
  scene.supports.push_back(test::clamp("rope.start"));
  scene.gravity = {0, 0, 0};
  // What pulls and twists it: at the ends forces are those of balance.
  const Model unloaded(scene);
  const Place end = Place::parse("rope.end");
  scene.loads.push_back({ForceLoad{end, {0.01 * unloaded.segments().stiffness[0].z, 0, 0}}, {}});
  scene.loads.push_back({MomentLoad{end, {0.2 * unloaded.joints().stiffness[0].z, 0, 0}}, {}});
  const Model model(scene);
  State state = model.initial_state();
  for (int i = 0; i < 5; ++i) state.x[i].x *= 1.01;
  for (int s = 0; s < 4; ++s) state.q[s] = state.q[s] * exp_rotation(Vec3{0, 0, 0.2 * (s + 0.5) / 4});
  const TemporaryFolder folder;
  write_resultants(folder / "resultants.csv", model, state);
  const Table table = read_table(folder / "resultants.csv");
  ASSERT_EQ(table.rows.size(), 5U + 3U);
  const Vec3 stiffness = model.segments().stiffness[0], bend = model.joints().stiffness[0];
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(table.rows[k].at("rod"), "rope");
    EXPECT_EQ(table.rows[k].at("node"), std::to_string(k));
    EXPECT_NEAR(table.number(k, "arc_length [m]"), 0.25 * static_cast<double>(k), 1e-15);
    EXPECT_NEAR(table.number(k, "x [m]"), 1.01 * 0.25 * static_cast<double>(k), 1e-15);
    EXPECT_NEAR(table.number(k, "stretch [1]"), 0.01, 1e-12);
    EXPECT_NEAR(table.number(k, "tension [N]"), stiffness.z * 0.01, 1e-9 * stiffness.z);
    EXPECT_NEAR(table.number(k, "twist [rad/m]"), 0.2, 1e-3);
    EXPECT_NEAR(table.number(k, "moment3 [N m]"), bend.z * 0.2, 1e-3 * bend.z);
    EXPECT_NEAR(table.number(k, "shear1 [N]"), 0, 1e-9 * stiffness.x);
    EXPECT_NEAR(table.number(k, "moment1 [N m]"), 0, 1e-9 * bend.x);
  }
  EXPECT_EQ(table.rows[5].at("rod"), "other");
  EXPECT_NEAR(table.number(7, "arc_length [m]"), 2, 1e-15);
  EXPECT_NEAR(table.number(7, "tension [N]"), 0, 1e-9 * stiffness.z);
}

// ---- modes.csv -------------------------------------------------------------------------------------------------------
TEST(StaticOutput, ModesHaveARowANodeInSpace) {
  Scene scene = test::scene_of(test::rod("rope", LineShape{{0, 0, 0}, {1, 0, 0}}, 2));
  scene.supports.push_back(test::clamp("rope.start"));
  const Model model(scene);
  const State state = model.initial_state();
  Mode mode;
  mode.eigenvalue = 4;
  mode.x = {{0, 0, 0}, {0, 0, 0.1}, {0, 0, 0.3}};
  mode.turn = {{0, 0, 1}, {0, 0, 3}, {0, 0, 0}};  // about d3, which is x; then of the clamp
  Mode other = mode;
  other.eigenvalue = 9;
  const TemporaryFolder folder;
  write_modes(folder / "modes.csv", model, state, {mode, other});
  const Table table = read_table(folder / "modes.csv");
  ASSERT_EQ(table.rows.size(), 6U);
  EXPECT_EQ(table.rows[0].at("mode"), "1");
  EXPECT_EQ(table.rows[3].at("mode"), "2");
  EXPECT_EQ(table.number(2, "eigenvalue [1/s^2]"), 4);
  EXPECT_EQ(table.number(5, "eigenvalue [1/s^2]"), 9);
  EXPECT_EQ(table.number(2, "arc_length [m]"), 1);
  test::expect_near(table.vector(2, "", " [m]"), {1, 0, 0}, 1e-15);
  test::expect_near(table.vector(2, "d", " [m]"), {0, 0, 0.3}, 0);
  test::expect_near(table.vector(0, "turn_", " [rad]"), {0, 0, 0}, 0);
  test::expect_near(table.vector(1, "turn_", " [rad]"), {2, 0, 0}, 1e-12);
  test::expect_near(table.vector(2, "turn_", " [rad]"), {3, 0, 0}, 1e-12);
}

// ---- summary.json ----------------------------------------------------------------------------------------------------
nlohmann::json summary_of(const Model& model, const StaticResult& result, const std::string& cause = {}) {
  const TemporaryFolder folder;
  write_static_summary(folder / "summary.json", "1.2.3", cause, model, model.initial_state(), result);
  return nlohmann::json::parse(test::text_of_file(folder / "summary.json"));
}

TEST(StaticOutput, SummaryTellsTheEquilibrium) {
  const Model model(driven_scene());
  StaticResult result;
  result.report.load = 1;
  result.report.time = 2;
  result.report.points = 12;
  result.report.iterations = 40;
  result.report.crossings = {{1, 0.5, 0.25, 0, 1}};
  result.energies.bend_twist = 0.125;
  result.stability = Stability{Balance::unstable, 1, 12, {"spins about its axis"}};
  result.fastest = Mode{-9, 0.5, 3, {}, {}};
  result.report.jumps = 2;
  result.reactions = {{0, {1, 2, 3}, {}}, {1, {4, 5, 6}, {7, 8, 9}}};
  result.modes = {{-9, 0, 3, {}, {}}, {4, 0.5, 0, {}, {}}};
  const nlohmann::json json = summary_of(model, result);
  EXPECT_EQ(json["writhe"], "1.2.3");
  EXPECT_EQ(json["outcome"], "finished");
  EXPECT_EQ(json["method"], "statics");
  EXPECT_FALSE(json.contains("cause"));
  EXPECT_EQ(json["energies"]["end"]["bend_twist"], 0.125);
  EXPECT_EQ(json["rods"][0]["name"], "rope");
  const nlohmann::json& statics = json["statics"];
  EXPECT_EQ(statics["status"], "converged");
  EXPECT_EQ(statics["time"], 2);
  EXPECT_EQ(statics["points"], 12);
  EXPECT_EQ(statics["iterations"], 40);
  EXPECT_EQ(statics["balance"], "unstable");
  EXPECT_EQ(statics["negative"], 1);
  EXPECT_EQ(statics["growth_rate"], 3);
  EXPECT_EQ(statics["flutter_frequency"], 0.5);
  EXPECT_EQ(statics["examined"], 12);
  EXPECT_EQ(statics["jumps"], 2);
  EXPECT_EQ(statics["neutral"], nlohmann::json({"spins about its axis"}));
  EXPECT_EQ(statics["crossings"],
            nlohmann::json::parse(R"([{"load":1,"time":0.5,"width":0.25,"negative_before":0,"negative_after":1}])"));
  EXPECT_EQ(statics["reactions"][0]["support"], "pin rope.start");
  EXPECT_FALSE(statics["reactions"][0].contains("moment"));
  EXPECT_EQ(statics["reactions"][1]["moment"], nlohmann::json({7.0, 8.0, 9.0}));
  EXPECT_EQ(statics["modes"][0]["growth_rate"], 3);
  EXPECT_FALSE(statics["modes"][0].contains("period"));
  EXPECT_EQ(statics["modes"][1]["period"], 2);
  EXPECT_FALSE(statics["modes"][1].contains("growth_rate"));
}

TEST(StaticOutput, SummaryTellsWhyThereIsNone) {
  const Model model(driven_scene());
  for (const auto& [status, text] : {std::pair{StaticStatus::mechanism, "mechanism"},
                                     {StaticStatus::limit_point, "limit_point"},
                                     {StaticStatus::not_converged, "not_converged"},
                                     {StaticStatus::not_finite, "not_finite"}}) {
    StaticResult result;
    result.report.status = status;
    const nlohmann::json json = summary_of(model, result, "nothing holds it");
    EXPECT_EQ(json["outcome"], "failed");
    EXPECT_EQ(json["cause"], "nothing holds it");
    EXPECT_EQ(json["statics"]["status"], text);
    EXPECT_FALSE(json["statics"].contains("balance"));
  }
  StaticResult stopped;
  stopped.report.status = StaticStatus::interrupted;
  EXPECT_EQ(summary_of(model, stopped)["outcome"], "interrupted");
}

}  // namespace
}  // namespace writhe::output
