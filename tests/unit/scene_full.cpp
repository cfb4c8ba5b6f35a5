// A scene with every key, read back value by value; where values stood; what is left out keeps its default.
#include "scene_full.h"

#include <algorithm>
#include <array>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "scene_support.h"
#include "writhe/load.h"

namespace writhe {
namespace {

constexpr double pi = 3.14159265358979323846;
using Points = std::vector<std::pair<double, double>>;

class FullScene : public testing::Test {
 protected:
  const Scene scene = parse_scene(test::full_scene, "full.yaml");
};

TEST_F(FullScene, Top) {
  EXPECT_EQ(scene.title, "Every key: once");
  EXPECT_EQ(scene.gravity, (Vec3{1, 2, -3.5}));
  EXPECT_EQ(scene.gravity_ramp.points, (Points{{0, 0}, {1, 1}}));
  EXPECT_EQ(scene.damping.mass, 0.5);
  EXPECT_EQ(scene.damping.internal, 1e-3);
  EXPECT_EQ(scene.dt, 2e-3);
  EXPECT_EQ(scene.until, 3);
  EXPECT_EQ(scene.adaptive, true);
  EXPECT_EQ(scene.step_tolerance, 1e-4);
  EXPECT_EQ(scene.solver.method, "pd");
  EXPECT_EQ(scene.solver.integrator, Integrator::midpoint);
  EXPECT_EQ(scene.solver.tolerance, 1e-5);
  EXPECT_EQ(scene.solver.newton.max_iterations, 50);
  EXPECT_EQ(scene.solver.pd.iterations, 3);
  EXPECT_EQ(scene.solver.pd.weights, Weights::published);
  EXPECT_EQ(scene.solver.pd.coupling, Coupling::separate);
  EXPECT_EQ(scene.solver.pd.metric, Metric::constant);
  EXPECT_EQ(scene.solver.pd.acceleration, Acceleration::none);
}

TEST_F(FullScene, Links) {
  ASSERT_EQ(scene.links.size(), 2u);
  const Link& tie = scene.links[0];
  EXPECT_EQ(tie.kind, Link::Kind::spring);
  EXPECT_EQ(tie.name, "tie");
  EXPECT_EQ(std::get<Place>(tie.from).text(), "straight@0.5");
  EXPECT_EQ(std::get<Place>(tie.to).text(), "arc.end");
  EXPECT_EQ(tie.stiffness, 3);
  EXPECT_EQ(tie.rest_length, 0.25);
  EXPECT_EQ(tie.damping, 0.125);
  EXPECT_EQ(tie.ramp.points, (Points{{0, 1}, {6, 2}}));
  const Link& tether = scene.links[1];
  EXPECT_EQ(tether.kind, Link::Kind::tether);
  EXPECT_EQ(tether.name, "");
  EXPECT_EQ(std::get<Vec3>(tether.from), (Vec3{1, 2, 3}));
  EXPECT_EQ(std::get<Place>(tether.to).text(), "helix.start");
  EXPECT_EQ(tether.rest_length, std::nullopt);
  EXPECT_EQ(tether.damping, 0);
}

TEST_F(FullScene, Materials) {
  ASSERT_EQ(scene.materials.size(), 3u);
  const Material& rubber = scene.materials[0];
  EXPECT_EQ(rubber.name, "rubber");
  EXPECT_EQ(rubber.young, 1e6);
  EXPECT_EQ(rubber.poisson, 0.5);
  EXPECT_EQ(rubber.shear, std::nullopt);
  EXPECT_EQ(rubber.density, 1300);
  const Material& steel = scene.materials[1];
  EXPECT_EQ(steel.name, "steel");
  EXPECT_EQ(steel.young, 2.1e11);
  EXPECT_EQ(steel.poisson, std::nullopt);
  EXPECT_EQ(steel.shear, 8e10);
  EXPECT_EQ(steel.density, 7850);
  const Material& wire = scene.materials[2];
  EXPECT_EQ(wire.name, "wire");
  EXPECT_EQ(wire.young, material_preset("copper")->young);
  EXPECT_EQ(wire.density, 8900);
}

TEST_F(FullScene, Sections) {
  ASSERT_EQ(scene.sections.size(), 5u);
  EXPECT_EQ(scene.sections[0].name, "round");
  EXPECT_EQ(scene.sections[0].shear_factor, 1);
  EXPECT_EQ(std::get<CircleSection>(scene.sections[0].shape).radius, 0.005);
  const auto& tube = std::get<TubeSection>(scene.sections[1].shape);
  EXPECT_EQ(tube.outer_radius, 0.01);
  EXPECT_EQ(tube.inner_radius, 0.008);
  const auto& tape = std::get<RectangleSection>(scene.sections[2].shape);
  EXPECT_EQ(tape.width, 0.02);
  EXPECT_EQ(tape.height, 0.005);
  EXPECT_EQ(scene.sections[2].shear_factor, 0.833);
  const auto& oval = std::get<EllipseSection>(scene.sections[3].shape);
  EXPECT_EQ(oval.semi_axis1, 0.02);
  EXPECT_EQ(oval.semi_axis2, 0.01);
  const auto& wire = std::get<DirectSection>(scene.sections[4].shape);
  const double read[] = {wire.EA,       wire.GA,       wire.EI1,      wire.EI2,   wire.GJ, wire.linear_density,
                         wire.inertia1, wire.inertia2, wire.inertia3, wire.radius};
  for (int i = 0; i < 10; ++i) EXPECT_EQ(read[i], i + 1);
}

TEST_F(FullScene, StraightRod) {
  ASSERT_EQ(scene.rods.size(), 7u);
  const Rod& rod = scene.rods[0];
  EXPECT_EQ(rod.name, "straight");
  EXPECT_EQ(rod.section, "tape");
  EXPECT_EQ(rod.material, "rubber");
  EXPECT_EQ(std::get<LineShape>(rod.centreline).from, (Vec3{0, 0, 0}));
  EXPECT_EQ(std::get<LineShape>(rod.centreline).to, (Vec3{1, 0, 0}));
  EXPECT_EQ(rod.segments, 100);
  EXPECT_EQ(std::get<StraightRest>(rod.rest).length, 0.9);
  EXPECT_EQ(rod.d1, (Vec3{0, 1, 0}));
  EXPECT_DOUBLE_EQ(rod.initial_twist.value(), 2 * pi);
  EXPECT_DOUBLE_EQ(rod.rest_twist, -pi);
  EXPECT_FALSE(rod.closed);
  EXPECT_EQ(rod.closing_angle, 0.25);
  ASSERT_EQ(rod.closing_motion.keys.size(), 2u);
  EXPECT_DOUBLE_EQ(rod.closing_motion.keys[1].second, 2 * pi);
  EXPECT_EQ(rod.taper, (Points{{0, 1}, {1, 0.5}}));
  EXPECT_EQ(rod.velocity, (Vec3{1.5, -2, 0.25}));
}

TEST_F(FullScene, CurvedRods) {
  const Rod& bent = scene.rods[1];
  EXPECT_EQ(bent.material, "");
  EXPECT_EQ(std::get<PolylineShape>(bent.centreline).points, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}));
  const auto& curved = std::get<CurvedRest>(bent.rest);
  EXPECT_EQ(curved.curvature1, 1.5);
  EXPECT_EQ(curved.curvature2, -2.5);
  EXPECT_EQ(curved.twist, 3.5);
  EXPECT_EQ(curved.length, 2.5);

