// The arithmetic of `pd` on open chains, in vector registers: arrays, passes, and the table of the passes for this machine.
//
// Plain pointers only: the passes are compiled once for each instruction set (cmake/WritheKernels.cmake).
#pragma once

#include "linalg/anderson.h"

namespace writhe::pd {

inline constexpr int most_lanes = 8;

// A bundle is one chain, whose indices lie side by side in a register, or as many equal chains as a register has lanes, one in
// each. The passes over elements are the same for both: what belongs to index i + 1 lies `shift` numbers after what belongs to i,
// 1 for one chain and the number of lanes for several. Index i stands for node i and segment i; the last has a node only.
//
// Structure of arrays: a vector takes as many rows as it has components.
enum BundleRow : int {
  // two points, each x and q of all indices (PointRow): BundleArrays::point and best say which is which
  row_points = 0,
  // start of the step
  row_x_prev = 14,
  row_q_prev = 17,
  // step: the quadratic of a node, 1/2 y.Dy - b.y with y = x - x_prev, and of a spin, 1/2 w.Jw - p.w (elastic/increment.h)
  row_node_matrix = 21,
  row_node_force = 27,
  row_spin_inertia = 30,
  row_spin_momentum = 33,
  row_free = 36,  // node: 1 where a coordinate is unknown, 0 where it is prescribed
  // segment
  row_length = 39,
  row_inverse_length = 40,
  row_stretch = 41,       // N
  row_stretch_rest = 44,  // strain
  // joint between segment i and i + 1, as one of unit length: its strain is its angle
  row_joint = 47,      // 1, or 0 where there is none
  row_bend = 48,       // N m: stiffness over length
  row_bend_rest = 51,  // rad
  // gradient
  row_force = 54,   // at i + 1 the gradient of segment i by its second node, N
  row_moment = 57,  // at i + 1 the gradient of joint i by its second segment, N m
  row_gradient_x = 60,
  row_gradient_q = 63,  // body
  // the factored metric, three systems for the coordinates of the nodes and three for the body components of the turns
  row_node_inverse = 66,  // -1/pivot; 0 where a coordinate is prescribed
  row_node_factor = 69,   // of the elimination into the next index towards the middle
  row_turn_inverse = 72,
  row_turn_factor = 75,
  bundle_rows = 78,
  // only with the refreshed metric: blocks of the elements, and its factors (bundle_coupled_kernel.cpp)
  row_block_xx = 78,  // segment: by its nodes
  row_block_ux = 84,  // by its turn and its second node
  row_block_uu = 93,  // turn of segment i: segment, spin, and the joint after it
  row_block_bb = 99,  // at i + 1: the joint before it
  row_block_ba = 105,
  row_coupled_inverse = 114,
  row_coupled_lower = 120,
  row_coupled_next = 135,
  coupled_rows = 162
};
enum PointRow : int {
  point_x = 0,  // node: position, m
  point_q = 3,  // segment: orientation
  point_rows = 7
};

// Rows of a column of the history: the residual F (x, then turns), and the result G (x and q).
enum ColumnRow : int { column_step = 0, column_point = 6, column_rows = 13 };

// A joint between a segment and a prescribed frame; a row holds one number a lane.
enum AnchorRow : int { anchor_frame = 0, anchor_bend = 4, anchor_bend_rest = 7, anchor_rows = 10 };
struct BundleAnchor {
  int segment = 0;
  bool frame_first = false;  // the frame is the joint's a
  double* rows = nullptr;    // [anchor_rows][lanes]
};

struct BundleArrays {
  int segments = 0;
  int lanes = 1;   // of a register
  int shift = 1;   // from an index to the next
  int padded = 0;  // numbers of a row that the passes go over, a multiple of the lanes
  int stride = 0;  // of a row: padded + shift + lanes
  double inv_h = 0;
  bool published = false;  // the paper's weights and measure
  bool refreshed = false;  // the metric is the refreshed one
  bool bare = true;        // no node has drag: its matrix is a number, the first of its rows
  // First rows of the point that the iteration is at, and of the best one so far.
  int point = row_points;
  int best = point + point_rows;
  double* rows = nullptr;
  double* columns = nullptr;  // [anderson_columns][column_rows][stride]
  BundleAnchor* anchors = nullptr;
  int anchor_count = 0;

  bool several() const { return shift > 1; }
  double* row(int r) const { return rows + static_cast<long>(r) * stride; }
  double* column(int c, int r) const { return columns + (static_cast<long>(c) * column_rows + r) * stride; }
  long at(int index, int lane) const { return static_cast<long>(index) * shift + lane; }
};

// Per chain; of one chain, every lane has the same.
struct BundleSums {
  double energy[most_lanes];    // J: the incremental potential
  double force[most_lanes];     // N: largest gradient by a node, before it moved
  double turning[most_lanes];   // N: largest gradient by a rotation, over the segment's length
  double internal[most_lanes];  // N: largest force in a segment
  double moment[most_lanes];    // N m: largest moment in a joint
};

// What the iteration carries besides the point, per chain.
struct BundleHistory {
  int filled = 0;  // columns that hold something
  double products[linalg::anderson_columns][linalg::anderson_columns][most_lanes];
  double valid[linalg::anderson_columns][most_lanes];
  double mixed[most_lanes];      // 1: the point was made by acceleration
  double turn_size[most_lanes];  // 1, or less where full turns raised the energy
};

struct BundleShape {
  double joint_cosine[most_lanes];  // smallest cosine of half the angle of a joint; -1 is a full turn
  double joint_fold[most_lanes];    // smallest squared cosine of half the bend of a joint; 0 is folded flat
};

struct BundleKernel {
  const char* isa;
  int lanes;
  // The refreshed metric, of the point.
  void (*refresh)(const BundleArrays&);
  // Solves for the nodes with the orientations as they are, by one step of the metric; F and G of it into the column. With the
  // refreshed metric only finds their gradient.
  void (*move_nodes)(const BundleArrays&, int column, BundleSums&);
  // Energy, and its gradient by the orientations.
  void (*find_moments)(const BundleArrays&, BundleSums&);
  // The same for the orientations by that gradient, the nodes as they are: from the best point, into the column. With the
  // refreshed metric solves for both.
  void (*turn)(const BundleArrays&, int column, const BundleHistory&);
  // The next point: the column itself, or made from it and those before it.
  void (*take)(const BundleArrays&, int column);
  void (*mix)(const BundleArrays&, int column, BundleHistory&);
  // Chains whose merit is above their limit go back: from a mixed point to the result in the column; from another to the best
  // point, and turn by half as much from now on. The others' points become their best. With the refreshed metric always to the
  // best point.
  void (*fall_back)(const BundleArrays&, int column, const double* merit, const double* limit, BundleHistory&);
  void (*inspect)(const BundleArrays&, BundleShape&);  // of the best point
};

// The best for the machine that runs.
const BundleKernel& bundle_kernel();

}  // namespace writhe::pd
