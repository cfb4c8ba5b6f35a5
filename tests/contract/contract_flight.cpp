// Nothing holds a thrown rod: its linear momentum stays to rounding, its angular momentum too or to the order of the integrator.
#include <cmath>

#include "contract/contract.h"
#include "contract/contract_scenes.h"
#include "measure/measure.h"

using namespace writhe;
using namespace writhe::test;

namespace {

constexpr Vec3 force_per_length{200, -100, 300};  // N/m, at its largest
constexpr double thrown = 0.05, landed = 0.25;    // s: no load after the first, measured until the second

// An arc with a twist that it would rather not have, thrown and spun by loads that end. They rise and fall over many steps, so
// that it is thrown nearly alike whatever the step. Stiff enough that its vibrations die down instead of hiding the order.
Scene thrown_ribbon() {
  Scene scene = ribbon(12);
  scene.materials[0].young = 1e8;
  scene.sections = {{"section", RectangleSection{0.05, 0.03}}};
  scene.rods[0].centreline = ArcShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.5, 1.5};
  scene.rods[0].d1 = Vec3{0, 0, 1};
  scene.rods[0].rest = AsBuiltRest{};
  scene.rods[0].initial_twist = 0.2;
  const Ramp push{{{0, 0}, {thrown / 2, 1}, {thrown, 0}}};
  load(scene, LineLoad{"rod", force_per_length}, push);
  load(scene, MomentLoad{Place::parse("rod@0.5"), {20, 10, 30}, false}, push);
  load(scene, MomentLoad{Place::parse("rod.start"), {-5, 10, 5}, false}, push);
  return scene;
}

struct Drift {
  double linear = 0, angular = 0;  // largest over the flight, of what there was at its start
};

template <class Start>
Drift fly(const Start& start, double dt) {
  Simulation simulation = start(thrown_ribbon());
  const auto momentum = [&] { return measure::momentum(simulation.model(), simulation.state()); };
  take_steps(simulation, static_cast<int>(std::lround(thrown / dt)), dt);
  const measure::Momentum before = momentum();
  const Vec3 impulse = (simulation.model().rods()[0].length * thrown / 2) * force_per_length;
  EXPECT_LT(norm(before.linear - impulse), tolerance::linear_momentum * norm(impulse))
      << "it was thrown otherwise than the loads say";
  EXPECT_GT(norm(before.angular), 0.1) << "kg m^2/s: it was not spun";
  Drift largest;
  for (int k = static_cast<int>(std::lround((landed - thrown) / dt)); k > 0; --k) {
    take_steps(simulation, 1, dt);
    const measure::Momentum now = momentum();
    largest.linear = std::max(largest.linear, norm(now.linear - before.linear) / norm(before.linear));
    largest.angular = std::max(largest.angular, norm(now.angular - before.angular) / norm(before.angular));
  }
  return largest;
}

constexpr double coarse_dt = 2e-4;  // s

using Flight = Keeps<Property::flight>;

TEST_P(Flight, AThrownRodKeepsItsLinearMomentum) {
  for (const double dt : {coarse_dt, coarse_dt / 2, coarse_dt / 4})
    EXPECT_LT(fly([this](const Scene& scene) { return start(scene); }, dt).linear, tolerance::linear_momentum) << dt;
}

using Spin = Keeps<Property::spin>;

TEST_P(Spin, AThrownRodKeepsItsAngularMomentum) {
  const auto drift = [this](double dt) { return fly([this](const Scene& scene) { return start(scene); }, dt).angular; };
  const bool kept = GetParam().integrator_info.keeps_angular_momentum;
  const double coarse = drift(coarse_dt), middle = drift(coarse_dt / 2), fine = drift(coarse_dt / 4);
  for (const double largest : {coarse, middle, fine})
    EXPECT_LT(largest, kept ? tolerance::kept_angular_momentum : tolerance::angular_momentum);
  if (kept) return;
  const double order = GetParam().integrator_info.order;
  EXPECT_NEAR(std::log2(coarse / middle), order, tolerance::order) << coarse << " " << middle;
  EXPECT_NEAR(std::log2(middle / fine), order, tolerance::order) << middle << " " << fine;
}

WRITHE_EVERY_SOLVER(Flight);
WRITHE_EVERY_SOLVER(Spin);

}  // namespace
