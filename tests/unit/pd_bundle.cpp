// `pd` within a step: its matrix, its guard, and what holds after any number of iterations.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "assembly/terms_of.h"
#include "math/retraction.h"
#include "measure/measure.h"
#include "pd_support.h"
#include "solvers/net_potential.h"
#include "solvers/pd/net.h"
#include "support/random_scenes.h"
#include "support/stepper.h"
#include "writhe/simulation.h"

using namespace writhe;
using namespace writhe::test;

namespace {

// ---- the constant matrix ---------------------------------------------------------------------------------------------

TEST(PdMetric, IsFactoredOnceForAllStepsOfOneLength) {
  Scene scene = by_pd(Cord{}.scene(), 10, Metric::constant);
  scene.gravity = {0, 0, -9.81};
  clamp(scene, "rod.start");
  pin(scene, "rod@0.5", "xz");
  Motion motion;
  motion.translate.keys = {{0, {0, 0, 0}}, {0.05, {0.02, 0.03, 0}}};
  motion.axis = {1, 2, 3};
  motion.angle.keys = {{0, 0}, {0.05, 0.5}};
  motion.twist.keys = {{0, 0}, {0.05, 0.5}};
  scene.supports[0].motion = motion;
  load(scene, ForceLoad{Place::parse("rod.end"), {0, 0.02, 0.01}, true}, {{{0, 0}, {0.02, 1}, {0.04, 0}}});
  OpenBundle open(scene);
  EXPECT_EQ(open.bundle.factorisations(), 0);
  const Vec3 support = open.state.x[0];
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(open.step(1e-3).accepted());
    ASSERT_EQ(open.bundle.factorisations(), 1) << "step " << k;
  }
  EXPECT_GT(norm(open.state.x[0] - support), 0.02) << "m: the support has not moved";
  ASSERT_TRUE(open.step(2e-3).accepted());
  EXPECT_EQ(open.bundle.factorisations(), 2);
  ASSERT_TRUE(open.step(2e-3).accepted());
  EXPECT_EQ(open.bundle.factorisations(), 2);
}

// Drawn to twice its length it is another rod: the turns are held more firmly.
TEST(PdMetric, IsMadeAgainForARodThatIsDrawnOut) {
  Scene scene = by_pd(Cord{}.scene(), 10, Metric::constant);
  clamp(scene, "rod.start");
  clamp(scene, "rod.end");
  Motion pull;
  pull.translate.keys = {{0, {0, 0, 0}}, {0.1, {1, 0, 0}}};
  scene.supports[1].motion = pull;
  OpenBundle open(scene);
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(open.step(1e-3).accepted());
  EXPECT_GT(open.bundle.factorisations(), 1);
  EXPECT_LT(open.bundle.factorisations(), 100);
}

// ---- the guard -------------------------------------------------------------------------------------------------------

// The incremental potential of a step, for judging where it ended; element by element.
class Judge {
 public:
  Judge(const Model& model, const State& start, const Loading& loading, double dt)
      : m_states(std::make_shared<NetStates>(model)),
        m_potential(model, {all_rods(model), all_joints(model)}, m_states, terms_of(model)) {
    m_potential.load(start, loading, dt);
    m_gradient.resize(m_potential.assembly().size());
    m_placed = m_states->trial;
  }

  // At the start of the iteration: where everything would fly, with prescribed things in their places.
  double at_prediction(const State& start, double dt) {
    m_states->trial = m_placed;
    const auto& own = m_potential.assembly();
    for (const auto& node : own.nodes())
      m_states->trial.x[node.index] += dt * scale(assembly::block(own.free(), node.block), start.v[node.index]);
    for (const auto& turn : own.orientations())
      m_states->trial.q[turn.index] = nearly_turned(m_states->trial.q[turn.index], dt * start.w[turn.index]);
    return evaluate();
  }
  double at(const State& state) {
    m_states->trial.x = state.x;
    m_states->trial.q = state.q;
    return evaluate();
  }
  // At the point seen last: what a rod may not do, or null; rod and node with the largest force left.
  const char* coarse() const { return assembly::coarse_joint(m_value.sums.joint_cosine, m_value.sums.joint_fold); }
  StepReport culprit() const {
    StepReport report;
    m_potential.blame(m_value.residual.block, report);
    return report;
  }
  // J: by how much the potential may rise where its rounding errors leave it open (Iteration::guard), at the point seen last.
  double doubt() const {
    return 1e6 * std::numeric_limits<double>::epsilon() *
           (std::abs(m_value.sums.energy) + m_value.sums.internal * m_potential.size());
  }

