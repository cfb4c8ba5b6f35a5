// The scene of an experiment, which is built into the program, and the error of one that does not get to its end.
#pragma once

#include <string>
#include <vector>

#include "writhe/error.h"
#include "writhe/scene.h"

namespace writhe::experiments {

// `file` by its path in the repository, `overrides` as for --set.
Scene embedded_scene(const std::string& file, const std::vector<std::string>& overrides = {});

Error stopped_at(double time, const std::string& cause);  // s

}  // namespace writhe::experiments
