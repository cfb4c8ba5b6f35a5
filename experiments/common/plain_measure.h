// The usual measure of a joint's strain, 2 Im q over its length (Spillmann and Teschner 2007; PD Eqs. 10, 11), in place of the
// angle.
#pragma once

#include "simulation/measure.h"

namespace writhe::experiments {

// Energy of bending and twisting that a state would have with it, J. The rod is straight and untwisted at rest.
inline double energy_of_plain_measure(const Model& model, const State& state) {
  double energy = 0;
  for (int j = 0; j < model.joint_count(); ++j) {
    const double length = model.joints().length[j];
    const Vec3 strain = 2 / length * imag(measure::joint_rotation(model, state, j));
    energy += 0.5 * length * dot(strain, scale(model.joints().stiffness[j], strain));
  }
  return energy;
}

}  // namespace writhe::experiments
