// writhe compare SCENE: the same scene by several methods, what each errs by and what it costs.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/machine.h"
#include "commands.h"
#include "interrupt.h"
#include "messages.h"
#include "output/page.h"
#include "output/sink_file.h"
#include "output_folder.h"
#include "progress.h"
#include "scene_command.h"
#include "solvers/solver.h"
#include "study/compare.h"
#include "study/compare_json.h"
#include "text_table.h"
#include "writhe/error.h"

namespace writhe::cli {

namespace {

using study::Compared;
using study::Comparison;
using study::Contender;

struct CompareOptions : SceneOptions {
  std::optional<std::string> solvers;  // none: every method that supports the scene
  std::string until, dt;               // empty: as the scene says
  int refinements = 2, threads = 0;
  double budget = 60;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t at = text.find(separator); at != std::string::npos; at = text.find(separator, from)) {
    parts.push_back(text.substr(from, at - from));
    from = at + 1;
  }
  parts.push_back(text.substr(from));
  return parts;
}

std::string without_blanks(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

// Where a scene has a setting: those of one method under its name.
std::string setting_path(const std::string& method, const std::string& key) {
  const bool of_all = key == "integrator" || key == "tolerance";
  return of_all ? "solver." + key : fmt::format("solver.{}.{}", method, key);
}

// "pd:iterations=3:metric=constant". Throws Error when the scene is wrong; with `supported`, also when the method does not
// support it.
Contender contender(const CompareOptions& options, const std::string& text, bool supported) {
  std::vector<std::string> parts = split(text, ':');
  Contender out{text, {parts.begin() + 1, parts.end()}, {}};
  std::vector<ShortOption> short_options{{"--dt", "time.dt", options.dt},
                                         {"--until", "time.until", until_settled(options.until) ? "" : options.until},
                                         {"--solvers", "solver.method", parts.front(), text}};
  for (const std::string& setting : out.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == setting.size())
      throw Error("--solvers", text, "expected METHOD or METHOD:KEY=VALUE, such as pd:iterations=3");
    if (setting.substr(0, equals) == "method") throw Error("--solvers", text, "names two methods; name one");
    short_options.push_back(
        {"--solvers", setting_path(parts.front(), setting.substr(0, equals)), setting.substr(equals + 1), text});
  }
  out.scene = with_scene(options, short_options, [supported](Scene scene) {
    const Model model(scene);
    if (supported) make_solver(model, 1);
    return scene;
  });
  return out;
}

// As the scene has it, or, for a method that has not got the scene's integrator, with implicit Euler.
std::optional<Contender> as_it_can(const CompareOptions& options, const SolverInfo& method) {
  std::string cause;
  for (const std::string& name : {method.name, method.name + ":integrator=euler"}) {
    contender(options, name, false);  // what is wrong with the scene is wrong for every method
    try {
      return contender(options, name, true);
    } catch (const Error& error) {
      if (cause.empty()) cause = error.what();
    }
  }
  if (!options.quiet) tell("writhe: {} is left out: {}\n", method.name, cause);
  return std::nullopt;
}

std::vector<Contender> every_method(const CompareOptions& options) {
  std::vector<Contender> out;
  for (const SolverInfo& method : solver_table())
    if (std::optional<Contender> one = as_it_can(options, method)) out.push_back(std::move(*one));
  return out;
}

std::vector<Contender> contenders(const CompareOptions& options) {
  if (!options.solvers) return every_method(options);
  std::vector<Contender> out;
  for (const std::string& part : split(*options.solvers, ',')) {
    const std::string text = without_blanks(part);
    if (text.empty()) throw Error("--solvers", *options.solvers, "has an empty name; separate methods by one comma");
    if (std::any_of(out.begin(), out.end(), [&](const Contender& one) { return one.name == text; }))
      throw Error("--solvers", text, "is named twice");
    out.push_back(contender(options, text, true));
  }
  return out;
}

std::string text_of(const std::optional<double>& value, const char* form) {
  return value ? fmt::format(fmt::runtime(form), *value) : "-";
}

void print_table(const Comparison& comparison) {
  const bool at_rest = comparison.sampling.times.empty();
  std::vector<TableRow> rows{
      {"METHOD", "ERROR", "AT THE END", "RMS", "TIME", "A STEP", at_rest ? "STEPS" : "REAL TIME", "ORDER IN TIME", "IN SPACE"}};
  for (const Compared& method : comparison.methods) {
    const study::Trajectory& path = method.scene.path;
    if (!method.scene.error) {
      rows.push_back({method.contender.name, "failed"});
      continue;
    }
    const study::Distance& error = *method.scene.error;
    rows.push_back({method.contender.name, fmt::format("{:.2e}", error.largest), fmt::format("{:.2e}", error.end),
                    fmt::format("{:.2e}", error.rms), fmt::format("{:.3g} s", path.seconds),
                    fmt::format("{:.4g} us", 1e6 * method.seconds_a_step()),
                    at_rest ? fmt::format("{}", path.steps) : fmt::format("{:.3g} x", method.speed()),
                    text_of(method.order_time, "{:.2f}"), text_of(method.order_mesh, "{:.2f}")});
  }
  print("{}", aligned(rows));
  for (const Compared& method : comparison.methods)
    if (!method.scene.path.complete())
      print("{}: failed: {}\n", method.contender.name, method.scene.path.cause);
    else if (method.scene.path.unconverged > 0)
      print("{}: {} of {} steps used up solver.pd.iterations before they met solver.tolerance\n", method.contender.name,
            method.scene.path.unconverged, method.scene.path.steps);
}

void print_reference(const Comparison& comparison) {
  const study::Reference& reference = comparison.reference;
  const Scene scene = study::at_resolution(comparison.methods.front().contender.scene, reference.resolution);
  const bool at_rest = comparison.sampling.times.empty();
  const bool midpoint = reference.integrator == Integrator::midpoint;
  print("errors: largest distance of a node {}, over the length of its rod\n",
        at_rest ? "from where it should rest" : fmt::format("at {} times", comparison.sampling.times.size()));
  print("reference: newton, {} segments{}: errs by {} itself ({:.3g} s of computing, {} runs)\n", study::segment_count(scene),
        at_rest ? "" : fmt::format(", {}, steps of {:.3g} s", midpoint ? "midpoint" : "implicit Euler", scene.dt),
        reference.error() ? fmt::format("{:.1e}", *reference.error()) : "an amount that is not known", reference.seconds,
        reference.runs);
  if (reference.sufficient) return;
  print("  that is NOT below a tenth of the smallest difference shown ({:.1e}): {}\n", reference.wanted, reference.note);
}

std::filesystem::path compare_path(const CompareOptions& options) {
  if (!options.out.empty()) return options.out;
  return output_path(options).string() + "-compare";
}

Comparison compared(const std::vector<Contender>& given, const CompareOptions& options, const InterruptGuard& interrupt) {
  StatusLine line(!options.quiet);
  study::CompareOptions wishes;
  wishes.at_rest = until_settled(options.until);
  wishes.refinements = options.refinements;
  wishes.budget = options.budget;
  wishes.threads = options.threads;
  wishes.go_on = [&] { return !interrupt.raised(); };
  wishes.progress = [&](const std::string& what, double part) {
    if (line.due()) line.draw(fmt::format("{} ({:.0f}%)", what, 100 * part));
  };
  return study::compare(given, wishes);
}

ExitStatus compare(const CompareOptions& options) {
  check_until(options.until);
  if (!std::isfinite(options.budget)) throw Error("--budget", fmt::format("{}", options.budget), "expected a number of seconds");
  output::page("compare", "compare");
  const std::vector<Contender> given = contenders(options);
  const OutputFolder folder(compare_path(options), options.force ? OutputFolder::Use::replace : OutputFolder::Use::fresh_once,
                            input_files(options.scene, given.front().scene));
  const InterruptGuard interrupt("writhe: stopped at once, before there was anything to write\n");
  std::optional<Comparison> found;
  try {
    found = compared(given, options, interrupt);
  } catch (const Error& error) {
    // The scene was good: what goes wrong from here on is a failure, not bad input.
    tell("writhe: {}\n", error.what());
    return failed;
  }
  const Comparison& comparison = *found;
  const int threads = options.threads > 0 ? options.threads : this_machine().cores;
  const study::CompareHeading heading{options.scene, options.overrides, threads};
  nlohmann::ordered_json data = to_json(comparison, heading);
  const std::string numbers = output::text_of(data, 2) + "\n";
  output::write_file(folder.comparison(), numbers);
  data["shapes"] = shapes_json(comparison);
  output::write_page("compare", data, folder.comparison_page());
  if (options.json) {
    print_text(numbers);
  } else if (!options.quiet) {
    print_table(comparison);
    print_reference(comparison);
    print_files(folder);
  }
  if (comparison.interrupted)
    tell("writhe: stopped while the reference was refined; the results in {} stand, with its error as it was then\n",
         folder.path().string());
  const auto complete = [](const Compared& method) { return method.scene.path.complete(); };
  const bool all = std::all_of(comparison.methods.begin(), comparison.methods.end(), complete);
  return all && !comparison.interrupted ? done : failed;
}

}  // namespace