 private:
  double evaluate() {
    m_value = m_potential.evaluate(m_gradient);
    return m_value.sums.energy;
  }
  static std::vector<int> all_rods(const Model& model) { return first_numbers(static_cast<int>(model.rods().size())); }
  static std::vector<int> all_joints(const Model& model) { return first_numbers(model.joint_count()); }

  std::shared_ptr<NetStates> m_states;
  NetPotential m_potential;
  Eigen::VectorXd m_gradient;
  NetPotential::Value m_value;
  State m_placed;
};

struct Potentials {
  double predicted, after, doubt;  // J: before the first iteration, after the last
};
// Of one step. Nothing where it is refused because a joint is bent too far.
std::optional<Potentials> potentials(const Scene& scene, double dt, const State& start) {
  Stepper stepper(scene);
  stepper.state = start;
  Judge judge(stepper.model, start, stepper.drive.at(stepper.model, start, start.time + dt), dt);
  const double predicted = judge.at_prediction(start, dt);
  const StepReport report = stepper.step(dt);
  EXPECT_TRUE(report.accepted() || report.status == StepStatus::not_converged) << report.cause;
  if (!report.accepted()) return {};
  const double after = judge.at(stepper.state);
  return Potentials{predicted, after, judge.doubt()};
}

std::vector<std::pair<std::string, Scene>> free_scenes() {
  RandomScenes random(77);
  std::vector<std::pair<std::string, Scene>> out{{"a chain", random.chain()}, {"a ring", random.ring()}, {"a net", random.net()}};
  for (auto& [what, scene] : out) scene.supports.clear();
  return out;
}

// However violent the start: what is kept lowers the potential. So more iterations never end above fewer, but for a step that
// ends while it goes back: it may lower the potential on the way, which the next iteration does not know of.
TEST(PdGuard, ThePotentialNeverRises) {
  int tried = 0, refused = 0;
  for (const Metric metric : metrics) {
    for (const auto& [what, scene] : free_scenes()) {
      for (unsigned seed = 0; seed < 20; ++seed) {
        RandomScenes random(seed);
        const double dt = random.spread(1e-4, 5e-3);
        State start = Model(scene).initial_state();
        make_violent(start, random);
        double before[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};  // with one iteration less, two, three
        for (int iterations = 1; iterations <= 12; ++iterations) {
          SCOPED_TRACE(name(metric) + ", " + what + ", start " + std::to_string(seed) + ", iterations " +
                       std::to_string(iterations));
          const auto found = potentials(by_pd(scene, iterations, metric), dt, start);
          ++tried;
          if (!found) {
            ++refused;
            continue;
          }
          EXPECT_LE(found->after, found->predicted + found->doubt);
          EXPECT_LE(found->after, *std::max_element(before, before + 3) + found->doubt);
          std::rotate(before, before + 2, before + 3);
          before[0] = found->after;
        }
      }
    }
  }
  EXPECT_LT(refused, tried / 4) << "of " << tried;
}

