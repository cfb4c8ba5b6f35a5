// Slack cables: chains of equal links against the catenary, whose sag, slope and tension have closed forms.
#include <gtest/gtest.h>

#include "model/catenary.h"
#include "model/centreline.h"
#include "model_fixture.h"
#include "support/scenes.h"

namespace writhe {
namespace {

using test::expect_near;
using test::rod;
using test::scene_of;

// Ends, and equal links: rounding of positions alone.
void expect_chain(const CatenaryShape& shape, int segments) {
  SCOPED_TRACE(testing::Message() << "to " << shape.to.x << " " << shape.to.y << " " << shape.to.z << ", length " << shape.length
                                  << ", " << segments << " segments");
  const std::vector<Vec3> nodes = hang(shape, segments);
  ASSERT_EQ(nodes.size(), segments + 1u);
  EXPECT_EQ(nodes.front(), shape.from);
  EXPECT_EQ(nodes.back(), shape.to);
  const double link = shape.length / segments;
  for (int i = 0; i < segments; ++i)
    ASSERT_NEAR(norm(nodes[i + 1] - nodes[i]), link, 1e-14 * (shape.length * segments + norm(shape.from))) << "segment " << i;
}

double sharpest_turn(const std::vector<Vec3>& nodes) {
  double turn = 0;
  for (std::size_t i = 1; i + 1 < nodes.size(); ++i) {
    const Vec3 a = normalized(nodes[i] - nodes[i - 1]), b = normalized(nodes[i + 1] - nodes[i]);
    turn = std::max(turn, std::atan2(norm(cross(a, b)), dot(a, b)));
  }
  return turn;
}

// Span and length of a level cable of the parameter a (m), x = span/(2a): length = 2 a sinh x, sag = a (cosh x - 1).
TEST(Catenary, SagIsThatOfTheCatenaryToSecondOrder) {
  for (const double x : {1e-3, 0.5, 1.5, 3.0}) {
    const double a = 0.5 / x, length = 2 * a * std::sinh(x), sag = 2 * a * std::sinh(x / 2) * std::sinh(x / 2);
    double previous = 0;
    for (const int n : {40, 80, 160}) {
      const std::vector<Vec3> nodes = hang({{0, 0, 2}, {1, 0, 2}, {0, 0, 1}, length}, n);
      EXPECT_NEAR(nodes[n / 2].x, 0.5, 1e-11);
      const double error = std::abs((2 - nodes[n / 2].z) / sag - 1);
      // of order (link/a)^2 = (2 sinh x/n)^2; of a nearly taut chain 1/2n^2, the spread of n middles being n^2 - 1
      EXPECT_LT(error, (0.6 + 2 * std::sinh(x) * std::sinh(x)) / n / n + 1e-9) << x;
      if (previous > 1e-6) {
        EXPECT_NEAR(std::log2(previous / error), 2, 0.15) << x;
      }
      previous = error;
    }
  }
}

// Between unlevel ends: the level parts of the links' directions are T/sqrt(T^2 + v^2) with vertical forces v that grow by a
// link's weight from link to link, so slopes differ by the same, in whatever frame.
TEST(Catenary, SlopesGrowByEqualSteps) {
  const Vec3 up = normalized(Vec3{1, 2, -0.5});
  const CatenaryShape shape{{0.3, 0.2, 0.1}, {1, -0.4, 0.9}, 3.0 * up, 1.7};
  const int n = 30;
  expect_chain(shape, n);
  const std::vector<Vec3> nodes = hang(shape, n);
  const Vec3 level = normalized(shape.to - shape.from - dot(shape.to - shape.from, up) * up);
  std::vector<double> slope(n);
  for (int i = 0; i < n; ++i) {
    const Vec3 link = nodes[i + 1] - nodes[i];
    EXPECT_GT(dot(link, level), 0);
    EXPECT_NEAR(norm(link - dot(link, level) * level - dot(link, up) * up), 0, 1e-14);
    slope[i] = dot(link, up) / dot(link, level);
  }
  for (int i = 1; i < n; ++i) EXPECT_NEAR(slope[i] - slope[i - 1], (slope[n - 1] - slope[0]) / (n - 1), 1e-11);
  EXPECT_GT(slope[1], slope[0]);  // it hangs down
}

// From all but taut to a hairpin; sag of a nearly taut cable of the span b: b sqrt(3/8 slack).
TEST(Catenary, AnySlackFromTautToAHairpin) {
  for (const Vec3& to : {Vec3{1, 0, 0}, Vec3{1, 0, 3}, Vec3{0.2, 0.1, -1}, Vec3{1e-4, 0, 1}, Vec3{0, 0, -1}})
    for (const double slack : {1e-12, 1e-9, 1e-5, 1e-3, 0.1, 1.0, 30.0, 1e6})
      for (const int n : {2, 3, 17, 100, 101}) expect_chain({{0, 0, 0}, to, {0, 0, 1}, norm(to) * (1 + slack)}, n);
  for (const double slack : {1e-12, 1e-10, 1e-6}) {
    const std::vector<Vec3> nodes = hang({{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, 1 + slack}, 200);
    EXPECT_NEAR(-nodes[100].z / std::sqrt(3 * slack / 8), 1, 1e-4 + 1e-15 / slack);
  }
}

TEST(Catenary, EndsOnOnePointOrOneVertical) {
  for (const int n : {3, 4, 5, 20, 101})
    for (const Vec3& to : {Vec3{0, 0, 0}, Vec3{0, 0, 0.4}, Vec3{0, 0, -0.4}, Vec3{0, 0, 0.9999}}) {
      const CatenaryShape shape{{0, 0, 0}, to, {0, 0, 1}, 1};
      expect_chain(shape, n);
      const std::vector<Vec3> nodes = hang(shape, n);
      for (const Vec3& p : nodes) EXPECT_EQ(p.y, 0);
      if (n < 20) continue;
      EXPECT_LT(sharpest_turn(nodes), 1.8);  // a quarter turn and what it is enlarged by
      const double lowest =
          std::min_element(nodes.begin(), nodes.end(), [](const Vec3& a, const Vec3& b) { return a.z < b.z; })->z;
      EXPECT_NEAR(lowest, -(1 - to.z) / 2, 1.5 / n);  // of a hairpin: as far as half of what is left
    }
  const Model loop(scene_of(rod("loop", CatenaryShape{{0, 0, 0}, {0, 0, 0}, {0, 0, 1}, 1}, 20)));  // frames follow it
  EXPECT_NEAR(loop.rods()[0].length, 1, 1e-14);
}

TEST(Catenary, AsLongAsTheDistanceItIsALine) {
  const Vec3 from{0.1, 0, 0.2}, to{0.4, 0, 0.6};
  for (const double length : {0.5 * (1 - 1e-15), 0.5, 0.5 * (1 + 5e-15)}) {
    const std::vector<Vec3> nodes = hang({from, to, {0, 0, 1}, length}, 4);
    for (int i = 0; i <= 4; ++i) expect_near(nodes[i], from + (i / 4.0) * (to - from), 1e-15);
  }
}

TEST(Catenary, TheRodHasItsLengthAndNoStretch) {
  const CatenaryShape shape{{0, 0, 0}, {1, 0, 0.3}, {0, 0, 1}, 1.6};
  const Model model(scene_of(rod("rope", shape, 25)));
  EXPECT_EQ(centreline_length(shape, false), 1.6);
  EXPECT_NEAR(model.rods()[0].length, 1.6, 1e-14);
  const State state = model.initial_state();
  for (int s = 0; s < model.segment_count(); ++s) {
    EXPECT_NEAR(model.segments().length[s], 1.6 / 25, 1e-14);
    EXPECT_NEAR(norm(state.x[s + 1] - state.x[s]) / model.segments().length[s], 1, 1e-14);
  }
}

// A cable with EI/(w L^3) = 1e-8 and w L/EA = 1e-6, w its weight a length, is where it is built when it has come to rest, but for
// what these let it move; a coarse one too. So its sag is the catenary's, within the error of the chain alone.
TEST(Catenary, ACableBuiltSoHardlyMoves) {
  for (const int n : {16, 40}) {
    const double x = 1.5, a = 0.5 / x, length = 2 * a * std::sinh(x), sag = 2 * a * std::sinh(x / 2) * std::sinh(x / 2);
    Rod cable = rod("cable", CatenaryShape{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, length}, n);
    cable.section = "cable";
    cable.material.clear();
    Scene scene = scene_of(cable);
    const double w = 0.1 * 9.81, EI = 1e-8 * w * length * length * length, EA = 1e6 * w * length;
    scene.sections.push_back({"cable", DirectSection{EA, EA, EI, EI, EI, 0.1, 1e-7, 1e-7, 2e-7, 0.001}, 1});
    scene.supports = {test::pin("cable.start"), test::pin("cable.end")};
    scene.dt = 1e-2;
    const Simulation simulation = test::settled(scene);
    const State built = Model(scene).initial_state();
    double moved = 0;
    for (int i = 0; i <= n; ++i) moved = std::max(moved, norm(simulation.state().x[i] - built.x[i]));
    EXPECT_LT(moved, 2e-6 * length) << n;
    EXPECT_NEAR(-simulation.state().x[n / 2].z / sag, 1, (0.6 + 2 * std::sinh(x) * std::sinh(x)) / n / n) << n;
  }
}

}  // namespace
}  // namespace writhe
