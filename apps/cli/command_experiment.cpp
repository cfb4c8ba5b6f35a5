// writhe experiment list|run: known results reproduced, measured against expected.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "commands.h"
#include "messages.h"
#include "output/page.h"
#include "output/sink_file.h"
#include "study/experiment.h"
#include "study/experiment_json.h"
#include "study/registry.h"
#include "text_table.h"
#include "writhe/error.h"

namespace writhe::cli {

namespace {

using nlohmann::ordered_json;
using study::Experiment;
using study::Result;

struct RunOptions {
  std::vector<std::string> names;
  std::string out;
  bool json = false;
  bool slow = false, force = false;
};

ExitStatus list_experiments(bool json) {
  const std::vector<Experiment> experiments = study::all_experiments();
  if (json) {
    ordered_json list = ordered_json::array();
    for (const Experiment& e : experiments) list.push_back(study::to_json(e));
    print("{}\n", output::text_of(list, 2));
    return done;
  }
  std::vector<TableRow> rows{{"NAME", "WHAT IT SHOWS"}};
  for (const Experiment& e : experiments) {
    rows.push_back({e.name, e.title + (e.slow ? " (slow)" : "")});
    rows.push_back({"", "source: " + e.source});
  }
  print("{}", aligned(rows));
  return done;
}

TableRow table_row(const Result& result, const std::string& key, double measured) {
  const auto at =
      std::find_if(result.expected.begin(), result.expected.end(), [&](const auto& entry) { return entry.first == key; });
  if (at == result.expected.end()) return {"  " + key, fmt::format("{:.7g}", measured)};
  return {"  " + key, fmt::format("{:.7g}", measured), at->second.text(), at->second.holds(measured) ? "ok" : "NO"};
}

void print_result(const Experiment& experiment, const Result& result) {
  std::vector<TableRow> rows{{"  KEY", "MEASURED", "EXPECTED", "OK"}};
  for (const auto& [key, measured] : result.measured) rows.push_back(table_row(result, key, measured));
  for (const auto& [key, expectation] : result.expected) {
    if (!result.find(key)) rows.push_back({"  " + key, "missing", expectation.text(), "NO"});
  }
  print("{}: {}\n{}", experiment.name, experiment.title, aligned(rows));
  for (const std::string& note : result.notes) print("  note: {}\n", note);
  print("  {} in {:.1f} s\n\n", result.passed() ? "passed" : "FAILED", result.seconds);
}

// On a terminal one line that changes, elsewhere one line an experiment.
study::Context progress_of(const Experiment& experiment) {
  study::Context context;
  if (isatty(STDERR_FILENO) != 0) {
    context.progress = [name = experiment.name](const std::string& text) { tell("\r\033[K{}: {}", name, text); };
  } else {
    tell("{}: running\n", experiment.name);
  }
  return context;
}

void end_progress() {
  if (isatty(STDERR_FILENO) != 0) tell("\r\033[K");
}

std::filesystem::path result_file(const RunOptions& options, const Experiment& experiment) {
  return std::filesystem::path(options.out) / (experiment.name + ".json");
}

void make_folder(const RunOptions& options, const std::vector<Experiment>& chosen) {
  std::error_code error;
  std::filesystem::create_directories(options.out, error);
  if (error) throw Error("--out", options.out, "cannot be made (" + error.message() + "); choose another folder");
  if (options.force) return;
  for (const Experiment& experiment : chosen)
    if (const std::filesystem::path file = result_file(options, experiment); exists(symlink_status(file, error)))
      throw Error("--out", file.string(), "exists; choose another folder, or add --force to replace it");
}

ExitStatus run_experiments(const RunOptions& options) {
  const std::vector<Experiment> chosen = study::choose_experiments(study::all_experiments(), options.names, options.slow);
  if (!options.out.empty()) make_folder(options, chosen);
  ordered_json list = ordered_json::array();
  bool all_passed = true;
  for (const Experiment& experiment : chosen) {
    const Result result = study::run_experiment(experiment, progress_of(experiment));
    end_progress();
    all_passed = all_passed && result.passed();
    list.push_back(study::to_json(experiment, result));
    if (!options.out.empty()) {
      output::write_file(result_file(options, experiment), output::text_of(list.back(), 2) + "\n");
    }
    if (!options.json) print_result(experiment, result);
  }
  if (options.json) print("{}\n", output::text_of(list, 2));
  return all_passed ? done : failed;
}

}  // namespace

void add_experiment(const Command& app, Action& chosen) {
  const Command group = app.add_subcommand("experiment", "List and run experiments: known results reproduced");
  group.require_subcommand();
  group.footer(
      "Examples:\n  writhe experiment list\n  writhe experiment run cantilever-gravity\n  writhe experiment run all --json");

  const auto list_json = std::make_shared<bool>(false);
  const Command list = group.add_subcommand("list", "List the experiments");
  list.add_flag("--json", *list_json, "Print the list as JSON on stdout");
  list.callback([list_json, &chosen] { chosen = [list_json] { return list_experiments(*list_json); }; });

  const auto options = std::make_shared<RunOptions>();
  const Command run = group.add_subcommand("run", "Run experiments and compare what is measured with what is expected");
  run.add_option("NAME", options->names, "Names from `writhe experiment list`, or all").required();
  run.add_flag("--json", options->json, "Print the results as a JSON array on stdout");
  run.add_flag("--slow", options->slow, "Also run experiments that take minutes");
  run.add_option("--out", options->out, "Also write each result as DIR/<name>.json").type_name("DIR");
  run.add_flag("--force", options->force, "Replace results of the same names in that folder");
  run.footer("Exit status 1 when an experiment did not pass.");
  run.callback([options, &chosen] { chosen = [options] { return run_experiments(*options); }; });
}

}  // namespace writhe::cli
