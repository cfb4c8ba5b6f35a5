// Every experiment there is. A new one: a folder experiments/<name>/ whose experiment.cpp defines the function, its
// declaration here, its line in registry.cpp.
#pragma once

#include <vector>

#include "study/experiment.h"

namespace writhe::experiments {

study::Experiment cantilever_gravity();
study::Experiment cantilever_ribbon();
study::Experiment driven_clamp();
study::Experiment steel_fall();

}  // namespace writhe::experiments

namespace writhe::study {

std::vector<Experiment> all_experiments();

}  // namespace writhe::study
