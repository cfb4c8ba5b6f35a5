// The arithmetic of `pd` on open chains, in vector registers: arrays, passes, and the table of the passes for this machine.
//
// Plain pointers only: the passes are compiled once for each instruction set (cmake/WritheKernels.cmake).
#pragma once

#include "linalg/anderson.h"

namespace writhe::pd {

inline constexpr int most_lanes = 8;

// A bundle is as many strands as a register has lanes: equal chains, a strand each; or one chain, cut into strands of equal
// length that follow each other. Index i of a chain stands for its node i and its segment i; the last has a node only.
//
// A tile holds all numbers of the indices at one place along the strands, a register for each row. Tiles lie behind each other,
// so that a pass goes through memory once, at fixed distances. After the last tile comes a halo: what follows the ends of the
// strands, which of one chain is the beginning of the next strand, and of several nothing.
enum TileRow : int {
  // two points (PointRow): BundleArrays::point and best say which is which
  row_points = 0,
  // start of the step
  row_x_prev = 14,
  row_q_prev = 17,
  // step: the quadratic of a node, 1/2 y.Dy - b.y with y = x - x_prev, and of a spin, 1/2 w.Jw - p.w (elastic/increment.h), of
  // which J/h^2 and p/h, N m
  row_node_matrix = 21,
  row_node_force = 27,
  row_spin_stiffness = 30,
  row_spin_moment = 33,
  row_free = 36,  // node: 1 where a coordinate is unknown, 0 where it is prescribed
  // segment
  row_length = 39,
  row_inverse_length = 40,
  row_stretch = 41,       // N/m: stiffness over length
  row_stretch_rest = 44,  // m: see elastic::segment_value
  // joint between segment i and i + 1
  row_joint = 47,      // 1, or 0 where there is none
  row_bend = 48,       // N m: stiffness over length
  row_bend_rest = 51,  // rad
  // gradient
  row_gradient_x = 54,
  row_gradient_q = 57,  // body
  // the factored metric, three systems for the coordinates of the nodes and three for the body components of the turns; see
  // StrandRow
  row_node_system = 60,
  row_turn_system = 72,
  row_mass = 84,     // node, kg
  row_inertia = 85,  // segment, kg m^2
  bundle_rows = 88
};
enum PointRow : int {
  point_x = 0,  // node: position, m
  point_q = 3,  // segment: orientation
  point_rows = 7
};
// A tridiagonal system of a chain, strand by strand: see bundle_global_kernel.cpp.
enum StrandRow : int {
  strand_inverse = 0,  // -1/pivot; 0 where a coordinate is prescribed
  strand_factor = 3,   // of the elimination into the next index
  strand_before = 6,   // what follows from the last unknown of the strand before, of one chain
  strand_after = 9     // and from the first of the strand after
};

// Rows of a column of the history: the residual F (x, then turns), and the result G (x and q, which is not of unit length).
enum ColumnRow : int { column_step = 0, column_point = 6, column_rows = 13 };

// Only with the refreshed metric (bundle_coupled_kernel.cpp): blocks of the elements.
enum BlockRow : int {
  block_xx = 0,   // segment: by its nodes
  block_ux = 6,   // by its turn and its second node
  block_uu = 15,  // turn of segment i: segment, spin, and the joint after it
  block_bb = 21,  // turn of segment i + 1: the joint
  block_ba = 27,
  block_rows = 36
};
// Their factor, index by index: unit lower triangle, 1/D, and the rows of the next index that lie in its columns.
enum FactorRow : int { factor_inverse = 0, factor_lower = 6, factor_next = 21, factor_rows = 48 };

// A joint between a segment and a prescribed frame; a row holds one number a lane.
enum AnchorRow : int { anchor_frame = 0, anchor_bend = 4, anchor_bend_rest = 7, anchor_rows = 10 };
struct BundleAnchor {
  int segment = 0;
  bool frame_first = false;  // the frame is the joint's a
  int tile = 0, lane = 0;    // of the segment; the lane of one chain
  double* rows = nullptr;    // [anchor_rows][lanes]
};

// The paper's constants weigh bend and twist twice as much as the shear that balances them (docs/theory/pd.md).
constexpr double joint_weight(bool published) { return published ? 2 : 1; }

struct BundleArrays {
  int segments = 0;
  int lanes = 1;         // of a register
  int tiles = 0;         // length of a strand
  bool several = false;  // chains, one in each lane
  int full_tiles = 0;    // that have a segment in every lane
  double inv_h = 0;
  int node_system_step = 1;  // from the system of a node's coordinate to that of the next one: 0 where all are the same
  bool published = false;    // the paper's weights and measure
  bool refreshed = false;    // the metric is the refreshed one
  bool whole = true;         // there is a joint between any two neighbours
  bool bare = true;          // no node has drag: its matrix is a number, the first of its rows
  // First rows of the point that the iteration is at, and of the best one so far.
  int point = row_points;
  int best = point + point_rows;
  double* rows = nullptr;     // [tiles + 1][bundle_rows][lanes]
  double* columns = nullptr;  // [anderson_columns][tiles][column_rows][lanes]
  double* blocks = nullptr;   // [tiles + 1][block_rows][lanes]
  // [segments + 1][factor_rows][width]: of several chains as wide as a register, of one chain a number each, because it is gone
  // through index by index
  double* factor = nullptr;
  // Of one chain, per system (nodes, turns) and component: what the ends of the neighbouring strands are, from the ends of each
  // strand on its own. [2][3][2 lanes][2][lanes]: by which end (first ones, then last ones), of which neighbour.
  double* seams = nullptr;
  BundleAnchor* anchors = nullptr;
  int anchor_count = 0;
  const int* prescribed = nullptr;  // tiles in which a coordinate is prescribed
  int prescribed_count = 0;

