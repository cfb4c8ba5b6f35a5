#include "study/registry.h"

namespace writhe::study {

std::vector<Experiment> all_experiments() {
  return {
      experiments::cantilever_gravity(),
      experiments::cantilever_ribbon(),
      experiments::driven_clamp(),
      experiments::steel_fall(),
  };
}

}  // namespace writhe::study