  const auto& arc = std::get<ArcShape>(scene.rods[2].centreline);
  EXPECT_EQ(arc.radius, 2);
  EXPECT_DOUBLE_EQ(arc.angle, pi / 2);
  EXPECT_EQ(arc.centre, (Vec3{1, 0, 0}));
  EXPECT_EQ(arc.normal, (Vec3{0, 1, 0}));
  EXPECT_EQ(arc.start, (Vec3{0, 0, 1}));
  const auto& rest = std::get<ShapeRest>(scene.rods[2].rest);
  EXPECT_EQ(std::get<HelixShape>(rest.shape).turns, -2);
  EXPECT_EQ(std::get<HelixShape>(rest.shape).axis, (Vec3{0, 0, 1}));
  EXPECT_EQ(rest.d1, (Vec3{0, 0, 1}));

  const auto& ring = std::get<RingShape>(scene.rods[3].centreline);
  EXPECT_EQ(ring.radius, 4);
  EXPECT_EQ(ring.centre, (Vec3{0, 0, 5}));
  EXPECT_EQ(ring.normal, (Vec3{1, 0, 0}));
  EXPECT_EQ(ring.start, (Vec3{0, 1, 0}));
  EXPECT_TRUE(scene.rods[3].closed);
  EXPECT_EQ(std::get<StraightRest>(scene.rods[3].rest).length, std::nullopt);

