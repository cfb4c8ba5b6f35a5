// Numbers and words as an SVG file spells them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "output/svg_view.h"

namespace writhe::output {

std::string px(double value);                       // two decimals, no trailing zeros
std::string px(Point p);                            // "x y"
std::string polygon(const std::vector<Point>& p);   // path data, closed
std::string polyline(const std::vector<Point>& p);  // path data, open
std::string escaped(std::string_view text);         // for element text and attributes; bytes that XML forbids are dropped

enum class Anchor { start, middle, end };
// A text element in the picture's font; colour and weight come from the group.
std::string text_at(Point p, std::string_view text, double size, Anchor anchor);
double text_width(std::string_view text, double size);  // px, an estimate
// The text, or as many of its characters as fit into `room` px with an ellipsis after them.
std::string shortened(std::string_view text, double size, double room);

// 1, 2 or 5 times a power of ten, the largest not above `limit` (> 0).
double round_below(double limit);
std::string length_text(double metres);                  // "0.2 m", "5 mm"
std::string short_number(double value, int digits = 4);  // significant digits at most, no needless zeros

}  // namespace writhe::output
