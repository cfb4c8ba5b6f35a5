// What the scenes of the benchmarks are made of: round rubber rods, and pins.
#pragma once

#include <string>

#include "writhe/scene.h"

namespace writhe::bench {

// A scene without rods, but with the rubber (E 1 MPa, nu 0.5, rho 1300 kg/m^3) and the section (radius in m) of those to come.
Scene rubber_scene(double radius);

// Straight, without stress.
void add_rod(Scene& scene, const std::string& name, const LineShape& line, int segments);

// The support, to be moved.
Support& add_support(Scene& scene, Support::Kind kind, const Place& place);

// Rods of 0.5 m side by side, clamped at one end, fall from horizontal: the rod of Fig. 8a of the paper on pd, r 8 mm, E 1 MPa,
// nu 0.5, rho 4300 kg/m^3, dt 1 ms.
Scene falling_rods(int rods, int segments);

// A cord of radius 3 mm, `rod`, built straight between two pins 1 m apart; the second is carried to `distance` (m) within 1 s.
Scene carried_rod(int segments, double distance);

}  // namespace writhe::bench