void add_compare(const Command& app, Action& chosen) {
  const auto options = std::make_shared<CompareOptions>();
  const Command command = app.add_subcommand("compare", "Run a scene by several methods: what each errs by, and what it costs");
  add_scene(command, *options);
  command
      .add_option("--solvers", options->solvers,
                  "Methods, with settings of their own if wanted: newton,pd,pd:iterations=3:metric=constant (default: every "
                  "method that supports the scene)")
      .type_name("A,B,...");
  command.add_option("--until", options->until, "Compare the motion up to this time, or `settled`: where it comes to rest")
      .type_name("SECONDS");
  command.add_option("--dt", options->dt, "Time step (sets time.dt)").type_name("SECONDS");
  command
      .add_option("--refinements", options->refinements,
                  "How often steps are halved to see how errors fall (meshes once fewer); 0: the scene as it is only")
      .within(0, 6)
      .type_name("N");
  command.add_option("--budget", options->budget, "Seconds of computing for the reference, at most (default 60)")
      .within(1e-3, 1e9)
      .type_name("SECONDS");
  command.add_option("--threads", options->threads, "Threads; 0 means all cores. Errors do not depend on it, times do")
      .within(0, 4096)
      .type_name("N");
  add_output_options(command, *options);
  command.get_option("--out").description("Folder for the results (default out/<scene name>-compare)");
  command.get_option("--json").description("Print compare.json on stdout");
  command.footer(
      "The reference is newton with the midpoint rule, refined in time and space until its own error is below a tenth of the\n"
      "smallest difference shown, or until --budget is spent; its error is stated. Results: compare.html and compare.json.\n"
      "\n"
      "Examples:\n"
      "  writhe compare scenes/hanging.yaml\n"
      "  writhe compare scenes/hanging.yaml --solvers newton,newton:integrator=midpoint,pd,pd:iterations=3\n"
      "  writhe compare scenes/cantilever.yaml --until settled\n"
      "\n"
      "Exit status 1 when a method failed on the scene as it is.");
  command.callback([options, &chosen] { chosen = [options] { return compare(*options); }; });
}

}  // namespace writhe::cli
