// From a file to a scene.
#pragma once

#include <string>
#include <vector>

#include "writhe/scene.h"

namespace writhe {

// Reads a scene file (YAML or JSON). `overrides` are `path=value` as given to --set. Throws Error with all problems found.
Scene load_scene(const std::string& path, const std::vector<std::string>& overrides = {});
// The same from text; `name` stands for the file in messages.
Scene parse_scene(const std::string& text, const std::string& name, const std::vector<std::string>& overrides = {});

}  // namespace writhe
