// Sizes against which forces and displacements of a set of rods are judged.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "assembly/assembly.h"
#include "model/springs.h"

namespace writhe::assembly {

// N: what rounding errors make of a force. Positions are known to one part in 1e16 of their size (m), orientations of 1; a spring
// of `stretch` (N/m, `damped` times that in a step) and an inertia of `heaviest` (N/m) make forces of the former, `bend` (N) of
// the latter.
inline double rounding_error(double stretch, double bend, double size, double damped = 1, double heaviest = 0) {
  return std::numeric_limits<double>::epsilon() * (size * (stretch * damped + heaviest) + bend * damped);
}

struct Scales {
  double length = 0;   // m: of the longest rod
  double stretch = 0;  // N/m: stiffest segment
  double bend = 0;     // N: stiffest joint over its length squared

  Scales(const Model& model, const Assembly& assembly) {
    for (const int s : assembly.segments()) {
      stretch = std::max(stretch, segment_spring(model, s));
      length = std::max(length, model.rods()[model.segments().rod[s]].length);
    }
    for (const int j : assembly.joints()) bend = std::max(bend, joint_spring(model, j));
  }

  // N: forces below this are rounding errors, a few of them.
  double rounding(double size, double damped = 1, double heaviest = 0) const {
    return 8 * rounding_error(stretch, bend, size, damped, heaviest);
  }
};

// What acts on one block: a thread on a bar is judged by its own stiffness and length, not by the bar's.
struct BlockScale {
  bool is_node = false;
  double lever = 1;    // m: what a moment is divided by to be judged as a force; 1 for a node
  double length = 1;   // m: of the shortest rod at a node; 1 for an orientation
  double stretch = 0;  // N/m: stiffest segment
  double bend = 0;     // N: stiffest joint over its length squared
};
std::vector<BlockScale> block_scales(const Model& model, const Assembly& assembly);

// m: the largest coordinate of the nodes.
inline double largest_coordinate(const State& state, const Assembly& assembly) {
  double size = 0;
  for (const auto& node : assembly.nodes()) {
    const Vec3& x = state.x[node.index];
    size = std::max({size, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
  }
  return size;
}

// m, per block: by what a moment is divided to be judged as a force; 1 for a node.
std::vector<double> levers(const Model& model, const Assembly& assembly);

// The largest force left on a node, or moment on an orientation over its lever.
struct Residual {
  double force = 0;  // N
  int block = -1;
};
Residual largest_force(const Eigen::VectorXd& gradient, const Eigen::VectorXd& free, const std::vector<double>& levers);

// Rod and node of a block, for messages.
struct Culprit {
  int rod = -1, node = -1;
};
Culprit culprit(const Model& model, const Assembly& assembly, int block);

// Half the angle of a joint may not pass this cosine: at a full turn (-1) twist would jump.
inline constexpr double joint_cosine_limit = -0.95;
// What stands in the way of a rod that is too coarse for how it bends or twists, or null.
inline const char* coarse_joint(double joint_cosine, double joint_fold) {
  // 290 degrees of twist, 150 of bend
  if (joint_cosine < -0.82) return "a joint is twisted by almost a full turn; use more segments";
  if (joint_fold < 0.067) return "a joint is folded almost flat; use more segments";
  return nullptr;
}

}  // namespace writhe::assembly
