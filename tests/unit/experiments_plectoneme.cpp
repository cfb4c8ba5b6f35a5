// The law of the plectoneme of a rod that stretches and shears (experiments/plectoneme/law.h), by what it is derived from
// (docs/theory/plectoneme.md): its energy is stationary and that of the tails, by differences. And its limit, the published law.
#include <cmath>

#include <gtest/gtest.h>

#include "../../experiments/plectoneme/law.h"
#include "math/rotation.h"
#include "writhe/error.h"

namespace writhe::experiments::plectoneme {
namespace {

constexpr double radius = 1.55e-3;  // m

// Of rubber: E 1.3 MPa, nu 0.5.
Cord rubber() {
  const double young = 1.3e6, area = pi * radius * radius;
  return {young * area, young * area / 3, young * area * radius * radius / 4};
}

// J/m: what a strand stores, less the work of the moment.
double energy(const Cord& cord, double moment, double turn, double rise, double inclination) {
  const double sine = std::sin(inclination), cosine = std::cos(inclination);
  const double stretch = radius * turn * sine + rise * cosine - 1, shear = radius * turn * cosine - rise * sine;
  return 0.5 * (cord.EA * stretch * stretch + cord.GA * shear * shear + cord.EI * turn * turn * sine * sine) -
         moment * turn * cosine;
}

TEST(ExperimentsPlectoneme, HasTheStationaryEnergyOfItsTails) {
  const Cord cord = rubber();
  for (const double angle : {0.2, 0.35, 0.48}) {
    const Strands at = extensible_law(cord, radius, angle);
    EXPECT_NEAR(std::atan2(radius * at.turn, at.rise), angle, 1e-12);
    EXPECT_LT(at.inclination, angle);
    const auto phi = [&](double turn, double rise, double inclination) {
      return energy(cord, at.tails.moment, at.turn * turn, at.rise * rise, at.inclination * inclination);
    };
    // Central differences of second order by a step of 1e-4 of each: their error is third derivatives, no more than EA, by 1e-8.
    const double step = 1e-4, error = 1e-8 * cord.EA;
    EXPECT_NEAR((phi(1 + step, 1, 1) - phi(1 - step, 1, 1)) / (2 * step), 0, error);
    EXPECT_NEAR((phi(1, 1 + step, 1) - phi(1, 1 - step, 1)) / (2 * step), 0, error);
    EXPECT_NEAR((phi(1, 1, 1 + step) - phi(1, 1, 1 - step)) / (2 * step), 0, error);
    const double F = at.tails.force;
    EXPECT_NEAR(phi(1, 1, 1), -F - 0.5 * F * F / cord.EA, 1e-12 * cord.EA);
  }
}

TEST(ExperimentsPlectoneme, IsThePublishedLawOfStiffCords) {
  Cord cord = rubber();
  const double stiffer = 1e6;
  cord.EA *= stiffer;
  cord.GA *= stiffer;
  for (const double angle : {0.1, 0.3, 0.45, 0.6}) {
    const Tails published = inextensible_law(cord.EI, radius, angle), tails = extensible_law(cord, radius, angle).tails;
    // Strains are below 1e-5, and F changes by some ten times as much where tan 2 alpha is largest.
    EXPECT_NEAR(tails.force / published.force, 1, 1e-4) << angle;
    EXPECT_NEAR(tails.moment / published.moment, 1, 1e-4) << angle;
  }
}

TEST(ExperimentsPlectoneme, NoneIsSteeperThanAQuarterTurn) {
  Cord cord = rubber();
  cord.EA *= 1e6;
  cord.GA *= 1e6;
  EXPECT_THROW(extensible_law(cord, radius, 0.8), Error);
}

}  // namespace
}  // namespace writhe::experiments::plectoneme
