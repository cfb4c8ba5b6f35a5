// Times written next to the shapes of a motion, where there is room.
#pragma once

#include <span>
#include <string>

#include "output/svg_view.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::output {

std::string time_text(double seconds);  // "t = 0.25 s"

// The end of a rod that moves farthest over the states (any node, when there are only rings).
int labelled_node(const Model& model, std::span<const State> states, const Camera& camera);

// One label a state, latest first; a label that would cover a rod or another label is left out.
std::string draw_time_labels(const Model& model, std::span<const State> states, const Camera& camera, const Rect& canvas);

}  // namespace writhe::output
