// Results of experiments as JSON; experiments/README.md documents the fields.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "study/experiment.h"

namespace writhe::study {

nlohmann::ordered_json to_json(const Experiment& experiment);  // name, title, source, slow, items
nlohmann::ordered_json to_json(const Experiment& experiment, const Result& result);
// With plots and pictures, as the report keeps it.
nlohmann::ordered_json to_illustrated_json(const Experiment& experiment, const Result& result);

}  // namespace writhe::study
