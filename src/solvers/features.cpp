#include "solvers/features.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "model/labels.h"

namespace writhe {

namespace {

constexpr std::array<FeatureInfo, 8> table{
    {{Feature::chains, "chains", "open rods"},
     {Feature::rings, "rings", "closed rods"},
     {Feature::nets, "nets", "rods that are joined"},
     {Feature::links, "links", "springs and tethers"},
     {Feature::contact, "contact", "rods that touch each other or obstacles"},
     {Feature::corners, "corners", "rods with sharp corners in their rest shape"},
     {Feature::followers, "followers", "moments and follower forces within a step; without it they lag by one"},
     {Feature::midpoint, "midpoint", "the midpoint rule, of second order in time"}}};

Need need_of(const Model& model, const Component& component) {
  const std::string& first = model.rods()[component.rods.front()].name;
  const std::string field = "rods." + first;
  switch (component.kind) {
    case Component::Kind::chain:
      return {Feature::chains, field, "", fmt::format("'{}' is an open rod", first)};
    case Component::Kind::ring:
      return {Feature::rings, field, "", fmt::format("'{}' is a ring", first)};
    case Component::Kind::net:
      break;
  }
  return {Feature::nets, field, "", fmt::format("'{}' is part of a net", first)};
}

std::optional<Need> need_of_contact(const Scene& scene) {
  if (!scene.obstacles.empty())
    return Need{Feature::contact, "obstacles[0]", "", fmt::format("there is the obstacle '{}'", scene.obstacles[0].name)};
  if (!scene.contact.rods_touch()) return std::nullopt;
  const bool self = scene.contact.self;
  return Need{Feature::contact, self ? "contact.self" : "contact.between", "",
              self ? "rods touch themselves" : "rods touch each other"};
}

}  // namespace

std::span<const FeatureInfo> all_features() { return table; }

const FeatureInfo& info_of(Feature feature) {
  return *std::find_if(table.begin(), table.end(), [&](const FeatureInfo& one) { return one.feature == feature; });
}

std::vector<std::string> Features::names() const {
  std::vector<std::string> out;
  for (const FeatureInfo& one : table)
    if (has(one.feature)) out.emplace_back(one.name);
  return out;
}

std::vector<Need> needs_of(const Model& model) {
  std::vector<Need> out;
  const auto add = [&](Need need) {
    const auto same = [&](const Need& other) { return other.feature == need.feature; };
    if (std::none_of(out.begin(), out.end(), same)) out.push_back(std::move(need));
  };
  for (const Component& component : model.components()) add(need_of(model, component));
  for (int j = 0; j < model.joint_count(); ++j) {
    if (!model.is_corner(j)) continue;
    const std::string& rod = model.rods()[model.segments().rod[model.joints().a[j]]].name;
    add({Feature::corners, "rods." + rod + ".rest", "", fmt::format("'{}' has a corner in its rest shape", rod)});
    break;
  }
  if (!model.links().empty()) add({Feature::links, "links[0]", "", "there is the " + label_of(model.links()[0].link)});
  if (const std::optional<Need> contact = need_of_contact(model.scene())) add(*contact);
  if (model.scene().solver.integrator == Integrator::midpoint)
    add({Feature::midpoint, "solver.integrator", "midpoint", "the integrator is midpoint"});
  return out;
}

}  // namespace writhe
