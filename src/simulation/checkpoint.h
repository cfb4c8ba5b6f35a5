// All that a run needs to go on with the same bits, and the file that holds it (docs/outputs.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "simulation/left_over.h"
#include "simulation/settling.h"
#include "simulation/step_clock.h"
#include "simulation/step_error.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe {

struct Checkpoint {
  std::uint64_t scene = 0;  // scene_digest
  std::string method;
  std::uint64_t settings = 0;  // solver_digest
  State state;
  StepClock clock;
  StepError error;
  LeftOver left_over;
  std::optional<Settling> settling;                            // of a run that is to come to rest
  std::string solver;                                          // the method's own
  std::vector<std::pair<std::string, std::string>> bookmarks;  // of the sinks, by name
};

std::string encode(const Checkpoint& checkpoint);
// Throws Error when the bytes are no checkpoint, of another version, or damaged. `name`: of the file, for the message.
Checkpoint decode_checkpoint(std::string_view bytes, const std::string& name);
// Throws Error when it was made by a run of another scene.
void check_belongs(const Checkpoint& checkpoint, const Model& model, const std::string& name);

void save(const State& state, ByteWriter& out);
void load(ByteReader& in, State& state);  // throws std::out_of_range
bool same_size(const State& a, const State& b);

// Of all bits of a state: equal for equal states.
std::uint64_t state_hash(const State& state);

}  // namespace writhe
