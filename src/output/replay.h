// A run as one page that plays it: the page of web/replay, built when Writhe is, with the frames inside.
#pragma once

#include <filesystem>

#include "output/frame_store.h"
#include "writhe/model.h"

namespace writhe::output {

// The file is replaced when it is whole. The store holds at least one frame; it is read twice. Throws Error when a file cannot be
// read or written, or when the program was built without the page (WRITHE_WEB).
void write_replay(const Model& model, FrameStore& store, const std::filesystem::path& path);
// Throws Error in the latter case: before anything is simulated.
void check_replay_page();

}  // namespace writhe::output
