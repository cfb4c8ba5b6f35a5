// `newton` against exact answers: statics under simple loads, free motion, damping, drag, supports.
#include <cmath>

#include <gtest/gtest.h>

#include "measure/measure.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

Simulation writhe::test::settled(const Scene& scene) {
  Simulation simulation = simulate(scene);
  const StepReport report = simulation.settle();
  EXPECT_TRUE(report.accepted()) << report.cause;
  return simulation;
}

namespace {
Vec3 tip(const Simulation& simulation) { return simulation.state().x.back(); }
void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
  EXPECT_LT(norm(a - b), tolerance) << a.x << " " << a.y << " " << a.z;
}
}  // namespace

// ---- statics -------------------------------------------------------------------------------------------------------

// Tension in a segment is the weight below its middle: the lumped masses make that exact, so the stretch is exact at any N.
TEST(NewtonStatics, HangingRodStretchesByItsWeight) {
  for (const int segments : {1, 2, 7, 30}) {
    Cord cord;
    cord.segments = segments;
    Scene scene = cord.scene();
    scene.gravity = {9.81, 0, 0};
    clamp(scene, "rod.start");
    const double stretch = cord.density * 9.81 * cord.length * cord.length / (2 * cord.young);
    expect_near(tip(settled(scene)), {cord.length + stretch, 0, 0}, 1e-9);
  }
}

TEST(NewtonStatics, TorqueTwistsByItsShareOfTheLength) {
  for (const bool follower : {false, true}) {
    Cord cord;
    cord.segments = 9;
    Scene scene = cord.scene();
    clamp(scene, "rod.start");
    const double torque = 2 * cord.GJ();  // 2 rad over the length
    MomentLoad moment{Place::parse("rod.end"), {torque, 0, 0}, follower};
    if (follower) moment.moment = {0, 0, torque};
    load(scene, moment);
    const Simulation simulation = settled(scene);
    // the last segment's frame belongs to its middle
    const double expected = torque * (cord.length - cord.length / 18) / cord.GJ();
    const Quat turned = simulation.state().q[8] * conj(Model(scene).segments().q_initial[8]);
    EXPECT_NEAR(2 * std::atan2(turned.x, turned.w), expected, 1e-8);
    EXPECT_NEAR(simulation.energies().bend_twist, torque * expected / 2, 1e-8 * torque);
  }
}

// A moment at the end bends the rod into a circle; a moment about +y turns x towards -z.
TEST(NewtonStatics, EndMomentBendsIntoACircle) {
  for (const double angle : {1.0, 2.0}) {
    double previous = 0;
    for (const int segments : {20, 40}) {
      Cord cord;
      cord.segments = segments;
      Scene scene = cord.scene();
      clamp(scene, "rod.start");
      load(scene, MomentLoad{Place::parse("rod.end"), {0, angle * cord.EI() / cord.length, 0}, false});
      const double radius = cord.length / angle;
      const Vec3 exact = {radius * std::sin(angle), 0, -radius * (1 - std::cos(angle))};
      const double error = norm(tip(settled(scene)) - exact);
      EXPECT_LT(error, 0.15 * angle * angle / (segments * segments));
      if (previous > 0) {
        EXPECT_GT(previous / error, 3.6) << "second order";
      }
      previous = error;
    }
  }
}

// Nothing moves until the ramp begins; that is not rest.
TEST(NewtonStatics, SettlingWaitsForRamps) {
  Cord cord;
  Scene scene = cord.scene();
  scene.gravity = {0, 0, -9.81};
  scene.gravity_ramp.points = {{500, 0}, {501, 1}};
  clamp(scene, "rod.start");
  EXPECT_LT(tip(settled(scene)).z, -0.5);
}

