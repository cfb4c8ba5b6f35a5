// Supports that move: keys, easing, unwrapped angles, and rods that follow them to exact answers.
#include <cmath>

#include <gtest/gtest.h>

#include "loads/drive.h"
#include "measure/measure.h"
#include "model/motion.h"
#include "support/scenes.h"
#include "writhe/error.h"

using namespace writhe;
using namespace writhe::test;

namespace {

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
  EXPECT_LT(norm(a - b), tolerance) << a.x << " " << a.y << " " << a.z;
}

Motion& motion_of(Scene& scene, std::size_t support) { return scene.supports[support].motion.emplace(); }

// A straight rod clamped at both ends; the start is twisted by `turns` over a second.
Scene wound_up(const Cord& cord, double turns) {
  Scene scene = cord.scene();
  clamp(scene, "rod.start");
  clamp(scene, "rod.end");
  motion_of(scene, 0).twist.keys = {{0, 0}, {1, -2 * pi * turns}};
  return scene;
}

std::string problem_of(const Scene& scene) {
  try {
    const Model model(scene);
  } catch (const Error& error) {
    return error.what();
  }
  return "no problem";
}

}  // namespace

TEST(Track, IsConstantOutsideItsKeysAndMeetsThem) {
  const Track<double> track{{{1, 2}, {3, 6}, {4, -1}}};
  for (const Easing easing : {Easing::linear, Easing::smooth, Easing::smoother}) {
    EXPECT_EQ(track.at(-5, easing), 2);
    EXPECT_EQ(track.at(1, easing), 2);
    EXPECT_DOUBLE_EQ(track.at(2, easing), 4);  // half way, for every easing
    EXPECT_EQ(track.at(3, easing), 6);
    EXPECT_EQ(track.at(4, easing), -1);
    EXPECT_EQ(track.at(99, easing), -1);
  }
  EXPECT_EQ(Track<double>{}.at(1, Easing::linear), 0);
  EXPECT_DOUBLE_EQ(track.at(1.5, Easing::linear), 3);
}

// By difference quotients: smooth has no speed at a key, smoother no acceleration either.
TEST(Track, EasingsStartAndStopAsTheySay) {
  const Track<double> track{{{0, 0}, {1, 1}}};
  const double h = 1e-4;
  for (const double key : {0.0, 1.0}) {
    const double inside = key == 0 ? h : 1 - h, deeper = key == 0 ? 2 * h : 1 - 2 * h;
    const auto speed = [&](Easing easing) { return std::abs(track.at(inside, easing) - track.at(key, easing)) / h; };
    const auto acceleration = [&](Easing easing) {
      return std::abs(track.at(deeper, easing) - 2 * track.at(inside, easing) + track.at(key, easing)) / (h * h);
    };
    EXPECT_NEAR(speed(Easing::linear), 1, 1e-9);
    EXPECT_LT(speed(Easing::smooth), 1e-3);
    EXPECT_NEAR(acceleration(Easing::smooth), 6, 1e-2);
    EXPECT_LT(speed(Easing::smoother), 1e-6);
    EXPECT_LT(acceleration(Easing::smoother), 1e-2);
  }
}

TEST(Displacement, TurnsAboutItsPointThenTranslates) {
  Motion motion;
  motion.axis = {0, 0, 3};
  motion.about = Vec3{1, 0, 0};
  motion.angle.keys = {{0, 0}, {1, pi / 2}};
  motion.translate.keys = {{0, {0, 0, 0}}, {1, {0, 0, 2}}};
  const Displacement end(motion, {9, 9, 9}, 1);
  expect_near(end.of_point({2, 0, 0}), {1, 1, 2}, 1e-15);
  const Quat q = end.of_frame({1, 0, 0, 0}, {1, 0, 0, 0});
  expect_near(rotate(q, {1, 0, 0}), {0, 1, 0}, 1e-15);

  motion.about.reset();  // about the place itself
  expect_near(Displacement(motion, {2, 0, 0}, 1).of_point({2, 0, 0}), {2, 0, 2}, 1e-15);
}

