// Twist, writhe and link of rods as a model has them: of held and free ones, of rings, and that what is held keeps its link.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "measure/topology.h"
#include "model_fixture.h"
#include "support/random_curves.h"

using namespace writhe;
using namespace writhe::test;
using measure::RodTopology;

namespace {

RodTopology topology(const Model& model, const State& state) {
  return measure::rod_topology(model, state, measure::segment_joints(model), 0);
}
RodTopology topology(const Model& model) { return topology(model, model.initial_state()); }

// Nodes and segments a little elsewhere, but what is held; q keeps its side, as in a run.
State shaken(const Model& model, Random& random, double shift, double turn) {
  State state = model.initial_state();
  for (int i = 0; i < model.node_count(); ++i)
    if (model.nodes().fixed[i] != fixed_all) state.x[i] += shift * random.vector();
  for (int s = 0; s < model.segment_count(); ++s) state.q[s] = state.q[s] * exp_rotation(turn * random.vector());
  return state;
}

Scene held(Rod given) {
  const std::string name = given.name;
  Scene scene = scene_of(std::move(given));
  scene.supports = {clamp(name + ".start"), clamp(name + ".end")};
  return scene;
}

}  // namespace

TEST(RodTopology, OfATwistedStraightRod) {
  for (const double turns : {0.0, 0.5, -2.5, 3.0, 24.0}) {
    Rod straight = rod("rope", LineShape{{0, 0, 0}, {1, 2, -1}}, 60);
    straight.initial_twist = 2 * pi * turns;
    const RodTopology clamped = topology(Model(held(straight)));
    EXPECT_NEAR(clamped.total_twist, turns, 1e-12);
    EXPECT_NEAR(clamped.writhe, 0, 1e-12);
    // Of a free one the twist between the middles of the first and the last segment is there.
    EXPECT_NEAR(topology(Model(scene_of(straight))).total_twist, turns * 59 / 60, 1e-12);
  }
}

TEST(RodTopology, OfOneSegment) {
  EXPECT_NEAR(topology(Model(scene_of(rod("rope", LineShape{{0, 0, 0}, {1, 0, 0}}, 1)))).link(), 0, 1e-14);
  Rod twisted = rod("rope", LineShape{{0, 0, 0}, {1, 0, 0}}, 1);
  twisted.initial_twist = 0.6 * pi;
  EXPECT_NEAR(topology(Model(held(twisted))).link(), 0.3, 1e-13);
}

TEST(RodTopology, OfAHelixTheWritheIsThatOfItsTangents) {
  // Held along its axis: Fuller's area, turns (1 - cos of the angle from the axis), but for what the corners at both ends add.
  const double radius = 0.1, pitch = 0.3, turns = 5;
  Rod coil = rod("rope", HelixShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, radius, pitch, turns}, 1000);
  Scene scene = held(coil);
  for (Support& support : scene.supports) support.tangent = Vec3{0, 0, 1};
  const double climb = pitch / std::hypot(2 * pi * radius, pitch);
  EXPECT_NEAR(topology(Model(scene)).writhe, turns * (1 - climb), 0.01);
  Scene left = scene;
  std::get<HelixShape>(left.rods[0].centreline).turns = -turns;
  EXPECT_NEAR(topology(Model(left)).writhe, -topology(Model(scene)).writhe, 1e-9);
}

TEST(RodTopology, OfRingsItIsTheClosingAngle) {
  for (const double turns : {0.0, 1.0, -3.0, 2.5}) {
    Rod ring = rod("hoop", RingShape{{1, 2, 3}, {0.3, 0.2, 1}, {1, 0, 0}, 0.2}, 48);
    ring.closing_angle = 2 * pi * turns;
    const RodTopology found = topology(Model(scene_of(ring)));
    EXPECT_NEAR(found.total_twist, turns, 1e-12);
    EXPECT_NEAR(found.writhe, 0, 1e-12);
  }
}

