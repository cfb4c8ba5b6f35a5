// Closed rods by `newton`: rings of which the answer is known, and symmetries that only a ring has.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "measure/measure.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

constexpr double radius = 0.2;  // m

// A round cord bent into a circle about +z; straight at rest.
Scene hoop(int segments) {
  Scene scene = Cord{.segments = segments}.scene();
  scene.rods[0].centreline = RingShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, radius};
  scene.rods[0].d1 = Vec3{0, 0, 1};
  return scene;
}

// The same of a ribbon.
Scene band(int segments) {
  Scene scene = hoop(segments);
  scene.sections = {{"section", RectangleSection{0.012, 0.008}}};
  return scene;
}

void take_steps(Simulation& simulation, int count, double dt) {
  for (int k = 0; k < count; ++k) {
    const StepReport report = simulation.step(dt);
    ASSERT_TRUE(report.accepted()) << "step " << k << ", node " << report.node << ": " << report.cause;
  }
}

double total_twist(const Simulation& simulation) {
  double sum = 0;
  const Model& model = simulation.model();
  for (int j = 0; j < model.joint_count(); ++j)
    sum += model.joints().length[j] * measure::joint_strain(model, simulation.state(), j).z;
  return sum;
}

// ---- at rest ---------------------------------------------------------------------------------------------------------------

TEST(NewtonRing, WithoutStressItStays) {
  for (const int segments : {5, 8, 33}) {
    Scene scene = band(segments);
    scene.rods[0].rest = AsBuiltRest{};
    Simulation simulation = simulate(scene);
    const State before = simulation.state();
    take_steps(simulation, 500, 1e-2);
    for (std::size_t i = 0; i < before.x.size(); ++i)
      EXPECT_LT(norm(simulation.state().x[i] - before.x[i]), 1e-12 * 2 * pi * radius) << segments << " segments, node " << i;
  }
}

// Opposite forces F on a circular ring open it along them by (pi/4 - 2/pi) F R^3/EI and narrow it across by (2/pi - 1/2) F R^3/EI
// (Timoshenko, Strength of Materials II, thin rings).
TEST(NewtonRing, OpensUnderOppositeForces) {
  const int segments = 80;
  Cord cord;
  Scene scene = hoop(segments);
  scene.rods[0].rest = AsBuiltRest{};
  const double force = 1e-3 * cord.EI() / (radius * radius);
  pin(scene, "rod.node[10]");
  load(scene, ForceLoad{Place::parse("rod.node[50]"), {-force * std::sqrt(0.5), -force * std::sqrt(0.5), 0}, false});
  const Simulation simulation = settled(scene);
  const auto diameter = [](const std::vector<Vec3>& x, int a, int b) { return norm(x[a] - x[b]); };
  const auto &now = simulation.state().x, &built = simulation.model().nodes().x_initial;
  const double unit = force * radius * radius * radius / cord.EI();
  EXPECT_NEAR(diameter(now, 10, 50) - diameter(built, 10, 50), (pi / 4 - 2 / pi) * unit, 4e-3 * unit);
  EXPECT_NEAR(diameter(now, 30, 70) - diameter(built, 30, 70), -(2 / pi - 0.5) * unit, 4e-3 * unit);
}

// ---- the closing angle -----------------------------------------------------------------------------------------------------

// A round ring that is straight at rest turns freely in itself: a driven closing angle spreads evenly, beyond a turn too. The
// torque needs a shear force GJ twist/R along the ring's axis; were the rod to give way to it, its frames would leave the plane
// and take up a little of the angle.
TEST(NewtonRing, ADrivenClosingAngleSpreadsEvenly) {
  for (const double angle : {2.0, -3.0, 8.0}) {
    Cord cord;
    const int segments = 24;
    Scene scene = hoop(segments);
    scene.rods[0].closing_motion.keys = {{0, 0}, {0.5, angle}};
    scene.sections[0].shear_factor = 1e4;
    scene.damping.mass = 20;
    Simulation simulation = simulate(scene);
    take_steps(simulation, 100, 5e-3);
    ASSERT_TRUE(simulation.settle().accepted());
    const Model& model = simulation.model();
    const double length = model.rods()[0].length;
    for (int j = 0; j < segments; ++j) {
      EXPECT_NEAR(measure::joint_strain(model, simulation.state(), j).z, angle / length, 1e-6 / length) << "joint " << j;
      EXPECT_NEAR(measure::joint_moment(model, simulation.state(), j).z, cord.GJ() * angle / length, 1e-6 * cord.GJ() / length);
    }
  }
}

