// What a solver says about one step.
#pragma once

#include <optional>
#include <string>

namespace writhe {

// J. Gravity counts from z = 0 of the space frame (from the origin along -gravity).
struct Energies {
  double kinetic = 0;
  double stretch_shear = 0;
  double bend_twist = 0;
  double gravity = 0;
  double links = 0;
  double contact = 0;
  double elastic() const { return stretch_shear + bend_twist; }
  double total() const { return kinetic + elastic() + gravity + links + contact; }
};

enum class StepStatus {
  accepted,
  not_converged,  // iterations ran out above the tolerance, or the step errs by more than Scene::step_tolerance
  not_finite,     // a NaN or an infinity appeared
  stopped,        // given up in the middle: Simulation::stop_when
};

// Where the time of a step goes: s of the clock on the wall.
struct StageTimes {
  double loads = 0;     // loads and supports where the step ends
  double coupling = 0;  // which rods are solved together
  double solve = 0;     // the end of the step, of all that moves
  double update = 0;    // states kept and taken over, and rates
  double checks = 0;    // that all is finite, the error of the step, the largest speed
  double outputs = 0;   // what is recorded

  // work(name, s) of each; of several: work(name, s of the first, s of the second, ...).
  template <class Work, class... Times>
  static void visit(const Work& work, Times&... times) {
    work("loads", times.loads...);
    work("coupling", times.coupling...);
    work("solve", times.solve...);
    work("update", times.update...);
    work("checks", times.checks...);
    work("outputs", times.outputs...);
  }
  StageTimes& operator+=(const StageTimes& other) {
    visit([](const char*, double& own, const double& more) { own += more; }, *this, other);
    return *this;
  }
};

struct StepReport {
  StepStatus status = StepStatus::accepted;
  double time = 0;     // s, at the end of the step
  double dt = 0;       // s
  int iterations = 0;  // largest over the connected parts
  // N, largest remaining force on a node (moments divided by the segment's length); 0 where nothing loads the rod and only
  // rounding is left
  double residual = 0;
  double residual_limit = 0;  // N, what it had to fall below
  bool converged = true;      // false in an accepted step: a method of fixed cost (pd) had used up its iterations before
  // m, of a method of bounded cost (pd) in Simulation::run: about how far the step ended from where it would have converged, and
  // how far the motion may have come off by now, had as much been left over in every step since the start (docs/outputs.md).
  std::optional<double> left_over, drift;
  double max_speed = 0;  // m/s, largest node speed after the step
  double error = 0;      // of the longest rod: estimated error of the step in node positions; with Scene::step_tolerance
  StageTimes stages;     // with those of failed tries before it; zeros unless SimulationOptions::timings
  // On failure: where, why and what to try.
  bool shorter_helps = false;  // a step of half the length is worth trying where Scene::adaptive does not forbid it
  int rod = -1;
  int node = -1;
  std::string cause;
  bool accepted() const { return status == StepStatus::accepted; }
};

}  // namespace writhe
