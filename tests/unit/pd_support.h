// What the tests of `pd` share.
#pragma once

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "elastic/inertia.h"
#include "loads/drive.h"
#include "solvers/part_set.h"
#include "solvers/pd/bundle.h"
#include "support/scenes.h"

namespace writhe::test {

inline Scene by_pd(Scene scene, int iterations, Metric metric, double tolerance = 1e-15) {
  scene.solver.method = "pd";
  scene.solver.pd.iterations = iterations;
  scene.solver.pd.metric = metric;
  scene.solver.tolerance = tolerance;
  return scene;
}

inline const std::vector<Metric> metrics{Metric::constant, Metric::refreshed};
inline std::string name(Metric metric) { return metric == Metric::constant ? "constant metric" : "refreshed metric"; }

// Every node in a direction of its own, every segment turning many times a second. random: RandomScenes.
template <class Random>
void make_violent(State& state, Random& random) {
  for (Vec3& v : state.v) v = random.vec(20);
  for (Vec3& w : state.w) w = random.vec(50);
}

// Once for every width of a register that the program has kernels for and the machine can run: a portable build has several, and
// chooses when a bundle is made; one for this machine has one.
template <class Work>
void at_every_width(const Work& work) {
  int before = 0;
  const std::int64_t all = hwy::SupportedTargets(), avx512 = HWY_AVX3, avx2 = HWY_AVX2;  // see math/kernel_choice.h
  for (const std::int64_t targets : {all, all & ~avx512, all & ~(avx512 | avx2)}) {
    hwy::SetSupportedTargetsForTest(targets);
    if (const int lanes = pd::bundle_kernel().lanes; lanes != before) {
      SCOPED_TRACE(std::to_string(lanes) + " lanes");
      work();
      before = lanes;
    }
    hwy::SetSupportedTargetsForTest(0);
  }
}

inline std::vector<int> first_numbers(int count) {
  std::vector<int> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// A part that a test steps by itself; everything else stays where it is.
struct OpenPart {
  Model model;
  Drive drive;
  State state;

  explicit OpenPart(const Scene& scene) : model(scene), drive(model), state(model.initial_state()) {}

  StepReport step(Part& part, double dt) {
    const double time = state.time + dt, inv_h = 1 / dt;
    const StepReport report = part.minimise(state, drive.at(model, state, time), dt);
    if (!report.accepted()) return report;
    Configuration next{state.x, state.q};
    part.store(next);
    for (std::size_t i = 0; i < next.x.size(); ++i) state.v[i] = inv_h * (next.x[i] - state.x[i]);
    for (std::size_t i = 0; i < next.q.size(); ++i) state.w[i] = elastic::angular_rate(state.q[i], next.q[i], inv_h);
    state.x = next.x;
    state.q = next.q;
    drive.place(model, state, time, dt, Integrator::euler);
    state.time = time;
    return report;
  }
};

// A bundle of the first rods of a model: one, or as many as a register has lanes.
struct OpenBundle : OpenPart {
  pd::Bundle bundle;

  explicit OpenBundle(const Scene& scene, int chains = 1)
      : OpenPart(scene), bundle(model, first_numbers(chains), first_joints(model, chains)) {}

  static std::vector<std::vector<int>> first_joints(const Model& model, int count) {
    auto out = joints_by_rod(model);
    out.resize(static_cast<std::size_t>(count));
    return out;
  }
  StepReport step(double dt) { return OpenPart::step(bundle, dt); }
};

}  // namespace writhe::test
