// What a study shows besides numbers: curves, and drawings of rods. How they look is the page's business (web/common/plot.ts).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace writhe::study {

struct Axis {
  std::string label;  // with its unit
  bool log = false;
};

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points;  // in the order in which a line joins them
  bool line = true, marks = true;
  bool dashed = false;
};

struct Plot {
  std::string title;
  Axis x, y;
  std::vector<Series> series = {};
  bool equal = false;  // the same scale on both axes: a shape
  std::string note = {};
};

struct Drawing {
  std::string title;
  std::string svg;  // a document
};

// docs/architecture.md says where they go. A number that is not finite becomes null.
nlohmann::ordered_json to_json(const Plot& plot);
nlohmann::ordered_json to_json(const Drawing& drawing);

}  // namespace writhe::study