  const auto& helix = std::get<HelixShape>(scene.rods[4].centreline);
  EXPECT_EQ(helix.radius, 5);
  EXPECT_EQ(helix.pitch, 0.1);
  EXPECT_EQ(helix.turns, 2.5);
  EXPECT_EQ(helix.centre, (Vec3{0, 0, 6}));
  EXPECT_EQ(helix.axis, (Vec3{0, 1, 0}));
  EXPECT_EQ(helix.start, (Vec3{0, 0, 1}));

  const auto& parabola = std::get<ParabolaShape>(scene.rods[5].centreline);
  EXPECT_EQ(parabola.from, (Vec3{0, 0, 0}));
  EXPECT_EQ(parabola.to, (Vec3{2, 0, 0}));
  EXPECT_EQ(parabola.sag, 0.5);
  EXPECT_EQ(parabola.up, (Vec3{0, 1, 0}));
  EXPECT_TRUE(std::holds_alternative<AsBuiltRest>(scene.rods[4].rest));

  const auto& catenary = std::get<CatenaryShape>(scene.rods[6].centreline);
  EXPECT_EQ(catenary.from, (Vec3{0, 1, 0}));
  EXPECT_EQ(catenary.to, (Vec3{3, 0, 0}));
  EXPECT_EQ(catenary.length, 4.5);
  EXPECT_EQ(catenary.up, (Vec3{0, 2, 0}));
}

TEST_F(FullScene, JointsAndSupports) {
  ASSERT_EQ(scene.joints.size(), 1u);
  EXPECT_EQ(scene.joints[0].name, "corner");
  ASSERT_EQ(scene.joints[0].places.size(), 2u);
  EXPECT_EQ(scene.joints[0].places[0].text(), "straight.end");
  EXPECT_EQ(scene.joints[0].places[1].text(), "bent.node[3]");

  ASSERT_EQ(scene.supports.size(), 2u);
  const Support& clamp = scene.supports[0];
  EXPECT_EQ(clamp.kind, Support::Kind::clamp);
  EXPECT_EQ(clamp.at.text(), "straight.start");
  EXPECT_EQ(clamp.axes, "xy");
  EXPECT_EQ(clamp.tangent, (Vec3{1, 0, 0}));
  EXPECT_EQ(clamp.d1, (Vec3{0, 0, 1}));
  ASSERT_TRUE(clamp.motion);
  EXPECT_EQ(clamp.motion->translate.keys, (std::vector<std::pair<double, Vec3>>{{0, {0, 0, 0}}, {1, {0.5, 0.25, 0}}}));
  EXPECT_EQ(clamp.motion->axis, (Vec3{0, 0, 2}));
  EXPECT_EQ(clamp.motion->about, (Vec3{1, 0, 0}));
  ASSERT_EQ(clamp.motion->angle.keys.size(), 2u);
  EXPECT_DOUBLE_EQ(clamp.motion->angle.keys[1].second, pi / 2);
  ASSERT_EQ(clamp.motion->twist.keys.size(), 2u);
  EXPECT_EQ(clamp.motion->twist.keys[0].first, 1);
  EXPECT_DOUBLE_EQ(clamp.motion->twist.keys[1].second, 4 * pi);
  EXPECT_EQ(clamp.motion->easing, Easing::smooth);
  const Support& pin = scene.supports[1];
  EXPECT_EQ(pin.kind, Support::Kind::pin);
  EXPECT_EQ(pin.at.text(), "helix.end");
  EXPECT_EQ(pin.axes, "z");
  ASSERT_TRUE(pin.motion);
  EXPECT_EQ(pin.motion->easing, Easing::smoother);
  EXPECT_EQ(pin.motion->about, (Vec3{0, 1, 0}));
}

