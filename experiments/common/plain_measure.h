// The usual measure of a joint's strain, 2 Im q over its length (Spillmann and Teschner 2007; PD Eqs. 10, 11), in place of the
// angle.
#pragma once

#include "illustrate.h"
#include "measure/measure.h"

namespace writhe::experiments {

// Energy of bending and twisting that a joint would have with it, J. The rod is straight and untwisted at rest.
inline double joint_energy_of_plain_measure(const Model& model, const State& state, int joint) {
  const double length = model.joints().length[joint];
  const Vec3 strain = 2 / length * imag(measure::joint_rotation(model, state, joint));
  return 0.5 * length * dot(strain, scale(model.joints().stiffness[joint], strain));
}

// Of all joints, J.
inline double energy_of_plain_measure(const Model& model, const State& state) {
  double energy = 0;
  for (int j = 0; j < model.joint_count(); ++j) energy += joint_energy_of_plain_measure(model, state, j);
  return energy;
}

// Of the joints up to a place, over `unit` (J); the place is arc length / length.
inline Points accumulated_energy_of_plain_measure(const Model& model, const State& state, double unit) {
  Points out{{0, 0}};
  for (int j = 0; j < model.joint_count(); ++j) {
    const auto [place, energy] = out.back();
    out.emplace_back(place + model.joints().length[j] / model.rods()[0].length,
                     energy + joint_energy_of_plain_measure(model, state, j) / unit);
  }
  return out;
}

}  // namespace writhe::experiments
