#include "output/summary_parts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "measure/winding.h"
#include "model/labels.h"
#include "output/page.h"
#include "output/sink_columns.h"
#include "output/sink_file.h"
#include "simulation/checkpoint.h"

namespace writhe::output {

namespace {

const char* text_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::interrupted:
      return "interrupted";
    case Outcome::failed:
      return "failed";
    default:
      return "finished";
  }
}

Json rods_json(const Model& model, const State& state) {
  Json out = Json::array();
  for (const RodRange& rod : model.rods()) {
    const Vec3 start = state.x[model.segments().node0[rod.first_segment]];
    const Vec3 end = state.x[model.segments().node1[rod.first_segment + rod.segment_count - 1]];
    out.push_back({{"name", rod.name},
                   {"segments", rod.segment_count},
                   {"closed", rod.closed},
                   {"rest_length", rod.length},
                   {"mass", rod.mass},
                   {"end_to_end", norm(end - start)},
                   {"start", json_of(start)},
                   {"end", json_of(end)}});
  }
  return out;
}

// Into the rods of the summary, and what concerns pairs beside them.
void add_windings(const Json& now, const Json& start, Json& summary) {
  const bool has_start =
      start.is_object() && start.contains("rods") && start["rods"].is_array() && start.contains("linked_rings");
  Json& rods = summary["rods"];
  for (std::size_t i = 0; i < rods.size(); ++i) {
    rods[i].update(now["rods"][i]);
    if (has_start && i < start["rods"].size() && !start["rods"][i].empty()) rods[i]["at_start"] = start["rods"][i];
  }
  if (!now["linked_rings"].empty()) summary["linked_rings"] = now["linked_rings"];
  if (has_start && !start["linked_rings"].empty()) summary["linked_rings_at_start"] = start["linked_rings"];
  for (const char* key : {"rods_left_out", "ring_pairs_left_out"})
    if (now[key] > 0) summary["windings_left_out"][key] = now[key];
}

Json probes_json(const Model& model, const State& state) {
  ProbeColumns probes(model);
  std::vector<double> values;
  probes.append(model, state, values);
  Json out = Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Column& column = probes.columns()[i];
    out[column.probe][column.quantity] = values[i];
  }
  return out;
}

Json links_json(const Model& model, const State& state) {
  Json out = Json::array();
  for (const ResolvedLink& link : model.links()) {
    const measure::LinkState now = measure::link_state(link, state);
    Json one = {{"kind", link.link.kind == Link::Kind::spring ? "spring" : "tether"},
                {"length", now.length},
                {"tension", now.tension},
                {"energy", now.energy}};
    if (!link.link.name.empty()) one["name"] = link.link.name;
    out.push_back(std::move(one));
  }
  return out;
}

// What touches, those that press hardest first where there are many.
Json contacts_json(const Model& model, const State& state) {
  constexpr std::size_t most = 200;
  contact::Contacts contacts(model);
  contacts.read(state);
  std::vector<contact::Contacts::Meeting> all = contacts.meetings();
  Json out = {{"energy", contacts.energy()}, {"meetings", all.size()}, {"obstacles", Json::array()}, {"pressed", Json::array()}};
  if (!all.empty()) out["least_gap"] = contacts.least_gap();
  for (std::size_t i = 0; i < model.scene().obstacles.size(); ++i)
    out["obstacles"].push_back(
        {{"name", model.scene().obstacles[i].name}, {"force", json_of(contacts.on_obstacle(static_cast<int>(i)))}});
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.pressure > b.pressure; });
  if (all.size() > most) all.resize(most);
  for (const contact::Contacts::Meeting& one : all) {
    Json entry = {{"rod", model.rods()[one.rod].name},
                  {"force", json_of(one.force)},
                  {"pressure", one.pressure},
                  {"least_gap", one.least_gap}};
    if (one.obstacle >= 0)
      entry["obstacle"] = model.scene().obstacles[one.obstacle].name;
    else
      entry["other"] = model.rods()[one.other_rod].name;
    out["pressed"].push_back(std::move(entry));
  }
  return out;
}

Json overlaps_json(const Model& model, const contact::Overlaps& found) {
  const contact::Overlap& at = found.places.front();
  Json out = {{"places", found.places.size()},
              {"depth", at.depth},
              {"distance", at.distance},
              {"between", {contact::place_text(model, at.rod, at.arc), contact::place_text(model, at.other, at.other_arc)}}};
  if (!found.all) out["more"] = true;
  return out;
}

