// What is written during a run: probes.csv, summary.json, the pictures' choice of times.
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model_fixture.h"
#include "output/sink_file.h"
#include "output/sink_picture.h"
#include "output/sink_probes.h"
#include "output/sink_summary.h"
#include "writhe/error.h"

namespace writhe::output {
namespace {

namespace fs = std::filesystem;

class Sinks : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "writhe-sinks-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    m_folder = pattern;
  }
  void TearDown() override { fs::remove_all(m_folder); }

  fs::path file(const std::string& name) const { return m_folder / name; }
  std::string text(const std::string& name) const {
    std::ifstream in(file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::vector<std::string> lines(const std::string& name) const {
    std::istringstream in(text(name));
    std::vector<std::string> out;
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
  }

  fs::path m_folder;
};

Scene probed_scene(double interval = 0, std::vector<std::string> fields = {"position"}) {
  Scene scene = test::scene_of(test::rod("rope", LineShape{{0, 0, 0}, {1, 0, 0}}, 4));
  scene.title = "A \"title\" & more";
  scene.output.interval = interval;
  scene.output.probes.push_back({"tip", Place::parse("rope.end"), std::move(fields)});
  return scene;
}

std::vector<double> numbers(const std::string& line) {
  std::vector<double> out;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) {
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    EXPECT_TRUE(error == std::errc{} && end == cell.data() + cell.size()) << cell;
    out.push_back(value);
  }
  return out;
}

// Steps a sink over time as a simulation would, times added up with their rounding.
void drive(Sink& sink, const Model& model, double dt, int steps, const std::function<void(State&)>& move = {}) {
  State state = model.initial_state();
  sink.begin(model, state);
  for (int i = 0; i < steps; ++i) {
    state.time += dt;
    if (move) move(state);
    StepReport report;
    report.time = state.time;
    report.dt = dt;
    report.iterations = 3 + i % 2;
    report.residual = i == 2 ? 0.9 : 0.1;
    report.residual_limit = 1.2;
    report.converged = i != 2;
    sink.write(model, state, report);
  }
  sink.end(model, state);
}

// ---- probes.csv ------------------------------------------------------------------------------------------------------
TEST_F(Sinks, HeaderNamesEveryColumnWithItsUnit) {
  const Model model(probed_scene(0, {"position", "velocity", "tension", "shear", "moment", "frame", "curvature", "twist"}));
  ProbeSink sink(file("probes.csv"));
  drive(sink, model, 0.1, 0);
  EXPECT_EQ(lines("probes.csv")[0],
            "time [s],tip.x [m],tip.y [m],tip.z [m],tip.vx [m/s],tip.vy [m/s],tip.vz [m/s],tip.tension [N],tip.shear1 [N],"
            "tip.shear2 [N],tip.moment1 [N m],tip.moment2 [N m],tip.moment3 [N m],tip.qw [1],tip.qx [1],tip.qy [1],tip.qz [1],"
            "tip.curvature1 [1/m],tip.curvature2 [1/m],tip.twist [rad/m],"
            "kinetic [J],stretch_shear [J],bend_twist [J],gravity [J],total [J],"
            "px [kg m/s],py [kg m/s],pz [kg m/s],Lx [kg m^2/s],Ly [kg m^2/s],Lz [kg m^2/s]");
  EXPECT_EQ(numbers(lines("probes.csv")[1]).size(), 31U);
}

TEST_F(Sinks, NamesThatWouldBreakACsvAreQuoted) {
  Scene scene = probed_scene();
  scene.output.probes[0].name = "a,\"b\"";
  ProbeSink sink(file("probes.csv"));
  drive(sink, Model(scene), 0.1, 0);
  EXPECT_EQ(lines("probes.csv")[0].substr(0, 33), "time [s],\"a,\"\"b\"\".x [m]\",\"a,\"\"b\"\"");
}

TEST_F(Sinks, EveryStepIsARowWithoutAnInterval) {
  ProbeSink sink(file("probes.csv"));
  drive(sink, Model(probed_scene(0)), 0.01, 7);
  EXPECT_EQ(lines("probes.csv").size(), 1U + 1 + 7);
}

TEST_F(Sinks, RowsStayOnTheMultiplesOfTheInterval) {
  ProbeSink sink(file("probes.csv"));
  drive(sink, Model(probed_scene(0.01)), 0.001, 20000);  // 20 s, the sum of the steps is off by many roundings
  const std::vector<std::string> rows = lines("probes.csv");
  ASSERT_EQ(rows.size(), 1U + 2001);
  for (std::size_t k = 0; k <= 2000; ++k) EXPECT_NEAR(numbers(rows[k + 1])[0], 0.01 * static_cast<double>(k), 1e-9);
}

TEST_F(Sinks, RowsComeOnTheFirstStepAtOrAfterAMultiple) {
  ProbeSink sink(file("probes.csv"));
  drive(sink, Model(probed_scene(0.01)), 0.003, 10);  // up to 0.03
  std::vector<double> times;
  for (const std::string& row : lines("probes.csv")) {
    if (row[0] != 't') times.push_back(numbers(row)[0]);
  }
  ASSERT_EQ(times.size(), 4U);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(times[k], (std::vector{0.0, 0.012, 0.021, 0.03})[k], 1e-12);
}

TEST_F(Sinks, TheLastStateIsARowWhereverTheRunEnds) {
  ProbeSink sink(file("probes.csv"));
  drive(sink, Model(probed_scene(0.01)), 0.003, 9);  // up to 0.027, between 0.021 and 0.03
  const std::vector<std::string> rows = lines("probes.csv");
  ASSERT_EQ(rows.size(), 1U + 4);
  EXPECT_NEAR(numbers(rows[3])[0], 0.021, 1e-12);
  EXPECT_NEAR(numbers(rows[4])[0], 0.027, 1e-12);
}

TEST_F(Sinks, ALongStepOverSeveralMultiplesIsOneRow) {
  ProbeSink sink(file("probes.csv"));
  drive(sink, Model(probed_scene(0.01)), 0.025, 4);
  EXPECT_EQ(lines("probes.csv").size(), 1U + 1 + 4);
}

TEST_F(Sinks, NumbersReadBackToTheSameBits) {
  const Model model(probed_scene());
  ProbeSink sink(file("probes.csv"));
  std::vector<double> expected;
  drive(sink, model, 1.0 / 3, 50, [&](State& state) {
    state.x.back() = {std::sqrt(2.0) / (1 + state.time), -1e-17 * state.time, std::exp(4 * state.time)};
    expected.insert(expected.end(), {state.time, state.x.back().x, state.x.back().y, state.x.back().z});
  });
  const std::vector<std::string> rows = lines("probes.csv");
  for (std::size_t k = 0; k < 50; ++k) {
    const std::vector<double> row = numbers(rows[k + 2]);
    for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(row[c], expected[4 * k + c]);
    EXPECT_EQ(row[8], row[4] + (row[5] + row[6]) + row[7]);  // total, from the written parts
  }
}

TEST_F(Sinks, AFolderThatDoesNotExistIsNamed) {
  ProbeSink sink(file("missing/probes.csv"));
  const Model model(probed_scene());
  try {
    sink.begin(model, model.initial_state());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems()[0].value, file("missing/probes.csv").string());
    EXPECT_NE(error.problems()[0].message.find("No such file"), std::string::npos);
  }
}