// A turn by 2 pi is another orientation than none: the quaternion changes its sign, and four pi bring it back.
TEST(Displacement, WholeTurnsAreKept) {
  Motion motion;
  motion.angle.keys = {{0, 0}, {2, 4 * pi}};
  const Quat q{1, 0, 0, 0};
  EXPECT_NEAR(Displacement(motion, {}, 1).of_frame(q, q).w, -1, 1e-15);
  EXPECT_NEAR(Displacement(motion, {}, 2).of_frame(q, q).w, 1, 1e-15);
  EXPECT_NEAR(turned_between(motion, 0, 2), 4 * pi, 1e-12);
}

TEST(Motion, NodesAndFramesAreWhereTheKeysSayAfterEveryStep) {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -9.81};
  scene.dt = 5e-3;
  clamp(scene, "rod.start");
  pin(scene, "rod.end", "xy");
  Motion& hand = motion_of(scene, 0);
  hand.easing = Easing::smooth;
  hand.axis = {0, 1, 1};
  hand.angle.keys = {{0, 0}, {0.3, 0.7}};
  hand.twist.keys = {{0.1, 0}, {0.4, -0.9}};
  hand.translate.keys = {{0, {0, 0, 0}}, {0.4, {0.1, 0.05, 0.2}}};
  motion_of(scene, 1).translate.keys = {{0, {0, 0, 0}}, {0.4, {-0.1, 0.1, 0}}};
  Simulation simulation = simulate(scene);
  const Model& model = simulation.model();
  const Quat built = model.frames().q_initial[0];
  const int frame = model.segment_count();
  for (int k = 0; k < 80; ++k) {
    const Quat before = simulation.state().q[frame];
    const StepReport report = simulation.step(scene.dt);
    ASSERT_TRUE(report.accepted()) << report.cause;
    const State& state = simulation.state();
    const Displacement displacement(hand, {0, 0, 0}, state.time);
    EXPECT_EQ(state.x[0], displacement.of_point({0, 0, 0}));
    EXPECT_EQ(state.q[frame], displacement.of_frame(built, {1, 0, 0, 0}));
    const Quat turned = conj(before) * state.q[frame];
    expect_near(state.w[frame], (2 / scene.dt) * imag(turned), 1e-9);
    const Vec3 carried = scene.supports[1].motion->translate.at(state.time, Easing::linear);
    EXPECT_DOUBLE_EQ(state.x.back().x, 1 + carried.x);
    EXPECT_DOUBLE_EQ(state.x.back().y, carried.y);
  }
  EXPECT_LT(simulation.state().x.back().z, -1e-3) << "z is not held";
}

// GJ theta^2 / 2L to rounding at any number of segments, far beyond one turn; and back to nothing.
TEST(Motion, WindingUpStoresTheEnergyOfTwist) {
  for (const int segments : {20, 53}) {
    Cord cord;
    cord.segments = segments;
    cord.radius = 0.02;  // stiff enough not to buckle: 8.99 EI/GJ = 13.5 rad
    Scene scene = wound_up(cord, 2);
    scene.damping.mass = 20;
    Simulation simulation = simulate(scene);
    ASSERT_TRUE(simulation.run(1).accepted());
    ASSERT_TRUE(simulation.settle().accepted());
    const double angle = 4 * pi;
    EXPECT_NEAR(simulation.energies().bend_twist, cord.GJ() * angle * angle / (2 * cord.length), 1e-9 * cord.GJ());
    for (int j = 0; j < simulation.model().joint_count(); ++j)
      EXPECT_NEAR(measure::joint_strain(simulation.model(), simulation.state(), j).z, angle / cord.length, 1e-8);
  }
}

// A rod held at one end only goes where its clamp goes: as a rigid body, when slow.
TEST(Motion, AFreeRodFollowsItsClamp) {
  Scene scene = Cord{}.scene();
  scene.damping.internal = 0.05;
  clamp(scene, "rod.start");
  Motion& motion = motion_of(scene, 0);
  motion.easing = Easing::smoother;
  motion.angle.keys = {{0, 0}, {10, 2.5 * pi}};
  motion.axis = {0, 0, 1};
  motion.translate.keys = {{0, {0, 0, 0}}, {10, {0, 0, 1}}};
  Simulation simulation = simulate(scene);
  ASSERT_TRUE(simulation.settle().accepted());
  expect_near(simulation.state().x.back(), {0, 1, 1}, 1e-7);
  EXPECT_GE(simulation.state().time, 10) << "it must not take the way for the end";
}

