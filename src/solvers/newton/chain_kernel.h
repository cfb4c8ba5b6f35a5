// The arithmetic of one chain or ring, in vector registers: arrays, passes, and the table of the passes for this machine.
//
// Plain pointers only: the passes are compiled once for each instruction set (cmake/WritheKernels.cmake).
#pragma once

#include "solvers/newton/chain_factor.h"

namespace writhe::newton {

// Rows of the array of a chain, structure of arrays: row r holds one number for each index i = 0 ... segments, where i is the
// node i and the segment i (the last index has a node but no segment). Vectors take as many rows as they have components.
//
// A ring has the same indices: the last is its first node and its first orientation once more, the latter as the closing joint
// sees it. Whoever moves the ring keeps that copy, and gives the gradients by it back to index 0 (Chain).
enum ChainRow : int {
  // state: at the trial point, at the point the search starts from (these two change places, see swapped), and at the start of
  // the step
  row_x = 0,  // node: position, m
  row_q = 3,  // segment: orientation
  row_x_base = 7,
  row_q_base = 10,
  row_x_prev = 14,
  row_q_prev = 17,
  // step: the quadratic of a node, 1/2 y.Dy - b.y with y = x - x_prev, and of a spin, 1/2 w.Jw - p.w
  row_node_matrix = 21,  // N/m: xx xy xz yy yz zz
  row_node_force = 27,   // N
  row_spin_inertia = 30,
  row_spin_momentum = 33,
  row_free = 36,  // node: 1 where a coordinate is unknown, 0 where it is prescribed
  // segment
  row_length = 39,
  row_stretch = 40,       // N: stiffness, damping included
  row_stretch_rest = 43,  // strain without stress, damping included
  // joint between segment i and i + 1 (length and stiffness 0 where there is none)
  row_joint_length = 46,
  row_bend = 47,
  row_bend_rest = 50,
  // results of the gradient
  row_force = 53,   // stored one index on: at i + 1 the gradient of segment i by its second node
  row_moment = 56,  // stored one index on: at i + 1 the gradient of joint i by its second segment
  row_gradient_x = 59,
  row_gradient_q = 62,
  // stresses for the geometric part of the Hessian, body components
  row_segment_stress = 65,
  row_joint_stress = 68,
  // search direction
  row_step_x = 71,
  row_step_q = 74,
  chain_rows = 77
};

inline constexpr int chain_state_rows = 7;  // x and q

// Numbers of the Hessian for each segment: what it adds to the front in which it is eliminated (chain_solve).
enum ChainBlock : int {
  block_xx = 0,   // Sym3: segment by x0, x0
  block_ux = 6,   // Mat3: segment by q, x1
  block_uu = 15,  // Sym3: segment, spin and the first side of the joint
  block_ba = 21,  // Mat3: joint by second, first
  block_bb = 30,  // Sym3: joint by second, second
  chain_blocks = 36
};

// Numbers of the factor for each segment: two eliminations of 3 unknowns, each a 6x3 panel and 3 right-hand sides. It is written
// over the Hessian, which has as much room: side by side, the arrays of 2000 segments outgrow a cache of 2 MB.
inline constexpr int chain_factor_size = 42;
static_assert(chain_blocks <= chain_factor_size);
// A ring adds as many panels of 6x3 to the border, two for each pair of segments (ring_solve_kernel.cpp).
inline constexpr int ring_panel_size = 36;

struct ChainArrays {
  int segments = 0;
  int padded = 0;  // indices, a multiple of the lanes, at least segments + 1
  int stride = 0;  // of a row: padded + lanes
  int lanes = 1;
  double inv_h = 0;  // 1/s
  double* rows = nullptr;
  // [padded / lanes][chain_factor_size][lanes], of which the first chain_blocks are the Hessian's; 16-byte aligned, with room for
  // `lanes` segments more before and after: the factor is written one group of lanes behind what has been read (chain_front.h)
  double* blocks = nullptr;
  double* panels = nullptr;  // of a ring: [segments + 1][ring_panel_size]; 16-byte aligned

