#include "study/scene_facts.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "math/rotation.h"

namespace writhe::study {

namespace {

// A length-weighted mean.
struct Mean {
  Vec3 sum{};
  double length = 0;
  void add(const Vec3& value, double weight) {
    sum += weight * value;
    length += weight;
  }
  bool empty() const { return length <= 0; }
  Vec3 value() const { return sum / length; }
};

Mean segment_mean(const Model& model, const RodRange& rod, const std::vector<Vec3>& values) {
  Mean mean;
  for (int s = rod.first_segment; s < rod.first_segment + rod.segment_count; ++s) mean.add(values[s], model.segments().length[s]);
  return mean;
}

Mean bending_mean(const Model& model, int rod) {
  const Joints& joints = model.joints();
  const auto of_rod = [&](int orientation) {
    return orientation < model.segment_count() && model.segments().rod[orientation] == rod;
  };
  Mean mean;
  for (int j = 0; j < model.joint_count(); ++j) {
    if (of_rod(joints.a[j]) || of_rod(joints.b[j])) mean.add(joints.stiffness[j], joints.length[j]);
  }
  return mean;
}

EndCondition condition_at(const Model& model, int node) {
  const Frames& frames = model.frames();
  for (int f = 0; f < model.frame_count(); ++f) {
    if (frames.node[f] == node && frames.is_prescribed(f)) return EndCondition::clamped;
  }
  // a roller is a pin to what bends across it
  return std::popcount(static_cast<unsigned>(model.nodes().fixed[node])) >= 2 ? EndCondition::pinned : EndCondition::free;
}

// For each node, ascending and so in the order of the rods.
using SegmentsAtNode = std::vector<std::vector<int>>;
SegmentsAtNode segments_at_node(const Model& model) {
  SegmentsAtNode out(model.node_count());
  for (int s = 0; s < model.segment_count(); ++s) {
    out[model.segments().node0[s]].push_back(s);
    out[model.segments().node1[s]].push_back(s);
  }
  return out;
}

RodEnd end_of(const Model& model, const SegmentsAtNode& meeting, int node, int own_segment) {
  RodEnd end{condition_at(model, node), {}};
  for (const int s : meeting[node]) {
    const std::string& rod = model.rods()[model.segments().rod[s]].name;
    if (s != own_segment && (end.joined_to.empty() || end.joined_to.back() != rod)) end.joined_to.push_back(rod);
  }
  return end;
}

// beta L of the lowest bending mode that is not a rigid motion: roots of the classical frequency equations
// cos cosh = -1 (clamped-free), cos cosh = 1 (clamped-clamped, free-free), tan = tanh (clamped-pinned, pinned-free), sin = 0.
double lowest_root(EndCondition a, EndCondition b) {
  if (a == b) return a == EndCondition::pinned ? pi : 4.730040744862704;
  if (a == EndCondition::pinned || b == EndCondition::pinned) return 3.926602312047919;
  return 1.875104068711961;
}

double bending_period(const RodFacts& rod, double softer) {
  const double mass_per_length = rod.mass / rod.length;
  if (rod.closed) {
    // Inextensional ring, two waves round: omega^2 = (36/5) EI / (rho A R^4) (Love, Treatise, ch. XXI).
    const double ring_radius = rod.length / (2 * pi);
    return 2 * pi / std::sqrt(36.0 / 5 * softer / (mass_per_length * std::pow(ring_radius, 4)));
  }
  const double beta = lowest_root(rod.start.support, rod.end.support) / rod.length;
  return 2 * pi / (beta * beta * std::sqrt(softer / mass_per_length));
}

RodFacts facts_of_rod(const Model& model, const SegmentsAtNode& meeting, int index) {
  const RodRange& rod = model.rods()[index];
  RodFacts out;
  out.name = rod.name;
  out.closed = rod.closed;
  out.segments = rod.segment_count;
  out.nodes = rod.segment_count + (rod.closed ? 0 : 1);  // shared ones too
  out.length = rod.length;
  out.mass = rod.mass;
  const Vec3 stretch = segment_mean(model, rod, model.segments().stiffness).value();
  out.GA = stretch.x;
  out.EA = stretch.z;
  out.radius = segment_mean(model, rod, model.segments().half_extent).value().z;
  if (out.radius > 0) out.slenderness = out.length / out.radius;
  if (!rod.closed) {
    const int last = rod.segment_count - 1;
    out.start = end_of(model, meeting, model.node_of(index, 0), rod.first_segment);
    out.end = end_of(model, meeting, model.node_of(index, last + 1), rod.first_segment + last);
  }

  const Mean bending = bending_mean(model, index);
  if (bending.empty()) return out;
  out.EI1 = bending.value().x;
  out.EI2 = bending.value().y;
  out.GJ = bending.value().z;
  const double softer = std::min(*out.EI1, *out.EI2);
  out.load_number = out.mass * norm(model.scene().gravity) * out.length * out.length / softer;
  out.bending_period = bending_period(out, softer);
  return out;
}

int count_unknowns(const Model& model) {
  int out = 3 * model.segment_count();
  for (const std::uint8_t fixed : model.nodes().fixed) out += 3 - std::popcount(fixed);
  for (int f = 0; f < model.frame_count(); ++f) out += model.frames().is_free(f) ? 3 : 0;
  return out;
}

template <class... Values>
std::size_t bytes(const std::vector<Values>&... arrays) {
  return (0 + ... + (arrays.size() * sizeof(Values)));
}

std::size_t count_memory(const Model& model) {
  const Nodes& n = model.nodes();
  const Segments& s = model.segments();
  const Frames& f = model.frames();
  const Joints& j = model.joints();
  const State state = model.initial_state();
  return bytes(n.mass, n.length, n.fixed, n.x_initial) +
         bytes(s.node0, s.node1, s.rod, s.length, s.stiffness, s.inertia, s.half_extent, s.q_initial) +
         bytes(f.node, f.kind, f.q_initial) +
         bytes(j.a, j.b, j.length, j.stiffness, j.strain_rest, j.turn_a, j.turn_b, j.closes) +
         bytes(state.x, state.v, state.q, state.w);
}

}  // namespace

SceneFacts facts_of(const Model& model) {
  SceneFacts out;
  const SegmentsAtNode meeting = segments_at_node(model);
  const int rods = static_cast<int>(model.rods().size());
  for (int r = 0; r < rods; ++r) out.rods.push_back(facts_of_rod(model, meeting, r));
  out.nodes = model.node_count();
  out.segments = model.segment_count();
  out.joints = model.joint_count();
  out.frames = model.frame_count();
  out.unknowns = count_unknowns(model);
  out.memory = count_memory(model);
  return out;
}

std::string words_of(const RodEnd& end) {
  const bool joined = !end.joined_to.empty();
  switch (end.support) {
    case EndCondition::clamped:
      return joined ? "clamped+joined" : "clamped";
    case EndCondition::pinned:
      return joined ? "pinned+joined" : "pinned";
    default:
      return joined ? "joined" : "free";
  }
}

}  // namespace writhe::study
