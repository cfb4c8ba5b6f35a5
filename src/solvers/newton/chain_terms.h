// What a chain needs of terms without potential and Hessian that act on it alone: it stays a chain, solved in linear time, and
// they are a correction of its direction (circulation.h).
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>

#include "solvers/circulation.h"
#include "solvers/net_potential.h"
#include "solvers/newton/chain_factor.h"
#include "terms/terms.h"

namespace writhe::newton {

struct ChainTerms {
  std::shared_ptr<NetStates> states;  // where terms look: of the trial point the nodes and orientations on which they act
  std::shared_ptr<Terms> terms;
  std::vector<TermElement> elements;

  // What acts on one node or orientation, at the trial point.
  struct Acting {
    Dof dof;
    int index = 0;    // in the chain
    Vec3 force{};     // N, or N m in body components
    Vec3 own_load{};  // N, of a node: row_node_force without it
  };
  std::vector<Acting> acting;
  std::vector<int> slots;                          // of the dofs of all elements, one after the other, in `acting`
  std::vector<int> slot_of_node, slot_of_segment;  // -1: nothing acts there

  // Vectors are six rows of the chain's stride, as the gradient's.
  ChainFactor factor{};
  std::vector<double> factor_memory;
  Circulation circulation;
  Eigen::VectorXd direction, solved;
  double work = 0;  // J: of the forces along all of the direction, as they are where it starts
  double left = 0;  // J: gradient H^-1 gradient there
};

}  // namespace writhe::newton
