// `--set path=value`: a value put into the tree before it is read.
#pragma once

#include <string>

#include "scene/yaml_reader.h"
#include "scene/yaml_tree.h"

namespace writhe::scene_file {

// How an override is called in messages.
std::string override_name(const std::string& text);

// Applies `path=value`; the value is YAML. Replaces what is there, or adds the last key of the path and the maps before it
// (but no rod, material or section that only a slip of the pen would create). `source` is its index in reading.sources;
// problems go to `reading`.
void apply_override(Value& root, const std::string& text, int source, Reading& reading);

}  // namespace writhe::scene_file
