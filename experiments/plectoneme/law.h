// What the tails of a plectoneme pull and turn with, by the radius and the angle of its superhelix. Derived in
// docs/theory/plectoneme.md.
#pragma once

namespace writhe::experiments::plectoneme {

// Of a round rod.
struct Cord {
  double EA = 0, GA = 0;  // N
  double EI = 0;          // N m^2
};

struct Tails {
  double force = 0, moment = 0;  // N, N m
};

// Of a rod that neither stretches nor shears. `radius` in m: of the superhelix; `angle` in rad: between strands and its axis,
// below pi/4.
Tails inextensible_law(double bending, double radius, double angle);

// The strands of the plectoneme, by rest arc length.
struct Strands {
  double turn = 0, rise = 0;  // rad/m about the axis of the superhelix, m/m along it
  double inclination = 0;     // rad, of the material frame's d3 to that axis
  Tails tails;
};
// Of one that does. Throws Error where no plectoneme has that angle.
Strands extensible_law(const Cord& cord, double radius, double angle);

}  // namespace writhe::experiments::plectoneme