TEST_F(Sinks, AFullDiskIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  const Model model(probed_scene());
  ProbeSink sink("/dev/full");
  EXPECT_THROW(drive(sink, model, 0.1, 5), Error);
}

TEST_F(Sinks, AValueThatIsNotFiniteIsRefused) {
  const Model model(probed_scene());
  ProbeSink sink(file("probes.csv"));
  try {
    drive(sink, model, 0.1, 3, [](State& state) { state.x.back().y = std::numeric_limits<double>::quiet_NaN(); });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems()[0].value, "tip.y [m]");
  }
  EXPECT_EQ(text("probes.csv").find("nan"), std::string::npos);
}

TEST_F(Sinks, UnknownProbeFieldIsRefusedBeforeTheRun) {
  const Scene scene = probed_scene(0, {"postion"});
  EXPECT_THROW(
      {
        const Model model(scene);
        ProbeSink sink(file("probes.csv"));
        sink.begin(model, model.initial_state());
      },
      Error);
}

// ---- summary.json ----------------------------------------------------------------------------------------------------
TEST_F(Sinks, SummaryTellsTheRun) {
  Scene scene = probed_scene();
  scene.dt = 0.1;
  const Model model(scene);
  SummarySink sink(file("summary.json"), "1.2.3");
  drive(sink, model, 0.1, 4, [](State& state) { state.x.back() = {3, 0, 4}; });
  const nlohmann::json json = nlohmann::json::parse(text("summary.json"));
  EXPECT_EQ(json["writhe"], "1.2.3");
  EXPECT_EQ(json["title"], scene.title);
  EXPECT_EQ(json["outcome"], "finished");
  EXPECT_FALSE(json.contains("cause"));
  EXPECT_EQ(json["method"], "newton");
  EXPECT_EQ(json["dt"], 0.1);
  EXPECT_EQ(json["steps"], 4);
  EXPECT_NEAR(json["time"]["simulated"].get<double>(), 0.4, 1e-12);
  EXPECT_GE(json["wall_seconds"].get<double>(), 0);
  EXPECT_EQ(json["resumes"], 0);
  EXPECT_EQ(json["iterations"]["total"], 3 + 4 + 3 + 4);
  EXPECT_EQ(json["iterations"]["mean"], 3.5);
  EXPECT_EQ(json["unconverged_steps"], 1);
  EXPECT_NEAR(json["largest_residual_ratio"].get<double>(), 0.75, 1e-12);
  EXPECT_NEAR(json["energies"]["start"]["stretch_shear"].get<double>(), 0, 1e-20);
  EXPECT_GT(json["energies"]["end"]["stretch_shear"].get<double>(), 0.0);
  const nlohmann::json& rod = json["rods"][0];
  EXPECT_EQ(rod["name"], "rope");
  EXPECT_EQ(rod["segments"], 4);
  EXPECT_NEAR(rod["rest_length"].get<double>(), 1, 1e-12);
  EXPECT_NEAR(rod["end_to_end"].get<double>(), 5, 1e-12);
  EXPECT_EQ(rod["end"], nlohmann::json({3.0, 0.0, 4.0}));
  EXPECT_EQ(json["probes"]["tip"]["z"], 4.0);
  EXPECT_FALSE(json.contains("omitted"));
}

