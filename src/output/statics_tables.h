// Tables of an equilibrium: what is along the rods, and the shapes of its vibrations. docs/outputs.md lists the columns.
#pragma once

#include <filesystem>
#include <vector>

#include "writhe/statics.h"

namespace writhe::output {

// resultants.csv: a row a node, with its place, strains, forces and moments. Throws Error when it cannot be written or a value is
// not finite.
void write_resultants(const std::filesystem::path& path, const Model& model, const State& state);

// modes.csv: a row a mode and node, with how the node moves and how the section there turns, in space. Throws likewise.
void write_modes(const std::filesystem::path& path, const Model& model, const State& state, const std::vector<Mode>& modes);

}  // namespace writhe::output
