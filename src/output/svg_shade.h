// How a round rod catches the light: gradients laid over its colour.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "output/svg_view.h"

namespace writhe::output {

// Light from above left, in picture components (right, up, toward the viewer).
Vec3 light_direction();
// Brightness of a matt surface, 1 for the plain colour; `cosine` of the angle between its normal and the light.
double matt(double cosine);

// Hands out templates: a unit rectangle (0..1 along the piece, -1..1 across it) and a unit disc, each filled with the colour of
// whoever uses it under a gradient across. Only those that were asked for are written.
class ShadeTable {
 public:
  struct Shade {
    std::string rect, disc, face;  // ids of the templates: side of a piece, its rounded far end, the flat end of a rod
    bool flip = false;             // whether +1 across is on the other side of the piece, so that it faces the light
  };
  // `along`: direction of the piece in the picture (unit); `half_width` in px.
  Shade shade(Point along, double half_width);
  std::string definitions() const;

  static constexpr double thin = 1.4;     // px: half width below which no gradient can be seen
  static constexpr double outline = 0.9;  // px of dark edge

 private:
  std::map<std::pair<int, int>, int> m_used;  // (width class, light class), number
};

}  // namespace writhe::output
