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
  contact,
  total_twist,
  writhe,
  link,
  contact_force
};
inline constexpr std::array<std::string_view, 15> probe_field_names{
    "position", "velocity",        "frame",   "tension",     "shear",  "moment", "curvature",    "twist",
    "reaction", "reaction_moment", "contact", "total_twist", "writhe", "link",   "contact_force"};

// Of a place that a support holds.
inline bool needs_support(std::string_view field) { return field.starts_with("reaction"); }

// How the whole rod winds, wherever on it the place is.
inline bool is_winding(ProbeField field) { return field >= ProbeField::total_twist && field <= ProbeField::link; }

inline bool is_of_contact(ProbeField field) { return field == ProbeField::contact || field == ProbeField::contact_force; }

}  // namespace writhe
