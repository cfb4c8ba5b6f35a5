// Materials that a scene may name without giving their numbers.
#pragma once

#include <string>
#include <vector>

#include "writhe/scene.h"

namespace writhe {

struct MaterialPreset {
  Material material;
  std::string what;    // what the numbers were measured on, or stand for
  std::string source;  // where they come from
  std::string note;    // how far other samples lie from them; empty: not far
};

const std::vector<MaterialPreset>& material_presets();
std::vector<std::string> material_preset_names();

}  // namespace writhe
