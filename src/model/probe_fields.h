// What a probe may measure: the words of output.probes[].fields.
#pragma once

#include <array>
#include <string_view>

namespace writhe {

enum class ProbeField { position, velocity, frame, tension, shear, moment, curvature, twist };
inline constexpr std::array<std::string_view, 8> probe_field_names{"position", "velocity", "frame",     "tension",
                                                                   "shear",    "moment",   "curvature", "twist"};

}  // namespace writhe