// Beam theory for small loads: w L^4 / (k EI).
TEST(NewtonStatics, BeamsUnderTheirWeight) {
  Cord cord;
  cord.young = 1e9;
  cord.segments = 80;
  const double gravity = 1;
  const double base = cord.linear_density() * gravity * std::pow(cord.length, 4) / cord.EI();
  const auto sag = [&](auto&& support, double fraction) {
    Scene scene = cord.scene();
    scene.gravity = {0, 0, -gravity};
    support(scene);
    const Simulation simulation = settled(scene);
    return -simulation.state().x[static_cast<std::size_t>(std::lround(fraction * cord.segments))].z;
  };
  EXPECT_NEAR(sag([](Scene& s) { clamp(s, "rod.start"); }, 1.0), base / 8, 1e-3 * base / 8);
  EXPECT_NEAR(sag([](Scene& s) { clamp(s, "rod.start"), clamp(s, "rod.end"); }, 0.5), base / 384, 2e-3 * base / 384);
  const auto rollers = [](Scene& s) { pin(s, "rod.start"), pin(s, "rod.end", "yz"); };
  EXPECT_NEAR(sag(rollers, 0.5), 5 * base / 384, 1e-3 * 5 * base / 384);
  // an interior clamp makes two cantilevers of half the length
  EXPECT_NEAR(sag([](Scene& s) { clamp(s, "rod@0.5"); }, 1.0), base / 8 / 16, 2e-3 * base / 8 / 16);
}

// Radius falling linearly to half: tip deflection of a tip force, by integrating M/EI.
TEST(NewtonStatics, TaperedCantilever) {
  Cord cord;
  cord.young = 1e9;
  cord.segments = 100;
  Scene scene = cord.scene();
  scene.rods[0].taper = {{0, 1}, {1, 0.5}};
  clamp(scene, "rod.start");
  const double force = 1e-3;
  load(scene, ForceLoad{Place::parse("rod.end"), {0, 0, -force}, false});
  double expected = 0;
  const int steps = 20000;
  for (int i = 0; i < steps; ++i) {
    const double s = (i + 0.5) / steps;
    expected += force * (1 - s) * (1 - s) / (cord.EI() * std::pow(1 - 0.5 * s, 4)) / steps;
  }
  EXPECT_NEAR(-tip(settled(scene)).z, expected, 1e-3 * expected);
}

// Rest shape an arc, initial shape straight: it curls into the arc.
TEST(NewtonStatics, RelaxesToItsRestShape) {
  Cord cord;
  cord.segments = 30;
  Scene scene = cord.scene();
  const double radius = 0.4, angle = cord.length / radius;
  // starts at the origin along +x, turns towards +z
  scene.rods[0].rest = ShapeRest{ArcShape{{0, 0, radius}, {0, -1, 0}, {0, 0, -1}, radius, angle}, Vec3{0, 1, 0}};
  scene.rods[0].d1 = Vec3{0, 1, 0};
  clamp(scene, "rod.start");
  scene.supports[0].tangent = Vec3{1, 0, 0};
  const Simulation simulation = settled(scene);
  EXPECT_LT(simulation.energies().elastic(), 1e-12);
  expect_near(tip(simulation), {radius * std::sin(angle), 0, radius * (1 - std::cos(angle))}, 2e-3);
}

// A straight rod twisted between its clamps stores GJ theta^2 / 2L at any number of segments.
TEST(NewtonStatics, TwistedRodKeepsItsEnergy) {
  for (const int segments : {5, 10, 50}) {
    Cord cord;
    cord.segments = segments;
    Scene scene = cord.scene();
    scene.rods[0].initial_twist = 4 * pi;
    clamp(scene, "rod.start");
    clamp(scene, "rod.end");
    Simulation simulation = simulate(scene);
    const double exact = cord.GJ() * 16 * pi * pi / (2 * cord.length);
    EXPECT_NEAR(simulation.energies().bend_twist, exact, 1e-10 * exact);
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(simulation.step(1e-3).accepted());
    EXPECT_NEAR(simulation.energies().bend_twist, exact, 1e-10 * exact);
  }
}

