// What stands around the rods: supports, axes, scale bar, gravity, legend.
#pragma once

#include <string>
#include <vector>

#include "measure/measure.h"
#include "output/svg_color.h"
#include "output/svg_view.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::output {

// A support as it is drawn: a pin is a triangle under its node, one that leaves coordinates free stands on rollers, a clamp is
// a hatched block behind the end of the rod (around it when the rod goes on).
struct SupportMark {
  enum class Kind { pin, roller, clamp } kind = Kind::pin;
  int node = 0;
  Point at{};             // px
  Point outward{};        // unit, away from the rod; zero when the rod goes on or runs along the view
  double half_width = 0;  // px, of the rod here
};
std::vector<SupportMark> support_marks(const Model& model, const State& state, const Camera& camera);
std::string draw_support(const SupportMark& mark);

// A link as a thin line between its ends: a spring in a zigzag, a tether straight, and dashed while it is slack.
std::string draw_links(const Model& model, const State& state, const Camera& camera);

// Bottom row, from the left: each returns its SVG and moves `x` to its right edge.
std::string draw_axes(const Camera& camera, double& x, double y);
std::string draw_scale_bar(const Camera& camera, double& x, double y);
// Empty when there is no gravity or it runs along the view.
std::string draw_gravity(const Camera& camera, const Vec3& gravity, double& x, double y);

// Colours for the values of a field. A field that varies by less than 0.2% counts as constant and gets the middle of the map.
struct ColorScale {
  measure::Field field = measure::Field::none;
  double least = 0, most = 0;
  void include(double value);
  bool constant() const;
  Color at(double value) const;

 private:
  bool m_empty = true;
};
// Bar with ticks, its right end at `right`.
std::string draw_legend(const ColorScale& scale, double right, double y);
std::string legend_gradient();  // definition it refers to

}  // namespace writhe::output
