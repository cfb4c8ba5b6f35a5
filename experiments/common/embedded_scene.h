// The scene and the reference values of an experiment, which are built into the program, and the error of one that does not get
// to its end.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "writhe/error.h"
#include "writhe/scene.h"

namespace writhe::experiments {

// `file` by its path in the repository, `overrides` as for --set.
Scene embedded_scene(const std::string& file, const std::vector<std::string>& overrides = {});

nlohmann::json embedded_reference(const std::string& file);

Error stopped_at(double time, const std::string& cause);  // s

}  // namespace writhe::experiments