TEST(Motion, ATurnTooFastForTheStepIsRefused) {
  Scene scene = wound_up(Cord{}, 0.3);
  Simulation simulation = simulate(scene);
  const StepReport report = simulation.step(1);
  EXPECT_EQ(report.status, StepStatus::not_converged);
  EXPECT_EQ(report.rod, 0);
  EXPECT_EQ(report.node, 0);
  EXPECT_EQ(report.cause,
            "the support turns by 0.3 turns in this step, and a quarter is the most; take a smaller time.dt, or let it turn more "
            "slowly");
  EXPECT_EQ(simulation.state().time, 0);

  scene.dt = 1;
  EXPECT_EQ(
      problem_of(scene),
      "supports[0].motion.twist: 0.3 turns/s: turns by 0.3 turns in one step, and a quarter is the most; take a time.dt of 0.83 "
      "s or less, set time.adaptive: true, or let it turn more slowly (angles without a unit are in rad)");
  scene.supports[0].motion->easing = Easing::smooth;  // half as fast again in the middle
  scene.dt = 0.6;
  EXPECT_NE(problem_of(scene), "no problem");
  scene.dt = 0.5;
  EXPECT_EQ(problem_of(scene), "no problem");
  scene.supports[0].motion->easing = Easing::linear;

  scene.dt = 1;
  scene.adaptive = true;
  Simulation adaptive = simulate(scene);
  ASSERT_TRUE(adaptive.run(1).accepted());
  EXPECT_EQ(adaptive.state().time, 1);
}

// The first node of b is that of a's end, so b has one node less of its own than along it.
TEST(Motion, ATurnTooFastIsReportedAtTheNodeAlongItsRod) {
  Scene scene = Cord{.segments = 10}.scene();
  scene.rods[0].name = "a";
  scene.rods.push_back(scene.rods[0]);
  scene.rods[1].name = "b";
  scene.rods[1].centreline = LineShape{{1, 0, 0}, {2, 0, 0}};
  scene.joints = {{"", {Place::parse("a.end"), Place::parse("b.start")}}};
  clamp(scene, "b.end");
  motion_of(scene, 0).twist.keys = {{0, 0}, {1, 2 * pi * 0.3}};
  const StepReport report = simulate(scene).step(1);
  EXPECT_EQ(report.status, StepStatus::not_converged);
  EXPECT_EQ(report.rod, 1);
  EXPECT_EQ(report.node, 10);
}

// The closing angle of a ring is data: carried by the state, seen by the joint that closes it and by nothing else.
TEST(Motion, ClosingAngleIsDriven) {
  Cord cord;
  cord.segments = 400;  // a joint bends by so little that turning it about d3 costs next to nothing
  Scene scene = cord.scene();
  scene.rods[0].centreline = RingShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.2};
  scene.rods[0].rest = AsBuiltRest{};
  scene.rods[0].closing_motion.keys = {{0, 0}, {1, 3 * pi}};
  const Model model(scene);
  Drive drive(model);
  State state = model.initial_state();
  EXPECT_EQ(drive.at(model, state, 0.5).closing[0], 1.5 * pi);
  EXPECT_FALSE(drive.check_turns(model, state, 0.5).accepted());

  State other = state;
  EXPECT_DOUBLE_EQ(drive.of_step(model, other, 0.1, Integrator::midpoint).closing[0], 0.15 * pi) << "in the middle of the step";
  drive.place(model, other, 0.1, 0.1, Integrator::midpoint);
  EXPECT_DOUBLE_EQ(other.closing[0], 0.3 * pi);

  drive.at(model, state, 0.1);
  drive.place(model, state, 0.1, 0.1, Integrator::euler);
  state.time = 0.1;
  EXPECT_DOUBLE_EQ(state.closing[0], 0.3 * pi);
  const int last = model.joint_count() - 1;
  EXPECT_EQ(model.joints().closes[last], 0);
  for (int j = 0; j < last; ++j) EXPECT_EQ(model.joints().closes[j], -1);
  const double length = model.joints().length[last];
  EXPECT_NEAR(measure::joint_strain(model, state, last).z * length, 0.3 * pi, 1e-12);
  EXPECT_NEAR(measure::joint_strain(model, state, 0).z, 0, 1e-12);
  const double stored = model.joints().stiffness[last].z / (2 * length) * 0.09 * pi * pi;
  EXPECT_NEAR(measure::energies(model, state).bend_twist, stored, 1e-3 * stored);
}

