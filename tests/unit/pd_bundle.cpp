// `pd` within a step: chains side by side, its matrix, its guard, and what holds after any number of iterations.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "math/retraction.h"
#include "simulation/measure.h"
#include "solvers/net_potential.h"
#include "solvers/part_set.h"
#include "solvers/pd/bundle.h"
#include "support/random_scenes.h"
#include "support/stepper.h"
#include "writhe/simulation.h"

using namespace writhe;
using namespace writhe::test;

namespace {

Scene by_pd(Scene scene, int iterations, Metric metric, double tolerance = 1e-15) {
  scene.solver.method = "pd";
  scene.solver.iterations = iterations;
  scene.solver.metric = metric;
  scene.solver.tolerance = tolerance;
  return scene;
}

const std::vector<Metric> metrics{Metric::constant, Metric::refreshed};
std::string name(Metric metric) { return metric == Metric::constant ? "constant metric" : "refreshed metric"; }

// ---- lanes ---------------------------------------------------------------------------------------------------------

// More than two registers full of chains, equal in layout and in nothing else.
Scene hair() {
  RandomScenes random(42);
  const int count = 2 * pd::bundle_kernel().lanes + 1;
  Scene scene;
  scene.gravity = {0.5, -1, -9.81};
  scene.damping = {0.3, 1e-3};
  for (int i = 0; i < count; ++i) {
    const std::string own = std::to_string(i);
    const double young = random.spread(1e6, 2e7);
    scene.materials.push_back({"material" + own, young, random.uniform(800, 1500), {}, young * random.uniform(0.2, 0.5)});
    scene.sections.push_back(
        {"section" + own, RectangleSection{random.uniform(0.006, 0.02), random.uniform(0.006, 0.02)}, random.uniform(0.5, 1)});
    Rod rod;
    rod.name = "rod" + own;
    rod.section = "section" + own;
    rod.material = "material" + own;
    const Vec3 from{0, 0.2 * i, 0};
    rod.centreline = PolylineShape{{from, from + Vec3{0.5, 0, 0} + random.vec(0.05), from + Vec3{1, 0, 0} + random.vec(0.1)}};
    rod.segments = 13;
    rod.d1 = Vec3{0, 0, 1};
    rod.initial_twist = random.uniform(-1, 1);
    rod.rest_twist = random.uniform(-1, 1);
    scene.rods.push_back(rod);
    clamp(scene, rod.name + ".start");
    clamp(scene, rod.name + ".node[7]");
    random.press(scene, rod.name);
  }
  scene.dt = 2e-3;
  return scene;
}

// The same with one rod only, and what holds it and acts on it.
Scene alone(const Scene& all, const std::string& rod) {
  Scene scene = all;
  std::erase_if(scene.rods, [&](const Rod& other) { return other.name != rod; });
  std::erase_if(scene.supports, [&](const Support& support) { return support.at.rod != rod; });
  std::erase_if(scene.loads, [&](const Load& load) {
    return std::visit(
        [&](const auto& kind) {
          if constexpr (requires { kind.at; })
            return kind.at.rod != rod;
          else
            return kind.rod != rod;
        },
        load.kind);
  });
  return scene;
}

// Largest difference of a rod's nodes and orientations from those it has alone.
Distance beside(const Stepper& all, int rod, const Stepper& single) {
  const RodRange& range = all.model.rods()[rod];
  State own = single.state;
  for (std::size_t i = 0; i < own.x.size(); ++i) own.x[i] = all.state.x[range.first_node + i];
  own.q.resize(range.segment_count);
  State other = single.state;
  other.q.resize(range.segment_count);
  for (int s = 0; s < range.segment_count; ++s) own.q[s] = all.state.q[range.first_segment + s];
  return distance(own, other);
}

void expect_same_side_by_side(const Scene& scene, int steps, double limit) {
  Stepper all(scene);
  std::vector<State> before{all.state};
  for (int k = 0; k < steps; ++k) ASSERT_TRUE(all.step(scene.dt).accepted());
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    SCOPED_TRACE(scene.rods[r].name);
    Stepper single(alone(scene, scene.rods[r].name));
    const State start = single.state;
    for (int k = 0; k < steps; ++k) ASSERT_TRUE(single.step(scene.dt).accepted());
    const Distance apart = beside(all, static_cast<int>(r), single);
    EXPECT_LT(apart.way, limit);
    EXPECT_LT(apart.turn, limit);
    EXPECT_GT(distance(start, single.state).way, 1e-3) << "it has hardly moved";
  }
}

TEST(PdLanes, ChainsThatConvergeDoNotFeelTheirNeighbours) {
  for (const Metric metric : metrics) {
    SCOPED_TRACE(name(metric));
    expect_same_side_by_side(by_pd(hair(), 5000, metric, 1e-12), 10, 1e-9);
  }
}

// The same number of iterations for all, too few to converge.
TEST(PdLanes, ChainsOnABudgetDoNotFeelTheirNeighbours) {
  for (const Metric metric : metrics) {
    SCOPED_TRACE(name(metric));
    for (const int iterations : {1, 4, 10}) expect_same_side_by_side(by_pd(hair(), iterations, metric), 10, 1e-9);
  }
}