// Where the last iteration is refused, a step ends at the best point, and what is said of its end is said of that: a joint folded
// by what was refused fails nothing.
TEST(PdGuard, TheReportIsOfThePointThatIsKept) {
  int accepted = 0, failed = 0;
  for (const Metric metric : metrics) {
    for (const auto& [what, scene] : free_scenes()) {
      for (unsigned seed = 0; seed < 40; ++seed) {
        for (int iterations = 1; iterations <= 6; ++iterations) {
          SCOPED_TRACE(name(metric) + ", " + what + ", start " + std::to_string(seed) + ", iterations " +
                       std::to_string(iterations));
          OpenPart open(by_pd(scene, iterations, metric));
          RandomScenes random(seed);
          const double dt = random.spread(1e-3, 2e-2);
          make_violent(open.state, random);
          std::vector<int> rods = first_numbers(static_cast<int>(scene.rods.size()));
          std::unique_ptr<Part> part;
          if (open.model.components()[0].kind == Component::Kind::chain)
            part = std::make_unique<pd::Bundle>(open.model, rods, joints_by_rod(open.model));
          else
            part = std::make_unique<pd::Net>(open.model, RodsAndJoints{rods, first_numbers(open.model.joint_count())},
                                             std::make_shared<NetStates>(open.model), terms_of(open.model));
          const Loading& loading = open.drive.at(open.model, open.state, dt);
          const StepReport report = part->minimise(open.state, loading, dt);
          State end = open.state;
          Configuration kept{end.x, end.q};
          part->store(kept);
          end.x = kept.x;
          end.q = kept.q;
          Judge judge(open.model, open.state, loading, dt);
          judge.at(end);
          ASSERT_FALSE(report.converged);
          EXPECT_EQ(report.accepted(), judge.coarse() == nullptr) << report.cause;
          ++(report.accepted() ? accepted : failed);
          if (report.accepted()) continue;
          EXPECT_EQ(report.rod, judge.culprit().rod);
          EXPECT_EQ(report.node, judge.culprit().node);
        }
      }
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(failed, 100);
}

// ---- iterations ------------------------------------------------------------------------------------------------------

// Chains, rings and nets by turns, one seed each.
Scene random_scene(RandomScenes& random, unsigned seed) {
  return seed % 3 == 0 ? random.chain() : seed % 3 == 1 ? random.ring() : random.net();
}

// From gentle starts: more iterations, nearer to the step of `newton`. The excess of the potential over its least never grows;
// distances may for a while, where the potential is flat.
TEST(PdIterations, MoreOfThemEndNearerToNewton) {
  for (const Metric metric : metrics) {
    for (unsigned seed = 500; seed < 536; ++seed) {
      SCOPED_TRACE(name(metric) + ", seed " + std::to_string(seed));
      RandomScenes random(seed);
      Scene scene = random_scene(random, seed);
      drop_followers(scene);
      scene.solver.tolerance = 1e-12;
      Stepper newton(scene);
      random.set_in_motion(newton.state);
      const State start = newton.state;
      Judge judge(newton.model, start, newton.drive.at(newton.model, start, scene.dt), scene.dt);
      ASSERT_TRUE(newton.step(scene.dt).accepted());
      const double least = judge.at(newton.state), doubt = judge.doubt();
      double way = HUGE_VAL, excess = HUGE_VAL, first = 0;
      for (const int iterations : {1, 2, 5, 10, 100}) {
        SCOPED_TRACE(std::to_string(iterations) + " iterations");
        Stepper stepper(by_pd(scene, iterations, metric));
        stepper.state = start;
        ASSERT_TRUE(stepper.step(scene.dt).accepted());
        const double now = distance(newton.state, stepper.state).way, left = judge.at(stepper.state) - least;
        EXPECT_LT(now, 4 * way);
        EXPECT_LT(left, excess + doubt);
        way = now;
        excess = left;
        if (iterations == 1) first = left;
      }
      EXPECT_LT(excess, 1e-4 * first + doubt);
      EXPECT_LT(way, 1e-4) << "m";
    }
  }
}

// Drag along the rod alone, which lies along no axis: three times as large in one direction as on the diagonal of its matrix.
TEST(PdMetric, HoldsAgainstDragInOneDirection) {
  Cord cord;
  cord.young = 1e5;
  cord.segments = 10;
  Scene scene = cord.scene();
  std::get<LineShape>(scene.rods[0].centreline).to = (1 / std::sqrt(3.0)) * Vec3{1, 1, 1};
  scene.gravity = {0, 0, -9.81};
  load(scene, DragLoad{"rod", 0, 1e4, {0.3, 0.2, 0.1}});
  scene.dt = 1e-3;
  scene.solver.tolerance = 1e-8;
  Stepper newton(scene), pd(by_pd(scene, 10, Metric::constant, 1e-8));
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(newton.step(scene.dt).accepted());
    ASSERT_TRUE(pd.step(scene.dt).accepted());
  }
  EXPECT_GT(measure::max_speed(newton.state), 0.1) << "it has hardly moved";
  EXPECT_LT(distance(newton.state, pd.state).way, 1e-8);
}

// A stiff coil that is let go twisted: full turns of its first step raise the potential, and still it has to start.
TEST(PdIterations, AStepGetsSomewhereHoweverFewItHas) {
  Cord cord;
  cord.young = 4.4e10;
  cord.density = 3000;
  cord.segments = 20;
  cord.radius = 0.0044;
  Scene scene = cord.scene();
  scene.rods[0].centreline = HelixShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.1, 0.05, 0.63};
  scene.rods[0].rest = AsBuiltRest{};
  scene.rods[0].initial_twist = 4;
  pin(scene, "rod.start");
  pin(scene, "rod.end");
  scene.dt = 3e-4;
  Stepper stepper(by_pd(scene, 1, Metric::refreshed));
  const State start = stepper.state;
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(stepper.step(scene.dt).accepted());
  EXPECT_GT(distance(start, stepper.state).way, 1e-4);
}

