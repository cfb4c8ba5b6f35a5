// Supports, loads and links by short names: what tables and messages call them.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "writhe/scene.h"

namespace writhe {

// "clamp rope.start", "pin rope@0.5"
std::string label_of(const Support& support);
// "force rope.end", "moment rope.end"; of loads along rods "line rope", "wind" (of every rod), ...
std::string label_of(const Load& load);

// "spring left.end right.end", "tether mast.end (0.8, 0, 1)"
std::string label_of(const Link& link);
std::string text_of(const std::variant<Place, Vec3>& end);

// One each, all different: the second of the same name ends in " #2".
std::vector<std::string> support_labels(const Scene& scene);
std::vector<std::string> load_labels(const Scene& scene);

}  // namespace writhe
