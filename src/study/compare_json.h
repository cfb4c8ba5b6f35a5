// A comparison as JSON: what `writhe compare` prints and keeps; docs/outputs.md documents the fields.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "study/compare.h"

namespace writhe::study {

struct CompareHeading {
  std::string path;                    // of the scene
  std::vector<std::string> overrides;  // as for --set
  int threads = 0;
};

nlohmann::ordered_json to_json(const Comparison& comparison, const CompareHeading& heading);
// The shapes of the reference and of each method in the scene as it is, for the page: at all times that were looked at, or at
// fewer where that would be too much for a page.
nlohmann::ordered_json shapes_json(const Comparison& comparison);

}  // namespace writhe::study
