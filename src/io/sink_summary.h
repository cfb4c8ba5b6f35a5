// summary.json: what a run was and how it ended.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "writhe/simulation.h"

namespace writhe::io {

class SummarySink : public Sink {
 public:
  enum class Outcome { finished, interrupted, failed };

  SummarySink(std::filesystem::path file, std::string version) : m_path(std::move(file)), m_version(std::move(version)) {}

  // How the run ended; before end(). `cause` says why a run failed or who interrupted it.
  void set_outcome(Outcome outcome, std::string cause = {});
  // Instead of the time between begin() and end().
  void set_wall_seconds(double seconds) { m_wall_seconds = seconds; }

  void begin(const Model& model, const State& state) override;
  void write(const Model& model, const State& state, const StepReport& report) override;
  // Writes the file, whole or not at all. Throws Error when it cannot be written.
  void end(const Model& model, const State& state) override;

 private:
  std::filesystem::path m_path;
  std::string m_version;
  Outcome m_outcome = Outcome::finished;
  std::string m_cause;
  std::optional<double> m_wall_seconds;
  std::chrono::steady_clock::time_point m_begun;
  Energies m_energies_start;
  double m_time_start = 0;      // s
  long m_steps = 0;             // accepted
  long m_iterations = 0;        // over all steps
  double m_residual_ratio = 0;  // largest residual over its limit
};

}  // namespace writhe::io
