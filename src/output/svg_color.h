// Colours of rods and of fields.
#pragma once

#include <string>

namespace writhe::output {

struct Color {
  double r = 0, g = 0, b = 0;  // sRGB, 0 to 1
  std::string hex() const;     // "#rrggbb"
};
Color mix(const Color& a, const Color& b, double t);  // t: share of b
double luminance(const Color& color);                 // 0 black to 1 white

// Viridis at t in [0, 1]: dark blue over green to yellow, even steps to the eye, readable in grey and by colour-blind people.
Color viridis(double t);
// The colour of the i-th rod where no field is shown.
Color rod_color(int rod);

inline constexpr Color black{0, 0, 0}, white{1, 1, 1};

}  // namespace writhe::output
