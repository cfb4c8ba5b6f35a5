#include "scene_command.h"

#include <cctype>
#include <limits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/open_file.h"
#include "base/version.h"
#include "contact/bad_start.h"
#include "messages.h"
#include "output/sink_formats.h"
#include "output/sink_picture.h"
#include "output/sink_probes.h"

namespace writhe::cli {

void add_scene(const Command& command, SceneChoice& options) {
  command.add_option("SCENE", options.scene, "Scene file (YAML or JSON)").required();
}

void add_overrides(const Command& command, SceneChoice& options) {
  command.add_option("--set", options.overrides, "Override any value of the scene (repeatable)")
      .type_name("PATH=VALUE")
      .one_value_each_time();
}

void add_output_options(const Command& command, SceneOptions& options) {
  add_overrides(command, options);
  command.add_option("--out", options.out, "Folder for the results (default out/<scene name>)").type_name("DIR");
  command.add_flag("--force", options.force, "Replace earlier results in that folder");
  command.add_flag("--json", options.json, "Print the summary as JSON on stdout");
  command.add_flag("-q,--quiet", options.quiet, "No progress line and no closing lines");
}

Overrides::Overrides(std::vector<std::string> given, const std::vector<ShortOption>& short_options) : m_texts(std::move(given)) {
  for (const auto& [option, key, value, written] : short_options) {
    if (value.empty()) continue;
    m_texts.push_back(fmt::format("{}={}", key, value));
    m_told_as["--set " + m_texts.back()] = fmt::format("{} {}", option, written.empty() ? value : written);
  }
}

Error Overrides::told_of_options(const Error& error) const {
  std::vector<Problem> problems = error.problems();
  for (Problem& problem : problems) {
    const auto option = m_told_as.find(problem.where.file);
    if (option != m_told_as.end()) problem.where.file = option->second;
  }
  return Error(std::move(problems));
}

bool until_settled(const std::string& until) { return until == "settled"; }

void check_until(const std::string& until) {
  if (!until.empty() && std::isalpha(static_cast<unsigned char>(until[0])) && !until_settled(until))
    throw Error("--until", until, "expected a number of seconds, or `settled`");
}

std::filesystem::path output_path(const SceneOptions& options) {
  if (!options.out.empty()) return options.out;
  return std::filesystem::path("out") / std::filesystem::path(options.scene).stem();
}

std::vector<std::filesystem::path> input_files(const std::string& scene_file, const Scene& scene) {
  std::vector<std::filesystem::path> out{scene_file};
  const auto add = [&](const Centreline& shape) {
    if (const auto* obj = std::get_if<ObjShape>(&shape)) out.push_back(out.front().parent_path() / obj->file);
  };
  for (const Obstacle& obstacle : scene.obstacles)
    if (const auto* mesh = std::get_if<MeshObstacle>(&obstacle.shape)) out.push_back(out.front().parent_path() / mesh->file);
  for (const Rod& rod : scene.rods) {
    add(rod.centreline);
    if (const auto* rest = std::get_if<ShapeRest>(&rod.rest)) add(rest->shape);
  }
  return out;
}

std::vector<std::unique_ptr<Sink>> result_sinks(const Scene& scene, const OutputFolder& folder,
                                                const std::filesystem::path& page) {
  std::vector<std::unique_ptr<Sink>> sinks;
  sinks.push_back(std::make_unique<output::ProbeSink>(folder.probes()));
  sinks.push_back(std::make_unique<output::PictureSink>(folder.path()));
  // Last, since they may take long to end: a run that is told to stop has little time.
  for (std::unique_ptr<Sink>& sink : output::format_sinks(scene, folder.path(), page)) sinks.push_back(std::move(sink));
  return sinks;
}

std::string version_text() { return fmt::format("{} ({})", version(), version_details()); }

std::string where_and_why(const Model& model, int rod, int node, const std::string& cause) {
  if (rod < 0) return cause;
  const std::string& name = model.rods()[rod].name;
  return node < 0 ? fmt::format("{}: {}", name, cause) : fmt::format("{}.node[{}]: {}", name, node, cause);
}

void tell_of_start(const Model& model) {
  const State start = model.initial_state();
  for (const Problem& problem : contact::look_at_start(model, start, start.time).warnings) tell("warning: {}\n", problem.text());
}

void tell_of_overlaps(const Model& model, const contact::Overlaps& found) {
  if (found.places.empty()) return;
  const contact::Overlap& at = found.places.front();
  tell(
      "writhe: warning: rods are in each other at {}: {} and {}{} by {:.3g} m; contact is off between them, {} would "
      "keep them apart\n",
      contact::counted(found), contact::place_text(model, at.rod, at.arc), contact::place_text(model, at.other, at.other_arc),
      found.places.size() == 1 ? "" : " most of all,", at.depth,
      at.rod == at.other ? "contact.self: true" : "contact.between: all");
}

void print_file(const std::filesystem::path& path) {
  std::string reason, text;
  if (const FilePointer file = open_to_read(path, reason)) read_rest(file.get(), std::numeric_limits<std::size_t>::max(), text);
  print_text(text);
}

void print_files(const OutputFolder& folder) {
  print_text(fmt::format("{}: {}\n", folder.path().string(), fmt::join(folder.files(), " ")));
}

}  // namespace writhe::cli
