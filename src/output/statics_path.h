// path.csv: one row an equilibrium on the path of `writhe solve`. docs/outputs.md lists the columns.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "output/growing_file.h"
#include "output/sink_columns.h"
#include "writhe/statics.h"

namespace writhe::output {

// An equilibrium and what there is to say of it.
struct PathSample {
  const Model& model;
  const State& state;
  const StaticPoint& point;
  const Energies& energies;
  const std::vector<Reaction>& reactions;
};

// Neighbouring columns, and how to read them off a sample.
struct PathReading {
  std::vector<Column> columns;
  std::function<void(const PathSample&, std::vector<double>&)> append;
};
// Of the whole; then of each support, each force and moment, and each ring whose closing angle is driven.
std::vector<PathReading> path_readings(const Model& model);

class PathFile {
 public:
  // All throw Error when the file cannot be written or a value is not finite.
  PathFile(const std::filesystem::path& path, const Model& model);
  void add(const PathSample& sample);
  void close() { m_file.close(); }

 private:
  std::vector<PathReading> m_readings;
  std::vector<Column> m_columns;
  std::vector<double> m_values;
  std::string m_line;
  int m_points = 0;
  GrowingFile m_file;
};

}  // namespace writhe::output
