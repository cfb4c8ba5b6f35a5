#include "study/experiment_json.h"

#include <nlohmann/json.hpp>

namespace writhe::study {

using nlohmann::ordered_json;

namespace {
ordered_json to_json(const Expectation& expectation) {
  ordered_json out = ordered_json::object();
  const auto put = [&out](const char* key, const std::optional<double>& number) {
    if (number) out[key] = *number;
  };
  put("value", expectation.value);
  put("abs", expectation.abs);
  put("rel", expectation.rel);
  put("min", expectation.min);
  put("max", expectation.max);
  out["source"] = expectation.source;
  return out;
}
}  // namespace

ordered_json to_json(const Experiment& experiment) {
  return {{"name", experiment.name},
          {"title", experiment.title},
          {"source", experiment.source},
          {"slow", experiment.slow},
          {"items", experiment.items}};
}

ordered_json to_json(const Experiment& experiment, const Result& result) {
  ordered_json measured = ordered_json::object(), expected = ordered_json::object();
  for (const auto& [key, value] : result.measured) measured[key] = value;  // NaN and infinities are written as null
  for (const auto& [key, expectation] : result.expected) expected[key] = to_json(expectation);
  return {{"name", experiment.name},         {"title", experiment.title}, {"source", experiment.source},
          {"passed", result.passed()},       {"seconds", result.seconds}, {"measured", std::move(measured)},
          {"expected", std::move(expected)}, {"notes", result.notes}};
}

ordered_json to_illustrated_json(const Experiment& experiment, const Result& result) {
  ordered_json out = to_json(experiment);
  out.update(to_json(experiment, result));
  out["plots"] = ordered_json::array();
  for (const Plot& plot : result.plots) out["plots"].push_back(to_json(plot));
  out["pictures"] = ordered_json::array();
  for (const Drawing& drawing : result.drawings) out["pictures"].push_back(to_json(drawing));
  return out;
}

}  // namespace writhe::study