TEST_F(FullScene, Loads) {
  ASSERT_EQ(scene.loads.size(), 5u);
  const auto& force = std::get<ForceLoad>(scene.loads[0].kind);
  EXPECT_EQ(force.force, (Vec3{0, 0, -1}));
  EXPECT_EQ(force.at.text(), "straight.end");
  EXPECT_TRUE(force.follower);
  const auto& moment = std::get<MomentLoad>(scene.loads[1].kind);
  EXPECT_EQ(moment.moment, (Vec3{0, 1, 0}));
  EXPECT_EQ(moment.at.text(), "straight@0.5");
  EXPECT_TRUE(moment.follower);
  const auto& line = std::get<LineLoad>(scene.loads[2].kind);
  EXPECT_EQ(line.force_per_length, (Vec3{0, 0, -2}));
  EXPECT_EQ(line.rod, "arc");
  const auto& drag = std::get<DragLoad>(scene.loads[3].kind);
  EXPECT_EQ(drag.normal, 0.1);
  EXPECT_EQ(drag.tangential, 0.05);
  EXPECT_EQ(drag.velocity, (Vec3{1, 0, 0}));
  EXPECT_EQ(drag.rod, "helix");
  const auto& wind = std::get<WindLoad>(scene.loads[4].kind);
  EXPECT_EQ(wind.velocity, (Vec3{3, 0, 0}));
  EXPECT_EQ(wind.density, 1.3);
  EXPECT_EQ(wind.coefficient, 0.9);
  EXPECT_EQ(wind.rod, "ring");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(scene.loads[i].ramp.points, (Points{{0, 0}, {i + 1.0, 1}}));
}

TEST_F(FullScene, Obstacles) {
  ASSERT_EQ(scene.obstacles.size(), 5u);
  const auto& plane = std::get<PlaneObstacle>(scene.obstacles[0].shape);
  EXPECT_EQ(scene.obstacles[0].name, "floor");
  EXPECT_EQ(plane.point, (Vec3{0, 0, -1}));
  EXPECT_EQ(plane.normal, (Vec3{0, 1, 2}));
  EXPECT_FALSE(scene.obstacles[0].motion.has_value());
  const auto& sphere = std::get<SphereObstacle>(scene.obstacles[1].shape);
  EXPECT_EQ(sphere.centre, (Vec3{1, 2, 3}));
  EXPECT_EQ(sphere.radius, 0.5);
  const Motion& motion = scene.obstacles[1].motion.value();
  EXPECT_EQ(motion.translate.keys[1].second, (Vec3{1, 0, 0}));
  EXPECT_EQ(motion.about, (Vec3{2, 0, 0}));
  EXPECT_DOUBLE_EQ(motion.angle.keys[1].second, 2 * pi);
  EXPECT_EQ(motion.easing, Easing::smooth);
  const auto& box = std::get<BoxObstacle>(scene.obstacles[2].shape);
  EXPECT_EQ(box.centre, (Vec3{4, 5, 6}));
  EXPECT_EQ(box.size, (Vec3{1, 2, 3}));
  EXPECT_EQ(box.x, (Vec3{1, 1, 0}));
  EXPECT_EQ(box.y, (Vec3{0, 1, 1}));
  const auto& capsule = std::get<CapsuleObstacle>(scene.obstacles[3].shape);
  EXPECT_EQ(capsule.from, (Vec3{7, 8, 9}));
  EXPECT_EQ(capsule.to, (Vec3{8, 8, 9}));
  EXPECT_EQ(capsule.radius, 0.25);
  const auto& mesh = std::get<MeshObstacle>(scene.obstacles[4].shape);
  EXPECT_EQ(mesh.scale, 0.5);
  EXPECT_EQ(mesh.translate, (Vec3{10, 0, 0}));
  EXPECT_EQ(mesh.points, (std::vector<Vec3>{{10, 0, 0}, {10.5, 0, 0}, {10, 0.5, 0}, {10, 0, 0.5}})) << "scaled, then moved";
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}));
}

TEST_F(FullScene, Contact) {
  EXPECT_TRUE(scene.contact.self);
  EXPECT_EQ(scene.contact.between, Contact::Between::pairs);
  EXPECT_EQ(scene.contact.pairs, (std::vector<std::pair<std::string, std::string>>{{"straight", "bent"}, {"arc", "ring"}}));
  EXPECT_EQ(scene.contact.thickness, 0.011);
  EXPECT_EQ(scene.contact.stiffness, 1e6);
}

