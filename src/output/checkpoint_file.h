// checkpoint.writhe: written now and then while a run computes, so that little is lost whatever happens.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

#include "writhe/simulation.h"

namespace writhe::output {

class CheckpointFile {
 public:
  // interval: s of computing between two; 0: only when asked for.
  CheckpointFile(std::filesystem::path path, double interval) : m_path(std::move(path)), m_interval(interval) {}

  const std::filesystem::path& path() const { return m_path; }
  // After a step: writes when it is time. A large state, slow to write, is written less often.
  void update(Simulation& simulation);
  // The old one stays until the new one is whole. Throws Error when it cannot be written.
  void write(Simulation& simulation);

 private:
  using Clock = std::chrono::steady_clock;
  std::filesystem::path m_path;
  double m_interval;
  Clock::time_point m_written = Clock::now();
  double m_cost = 0;  // s, of the last one
};

// The bytes of a checkpoint. Throws Error when the file cannot be read.
std::string read_checkpoint(const std::filesystem::path& path);

}  // namespace writhe::output
