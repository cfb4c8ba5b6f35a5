// Pictures and plots that several experiments make the same way; the report shows them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "study/experiment.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::experiments {

// What `writhe run` would draw of these states, coloured and seen as the scene of the model says, with several on top of each
// other or side by side.
void draw(study::Result& result, const std::string& title, const Model& model, std::span<const State> states);
void draw(study::Result& result, const std::string& title, const Model& model, const State& state);

// An error over the number of segments, log-log, with the slope it is expected to have.
study::Plot error_plot(const std::string& title, const std::string& error, std::vector<study::Series> series, int order);

}  // namespace writhe::experiments
