// What a probe may measure: the words of output.probes[].fields.
#pragma once

#include <array>
#include <string_view>

namespace writhe {

enum class ProbeField {
  position,
  velocity,
  frame,
  tension,
  shear,
  moment,
  curvature,
  twist,
  reaction,
  reaction_moment,
  total_twist,
  writhe,
  link
};
inline constexpr std::array<std::string_view, 13> probe_field_names{
    "position", "velocity", "frame",           "tension",     "shear",  "moment", "curvature",
    "twist",    "reaction", "reaction_moment", "total_twist", "writhe", "link"};

// Of a place that a support holds.
inline bool needs_support(std::string_view field) { return field.starts_with("reaction"); }

// Of the whole rod, wherever on it the place is.
inline bool is_of_rod(ProbeField field) { return field >= ProbeField::total_twist; }

}  // namespace writhe
