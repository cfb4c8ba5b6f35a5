#include "study/registry.h"

namespace writhe::study {

std::vector<Experiment> all_experiments() {
#define WRITHE_CALL(name) experiments::name::experiment(),
  return {WRITHE_EACH_EXPERIMENT(WRITHE_CALL)};
#undef WRITHE_CALL
}

}  // namespace writhe::study
