// Every experiment there is. A new one: a folder experiments/<name>/ whose experiment.cpp defines the function in a namespace of
// the same name, and its line here.
#pragma once

#include <vector>

#include "study/experiment.h"

#define WRITHE_EACH_EXPERIMENT(X) \
  X(cantilever_gravity)           \
  X(cantilever_ribbon)            \
  X(cantilever_tip_load)          \
  X(column_buckling)              \
  X(contact_crossing)             \
  X(contact_heap)                 \
  X(contact_lift)                 \
  X(contact_line)                 \
  X(contact_rest)                 \
  X(corner)                       \
  X(driven_clamp)                 \
  X(elastica_buckling)            \
  X(end_forces)                   \
  X(flutter)                      \
  X(greenhill)                    \
  X(hanging_rod)                  \
  X(helical_buckling)             \
  X(junctions)                    \
  X(links)                        \
  X(michell_ring)                 \
  X(pd_bending)                   \
  X(pd_compare)                   \
  X(pd_curl)                      \
  X(pd_motion)                    \
  X(pd_published)                 \
  X(pd_recovery)                  \
  X(pd_stability)                 \
  X(pd_static)                    \
  X(pd_twist)                     \
  X(plectoneme)                   \
  X(steel_fall)                   \
  X(strip_buckling)               \
  X(twist_energy)                 \
  X(vibration)

namespace writhe::experiments {

#define WRITHE_DECLARE(name)      \
  namespace name {                \
  study::Experiment experiment(); \
  }
WRITHE_EACH_EXPERIMENT(WRITHE_DECLARE)
#undef WRITHE_DECLARE

}  // namespace writhe::experiments

namespace writhe::study {

std::vector<Experiment> all_experiments();

}  // namespace writhe::study
