// What every summary.json has, whatever was computed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "contact/overlaps.h"
#include "writhe/model.h"
#include "writhe/reaction.h"
#include "writhe/state.h"
#include "writhe/step_report.h"

namespace writhe::output {

using Json = nlohmann::ordered_json;

enum class Outcome { finished, interrupted, failed };

Json json_of(const Vec3& v);
Json json_of(const Energies& energies);  // J
// For each support: its name, where it is, and what it exerts.
Json json_of(const Model& model, const State& state, const std::vector<Reaction>& reactions);

// Version, title, outcome and, where it is not empty, the cause.
Json summary_head(const std::string& version, const Scene& scene, Outcome outcome, const std::string& cause);
// How rods wind and what they are tied in, of a state: docs/outputs.md.
Json winding_json(const Model& model, const State& state);

// What is told of the end beside the state itself.
struct EndState {
  Energies energies_start, energies;
  Json winding_start;  // winding_json() of the start, or nothing
  const contact::Overlaps& overlaps;
};
// Adds the hash of the last state, the energies at the start and at the end, the rods, the probes at the end, and what overlaps.
void add_end_state(const Model& model, const State& state, const EndState& end, Json& summary);

// Whole or not at all; numbers that JSON cannot hold are left out, and `omitted` names them. Throws Error when the file cannot be
// written.
void write_summary(const std::filesystem::path& path, Json summary);

}  // namespace writhe::output
