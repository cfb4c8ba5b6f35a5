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

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void write_header();
  void write_row(const Model& model, const State& state);
  void put(const std::string& line);
  void flush();

  std::filesystem::path m_path;
  std::unique_ptr<std::FILE, Closer> m_file;
  std::optional<ProbeColumns> m_probes;
  Schedule m_schedule;
  std::vector<Column> m_columns;  // after time
  std::vector<double> m_values;
  double m_written = 0;  // s, time of the last row
  std::string m_line;
  std::chrono::steady_clock::time_point m_flushed;
};

}  // namespace writhe::io
