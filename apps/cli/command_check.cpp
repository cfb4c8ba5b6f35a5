// writhe check SCENE: is the scene right, and if not, what is wrong with it?
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "contact/bad_start.h"
#include "messages.h"
#include "output/page.h"
#include "scene_command.h"
#include "writhe/load.h"
#include "writhe/simulation.h"

namespace writhe::cli {

namespace {

using nlohmann::ordered_json;

ordered_json to_json(const Problem& problem) {
  return {{"file", problem.where.file}, {"line", problem.where.line}, {"column", problem.where.column},
          {"field", problem.field},     {"value", problem.value},     {"message", problem.message}};
}

ExitStatus report_problems(const SceneChoice& options, const std::vector<Problem>& problems) {
  if (options.json) {
    ordered_json list = ordered_json::array();
    for (const Problem& problem : problems) list.push_back(to_json(problem));
    print("{}\n", output::text_of({{"ok", false}, {"problems", list}}, 2));
  } else {
    for (const Problem& problem : problems) tell("{}\n", problem.text());
    tell("{}: {} problem{}\n", options.scene, problems.size(), problems.size() == 1 ? "" : "s");
  }
  return bad_input;
}

ExitStatus check(const SceneChoice& options) {
  try {
    // A method that does not support the scene is a problem of the scene too.
    const Simulation simulation(Model(load_scene(options.scene, options.overrides)), {1});
    const Model& model = simulation.model();
    if (options.json) {
      ordered_json warnings = ordered_json::array();
      for (const Problem& warning : contact::look_at_start(model, simulation.state(), 0).warnings)
        warnings.push_back(to_json(warning));
      print("{}\n", output::text_of({{"ok", true}, {"problems", ordered_json::array()}, {"warnings", warnings}}, 2));
    } else {
      tell_of_start(model);
      const auto counted = [](std::size_t count, const char* what) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
      };
      const std::string links = model.links().empty() ? "" : ", " + counted(model.links().size(), "link");
      const std::size_t met = model.scene().obstacles.size();
      const std::string obstacles = met == 0 ? "" : ", " + counted(met, "obstacle");
      print("{}: ok: {}, {} segments{}{}, method {}\n", options.scene, counted(model.rods().size(), "rod"), model.segment_count(),
            links, obstacles, model.scene().solver.method);
    }
    return done;
  } catch (const Error& error) {
    return report_problems(options, error.problems());
  }
}

}  // namespace

void add_check(const Command& app, Action& chosen) {
  const auto options = std::make_shared<SceneChoice>();
  const Command command = app.add_subcommand("check", "Check a scene file and list everything that is wrong with it");
  add_scene(command, *options);
  add_overrides(command, *options);
  command.add_flag("--json", options->json, "Print {\"ok\": ..., \"problems\": [...]} on stdout");
  command.footer("Example:\n  writhe check scenes/cantilever.yaml");
  command.callback([options, &chosen] { chosen = [options] { return check(*options); }; });
}

}  // namespace writhe::cli
