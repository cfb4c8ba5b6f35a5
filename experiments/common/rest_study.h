// A scene run until it rests, by the method and the steps it names itself.
#pragma once

#include <string>
#include <vector>

#include "writhe/simulation.h"

namespace writhe::experiments {

// `overrides` as for --set. Throws Error with the cause when it does not come to rest.
Simulation settled(const std::string& scene_file, const std::vector<std::string>& overrides, const SettleOptions& options = {});

}  // namespace writhe::experiments
