// A method that holds what moves in a layout of its own: the state is brought up to date where somebody reads it, and nowhere
// else.
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "loads/drive.h"
#include "measure/measure.h"
#include "output/sink_probes.h"
#include "simulation/checkpoint.h"
#include "solvers/solver.h"
#include "support/scenes.h"

using namespace writhe;
using namespace writhe::test;

namespace {

// The scene's method on a state of its own; that of the simulation stays behind until it is filled.
class Holder : public Solver {
 public:
  Holder(const Model& model, const Threads& threads, int* fills)
      : m_model(&model), m_method(make_solver(model, threads)), m_own(model.initial_state()), m_fills(fills) {}

  bool holds_state() const override { return true; }
  StepReport step(State& state, const Loading& loading, double dt, Integrator integrator) override {
    copy_prescribed(state, m_own);
    m_own.time = state.time;
    m_own.closing = state.closing;
    StepReport report = m_method->step(m_own, loading, dt, integrator);
    report.max_speed = measure::max_speed(m_own, 1);
    if (report.accepted()) copy_fixed(m_own, state);
    m_behind = m_behind || report.accepted();
    return report;
  }
  void fill(State& state) const override {
    if (!m_behind) return;
    ++*m_fills;
    m_behind = false;
    const State kept = state;
    state.x = m_own.x, state.v = m_own.v, state.q = m_own.q, state.w = m_own.w;
    copy_prescribed(kept, state);
  }
  void take(const State& state) override {
    m_own = state;
    m_behind = false;
  }

 private:
  // Coordinates that are fixed, and frames of clamps.
  void copy_fixed(const State& from, State& to) const {
    for (int i = 0; i < m_model->node_count(); ++i) {
      const int fixed = m_model->nodes().fixed[i];
      for (const auto& [bit, axis] : {std::pair(fixed_x, &Vec3::x), {fixed_y, &Vec3::y}, {fixed_z, &Vec3::z}})
        if (fixed & bit) to.x[i].*axis = from.x[i].*axis, to.v[i].*axis = from.v[i].*axis;
    }
  }
  void copy_prescribed(const State& from, State& to) const {
    copy_fixed(from, to);
    for (int frame = 0; frame < m_model->frame_count(); ++frame) {
      if (!m_model->frames().is_prescribed(frame)) continue;
      const int at = m_model->segment_count() + frame;
      to.q[at] = from.q[at], to.w[at] = from.w[at];
    }
  }

  const Model* m_model;
  std::unique_ptr<Solver> m_method;
  State m_own;
  mutable bool m_behind = false;
  int* m_fills;
};

Scene swinging() {
  Scene scene = Cord{}.scene();
  scene.gravity = {0, 0, -9.81};
  pin(scene, "rod.start");
  return scene;
}

struct Held {
  int fills = 0;
  Simulation simulation;
  explicit Held(const Scene& scene)
      : simulation(Model(scene), [this](const Model& model, const Threads& threads) {
          return std::make_unique<Holder>(model, threads, &fills);
        }) {}
};

}  // namespace

TEST(HeldState, IsFilledWhereItIsReadAndIsTheSame) {
  Held held(swinging());
  Simulation plain = simulate(swinging());
  for (int k = 0; k < 30; ++k) {
    const StepReport report = held.simulation.step(1e-2);
    ASSERT_TRUE(report.accepted());
    EXPECT_EQ(report.max_speed, plain.step(1e-2).max_speed);
  }
  EXPECT_EQ(held.fills, 0);
  EXPECT_EQ(state_hash(held.simulation.state()), state_hash(plain.state()));
  EXPECT_EQ(held.simulation.energies().total(), plain.energies().total());
  EXPECT_EQ(held.fills, 1);
}

// Supports that move, in part and turning, stay the simulation's, by both integrators.
TEST(HeldState, KeepsToSupportsThatMove) {
  for (const Integrator integrator : {Integrator::euler, Integrator::midpoint}) {
    Scene scene = Cord{}.scene();
    scene.gravity = {0, 0, -9.81};
    scene.solver.integrator = integrator;
    clamp(scene, "rod.start");
    Motion motion;
    motion.translate.keys = {{0, {0, 0, 0}}, {0.1, {0, 0.02, 0.01}}};
    motion.twist.keys = {{0, 0}, {0.1, 0.5}};
    scene.supports[0].motion = motion;
    pin(scene, "rod.end", "z");
    Held held(scene);
    Simulation plain = simulate(scene);
    for (int k = 0; k < 20; ++k) {
      ASSERT_TRUE(held.simulation.step(1e-2).accepted() && plain.step(1e-2).accepted());
      if (k % 7 == 3) held.simulation.state();  // filled in between
    }
    EXPECT_EQ(state_hash(held.simulation.state()), state_hash(plain.state()));
  }
}

