// Moments and follower forces within a step: where the step ends, on both implicit methods, and with the derivatives that they
// say.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "linalg/gmres.h"
#include "loads/followers.h"
#include "measure/measure.h"
#include "support/random_chain.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

struct Way {
  const char* method;
  Integrator integrator;
};
constexpr std::array<Way, 3> ways{{{"newton", Integrator::euler}, {"newton", Integrator::midpoint}, {"pd", Integrator::euler}}};

Scene by(Scene scene, const Way& way) {
  scene.solver.method = way.method;
  scene.solver.integrator = way.integrator;
  scene.solver.pd.iterations = 400;
  return scene;
}

}  // namespace

// Nothing but the follower acts on the whole, so it is what the momentum changes by: in the direction that it has at the end of
// the step (midpoint: in its middle), by which the rod has turned a good deal.
TEST(Followers, PointWhereTheStepEnds) {
  for (const Way& way : ways) {
    SCOPED_TRACE(std::string(way.method) + (way.integrator == Integrator::midpoint ? ", midpoint" : ""));
    const bool middle = way.integrator == Integrator::midpoint;
    Cord cord;
    cord.segments = 5;
    Scene scene = cord.scene();
    scene.solver.tolerance = 1e-13;
    load(scene, ForceLoad{Place::parse("rod.end"), {0, 0.02, 0.01}, true});
    load(scene, MomentLoad{Place::parse("rod.end"), {1e-3, 2e-3, 1e-3}, false});
    Simulation simulation = simulate(by(scene, way));
    constexpr double dt = 4e-3;
    for (int k = 0; k < 12; ++k) ASSERT_TRUE(simulation.step(dt).accepted());
    const Vec3 before = measure::momentum(simulation.model(), simulation.state()).linear;
    const Quat q0 = simulation.state().q.back();
    ASSERT_TRUE(simulation.step(dt).accepted());
    const Quat q1 = simulation.state().q.back();
    const Vec3 rate = (measure::momentum(simulation.model(), simulation.state()).linear - before) / dt;
    const Quat there = middle ? normalized(q0 * exp_rotation(0.5 * log_rotation(conj(q0) * q1))) : q1;
    const Vec3 body{0, 0.02, 0.01}, lags = rotate(q0, body), acts = rotate(there, body);
    ASSERT_GT(norm(lags - acts), 1e-3 * norm(body)) << "it has to turn for the test to tell";
    EXPECT_LT(norm(rate - acts), 1e-7 * norm(body));
  }
}

// A moment of 2 pi EI/L rolls a cantilever up; taken where the step starts it would swing for ever in steps long enough to
// settle.
TEST(Followers, AMomentRollsACantileverUp) {
  for (const Way& way : ways) {
    if (way.integrator == Integrator::midpoint) continue;  // does not settle
    SCOPED_TRACE(way.method);
    Cord cord;
    cord.segments = 40;
    Scene scene = cord.scene();
    scene.damping.mass = 5;
    clamp(scene, "rod.start");
    for (const char* place : {"rod@0.25", "rod@0.5", "rod@0.75", "rod.end"}) pin(scene, place, "y");  // in its plane
    load(scene, MomentLoad{Place::parse("rod.end"), {0, -2 * pi * cord.EI() / cord.length, 0}, false}, {{{0, 0}, {2, 1}}});
    const Simulation rolled = settled(by(scene, way));
    // The curvature is that of the moment over EI everywhere, but for a measure of 2 sin(theta/2) at each of the joints.
    EXPECT_LT(norm(rolled.state().x.back()), 0.02 * cord.length);
    const double radius = cord.length / (2 * pi);
    EXPECT_NEAR(rolled.state().x[20].z, 2 * radius, 0.01 * cord.length);
  }
}

// As a user wrote them: a moment of 2 EI/L that comes within 5 s bends a damped cantilever into an arc of 2 rad, and it stays
// there. Taken from the start of each step it fed the vibrations until the rod flew about.
TEST(Followers, AMomentFixedInSpaceFeedsNoVibration) {
  for (const Way& way : ways) {
    SCOPED_TRACE(std::string(way.method) + (way.integrator == Integrator::midpoint ? ", midpoint" : ""));
    Scene scene = load_scene(std::string(WRITHE_SOURCE_DIR) + "/tests/cases/end_moment.yaml", {"time.dt=4e-3"});
    scene.solver.method = way.method;
    scene.solver.integrator = way.integrator;
    Simulation simulation{Model(scene)};
    ASSERT_TRUE(simulation.run(10).accepted());
    const Vec3 tip = simulation.state().x.back(), exact{std::sin(2.0) / 2, 0, (1 - std::cos(2.0)) / 2};
    EXPECT_LT(norm(tip - exact), 1e-3);  // 40 segments: 2^2/(6 40^2) of the length, in half its radius
  }
}