  int tile(int index) const { return several ? index : index % tiles; }
  int lane(int index, int chain) const { return several ? chain : index / tiles; }
  long column_length() const { return static_cast<long>(tiles) * column_rows * lanes; }
};

// Per chain; of one chain, every lane has the same.
struct BundleSums {
  double energy[most_lanes];    // J: the incremental potential
  double force[most_lanes];     // N: largest gradient by a node, before it moved
  double turning[most_lanes];   // N: largest gradient by a rotation, over the segment's length
  double internal[most_lanes];  // N: largest force in a segment
  double moment[most_lanes];    // N m: largest moment in a joint
  void take(const BundleSums& other, int chain) {
    energy[chain] = other.energy[chain];
    force[chain] = other.force[chain];
    turning[chain] = other.turning[chain];
    internal[chain] = other.internal[chain];
    moment[chain] = other.moment[chain];
  }
};

// Where a step begins: numbers of nodes and of segments, vector by vector as in State and Loading.
struct BundleSource {
  const double *x, *v, *force;                 // m, m/s, N
  const double *q, *w, *moment;                // orientation, rad/s, N m: nullptr where there are none
  long node[most_lanes], segment[most_lanes];  // of a lane's first index
};

// What a step begins with, per chain; of one chain, every lane has the same.
struct BundleStart {
  double size[most_lanes];      // m: largest coordinate
  double load[most_lanes];      // N: sum of the sizes of the forces
  double moment[most_lanes];    // N m: of the moments
  double heaviest[most_lanes];  // N/m: largest on the diagonal of a node's matrix
  double stretch2[most_lanes];  // largest squared length over rest length of a segment
};

// What the iteration carries besides the point, per chain.
struct BundleHistory {
  bool kept = false;  // columns are for mixing
  int filled = 0;     // of them hold something, the newest included
  double products[linalg::anderson_columns][linalg::anderson_columns][most_lanes];
  double valid[linalg::anderson_columns][most_lanes];
  double mixed[most_lanes];      // positive: the point was made of several columns
  double turn_size[most_lanes];  // 1, or less where full turns raised the energy
};

struct BundleShape {
  double joint_cosine[most_lanes];  // smallest cosine of half the angle of a joint; -1 is a full turn
  double joint_fold[most_lanes];    // smallest squared cosine of half the bend of a joint; 0 is folded flat
};

struct BundleKernel {
  const char* isa;
  int lanes;
  // The source, to where `predict` looks for it, as far as tiles are full.
  void (*gather)(const BundleArrays&, const BundleSource&);
  // The quadratics of nodes and spins of a step, without drag, and the point where all would fly without forces. Finds x_prev
  // and q_prev in their rows; velocities in row_gradient_x, rates in row_gradient_q, forces in row_node_force, and moments, where
  // there are any, in row_spin_moment. damping: 1/s, of the mass.
  void (*predict)(const BundleArrays&, double damping, bool moments, BundleStart&);
  // The refreshed metric, of the point: of the chains whose number is positive, the others keep theirs; nullptr: of all.
  void (*refresh)(const BundleArrays&, const double* chains);
  // Solves for the nodes with the orientations as they are, by one step of the metric; F and G of it into the column. With the
  // refreshed metric only finds their gradient.
  void (*move_nodes)(const BundleArrays&, int column, BundleSums&);
  // Energy, and its gradient by the orientations; the column gets what `turn` begins with.
  void (*find_moments)(const BundleArrays&, int column, BundleSums&);
  // The same for the orientations by that gradient, the nodes as they are: from the best point, into the column; and the products
  // of the column with those before it, of which BundleHistory::filled counts the column in. With the refreshed metric solves for
  // both.
  void (*turn)(const BundleArrays&, int column, BundleHistory&);
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
