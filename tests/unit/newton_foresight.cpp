// Directions that know what they run into, and how heaps of rods are solved. docs/theory/contact.md, "Foreseen", "Solving".
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "assembly/foresight.h"
#include "assembly/terms_of.h"
#include "solvers/newton/tangent.h"
#include "support/scenes.h"
#include "support/stepper.h"

using namespace writhe;
using namespace writhe::test;

namespace {

constexpr double radius = 1e-3;  // m

// Layers of rods across each other, so high above each other, and each rod up to `uneven` above its layer (m).
Scene layers(int count, int in_a_layer, double above, double uneven = 0) {
  Scene scene = Cord{.length = 0.05, .radius = radius, .segments = 10}.scene();
  const Rod first = scene.rods[0];
  scene.rods.clear();
  for (int layer = 0; layer < count; ++layer)
    for (int k = 0; k < in_a_layer; ++k) {
      Rod rod = first;
      rod.name = "rod" + std::to_string(scene.rods.size());
      const double up = uneven * std::fmod(0.618 * static_cast<double>(scene.rods.size()), 1.0);
      const double z = (layer + 0.5) * 2 * radius + (layer + 1) * above + up, y = 0.004 + 0.042 * k / std::max(in_a_layer - 1, 1);
      rod.centreline = layer % 2 ? LineShape{{y, 0, z}, {y, 0.05, z}} : LineShape{{0, y, z}, {0.05, y, z}};
      rod.velocity = {0, 0, -1};
      scene.rods.push_back(rod);
    }
  scene.obstacles.push_back({"floor", PlaneObstacle{{0, 0, 0}, {0, 0, 1}}, {}});
  scene.contact.between = Contact::Between::all;
  scene.gravity = {0, 0, -9.81};
  scene.dt = 1e-3;
  return scene;
}

std::vector<int> all(int count) {
  std::vector<int> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// All rods of a scene as one island, as a step of them begins.
struct Island {
  Stepper stepper;
  const Model& model = stepper.model;
  std::shared_ptr<Terms> terms = terms_of(model);
  std::shared_ptr<NetStates> states = std::make_shared<NetStates>(model);
  std::vector<int> components = all(static_cast<int>(model.components().size()));
  NetPotential potential{model, rods_and_joints(model, components, joints_by_rod(model)), states, terms};
  std::vector<TermElement> elements;

  explicit Island(const Scene& scene) : stepper(scene) {
    const State& start = stepper.state;
    terms->begin(start, {scene.dt, scene.dt});
    for (int e = 0; e < (*terms)[0].element_count(); ++e) elements.push_back({0, e});
    potential.couple_sparse(elements);
    potential.load(start, stepper.drive.at(model, start, scene.dt), scene.dt);
  }
};

constexpr double gap = 5e-6;  // m: a third of the activation

}  // namespace

// The same rods counted as one part of the model, which is for the factor, and as many.
TEST(Tangent, SolvesByGradientsWhatItSolvesByItsFactor) {
  Island island(layers(6, 7, gap));
  const int size = island.potential.assembly().size();
  island.potential.find_hessian(1);
  ASSERT_GT(island.potential.coupling().pairs().size(), 300U);
  newton::Tangent factor(island.potential, 1), gradients(island.potential, 42);
  Eigen::VectorXd right(size), exact = Eigen::VectorXd::Zero(size), found = exact;
  island.potential.evaluate(right);
  for (newton::Tangent* tangent : {&factor, &gradients}) {
    tangent->assemble(1, 1);
    ASSERT_TRUE(tangent->prepare());
  }
  ASSERT_TRUE(factor.solve(right, exact));
  ASSERT_TRUE(gradients.solve(right, found));
  ASSERT_GT(exact.norm(), 0);
  EXPECT_LT((found - exact).norm(), 0.05 * exact.norm());  // a thousandth of the right-hand side is left
  EXPECT_GT((found - exact).norm(), 0);                    // it is another way
}

// Rods that fly into the floor by many times the activation in a step, with no gaps so far: with the pressures that are foreseen
// their gaps at the end are those at which barriers press so.
TEST(Foresight, FindsTheGapsThatBelongToItsPressures) {
  Island island(layers(1, 3, 100e-6));
  NetPotential& potential = island.potential;
  State &base = potential.base(), &trial = potential.trial();
  for (Vec3& x : trial.x) x.z -= 1e-3;
  assembly::Foresight foresight;
  potential.foresee(foresight);
  ASSERT_FALSE(foresight.empty());
  trial.x = base.x;

  newton::Tangent tangent(potential, 1);
  tangent.renew();
  tangent.assemble(1, 1, NetPotential::Which::not_guards);
  tangent.keep();
  const int size = potential.assembly().size();
  Eigen::VectorXd gradient(size), direction(size), sum;
  potential.evaluate(gradient);
  foresight.take_off(gradient);
  tangent.prepare();
  tangent.solve(-gradient, direction);
  int tries = 0;
  while (foresight.press(direction) > 0.05) {
    ASSERT_LT(++tries, 12);
    tangent.take_kept();
    foresight.add_hessian(tangent.matrix());
    sum = -gradient;
    foresight.add_force(sum);
    ASSERT_TRUE(tangent.prepare());
    tangent.solve(sum, direction);
  }
  EXPECT_GE(tries, 2);
  // All that flew is stopped above the floor, within the activation of 15e-6 m; its momentum is what barriers gave.
  potential.assembly().move(base, direction, 1, trial);
  for (const Vec3& x : trial.x) {
    EXPECT_GT(x.z, radius);
    EXPECT_LT(x.z, radius + 15e-6);
  }
  Eigen::VectorXd at_end(size);
  potential.evaluate(at_end);
  EXPECT_LT(at_end.norm(), 0.1 * gradient.norm());
}

// Where rods press, what is foreseen with no way to go is what is there: the gradient without barriers, and their convex Hessian.
TEST(Foresight, BeginsWithWhatPresses) {
  Island island(layers(3, 4, gap));
  NetPotential& potential = island.potential;
  const int size = potential.assembly().size();
  Eigen::VectorXd gradient(size), pressed = Eigen::VectorXd::Zero(size);
  potential.evaluate(gradient);
  assembly::Sums sums;
  potential.coupling().add_gradient(potential.trial(), pressed, sums);
  ASSERT_GT(pressed.norm(), 0);
  assembly::Foresight foresight;
  potential.foresee(foresight);
  Eigen::VectorXd without = gradient, force = Eigen::VectorXd::Zero(size);
  foresight.take_off(without);
  EXPECT_LT((without - (gradient - pressed)).norm(), 1e-12 * pressed.norm());
  foresight.add_force(force);
  EXPECT_LT((force + pressed).norm(), 1e-9 * pressed.norm());

  potential.find_hessian(0);
  newton::Tangent all(potential, 1), foreseen(potential, 1);
  all.assemble(0, 1);
  foreseen.assemble(0, 1, NetPotential::Which::not_guards);
  const Eigen::MatrixXd convex = all.matrix().lower().toDense();
  EXPECT_GT((foreseen.matrix().lower().toDense() - convex).norm(), 1e-3 * convex.norm());
  foresight.add_hessian(foreseen.matrix());
  EXPECT_LT((foreseen.matrix().lower().toDense() - convex).norm(), 1e-9 * convex.norm());
}

// How many iterations a step takes says whether directions know what they run into: plain ones take twice as many here, 169.
TEST(Foresight, HeapsFallInFewIterations) {
  Simulation simulation = simulate(layers(6, 6, 500e-6, 400e-6));
  int iterations = 0;
  for (int i = 0; i < 10; ++i) {
    const StepReport report = simulation.step(1e-3);
    ASSERT_TRUE(report.accepted()) << report.cause;
    iterations += report.iterations;
  }
  EXPECT_LT(iterations, 125);
}

// Links couple the same in every step and are no reason for gradients: linked rods are solved as a net is, to the bit.
TEST(Tangent, FactorsWhatLinksCouple) {
  Scene scene = layers(6, 7, gap);
  scene.contact = {};
  scene.obstacles.clear();
  for (std::size_t i = 0; i + 1 < scene.rods.size(); ++i)
    for (const double at : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      Link link;
      link.from = Place::parse(scene.rods[i].name + "@" + std::to_string(at));
      link.to = Place::parse(scene.rods[i + 1].name + "@" + std::to_string(at));
      link.stiffness = 10;
      scene.links.push_back(link);
    }
  Island island(scene);
  newton::Tangent few(island.potential, 1), many(island.potential, 42);
  Eigen::VectorXd right(island.potential.assembly().size()), a = 0 * right, b = a;
  island.potential.find_hessian(1);
  island.potential.evaluate(right);
  for (newton::Tangent* tangent : {&few, &many}) {
    tangent->renew();
    tangent->assemble(1, 1);
    ASSERT_TRUE(tangent->prepare());
  }
  few.solve(right, a);
  many.solve(right, b);
  EXPECT_EQ(a, b);
}
