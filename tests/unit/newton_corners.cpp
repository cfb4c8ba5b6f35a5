// Rods with sharp corners in their rest shape against beam theory, against rods that are joined, and chain against net.
#include <cmath>
#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

#include "assembly/end_forces.h"
#include "measure/measure.h"
#include "measure/node_fields.h"
#include "support/scenes.h"
#include "support/statics.h"
#include "support/stepper.h"
#include "writhe/error.h"

namespace writhe::test {
namespace {

// Bends and twists differently about all of its axes; too stiff to stretch or shear much.
Scene bar(std::initializer_list<PolylineShape> rods, int segments) {
  Scene scene = Cord{}.scene();
  DirectSection section{1e7, 4e6, 1e3, 2e3, 2e3 / 3, 1, 10, 10, 20, 0.1};
  scene.sections = {{"section", section}};
  const Rod first = scene.rods[0];
  scene.rods.clear();
  for (const PolylineShape& shape : rods) {
    Rod rod = first;
    rod.name = "rod" + std::to_string(scene.rods.size());
    rod.material.clear();
    rod.centreline = shape;
    rod.segments = segments;
    rod.rest = AsBuiltRest{};
    scene.rods.push_back(rod);
  }
  scene.solver.tolerance = 1e-12;
  return scene;
}

State balanced(const Scene& scene) {
  Statics statics((Model(scene)));
  StaticOptions options;
  options.tolerance = 1e-12;
  const StaticReport report = statics.solve(options);
  EXPECT_TRUE(report.converged()) << report.cause;
  return statics.state();
}

// Half the difference of the ways of a node by a load and by its opposite: without what is not linear, but for its cube.
Vec3 way(Scene scene, int rod, int k) {
  const Model model(scene);
  const auto node = static_cast<std::size_t>(model.node_of(rod, k));
  const Vec3 to = balanced(scene).x[node];
  for (Load& load : scene.loads) {
    auto& force = std::get<ForceLoad>(load.kind);
    force.force = -force.force;
  }
  return 0.5 * (to - balanced(scene).x[node]);
}

// Castigliano: a force F along the first leg, a, at the end of the second, b, bends both: F (b^3/3 + a b^2)/EI + F b/GA + F a/EA.
TEST(Corner, AnAngleIsAsStiffAsInBeamTheory) {
  const double force = 0.01, exact = force * (1000.0 / 3 + 1000) / 1e3 + force * 20 / 1e6;
  std::vector<double> errors;
  for (const int segments : {20, 40, 80}) {
    Scene scene = bar({PolylineShape{{{0, 0, 0}, {10, 0, 0}, {10, 10, 0}}}}, segments);
    scene.sections = {{"section", DirectSection{1e6, 1e6, 1e3, 1e3, 1e3, 1, 10, 10, 20, 0.1}}};
    clamp(scene, "rod0.start");
    load(scene, ForceLoad{Place::parse("rod0.end"), {force, 0, 0}});
    errors.push_back(std::abs(way(scene, 0, segments).x / exact - 1));
  }
  EXPECT_LT(errors[2], 2e-4);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.2);
  EXPECT_NEAR(errors[1] / errors[2], 4, 0.2);
}

const Vec3 c0{0, 0, 0}, c1{10, 0, 0}, c2{12, 6, 3}, c3{4, 8, 5};

// Under small loads the condensed frame is the free one: all nodes move as those of rods that are joined at the corners.
TEST(Corner, IsAJunctionUnderSmallLoads) {
  const Vec3 d1{0, 1, 0.5};
  const auto transported = [](const Vec3& d, const Vec3& from, const Vec3& to) {
    return rotate(shortest_turn(normalized(from), normalized(to)), d);
  };
  const Vec3 first = normalized(d1 - d1.x * Vec3{1, 0, 0}), second = transported(first, c1 - c0, c2 - c1),
             third = transported(second, c2 - c1, c3 - c2);
  for (const Vec3& force : {Vec3{1e-3, 0, 0}, Vec3{0, 1e-3, 0}, Vec3{0, 0, 1e-3}}) {
    Scene whole = bar({PolylineShape{{c0, c1, c2, c3}}}, 20);
    whole.rods[0].d1 = d1;
    const std::vector<int> legs{8, 5, 7};  // as the corners share the segments out
    Scene parts = bar({PolylineShape{{c0, c1}}, PolylineShape{{c1, c2}}, PolylineShape{{c2, c3}}}, 1);
    const Vec3 axes[3] = {first, second, third};
    for (int i = 0; i < 3; ++i) {
      parts.rods[i].segments = legs[i];
      parts.rods[i].d1 = axes[i];
    }
    parts.joints = {{"", {Place::parse("rod0.end"), Place::parse("rod1.start")}},
                    {"", {Place::parse("rod1.end"), Place::parse("rod2.start")}}};
    clamp(whole, "rod0.start");
    clamp(parts, "rod0.start");
    load(whole, ForceLoad{Place::parse("rod0.end"), force});
    load(parts, ForceLoad{Place::parse("rod2.end"), force});
    const Vec3 end = way(whole, 0, 20), end_of_parts = way(parts, 2, 7);
    EXPECT_GT(norm(end), 1e-4);
    EXPECT_LT(norm(end - end_of_parts), 1e-6 * norm(end));
    EXPECT_LT(norm(way(whole, 0, 8) - way(parts, 0, 8)), 1e-6 * norm(end));
  }
}

// Pulled askew, one of its corners where it closes.
TEST(Corner, OfALoopIsAJunctionUnderSmallLoads) {
  Scene whole = bar({PolylineShape{{{0, 0, 0}, {10, 0, 0}, {10, 10, 0}, {0, 10, 0}}}}, 32);
  whole.rods[0].closed = true;
  whole.rods[0].d1 = Vec3{0, 0, 1};
  Scene parts = bar({PolylineShape{{{0, 0, 0}, {10, 0, 0}}}, PolylineShape{{{10, 0, 0}, {10, 10, 0}}},
                     PolylineShape{{{10, 10, 0}, {0, 10, 0}}}, PolylineShape{{{0, 10, 0}, {0, 0, 0}}}},
                    8);
  for (int i = 0; i < 4; ++i) {
    parts.rods[i].d1 = Vec3{0, 0, 1};
    parts.joints.push_back(
        {"", {Place::parse("rod" + std::to_string(i) + ".end"), Place::parse("rod" + std::to_string((i + 1) % 4) + ".start")}});
  }
  clamp(whole, "rod0.node[4]");
  clamp(parts, "rod0.node[4]");
  load(whole, ForceLoad{Place::parse("rod0.node[28]"), {-2e-4, 1e-4, 5e-4}});
  load(parts, ForceLoad{Place::parse("rod3.node[4]"), {-2e-4, 1e-4, 5e-4}});
  const Vec3 whole_way = way(whole, 0, 28), parts_way = way(parts, 3, 4);
  EXPECT_GT(norm(whole_way), 1e-5);
  EXPECT_LT(norm(whole_way - parts_way), 1e-6 * norm(whole_way));
  EXPECT_LT(norm(way(whole, 0, 0) - way(parts, 0, 0)), 1e-6 * norm(whole_way));
}

// A clamp at a corner holds each leg as one at the end of that leg alone.
TEST(Corner, ThatIsClampedHoldsBothLegs) {
  Scene both = bar({PolylineShape{{c0, c1, {10, 10, 0}}}}, 20), one = bar({PolylineShape{{c1, {10, 10, 0}}}}, 10);
  both.rods[0].d1 = one.rods[0].d1 = Vec3{0, 0, 1};
  clamp(both, "rod0.node[10]");
  clamp(one, "rod0.start");
  for (Scene* scene : {&both, &one}) load(*scene, ForceLoad{Place::parse("rod0.end"), {5, 1, 8}});
  const Vec3 end = balanced(both).x[20], same = balanced(one).x[10];
  EXPECT_GT(norm(end - Vec3{10, 10, 0}), 1);
  EXPECT_LT(norm(end - same), 1e-9);
}

// ---- the chain's own code -----------------------------------------------------------------------------------------------
// A link too weak to be felt makes a net of it, whose elements are those of the assembly.
TEST(Corner, StepsOfAChainAreThoseOfANet) {
  for (const bool closed : {false, true})
    for (const char* held : {"rod0.start", "rod0.node[9]"}) {
      SCOPED_TRACE(testing::Message() << closed << ", " << held);
      Scene scene = bar({PolylineShape{{c0, c1, c2, c3}}}, 20);
      scene.gravity = {0, 1, -9.81};
      scene.damping.internal = 0.01;
      scene.solver.tolerance = 1e-10;
      Rod& rod = scene.rods[0];
      rod.initial_twist = 0.7;
      rod.rest_twist = 0.2;
      rod.closed = closed;
      if (closed) rod.closing_motion.keys = {{0, 0}, {1, 2}};
      if (std::string(held) == "rod0.start" && closed)
        pin(scene, held);
      else
        clamp(scene, held);
      Scene linked = scene;
      Link link;
      link.from = Place::parse("rod0.node[5]");
      link.to = Vec3{5, 5, 5};
      link.stiffness = 1e-9;
      linked.links = {link};
      Stepper chain(scene), net(linked);
      for (int k = 0; k < 20; ++k) {
        const StepReport report = chain.step(0.05);
        ASSERT_TRUE(report.accepted()) << report.cause;
        const StepReport other = net.step(0.05);
        ASSERT_TRUE(other.accepted()) << other.cause;
        EXPECT_LE(report.iterations, other.iterations + 1) << "its Hessian is not that of the net";
      }
      EXPECT_GT(distance(chain.state, chain.model.initial_state()).way, 0.5);
      const Distance apart = distance(chain.state, net.state);
      EXPECT_LT(apart.way, 1e-7);
      EXPECT_LT(apart.turn, 1e-7);
    }
}

// ---- what is read off ---------------------------------------------------------------------------------------------------
// Force and moment at a corner and beside it, of a cantilever with a force at its end: the force, and its moment about the place.
TEST(Corner, ForceAndMomentThereAreThoseOfTheLegs) {
  Scene scene = bar({PolylineShape{{c0, c1, c2}}}, 17);
  clamp(scene, "rod0.start");
  const Vec3 force{1e-3, -2e-3, 1.5e-3};
  load(scene, ForceLoad{Place::parse("rod0.end"), force});
  const Model model(scene);
  const State state = balanced(scene);
  const int corner = 10;
  ASSERT_EQ(model.nodes().x_initial[corner], c1);
  for (const double off : {-0.4, 0.0, 0.2}) {  // segments
    SCOPED_TRACE(off);
    Place place = Place::parse("rod0.start");
    place.kind = Place::Kind::fraction;
    double s = 0;
    for (int i = 0; i < corner; ++i) s += model.segments().length[i];
    place.fraction = (s + off * model.segments().length[off < 0 ? corner - 1 : corner]) / model.rods()[0].length;
    const measure::Gauge gauge(model, model.resolve(place, "at"));
    const Quat frame = gauge.frame(model, state);
    const Vec3 leg = normalized(off < 0 ? c1 - c0 : c2 - c1);
    EXPECT_LT(norm(rotate(frame, Vec3{0, 0, 1}) - leg), 1e-3);
    EXPECT_LT(norm(rotate(frame, gauge.force(model, state)) - force), 1e-3 * norm(force));
    const Vec3 moment = cross(c2 - gauge.position(state), force);
    EXPECT_LT(norm(rotate(frame, gauge.moment(model, state)) - moment), 1e-3 * norm(moment));
    EXPECT_LT(norm(gauge.strain(model, state)), 1.1 * norm(moment) / (2e3 / 3)) << "1/m: the corner's own turn is in it";
  }
  measure::NodeFields fields;
  measure::node_fields(model, state, measure::segment_joints(model), 0, fields);
  const Vec3 moment = cross(c2 - c1, force);
  EXPECT_LT(norm(rotate(fields.frame[corner], fields.force[corner]) - force), 1e-3 * norm(force));
  EXPECT_LT(norm(rotate(fields.frame[corner], fields.moment[corner]) - moment), 1e-3 * norm(moment));
  const Vec3 middle = normalized(normalized(c1 - c0) + normalized(c2 - c1));
  EXPECT_LT(norm(rotate(fields.frame[corner], Vec3{0, 0, 1}) - middle), 1e-3) << "it halves the corner";
}

// Without damping, by the midpoint rule.
TEST(Corner, SwingsWithoutLosingEnergy) {
  Scene scene = bar({PolylineShape{{c0, c1, c2, c3}}}, 20);
  scene.solver.integrator = Integrator::midpoint;
  scene.gravity = {0, 0, -2};
  scene.dt = 0.02;
  clamp(scene, "rod0.start");
  Simulation simulation((Model(scene)));
  const auto total = [&] {
    const Energies e = measure::energies(simulation.model(), simulation.state());
    return e.kinetic + e.stretch_shear + e.bend_twist + e.gravity;
  };
  const double start = total();
  double kinetic = 0, drift = 0;
  for (int k = 0; k < 300; ++k) {
    const StepReport report = simulation.step(scene.dt);
    ASSERT_TRUE(report.accepted()) << report.cause;
    kinetic = std::max(kinetic, measure::energies(simulation.model(), simulation.state()).kinetic);
    drift = std::max(drift, std::abs(total() - start));
  }
  EXPECT_GT(kinetic, 1) << "J";
  EXPECT_LT(drift, 0.01 * kinetic);
}

TEST(Corner, IsRefusedWithPublishedWeights) {
  Scene scene = bar({PolylineShape{{c0, c1, c2}}}, 10);
  scene.solver.method = "pd";
  EXPECT_NO_THROW(Stepper{scene});
  scene.solver.pd.weights = Weights::published;
  try {
    const Stepper stepper(scene);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "solver.pd.weights: published: does not support corners, and 'rod0' has a corner in its rest shape; leave it out");
  }
}

}  // namespace
}  // namespace writhe::test