TEST(PdLanes, AChainThatFailsIsNamed) {
  for (const Metric metric : metrics) {
    SCOPED_TRACE(name(metric));
    const Scene safe = by_pd(hair(), 50, metric);
    for (std::size_t r = 0; r < safe.rods.size(); ++r) {
      SCOPED_TRACE(safe.rods[r].name);
      Scene scene = safe;
      load(scene, ForceLoad{Place::parse(scene.rods[r].name + ".end"), {0, 1e300, 0}, false});
      Stepper stepper(scene);
      const State before = stepper.state;
      const StepReport report = stepper.step(scene.dt);
      EXPECT_EQ(report.status, StepStatus::not_finite);
      EXPECT_EQ(report.rod, static_cast<int>(r));
      EXPECT_GE(report.node, 0);
      EXPECT_LE(report.node, 13);
      EXPECT_EQ(distance(before, stepper.state).way, 0) << "the state has changed";
    }
  }
}

// ---- the constant matrix ---------------------------------------------------------------------------------------------

// A bundle of all rods of a model, in the open.
struct OpenBundle {
  Model model;
  Drive drive;
  State state;
  pd::Bundle bundle;

  explicit OpenBundle(const Scene& scene, int chains = 1)
      : model(scene), drive(model), state(model.initial_state()), bundle(model, first(chains), joints(chains)) {}

  static std::vector<int> first(int count) {
    std::vector<int> out(static_cast<std::size_t>(count));
    std::iota(out.begin(), out.end(), 0);
    return out;
  }
  std::vector<std::vector<int>> joints(int count) const {
    auto out = joints_by_rod(model);
    out.resize(static_cast<std::size_t>(count));
    return out;
  }
  void step(double dt) {
    const double time = state.time + dt, inv_h = 1 / dt;
    ASSERT_TRUE(bundle.minimise(state, drive.at(model, state, time), dt).accepted());
    Configuration next{state.x, state.q};
    bundle.store(next);
    for (std::size_t i = 0; i < next.x.size(); ++i) state.v[i] = inv_h * (next.x[i] - state.x[i]);
    state.x = next.x;
    state.q = next.q;
    drive.place(model, state, time, dt, Integrator::euler);
    state.time = time;
  }
};

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
    open.step(1e-3);
    ASSERT_EQ(open.bundle.factorisations(), 1) << "step " << k;
  }
  EXPECT_GT(norm(open.state.x[0] - support), 0.02) << "m: the support has not moved";
  open.step(2e-3);
  EXPECT_EQ(open.bundle.factorisations(), 2);
  open.step(2e-3);
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
  for (int k = 0; k < 100; ++k) open.step(1e-3);
  EXPECT_GT(open.bundle.factorisations(), 1);
  EXPECT_LT(open.bundle.factorisations(), 100);
}

// ---- the guard -------------------------------------------------------------------------------------------------------

// The incremental potential of a step, for judging where it ended; element by element.
class Judge {
 public:
  Judge(const Model& model, const State& start, const Loading& loading, double dt)
      : m_trial(std::make_shared<State>(start)), m_potential(model, all_rods(model), all_joints(model), m_trial) {
    m_potential.load(start, loading, dt);
    m_gradient.resize(m_potential.assembly().size());
    m_placed = *m_trial;
  }

  // At the start of the iteration: where everything would fly, with prescribed things in their places.
  double at_prediction(const State& start, double dt) {
    *m_trial = m_placed;
    const auto& own = m_potential.assembly();
    for (const auto& node : own.nodes())
      m_trial->x[node.index] += dt * scale(assembly::block(own.free(), node.block), start.v[node.index]);
    for (const auto& turn : own.orientations())
      m_trial->q[turn.index] = nearly_turned(m_trial->q[turn.index], dt * start.w[turn.index]);
    return evaluate();
  }
  double at(const State& state) {
    m_trial->x = state.x;
    m_trial->q = state.q;
    return evaluate();
  }
  // J: by how much the potential may rise where its rounding errors leave it open (Iteration::guard), at the point seen last.
  double doubt() const {
    return 1e6 * std::numeric_limits<double>::epsilon() * (std::abs(m_sums.energy) + m_sums.internal * m_potential.size());
  }

 private:
  double evaluate() {
    m_sums = m_potential.evaluate(m_gradient).sums;
    return m_sums.energy;
  }
  static std::vector<int> all_rods(const Model& model) { return OpenBundle::first(static_cast<int>(model.rods().size())); }
  static std::vector<int> all_joints(const Model& model) { return OpenBundle::first(model.joint_count()); }

  std::shared_ptr<State> m_trial;
  NetPotential m_potential;
  Eigen::VectorXd m_gradient;
  assembly::Sums m_sums;
  State m_placed;
};

// Every node in a direction of its own, every segment turning many times a second.
void make_violent(State& state, RandomScenes& random) {
  for (Vec3& v : state.v) v = random.vec(20);
  for (Vec3& w : state.w) w = random.vec(50);
}

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
  EXPECT_NE(few.cause.find("solver.iterations"), std::string::npos) << few.cause;
  const StepReport many = Simulation(Model(by_pd(scene, 100000, Metric::constant, 1e-10))).settle({.max_steps = 3});
  EXPECT_FALSE(many.accepted());
  EXPECT_EQ(many.cause.find("solver.iterations"), std::string::npos) << many.cause;
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
