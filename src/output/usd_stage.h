// A USD stage as text from stored frames.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "output/frame_store.h"
#include "writhe/model.h"

namespace writhe::output {

// Text that may wait in memory while a stage is written.
inline constexpr std::size_t usd_memory = std::size_t{64} << 20;

// The file is replaced when it is whole. Memory stays near `memory` bytes, however many frames there are; with less of it the
// frames are read more often. The store holds at least one frame. Throws Error when a file cannot be read or written, or when a
// value does not fit into a float, the precision of USD's curves.
void write_usd_stage(const Model& model, FrameStore& store, const std::filesystem::path& path, std::size_t memory = usd_memory);

// Names that USD accepts (ASCII letters, digits and underscores, no digit first), each its own, in the order of the given ones.
std::vector<std::string> usd_names(const std::vector<std::string>& names);

}  // namespace writhe::output
