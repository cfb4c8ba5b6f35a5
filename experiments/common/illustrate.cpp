#include "illustrate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "io/svg_picture.h"

namespace writhe::experiments {

void draw(study::Result& result, const std::string& title, const Model& model, std::span<const State> states) {
  io::PictureOptions options = io::picture_options(model.scene());
  options.title.clear();  // the report prints its own
  options.pieces = 2000;
  result.drawings.push_back({title, io::draw_svg(model, states, options)});
}

void draw(study::Result& result, const std::string& title, const Model& model, const State& state) {
  draw(result, title, model, std::span(&state, 1));
}

study::Plot error_plot(const std::string& title, const std::string& error, std::vector<study::Series> series, int order) {
  double coarse = std::numeric_limits<double>::infinity(), fine = 0, level = 0;
  for (const study::Series& one : series) {
    for (const auto& [n, value] : one.points) {
      if (n < coarse) level = value;
      coarse = std::min(coarse, n);
      fine = std::max(fine, n);
    }
  }
  if (fine > coarse) {
    const double fall = std::pow(coarse / fine, order);
    series.push_back({fmt::format("slope -{}", order), {{coarse, level}, {fine, level * fall}}, true, false, true});
  }
  return {.title = title, .x = {"segments", true}, .y = {error, true}, .series = std::move(series)};
}

}  // namespace writhe::experiments
