#include "contact/bad_start.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "contact/obstacle_shape.h"
#include "contact/overlaps.h"
#include "contact/path_of_support.h"
#include "model/labels.h"
#include "model/problems.h"

namespace writhe::contact {

namespace {

constexpr double counts = 1e-6;  // of the radius: rods that are built touching are not in each other
constexpr std::size_t most_told = 20;

std::string rod_field(const Model& model, int rod) { return "rods." + model.rods()[rod].name + ".centreline"; }

Problem problem_at(const Model& model, const std::string& field, std::string value, std::string message) {
  return {model.scene().where(field), field, std::move(value), std::move(message)};
}

std::string places_text(const Model& model, const Overlap& at) {
  const std::string first = place_text(model, at.rod, at.arc);
  return at.other < 0 ? first : first + " and " + place_text(model, at.other, at.other_arc);
}

// What is deeper than `deepest` (of the radius) is an error each, the rest a warning together.
template <class Deepest, class Error>
void tell(const Model& model, Overlaps found, const Deepest& deepest, const Error& error, const char* who, StartReport& report) {
  std::size_t deep = 0;
  std::optional<Overlap> shallow;
  for (const Overlap& at : found.places) {
    if (at.depth <= (deepest(at) + counts) * at.radius) {
      if (!shallow) shallow = at;
      continue;
    }
    if (++deep <= most_told)
      report.errors.push_back(problem_at(model, rod_field(model, at.rod), places_text(model, at), error(at)));
  }
  if (deep > most_told)
    report.errors.push_back({model.scene().where("rods"), "rods", "", fmt::format("and {} more such places", deep - most_told)});
  if (!shallow) return;
  found.places.resize(found.places.size() - deep);
  report.warnings.push_back(problem_at(
      model, rod_field(model, shallow->rod), places_text(model, *shallow),
      fmt::format(
          "{} begin in each other at {}, by up to {:.3g} m, here; they are pressed apart by and by: the distance at which "
          "they touch begins with what it is and grows to what it should be, by ten radii a second",
          who, counted(found), shallow->depth)));
}

void look_at_rods(const Model& model, const State& start, StartReport& report) {
  const auto message = [](const Overlap& at) {
    return fmt::format(
        "these places begin {:.4g} m apart, and touch at {:.4g} m: they are in each other by more than a radius; move them "
        "apart, or "
        "leave these rods out of contact",
        at.distance, at.distance + at.depth);
  };
  tell(
      model, rod_overlaps(model, start, Among::touching, counts), [](const Overlap&) { return 1.0; }, message, "rods", report);
}

void look_at_obstacles(const Model& model, const State& start, StartReport& report) {
  const std::vector<Obstacle>& obstacles = model.scene().obstacles;
  const auto message = [&](const Overlap& at) {
    return fmt::format(
        "begins in the obstacle '{}': it reaches {:.4g} m deep into it, and has a radius of {:.4g} m; move the rod or the "
        "obstacle",
        obstacles[at.obstacle].name, at.depth, at.radius);
  };
  const auto deepest = [&](const Overlap& at) {
    return std::holds_alternative<MeshObstacle>(obstacles[at.obstacle].shape) ? most_depth_share : 1.0;
  };
  tell(model, obstacle_overlaps(model, start, counts), deepest, message, "a rod and an obstacle", report);
}

void look_at_meshes(const Scene& scene, StartReport& report) {
  for (std::size_t i = 0; i < scene.obstacles.size(); ++i) {
    const auto* mesh = std::get_if<MeshObstacle>(&scene.obstacles[i].shape);
    if (mesh == nullptr) continue;
    const ObstacleMesh surface(*mesh);
    const std::string field = fmt::format("obstacles[{}].mesh.file", i);
    const auto warn = [&](std::string message) {
      report.warnings.push_back({scene.where(field), field, mesh->file, std::move(message)});
    };
    if (surface.open_edges() > 0)
      warn(fmt::format("{} of its edges have no second triangle: it is open, acts on both sides and has no inside",
                       surface.open_edges()));
    if (surface.left_out() > 0)
      warn(fmt::format("{} of its triangles have two corners in one place, or are there twice; they are left out",
                       surface.left_out()));
    if (surface.thin() > 0) warn(fmt::format("{} of its triangles have no area; they act by their edges", surface.thin()));
  }
}

void look_at_supports(const Model& model, double until, StartReport& report) {
  const std::vector<std::string> labels = support_labels(model.scene());
  for (const RunOver& met : run_overs(model, until)) {
    const std::string field = fmt::format("supports[{}]", met.support);
    report.errors.push_back(problem_at(
        model, field, labels[met.support],
        fmt::format("at t = {:.4g} s what is held here and the obstacle '{}' come to be in each other, and neither gives way; "
                    "change the motion of one of them",
                    met.time, model.scene().obstacles[met.obstacle].name)));
  }
}

}  // namespace

StartReport look_at_start(const Model& model, const State& start, double until) {
  StartReport report;
  look_at_meshes(model.scene(), report);
  look_at_rods(model, start, report);
  look_at_obstacles(model, start, report);
  if (report.errors.empty()) look_at_supports(model, until, report);
  return report;
}

void refuse_bad_start(const Model& model, const State& start, double until) {
  StartReport report = look_at_start(model, start, until);
  sort_by_place(report.errors);
  if (!report.errors.empty()) throw Error(std::move(report.errors));
}

}  // namespace writhe::contact