TEST_F(FullScene, OutputSettings) {
  EXPECT_EQ(scene.output.interval, 0.01);
  EXPECT_EQ(scene.output.formats, (std::vector<std::string>{"usd", "vtk"}));
  EXPECT_EQ(scene.output.frame_interval, 0.02);
  EXPECT_EQ(scene.output.checkpoint, 5);
  ASSERT_EQ(scene.output.probes.size(), 1u);
  EXPECT_EQ(scene.output.probes[0].name, "tip");
  EXPECT_EQ(scene.output.probes[0].at.text(), "straight.end");
  EXPECT_EQ(scene.output.probes[0].fields, (std::vector<std::string>{"position", "tension", "curvature", "twist"}));
  EXPECT_EQ(scene.output.picture.view, "iso");
  EXPECT_EQ(scene.output.picture.color, "tension");
  EXPECT_EQ(scene.output.picture.frames, 4);
}

// ---- locations -----------------------------------------------------------------------------------------------------

std::string at(const Scene& scene, const std::string& path) {
  const auto found = scene.locations.find(path);
  if (found == scene.locations.end()) return "unknown";
  return found->second.file + ":" + std::to_string(found->second.line) + ":" + std::to_string(found->second.column);
}

TEST(SceneLocations, EveryPathKnowsItsLine) {
  const Scene scene = parse_scene(test::small_scene, "s.yaml");
  EXPECT_EQ(at(scene, "gravity"), "s.yaml:2:10");
  EXPECT_EQ(at(scene, "materials"), "s.yaml:3:1") << "the key, because the value starts in a later line";
  EXPECT_EQ(at(scene, "materials.rubber"), "s.yaml:4:11");
  EXPECT_EQ(at(scene, "materials.rubber.poisson"), "s.yaml:4:33");
  EXPECT_EQ(at(scene, "sections.cord.circle.radius"), "s.yaml:6:27");
  EXPECT_EQ(at(scene, "rods.rope"), "s.yaml:8:3");
  EXPECT_EQ(at(scene, "rods.rope.segments"), "s.yaml:12:15");
  EXPECT_EQ(at(scene, "rods.rope.centreline.line.to"), "s.yaml:11:46");
  EXPECT_EQ(at(scene, "supports[0]"), "s.yaml:14:5");
  EXPECT_EQ(at(scene, "supports[0].clamp"), "s.yaml:14:13");
  EXPECT_EQ(at(scene, "loads[0].at"), "s.yaml:16:29");
  EXPECT_EQ(at(scene, "rods.rope.taper"), "unknown");
}

