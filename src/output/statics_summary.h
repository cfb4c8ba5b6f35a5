// summary.json of `writhe solve`: what `run` writes, with a `statics` object.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "output/summary_parts.h"
#include "writhe/statics.h"

namespace writhe::output {

// The words of summary.json, also used in messages.
std::string_view text_of(StaticStatus status);
std::string_view text_of(Balance balance);

Outcome outcome_of(StaticStatus status);

// All that a solve came to.
struct StaticResult {
  StaticReport report;
  Energies energies;
  // Absent when there was no equilibrium at all: the state is the initial one then, and there are no reactions and modes either.
  std::optional<Stability> stability;
  std::optional<Mode> fastest;  // motion away from an unstable equilibrium
  std::vector<Reaction> reactions;
  std::vector<Mode> modes;     // as many as were asked for and exist
  std::string modes_cause;     // why they were not found
  contact::Overlaps overlaps;  // of rods between which contact is off
  double wall_seconds = 0;
};

// `cause`: why it failed or was interrupted. Throws Error when the file cannot be written.
void write_static_summary(const std::filesystem::path& path, const std::string& version, const std::string& cause,
                          const Model& model, const State& state, const StaticResult& result);

}  // namespace writhe::output
