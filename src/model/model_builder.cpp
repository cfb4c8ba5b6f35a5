#include "model/model_builder.h"

#include <algorithm>
#include <numeric>

#include "elastic/corner.h"
#include "elastic/joint.h"
#include "math/rotation.h"
#include "model/check.h"
#include "model/locate.h"
#include "model/piecewise_linear.h"
#include "model/section.h"

namespace writhe {

namespace {

constexpr Quat identity{1, 0, 0, 0};

std::uint8_t axis_bits(const std::string& axes) {
  int bits = 0;
  for (const char axis : axes) bits |= axis == 'x' ? fixed_x : axis == 'y' ? fixed_y : fixed_z;
  return static_cast<std::uint8_t>(bits);
}

// Two half segments in series: length/K = (l0/2)/K0 + (l1/2)/K1, for each component.
Vec3 in_series(const Vec3& k0, double l0, const Vec3& k1, double l1) {
  const auto mean = [&](double a, double b) { return (l0 + l1) / (l0 / a + l1 / b); };
  return {mean(k0.x, k1.x), mean(k0.y, k1.y), mean(k0.z, k1.z)};
}

}  // namespace

ModelBuilder::ModelBuilder(Model& model) : m_model(model), m_scene(model.m_scene), m_index(m_scene), m_problems(m_scene) {}

void ModelBuilder::build() {
  check_scene(m_index, m_problems);
  shape_rods();
  find_junctions();
  find_supports();
  check_reactions();
  m_problems.throw_if_any();

  for (int rod = 0; rod < static_cast<int>(m_scene.rods.size()); ++rod) {
    number_nodes(rod);
    add_segments(rod);
  }
  for (int rod = 0; rod < static_cast<int>(m_scene.rods.size()); ++rod) add_joints(rod);
  resolve_supports();
  find_components();
  resolve_loads();
  resolve_links();
  check_contact_sizes();
}

// ---- nodes and segments --------------------------------------------------------------------------------------------------

void ModelBuilder::number_nodes(int rod) {
  Nodes& nodes = m_model.m_nodes;
  const RodGeometry& g = *m_geometry[rod];
  const int segments = static_cast<int>(g.length.size());
  const int first = static_cast<int>(nodes.mass.size());
  std::vector<int>& number = m_node_number.emplace_back();
  for (int k = 0; k < (g.closed ? segments : segments + 1); ++k) {
    Hub* hub = hub_at({rod, k});
    if (hub && hub->node >= 0) {
      number.push_back(hub->node);
      continue;
    }
    number.push_back(static_cast<int>(nodes.mass.size()));
    if (hub) hub->node = number.back();
    nodes.mass.push_back(0);
    nodes.length.push_back(0);
    nodes.fixed.push_back(0);
    nodes.x_initial.push_back(g.initial.points[k]);
  }
  if (g.closed) number.push_back(number.front());
  const double length = std::accumulate(g.length.begin(), g.length.end(), 0.0);
  const Section& section = *m_index.section(m_scene.rods[rod].section);
  m_model.m_rods.push_back({m_scene.rods[rod].name, first, static_cast<int>(nodes.mass.size()) - first, m_model.segment_count(),
                            segments, g.closed, length, 0, is_round(section)});
}

void ModelBuilder::add_segments(int rod) {
  const RodGeometry& g = *m_geometry[rod];
  const Rod& given = m_scene.rods[rod];
  const Section& section = *m_index.section(given.section);
  const Material* material = m_index.material(given.material);
  Segments& segments = m_model.m_segments;
  Nodes& nodes = m_model.m_nodes;
  RodRange& range = m_model.m_rods[rod];
  SectionProperties p = section_properties(section, material, 1);
  double s = 0;
  for (int i = 0; i < range.segment_count; ++i) {
    const double l = g.length[i];
    if (!given.taper.empty())
      p = section_properties(section, material, piecewise_linear(given.taper, (s + l / 2) / range.length));
    s += l;
    const int ends[2] = {m_node_number[rod][i], m_node_number[rod][i + 1]};
    for (const int end : ends) {
      nodes.mass[end] += p.linear_density * l / 2;
      nodes.length[end] += l / 2;
    }
    range.mass += p.linear_density * l;
    segments.node0.push_back(ends[0]);
    segments.node1.push_back(ends[1]);
    segments.rod.push_back(rod);
    segments.length.push_back(l);
    segments.mass.push_back(p.linear_density * l);
    segments.stiffness.push_back(p.stretch);
    segments.inertia.push_back(l * p.inertia);
    segments.half_extent.push_back(p.half_extent);
    segments.q_initial.push_back(g.initial.segment[i]);
    m_bend.push_back(p.bend);
  }
}

// ---- joints and frames ---------------------------------------------------------------------------------------------------

// In the order of arc length. At a hub two half joints meet the frame; elsewhere one joint spans the node. The closing joint
// of a ring, or the half of it that leads to a hub, comes last.
void ModelBuilder::add_joints(int rod) {
  const RodGeometry& g = *m_geometry[rod];
  const int n = static_cast<int>(g.length.size());
  for (int k = 0; k <= n; ++k) {
    const bool at_start = k == 0, at_end = k == n;
    Hub* hub = hub_at({rod, g.closed && at_end ? 0 : k});
    if (hub) {
      if (!at_start) add_half_before(*hub, rod, k);
      if (!at_end) add_half_after(*hub, rod, k);
    } else if (!at_start && (!at_end || g.closed)) {
      add_full_joint(rod, k);
    }
  }
}

void ModelBuilder::add_full_joint(int rod, int node) {
  const RodGeometry& g = *m_geometry[rod];
  const int n = static_cast<int>(g.length.size());
  const bool closing = node == n;
  const int before = node - 1, after = closing ? 0 : node;
  const int first = m_model.m_rods[rod].first_segment;
  const double l0 = g.length[before], l1 = g.length[after];
  if (g.is_corner(node)) return add_corner(rod, node, first + before, first + after);
  const Vec3 stiffness = in_series(m_bend[first + before], l0, m_bend[first + after], l1);
  add_joint(first + before, first + after, (l0 + l1) / 2, stiffness, closing ? g.rest_closing() : g.rest.between(node), identity,
            closing ? g.initial.closing_turn : identity, closing ? rod : -1);
}

void ModelBuilder::add_corner(int rod, int node, int before, int after) {
  const RodGeometry& g = *m_geometry[rod];
  const bool closing = node == static_cast<int>(g.length.size());
  const double l0 = m_model.m_segments.length[before], l1 = m_model.m_segments.length[after], length = (l0 + l1) / 2;
  const auto flexible = [&](int segment, double l) {
    const Vec3& K = m_bend[segment];
    return l / 2 * Vec3{1 / K.x, 1 / K.y, 1 / K.z};
  };
  const elastic::CornerJoint joint =
      elastic::corner_joint(closing ? g.rest_closing() : g.rest.between(node), flexible(before, l0), flexible(after, l1));
  if (!closing) return add_joint(before, after, length, length * joint.bend, identity, joint.turn_a, joint.turn_b);
  add_joint(before, after, length, length * joint.bend, identity, joint.turn_a, g.initial.closing_turn * joint.turn_b, rod);
  m_model.m_rods[rod].closing_axis = rotate_back(joint.turn_b, Vec3{0, 0, 1});
}

void ModelBuilder::add_half_before(Hub& hub, int rod, int node) {
  const RodGeometry& g = *m_geometry[rod];
  const int segment = m_model.m_rods[rod].first_segment + node - 1;
  const bool closing = g.closed && node == static_cast<int>(g.length.size());
  if (g.is_corner(node)) {
    // The half is straight along its leg: what it turns by at rest is a turn of the frame's side, not a strain.
    const Quat back = conj(g.rest.before(node));
    add_joint(segment, open_frame(hub), g.length[node - 1] / 2, m_bend[segment], identity, identity,
              turn_to(hub, rod, node) * back, closing ? rod : -1);
    if (closing) m_model.m_rods[rod].closing_axis = rotate_back(back, Vec3{0, 0, 1});
    return;
  }
  add_joint(segment, open_frame(hub), g.length[node - 1] / 2, m_bend[segment], g.rest.before(node), identity,
            turn_to(hub, rod, node), closing ? rod : -1);
}

void ModelBuilder::add_half_after(Hub& hub, int rod, int node) {
  const RodGeometry& g = *m_geometry[rod];
  const int segment = m_model.m_rods[rod].first_segment + node;
  if (g.is_corner(g.closed && node == 0 ? static_cast<int>(g.length.size()) : node)) {
    add_joint(open_frame(hub), segment, g.length[node] / 2, m_bend[segment], identity,
              turn_to(hub, rod, node) * g.rest.after(node), identity);
    return;
  }
  add_joint(open_frame(hub), segment, g.length[node] / 2, m_bend[segment], g.rest.after(node), turn_to(hub, rod, node), identity);
}

void ModelBuilder::add_joint(int a, int b, double length, const Vec3& stiffness, const Quat& rest, const Quat& turn_a,
                             const Quat& turn_b, int closes) {
  Joints& joints = m_model.m_joints;
  joints.a.push_back(a);
  joints.b.push_back(b);
  joints.length.push_back(length);
  joints.stiffness.push_back(stiffness);
  joints.strain_rest.push_back(elastic::joint_angles(rest) / length);
  joints.turn_a.push_back(turn_a);
  joints.turn_b.push_back(turn_b);
  joints.closes.push_back(closes);
}

// The orientation of an arm at the hub, seen from the hub's frame. The first place gives the frame its orientation, so there
// it is the identity, but for the closing turn of a ring that comes back to it (node = number of segments).
Quat ModelBuilder::turn_to(const Hub& hub, int rod, int node) const {
  const RodShape& shape = initial(rod);
  if (m_geometry[rod]->closed && node == static_cast<int>(shape.segment.size())) return turn_to(hub, rod, 0) * shape.closing_turn;
  const RodNode first = hub.places.front();
  if (first == RodNode{rod, node}) return identity;
  return normalized(conj(initial(first.rod).node[first.node]) * shape.node[node]);
}

// The orientation index of the hub's frame, which is made when first asked for.
int ModelBuilder::open_frame(Hub& hub) {
  Frames& frames = m_model.m_frames;
  if (hub.frame < 0) {
    hub.frame = m_model.frame_count();
    frames.node.push_back(hub.node);
    frames.kind.push_back(hub.clamp ? Frames::Kind::prescribed : Frames::Kind::free);
    frames.q_initial.push_back(frame_orientation(hub));
  }
  return m_model.segment_count() + hub.frame;
}

Quat ModelBuilder::frame_orientation(const Hub& hub) const {
  const RodNode first = hub.places.front();
  const Quat built = initial(first.rod).node[first.node];
  if (!hub.clamp || (!hub.clamp->tangent && !hub.clamp->d1)) return built;
  // The directions are those of the arm that the support names.
  const RodNode at = hub.clamped;
  const Quat arm = initial(at.rod).node[at.node];
  const Vec3 tangent = hub.clamp->tangent.value_or(rotate(arm, Vec3{0, 0, 1}));
  const Quat given = hub.clamp->d1 ? frame_from(tangent, *hub.clamp->d1) : parallel_transport(arm, tangent);
  return same_side(given * conj(turn_to(hub, at.rod, at.node)), built);
}

void ModelBuilder::resolve_supports() {
  std::vector<std::pair<const Support*, RodNode>> in_order;  // of the scene
  for (const auto& [at, support] : m_support_of) in_order.emplace_back(support, at);
  std::sort(in_order.begin(), in_order.end(), [](const auto& a, const auto& b) { return std::less<>()(a.first, b.first); });
  for (const auto& [support, at] : in_order) {
    ResolvedSupport resolved{*support, at.rod, model_node(at), -1, identity};
    m_model.m_nodes.fixed[resolved.node] |= axis_bits(support->axes);
    if (support->kind == Support::Kind::clamp) {
      const Hub& hub = *hub_at(at);
      resolved.frame = hub.frame;
      resolved.arm = turn_to(hub, hub.clamped.rod, hub.clamped.node);
    }
    m_model.m_supports.push_back(std::move(resolved));
  }
}

// ---- what belongs together -----------------------------------------------------------------------------------------------

void ModelBuilder::find_components() {
  std::vector<int> leader(m_scene.rods.size());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int rod) {
    while (leader[rod] != rod) rod = leader[rod] = leader[leader[rod]];
    return rod;
  };
  std::vector<bool> in_net(m_scene.rods.size(), false);
  for (const Hub& hub : m_hubs) {
    if (!hub.junction) continue;
    for (const RodNode& place : hub.places) {
      in_net[place.rod] = true;
      const int a = find(place.rod), b = find(hub.places.front().rod);
      leader[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<int> component(leader.size(), -1);
  for (int rod = 0; rod < static_cast<int>(leader.size()); ++rod) {
    using Kind = Component::Kind;
    int& index = component[find(rod)];
    if (index < 0) {
      index = static_cast<int>(m_model.m_components.size());
      m_model.m_components.push_back({in_net[rod] ? Kind::net : m_geometry[rod]->closed ? Kind::ring : Kind::chain, {}});
    }
    m_model.m_components[index].rods.push_back(rod);
  }
}

// At a clamp a load acts on its frame. On the segments beside it a moment would bend the rod by half a segment.
ResolvedPlace ModelBuilder::place_of_load(const Place& place) {
  const int rod = m_index.rod(place.rod);
  ResolvedPlace at = m_model.resolve_on(rod, place);
  const Hub* hub = nullptr;
  const RodGeometry& g = *m_geometry[rod];
  const std::optional<int> node = locate(place, g.length).node();
  const RodNode own{rod, node && g.closed ? *node % static_cast<int>(g.length.size()) : node.value_or(-1)};
  if (node) hub = hub_at(own);
  if (!hub || !hub->clamp) return at;
  at.segment0 = at.segment1 = m_model.segment_count() + hub->frame;
  at.segment_weight1 = 0;
  at.turn = turn_to(*hub, own.rod, own.node);
  return at;
}

void ModelBuilder::resolve_loads() {
  const auto rods_of = [&](const std::string& name) {
    if (!name.empty()) return std::vector<int>{m_index.rod(name)};
    std::vector<int> all(m_scene.rods.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  };
  for (const Load& load : m_scene.loads) {
    ResolvedLoad resolved{load, {}, {}};
    std::visit(
        [&](const auto& kind) {
          if constexpr (requires { kind.at; })
            resolved.at = place_of_load(kind.at);
          else
            resolved.rods = rods_of(kind.rod);
        },
        load.kind);
    m_model.m_loads.push_back(std::move(resolved));
  }
}

}  // namespace writhe
