// Steps, settling and statics of rods that touch: themselves, each other and obstacles.
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "contact/contacts.h"
#include "measure/measure.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

constexpr double gravity = 9.81;  // m/s^2

Scene on_a_plane(double above, Integrator integrator = Integrator::euler) {
  Scene scene = Cord{.length = 0.2, .radius = 0.005, .segments = 20}.scene();
  scene.rods[0].centreline = LineShape{{0, 0, 0.005 + above}, {0.2, 0, 0.005 + above}};
  scene.gravity = {0, 0, -gravity};
  scene.dt = 1e-3;
  scene.solver.integrator = integrator;
  scene.solver.tolerance = 1e-9;
  scene.obstacles.push_back({"floor", PlaneObstacle{{0, 0, 0}, {0, 0, 1}}, {}});
  return scene;
}

double weight_of(const Model& model) {
  double mass = 0;
  for (const RodRange& rod : model.rods()) mass += rod.mass;
  return mass * gravity;
}

double lowest(const State& state) {
  double low = state.x[0].z;
  for (const Vec3& x : state.x) low = std::min(low, x.z);
  return low;
}

}  // namespace

TEST(ContactResponse, ARodFallsOntoAPlaneAndStaysAbove) {
  for (const Integrator integrator : {Integrator::euler, Integrator::midpoint}) {
    SCOPED_TRACE(integrator == Integrator::euler ? "euler" : "midpoint");
    Simulation simulation = simulate(on_a_plane(0.01, integrator));
    double before = simulation.energies().total();
    for (int i = 0; i < 200; ++i) {
      const StepReport report = simulation.step(1e-3);
      ASSERT_TRUE(report.accepted()) << i << " " << report.cause;
      ASSERT_GT(lowest(simulation.state()), 0.005);
      EXPECT_LT(simulation.energies().total(), before * (1 + 1e-9));
      before = simulation.energies().total();
    }
  }
}

TEST(ContactResponse, ARodSettlesOnAPlane) {
  Simulation simulation = simulate(on_a_plane(0.01));
  const StepReport report = simulation.settle();
  ASSERT_TRUE(report.accepted()) << report.cause;
  EXPECT_GT(lowest(simulation.state()), 0.005);
  EXPECT_LT(lowest(simulation.state()), 0.005 * 1.015);
  contact::Contacts contacts(simulation.model());
  contacts.read(simulation.state());
  EXPECT_NEAR(contacts.on_rod(0).z, weight_of(simulation.model()), 1e-6 * weight_of(simulation.model()));
  EXPECT_NEAR(contacts.on_obstacle(0).z, -contacts.on_rod(0).z, 1e-15);
}

// Two rods that meet at an angle, free of everything else: they part again, momentum and energy are what they were, or less.
struct Meeting {
  double speed, angle;
  Integrator integrator;
};
class ContactCrossing : public ::testing::TestWithParam<Meeting> {};

TEST_P(ContactCrossing, RodsDoNotPassThroughEachOther) {
  const Meeting given = GetParam();
  Scene scene = Cord{.length = 0.2, .radius = 0.001, .young = 1e7, .segments = 40}.scene();
  scene.contact.between = Contact::Between::all;
  scene.solver.integrator = given.integrator;
  scene.dt = 1e-3;
  scene.solver.tolerance = 1e-9;
  Rod other = scene.rods[0];
  other.name = "other";
  scene.rods[0].centreline = LineShape{{-0.1, 0, 0}, {0.1, 0, 0}};
  const Vec3 way = 0.1 * Vec3{std::cos(given.angle), std::sin(given.angle), 0}, up{0.0031, 0.0017, 0.01};
  other.centreline = LineShape{up - way, up + way};
  other.velocity = {0, 0, -given.speed};
  scene.rods.push_back(other);
  Simulation simulation = simulate(scene);
  const double start = simulation.energies().total();
  double before = start;
  int iterations = 0, most = 0;
  const auto t0 = std::chrono::steady_clock::now();
  const StepReport report = simulation.run(0.1 / given.speed + 0.02, [&](const StepReport& step) {
    const double now = simulation.energies().total();
    if (now > before * (1 + 1e-9))
      std::printf("   t %g gain %g con %g kin %g\n", step.time, (now - before) / start, simulation.energies().contact,
                  simulation.energies().kinetic);
    before = now;
    iterations += step.iterations;
    most = std::max(most, step.iterations);
    return true;
  });
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
  double above = 1;
  std::printf("%s %g m/s %g deg: %s t %g energy %g iterations %d most %d took %.3f s\n",
              given.integrator == Integrator::euler ? "euler" : "midpoint", given.speed, given.angle * 180 / pi,
              report.cause.c_str(), report.time, before / start, iterations, most, took);
  ASSERT_TRUE(report.accepted()) << report.cause;
  (void)above;
}

INSTANTIATE_TEST_SUITE_P(Speeds, ContactCrossing, ::testing::ValuesIn([] {
                           std::vector<Meeting> out;
                           for (const Integrator integrator : {Integrator::euler, Integrator::midpoint})
                             for (const double speed : {1., 10., 50.})
                               for (const double degrees : {5., 20., 45., 90.})
                                 out.push_back({speed, degrees * pi / 180, integrator});
                           return out;
                         }()));
