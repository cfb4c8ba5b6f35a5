// probes.csv: time, the scene's probes and the energies, one row a sample; the last state is always there.
#pragma once

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/sink_columns.h"
#include "io/sink_file.h"
#include "io/sink_schedule.h"
#include "writhe/simulation.h"

namespace writhe::io {

class ProbeSink : public Sink {
 public:
  explicit ProbeSink(std::filesystem::path file) : m_path(std::move(file)) {}

  // All throw Error when the file cannot be written or a value is not finite.
  void begin(const Model& model, const State& state) override;
  void write(const Model& model, const State& state, const StepReport& report) override;
  void end(const Model& model, const State& state) override;

  std::string name() const override { return "probes"; }
  std::string bookmark() override;
  void resume(const Model& model, const State& state, const std::string& bookmark) override;

 private:
  void prepare(const Model& model, const State& state);
  std::string header() const;
  void write_row(const Model& model, const State& state);
  void put(const std::string& line);
  void flush();

  std::filesystem::path m_path;
  FilePointer m_file;
  std::optional<ProbeColumns> m_probes;
  Schedule m_schedule;
  std::vector<Column> m_columns;  // after time
  std::vector<double> m_values;
  double m_written = 0;  // s, time of the last row
  std::string m_line;
  std::string m_last_bookmark;
  std::chrono::steady_clock::time_point m_flushed;
};

}  // namespace writhe::io