  // The sizes above given: how many numbers there are in all, and their places in memory of that many, 64-byte aligned.
  long numbers(bool ring) const { return row_numbers() + block_numbers() + (ring ? ring_panel_size * (segments + 1L) : 0); }
  void lay_out(double* memory) {
    rows = memory;
    blocks = rows + row_numbers() + static_cast<long>(chain_factor_size) * lanes;
    panels = rows + row_numbers() + block_numbers();
  }
  // Whole cache lines: where a register has one lane, a stride may be odd.
  long row_numbers() const { return (static_cast<long>(chain_rows) * stride + 7) / 8 * 8; }
  long block_numbers() const { return static_cast<long>(chain_factor_size) * (padded + 2 * lanes); }

  // chain_state_rows: trial point and base lie in each other's place, so that one becomes the other without a copy. 0: in their
  // own.
  int swapped = 0;
  void swap_trial_and_base() { swapped = chain_state_rows - swapped; }

  double* row(int r) const {
    const int at = r < row_x_base ? r + swapped : r < row_x_prev ? r - swapped : r;
    return rows + static_cast<long>(at) * stride;
  }
  double& block(int r, int i) const { return blocks[(static_cast<long>(i / lanes) * chain_factor_size + r) * lanes + i % lanes]; }
};

struct ChainSums {
  double energy = 0;        // J, the incremental potential
  double slope = 0;         // J: gradient times search direction
  double force = 0;         // N: largest gradient by a node, or by a rotation over the segment's length
  double internal = 0;      // N: largest force in a segment
  double moment = 0;        // N m: largest moment in a joint
  double joint_cosine = 1;  // smallest cosine of half the angle between neighbouring segments; -1 is a full turn
  double joint_fold = 1;    // smallest squared cosine of half the bend of a joint; 0 is folded flat
};

struct ChainKernel {
  const char* isa;
  int lanes;
  // Elements: energies, stresses, and gradients into row_force, row_moment, row_gradient_q. Returns the energy.
  double (*evaluate)(const ChainArrays&);
  // Adds up the gradient at nodes and orientations; expects row_moment complete. Fills the sums but for the energy.
  void (*collect)(const ChainArrays&, ChainSums&);
  // Blocks of the Hessian; its geometric part at `geometric` times the stored stresses.
  void (*hessian)(const ChainArrays&, double geometric);
  // Eliminates and solves H step = -gradient on the free coordinates; `slope` = gradient . step (J). Returns the number of pivots
  // that are not positive; unless it is 0 there is no step. The Hessian is lost.
  int (*solve)(const ChainArrays&, double& slope);
  // The same for a ring, of at least 3 segments: block_ba and block_bb of the last are those of the closing joint, by q0.
  int (*solve_ring)(const ChainArrays&, double& slope);
  // Factors the Hessian on the free coordinates, which need not be definite, and keeps what solving takes. Reads the blocks,
  // row_node_matrix and row_free only, and leaves the arrays as they are. If it breaks there is no factor, and no solving.
  ChainPivots (*factor)(const ChainArrays&, const ChainFactor&);
  // solution = H^-1 right, no sign turned (`solve` above finds -H^-1 gradient): forces (N) and moments (N m, body) in, ways (m)
  // and rotation vectors out. Prescribed coordinates of `right` have no part, those of the solution are 0. Six rows each, as
  // those from row_gradient_x and row_step_x on; both may be the same. Indices without an unknown (the last orientation, of a
  // ring the last node) are left alone. The factor does not change: threads may share it.
  void (*solve_factored)(const ChainFactor&, const double* right, double* solution);
  // The same for chain_several right-hand sides at once: [index][x y z of the node, x y z of the orientation][chain_several].
  void (*solve_several)(const ChainFactor&, const double* right, double* solution);
  // Trial point = base + scale * step.
  void (*move)(const ChainArrays&, double scale);
};

// The best for the machine that runs.
const ChainKernel& chain_kernel();

}  // namespace writhe::newton
