// Motions that cost no energy and on which the loads do no work; and those that the loads drive with nothing to resist.
//
// Candidates are the six rigid motions of each connected part and the spin of all its segments about their own axes, as far as
// supports allow them. docs/theory/statics.md, "Neutral motions".
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <Eigen/SparseCore>

#include "statics/equilibrium.h"

namespace writhe::statics {

struct NeutralMotion {
  std::function<Eigen::SparseVector<double>(const State&)> direction;  // over all unknowns, m and rad
  std::string name;                                                    // "ring moves along (1, 0, 0)"
  int pin = -1;        // unknown that, held, takes the motion out and costs nothing
  bool slack = false;  // as for a Mechanism
};

// A motion that nothing resists and the loads drive.
struct Mechanism {
  int rod = -1;
  std::string name;
  double force = 0;  // N, or N m for a spin
  bool spin = false;
  bool slack = false;  // a term acts on what moves that does nothing in this state, and may stop it farther on
};

struct Freedom {
  std::vector<NeutralMotion> neutral;
  std::vector<Mechanism> driven;

  // Whether terms may stop all that is driven.
  bool may_be_caught() const;
  // Without the neutral motions that terms may resist farther on.
  Freedom firm() const;
  std::vector<int> pins() const;
  std::vector<Eigen::SparseVector<double>> directions(const State& state) const;
};

Freedom find_freedom(const Model& model, Equilibrium& equilibrium, const State& state, const Where& where);

}  // namespace writhe::statics
