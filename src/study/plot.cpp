#include "study/plot.h"

#include <nlohmann/json.hpp>

namespace writhe::study {

using nlohmann::ordered_json;

namespace {
ordered_json to_json(const Axis& axis) { return {{"label", axis.label}, {"log", axis.log}}; }

ordered_json to_json(const Series& series) {
  ordered_json points = ordered_json::array();
  for (const auto& [x, y] : series.points) points.push_back(ordered_json::array({x, y}));
  return {{"name", series.name},
          {"points", std::move(points)},
          {"line", series.line},
          {"marks", series.marks},
          {"dashed", series.dashed}};
}
}  // namespace

ordered_json to_json(const Plot& plot) {
  ordered_json series = ordered_json::array();
  for (const Series& one : plot.series) series.push_back(to_json(one));
  ordered_json out{{"title", plot.title}, {"x", to_json(plot.x)}, {"y", to_json(plot.y)}, {"series", std::move(series)}};
  if (plot.equal) out["equal"] = true;
  if (!plot.note.empty()) out["note"] = plot.note;
  return out;
}

ordered_json to_json(const Drawing& drawing) { return {{"title", drawing.title}, {"svg", drawing.svg}}; }

}  // namespace writhe::study
