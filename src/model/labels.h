// Supports and loads by short names: what tables and messages call them.
#pragma once

#include <string>
#include <vector>

#include "writhe/scene.h"

namespace writhe {

// "clamp rope.start", "pin rope@0.5"
std::string label_of(const Support& support);
// "force rope.end", "moment rope.end"; of loads along rods "line rope", "wind" (of every rod), ...
std::string label_of(const Load& load);

// One each, all different: the second of the same name ends in " #2".
std::vector<std::string> support_labels(const Scene& scene);
std::vector<std::string> load_labels(const Scene& scene);

}  // namespace writhe
