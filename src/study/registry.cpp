#include "study/registry.h"

namespace writhe::study {

std::vector<Experiment> all_experiments() {
  return {
      experiments::cantilever_gravity(),
      experiments::cantilever_ribbon(),
      experiments::cantilever_tip_load(),
      experiments::column_buckling(),
      experiments::driven_clamp(),
      experiments::elastica_buckling(),
      experiments::greenhill(),
      experiments::hanging_rod(),
      experiments::helical_buckling(),
      experiments::junctions(),
      experiments::links(),
      experiments::michell_ring(),
      experiments::pd_bending(),
      experiments::pd_compare(),
      experiments::pd_curl(),
      experiments::pd_motion(),
      experiments::pd_published(),
      experiments::pd_recovery(),
      experiments::pd_stability(),
      experiments::pd_static(),
      experiments::pd_twist(),
      experiments::steel_fall(),
      experiments::twist_energy(),
      experiments::vibration(),
  };
}

}  // namespace writhe::study