TEST_F(Sinks, SummaryMeasuresItsOwnTimeWhenNotTold) {
  SummarySink sink(file("summary.json"), "1");
  drive(sink, Model(probed_scene()), 0.1, 2);
  EXPECT_GE(nlohmann::json::parse(text("summary.json"))["wall_seconds"].get<double>(), 0.0);
}

TEST_F(Sinks, SummaryTellsWhyARunFailed) {
  SummarySink sink(file("summary.json"), "1");
  sink.set_outcome(SummarySink::Outcome::failed, "residual grew at t = 0.2 s");
  drive(sink, Model(probed_scene()), 0.1, 1);
  const nlohmann::json json = nlohmann::json::parse(text("summary.json"));
  EXPECT_EQ(json["outcome"], "failed");
  EXPECT_EQ(json["cause"], "residual grew at t = 0.2 s");
}

TEST_F(Sinks, SummaryLeavesOutWhatIsNotFiniteAndSaysSo) {
  SummarySink sink(file("summary.json"), "1");
  drive(sink, Model(probed_scene()), 0.1, 1, [](State& state) { state.x.back().z = std::numeric_limits<double>::infinity(); });
  const std::string written = text("summary.json");
  EXPECT_EQ(written.find("null"), std::string::npos);
  const nlohmann::json json = nlohmann::json::parse(written);
  EXPECT_FALSE(json["probes"]["tip"].contains("z"));
  EXPECT_TRUE(json["probes"]["tip"].contains("x"));
  const auto omitted = json["omitted"].get<std::vector<std::string>>();
  EXPECT_NE(std::find(omitted.begin(), omitted.end(), "probes.tip.z: not finite"), omitted.end());
  EXPECT_NE(std::find(omitted.begin(), omitted.end(), "rods[0].end: not finite"), omitted.end());
}

TEST_F(Sinks, SummaryReplacesTheOldFileAndLeavesNothingBeside) {
  std::ofstream(file("summary.json")) << "old";
  SummarySink sink(file("summary.json"), "1");
  drive(sink, Model(probed_scene()), 0.1, 1);
  EXPECT_TRUE(nlohmann::json::accept(text("summary.json")));
  EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), {}), 1);
}

TEST_F(Sinks, WritingOverAFolderFailsCleanly) {
  fs::create_directory(file("summary.json"));
  EXPECT_THROW(write_file(file("summary.json"), "text"), Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), {}), 1);
  EXPECT_THROW(write_file(file("no/where.json"), "text"), Error);
}

