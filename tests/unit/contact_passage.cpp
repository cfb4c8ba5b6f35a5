// The midpoint rule's force of contact: along the mean of the normals on the way, so that it does no more work than its barrier
// loses.
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "contact/passage.h"
#include "contact_support.h"
#include "measure/measure.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

// A point that goes from one place to another against a fixed centre, a ball of radius 1 about each.
contact::Passage around_centre(const Vec3& from, const Vec3& to) { return {norm(from) - 2, from / norm(from), to - from}; }

Vec3 mean_of(const contact::Passage& passage, const Vec3& to) {
  return contact::mean_normal(passage, to / norm(to), norm(to) - 2);
}

}  // namespace

TEST(ContactPassage, DoesTheWorkOfTheGap) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-3, 3);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 from{any(random), any(random), any(random)}, to{any(random), any(random), any(random)};
    const contact::Passage passage = around_centre(from, to);
    EXPECT_NEAR(dot(mean_of(passage, to), passage.moved), norm(to) - norm(from), 1e-12);
  }
}

// Round a ball at the same distance: along the normal half way, by which nothing is done.
TEST(ContactPassage, GoesRoundWithoutWork) {
  const Vec3 from{2.1, 0, 0}, to{0, 2.1, 0}, half = Vec3{1, 1, 0} / std::sqrt(2.0);
  EXPECT_NEAR(norm(mean_of(around_centre(from, to), to) - half), 0, 1e-15);
}

// What only approaches, and what does not move, is pushed along the normal.
TEST(ContactPassage, StraightAheadItIsTheNormal) {
  const Vec3 n{0, 0, 1};
  EXPECT_NEAR(norm(mean_of(around_centre(7.0 * n, 2.01 * n), 2.01 * n) - n), 0, 1e-15);
  EXPECT_NEAR(norm(mean_of(around_centre(2.01 * n, 2.01 * n), 2.01 * n) - n), 0, 1e-15);
}

// Along a straight rod, over the knots of three spans and no less: nothing holds back what slides.
TEST(ContactPassage, SlidesAlongAStraightRod) {
  const Model model(hoses({{8, 8}, {8, 8}}));
  State state = model.initial_state();
  lay_straight(model, state, 0, {0, 0, 0}, {8, 0, 0});
  lay_straight(model, state, 1, {4.2, -4, 2.01}, {4.2, 4, 2.01});
  const std::vector<Vec3> from = state.x;
  const contact::Rules rules(model);
  for (const double slides : {0.3, 0.9, -0.7}) {
    for (int k = 0; k <= 8; ++k) state.x[model.node_of(1, k)] = from[model.node_of(1, k)] + Vec3{slides, 0, 0};
    int seen = 0;
    contact::ContactTerm term(model);
    term.begin(state, {}, {1, 1, Integrator::euler});
    for (int element = 0; element < term.element_count(); ++element) {
      const contact::ContactTerm::Between between = term.between(element);
      const contact::Pair pair =
          contact::pair_of(*between.a, *between.b, rules.neighbourhood(0, 1), rules.material(*between.a, *between.b));
      contact::visit_touches(pair, {&state.x}, 0.03, [&](const contact::Touching& touch) {
        if (touch.of_first) return;  // a point of the rod that is passed
        const contact::Passage passage = contact::passage(pair, touch, from, {&state.x});
        EXPECT_NEAR(norm(contact::mean_normal(passage, touch.normal, touch.gap) - touch.normal), 0, 1e-12) << slides;
        ++seen;
      });
    }
    EXPECT_GT(seen, 0);
  }
}

// Two rods of rubber that meet at 50 m/s, whip round each other and touch again: with the normals of the ends of steps these
// gained 10 % of their energy when they touched the second time.
TEST(ContactPassage, RodsThatWhipRoundEachOtherGainNoEnergy) {
  Scene scene = Cord{.length = 0.2, .radius = 0.001, .segments = 40}.scene();
  scene.materials[0].young = 1e7;
  scene.materials[0].density = 1300;
  scene.gravity = {};
  scene.rods[0].centreline = LineShape{{-0.1, 0, 0}, {0.1, 0, 0}};
  scene.rods.push_back(scene.rods[0]);
  scene.rods[1].name = "other";
  scene.rods[1].centreline = LineShape{{0.003, -0.098, 0.01}, {0.003, 0.102, 0.01}};
  scene.rods[1].velocity = {0, 0, -50};
  scene.contact.between = Contact::Between::all;
  scene.contact.self = true;
  scene.solver.integrator = Integrator::midpoint;
  scene.solver.tolerance = 1e-9;
  scene.dt = 1e-3;
  Simulation simulation = simulate(scene);
  const double before = simulation.energies().total();
  double most = 0, least = before;
  const StepReport report = simulation.run(0.005, [&](const StepReport&) {
    most = std::max(most, simulation.energies().total());
    least = std::min(least, simulation.energies().total());
    return true;
  });
  ASSERT_TRUE(report.accepted()) << report.cause;
  EXPECT_LT(most, before * (1 + 1e-9));
  EXPECT_LT(least, 0.999 * before);  // they did touch
}

// A rod that slides over a floor is not held back, and one that slides on a ball neither gains nor loses.
TEST(ContactPassage, SlidingOnAFloorCostsNothing) {
  Scene scene = Cord{.length = 0.2, .radius = 0.005, .segments = 20}.scene();
  scene.rods[0].centreline = LineShape{{0, 0, 0.00501}, {0.2, 0, 0.00501}};
  scene.rods[0].velocity = {1, 0.5, 0};
  scene.gravity = {0, 0, -9.81};
  scene.obstacles.push_back({"floor", PlaneObstacle{}, {}});
  scene.solver.integrator = Integrator::midpoint;
  scene.solver.tolerance = 1e-9;
  Simulation simulation = simulate(scene);
  const Vec3 before = measure::momentum(simulation.model(), simulation.state()).linear;
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(simulation.step(1e-3).accepted());
  const Vec3 after = measure::momentum(simulation.model(), simulation.state()).linear;
  EXPECT_NEAR(after.x, before.x, 1e-7 * before.x);
  EXPECT_NEAR(after.y, before.y, 1e-7 * before.y);
  EXPECT_GT(simulation.energies().contact, 0);
}