TEST(NewtonStatics, FollowerForceKeepsItsAngleToTheRod) {
  Cord cord;
  cord.segments = 40;
  Scene scene = cord.scene();
  scene.rods[0].d1 = Vec3{0, 1, 0};  // d2 = d3 x d1 = +z
  clamp(scene, "rod.start");
  const double force = 3 * cord.EI();
  load(scene, ForceLoad{Place::parse("rod.end"), {0, force, 0}, true}, {{{0, 0}, {1, 1}}});
  const Simulation simulation = settled(scene);
  // balance of forces at the last segment: shear along d2 is the load, no tension
  const measure::Gauge end(simulation.model(), simulation.model().resolve(Place::parse("rod.end"), "test"));
  const Vec3 inside = end.force(simulation.model(), simulation.state());
  EXPECT_NEAR(inside.y, force, 1e-6 * force);
  EXPECT_NEAR(inside.z, 0, 1e-6 * force);
  EXPECT_GT(tip(simulation).z, 0.3);
}

// ---- motion --------------------------------------------------------------------------------------------------------

TEST(NewtonMotion, RestStaysAtRest) {
  Cord cord;
  Scene scene = cord.scene();
  scene.rods[0].centreline = HelixShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.1, 0.05, 2};
  scene.rods[0].rest = AsBuiltRest{};
  clamp(scene, "rod.start");
  Simulation simulation = simulate(scene);
  const State before = simulation.state();
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(simulation.step(1e-2).accepted());
  for (std::size_t i = 0; i < before.x.size(); ++i) expect_near(simulation.state().x[i], before.x[i], 1e-12);
}

TEST(NewtonMotion, FreeFallIsThatOfImplicitEuler) {
  Cord cord;
  Scene scene = cord.scene();
  scene.gravity = {0, 0, -9.81};
  Simulation simulation = simulate(scene);
  const double h = 1e-2;
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(simulation.step(h).accepted());
  // v = g t, z = h sum of v
  for (const Vec3& v : simulation.state().v) expect_near(v, {0, 0, -9.81}, 1e-10);
  EXPECT_NEAR(tip(simulation).z, -9.81 * h * h * 100 * 101 / 2, 1e-10);
}

// A wire strung so tightly that a part in a million of its tension is more than the weight of a node falls all the same.
TEST(NewtonMotion, AStrungWireFalls) {
  Cord cord{1, 0.0005, 200e9, 0.3, 7850, 50};
  Scene scene = cord.scene();
  scene.gravity = {0, 0, -9.81};
  scene.solver.tolerance = 1e-6;
  scene.rods[0].rest = StraightRest{0.99};
  pin(scene, "rod.start", "xy");
  pin(scene, "rod.end", "xy");
  Simulation simulation = simulate(scene);
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(simulation.step(1e-3).accepted());
  for (const Vec3& v : simulation.state().v) EXPECT_NEAR(v.z, -0.981, 1e-6);
}

TEST(NewtonMotion, MassDampingSlowsByItsRate) {
  Cord cord;
  Scene scene = cord.scene();
  scene.damping.mass = 2;
  // pushed for one step, then left alone
  const double h = 1e-2;
  load(scene, LineLoad{"rod", {0, cord.linear_density(), 0}}, {{{h, 1}, {(1 + 1e-12) * h, 0}}});
  Simulation simulation = simulate(scene);
  ASSERT_TRUE(simulation.step(h).accepted());
  double expected = h / (1 + 2 * h);
  EXPECT_NEAR(simulation.state().v[3].y, expected, 1e-12);
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(simulation.step(h).accepted());
    expected /= 1 + 2 * h;
  }
  EXPECT_NEAR(simulation.state().v[3].y, expected, 1e-12);
}

