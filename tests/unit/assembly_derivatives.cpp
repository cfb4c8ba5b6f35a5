// Gradient and Hessian of nets and rings against differences of the energy, and the net's step against the chain's.
#include <cmath>
#include <memory>
#include <numeric>
#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "assembly/assembly.h"
#include "assembly/terms_of.h"
#include "loads/drive.h"
#include "solvers/newton/chain.h"
#include "solvers/newton/net.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;
using Eigen::VectorXd;

namespace {

// A ring and three arms on it, with an anisotropic section, rest curvature, a clamp, a pin and a closing angle.
Scene wheel() {
  Scene scene = Cord{.radius = 0.05, .segments = 4}.scene();
  scene.sections = {{"section", RectangleSection{0.1, 0.06}}};
  Rod ring = scene.rods[0];
  ring.name = "ring";
  ring.centreline = RingShape{.radius = 1};
  ring.closed = true;
  ring.segments = 9;
  ring.closing_angle = 0.4;
  ring.closing_motion.keys = {{0, 0}, {1, 0.3}};
  scene.rods = {ring};
  for (int arm = 0; arm < 3; ++arm) {
    const double angle = 2 * pi * arm / 3;
    Rod rod = scene.rods[0];
    rod.name = "arm" + std::to_string(arm);
    rod.closed = false;
    rod.closing_angle = 0;
    rod.closing_motion.keys.clear();
    rod.segments = 3;
    rod.centreline = LineShape{{0, 0, 0.3}, {std::cos(angle), std::sin(angle), 0}};
    rod.rest = ShapeRest{ArcShape{.radius = 2, .angle = 0.5}, {}};
    scene.rods.push_back(rod);
    scene.joints.push_back(
        {"rim" + std::to_string(arm), {Place::parse(rod.name + ".end"), Place{"ring", Place::Kind::node, 0, 3 * arm}}});
  }
  scene.joints.push_back({"hub", {Place::parse("arm0.start"), Place::parse("arm1.start"), Place::parse("arm2.start")}});
  clamp(scene, "ring.node[1]");
  pin(scene, "arm2.node[1]", "xz");
  return scene;
}

VectorXd random_step(const assembly::Assembly& assembly, unsigned seed, double size) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-size, size);
  return VectorXd::NullaryExpr(assembly.size(), [&] { return uniform(random); });
}

struct Shaken {
  Model model{wheel()};
  assembly::Assembly assembly{model};
  assembly::ElementMaterial material = assembly.material();
  State state = model.initial_state();

  explicit Shaken(unsigned seed) {
    state.closing[0] = 0.2;
    const State built = state;
    assembly.move(built, random_step(assembly, seed, 0.08), 1, state);
  }
  double energy(const VectorXd& along, double size) const {
    State moved = state;
    assembly.move(state, along, size, moved);
    VectorXd ignored = VectorXd::Zero(assembly.size());
    return assembly.add_gradient(moved, material, ignored).energy;
  }
};

}  // namespace

TEST(AssemblyDerivatives, GradientIsThatOfTheEnergy) {
  for (unsigned seed = 1; seed < 8; ++seed) {
    const Shaken at(seed);
    VectorXd gradient = VectorXd::Zero(at.assembly.size());
    at.assembly.add_gradient(at.state, at.material, gradient);
    const VectorXd along = random_step(at.assembly, 100 + seed, 1);
    constexpr double h = 1e-3;
    const double slope =
        (8 * (at.energy(along, h) - at.energy(along, -h)) - (at.energy(along, 2 * h) - at.energy(along, -2 * h))) / (12 * h);
    EXPECT_NEAR(gradient.dot(along), slope, 1e-6 * gradient.norm() * along.norm()) << seed;
  }
}

TEST(AssemblyDerivatives, HessianIsTheSecondDerivativeAlongTurns) {
  for (unsigned seed = 1; seed < 8; ++seed) {
    const Shaken at(seed);
    linalg::BlockMatrix hessian = at.assembly.matrix();
    at.assembly.add_hessian(at.state, at.material, 1, hessian);
    const VectorXd along = random_step(at.assembly, 200 + seed, 1);
    constexpr double h = 4e-3;
    const double second = (-at.energy(along, 2 * h) + 16 * at.energy(along, h) - 30 * at.energy(along, 0) +
                           16 * at.energy(along, -h) - at.energy(along, -2 * h)) /
                          (12 * h * h);
    EXPECT_NEAR(along.dot(hessian.times(along)), second, 1e-5 * std::abs(second)) << seed;
  }
}