// Whatever moves between, nothing going through itself: link is kept, twist and writhe are not.
TEST(RodTopology, LinkOfWhatIsHeldIsKept) {
  Rod straight = rod("rope", LineShape{{0, 0, 0}, {1, 0, 0}}, 20);
  straight.initial_twist = 2 * pi * 1.7;
  Rod curved = rod("rope", coil(), 40);
  Rod bent = rod("rope", PolylineShape{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}}}, 24, AsBuiltRest{});
  Rod hairpin = rod("rope", ArcShape{{0, 0, 0}, {0, 0.6, 0.8}, {1, 0, 0}, 0.3, pi}, 30);  // both ends point out the same way
  hairpin.initial_twist = -2 * pi * 0.7;
  for (const Rod& given : {straight, curved, bent, hairpin}) {
    const Model model(held(given));
    const double link = topology(model).link();
    for (unsigned seed = 0; seed < 50; ++seed) {
      Random random(seed);
      const State state = shaken(model, random, 0.01, 0.4);
      const RodTopology found = topology(model, state);
      EXPECT_NEAR(found.link(), link, 1e-11) << seed;
      EXPECT_GT(std::abs(found.writhe - topology(model).writhe), 1e-6);
    }
  }
}

TEST(RodTopology, LinkOfRingsIsKept) {
  Rod hoop = rod("hoop", RingShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.2}, 30);
  hoop.closing_angle = 2 * pi * 1.3;
  // Not plane: the twist-free frame does not close by itself.
  Rod saddle = hoop;
  std::vector<Vec3> points;
  for (int i = 0; i < 60; ++i) {
    const double t = 2 * pi * i / 60;
    points.push_back({std::cos(t), std::sin(t), 0.5 * std::sin(2 * t) + 0.2 * std::cos(3 * t)});
  }
  saddle.centreline = PolylineShape{points};
  saddle.closed = true;
  saddle.segments = 60;
  Rod cornered = saddle;  // with corners in the stress-free shape, one of them where it closes
  cornered.centreline = PolylineShape{{{0, 0, 0}, {1, 0, 0.2}, {1, 1, -0.3}, {0, 1, 0.4}}};
  cornered.rest = AsBuiltRest{};
  cornered.segments = 24;
  for (const Rod& given : {hoop, saddle, cornered}) {
    for (const bool at_clamp : {false, true}) {
      Scene scene = scene_of(given);
      if (at_clamp) scene.supports = {clamp("hoop.start")};
      const Model model(scene);
      const RodTopology built = topology(model);
      EXPECT_NEAR(built.total_twist, 1.3, 1e-12) << "as it was asked for";
      const double link = built.link();
      EXPECT_NEAR(std::remainder(link - 1.3 - measure::writhe(measure::rod_curve(model, model.initial_state(), 0)), 1), 0, 1e-12);
      for (unsigned seed = 0; seed < 20; ++seed) {
        Random random(seed);
        EXPECT_NEAR(topology(model, shaken(model, random, 0.004, 0.3)).link(), link, 1e-11) << seed;
      }
    }
  }
}

TEST(RodTopology, ADrivenRingGainsWhatItIsDriven) {
  const Model model(scene_of(rod("hoop", RingShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.2}, 30)));
  State state = model.initial_state();
  // As in a run: the closing angle grows and the frames follow, evenly; the first stays.
  const double turns = 3.25;
  state.closing[0] = 2 * pi * turns;
  for (int s = 0; s < 30; ++s) state.q[s] = state.q[s] * exp_rotation(Vec3{0, 0, 2 * pi * turns * s / 30});
  EXPECT_NEAR(topology(model, state).total_twist, turns, 1e-12);
}

TEST(RodTopology, OfAClampThatTurnsItsEnd) {
  const Model model(held(rod("rope", LineShape{{0, 0, 0}, {1, 0, 0}}, 40)));
  State state = model.initial_state();
  const double turns = 5.5;
  for (int s = 0; s < 40; ++s) state.q[s] = state.q[s] * exp_rotation(Vec3{0, 0, 2 * pi * turns * (s + 0.5) / 40});
  const int end_frame = model.segment_count() + model.supports()[1].frame;
  state.q[end_frame] = state.q[end_frame] * exp_rotation(Vec3{0, 0, 2 * pi * turns});
  EXPECT_NEAR(topology(model, state).link(), turns, 1e-12);
}
