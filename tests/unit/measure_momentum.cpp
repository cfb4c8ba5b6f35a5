// Momentum of rods that move as rigid bodies, against the formulas of a bar.
#include <cmath>

#include <gtest/gtest.h>

#include "measure/measure.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

// The state in which every point moves as part of one body: v = velocity + spin x position.
State rigid(const Model& model, const Vec3& velocity, const Vec3& spin) {
  State state = model.initial_state();
  for (std::size_t i = 0; i < state.x.size(); ++i) state.v[i] = velocity + cross(spin, state.x[i]);
  for (std::size_t i = 0; i < state.q.size(); ++i) state.w[i] = rotate_back(state.q[i], spin);
  return state;
}

void expect_near(const Vec3& found, const Vec3& expected) {
  EXPECT_LT(norm(found - expected), 1e-13 * (1 + norm(expected))) << found.x << " " << found.y << " " << found.z;
}

}  // namespace

TEST(Momentum, OfABarThatFliesAndSpinsAboutItsStart) {
  const Cord cord{.radius = 0.05, .segments = 8};
  const Model model(cord.scene());
  const double mass = cord.linear_density() * cord.length;
  const Vec3 middle{cord.length / 2, 0, 0}, velocity{1, -2, 3}, spin{4, 5, 6};
  const measure::Momentum momentum = measure::momentum(model, rigid(model, velocity, spin));
  expect_near(momentum.linear, mass * (velocity + cross(spin, middle)));

  // Lumped masses integrate x^2 by the trapezoidal rule: 1/3 + 1/(6 N^2). The section adds its own inertia.
  const double N = cord.segments, section = cord.linear_density() * cord.length * cord.radius * cord.radius / 4;
  const double across = mass * cord.length * cord.length * (1.0 / 3 + 1 / (6 * N * N)) + section, along = 2 * section;
  expect_near(momentum.angular, mass * cross(middle, velocity) + scale(Vec3{along, across, across}, spin));
}

TEST(Momentum, OfARodAtRestIsZero) {
  const Model model(Cord{}.scene());
  const measure::Momentum momentum = measure::momentum(model, model.initial_state());
  EXPECT_EQ(momentum.linear, (Vec3{0, 0, 0}));
  EXPECT_EQ(momentum.angular, (Vec3{0, 0, 0}));
}