// Without damping, a cord that falls from its clamp, in steps of which hardly one converges.
TEST(PdIterations, FewOfThemFindRestToo) {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -9.81};
  clamp(scene, "rod.start");
  scene.dt = 1e-3;
  Simulation exact{Model(scene)};
  ASSERT_TRUE(exact.settle().accepted());
  EXPECT_LT(exact.state().x.back().z, -0.5);
  for (const int iterations : {1, 3, 10}) {
    SCOPED_TRACE(std::to_string(iterations) + " iterations");
    Simulation pd(Model(by_pd(scene, iterations, Metric::automatic, 1e-6)));
    const StepReport report = pd.settle();
    ASSERT_TRUE(report.accepted()) << report.cause;
    EXPECT_LT(distance(exact.state(), pd.state()).way, 1e-6);
  }
}

// A rod that lies still, exactly or but for rounding, says nothing of one that moves.
TEST(PdIterations, WhatIsLeftIsThatOfTheRodWithMost) {
  Scene busy = Cord{}.scene();
  busy.rods[0].name = "busy";
  load(busy, ForceLoad{Place::parse("busy.end"), {0, 0, 1}});
  for (const double idle_at : {0.0, 0.3}) {
    SCOPED_TRACE(idle_at);
    Scene both = busy;
    Rod idle = busy.rods[0];
    idle.name = "idle";
    idle.segments = 7;
    idle.centreline = LineShape{{0, idle_at, 0}, {1, 4 * idle_at, 0}};
    both.rods.insert(both.rods.begin(), idle);
    const StepReport alone = Stepper(by_pd(busy, 1, Metric::constant, 1e-6)).step(1e-3);
    const StepReport report = Stepper(by_pd(both, 1, Metric::constant, 1e-6)).step(1e-3);
    ASSERT_FALSE(alone.converged);
    EXPECT_GT(alone.residual, alone.residual_limit);
    EXPECT_EQ(report.residual, alone.residual);
    EXPECT_EQ(report.residual_limit, alone.residual_limit);
  }
}

// Loads that balance each other do not tear it apart, however long the steps are.
TEST(PdIterations, AFreeRodUnderBalancedLoadsFindsRest) {
  Scene open = Cord{}.scene();
  load(open, ForceLoad{Place::parse("rod.start"), {-1, 0, 0}});
  load(open, ForceLoad{Place::parse("rod.end"), {1, 0, 0}});
  Scene ring = Cord{.segments = 40}.scene();
  ring.rods[0].centreline = RingShape{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, 0.2};
  load(ring, ForceLoad{Place::parse("rod.start"), {5e-3, 0, 0}});
  load(ring, ForceLoad{Place::parse("rod@0.5"), {-5e-3, 0, 0}});
  for (const Scene& scene : {open, ring}) {
    Simulation exact{Model(scene)}, pd(Model(by_pd(scene, 10, Metric::refreshed, 1e-6)));
    const StepReport exact_report = exact.settle();
    ASSERT_TRUE(exact_report.accepted()) << exact_report.cause;
    const StepReport report = pd.settle();
    ASSERT_TRUE(report.accepted()) << report.cause;
    const double energy = exact.energies().elastic();
    EXPECT_GT(energy, 1e-6);
    EXPECT_NEAR(pd.energies().elastic(), energy, 1e-4 * energy);
  }
}