// Michell's instability: a ring that is straight at rest leaves its plane once its twist passes 2 pi sqrt(3) EI/GJ (Zajac 1962).
TEST(NewtonRing, LeavesItsPlaneAtMichellsTwist) {
  Cord cord;
  const double threshold = 2 * pi * std::sqrt(3.0) * cord.EI() / cord.GJ();
  const auto height = [&](double part) {
    Scene scene = hoop(60);
    scene.rods[0].initial_twist = scene.rods[0].closing_angle = part * threshold;
    scene.damping = {0.5, 0};
    const double push = 1e-4 * cord.EI() / (radius * radius);
    const Ramp briefly{{{0, 1}, {0.2, 0}}};
    for (const int node : {0, 30})
      load(scene, ForceLoad{Place::parse("rod.node[" + std::to_string(node) + "]"), {0, 0, push}, false}, briefly);
    for (const int node : {15, 45})
      load(scene, ForceLoad{Place::parse("rod.node[" + std::to_string(node) + "]"), {0, 0, -push}, false}, briefly);
    Simulation simulation = simulate(scene);
    take_steps(simulation, 2000, 5e-3);
    double low = 0, high = 0;
    for (const Vec3& x : simulation.state().x) low = std::min(low, x.z), high = std::max(high, x.z);
    return (high - low) / radius;
  };
  EXPECT_LT(height(0.95), 1e-4);
  EXPECT_GT(height(1.05), 0.05);
}

// The frames cannot follow: the closing joint takes the whole angle until it is almost a turn, and says so.
TEST(NewtonRing, TheClosingJointIsGuardedAgainstAFullTurn) {
  Scene scene = hoop(12);
  scene.rods[0].closing_motion.keys = {{0, 0}, {1e-7, 10}};
  scene.dt = 1e-8;
  Simulation simulation = simulate(scene);
  StepReport report;
  double before = 0;
  for (int k = 0; k < 10; ++k) {
    report = simulation.step(scene.dt);
    if (!report.accepted()) break;
    EXPECT_NEAR(total_twist(simulation), simulation.state().closing[0], 0.1);
    before = simulation.state().closing[0];
  }
  ASSERT_FALSE(report.accepted());
  EXPECT_GT(before, 3.5) << "rad: it gave up early";
  EXPECT_NE(report.cause.find("full turn"), std::string::npos) << report.cause;
  EXPECT_TRUE(report.node == 0 || report.node == 11) << report.node;
}

// ---- motion ----------------------------------------------------------------------------------------------------------------

// How far the states of one ring are apart when the second begins `shift` nodes later. Beyond its end the frames of the first
// are those that its closing joint sees.
double apart(const Simulation& first, const Simulation& second, int shift) {
  const Model& model = first.model();
  const int n = model.rods()[0].segment_count;
  const Quat closing = model.joints().turn_b.back();
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    const int k = (i + shift) % n;
    const Quat q = i + shift < n ? first.state().q[k] : first.state().q[k] * closing;
    largest = std::max(largest, norm(second.state().x[i] - first.state().x[k]) / model.rods()[0].length);
    largest = std::max(largest, norm(log_rotation(conj(q) * second.state().q[i])));
  }
  return largest;
}

std::string node(int i) { return "rod.node[" + std::to_string(i) + "]"; }

// The scene whose ring begins `shift` nodes later; what is held and loaded stays where it is in space.
template <class Hold>
Scene beginning_at(int shift, Scene scene, const Hold& hold) {
  Rod& rod = scene.rods[0];
  const int n = rod.segments;
  const Model model(scene);
  const double angle = 2 * pi * shift / n;
  std::get<RingShape>(rod.centreline).start = {std::cos(angle), std::sin(angle), 0};
  // initial_twist counts from the start of the ring, and a segment's frame is that of its middle
  rod.d1 = rotate(model.segments().q_initial[shift] * about_axis(Vec3{0, 0, 1}, -rod.initial_twist.value_or(0) / (2 * n)),
                  Vec3{1, 0, 0});
  hold(scene, [=](int i) { return node((i - shift + n) % n); });
  return scene;
}

