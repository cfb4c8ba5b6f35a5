// What is written of links: columns of probes.csv and path.csv, entries of summary.json.
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "measure/measure.h"
#include "output/sink_probes.h"
#include "output/sink_summary.h"
#include "output/statics_path.h"
#include "output_support.h"
#include "support/scenes.h"

namespace writhe::output {
namespace {

using test::Table;

constexpr double g = 9.81;         // m/s^2
constexpr double stiffness = 200;  // N/m
constexpr double rest = 0.5;       // m

double weight() { return g * test::Cord{}.linear_density() * test::Cord{}.length; }

// A rod that hangs on a tether, and a second tether, longer than its way, that does nothing and has no name.
Scene hanging() {
  Scene scene = test::Cord{.segments = 4}.scene();
  scene.gravity = {0, 0, -g};
  scene.damping.mass = 5;
  scene.rods[0].centreline = LineShape{{0, 0, 0}, {0, 0, -1}};
  Link tether;
  tether.kind = Link::Kind::tether;
  tether.name = "rope";
  tether.from = Vec3{0, 0, rest};
  tether.to = Place::parse("rod.start");
  tether.stiffness = stiffness;
  tether.rest_length = rest;
  Link slack = tether;
  slack.name.clear();
  slack.rest_length = 3;
  scene.links = {tether, slack};
  return scene;
}

// It pulls with the weight, and is longer by as much as that takes.
void expect_weight(double length, double tension) {
  EXPECT_NEAR(tension, weight(), 1e-6 * weight());
  EXPECT_NEAR(length, rest + weight() / stiffness, 1e-6 * weight() / stiffness);
}

class LinkOutput : public ::testing::Test {
 protected:
  LinkOutput() : m_simulation(test::simulate(hanging())) {
    const StepReport report = m_simulation.settle();
    EXPECT_TRUE(report.accepted()) << report.cause;
  }
  void write(Sink& sink) const {
    sink.begin(model(), model().initial_state());
    sink.end(model(), state());
  }
  const Model& model() const { return m_simulation.model(); }
  const State& state() const { return m_simulation.state(); }

  test::TemporaryFolder m_folder;
  Simulation m_simulation;
};

TEST_F(LinkOutput, ProbesHaveLengthAndTensionOfLinksWithAName) {
  ProbeSink sink(m_folder / "probes.csv");
  write(sink);
  const std::string header = test::lines_of(test::text_of_file(m_folder / "probes.csv")).at(0);
  EXPECT_EQ(
      header.substr(0, header.find(",px")),
      "time [s],rope.length [m],rope.tension [N],kinetic [J],stretch_shear [J],bend_twist [J],gravity [J],links [J],total [J]");
  const Table table = test::read_table(m_folder / "probes.csv");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.number(0, "rope.length [m]"), rest);
  EXPECT_EQ(table.number(0, "rope.tension [N]"), 0);
  expect_weight(table.number(1, "rope.length [m]"), table.number(1, "rope.tension [N]"));
  const double stored = weight() * weight() / (2 * stiffness);
  EXPECT_NEAR(table.number(1, "links [J]"), stored, 1e-5 * stored);
  double sum = 0;
  for (const char* part : {"kinetic [J]", "stretch_shear [J]", "bend_twist [J]", "gravity [J]", "links [J]"})
    sum += table.number(1, part);
  EXPECT_NEAR(table.number(1, "total [J]"), sum, 1e-14);
}

TEST_F(LinkOutput, ThePathHasTheSameColumns) {
  PathFile path(m_folder / "path.csv", model());
  path.add({model(), state(), StaticPoint{}, measure::energies(model(), state()), {}});
  path.close();
  const std::string header = test::lines_of(test::text_of_file(m_folder / "path.csv")).at(0);
  EXPECT_EQ(header.substr(header.find("gravity")), "gravity [J],links [J],rope.length [m],rope.tension [N]");
  const Table table = test::read_table(m_folder / "path.csv");
  expect_weight(table.number(0, "rope.length [m]"), table.number(0, "rope.tension [N]"));
  const double stored = weight() * weight() / (2 * stiffness);
  EXPECT_NEAR(table.number(0, "links [J]"), stored, 1e-5 * stored);
}

TEST_F(LinkOutput, TheSummaryListsAllLinks) {
  SummarySink sink(m_folder / "summary.json", "1");
  write(sink);
  const nlohmann::json json = nlohmann::json::parse(test::text_of_file(m_folder / "summary.json"));
  const nlohmann::json& links = json["links"];
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0]["name"], "rope");
  EXPECT_EQ(links[0]["kind"], "tether");
  expect_weight(links[0]["length"], links[0]["tension"]);
  const double stored = weight() * weight() / (2 * stiffness);
  EXPECT_NEAR(links[0]["energy"].get<double>(), stored, 1e-5 * stored);
  EXPECT_FALSE(links[1].contains("name"));
  EXPECT_EQ(links[1]["length"], links[0]["length"]);
  EXPECT_EQ(links[1]["tension"], 0);
  EXPECT_EQ(links[1]["energy"], 0);
  EXPECT_EQ(json["energies"]["end"]["links"], links[0]["energy"]);
}

// A spring pushes, too, and its damping counts: k (length - rest) + c v.
TEST_F(LinkOutput, ASpringThatIsTooShortHasANegativeTension) {
  Scene scene = hanging();
  scene.links.resize(1);
  scene.links[0].kind = Link::Kind::spring;
  scene.links[0].damping = 3;
  const Model model(scene);
  State state = model.initial_state();
  for (Vec3& x : state.x) x.z += 0.1;
  for (Vec3& v : state.v) v.z = -2;  // away from the point
  SummarySink sink(m_folder / "summary.json", "1");
  sink.begin(model, state);
  sink.end(model, state);
  const nlohmann::json link = nlohmann::json::parse(test::text_of_file(m_folder / "summary.json"))["links"][0];
  EXPECT_EQ(link["kind"], "spring");
  EXPECT_NEAR(link["length"].get<double>(), rest - 0.1, 1e-14);
  EXPECT_NEAR(link["tension"].get<double>(), -0.1 * stiffness + 3 * 2, 1e-11);
  EXPECT_NEAR(link["energy"].get<double>(), 0.5 * stiffness * 0.01, 1e-11);
}

}  // namespace
}  // namespace writhe::output
