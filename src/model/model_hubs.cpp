// The part of ModelBuilder that comes before the arrays: rods get their shapes, places become nodes, supports and junctions
// are matched to them. It goes on after a problem as long as it can, so that a user sees all of them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "math/rotation.h"
#include "model/centreline.h"
#include "model/check.h"
#include "model/locate.h"
#include "model/model_builder.h"
#include "model/probe_fields.h"

namespace writhe {

namespace {

constexpr double largest_clamp_turn = 170;  // degrees between a clamp and the rod as built

// What the geometry of a rod is made from has no problems. Its section and material may have.
bool can_be_shaped(const Problems& problems, const std::string& path) {
  for (const char* key : {".segments", ".centreline", ".rest", ".d1", ".initial_twist", ".rest_twist", ".closing_angle"})
    if (problems.any_at(path + key)) return false;
  return true;
}

// The nodes of a rod at these places, each once. A place between two nodes is none: it is refused where it is looked up.
std::vector<int> nodes_at(const std::vector<const Place*>& places, const RodGeometry& g) {
  std::vector<int> out;
  for (const Place* place : places)
    if (const std::optional<int> node = locate(*place, g.length).node())
      out.push_back(g.closed ? *node % static_cast<int>(g.length.size()) : *node);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

void ModelBuilder::shape_rods() {
  m_geometry.resize(m_scene.rods.size());
  if (memory_needed(m_scene) > memory_limit) return;
  const std::vector<std::vector<const Place*>> joined = joined_places();
  for (std::size_t i = 0; i < m_scene.rods.size(); ++i) {
    const Rod& rod = m_scene.rods[i];
    const std::string path = path_of("rods", rod.name, i);
    if (!can_be_shaped(m_problems, path)) continue;
    RodGeometry geometry = rod_geometry(rod);
    if (const std::vector<int> met = nodes_at(joined[i], geometry); !met.empty()) geometry = rod_geometry(rod, met);
    check_frames(geometry.initial, rod.d1, path + ".centreline", path + ".d1", m_problems);
    if (const auto* own = std::get_if<ShapeRest>(&rod.rest))
      check_frames(geometry.rest, own->d1, path + ".rest.shape", path + ".rest.d1", m_problems);
    if (can_be_shaped(m_problems, path)) m_geometry[i] = std::move(geometry);
  }
}

// Per rod: where others are joined to it, if it is one that has to be moved to meet them (lay_centreline).
std::vector<std::vector<const Place*>> ModelBuilder::joined_places() const {
  std::vector<std::vector<const Place*>> out(m_scene.rods.size());
  for (std::size_t i = 0; i < m_scene.joints.size(); ++i)
    for (std::size_t j = 0; j < m_scene.joints[i].places.size(); ++j) {
      const Place& place = m_scene.joints[i].places[j];
      const int rod = m_index.rod(place.rod);
      if (rod < 0 || m_problems.any_at(path_of(path_of("joints", i) + ".places", j))) continue;
      if (turns_of(m_scene.rods[rod].centreline) > 0) out[rod].push_back(&place);
    }
  return out;
}

ModelBuilder::Hub* ModelBuilder::hub_at(const RodNode& at) {
  const auto found = m_hub_of.find(at);
  return found == m_hub_of.end() ? nullptr : &m_hubs[found->second];
}

// The node at a place; empty when the rod has problems of its own. Places that are no node are a problem.
std::optional<ModelBuilder::RodNode> ModelBuilder::node_at(const Place& place, const std::string& path) {
  const int rod = m_index.rod(place.rod);
  if (rod < 0 || !m_geometry[rod] || m_problems.any_at(path)) return std::nullopt;
  const RodGeometry& g = *m_geometry[rod];
  const int segments = static_cast<int>(g.length.size());
  const Spot spot = locate(place, g.length);
  if (const std::optional<int> node = spot.node()) return RodNode{rod, g.closed ? *node % segments : *node};
  const int next = g.closed ? (spot.segment + 1) % segments : spot.segment + 1;
  m_problems.add(path, place.text(),
                 fmt::format("lies between the nodes {0}.node[{1}] and {0}.node[{2}]; name one of them, or choose a number of "
                             "segments that puts a node at {3} of the length",
                             place.rod, spot.segment, next, place.fraction));
  return std::nullopt;
}

void ModelBuilder::find_junctions() {
  for (std::size_t i = 0; i < m_scene.joints.size(); ++i) add_junction(m_scene.joints[i], path_of("joints", i));
}

void ModelBuilder::add_junction(const Junction& junction, const std::string& path) {
  Hub hub;
  hub.junction = true;
  hub.path = path;
  const int index = static_cast<int>(m_hubs.size());
  for (std::size_t j = 0; j < junction.places.size(); ++j) {
    const std::string here = path_of(path + ".places", j);
    const std::optional<RodNode> at = node_at(junction.places[j], here);
    if (!at) continue;
    if (const auto [known, is_new] = m_hub_of.emplace(*at, index); !is_new) {
      const std::string& owner = known->second == index ? path : m_hubs[known->second].path;
      m_problems.add(here, junction.places[j].text(), "this node is already in " + owner + "; a node belongs to one joint, once");
      continue;
    }
    if (!hub.places.empty()) check_meeting(hub, *at, here);
    hub.places.push_back(*at);
  }
  m_hubs.push_back(std::move(hub));
}

void ModelBuilder::check_meeting(const Hub& hub, const RodNode& other, const std::string& path) {
  const RodNode first = hub.places.front();
  const Vec3 a = initial(first.rod).points[first.node], b = initial(other.rod).points[other.node];
  const auto length_of = [&](int rod) {
    return std::accumulate(m_geometry[rod]->length.begin(), m_geometry[rod]->length.end(), 0.0);
  };
  const double gap = norm(b - a);
  if (gap <= 1e-6 * std::max(length_of(first.rod), length_of(other.rod))) return;
  m_problems.add(
      path, text_of(b),
      fmt::format("is {:.3g} m away from {}.node[{}] at {}; places that are joined must coincide: move one of the rods", gap,
                  m_scene.rods[first.rod].name, first.node, text_of(a)));
}

void ModelBuilder::find_supports() {
  for (std::size_t i = 0; i < m_scene.supports.size(); ++i) add_support(m_scene.supports[i], path_of("supports", i));
}

void ModelBuilder::add_support(const Support& support, const std::string& path) {
  const bool clamp = support.kind == Support::Kind::clamp;
  const std::string here = path + (clamp ? ".clamp" : ".pin");
  const std::optional<RodNode> at = node_at(support.at, here);
  if (!at) return;
  Hub* hub = hub_at(*at);
  const RodNode node = hub ? hub->places.front() : *at;  // the same for all places of a junction
  if (const auto [other, is_new] = m_support_of.emplace(node, &support); !is_new) {
    m_problems.add(here, support.at.text(),
                   "this node already has a support at " + other->second->at.text() + "; give a node one support");
    return;
  }
  if (!clamp) return;
  check_clamp_axes(support, *at, path);
  if (!hub) {
    m_hub_of[*at] = static_cast<int>(m_hubs.size());
    hub = &m_hubs.emplace_back();
    hub->places = {*at};
    hub->path = path;
  }
  hub->clamp = &support;
  hub->clamped = *at;
}

// What a support exerts can be asked for where there is one.
void ModelBuilder::check_reactions() {
  for (std::size_t i = 0; i < m_scene.output.probes.size(); ++i) {
    const Probe& probe = m_scene.output.probes[i];
    const std::string path = path_of("output.probes", i);
    for (std::size_t k = 0; k < probe.fields.size(); ++k) {
      if (!needs_support(probe.fields[k])) continue;
      const std::optional<RodNode> at = node_at(probe.at, path + ".at");
      if (!at) break;
      const Hub* hub = hub_at(*at);
      if (m_support_of.count(hub ? hub->places.front() : *at) > 0) continue;
      m_problems.add(path_of(path + ".fields", k), probe.fields[k],
                     "no support holds " + probe.at.text() + "; name a place that has a pin or a clamp, or leave the field out");
    }
  }
}

// A given tangent must not point back along the rod as built: a joint folded by 180 degrees has no side to unfold to. A given d1
// must not lie along the rod, where no tangent is given with it.
void ModelBuilder::check_clamp_axes(const Support& support, const RodNode& at, const std::string& path) {
  const Vec3 d3 = rotate(initial(at.rod).node[at.node], Vec3{0, 0, 1});
  if (support.tangent && !m_problems.any_at(path + ".tangent")) {
    const double angle = std::acos(std::clamp(dot(normalized(*support.tangent), d3), -1.0, 1.0)) * 180 / pi;
    if (angle > largest_clamp_turn)
      m_problems.add(path + ".tangent", text_of(*support.tangent),
                     fmt::format("points {:.0f} degrees away from the rod as built there, {}, and {:.0f} is the most; a tangent "
                                 "runs from the rod's start to its end: turn it round, or build the rod along it",
                                 angle, text_of(d3), largest_clamp_turn));
  }
  if (!support.d1 || support.tangent || m_problems.any_at(path + ".d1")) return;
  if (norm(cross(normalized(*support.d1), d3)) < 1e-6)
    m_problems.add(path + ".d1", text_of(*support.d1), "is parallel to the rod there; give a direction across it");
}

}  // namespace writhe