// Of 30 steps of 10 ms, what is due every 100 ms is read three times.
TEST(HeldState, IsFilledForOutputsThatAreDue) {
  Scene scene = swinging();
  scene.output.interval = 0.1;
  Held held(scene);
  output::ProbeSink probes(std::filesystem::path(testing::TempDir()) / "held-state-probes.csv");
  held.simulation.add_sink(probes);
  ASSERT_TRUE(held.simulation.run(0.3).accepted());
  EXPECT_EQ(held.fills, 3);
  held.simulation.finish();
  EXPECT_EQ(held.fills, 3);
}

// A load that depends on where the rod is reads it in every step.
TEST(HeldState, IsFilledForLoadsThatDependOnIt) {
  Scene scene = swinging();
  load(scene, WindLoad{"", {3, 0, 0}, 1.2, 1.0});
  Held held(scene);
  Simulation plain = simulate(scene);
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(held.simulation.step(1e-2).accepted() && plain.step(1e-2).accepted());
  EXPECT_EQ(held.fills, 9);
  EXPECT_EQ(state_hash(held.simulation.state()), state_hash(plain.state()));
}

TEST(HeldState, ComesBackAfterStepsThatFail) {
  Scene scene = swinging();
  scene.step_tolerance = 1e-5;  // the first steps err by more, and are taken back
  Held held(scene);
  Simulation plain = simulate(scene);
  ASSERT_TRUE(held.simulation.run(0.05).accepted() && plain.run(0.05).accepted());
  EXPECT_EQ(state_hash(held.simulation.state()), state_hash(plain.state()));

  Scene hard = swinging();
  hard.solver.newton.max_iterations = 1;
  Held fails(hard);
  EXPECT_FALSE(fails.simulation.step(1).accepted());
  EXPECT_EQ(state_hash(fails.simulation.state()), state_hash(Model(hard).initial_state()));
}

TEST(HeldState, SettlesAndResumesAsAnyOther) {
  Scene scene = swinging();
  scene.damping.mass = 2;
  Held held(scene);
  Simulation plain = simulate(scene);
  ASSERT_TRUE(held.simulation.settle().accepted() && plain.settle().accepted());
  EXPECT_EQ(state_hash(held.simulation.state()), state_hash(plain.state()));

  Held before(scene), after(scene);
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(before.simulation.step(1e-2).accepted());
  after.simulation.restore(before.simulation.checkpoint(), "checkpoint");
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(before.simulation.step(1e-2).accepted() && after.simulation.step(1e-2).accepted());
  EXPECT_EQ(state_hash(before.simulation.state()), state_hash(after.simulation.state()));
}

// A point and an orientation more than the rods have: no method touches them, and everything that handles states has them.
TEST(StateWithRoomForBodies, StepsCopiesAndFilesKeepWhatFollowsTheRods) {
  for (const char* method : {"newton", "pd"}) {
    for (const Integrator integrator : {Integrator::euler, Integrator::midpoint}) {
      if (method == std::string("pd") && integrator == Integrator::midpoint) continue;
      SCOPED_TRACE(method);
      Scene scene = swinging();
      scene.solver.method = method;
      const Model model(scene);
      Drive drive(model);
      const std::unique_ptr<Solver> solver = make_solver(model, 1);
      State state = model.initial_state();
      state.resize(state.x.size() + 1, state.q.size() + 1, state.closing.size());
      state.x.back() = {1, 2, 3};
      state.v.back() = {0.1, 0.2, 0.3};
      state.q.back() = {0.8, 0.6, 0, 0};
      state.w.back() = {4, 5, 6};
      const State before = state;
      ASSERT_TRUE(solver->step(state, drive.of_step(model, state, 0.01, integrator), 0.01, integrator).accepted());
      EXPECT_NE(state.x[5].z, before.x[5].z);
      EXPECT_EQ(norm(state.x.back() - before.x.back()) + norm(state.v.back() - before.v.back()), 0);
      EXPECT_EQ(norm(imag(conj(state.q.back()) * before.q.back())) + norm(state.w.back() - before.w.back()), 0);

      ByteWriter out;
      save(state, out);
      State loaded;
      ByteReader in(out.bytes());
      load(in, loaded);
      EXPECT_TRUE(same_size(state, loaded));
      EXPECT_EQ(state_hash(loaded), state_hash(state));
      loaded.w.back().x += 1e-9;
      EXPECT_NE(state_hash(loaded), state_hash(state));
    }
  }
}