TEST(NewtonMotion, InternalDampingLeavesRigidMotionAndStopsVibration) {
  Cord cord;
  Scene scene = cord.scene();
  scene.damping.internal = 0.05;
  const double h = 2e-3;
  load(scene, LineLoad{"rod", {0, cord.linear_density(), 0}});
  Simulation moving = simulate(scene);
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(moving.step(h).accepted());
  for (const Vec3& v : moving.state().v) expect_near(v, {0, 50 * h, 0}, 1e-12);

  // the same cantilever released with and without: how much of the energy is still moving after a while
  const auto kinetic = [&](double internal) {
    Scene released = Cord{}.scene();
    released.damping.internal = internal;
    clamp(released, "rod.start");
    load(released, ForceLoad{Place::parse("rod.end"), {0, 0, 1e-3}, false}, {{{0.5, 1}, {0.501, 0}}});
    Simulation simulation = simulate(released);
    double largest = 0;
    for (int k = 0; k < 1000; ++k) {
      const StepReport report = simulation.step(h);
      if (!report.accepted()) {
        ADD_FAILURE() << report.cause << " at " << simulation.state().time << " " << report.residual << " "
                      << report.residual_limit;
        break;
      }
      if (k > 500) largest = std::max(largest, simulation.energies().kinetic);
    }
    return largest;
  };
  EXPECT_LT(kinetic(0.05), 0.8 * kinetic(0));
}

// Damping takes part in the motion, not in where it ends: short steps, so that its stiffness is many times the elastic one.
TEST(NewtonMotion, InternalDampingDoesNotHoldTheRodBack) {
  Cord cord;
  cord.segments = 3;
  Scene scene = cord.scene();
  scene.gravity = {9.81, 0, 0};
  scene.damping = {1, 0.05};
  scene.dt = 5e-3;
  clamp(scene, "rod.start");
  Simulation simulation = simulate(scene);
  ASSERT_TRUE(simulation.run(10).accepted());
  const double stretch = cord.density * 9.81 * cord.length * cord.length / (2 * cord.young);
  expect_near(tip(simulation), {cord.length + stretch, 0, 0}, 1e-8);
}

// Spins about its own axis: free of moment, at the rate it was given.
TEST(NewtonMotion, SpinsOnFreely) {
  Cord cord;
  Scene scene = cord.scene();
  const double h = 1e-3, rate = 300;
  const double inertia = cord.density * pi * std::pow(cord.radius, 4) / 2;  // kg m
  for (int i = 0; i < cord.segments; ++i) {
    const Place place{"rod", Place::Kind::fraction, (i + 0.5) / cord.segments, 0};
    load(scene, MomentLoad{place, {inertia * cord.length / cord.segments * rate / h, 0, 0}, false},
         {{{h, 1}, {(1 + 1e-12) * h, 0}}});
  }
  Simulation simulation = simulate(scene);
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(simulation.step(h).accepted());
  for (int i = 0; i < cord.segments; ++i) expect_near(simulation.state().w[i], {0, 0, rate}, 1e-6 * rate);
}

// A thick rod thrown with a spin tumbles: its angular momentum in space stays, to the order of the integrator. Most of it is spin
// about its axis, which has to turn with the rod.
TEST(NewtonMotion, ATumblingRodKeepsItsAngularMomentum) {
  const auto drift = [](double h) {
    Cord cord{0.2, 0.05, 1e8, 0.3, 1000, 4};
    Scene scene = cord.scene();
    const double push = 2e-3;  // s
    scene.dt = h;
    load(scene, MomentLoad{Place::parse("rod@0.5"), {100, 0, 0}, false}, {{{push, 1}, {push + 1e-9, 0}}});
    load(scene, MomentLoad{Place::parse("rod@0.5"), {0, 0, 60}, false}, {{{push, 1}, {push + 1e-9, 0}}});
    Simulation simulation = simulate(scene);
    const auto momentum = [&] {
      const State& state = simulation.state();
      Vec3 sum{};
      for (std::size_t i = 0; i < state.x.size(); ++i) sum += simulation.model().nodes().mass[i] * cross(state.x[i], state.v[i]);
      for (int i = 0; i < cord.segments; ++i)
        sum += rotate(state.q[i], scale(simulation.model().segments().inertia[i], state.w[i]));
      return sum;
    };
    EXPECT_TRUE(simulation.run(push).accepted());
    while (simulation.state().time < 0.01) EXPECT_TRUE(simulation.step(h).accepted());
    const Vec3 start = momentum();
    while (simulation.state().time < 0.06) EXPECT_TRUE(simulation.step(h).accepted());
    EXPECT_GT(norm(start), 0.1);
    return norm(momentum() - start) / norm(start);
  };
  const double coarse = drift(1e-4), fine = drift(5e-5);
  EXPECT_LT(fine, 0.02);
  EXPECT_NEAR(coarse / fine, 2, 0.5) << coarse << " " << fine;
}

