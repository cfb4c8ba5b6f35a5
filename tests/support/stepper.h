// Steps of a method from a state of one's own: what a Simulation does, open to the test.
#pragma once

#include <memory>

#include "loads/drive.h"
#include "solvers/solver.h"
#include "writhe/writhe.h"

namespace writhe::test {

struct Stepper {
  Model model;
  Drive drive;
  std::unique_ptr<Solver> solver;
  State state;

  explicit Stepper(const Scene& scene)
      : model(scene), drive(model, 1, followers_of(scene)), solver(make_solver(model, 1)), state(model.initial_state()) {}
  Stepper(const Stepper&) = delete;  // the solver points to the model
  Stepper& operator=(const Stepper&) = delete;
  ~Stepper() = default;

  StepReport step(double dt) {
    const double time = state.time + dt;
    StepReport report = solver->step(state, drive.of_step(model, state, time, Integrator::euler), dt);
    if (report.accepted()) drive.place(model, state, time, dt, Integrator::euler);
    state.time = time;
    return report;
  }
};

// Largest distances of two states, over all nodes (m) and all orientations (rad).
struct Distance {
  double way = 0, turn = 0;
};
inline Distance distance(const State& a, const State& b) {
  Distance out;
  for (std::size_t i = 0; i < a.x.size(); ++i) out.way = std::max(out.way, norm(a.x[i] - b.x[i]));
  for (std::size_t i = 0; i < a.q.size(); ++i) out.turn = std::max(out.turn, norm(log_rotation(conj(a.q[i]) * b.q[i])));
  return out;
}

}  // namespace writhe::test
