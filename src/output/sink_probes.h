// probes.csv: time, the scene's probes and the energies, one row a sample; the last state is always there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "output/growing_file.h"
#include "output/sink_columns.h"
#include "output/sink_schedule.h"
#include "writhe/simulation.h"

namespace writhe::output {

class ProbeSink : public Sink {
 public:
  explicit ProbeSink(std::filesystem::path file) : m_path(std::move(file)) {}

  // All throw Error when the file cannot be written or a value is not finite.
  void begin(const Model& model, const State& state) override;
  void write(const Model& model, const State& state, const StepReport& report) override;
  bool reads(const StepReport& report) const override;
  void end(const Model& model, const State& state) override;

  std::string name() const override { return "probes"; }
  std::string bookmark() override;
  void resume(const Model& model, const State& state, const std::string& bookmark) override;

 private:
  void prepare(const Model& model, const State& state);
  void write_row(const Model& model, const State& state);

  std::filesystem::path m_path;
  GrowingFile m_file;
  std::optional<ProbeColumns> m_probes;
  Schedule m_schedule;
  std::vector<Column> m_columns;
  std::vector<double> m_values;
  double m_written = 0;  // s, time of the last row
  std::string m_line;
  std::string m_last_bookmark;
};

}  // namespace writhe::output