TEST(NewtonMotion, SinksAtTheTerminalVelocityOfLinearDrag) {
  Cord cord;
  const double across = 2.0, along = 0.5, weight = cord.linear_density() * 9.81;
  for (const bool upright : {false, true}) {
    Scene scene = cord.scene();
    if (upright) scene.rods[0].centreline = LineShape{{0, 0, 0}, {0, 0, 1}};
    scene.gravity = {0, 0, -9.81};
    load(scene, DragLoad{"rod", across, along, {0.2, 0, 0}});
    Simulation simulation = simulate(scene);
    for (int k = 0; k < 400; ++k) ASSERT_TRUE(simulation.step(2e-2).accepted());
    const Vec3 v = simulation.state().v[10];
    EXPECT_NEAR(v.z, -weight / (upright ? along : across), 1e-6);
    EXPECT_NEAR(v.x, 0.2, 1e-6);  // carried by the medium
  }
}

TEST(NewtonMotion, FallsAtTheTerminalVelocityOfTheSquareLaw) {
  Cord cord;
  Scene scene = cord.scene();
  scene.gravity = {0, 0, -9.81};
  load(scene, WindLoad{"", {0, 0, 0}, 1.2, 1.1});
  Simulation simulation = simulate(scene);
  for (int k = 0; k < 400; ++k) ASSERT_TRUE(simulation.step(0.1).accepted());
  const double expected = std::sqrt(cord.linear_density() * 9.81 / (0.5 * 1.2 * 1.1 * 2 * cord.radius));
  EXPECT_NEAR(simulation.state().v[10].z, -expected, 1e-5 * expected);
}

TEST(NewtonMotion, SteelFallsWithoutGainingEnergy) {
  Cord cord{1, 0.0005, 200e9, 0.3, 7850, 50};
  Scene scene = cord.scene();
  scene.gravity = {0, 0, -9.81};
  scene.solver.tolerance = 1e-6;
  clamp(scene, "rod.start");
  Simulation simulation = simulate(scene);
  const double start = simulation.energies().total(), scale = cord.linear_density() * 9.81;
  for (int k = 0; k < 400; ++k) {
    ASSERT_TRUE(simulation.step(5e-3).accepted());
    ASSERT_LT(simulation.energies().total() - start, 1e-6 * scale);
  }
  EXPECT_LT(tip(simulation).z, -0.3);
}

// ---- behaviour -----------------------------------------------------------------------------------------------------

TEST(NewtonBehaviour, ThreadsDoNotChangeBits) {
  Cord cord;
  Scene scene = cord.scene();
  scene.gravity = {0, 0, -9.81};
  const Rod first = scene.rods[0];
  scene.rods.clear();
  for (int i = 0; i < 9; ++i) {
    Rod rod = first;
    rod.name = "rod" + std::to_string(i);
    rod.segments = 5 + 3 * i;
    rod.centreline = LineShape{{0, 0.1 * i, 0}, {0.5 + 0.1 * i, 0.1 * i, 0.1}};
    scene.rods.push_back(rod);
    clamp(scene, rod.name + ".start");
  }
  const auto run = [&](int threads) {
    Simulation simulation = simulate(scene, threads);
    for (int k = 0; k < 30; ++k) EXPECT_TRUE(simulation.step(2e-3).accepted());
    return simulation.state();
  };
  const State one = run(1);
  for (const int threads : {2, 4}) {
    const State many = run(threads);
    EXPECT_EQ(one.x, many.x);
    EXPECT_EQ(one.q, many.q);
    EXPECT_EQ(one.v, many.v);
    EXPECT_EQ(one.w, many.w);
  }
}

