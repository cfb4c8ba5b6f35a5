// What a solver says about one step.
#pragma once

#include <string>

namespace writhe {

// J. Gravity counts from z = 0 of the space frame (from the origin along -gravity).
struct Energies {
  double kinetic = 0;
  double stretch_shear = 0;
  double bend_twist = 0;
  double gravity = 0;
  double elastic() const { return stretch_shear + bend_twist; }
  double total() const { return kinetic + elastic() + gravity; }
};

enum class StepStatus {
  accepted,
  not_converged,  // iterations ran out above the tolerance, or the step errs by more than Scene::step_tolerance
  not_finite,     // a NaN or an infinity appeared
};

struct StepReport {
  StepStatus status = StepStatus::accepted;
  double time = 0;            // s, at the end of the step
  double dt = 0;              // s
  int iterations = 0;         // largest over the connected parts
  double residual = 0;        // N, largest remaining force on a node (moments divided by the segment's length); 0: rounding only
  double residual_limit = 0;  // N, what it had to fall below
  bool converged = true;      // false in an accepted step: a method of fixed cost (pd) had used up its iterations before
  double max_speed = 0;       // m/s, largest node speed after the step
  double error = 0;           // of the longest rod: estimated error of the step in node positions; with Scene::step_tolerance
  // On failure: where, why and what to try.
  int rod = -1;
  int node = -1;
  std::string cause;
  bool accepted() const { return status == StepStatus::accepted; }
};

}  // namespace writhe
