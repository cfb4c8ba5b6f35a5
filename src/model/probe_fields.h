// What a probe may measure: the words of output.probes[].fields.
#pragma once

#include <array>
#include <string_view>

namespace writhe {

enum class ProbeField { position, velocity, frame, tension, shear, moment, curvature, twist, reaction, reaction_moment };
inline constexpr std::array<std::string_view, 10> probe_field_names{
    "position", "velocity", "frame", "tension", "shear", "moment", "curvature", "twist", "reaction", "reaction_moment"};

// Of a place that a support holds.
inline bool needs_support(std::string_view field) { return field.starts_with("reaction"); }

}  // namespace writhe
