// A folder that goes away, and a motion for sinks to record.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "math/rotation.h"
#include "model_fixture.h"
#include "writhe/simulation.h"

namespace writhe::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "writhe-output-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    m_path = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(m_path); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return m_path; }
  std::filesystem::path operator/(const std::string& name) const { return m_path / name; }

 private:
  std::filesystem::path m_path;
};

inline std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

// A table by the names of its columns. No cell of these tests has a comma in it.
struct Table {
  std::vector<std::map<std::string, std::string>> rows;

  double number(std::size_t row, const std::string& column) const {
    const std::string& cell = rows.at(row).at(column);
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    EXPECT_TRUE(error == std::errc{} && end == cell.data() + cell.size()) << column << ": " << cell;
    return value;
  }
  Vec3 vector(std::size_t row, const std::string& first, const std::string& unit) const {
    return {number(row, first + "x" + unit), number(row, first + "y" + unit), number(row, first + "z" + unit)};
  }
};

inline std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

inline Table read_table(const std::filesystem::path& path) {
  const std::vector<std::string> lines = lines_of(text_of_file(path));
  const std::vector<std::string> header = cells_of(lines.at(0));
  Table table;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = cells_of(lines[i]);
    EXPECT_EQ(cells.size(), header.size());
    table.rows.emplace_back();
    for (std::size_t c = 0; c < cells.size(); ++c) table.rows.back()[header[c]] = cells[c];
  }
  return table;
}

// Every file below a folder, by its name relative to it.
inline std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) out[entry.path().lexically_relative(folder).string()] = text_of_file(entry.path());
  }
  return out;
}

// A coil with a clamp, its frames every 0.01 s.
inline Scene framed_scene() {
  Scene scene = scene_of(rod("rope", coil(), 6));
  scene.supports.push_back(clamp("rope.start"));
  scene.output.frame_interval = 0.01;
  scene.dt = 0.003;
  return scene;
}

// The state after some steps of the scene's dt: nodes sway, segments turn.
inline State moved_state(const Model& model, int steps) {
  State state = model.initial_state();
  state.time = steps * model.scene().dt;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    const double phase = 7 * state.time + 0.3 * static_cast<double>(i);
    state.x[i] += Vec3{0.01 * std::sin(phase), 0.02 * std::cos(phase), -state.time};
    state.v[i] = {0.07 * std::cos(phase), -0.14 * std::sin(phase), -1};
  }
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    state.q[i] = state.q[i] * exp_rotation(Vec3{0.1, 0.05 * static_cast<double>(i), state.time});
  }
  return state;
}

// Gives a sink the steps `from` + 1 ... `to` of that motion.
inline void record(Sink& sink, const Model& model, int from, int to) {
  for (int i = from + 1; i <= to; ++i) {
    const State state = moved_state(model, i);
    StepReport report;
    report.time = state.time;
    report.dt = model.scene().dt;
    sink.write(model, state, report);
  }
}

inline void record_all(Sink& sink, const Model& model, int steps) {
  sink.begin(model, moved_state(model, 0));
  record(sink, model, 0, steps);
  sink.end(model, moved_state(model, steps));
}

}  // namespace writhe::test