// Takes out every number that JSON cannot hold and notes its path.
void remove_not_finite(Json& json, const std::string& path, Json& omitted) {
  const auto bad = [](const Json& item) { return item.is_number_float() && !std::isfinite(item.get<double>()); };
  if (json.is_object()) {
    for (auto it = json.begin(); it != json.end();) {
      const std::string key = path.empty() ? it.key() : path + "." + it.key();
      if (bad(it.value())) {
        omitted.push_back(key + ": not finite");
        it = json.erase(it);
      } else {
        remove_not_finite(it.value(), key, omitted);
        ++it;
      }
    }
  } else if (json.is_array()) {
    if (std::any_of(json.begin(), json.end(), bad)) {
      omitted.push_back(path + ": not finite");
      json = Json::array();
      return;
    }
    for (std::size_t i = 0; i < json.size(); ++i) remove_not_finite(json[i], path + "[" + std::to_string(i) + "]", omitted);
  }
}

}  // namespace

Json json_of(const Vec3& v) { return {v.x, v.y, v.z}; }

Json json_of(const Energies& e) {
  return {{"kinetic", e.kinetic},       {"stretch_shear", e.stretch_shear},
          {"bend_twist", e.bend_twist}, {"gravity", e.gravity},
          {"links", e.links},           {"contact", e.contact},
          {"total", e.total()}};
}

Json json_of(const Model& model, const State& state, const std::vector<Reaction>& reactions) {
  const std::vector<std::string> names = support_labels(model.scene());
  Json out = Json::array();
  for (const Reaction& reaction : reactions) {
    const ResolvedSupport& support = model.supports()[reaction.support];
    Json one = {
        {"support", names[reaction.support]}, {"position", json_of(state.x[support.node])}, {"force", json_of(reaction.force)}};
    if (support.frame >= 0) one["moment"] = json_of(reaction.moment);
    out.push_back(std::move(one));
  }
  return out;
}

Json summary_head(const std::string& version, const Scene& scene, Outcome outcome, const std::string& cause) {
  Json summary = {{"writhe", version}, {"title", scene.title}, {"outcome", text_of(outcome)}};
  if (!cause.empty()) summary["cause"] = cause;
  return summary;
}

Json winding_json(const Model& model, const State& state) {
  const measure::Windings windings = measure::windings_of(model, state);
  Json rods = Json::array(), rings = Json::array();
  for (const std::optional<measure::Winding>& one : windings.rods) {
    rods.push_back(Json::object());
    if (!one) continue;
    const measure::RodTopology& turns = one->turns;
    rods.back() = {{"total_twist", turns.total_twist}, {"writhe", turns.writhe}, {"link", turns.link()}, {"knot", one->knot}};
  }
  for (const measure::LinkedRings& one : windings.rings)
    rings.push_back({{"rings", {model.rods()[one.a].name, model.rods()[one.b].name}}, {"link", one.link}});
  return {{"rods", std::move(rods)},
          {"linked_rings", std::move(rings)},
          {"rods_left_out", windings.rods_left_out},
          {"ring_pairs_left_out", windings.ring_pairs_left_out}};
}

void add_end_state(const Model& model, const State& state, const EndState& end, Json& summary) {
  summary["state_hash"] = fmt::format("{:016x}", state_hash(state));
  summary["energies"] = {{"start", json_of(end.energies_start)}, {"end", json_of(end.energies)}};
  summary["rods"] = rods_json(model, state);
  add_windings(winding_json(model, state), end.winding_start, summary);
  if (!model.links().empty()) summary["links"] = links_json(model, state);
  if (contact::Contacts::any(model)) summary["contacts"] = contacts_json(model, state);
  summary["probes"] = probes_json(model, state);
  if (!end.overlaps.places.empty()) summary["overlaps"] = overlaps_json(model, end.overlaps);
}

void write_summary(const std::filesystem::path& path, Json summary) {
  Json omitted = Json::array();
  remove_not_finite(summary, "", omitted);
  if (!omitted.empty()) summary["omitted"] = omitted;
  // A title in a broken encoding must not cost the results: replaced, not refused.
  write_file(path, text_of(summary, 2) + "\n");
}

}  // namespace writhe::output