// One chain, or one ring, stays on its banded matrix; with a link on it, here a tether that is slack, it is solved as a net, on a
// sparse one. Both minimise the same potential.
TEST(Followers, ChainsAndRingsGoWhereNetsWould) {
  for (const bool ring : {false, true}) {
    for (const Integrator integrator : {Integrator::euler, Integrator::midpoint}) {
      SCOPED_TRACE(std::string(ring ? "ring" : "chain") + (integrator == Integrator::midpoint ? ", midpoint" : ""));
      State ended[2];
      for (const bool net : {false, true}) {
        Scene scene = Cord{}.scene();
        scene.solver.integrator = integrator;
        scene.solver.tolerance = 1e-12;
        if (ring) scene.rods[0].centreline = RingShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.1};
        if (!ring) clamp(scene, "rod.start");
        load(scene, ForceLoad{Place::parse("rod@0.6"), {0, 0.04, 0.02}, true});
        load(scene, MomentLoad{Place::parse("rod.node[3]"), {1e-3, 2e-3, 1e-3}, false});
        load(scene, MomentLoad{Place::parse(ring ? "rod@0.5" : "rod.end"), {1e-3, -2e-3, 1e-3}, true});
        if (net) {
          Link link;
          link.kind = Link::Kind::tether;
          link.from = Place::parse("rod@0.5");
          link.to = Vec3{0, 0, 1};
          link.stiffness = 1;
          link.rest_length = 10;
          scene.links = {link};
        }
        Simulation simulation = simulate(scene);
        for (int k = 0; k < 50; ++k) ASSERT_TRUE(simulation.step(2e-3).accepted());
        ended[net] = simulation.state();
      }
      double most = 0, way = 0;
      for (int i = 0; i < 11; ++i) {
        most = std::max(most, norm(ended[0].x[i] - ended[1].x[i]));
        way = std::max(way, norm(ended[0].v[i]) * 0.1);
      }
      EXPECT_GT(way, 0.01);
      EXPECT_LT(most, 1e-8);
    }
  }
}

// With its scene's step of 10 ms the whole moment comes at once.
TEST(Followers, AMomentThatComesAtOnceRollsUpAsWritten) {
  for (const char* method : {"newton", "pd"}) {
    SCOPED_TRACE(method);
    const std::string file = std::string(WRITHE_SOURCE_DIR) + "/tests/cases/rollup_plane.yaml";
    Simulation simulation{Model(load_scene(file, {std::string("solver.method=") + method}))};
    ASSERT_TRUE(simulation.run(10).accepted());
    EXPECT_LT(norm(simulation.state().x.back()), 2e-3);  // 80 segments: (2 pi)^2/(24 80^2) of the length shorter curvature
    EXPECT_TRUE(simulation.settle().accepted());
  }
}

// By differences, at the end of a rod and between two of its segments. The derivative of a body gradient g by a turn is its
// Hessian and [g]x/2; the balance has the latter with both signs, and the load's share, here -m, comes with its own.
TEST(Followers, DerivativesAreThoseOfTheirForces) {
  for (const Integrator integrator : {Integrator::euler, Integrator::midpoint}) {
    for (int kind = 0; kind < 3; ++kind) {
      SCOPED_TRACE(kind);
      Scene scene = Cord{}.scene();
      const Place place = Place::parse("rod.end");
      if (kind == 0) load(scene, ForceLoad{place, {0.3, -0.2, 0.5}, true});
      if (kind == 1) load(scene, MomentLoad{place, {0.3, -0.2, 0.5}, false});
      if (kind == 2) load(scene, MomentLoad{place, {0.3, -0.2, 0.5}, true});
      const Model model(scene);
      loads::FollowerTerm term(model);
      State start = model.initial_state();
      term.begin(start, {}, {0.01, 0.01, integrator});
      State at = start;
      at.q.back() = normalized(at.q.back() * exp_rotation(Vec3{0.4, 0.3, -0.2}));
      const std::span<const Dof> dofs = term.dofs(0);
      std::vector<Mat3> blocks(dofs.size() * dofs.size());
      term.circulation(0, at, blocks);
      const Term::Value here = term.value(0, at);
      EXPECT_EQ(here.energy, 0);
      const std::size_t turn = dofs.size() - 1;  // the orientation comes last
      ASSERT_EQ(dofs[turn].kind, Dof::Kind::orientation);
      for (std::size_t row = 0; row < dofs.size(); ++row) {
        constexpr double h = 1e-5;
        Vec3 columns[3];
        for (int k = 0; k < 3; ++k) {
          const Vec3 axis{k == 0 ? h : 0, k == 1 ? h : 0, k == 2 ? h : 0};
          State plus = at, minus = at;
          plus.q.back() = at.q.back() * exp_rotation(axis);
          minus.q.back() = at.q.back() * exp_rotation(-1.0 * axis);
          columns[k] = (term.value(0, plus).gradient[row] - term.value(0, minus).gradient[row]) / (2 * h);
        }
        Mat3 expected = transpose(Mat3{columns[0], columns[1], columns[2]});
        if (row == turn && kind > 0) {
          const Mat3 own = cross_matrix(-0.5 * here.gradient[turn]);
          expected = {expected.r0 + own.r0, expected.r1 + own.r1, expected.r2 + own.r2};
        }
        const Mat3& found = blocks[row * dofs.size() + turn];
        EXPECT_LT(norm(found.r0 - expected.r0) + norm(found.r1 - expected.r1) + norm(found.r2 - expected.r2), 1e-8);
      }
    }
  }
}

// Of low rank it ends after as many products and one; of full rank it is the solution of the whole system.
TEST(Gmres, SolvesWhatAFullFactorDoes) {
  constexpr int n = 30;
  std::srand(7);
  for (const int rank : {1, 3, n}) {
    const Eigen::MatrixXd left = Eigen::MatrixXd::Random(n, rank), right = Eigen::MatrixXd::Random(rank, n);
    const Eigen::MatrixXd B = 0.3 * left * right;
    const Eigen::VectorXd b = Eigen::VectorXd::Random(n);
    linalg::Gmres gmres;
    gmres.reserve(n);
    Eigen::VectorXd x = b;
    int products = 0;
    EXPECT_TRUE(gmres.solve(
        [&](const Eigen::VectorXd& in, Eigen::VectorXd& out) {
          out = B * in;
          ++products;
        },
        x));
    EXPECT_LE(products, std::min(rank + 1, n));
    const Eigen::VectorXd exact = (Eigen::MatrixXd::Identity(n, n) + B).partialPivLu().solve(b);
    EXPECT_LT((x - exact).norm(), 1e-8 * exact.norm());
  }
}
