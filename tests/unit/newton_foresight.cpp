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
  ASSERT_TRUE(factor.solve(right, exact, 0));
  ASSERT_TRUE(gradients.solve(right, found, 1e-10));
  ASSERT_GT(exact.norm(), 0);
  EXPECT_LT((found - exact).norm(), 1e-6 * exact.norm());
  EXPECT_GT((found - exact).norm(), 0);  // it is another way
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
  tangent.solve(-gradient, direction, 0);
  int tries = 0;
  while (foresight.press(direction)) {
    ASSERT_LT(++tries, 12);
    tangent.take_kept();
    foresight.add_hessian(tangent.matrix());
    sum = -gradient;
    foresight.add_force(sum);
    ASSERT_TRUE(tangent.prepare());
    tangent.solve(sum, direction, 0);
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

// Iterations say whether directions know what they run into: where they do not, this takes more than twice as many.
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
