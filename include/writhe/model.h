// A scene turned into arrays: nodes, segments, joints and frames over all rods. Checked while built, immutable after.
//
// A rod of N segments has N + 1 nodes and N segments, contiguous in these arrays and in order (a ring has N nodes). A node that
// rods share at a junction is numbered with the first of them; in the others it is missing, so Segments::node0 and node1
// (or Model::node_of) say which nodes a rod has. Orientations are numbered segments first, then frames.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "writhe/scene.h"
#include "writhe/state.h"
#include "writhe/vec.h"

namespace writhe {

// Which coordinates of a node are prescribed.
enum FixedAxis : std::uint8_t { fixed_x = 1, fixed_y = 2, fixed_z = 4, fixed_all = 7 };

struct Nodes {
  std::vector<double> mass;         // kg, half of each segment that meets here
  std::vector<double> length;       // m, rest length that belongs to the node (half of each segment)
  std::vector<std::uint8_t> fixed;  // FixedAxis bits
  std::vector<Vec3> x_initial;      // m
};

struct Segments {
  std::vector<int> node0, node1;
  std::vector<int> rod;
  std::vector<double> length;     // m, rest
  std::vector<double> mass;       // kg; half of it is in each node
  std::vector<Vec3> stiffness;    // N: GA, GA, EA along d1, d2, d3
  std::vector<Vec3> inertia;      // kg m^2: of the whole segment about d1, d2, d3
  std::vector<Vec3> half_extent;  // m: half width along d1, half width along d2, and the mean radius (drawing, wind, contact)
  std::vector<Quat> q_initial;
};

// An orientation at a node to which segments are joined over half their length. Numbered in the order in which the rods, one
// after the other, pass them.
struct Frames {
  // Who decides it. A clamp is prescribed, the junction of a net is free: an unknown of the solve. A carried one follows
  // something else that is solved for; nothing carries frames yet.
  enum class Kind : std::uint8_t { prescribed, free, carried };

  std::vector<int> node;
  std::vector<Kind> kind;
  std::vector<Quat> q_initial;

  bool is_prescribed(int frame) const { return kind[frame] == Kind::prescribed; }
  bool is_free(int frame) const { return kind[frame] == Kind::free; }
};

// A bend-twist element between the orientations a and b. The relative rotation is
// conj(q[a] * turn_a) * q[b] * turn_b; see docs/theory/rod.md. a lies before b along the rod. Joints are in the order of arc
// length, rod by rod; at a frame the ordinary joint is replaced by two halves, segment to frame and frame to segment. The
// closing joint of a ring comes last.
struct Joints {
  std::vector<int> a, b;          // orientation indices
  std::vector<double> length;     // m
  std::vector<Vec3> stiffness;    // N m^2: EI1, EI2, GJ about d1, d2, d3
  std::vector<Vec3> strain_rest;  // 1/m: curvatures and twist of the stress-free rod
  // Identity inside a rod, but at corners of the rest shape; arm directions at a junction, closing angle of a ring.
  std::vector<Quat> turn_a, turn_b;
  // The rod whose ring the joint closes, or -1. State::closing of that rod turns its b further about RodRange::closing_axis,
  // after turn_b.
  std::vector<int> closes;
};

struct RodRange {
  std::string name;
  int first_node, node_count;  // numbered with this rod: without those it shares with an earlier one
  int first_segment, segment_count;
  bool closed;
  double length;               // m, rest
  double mass;                 // kg
  bool round;                  // circular section: the stripe is the only sign of its rotation
  Vec3 closing_axis{0, 0, 1};  // of a ring: d3 of the first orientation as the closing joint sees it
};

// A connected set of rods: what can be solved on its own.
struct Component {
  enum class Kind { chain, ring, net } kind;
  std::vector<int> rods;
};

// A place resolved: weights over nodes (positions, forces) and over orientations (rotations, moments).
struct ResolvedPlace {
  int rod = 0;
  double arclength = 0;  // m, rest
  int node0 = 0, node1 = 0;
  double node_weight1 = 0;  // position = (1 - w) x[node0] + w x[node1]
  // Orientations. Of a load at a clamp both are the clamp's frame, which bears what turns it.
  int segment0 = 0, segment1 = 0;
  double segment_weight1 = 0;  // moment: (1 - w) to segment0 and w to segment1
  Quat turn{1, 0, 0, 0};       // from a frame to the rod's axes
};

// A support resolved to indices; moved in time by the simulation.
struct ResolvedSupport {
  Support support;
  int rod = 0, node = 0;
  int frame = -1;        // of a clamp
  Quat arm{1, 0, 0, 0};  // from the frame to that of the rod the support names, whose d3 is the axis of a twist
};

// Loads resolved to indices; evaluated in time by the simulation.
struct ResolvedLoad {
  Load load;
  ResolvedPlace at;       // forces and moments
  std::vector<int> rods;  // line, drag, wind
};

// An end of a link.
struct LinkEnd {
  std::optional<ResolvedPlace> place;
  Vec3 point{};  // m; without a place
};
struct ResolvedLink {
  Link link;
  LinkEnd from, to;
  double rest_length = 0;  // m, without the ramp
};

class Model {
 public:
  // Throws Error with every problem of the scene.
  explicit Model(Scene scene);

  const Scene& scene() const { return m_scene; }
  const Nodes& nodes() const { return m_nodes; }
  const Segments& segments() const { return m_segments; }
  const Frames& frames() const { return m_frames; }
  const Joints& joints() const { return m_joints; }
  const std::vector<RodRange>& rods() const { return m_rods; }
  const std::vector<Component>& components() const { return m_components; }
  // In the order of the scene, as loads() and links().
  const std::vector<ResolvedSupport>& supports() const { return m_supports; }
  const std::vector<ResolvedLoad>& loads() const { return m_loads; }
  const std::vector<ResolvedLink>& links() const { return m_links; }

  int node_count() const { return static_cast<int>(m_nodes.mass.size()); }
  int segment_count() const { return static_cast<int>(m_segments.length.size()); }
  int frame_count() const { return static_cast<int>(m_frames.node.size()); }
  int orientation_count() const { return segment_count() + frame_count(); }
  int joint_count() const { return static_cast<int>(m_joints.length.size()); }
  // Whether the joint lies at a corner of the rest shape, between segments: its turns are not the identity, of the one that
  // closes a ring that of its a, and without stress its rotation is.
  bool is_corner(int joint) const;

  // The k-th node along a rod, k = 0 ... segment_count; of a ring the last is the first.
  int node_of(int rod, int k) const;

  // The initial state at time 0, at rest.
  State initial_state() const;
  // Throws Error when the rod or the node does not exist; `field` names the key in the message.
  ResolvedPlace resolve(const Place& place, const std::string& field) const;

 private:
  void set_in_motion(State& state) const;

  friend class ModelBuilder;
  ResolvedPlace resolve_on(int rod, const Place& place) const;  // of a place that is known to exist

  Scene m_scene;
  Nodes m_nodes;
  Segments m_segments;
  Frames m_frames;
  Joints m_joints;
  std::vector<RodRange> m_rods;
  std::vector<Component> m_components;
  std::vector<ResolvedSupport> m_supports;
  std::vector<ResolvedLoad> m_loads;
  std::vector<ResolvedLink> m_links;
};

}  // namespace writhe
