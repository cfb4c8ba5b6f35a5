// What the commands that take a scene have in common: options; of those that compute something from it also problems told of the
// options, and outputs.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "command_line.h"
#include "contact/overlaps.h"
#include "output_folder.h"
#include "writhe/error.h"
#include "writhe/load.h"
#include "writhe/simulation.h"

namespace writhe::cli {

struct SceneChoice {
  std::string scene;
  std::vector<std::string> overrides;
  bool json = false;
};

struct SceneOptions : SceneChoice {
  std::string out;  // empty: out/<scene name>
  bool force = false, quiet = false;
};

// SCENE, which comes first, --set, and those that say what is written where, --set among them.
void add_scene(const Command& command, SceneChoice& options);
void add_overrides(const Command& command, SceneChoice& options);
void add_output_options(const Command& command, SceneOptions& options);

// An option that stands for a value of the scene.
struct ShortOption {
  std::string option, key, value;  // value empty: not given
  std::string given = {};          // what the user wrote, where that is more than the value
};

// The overrides of a scene, short options among them. A problem with one of those is told of the option, not of the --set it
// stands for.
class Overrides {
 public:
  Overrides(std::vector<std::string> given, const std::vector<ShortOption>& short_options);
  const std::vector<std::string>& texts() const { return m_texts; }
  Error told_of_options(const Error& error) const;

 private:
  std::vector<std::string> m_texts;
  std::map<std::string, std::string> m_told_as;
};

// Gives the scene to `use` and returns what that returns.
template <class Use>
auto with_scene(const SceneOptions& options, const std::vector<ShortOption>& short_options, const Use& use) {
  const Overrides overrides(options.overrides, short_options);
  try {
    return use(load_scene(options.scene, overrides.texts()));
  } catch (const Error& error) {
    throw overrides.told_of_options(error);
  }
}

// --until SECONDS|settled: a number is a value of the scene. check_until throws Error for another word.
bool until_settled(const std::string& until);
void check_until(const std::string& until);

std::filesystem::path output_path(const SceneOptions& options);

// The files that a scene is made of: its own and those it names. Results never take their place.
std::vector<std::filesystem::path> input_files(const std::string& scene_file, const Scene& scene);

// probes.csv, the pictures and the formats that the scene asks for. page: see output::format_sinks.
std::vector<std::unique_ptr<Sink>> result_sinks(const Scene& scene, const OutputFolder& folder,
                                                const std::filesystem::path& page = {});

// As summary.json has it.
std::string version_text();

// "rope.node[12]: cause", as far as the place is known: written as a scene would name it.
std::string where_and_why(const Model& model, int rod, int node, const std::string& cause);

// To standard error: what is worth a warning in how the scene begins; and rods that are in each other at the end, where contact
// is off.
void tell_of_start(const Model& model);
void tell_of_overlaps(const Model& model, const contact::Overlaps& found);

// To standard output.
void print_file(const std::filesystem::path& path);
// "out/rope: summary.json probes.csv ..."
void print_files(const OutputFolder& folder);

}  // namespace writhe::cli