// ---- pictures --------------------------------------------------------------------------------------------------------
std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST_F(Sinks, PicturesShowTheEndAndEquallySpacedTimes) {
  Scene scene = probed_scene();
  scene.until = 2;
  scene.output.picture.frames = 5;
  PictureSink sink(m_folder);
  drive(sink, Model(scene), 0.01, 200, [](State& state) {
    for (Vec3& x : state.x) x.z = -state.time;
  });
  EXPECT_EQ(count(text("picture.svg"), "class=\"shape\""), 1U);
  EXPECT_NE(text("picture.svg").find("t = 2 s"), std::string::npos);
  const std::string strip = text("strip.svg");
  EXPECT_EQ(count(strip, "class=\"shape\""), 5U);
  for (const char* time : {"t = 0 s", "t = 0.5 s", "t = 1 s", "t = 1.5 s", "t = 2 s"}) EXPECT_EQ(count(strip, time), 1U) << time;
}

TEST_F(Sinks, AnInterruptedRunStillShowsItsLastState) {
  Scene scene = probed_scene();
  scene.until = 2;
  scene.output.picture.frames = 5;
  PictureSink sink(m_folder);
  drive(sink, Model(scene), 0.01, 70, [](State& state) {
    for (Vec3& x : state.x) x.z = -state.time;
  });
  EXPECT_EQ(count(text("strip.svg"), "class=\"shape\""), 3U);  // 0, 0.5 and 0.7 s
  EXPECT_NE(text("strip.svg").find("t = 0.7 s"), std::string::npos);
}

TEST_F(Sinks, UnknownViewIsRefusedBeforeTheRun) {
  Scene scene = probed_scene();
  scene.output.picture.view = "top";
  EXPECT_THROW(
      {
        const Model model(scene);
        PictureSink(m_folder).begin(model, model.initial_state());
      },
      Error);
}

// ---- going on --------------------------------------------------------------------------------------------------------
// Rows of a run in one piece, and of one that was stopped after `stop` steps, ended as a stopped run is, and resumed.
TEST_F(Sinks, AResumedRunLeavesTheFilesOfAnUninterruptedOne) {
  for (const double interval : {0.0, 0.03}) {
    Scene scene = probed_scene(interval, {"position", "velocity"});
    scene.gravity = {0, 0, -9.81};
    scene.dt = 0.01;
    scene.until = 0.2;
    fs::create_directories(file("whole"));
    fs::create_directories(file("parts"));
    const auto run = [&](const char* folder, double until, const std::string& from) {
      ProbeSink probes(file(folder) / "probes.csv");
      PictureSink picture(file(folder));
      SummarySink summary(file(folder) / "summary.json", "1");
      Simulation simulation{Model(scene)};
      for (Sink* sink : std::initializer_list<Sink*>{&probes, &picture, &summary}) simulation.add_sink(*sink);
      if (!from.empty()) simulation.restore(from, "file");
      EXPECT_TRUE(simulation.run(until).accepted());
      std::string bytes = simulation.checkpoint();
      simulation.finish();
      return bytes;
    };
    run("whole", 0.2, "");
    std::string bytes;
    for (const double until : {0.0, 0.04, 0.05, 0.11, 0.2}) bytes = run("parts", until, bytes);
    for (const char* name : {"probes.csv", "picture.svg", "strip.svg"})
      EXPECT_EQ(text(std::string("parts/") + name), text(std::string("whole/") + name)) << name << " interval " << interval;
    const auto parts = nlohmann::json::parse(text("parts/summary.json")),
               whole = nlohmann::json::parse(text("whole/summary.json"));
    for (const char* key : {"steps", "time", "iterations", "state_hash", "energies", "largest_residual_ratio"})
      EXPECT_EQ(parts[key], whole[key]) << key;
    EXPECT_EQ(parts["resumes"], 4);
  }
}

TEST_F(Sinks, ProbesOfAnotherRunAreNotContinued) {
  const Scene scene = probed_scene();
  const Model model(scene);
  const State state = model.initial_state();
  ProbeSink first(file("probes.csv"));
  first.begin(model, state);
  const std::string bookmark = first.bookmark();
  first.end(model, state);
  const auto refusal = [&](const Model& of) {
    try {
      ProbeSink(file("probes.csv")).resume(of, state, bookmark);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("continued");
  };
  EXPECT_EQ(refusal(model), "continued");
  const std::string start = "output: " + file("probes.csv").string();
  EXPECT_EQ(refusal(Model(probed_scene(0, {"tension"}))),
            start + ": has other columns than this run would write; resume into another folder with --out");
  fs::resize_file(file("probes.csv"), 10);
  EXPECT_EQ(refusal(model), start + ": is shorter than it was at the checkpoint; resume into another folder with --out");
  fs::remove(file("probes.csv"));
  EXPECT_EQ(refusal(model), start + ": cannot be continued (No such file or directory); resume into another folder with --out");
}

}  // namespace
}  // namespace writhe::output
