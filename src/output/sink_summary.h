// summary.json: what a run was and how it ended.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "output/sink_watch.h"
#include "output/summary_parts.h"
#include "writhe/simulation.h"

namespace writhe::output {

class SummarySink : public Sink {
 public:
  using Outcome = output::Outcome;

  SummarySink(std::filesystem::path file, std::string version) : m_path(std::move(file)), m_version(std::move(version)) {}

  // How the run ended; before end(). `cause` says why a run failed or who interrupted it.
  void set_outcome(Outcome outcome, std::string cause = {});
  // Where the time of the steps went; before end().
  void set_stages(const StageTimes& stages) { m_stages = stages; }

  // Of a run that came to rest; before end().
  void set_rest(RestError error) { m_rest = std::move(error); }
  // Where rods went through each other; before end().
  void set_pass_through(const PassThrough& passed) { m_passed = passed; }

  // Accepted, also of the runs that this one goes on from.
  std::int64_t steps() const { return m_totals.steps; }

  void begin(const Model& model, const State& state) override;
  void write(const Model& model, const State& state, const StepReport& report) override;
  bool reads(const StepReport& /*report*/) const override { return false; }
  // Writes the file, whole or not at all. Throws Error when it cannot be written.
  void end(const Model& model, const State& state) override;

  // Of rods between which contact is off, at the end; after end().
  const contact::Overlaps& overlaps() const { return m_overlaps; }

  std::string name() const override { return "summary"; }
  std::string bookmark() override;
  void resume(const Model& model, const State& state, const std::string& bookmark) override;

 private:
  double wall_seconds() const;

  std::filesystem::path m_path;
  std::string m_version;
  Outcome m_outcome = Outcome::finished;
  std::string m_cause;
  std::optional<StageTimes> m_stages;
  std::optional<RestError> m_rest;
  contact::Overlaps m_overlaps;
  std::optional<PassThrough> m_passed;
  std::chrono::steady_clock::time_point m_begun;
  // What is added up over the run, and over those it goes on from.
  struct Totals {
    Energies energies_start;
    double time_start = 0;              // s
    double wall_seconds = 0;            // of the runs before
    double residual_ratio = 0;          // largest residual over its limit
    double left_over = -1, drift = -1;  // m, largest of a step; -1: none has told
    std::int64_t steps = 0;             // accepted
    std::int64_t unconverged = 0;
    std::int64_t iterations = 0;
    std::int64_t resumes = 0;
  };
  Totals m_totals;
  Json m_winding_start;
};

}  // namespace writhe::output
