// Every experiment there is. A new one: a folder experiments/<name>/ whose experiment.cpp defines the function, its
// declaration here, its line in registry.cpp.
#pragma once

#include <vector>

#include "study/experiment.h"

namespace writhe::experiments {

study::Experiment cantilever_gravity();
study::Experiment cantilever_ribbon();
study::Experiment cantilever_tip_load();
study::Experiment column_buckling();
study::Experiment driven_clamp();
study::Experiment elastica_buckling();
study::Experiment greenhill();
study::Experiment hanging_rod();
study::Experiment helical_buckling();
study::Experiment junctions();
study::Experiment links();
study::Experiment michell_ring();
study::Experiment pd_bending();
study::Experiment pd_compare();
study::Experiment pd_curl();
study::Experiment pd_motion();
study::Experiment pd_published();
study::Experiment pd_recovery();
study::Experiment pd_stability();
study::Experiment pd_static();
study::Experiment pd_twist();
study::Experiment steel_fall();
study::Experiment twist_energy();
study::Experiment vibration();

}  // namespace writhe::experiments

namespace writhe::study {

std::vector<Experiment> all_experiments();

}  // namespace writhe::study
