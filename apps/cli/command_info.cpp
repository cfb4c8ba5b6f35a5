// writhe info SCENE: what a scene contains.
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "messages.h"
#include "model/labels.h"
#include "model/motion.h"
#include "output/page.h"
#include "scene_command.h"
#include "study/scene_facts.h"
#include "text_table.h"
#include "writhe/load.h"
#include "writhe/model.h"

namespace writhe::cli {

namespace {

using nlohmann::ordered_json;
using study::RodEnd;
using study::RodFacts;
using study::SceneFacts;

// ---- supports and loads in words -----------------------------------------------------------------------------------
std::string text_of(const Vec3& v) { return fmt::format("({:g}, {:g}, {:g})", v.x, v.y, v.z); }
std::string rods_text(const std::string& rod) { return rod.empty() ? "every rod" : rod; }

// ", moves until 2 s: turned by up to 0.25 turns, carried by up to 0.1 m"
std::string text_of(const Motion& motion) {
  const auto largest = [](const auto& track) {
    double size = 0;
    for (const auto& key : track.keys) {
      if constexpr (requires { key.second.x; })
        size = std::max(size, norm(key.second));
      else
        size = std::max(size, std::abs(key.second) / (2 * pi));
    }
    return size;
  };
  std::vector<std::string> parts;
  if (!motion.angle.keys.empty()) parts.push_back(fmt::format("turned by up to {:.3g} turns", largest(motion.angle)));
  if (!motion.twist.keys.empty()) parts.push_back(fmt::format("twisted by up to {:.3g} turns", largest(motion.twist)));
  if (!motion.translate.keys.empty()) parts.push_back(fmt::format("carried by up to {:.3g} m", largest(motion.translate)));
  return fmt::format(", moves until {:g} s: {}", end_of(motion), fmt::join(parts, ", "));
}

std::string text_of(const Support& support) {
  const std::string axes = support.axes == "xyz" ? "" : ", holds " + support.axes;
  return fmt::format("{}{}{}", label_of(support), axes, support.motion ? text_of(*support.motion) : "");
}

struct LoadText {
  std::string operator()(const ForceLoad& l) const {
    return fmt::format("force {} N at {}{}", text_of(l.force), l.at.text(), follower(l.follower));
  }
  std::string operator()(const MomentLoad& l) const {
    return fmt::format("moment {} N m at {}{}", text_of(l.moment), l.at.text(), follower(l.follower));
  }
  std::string operator()(const LineLoad& l) const {
    return fmt::format("force per length {} N/m on {}", text_of(l.force_per_length), rods_text(l.rod));
  }
  std::string operator()(const DragLoad& l) const {
    return fmt::format("drag {:g} N s/m^2 across, {:g} along, on {}", l.normal, l.tangential, rods_text(l.rod));
  }
  std::string operator()(const WindLoad& l) const {
    return fmt::format("wind {} m/s, density {:g} kg/m^3, coefficient {:g}, on {}", text_of(l.velocity), l.density, l.coefficient,
                       rods_text(l.rod));
  }
  static std::string follower(bool yes) { return yes ? ", turning with the rod" : ""; }
};

std::string text_of(const Load& load) {
  return std::visit(LoadText{}, load.kind) + (load.ramp.points.empty() ? "" : ", with a ramp in time");
}

std::string text_of(const Link& link) {
  const std::string rest = link.rest_length ? fmt::format("rest length {:g} m", *link.rest_length) : "at rest as built";
  return fmt::format("{}: {:g} N/m, {}{}{}", label_of(link), link.stiffness, rest,
                     link.damping > 0 ? fmt::format(", damping {:g} N s/m", link.damping) : "",
                     link.ramp.points.empty() ? "" : ", with a ramp in time");
}

struct ObstacleText {
  std::string operator()(const PlaneObstacle& o) const {
    return fmt::format("plane through {} m, normal {}", text_of(o.point), text_of(o.normal));
  }
  std::string operator()(const SphereObstacle& o) const {
    return fmt::format("sphere of radius {:g} m at {} m", o.radius, text_of(o.centre));
  }
  std::string operator()(const BoxObstacle& o) const {
    return fmt::format("box of {:g} x {:g} x {:g} m at {} m", o.size.x, o.size.y, o.size.z, text_of(o.centre));
  }
  std::string operator()(const CapsuleObstacle& o) const {
    return fmt::format("capsule of radius {:g} m from {} to {} m", o.radius, text_of(o.from), text_of(o.to));
  }
  std::string operator()(const MeshObstacle& o) const {
    return fmt::format("mesh of {} triangles from {}", o.triangles.size(), o.file);
  }
};

std::string text_of(const Obstacle& obstacle) {
  return fmt::format("{}: {}{}", obstacle.name, std::visit(ObstacleText{}, obstacle.shape),
                     obstacle.motion ? text_of(*obstacle.motion) : "");
}

std::string text_of(const Contact& contact) {
  if (!contact.rods_touch()) return "rods pass through each other and themselves";
  std::vector<std::string> parts;
  if (contact.self) parts.emplace_back("every rod touches itself");
  if (contact.between == Contact::Between::all) parts.emplace_back("all rods touch each other");
  for (const auto& [a, b] : contact.pairs) parts.push_back(fmt::format("{} touches {}", a, b));
  if (contact.thickness) parts.push_back(fmt::format("axes {:g} m apart", *contact.thickness));
  if (contact.stiffness) parts.push_back(fmt::format("stiffness {:g} N/m^2", *contact.stiffness));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// ---- as JSON -------------------------------------------------------------------------------------------------------
ordered_json number_or_null(const std::optional<double>& value) { return value ? ordered_json(*value) : ordered_json(nullptr); }

// A ring has no ends.
std::string end_text(const RodFacts& rod, const RodEnd& end) { return rod.closed ? "closed" : study::words_of(end); }

ordered_json to_json(const RodFacts& rod) {
  return {{"name", rod.name},
          {"closed", rod.closed},
          {"segments", rod.segments},
          {"nodes", rod.nodes},
          {"length_m", rod.length},
          {"mass_kg", rod.mass},
          {"EA", rod.EA},
          {"GA", rod.GA},
          {"EI1", number_or_null(rod.EI1)},
          {"EI2", number_or_null(rod.EI2)},
          {"GJ", number_or_null(rod.GJ)},
          {"radius_m", rod.radius},
          {"slenderness", number_or_null(rod.slenderness)},
          {"load_number", number_or_null(rod.load_number)},
          {"start", end_text(rod, rod.start)},
          {"end", end_text(rod, rod.end)},
          {"start_joined_to", rod.start.joined_to},
          {"end_joined_to", rod.end.joined_to},
          {"bending_period_s", number_or_null(rod.bending_period)}};
}

ordered_json to_json(const Scene& scene, const SceneFacts& facts) {
  ordered_json rods = ordered_json::array(), supports = ordered_json::array(), loads = ordered_json::array(),
               obstacles = ordered_json::array();
  for (const RodFacts& rod : facts.rods) rods.push_back(to_json(rod));
  for (const Support& support : scene.supports) supports.push_back(text_of(support));
  for (const Load& load : scene.loads) loads.push_back(text_of(load));
  for (const Obstacle& obstacle : scene.obstacles) obstacles.push_back(text_of(obstacle));
  return {{"title", scene.title},          {"gravity", {scene.gravity.x, scene.gravity.y, scene.gravity.z}},
          {"method", scene.solver.method}, {"dt_s", scene.dt},
          {"until_s", scene.until},        {"nodes", facts.nodes},
          {"segments", facts.segments},    {"joints", facts.joints},
          {"frames", facts.frames},        {"unknowns", facts.unknowns},
          {"memory_bytes", facts.memory},  {"rods", rods},
          {"supports", supports},          {"loads", loads},
          {"obstacles", obstacles},        {"contact", text_of(scene.contact)}};
}

// ---- as text -------------------------------------------------------------------------------------------------------
std::string cell(double value) { return fmt::format("{:.4g}", value); }
std::string cell(const std::optional<double>& value) { return value ? cell(*value) : "-"; }

std::string ends_text(const RodFacts& rod) {
  return rod.closed ? "closed" : fmt::format("{}-{}", study::words_of(rod.start), study::words_of(rod.end));
}

std::string size_table(const SceneFacts& facts) {
  std::vector<TableRow> rows{{"ROD", "SEGMENTS", "NODES", "LENGTH m", "RADIUS m", "MASS kg", "ENDS"}};
  for (const RodFacts& r : facts.rods) {
    rows.push_back({r.name, std::to_string(r.segments), std::to_string(r.nodes), cell(r.length), cell(r.radius), cell(r.mass),
                    ends_text(r)});
  }
  return aligned(rows);
}

std::string stiffness_table(const SceneFacts& facts) {
  std::vector<TableRow> rows{{"ROD", "EA N", "GA N", "EI1 N m^2", "EI2 N m^2", "GJ N m^2"}};
  for (const RodFacts& r : facts.rods) rows.push_back({r.name, cell(r.EA), cell(r.GA), cell(r.EI1), cell(r.EI2), cell(r.GJ)});
  return aligned(rows);
}

std::string behaviour_table(const SceneFacts& facts) {
  std::vector<TableRow> rows{{"ROD", "LENGTH/RADIUS", "LOAD NUMBER", "BENDING PERIOD s"}};
  for (const RodFacts& r : facts.rods) {
    rows.push_back({r.name, cell(r.slenderness), cell(r.load_number), cell(r.bending_period)});
  }
  return aligned(rows);
}

void print_text(const SceneChoice& options, const Scene& scene, const SceneFacts& facts) {
  print("{}{}{}\n", options.scene, scene.title.empty() ? "" : ": ", scene.title);
  print("gravity {} m/s^2, method {}, steps of {:g} s until {:g} s\n", text_of(scene.gravity), scene.solver.method, scene.dt,
        scene.until);
  print("{} nodes, {} segments, {} joints, {} frames, {} unknowns, {:.3g} MB of model and state\n\n", facts.nodes, facts.segments,
        facts.joints, facts.frames, facts.unknowns, static_cast<double>(facts.memory) / 1e6);
  print("{}\n{}\n{}", size_table(facts), stiffness_table(facts), behaviour_table(facts));
  print("Load number: rho g A L^3 / EI; the rod sags little well below 1. Period: lowest mode of the straight rod alone.\n");
  if (!scene.supports.empty()) print("\nSupports\n");
  for (const Support& support : scene.supports) print("  {}\n", text_of(support));
  if (!scene.loads.empty()) print("\nLoads besides gravity\n");
  for (const Load& load : scene.loads) print("  {}\n", text_of(load));
  if (!scene.links.empty()) print("\nLinks\n");
  for (const Link& link : scene.links) print("  {}\n", text_of(link));
  if (!scene.obstacles.empty()) print("\nObstacles\n");
  for (const Obstacle& obstacle : scene.obstacles) print("  {}\n", text_of(obstacle));
  if (!scene.obstacles.empty() || scene.contact.rods_touch()) print("\nContact: {}\n", text_of(scene.contact));
}

ExitStatus info(const SceneChoice& options) {
  const Model model(load_scene(options.scene, options.overrides));
  const SceneFacts facts = study::facts_of(model);
  if (options.json) {
    print("{}\n", output::text_of(to_json(model.scene(), facts), 2));
  } else {
    print_text(options, model.scene(), facts);
  }
  return done;
}

}  // namespace

void add_info(const Command& app, Action& chosen) {
  const auto options = std::make_shared<SceneChoice>();
  const Command command = app.add_subcommand("info", "Show what a scene contains: sizes, stiffnesses, load numbers, periods");
  add_scene(command, *options);
  add_overrides(command, *options);
  command.add_flag("--json", options->json, "Print the facts as JSON on stdout");
  command.footer("Example:\n  writhe info scenes/cantilever.yaml --set rods.cord.segments=200");
  command.callback([options, &chosen] { chosen = [options] { return info(*options); }; });
}

}  // namespace writhe::cli
