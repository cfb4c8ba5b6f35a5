// Forces and moments at the ends of rods and at supports, by the balance of the node and the frame there.
//
// A node carries half of each segment that meets there, with the loads along it. With g_k the force of segment k on the node, d_k
// what is distributed over its half (weight, line loads, drag, mass damping), m_k its half mass, F_k the force on the end of that
// half, and c what acts at the node itself (forces, links):
//   half:  F_k + g_k + d_k = m_k a          node:  sum F_k = c + R
// Along a coordinate that is held, a is that of the support, and the reaction R follows. Along a free one R = 0 gives a, and F_k
// its share: at an end of one rod just c, the applied force. (The force in the middle of the last segment alone, as far as half a
// segment's loads from that of the end and in another section's axes, is of first order.)
//
// The moment at a frame is the derivative of the joint's energy by the turn of the frame, in the axes of the frame; all of them
// together are the reaction of a clamp: frames have no inertia. At an end without a frame it is the moment applied there.
//
// In motion segments and the joints of clamps resist with their strain-rate damping too, at the rates of the state. All of it is
// read off one state: the acceleration of a support is a difference of its prescribed motion over time.dt, backward with
// Integrator::euler as its steps have it, central with midpoint. A state in which nothing moves at all (statics, the start of a
// run) has no inertia and no damping.
#pragma once

#include <memory>
#include <vector>

#include "measure/measure.h"
#include "terms/terms.h"
#include "writhe/model.h"
#include "writhe/reaction.h"
#include "writhe/state.h"

namespace writhe::assembly {

class EndForces {
 public:
  explicit EndForces(const Model& model);  // which has to stay where it is

  // `load`: factor on all loads, as StaticPoint has it. Closing angles, links and loads are those of the state's time.
  void update(const State& state, double load = 1);

  const measure::RodEnds& ends() const { return m_ends; }
  // One for each of Model::supports, in their order.
  const std::vector<Reaction>& reactions() const { return m_reactions; }

 private:
  // Half of a segment that meets a node.
  struct Half {
    int segment;
    bool at_end;             // of the segment
    int joint;               // to a frame at the node, or -1
    int rod;                 // whose end it is, or -1: inside one, or of a ring
    Vec3 others{}, force{};  // N, space: g_k + d_k, F_k
  };
  struct Node {
    int node;
    int support;  // of Model::supports, or -1
    std::vector<Half> halves;
    Vec3 applied{};  // N, space: c
    Vec3 turning{};  // N m, body of the frame: gradient of terms at a prescribed one
  };
  // The moment of a joint at its frame, N m: by the axes in which the rod goes on there, and by those of the frame.
  struct FrameMoment {
    Vec3 along_rod{}, on_frame{};
  };

  void find_nodes();
  void apply_loads(const State& state, double load);
  void apply_terms(const State& state);
  void add_applied(int node, const Vec3& force);
  Vec3 segment_force(const State& state, const Half& half) const;
  Vec3 distributed(const State& state, const Half& half, double load) const;
  FrameMoment frame_moment(const State& state, const Half& half) const;
  Vec3 acceleration(const State& state, const Node& at, const Vec3& unheld) const;
  Vec3 applied_moment(const State& state, const Half& half, double load) const;
  void balance(const State& state, double load, Node& at);
  void tell_end(const State& state, double load, const Half& half);

  const Model* m_model;
  std::shared_ptr<Terms> m_terms;
  State m_before;                         // a little earlier, for the rates of terms
  bool m_moves = false;                   // anything at all
  std::vector<std::vector<int>> m_along;  // per rod: of Model::loads, those along it
  std::vector<int> m_index;               // per node: into m_nodes, or -1
  std::vector<Node> m_nodes;
  measure::RodEnds m_ends;
  std::vector<Reaction> m_reactions;
};

}  // namespace writhe::assembly