// A rod that does not come to rest because its steps do not converge is told so, and not to take shorter ones.
TEST(PdIterations, TooFewOfThemToSettleAreNamed) {
  Scene scene = RandomScenes(7).chain();
  scene.damping = {};
  const SettleOptions options{.max_steps = 50};
  const StepReport few = Simulation(Model(by_pd(scene, 1, Metric::constant, 1e-10))).settle(options);
  EXPECT_FALSE(few.accepted());
  EXPECT_NE(few.cause.find("solver.pd.iterations"), std::string::npos) << few.cause;
  const StepReport many = Simulation(Model(by_pd(scene, 100000, Metric::constant, 1e-10))).settle({.max_steps = 3});
  EXPECT_FALSE(many.accepted());
  EXPECT_EQ(many.cause.find("solver.pd.iterations"), std::string::npos) << many.cause;
}

// Steps that use up their iterations stay short while supports move: that is what keeps a run from its end, and not the motion.
TEST(PdIterations, ThatAreUsedUpAreNamedWhileSupportsMove) {
  Scene scene = Cord{.young = 1e8}.scene();
  scene.gravity = {0, 0, -9.81};
  clamp(scene, "rod.start");
  scene.supports[0].motion.emplace().translate.keys = {{0, Vec3{}}, {4, Vec3{0, 0, 0.1}}};
  scene.dt = 2e-3;
  SettleOptions options;
  options.max_steps = 2000;  // to the end of the motion, but for rounding
  const StepReport report = Simulation(Model(by_pd(scene, 1, Metric::constant, 1e-10))).settle(options);
  EXPECT_NE(report.cause.find("used up solver.pd.iterations"), std::string::npos) << report.cause;
}

// Thrown, spun and pushed, gently or violently, without supports: what a step adds to the linear momentum is the impulse of the
// loads, whatever is left of the forces inside.
TEST(PdIterations, LinearMomentumIsRightAfterAnyNumber) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (const Metric metric : metrics) {
    for (unsigned seed = 0; seed < 90; ++seed) {
      RandomScenes random(seed);
      Scene scene = random_scene(random, seed);
      scene.supports.clear();
      drop_followers(scene);  // where they point when the step ends is not known before
      scene.damping.mass = 0;
      scene.dt = random.spread(1e-3, 3e-2);  // in the longest a full turn often raises the potential
      std::erase_if(scene.loads, [](const Load& load) {
        return std::holds_alternative<DragLoad>(load.kind) || std::holds_alternative<WindLoad>(load.kind);
      });
      for (const int iterations : {1, 2, 5, 20}) {
        SCOPED_TRACE(name(metric) + ", seed " + std::to_string(seed) + ", " + std::to_string(iterations) + " iterations");
        Stepper stepper(by_pd(scene, iterations, metric));
        if (seed % 2 == 0)
          make_violent(stepper.state, random);
        else
          random.set_in_motion(stepper.state);
        double mass = 0;
        for (const double m : stepper.model.nodes().mass) mass += m;
        for (int k = 0; k < 5; ++k) {
          Vec3 expected = measure::momentum(stepper.model, stepper.state).linear;
          for (const Vec3& force : stepper.drive.at(stepper.model, stepper.state, stepper.state.time + scene.dt).force)
            expected += scene.dt * force;
          const StepReport report = stepper.step(scene.dt);
          if (!report.accepted()) break;  // a joint bent too far, which is said
          const Vec3 found = measure::momentum(stepper.model, stepper.state).linear;
          // positions of 1 m over the step, rounded while much larger forces than those left moved them
          EXPECT_LT(norm(found - expected), 1000 * epsilon * mass / scene.dt) << "step " << k;
        }
      }
    }
  }
}

}  // namespace