TEST(MotionCheck, SaysWhatIsWrongWithKeys) {
  const auto with = [](const auto& change) {
    Scene scene = Cord{}.scene();
    clamp(scene, "rod.start");
    Motion& motion = motion_of(scene, 0);
    motion.twist.keys = {{0, 0}, {1, 1}};
    change(scene, motion);
    return problem_of(scene);
  };
  EXPECT_EQ(with([](Scene&, Motion&) {}), "no problem");
  EXPECT_EQ(with([](Scene&, Motion& m) { m.twist.keys.clear(); }),
            "supports[0].motion: moves nothing; give translate, rotate or twist, or leave it out");
  EXPECT_EQ(with([](Scene&, Motion& m) {
              m.twist.keys = {{0, 0}, {1, 1}, {1, 2}};
            }),
            "supports[0].motion.twist[2]: 1: times of keys must increase; this one follows 1 s");
  EXPECT_EQ(
      with([](Scene&, Motion& m) {
        m.translate.keys = {{0, {0, 1, 0}}, {1, {0, 0, 0}}};
      }),
      "supports[0].motion.translate[0]: [0, 1, 0]: is where the support would be at time 0, but a motion counts from where the "
      "rod is built; start with 0, or build the rod there");
  EXPECT_EQ(with([](Scene&, Motion& m) {
              m.angle.keys = {{0, 0}, {1, 1}};
              m.axis = {0, 0, 0};
            }).substr(0, 31),
            "supports[0].motion.rotate.axis:");
  EXPECT_EQ(with([](Scene& s, Motion&) { s.supports[0].kind = Support::Kind::pin; }),
            "supports[0].motion.twist: a pin does not twist the rod; use a clamp or leave it out");
  EXPECT_EQ(
      with([](Scene& s, Motion& m) {
        s.supports[0].axes = "xy";
        m.translate.keys = {{0, {0, 0, 0}}, {1, {0, 0, 1}}};
      }),
      "supports[0].motion.translate[1]: [0, 0, 1]: moves along z, which this support does not hold; add z to axes, or leave it "
      "at 0");
  EXPECT_EQ(with([](Scene&, Motion& m) {
              m.easing = Easing::smooth;  // half way, but not half the angle
              m.twist.keys = {{-1, -1}, {3, 3}};
            }).substr(0, 26),
            "supports[0].motion.twist[0");
  EXPECT_EQ(with([](Scene& s, Motion& m) {
              s.supports[0].kind = Support::Kind::pin;
              m.twist.keys.clear();
              m.angle.keys = {{0, 0}, {1, 1}};
            }),
            "supports[0].motion.rotate: a pin that turns about itself stays where it is; give about, a point of the axis");
  EXPECT_EQ(with([](Scene& s, Motion& m) {
              s.supports[0].axes = "xy";
              m.angle.keys = {{0, 0}, {1, 1}};
              m.axis = {0, 1, 0};
              m.about = Vec3{0, 0, 1};
            }),
            "supports[0].motion.rotate: moves along z, which this support does not hold; add z to axes, or turn about z");
  EXPECT_EQ(with([](Scene& s, Motion&) {
              s.rods[0].closing_motion.keys = {{0, 0}, {1, 1}};
            }),
            "rods.rod.closing_motion: only a closed rod has one; set closed: true or leave it out");
}