TEST(NewtonBehaviour, AStepThatFailsLeavesTheStateAndSaysWhy) {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -9.81};
  scene.solver.newton.max_iterations = 1;
  clamp(scene, "rod.start");
  Simulation simulation = simulate(scene);
  const State before = simulation.state();
  const StepReport report = simulation.step(0.5);
  EXPECT_EQ(report.status, StepStatus::not_converged);
  EXPECT_EQ(report.rod, 0);
  EXPECT_GE(report.node, 0);
  EXPECT_NE(report.cause.find("iterations"), std::string::npos) << report.cause;
  EXPECT_GT(report.residual, report.residual_limit);
  EXPECT_EQ(simulation.state().x, before.x);
  EXPECT_EQ(simulation.state().time, 0);
}

TEST(NewtonBehaviour, UnknownMethodIsRefused) {
  Scene scene = Cord{}.scene();
  scene.solver.method = "newtn";
  EXPECT_THROW(simulate(scene), Error);
}

// The last segment has no joint after it, whatever its orientation: here half a turn from the identity.
TEST(NewtonBehaviour, AnyOrientationOfTheEndsIsFine) {
  for (const Vec3 direction : {Vec3{0, 0, -1}, Vec3{0, 0, 1}, Vec3{-1, 0, 0}, Vec3{0, -1, 0}}) {
    for (const int segments : {7, 8}) {
      Cord cord;
      cord.segments = segments;
      Scene scene = cord.scene();
      scene.rods[0].centreline = LineShape{{0, 0, 0}, direction};
      scene.rods[0].d1 = Vec3{direction.y, direction.z, direction.x};
      scene.gravity = {0, 0, -9.81};
      clamp(scene, "rod.start");
      Simulation simulation = simulate(scene);
      for (int k = 0; k < 5; ++k) ASSERT_TRUE(simulation.step(1e-3).accepted());
    }
  }
}

// A rod that does not twist through its clamp: with one segment the clamp's joint is the only one there is.
TEST(NewtonBehaviour, ATurnOfMoreThanAJointHoldsStopsTheRun) {
  for (const int segments : {1, 4}) {
    Cord cord;
    cord.segments = segments;
    Scene scene = cord.scene();
    scene.damping.mass = 20;
    clamp(scene, "rod.start");
    load(scene, MomentLoad{Place::parse("rod.end"), {100 * cord.GJ(), 0, 0}, false});
    Simulation simulation = simulate(scene);
    StepReport report;
    for (int k = 0; k < 5000 && report.accepted(); ++k) report = simulation.step(1e-3);
    EXPECT_FALSE(report.accepted());
    EXPECT_NE(report.cause.find("full turn"), std::string::npos) << report.cause;
  }
}

// Moments without any force: the residual is judged by them, also where bending is as stiff as stretching.
TEST(NewtonBehaviour, MomentsAloneAreSolved) {
  Scene scene = Cord{}.scene();
  DirectSection section;
  section.EA = section.GA = section.EI1 = section.EI2 = section.GJ = 1;
  section.linear_density = 0.1;
  section.inertia1 = section.inertia2 = 1e-6;
  section.inertia3 = 2e-6;
  scene.sections = {{"section", section}};
  scene.rods[0].segments = 100;
  scene.rods[0].initial_twist = pi;
  scene.solver.tolerance = 1e-6;
  clamp(scene, "rod.start");
  clamp(scene, "rod.end");
  Simulation simulation = simulate(scene);
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(simulation.step(1e-3).accepted());
}

TEST(NewtonBehaviour, TimesThatCannotBeAreRefused) {
  Simulation simulation = simulate(Cord{}.scene());
  EXPECT_THROW(simulation.step(0), Error);
  EXPECT_THROW(simulation.step(std::nan("")), Error);
  EXPECT_THROW(simulation.run(1e300), Error);
}