// The line of the full scene in which a piece of its text stands.
int line_of(const std::string& piece) {
  const std::size_t at = test::full_scene.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  return 1 +
         static_cast<int>(std::count(test::full_scene.begin(), test::full_scene.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

TEST(SceneLocations, ItemsOfListsKnowTheirLine) {
  const Scene scene = parse_scene(test::full_scene, "full.yaml");
  EXPECT_EQ(scene.locations.at("joints[0].places[1]").line, line_of("bent.node[3]"));
  EXPECT_EQ(scene.locations.at("rods.bent.centreline.polyline.points[2]").line, line_of("[1, 1, 0]"));
  EXPECT_EQ(scene.locations.at("rods.straight.taper[1]").line, line_of("[1, 0.5]"));
  EXPECT_EQ(scene.locations.at("output.probes[0].fields[1]").line, line_of("[position, tension"));
}

// ---- ways to write a value -------------------------------------------------------------------------------------------

double twist_of(const std::string& text) {
  return parse_scene(test::changed("segments: 100", "segments: 100\n    initial_twist: " + text), "s.yaml")
      .rods[0]
      .initial_twist.value();
}

TEST(SceneValues, Angles) {
  EXPECT_EQ(twist_of("1.5"), 1.5);
  EXPECT_EQ(twist_of("1.5 rad"), 1.5);
  EXPECT_EQ(twist_of("\"1.5 rad\""), 1.5);
  EXPECT_DOUBLE_EQ(twist_of("90deg"), pi / 2);
  EXPECT_DOUBLE_EQ(twist_of("-1e1 deg"), -pi / 18);
  EXPECT_DOUBLE_EQ(twist_of("1 turn"), 2 * pi);
  EXPECT_DOUBLE_EQ(twist_of("'2 turns'"), 4 * pi);
}

double young_of(const std::string& text) { return parse_scene(test::changed("1e6", text), "s.yaml").materials[0].young; }

TEST(SceneValues, Numbers) {
  EXPECT_EQ(young_of("5"), 5);
  EXPECT_EQ(young_of("+5"), 5);
  EXPECT_EQ(young_of("-.5"), -0.5);
  EXPECT_EQ(young_of("5."), 5);
  EXPECT_EQ(young_of("0"), 0);
  EXPECT_EQ(young_of("0.25"), 0.25);
  EXPECT_EQ(young_of("2E+3"), 2000);
  EXPECT_EQ(young_of("1e-3"), 1e-3);
}

TEST(SceneValues, JsonIsAScene) {
  const Scene scene = parse_scene(
      "{\n\t\"writhe\": 1,\n\t\"title\": \"a\\/b\",\n\t\"sections\": {\"cord\": {\"circle\": {\"radius\": 1e-3}}},\n\t\"rods\": "
      "{\"rope\": "
      "{\"section\": \"cord\",\n\t\t\"centreline\": {\"line\": {\"from\": [0, 0, 0], \"to\": [1, 0, 0]}}, \"segments\": 5}}\n}\n",
      "s.json");
  EXPECT_EQ(scene.title, "a/b");
  EXPECT_EQ(scene.rods.at(0).segments, 5);
  EXPECT_EQ(at(scene, "rods.rope.segments").substr(0, 9), "s.json:6:");
}

TEST(SceneValues, AliasesAreCopies) {
  std::string text = test::changed("[0, 0, -9.81]", "&down [0, 0, -9.81]");
  text.replace(text.find("[0, 0, -1]"), 10, "*down");
  const Scene scene = parse_scene(text, "s.yaml", {"gravity[2]=-1.62"});
  EXPECT_EQ(scene.gravity.z, -1.62);
  EXPECT_EQ(std::get<ForceLoad>(scene.loads.at(0).kind).force.z, -9.81);
}

TEST(SceneValues, ByteOrderMarkAndWindowsLineEnds) {
  std::string text = "\xEF\xBB\xBF" + test::changed("writhe: 1", "writhe: 1\ntitle: \"Seil \xC3\xA4\"");
  for (std::size_t i = 0; (i = text.find('\n', i)) != std::string::npos; i += 2) text.replace(i, 1, "\r\n");
  const Scene scene = parse_scene(text, "s.yaml");
  EXPECT_EQ(scene.title, "Seil \xC3\xA4");
  EXPECT_EQ(scene.rods.at(0).segments, 100);
}

// Those that are not the default are in the full scene.
TEST(SceneValues, WordsOfTheDefaults) {
  const Scene scene = parse_scene(test::full_scene, "full.yaml",
                                  {"solver.integrator=euler", "solver.pd.weights=consistent", "solver.pd.coupling=coupled",
                                   "solver.pd.metric=refreshed", "solver.pd.acceleration=anderson"});
  EXPECT_EQ(scene.solver.integrator, Integrator::euler);
  EXPECT_EQ(scene.solver.pd.weights, Weights::consistent);
  EXPECT_EQ(scene.solver.pd.coupling, Coupling::coupled);
  EXPECT_EQ(scene.solver.pd.metric, Metric::refreshed);
  EXPECT_EQ(scene.solver.pd.acceleration, Acceleration::anderson);
}

TEST(SceneValues, WordsOfContact) {
  const auto between = [](const std::string& word) {
    return parse_scene(test::full_scene, "full.yaml", {"contact={between: " + word + "}"}).contact;
  };
  EXPECT_EQ(between("all").between, Contact::Between::all);
  EXPECT_EQ(between("none").between, Contact::Between::none);
  EXPECT_FALSE(between("none").rods_touch());
  EXPECT_TRUE(between("[[arc, ring]]").rods_touch());
}

TEST(SceneValues, OmittedKeysKeepTheirDefaults) {
  const Scene scene = parse_scene(
      "writhe: 1\nsections: {}\nrods: {r: {section: s, segments: 1, centreline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}}}\n",
      "s.yaml");
  const Scene defaults;
  EXPECT_EQ(scene.gravity, defaults.gravity);
  EXPECT_EQ(scene.dt, defaults.dt);
  EXPECT_EQ(scene.until, defaults.until);
  EXPECT_EQ(scene.solver.method, defaults.solver.method);
  EXPECT_EQ(scene.solver.pd.iterations, defaults.solver.pd.iterations);
  EXPECT_TRUE(std::holds_alternative<StraightRest>(scene.rods.at(0).rest));
  EXPECT_TRUE(scene.loads.empty());
}

}  // namespace
}  // namespace writhe