TEST(AssemblyDerivatives, WithoutItsGeometricPartTheHessianIsSemidefinite) {
  const Shaken at(3);
  linalg::BlockMatrix hessian = at.assembly.matrix();
  at.assembly.add_hessian(at.state, at.material, 0, hessian);
  const Eigen::MatrixXd dense = Eigen::MatrixXd(hessian.lower()).selfadjointView<Eigen::Lower>();
  const VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(dense).eigenvalues();
  EXPECT_GT(values.minCoeff(), -1e-10 * values.maxCoeff());
}

TEST(AssemblyDerivatives, WhatAPrescribedFrameFeelsIsTheDerivativeByItsTurn) {
  const Shaken at(5);
  VectorXd gradient = VectorXd::Zero(at.assembly.size());
  std::vector<Vec3> felt(static_cast<std::size_t>(at.model.frame_count()));
  at.assembly.add_gradient(at.state, at.material, gradient, {.prescribed = &felt});
  int clamps = 0;
  for (int f = 0; f < at.model.frame_count(); ++f) {
    if (!at.model.frames().is_prescribed(f)) continue;
    ++clamps;
    const Vec3 along{0.3, -0.8, 0.5};
    const auto energy = [&](double h) {
      State turned = at.state;
      Quat& q = turned.q[at.model.segment_count() + f];
      q = q * exp_rotation(h * along);
      VectorXd ignored = VectorXd::Zero(at.assembly.size());
      return at.assembly.add_gradient(turned, at.material, ignored).energy;
    };
    EXPECT_NEAR(dot(felt[f], along), (energy(1e-5) - energy(-1e-5)) / 2e-5, 1e-6 * norm(felt[f]));
  }
  EXPECT_EQ(clamps, 1);
}

// One chain by both paths: banded vectors and sparse matrix minimise one potential.
TEST(NewtonNet, TakesAChainWhereTheChainTakesIt) {
  Scene scene = Cord{.segments = 13}.scene();
  scene.gravity = {0, 0, -9.81};
  scene.damping.internal = 2e-3;
  scene.damping.mass = 0.3;
  clamp(scene, "rod.start");
  pin(scene, "rod.node[9]", "y");
  load(scene, MomentLoad{Place::parse("rod.end"), {0, 0.001, 0.0005}, true});
  const Model model(scene);
  State state = model.initial_state();
  std::vector<int> joints(static_cast<std::size_t>(model.joint_count()));
  std::iota(joints.begin(), joints.end(), 0);
  newton::Chain chain(model, 0, joints);
  newton::Net net(model, {{0}, joints}, std::make_shared<NetStates>(model), terms_of(model));
  Drive drive(model);
  const Loading& loading = drive.at(model, state, 0.01);
  ASSERT_TRUE(chain.minimise(state, loading, 0.01).accepted());
  ASSERT_TRUE(net.minimise(state, loading, 0.01).accepted());
  Configuration by_chain{state.x, state.q}, by_net{state.x, state.q};
  chain.store(by_chain);
  net.store(by_net);
  double moved = 0;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    EXPECT_LT(norm(by_chain.x[i] - by_net.x[i]), 1e-12);
    moved = std::max(moved, norm(by_net.x[i] - state.x[i]));
  }
  for (std::size_t i = 0; i < state.q.size(); ++i) EXPECT_NEAR(std::abs(dot(by_chain.q[i], by_net.q[i])), 1, 1e-12);
  EXPECT_GT(moved, 1e-4);

  // What is solved once more where it was found takes an iteration at most, and the time after that as many as the first.
  for (newton::Minimiser* part : {static_cast<newton::Minimiser*>(&chain), static_cast<newton::Minimiser*>(&net)}) {
    const int first = part->minimise(state, loading, 0.01).iterations;
    EXPECT_GT(first, 2);
    part->begin_near(by_net);
    EXPECT_LE(part->minimise(state, loading, 0.01).iterations, 1);
    Configuration again{state.x, state.q};
    part->store(again);
    for (std::size_t i = 0; i < state.x.size(); ++i) EXPECT_LT(norm(again.x[i] - by_net.x[i]), 1e-12);
    EXPECT_EQ(part->minimise(state, loading, 0.01).iterations, first);
  }
}
