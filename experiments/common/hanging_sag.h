// The sag of a rod that hangs between two pins, by the boundary value problem of experiments/hanging-rod.
#pragma once

#include <string>

namespace writhe::experiments {

// A round rod of length 1 m, pinned at both ends at the same height.
struct Hanging {
  int radius_mm = 0, young_mpa = 0;
  int distance_cm = 0;  // between the pins

  std::string key() const;  // sag_r2_E1_d75_m
};

// Height of the middle above the pins, m. Throws where it was not solved for.
double reference_sag(const Hanging& rod);
// Where it comes from.
std::string sag_source();

}  // namespace writhe::experiments
