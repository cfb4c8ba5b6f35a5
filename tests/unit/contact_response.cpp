// Steps, settling and statics of rods that touch: themselves, each other and obstacles.
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "contact/contacts.h"
#include "measure/measure.h"
#include "measure/passing.h"
#include "simulation/checkpoint.h"
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

// Two rods that meet at an angle, free of everything else: they part again, momentum is what it was and energy no more.
namespace {

struct Encounter {
  double speed, degrees;  // m/s
  Integrator integrator;
  friend void PrintTo(const Encounter& one, std::ostream* out) {
    *out << one.speed << " m/s, " << one.degrees << " degrees" << (one.integrator == Integrator::midpoint ? ", midpoint" : "");
  }
};

class ContactEncounter : public ::testing::TestWithParam<Encounter> {};

}  // namespace

TEST_P(ContactEncounter, RodsDoNotPassThroughEachOther) {
  const Encounter given = GetParam();
  Scene scene = Cord{.length = 0.2, .radius = 0.001, .young = 1e7, .segments = 40}.scene();
  scene.contact.between = Contact::Between::all;
  scene.solver.integrator = given.integrator;
  scene.solver.tolerance = 1e-9;
  Rod other = scene.rods[0];
  other.name = "other";
  scene.rods[0].centreline = LineShape{{-0.1, 0, 0}, {0.1, 0, 0}};
  const double angle = given.degrees * pi / 180;
  const Vec3 way = 0.1 * Vec3{std::cos(angle), std::sin(angle), 0}, middle{0.0031, 0.0017, 0.01};
  other.centreline = LineShape{middle - way, middle + way};
  other.velocity = {0, 0, -given.speed};
  scene.rods.push_back(other);
  Simulation simulation = simulate(scene);
  const Model& model = simulation.model();
  measure::PassingCheck check(measure::edges_of(model));
  const double energy = simulation.energies().total();
  const Vec3 momentum = measure::momentum(model, simulation.state()).linear;
  std::vector<Vec3> from = simulation.state().x;
  bool touched = false;
  int passed = 0;
  while (simulation.state().time < 0.02 / given.speed + 0.01) {
    const StepReport report = simulation.step(1e-3);
    ASSERT_TRUE(report.accepted()) << report.cause;
    passed += static_cast<int>(check.between(from, simulation.state().x).size());
    from = simulation.state().x;
    const Energies energies = simulation.energies();
    touched = touched || energies.contact > 0;
    EXPECT_LE(energies.total(), energy * (1 + 1e-9));
  }
  EXPECT_TRUE(touched);
  EXPECT_EQ(passed, 0);
  EXPECT_LT(norm(measure::momentum(model, simulation.state()).linear - momentum), 1e-9 * norm(momentum));
}

INSTANTIATE_TEST_SUITE_P(Encounters, ContactEncounter,
                         ::testing::Values(Encounter{1, 20, Integrator::euler}, Encounter{1, 90, Integrator::euler},
                                           Encounter{10, 45, Integrator::euler}, Encounter{1, 45, Integrator::midpoint}),
                         [](const auto& one) { return std::to_string(one.index); });

// Rods that touch something each for itself, pushed on by the same obstacle, are islands side by side.
TEST(ContactResponse, IslandsThatAreLedGiveTheSameBitsOnAnyNumberOfThreads) {
  Scene scene = on_a_plane(1e-4);
  const Rod first = scene.rods[0];
  for (int i = 1; i < 8; ++i) {
    scene.rods.push_back(first);
    scene.rods.back().name = "rod" + std::to_string(i);
    scene.rods.back().centreline = LineShape{{0, 0.1 * i, 0.0051 + 1e-4 * i}, {0.2, 0.1 * i, 0.0051 + 1e-4 * i}};
  }
  Motion up;
  up.translate.keys = {{0, {}}, {1, {0, 0, 1}}};
  scene.obstacles[0].motion = up;
  const auto end = [&](int threads) {
    Simulation simulation(Model(scene), {.threads = threads});
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(simulation.step(1e-3).accepted());
    return state_hash(simulation.state());
  };
  const auto one = end(1);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(end(4), one);
}

// Twenty and more rods that press go by conjugate gradients: as the bits of all others, theirs follow from the state alone.
TEST(ContactResponse, HeapsGiveTheSameBitsOnAnyNumberOfThreadsAndAfterAStop) {
  Scene scene = on_a_plane(1e-4);
  const Rod first = scene.rods[0];
  scene.rods.clear();
  for (int i = 0; i < 24; ++i) {
    const int layer = i / 6;
    const double at = 0.01 + 0.036 * (i % 6), z = 0.0051 + 0.0101 * layer + 1e-5 * i;
    scene.rods.push_back(first);
    scene.rods.back().name = "rod" + std::to_string(i);
    scene.rods.back().velocity = {0, 0, -1};
    scene.rods.back().centreline = layer % 2 ? LineShape{{at, 0, z}, {at, 0.2, z}} : LineShape{{0, at, z}, {0.2, at, z}};
  }
  scene.contact.between = Contact::Between::all;
  scene.solver.tolerance = 1e-6;
  const Model model(scene);
  Simulation one(model, {.threads = 1}), many(model, {.threads = 3});
  for (int i = 0; i < 6; ++i) {
    Simulation again(model, {.threads = 2});
    again.restore(one.checkpoint(), "one");
    ASSERT_TRUE(one.step(1e-3).accepted());
    ASSERT_TRUE(many.step(1e-3).accepted());
    ASSERT_TRUE(again.step(1e-3).accepted());
    EXPECT_EQ(state_hash(one.state()), state_hash(many.state())) << i;
    EXPECT_EQ(state_hash(one.state()), state_hash(again.state())) << i;
  }
}

// What rounding errors make of the spins of segments, J eps/dt^2, is no reason to go on.
TEST(ContactResponse, ARodThatNothingActsOnRestsInShortSteps) {
  for (const double dt : {1e-5, 1e-6, 1e-7}) {
    Scene scene = on_a_plane(0.01);
    scene.obstacles.clear();
    scene.contact.self = true;
    scene.gravity = {};
    scene.dt = dt;
    Simulation simulation = simulate(scene);
    const State start = simulation.state();
    for (int i = 0; i < 10; ++i) {
      const StepReport report = simulation.step(dt);
      ASSERT_TRUE(report.accepted()) << dt << " " << report.cause;
    }
    for (std::size_t i = 0; i < start.x.size(); ++i) EXPECT_LT(norm(simulation.state().x[i] - start.x[i]), 1e-12);
  }
}

// A ball that comes by more than its own size in a step strikes what is in its way; else it would be found behind it.
TEST(ContactResponse, AFastBallDoesNotComeOutBehindARod) {
  for (const double speed : {40.0, 100.0}) {
    Scene scene = on_a_plane(0.01);
    scene.gravity = {};
    scene.dt = 2e-3;
    Motion fast;
    fast.translate.keys = {{0, {}}, {1, {0, 0, speed}}};
    scene.obstacles = {{"ball", SphereObstacle{{0.1, 0, -0.1}, 0.03}, fast}};
    Simulation simulation = simulate(scene);
    const StepReport report = simulation.run(6e-3);
    ASSERT_TRUE(report.accepted()) << report.cause;
    const State& state = simulation.state();
    // in the middle it is on the ball or has flown ahead of it
    EXPECT_GT(state.x[10].z, -0.1 + 6e-3 * speed) << speed;
    EXPECT_GT(state.v[10].z, 0.5 * speed) << speed;
  }
}
