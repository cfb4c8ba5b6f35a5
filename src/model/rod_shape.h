// One rod as a chain of orientations: twist-free frames carried along its points, twist added, frames at its nodes.
//
// A rod has such a shape twice: as built (initial) and stress-free (rest). Joints compare the two.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "writhe/scene.h"
#include "writhe/vec.h"

namespace writhe {

// Frames are body to space (d1, d2, d3 = turned e1, e2, e3), with signs such that neighbours are on the same side.
struct RodShape {
  std::vector<Vec3> points;   // segments + 1; of a loop the last is the first
  std::vector<Quat> segment;  // d3 along the chord
  // At points. Inside a rod it divides the turn between two segments in the ratio of their rest lengths; at an end the turn of
  // the last joint goes on at the same rate. Of a loop the last is the first as the closing joint sees it.
  std::vector<Quat> node;
  bool loop = false;
  Quat closing_turn{1, 0, 0, 0};  // of a loop: from the first frame to the first frame as the closing joint sees it

  // Relative rotations at point k: between its two segments, and over the half segments before and after it.
  Quat between(int k) const { return conj(segment[k - 1]) * segment[k]; }
  Quat before(int k) const { return conj(segment[k - 1]) * node[k]; }
  Quat after(int k) const { return conj(node[k]) * segment[k]; }
};

// The twist of a shape: right-handed about d3 beyond the twist-free frame, linear in rest arc length from 0 at the start.
struct Twist {
  double total = 0;                     // rad over the whole rod
  std::optional<double> closing_angle;  // rad; given for a loop
};

// Twist-free frames start with d1 (made orthogonal to the first chord); without one d1 is horizontal and d2 points upwards
// (for a rod within 26 degrees of the vertical: d1 across x, d2 towards x). `rest_length` has one entry a chord.
//
// Carried once around a loop, the twist-free frame comes back turned about d3 by the holonomy of the curve (zero for a planar
// one). closing_angle 0 means that the closing joint sees the first frame turned by just that: the loop closes without twist.
// A circular section does not notice; any other section meets itself turned by holonomy + closing_angle. The total twist as
// built is closing_angle plus the number of whole turns that brings it nearest to `twist.total`: a loop that is to
// start with k turns evenly spread has both set to them.
RodShape rod_shape(std::vector<Vec3> points, const std::vector<double>& rest_length, const std::optional<Vec3>& d1,
                   const Twist& twist);

std::vector<double> chord_lengths(const std::vector<Vec3>& points);

// Both shapes of a rod, and the rest lengths of its segments.
struct RodGeometry {
  bool closed = false;
  std::vector<double> length;  // m, rest, per segment
  RodShape initial, rest;
  std::vector<int> corners;  // nodes, see NodePlaces
  bool is_corner(int node) const { return std::binary_search(corners.begin(), corners.end(), node); }
  // The rest rotation of the closing joint.
  Quat rest_closing() const;
};

bool is_closed(const Rod& rod);
// rad: the twist that is spread over the frames of the initial shape, see Rod::initial_twist.
double twist_as_built(const Rod& rod);
// `met`: the nodes where other rods are joined to it, see lay_centreline. The rod must have passed check_rod. Shapes that cannot
// carry frames (see check_frames) give frames that are not finite.
RodGeometry rod_geometry(const Rod& rod, const std::vector<int>& met = {});

}  // namespace writhe
