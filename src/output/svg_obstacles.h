// Obstacles as they are drawn: surfaces in pale grey behind the rods, cut off at the edge of the picture.
#pragma once

#include <string>

#include "output/svg_view.h"
#include "writhe/model.h"

namespace writhe::output {

// frame: px, outside of which nothing is drawn. time: s, for those that move.
std::string draw_obstacles(const Model& model, double time, const Camera& camera, const Rect& frame);
// Widens what a picture shows (m, as Camera::direction has it) by obstacles that are not much larger than it is.
void include_obstacles(const Model& model, double time, const Camera& camera, Rect& extent);

}  // namespace writhe::output
