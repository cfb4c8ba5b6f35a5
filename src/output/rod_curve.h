// A rod as a smooth curve through its nodes, with material frames and sections along it: what pictures and tubes are made of.
#pragma once

#include <vector>

#include "measure/measure.h"
#include "writhe/model.h"
#include "writhe/state.h"

namespace writhe::output {

struct Station {
  Vec3 x{};                     // m
  Vec3 tangent{};               // unit
  Quat q{};                     // material frame
  double half1 = 0, half2 = 0;  // m, half widths of the section along d1 and d2
};

// The section is a rectangle; all others are drawn as ellipses.
bool is_rectangular(const Model& model, int rod);

// Nodes 0..N in order (a ring repeats its first node), segment i between nodes i and i + 1. Keeps references to what it is given.
class RodCurve {
 public:
  RodCurve(const Model& model, const State& state, const measure::SegmentJoints& joints, int rod);

  int rod() const { return m_index; }
  bool closed() const { return m_rod.closed; }
  int segments() const { return m_rod.segment_count; }
  int segment(int i) const { return m_rod.first_segment + i; }  // of the model
  const Vec3& chord(int i) const { return m_chord[i]; }         // m

  // rad: the largest angle between segment i and its neighbours, and how far the frames at its ends turn about its axis.
  double bend(int i) const;
  double twist(int i) const;
  // At t in [0, 1] of segment i.
  Station at(int i, double t) const;

 private:
  Vec3 chord_of(int i) const;
  int neighbour(int i) const;
  double bend_at(int i, int other) const;
  Vec3 slope(int i, bool at_end) const;
  Vec3 inner_slope(int i, int j) const;
  Quat frame(int i, int end) const;
  Quat frame_at(int i, double t) const;
  Vec3 half_extent(int i, double t) const;

  const Model& m_model;
  const State& m_state;
  const measure::SegmentJoints& m_joints;
  const RodRange& m_rod;
  int m_index;
  std::vector<Vec3> m_x, m_chord;
};

}  // namespace writhe::output
