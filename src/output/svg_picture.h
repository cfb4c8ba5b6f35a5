// Pictures of states as SVG text: one shape, or several over time.
#pragma once

#include <span>
#include <string>

#include "measure/measure.h"
#include "output/svg_view.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::output {

// How several states share a picture: on top of each other, earlier ones paler; or side by side.
enum class Strip { automatic, overlay, panels };

struct PictureOptions {
  View view = View::xz;
  measure::Field color = measure::Field::none;
  Strip strip = Strip::automatic;
  std::string title;
  bool gravity = true;  // arrow, where there is gravity
  double width = 960;   // px, at most
  int pieces = 9000;    // of rods in the whole picture: bounds the size of the file, about 150 bytes a piece
};

// The scene's view, colour and title. Throws Error when they are not known.
PictureOptions picture_options(const Scene& scene);

// States in order of time, at least one. Lengths are to scale along the picture; rods have their true thickness but at least
// 1.6 px. Throws Error when a state is not finite or does not belong to the model.
std::string draw_svg(const Model& model, std::span<const State> states, const PictureOptions& options);

}  // namespace writhe::output