template <class Hold>
void expect_no_matter_where_it_begins(const Scene& scene, const Hold& hold) {
  for (const int shift : {1, 9, 23}) {
    SCOPED_TRACE(shift);
    Simulation first = simulate(beginning_at(0, scene, hold)), second = simulate(beginning_at(shift, scene, hold));
    ASSERT_LT(apart(first, second, shift), 1e-13) << "not the same ring to begin with";
    const Vec3 start = first.state().x[12];
    take_steps(first, 150, 2e-3);
    take_steps(second, 150, 2e-3);
    EXPECT_GT(norm(first.state().x[12] - start), 0.1 * radius) << "m: it has hardly moved";
    EXPECT_LT(apart(first, second, shift), 1e-9);
  }
}

TEST(NewtonRing, WhereItBeginsDoesNotMatter) {
  Scene scene = band(24);
  scene.rods[0].rest = AsBuiltRest{};
  scene.damping = {0.1, 1e-3};
  scene.gravity = {0.3, 0.2, -9.81};
  scene.materials[0].young = 1e7;
  expect_no_matter_where_it_begins(scene, [](Scene& s, const auto& place) {
    pin(s, place(3));
    pin(s, place(17), "z");
    load(s, ForceLoad{Place::parse(place(20)), {0.05, -0.1, 0.2}, false});
  });
}

// Half a turn of twist, as in a Moebius band, makes the frames meet half a turn apart; the section is its own image.
TEST(NewtonRing, WhereAMoebiusBandBeginsDoesNotMatter) {
  Scene scene = band(24);
  scene.rods[0].initial_twist = scene.rods[0].closing_angle = pi;
  scene.damping = {0.1, 1e-3};
  scene.gravity = {0.3, 0.2, -9.81};
  scene.materials[0].young = 1e7;
  expect_no_matter_where_it_begins(scene, [](Scene& s, const auto& place) {
    pin(s, place(3));
    load(s, ForceLoad{Place::parse(place(20)), {0.05, -0.1, 0.2}, false});
  });
}

// A clamp, at the start in one of the rings, takes the place of a joint.
TEST(NewtonRing, WhereAClampedRingBeginsDoesNotMatter) {
  Scene scene = band(24);
  scene.rods[0].initial_twist = scene.rods[0].closing_angle = pi;
  scene.damping = {0.1, 1e-3};
  scene.gravity = {0.3, 0.2, -9.81};
  expect_no_matter_where_it_begins(scene, [](Scene& s, const auto& place) { clamp(s, place(9)); });
}

// Thrown and spun by loads that end; nothing holds it.
TEST(NewtonRing, AThrownRingKeepsItsMomentum) {
  const double thrown = 0.05;  // s
  const auto drift = [&](double dt) {
    Scene scene = band(24);
    scene.rods[0].rest = AsBuiltRest{};
    scene.materials[0].young = 1e8;
    const Ramp push{{{0, 0}, {thrown / 2, 1}, {thrown, 0}}};
    load(scene, LineLoad{"rod", {2, -1, 3}}, push);
    load(scene, ForceLoad{Place::parse("rod.start"), {0.3, 0.5, 1}, false}, push);
    load(scene, ForceLoad{Place::parse("rod@0.5"), {-0.3, -0.5, -1}, false}, push);
    Simulation simulation = simulate(scene);
    take_steps(simulation, static_cast<int>(std::lround(thrown / dt)), dt);
    const auto momentum = [&] { return measure::momentum(simulation.model(), simulation.state()); };
    const measure::Momentum before = momentum();
    EXPECT_GT(norm(before.linear), 0.01);
    EXPECT_GT(norm(before.angular), 0.001);
    take_steps(simulation, static_cast<int>(std::lround(0.2 / dt)), dt);
    EXPECT_LT(norm(momentum().linear - before.linear), 3e-11 * norm(before.linear));
    return norm(momentum().angular - before.angular) / norm(before.angular);
  };
  const double coarse = drift(4e-4), fine = drift(2e-4);
  EXPECT_LT(coarse, 0.02);
  EXPECT_NEAR(coarse / fine, 2, 0.3) << "first order, as the integrator";
}

}  // namespace
