// What may be left of the forces at an equilibrium, and how far from it that is.
//
// Each connected part is judged by its own forces: a hair beside a loaded bar is not in balance because it is light.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "assembly/assembly.h"
#include "assembly/coupling.h"
#include "assembly/scales.h"
#include "statics/parts.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::statics {

// Forces at a state: N on nodes, N m on orientations.
struct Forces {
  const Eigen::VectorXd& left;       // per unknown
  const Eigen::VectorXd& applied;    // per unknown
  const std::vector<double>& sizes;  // per block, of what the elements add there
  // Per block, where there are terms.
  const std::vector<assembly::TermStiffness>* coupled = nullptr;
};

// Of the block that is farthest beyond its limit.
struct Judgement {
  double force = 0;      // N: moments over their levers
  double limit = 0;      // N
  int block = -1;        // -1: there is no force at all
  bool rounding = true;  // at no block more is left than rounding errors
  double beyond() const { return force == 0 ? 0 : force / limit; }
};

class Limits {
 public:
  Limits(const Model& model, const assembly::Assembly& assembly, const Parts& parts, double tolerance);

  Judgement judge(const State& state, const Forces& forces, const Eigen::VectorXd& free) const;
  // Largest turn of a step (rad), or displacement over the length of the shortest rod there.
  double size_of(const Eigen::VectorXd& step) const;

 private:
  std::vector<double> scales(const Forces& forces) const;  // N, per part

  const assembly::Assembly& m_assembly;
  const Parts& m_parts;
  double m_tolerance;
  std::vector<assembly::BlockScale> m_blocks;
};

}  // namespace writhe::statics
