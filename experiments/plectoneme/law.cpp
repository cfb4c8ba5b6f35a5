#include "law.h"

#include <cmath>

#include <fmt/format.h>

#include "math/rotation.h"
#include "writhe/error.h"

namespace writhe::experiments::plectoneme {

Tails inextensible_law(double bending, double radius, double angle) {
  const double sine = std::sin(angle), cube = sine * sine * sine;
  Tails out;
  out.force = bending / (radius * radius) * cube * (std::cos(angle) * std::tan(2 * angle) - 0.5 * sine);
  out.moment = 2 / std::sin(2 * angle) * (0.5 * bending * cube * sine / radius + radius * out.force);
  return out;
}

Strands extensible_law(const Cord& cord, double radius, double angle) {
  // Begins with the inextensible cord and takes strains of the last round. A third of what is off remains of a round where shear
  // is a tenth.
  constexpr int most_rounds = 500;
  constexpr double close = 1e-13;
  double inclination = angle, length = 1;  // the latter m/m: of the centreline
  for (int round = 0; round < most_rounds && inclination > 0 && angle + inclination < 0.5 * pi; ++round) {
    const double sine = std::sin(inclination), cosine = std::cos(inclination), turn = length * std::sin(angle) / radius;
    const double hoop = cord.EI * turn * turn * sine / (length * std::cos(angle + inclination));  // N
    const double stretch = hoop * sine / cord.EA, shear = hoop * cosine / cord.GA;
    const double next_inclination = angle - std::atan2(shear, 1 + stretch), next_length = std::hypot(1 + stretch, shear);
    const double left = std::abs(next_inclination - inclination) + std::abs(next_length - length);
    inclination = next_inclination;
    length = next_length;
    if (left > close) continue;
    const double bend = turn * sine;
    const double density =
        hoop * sine + 0.5 * (cord.EA * stretch * stretch + cord.GA * shear * shear + cord.EI * bend * bend);  // J/m
    return {turn,
            length * std::cos(angle),
            inclination,
            {cord.EA * (std::sqrt(1 + 2 * density / cord.EA) - 1), (cord.EI * bend * sine + radius * hoop) / cosine}};
  }
  throw Error("angle", fmt::format("{:.4g}", angle), "no plectoneme of this cord and radius has that angle");
}

}  // namespace writhe::experiments::plectoneme
